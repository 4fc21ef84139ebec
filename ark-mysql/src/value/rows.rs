//! The rows that `insert_many!` sends: tuples of values.

use std::marker::PhantomData;

use ark_mysql_proto::{EncodeError, ParamSink, ParamType};

use super::params::{CHAIN_LIMIT, concat};
use super::{Chain, Encode};

/// The values of one row of [`insert_many!`](crate::insert_many): a tuple, or a reference to one; `K` is a tuple of the kinds of what the values go into.
///
/// Sixteen at most; the macro makes a [`Chain`] of longer ones.
#[diagnostic::on_unimplemented(
    message = "the rows `{Self}` do not fit the statement's `{K}`",
    label = "these rows do not fit the placeholders",
    note = "a row is a tuple with a value for each placeholder, in their order; of one value it is `(value,)`"
)]
pub trait RowValues<K> {
    /// The types that are announced, one for each value.
    const TYPES: &'static [ParamType];

    /// Writes the values in their order.
    ///
    /// # Errors
    /// SQL cannot hold one of the values.
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError>;
}

/// A row of `N` values, whatever they are.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "each row of this insert_many! is a tuple with a value for each `?`, {N} in all",
    label = "the rows are `{Self}`",
    note = "rows of one value are tuples, too: `(value,)`",
    note = "a struct becomes a tuple by `rows.iter().map(|row| (row.id, &row.name))`"
)]
pub trait IsRow<const N: usize> {
    /// The tuple.
    type Values;
}

/// Says that somebody has looked at rows of this type.
#[doc(hidden)]
pub struct CheckedRows<I>(PhantomData<fn() -> I>);

/// For generated code: `check` names a trait of its own for each value of a row. It is never called; that it compiles is enough.
#[doc(hidden)]
#[inline]
pub fn checked_rows<const N: usize, I>(
    _: impl FnOnce(&<I::Item as IsRow<N>>::Values),
) -> CheckedRows<I>
where
    I: IntoIterator,
    I::Item: IsRow<N>,
{
    CheckedRows(PhantomData)
}

#[diagnostic::do_not_recommend]
impl<const N: usize, R: IsRow<N>> IsRow<N> for &R {
    type Values = R::Values;
}

#[diagnostic::do_not_recommend]
impl<K, R: RowValues<K>> RowValues<K> for &R {
    const TYPES: &'static [ParamType] = R::TYPES;

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        R::encode(self, out)
    }
}

macro_rules! tuple {
    ($count:literal: $($value:ident $kind:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($value),*> IsRow<$count> for ($($value,)*) {
            type Values = Self;
        }

        #[diagnostic::do_not_recommend]
        impl<$($value, $kind),*> RowValues<($($kind,)*)> for ($($value,)*)
        where
            $($value: Encode<$kind>,)*
        {
            const TYPES: &'static [ParamType] = &[$($value::TYPE),*];

            #[inline]
            fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
                #[expect(non_snake_case, reason = "the values are named after their types")]
                let ($($value,)*) = self;
                $($value.encode(out)?;)*
                Ok(())
            }
        }
    };
}

tuple!(1: A KA);
tuple!(2: A KA B KB);
tuple!(3: A KA B KB C KC);
tuple!(4: A KA B KB C KC D KD);
tuple!(5: A KA B KB C KC D KD E KE);
tuple!(6: A KA B KB C KC D KD E KE F KF);
tuple!(7: A KA B KB C KC D KD E KE F KF G KG);
tuple!(8: A KA B KB C KC D KD E KE F KF G KG H KH);
tuple!(9: A KA B KB C KC D KD E KE F KF G KG H KH I KI);
tuple!(10: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ);
tuple!(11: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK);
tuple!(12: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL);
tuple!(13: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM);
tuple!(14: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM N KN);
tuple!(15: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM N KN O KO);
tuple!(16: A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM N KN O KO P KP);

/// Which the macro makes of longer tuples; it sees to their length.
#[diagnostic::do_not_recommend]
impl<H, T> IsRow<0> for Chain<H, T> {
    type Values = Self;
}

impl<H, T, KH, KT> RowValues<Chain<KH, KT>> for Chain<H, T>
where
    H: RowValues<KH>,
    T: RowValues<KT>,
{
    const TYPES: &'static [ParamType] = {
        let types: &'static [ParamType; CHAIN_LIMIT] = &const { concat(H::TYPES, T::TYPES) };
        types.split_at(H::TYPES.len() + T::TYPES.len()).0
    };

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        self.head.encode(out)?;
        self.tail.encode(out)
    }
}

use std::slice;

use ark_mysql_proto::{EncodeError, ParamSink, ParamType};

use super::Encode;

/// The parameters of one statement: a tuple of references to values, `K` a tuple of their kinds.
///
/// Sixteen at most; longer lists are [`Chain`]s.
#[diagnostic::on_unimplemented(
    message = "the parameters `{Self}` do not fit the statement's `{K}`",
    note = "one value for each placeholder, in their order"
)]
pub trait Params<K> {
    /// The types that are announced, one for each parameter.
    const TYPES: &'static [ParamType];

    /// Whether there are lists among them, which [`TYPES`](Self::TYPES) has one element of.
    #[doc(hidden)]
    const LISTS: bool = false;

    /// Writes the values in their order.
    ///
    /// # Errors
    /// SQL cannot hold one of the values. Nothing was sent.
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError>;

    /// Adds how many elements each list has.
    #[doc(hidden)]
    fn counts(&self, counts: &mut Vec<usize>) {
        _ = counts;
    }

    /// Adds the types of all values, of lists with as many elements as `counts` says, one after the other.
    #[doc(hidden)]
    fn types(counts: &mut slice::Iter<'_, usize>, types: &mut Vec<ParamType>) {
        _ = counts;
        types.extend_from_slice(Self::TYPES);
    }

    /// As [`encode`](Self::encode), with the last element of each list again until it has as many as `counts` says.
    #[doc(hidden)]
    #[inline]
    fn encode_to<S: ParamSink>(
        &self,
        counts: &mut slice::Iter<'_, usize>,
        out: &mut S,
    ) -> Result<(), EncodeError> {
        _ = counts;
        self.encode(out)
    }
}

impl Params<()> for () {
    const TYPES: &'static [ParamType] = &[];

    #[inline]
    fn encode<S: ParamSink>(&self, _: &mut S) -> Result<(), EncodeError> {
        Ok(())
    }
}

macro_rules! tuple {
    ($($value:ident $kind:ident)*) => {
        impl<$($value, $kind),*> Params<($($kind,)*)> for ($(&$value,)*)
        where
            $($value: Encode<$kind> + ?Sized,)*
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

tuple!(A KA);
tuple!(A KA B KB);
tuple!(A KA B KB C KC);
tuple!(A KA B KB C KC D KD);
tuple!(A KA B KB C KC D KD E KE);
tuple!(A KA B KB C KC D KD E KE F KF);
tuple!(A KA B KB C KC D KD E KE F KF G KG);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM N KN);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM N KN O KO);
tuple!(A KA B KB C KC D KD E KE F KF G KG H KH I KI J KJ K KK L KL M KM N KN O KO P KP);

/// A longer list of parameters: sixteen, and the rest. Its kinds are a `Chain` of kinds.
#[derive(Clone, Copy, Debug)]
pub struct Chain<H, T> {
    /// The first ones.
    pub head: H,
    /// Those behind them: a tuple or another `Chain`.
    pub tail: T,
}

/// Most parameters of a chain: constants of generic length cannot be written down, so the types are put into an array of this one.
pub(super) const CHAIN_LIMIT: usize = 1024;

impl<H, T, KH, KT> Params<Chain<KH, KT>> for Chain<H, T>
where
    H: Params<KH>,
    T: Params<KT>,
{
    const TYPES: &'static [ParamType] = {
        let types: &'static [ParamType; CHAIN_LIMIT] = &const { concat(H::TYPES, T::TYPES) };
        types.split_at(H::TYPES.len() + T::TYPES.len()).0
    };
    const LISTS: bool = H::LISTS || T::LISTS;

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        self.head.encode(out)?;
        self.tail.encode(out)
    }

    fn counts(&self, counts: &mut Vec<usize>) {
        self.head.counts(counts);
        self.tail.counts(counts);
    }

    fn types(counts: &mut slice::Iter<'_, usize>, types: &mut Vec<ParamType>) {
        H::types(counts, types);
        T::types(counts, types);
    }

    #[inline]
    fn encode_to<S: ParamSink>(
        &self,
        counts: &mut slice::Iter<'_, usize>,
        out: &mut S,
    ) -> Result<(), EncodeError> {
        self.head.encode_to(counts, out)?;
        self.tail.encode_to(counts, out)
    }
}

/// Runs in the compiler only, where an index out of range is a compile error.
pub(super) const fn concat(head: &[ParamType], tail: &[ParamType]) -> [ParamType; CHAIN_LIMIT] {
    assert!(
        head.len() + tail.len() <= CHAIN_LIMIT,
        "a statement has at most 1024 parameters"
    );
    let mut types = [ParamType::I8; CHAIN_LIMIT];
    let mut at = 0;
    while at < head.len() + tail.len() {
        types[at] = if at < head.len() {
            head[at]
        } else {
            tail[at - head.len()]
        };
        at += 1;
    }
    types
}

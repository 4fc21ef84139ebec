//! The statement of a call whose rows are a struct made for it.
//!
//! What is the same for every such statement stands here and not in the expansion: each token that a procedural macro hands over costs
//! every build of the user about as much as ten that stand here, and its code is usually not optimised.

use std::fmt::{Debug, Formatter, Result};
use std::marker::PhantomData;

use super::own_columns::{Mask, OwnColumns};
use super::{DecodeError, ListPlace, OwnedRows, ReturnsRows, Source, Statement, Told};

/// A struct that was made for the rows of one statement.
pub trait OwnRow: Debug + Sized + 'static {
    /// Its columns.
    type Columns: OwnColumns;
    /// [`Statement::Params`].
    type Params;
    /// [`Statement::TOLD`].
    const TOLD: Told;
    /// [`Statement::LISTS`].
    const LISTS: &'static [ListPlace] = &[];

    /// [`Statement::decode`], but for the columns that must not be NULL. As one tuple, which costs rustc much less than a `?` for each column; where there are
    /// several the statement reads each column by itself, as rows would be copied on their way through tuples of tuples.
    ///
    /// # Errors
    /// Names the first column that does not fit.
    #[inline(always)]
    fn read<'r, S: Source<'r>>(row: &mut S) -> std::result::Result<Self, DecodeError> {
        match Self::Columns::read(row, 0) {
            Ok(values) => Ok(Self::of(values)),
            Err(error) => Err(error),
        }
    }

    /// The row of these values.
    fn of(values: Owned<Self>) -> Self;

    /// The values of the row.
    fn parts(&self) -> Parts<'_, Self>;
}

/// The values of such a row.
pub type Owned<R> = <<R as OwnRow>::Columns as OwnColumns>::Owned;

/// References to them.
pub type Parts<'a, R> = <<R as OwnRow>::Columns as OwnColumns>::Parts<'a>;

/// The statement that has such rows.
pub struct Own<R>(PhantomData<fn() -> R>);

impl<R> Own<R> {
    /// The only value.
    pub const STATEMENT: Self = Self(PhantomData);
}

impl<R: OwnRow> Statement for Own<R> {
    type Row<'r> = R;
    type Params = R::Params;
    const TOLD: Told = R::TOLD;
    const LISTS: &'static [ListPlace] = R::LISTS;

    #[inline]
    fn decode<'r, S: Source<'r>>(row: &mut S) -> std::result::Result<R, DecodeError> {
        if !Mask::<R::Columns>::BYTES.is_empty() {
            row.expect_not_null(Mask::<R::Columns>::BYTES)?;
        }
        R::read(row)
    }
}

// Where a statement has no such rows, this one is none to be offered.
#[diagnostic::do_not_recommend]
impl<R: OwnRow> ReturnsRows for Own<R> {}
#[diagnostic::do_not_recommend]
impl<R: OwnRow> OwnedRows for Own<R> {}

/// One statement, a block with all that it needs. Stands where the driver's `__private` is called `ark`.
///
/// A column is: its field; the name that the server gives it; the field's type; whether NULL can come, and its kind; a variable. Columns come by groups of up to 16.
/// Three impls are written out because `derive` makes four of them, and takes longer: items are what a build pays for.
#[doc(hidden)]
#[macro_export]
macro_rules! __own_row {
    (
        $sql:tt $digest:tt $effect:tt $named:tt [$($file:tt)*] ($($params:tt)*) {$($more:tt)*} [$($text:tt)*]
        $({$($field:tt $name:tt ($($rust:tt)*) $null:tt $kind:tt $value:tt;)*})*
    ) => {{
        pub struct Row { $($(pub $field: $($rust)*,)*)* }
        #[automatically_derived]
        impl ark::OwnRow for Row {
            type Columns = ($(($(ark::$null<ark::kind::$kind>,)*),)*);
            type Params = $($params)*;
            const TOLD: ark::Told = {
                ark::depends_on(
                    [::core::option_env!("ARK_MYSQL_OFFLINE"), ::core::option_env!("ARK_MYSQL_RECORD")],
                    &[$(::core::include_bytes!($file)),*]
                );
                ark::Told {
                    sql: $sql,
                    digest: $digest,
                    columns: &ark::column_specs::<Self::Columns, _>([$($($name,)*)*], $named),
                    effect: ark::Effect::$effect,
                }
            };
            $($more)*
            #[inline(always)]
            fn of(($(($($value,)*),)*): ark::Owned<Self>) -> Self {
                Row { $($($field: $value,)*)* }
            }
            fn parts(&self) -> ark::Parts<'_, Self> {
                ($(($(&self.$field,)*),)*)
            }
        }
        #[automatically_derived]
        impl ark::Clone for Row {
            fn clone(&self) -> Self {
                ark::clone_row(self)
            }
        }
        #[automatically_derived]
        impl ark::Debug for Row {
            fn fmt(&self, ark_out: &mut ark::Formatter<'_>) -> ark::Result<(), ark::FmtError> {
                ark::debug_row(self, ark_out, &[$($text),*])
            }
        }
        #[automatically_derived]
        impl ark::PartialEq for Row {
            fn eq(&self, ark_other: &Self) -> ark::bool {
                ark::same_rows(self, ark_other)
            }
        }
        ark::Own::<Row>::STATEMENT
    }};
}

/// `Clone` of such a row.
#[inline]
pub fn clone_row<R: OwnRow>(row: &R) -> R {
    R::of(R::Columns::cloned(row.parts()))
}

/// `PartialEq` of such rows.
#[inline]
pub fn same_rows<R: OwnRow>(one: &R, other: &R) -> bool {
    R::Columns::same(one.parts(), other.parts())
}

/// `Debug` of such a row, as `derive` has it. Its fields are called by these names; by those of the columns if there are none.
///
/// # Errors
/// Those of the formatter.
pub fn debug_row<R: OwnRow>(row: &R, out: &mut Formatter<'_>, names: &[&str]) -> Result {
    let mut text = out.debug_struct("Row");
    let of_columns: Vec<&str> = match names {
        [] => R::TOLD.columns.iter().map(|column| column.name).collect(),
        names => names.to_vec(),
    };
    R::Columns::show(row.parts(), &mut of_columns.iter(), &mut text);
    text.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private as ark;

    #[derive(Clone, Debug, PartialEq)]
    struct Derived {
        id: u64,
        r#type: Option<String>,
        other: i32,
    }

    /// Two groups, as rows of more than 16 columns have them.
    #[expect(
        unreachable_pub,
        unused_qualifications,
        reason = "elsewhere the macro is another crate's"
    )]
    #[test]
    fn a_row_is_what_derive_makes_of_it() {
        let statement = ark::own_row!(
            "SELECT 1" 1 Read true [] (()) {} ["id" "type" "other"]
            {
                id "id" (ark::u64) NotNull BigIntUnsigned value_0;
                r#type "type!" (ark::Option<ark::String>) Nullable Text value_1;
            }
            { other "other" (ark::i32) NotNull Int value_2; }
        );
        shows_and_compares(statement);
    }

    fn shows_and_compares<R: OwnRow + Clone + PartialEq>(_: Own<R>)
    where
        R::Columns: OwnColumns<Owned = ((u64, Option<String>), (i32,))>,
    {
        let row = R::of(((1, Some("a".to_owned())), (3,)));
        let derived = Derived {
            id: 1,
            r#type: Some("a".to_owned()),
            other: 3,
        };
        let derived = format!("{derived:?} {derived:#?}").replace("Derived", "Row");
        assert_eq!(format!("{row:?} {row:#?}"), derived);
        assert!(row.clone() == row);
        for other in [
            ((2, Some("a".to_owned())), (3,)),
            ((1, None), (3,)),
            ((1, Some("a".to_owned())), (4,)),
        ] {
            assert!(R::of(other) != row);
        }
        let columns = <Own<R> as Statement>::COLUMNS.iter();
        let names: Vec<&str> = columns.map(|column| column.name).collect();
        assert_eq!(names, ["id", "type!", "other"]);
    }
}

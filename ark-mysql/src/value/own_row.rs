//! The statement of a call whose rows are a struct made for it.
//!
//! What is the same for every such statement stands here and not in the expansion: each token that a procedural macro hands over costs
//! every build of the user about as much as ten that stand here, and its code is usually not optimised.

use std::fmt::{Debug, Formatter, Result};

/// One statement, a block with all that it needs. Stands where the driver's `__private` is called `ark`.
///
/// A column is: its field, as `Debug` calls it and as the server does; the field's type; kind, and whether NULL can come; whether the statement names it; its number.
/// Three impls are written out because `derive` makes four of them, and takes longer: items are what a build pays for.
#[doc(hidden)]
#[macro_export]
macro_rules! __own_row {
    (
        $sql:tt $digest:tt $effect:tt [$($file:tt)*] ($($params:tt)*) {$($lists:tt)*} $([$($mask:tt)*])?;
        $($field:tt $text:tt $name:tt ($($rust:tt)*) $kind:tt $null:tt $nullable:tt $named:tt $index:tt;)*
    ) => {{
        const _: () = ark::depends_on(
            [::core::option_env!("ARK_MYSQL_OFFLINE"), ::core::option_env!("ARK_MYSQL_RECORD")],
            &[$(::core::include_bytes!($file)),*]
        );
        pub struct Row { $(pub $field: $($rust)*,)* }
        #[automatically_derived]
        impl ark::Clone for Row {
            fn clone(&self) -> Self {
                Row { $($field: ark::Clone::clone(&self.$field),)* }
            }
        }
        #[automatically_derived]
        impl ark::Debug for Row {
            fn fmt(&self, ark_out: &mut ark::Formatter<'_>) -> ark::Result<(), ark::FmtError> {
                ark::debug_row(ark_out, &[$($text),*], &[$(&self.$field),*])
            }
        }
        #[automatically_derived]
        impl ark::PartialEq for Row {
            fn eq(&self, ark_other: &Self) -> ark::bool {
                true $(&& self.$field == ark_other.$field)*
            }
        }
        struct Statement;
        #[automatically_derived]
        impl ark::Statement for Statement {
            type Row<'r> = Row;
            type Params = $($params)*;
            const TOLD: ark::Told = ark::Told {
                sql: $sql,
                digest: $digest,
                columns: &[$(ark::ColumnSpec { name: $name, kind: ark::Kind::$kind, nullable: $nullable, named: $named }),*],
                effect: ark::Effect::$effect,
            };
            $($lists)*
            #[inline]
            fn decode<'r, R: ark::Source<'r>>(ark_row: &mut R) -> ark::Result<Row, ark::DecodeError> {
                $(ark::Source::expect_not_null(ark_row, &[$($mask),*])?;)?
                ark::Result::Ok(Row {
                    $($field: <_ as ark::Column<'r, ark::$null<ark::kind::$kind>>>::decode(ark_row, $index)?,)*
                })
            }
        }
        #[diagnostic::do_not_recommend]
        impl ark::ReturnsRows for Statement {}
        #[diagnostic::do_not_recommend]
        impl ark::OwnedRows for Statement {}
        Statement
    }};
}

/// `Debug` of such a row, as `derive` has it.
///
/// # Errors
/// Those of the formatter.
pub fn debug_row(out: &mut Formatter<'_>, names: &[&str], values: &[&dyn Debug]) -> Result {
    let mut text = out.debug_struct("Row");
    for (name, value) in names.iter().zip(values) {
        text.field(name, value);
    }
    text.finish()
}

#[cfg(test)]
mod tests {
    use super::{Debug, Formatter, Result, debug_row};

    #[test]
    fn a_row_is_shown_as_derive_shows_it() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "it is only shown")]
        struct Row {
            id: u64,
            r#type: Option<&'static str>,
        }
        struct Ours;
        impl Debug for Ours {
            fn fmt(&self, out: &mut Formatter<'_>) -> Result {
                debug_row(out, &["id", "type"], &[&1, &Some("a")])
            }
        }
        let derived = Row {
            id: 1,
            r#type: Some("a"),
        };
        assert_eq!(format!("{Ours:?}"), format!("{derived:?}"));
        assert_eq!(format!("{Ours:#?}"), format!("{derived:#?}"));
    }
}

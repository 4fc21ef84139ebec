//! Statements as `query!` would generate them, written by hand: the driver's tests do not depend on the macros.

#![allow(
    dead_code,
    unused_macros,
    unused_imports,
    reason = "every test file takes what it needs"
)]

pub(crate) use ark_mysql::__private::{
    Any, Column, ColumnSpec, DecodeError, Effect, Kind, NotNull, Nullable, OwnedRows, Prepared,
    Query, ReturnsRows, Source, Statement, kind,
};

/// `statement! { Name(params): "sql" => Row { field: Type = Kind NotNull, … } }`, with the effect in front of the name.
macro_rules! statement {
    ($effect:ident $name:ident($($param:ident),*): $sql:literal => $row:ident { $($field:ident: $type:ty = $kind:ident $null:ident),* }) => {
        #[derive(Clone, Debug, PartialEq)]
        #[allow(dead_code, reason = "some rows are only counted")]
        struct $row { $($field: $type),* }

        #[derive(Clone, Copy)]
        struct $name;

        impl $crate::by_hand::ReturnsRows for $name {}
        impl $crate::by_hand::OwnedRows for $name {}

        impl $crate::by_hand::Statement for $name {
            type Row<'r> = $row;
            type Params = ($($crate::by_hand::statement!(@any $param),)*);
            const SQL: &'static str = $sql;
            const DIGEST: u128 = $crate::by_hand::digest($sql);
            const COLUMNS: &'static [$crate::by_hand::ColumnSpec] = &[$($crate::by_hand::ColumnSpec {
                name: stringify!($field),
                kind: $crate::by_hand::Kind::$kind,
                nullable: $crate::by_hand::statement!(@nullable $null),
                named: false,
            }),*];
            const EFFECT: $crate::by_hand::Effect = $crate::by_hand::Effect::$effect;

            fn decode<'r, R: $crate::by_hand::Source<'r>>(row: &mut R) -> Result<$row, $crate::by_hand::DecodeError> {
                const MASK: [u8; 8] = $crate::by_hand::mask($name::COLUMNS);
                row.expect_not_null(&MASK)?;
                #[allow(unused_mut, unused_variables, reason = "rows without columns")]
                let mut index = 0..;
                let _ = (&index, &row);
                Ok($row { $($field: <$type as $crate::by_hand::Column<
                    'r,
                    $crate::by_hand::$null<$crate::by_hand::kind::$kind>,
                >>::decode(row, index.next().unwrap())?),* })
            }
        }
    };
    (@any $param:ident) => { $crate::by_hand::Any };
    (@nullable NotNull) => { false };
    (@nullable Nullable) => { true };
}
pub(crate) use statement;

/// `run!(Name, a, b)`: what `query!` expands to.
macro_rules! run {
    ($name:ident $(, $param:expr)*) => {
        $crate::by_hand::Query { statement: $name, params: ($(&($param),)*), mode: $crate::by_hand::Prepared, checked: ark_mysql::__private::checked(|_| ()) }
    };
}
pub(crate) use run;

/// Any 128 bits that differ for different SQL.
pub(crate) const fn digest(sql: &str) -> u128 {
    let mut bytes = sql.as_bytes();
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    while let [first, rest @ ..] = bytes {
        hash = (hash ^ *first as u128).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        bytes = rest;
    }
    hash
}

/// The bits of the columns that are never NULL, as they stand in the NULL bitmap of a binary row.
pub(crate) const fn mask(columns: &[ColumnSpec]) -> [u8; 8] {
    let mut mask = [0; 8];
    let mut at = 0;
    while at < columns.len() {
        if !columns[at].nullable {
            mask[(at + 2) / 8] |= 1 << ((at + 2) % 8);
        }
        at += 1;
    }
    mask
}

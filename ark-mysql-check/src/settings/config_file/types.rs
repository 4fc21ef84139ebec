//! `[types.columns]` and `[types.sql]`: which Rust types columns have.

use crate::description::{Kind, RustType, Types};
use crate::rust_type;
use crate::settings::nearest::nearest;

/// Adds `"users.id" = "crate::UserId"`.
pub(super) fn add_column(types: &mut Types, key: &str, rust: RustType) -> Result<(), Wrong> {
    let mut names = key.split('.');
    let (Some(table), Some(column), None) = (names.next(), names.next(), names.next()) else {
        let database = match key.contains('.') {
            true => ", without a database",
            false => "",
        };
        return Err(Wrong::Key(format!(
            "`{key}` is no column: write `table.column`{database}"
        )));
    };
    if table.is_empty() || column.is_empty() {
        return Err(Wrong::Key(format!(
            "`{key}` is no column: write `table.column`"
        )));
    }
    usable(&rust.rust).map_err(Wrong::Value)?;
    types.add_column(table, column, rust);
    Ok(())
}

/// Adds `"decimal" = "rust_decimal::Decimal"`.
pub(super) fn add_sql(types: &mut Types, key: &str, rust: RustType) -> Result<(), Wrong> {
    let kind = KINDS
        .iter()
        .find_map(|(name, kind)| name.eq_ignore_ascii_case(key).then_some(*kind));
    let kind = kind.ok_or_else(|| Wrong::Key(unknown_type(key)))?;
    usable(&rust.rust).map_err(Wrong::Value)?;
    types.add_kind(kind, rust);
    Ok(())
}

/// What of a line is wrong.
pub(super) enum Wrong {
    Key(String),
    Value(String),
}

fn usable(rust: &str) -> Result<(), String> {
    let tokens = rust_type::read(rust).ok_or_else(|| {
        format!("`{rust}` is not a Rust type: write its path, such as `crate::UserId`")
    })?;
    let first = tokens.into_iter().next().map(|token| token.to_string());
    if rust.contains(['&', '\'']) {
        return Err(format!(
            "`{rust}` borrows: a column's type owns what it holds; in a single statement an alias may say `AS \"name: &str\"`"
        ));
    }
    if first.as_deref() == Some("Option") {
        return Err(format!(
            "leave out the `Option` of `{rust}`: it is added wherever the column may be NULL"
        ));
    }
    Ok(())
}

fn unknown_type(key: &str) -> String {
    let lower = key.to_ascii_lowercase();
    let lower = lower.as_str();
    let word = lower.split('(').next().unwrap_or_default().trim();
    let one_of = |name: &str, all: &str| {
        format!("`{key}` is one type with others here: write `{name}`, which stands for {all}")
    };
    match word {
        "char" | "varchar" | "tinytext" | "mediumtext" | "longtext" | "text" => {
            one_of("text", "CHAR, VARCHAR and TEXT of every length")
        }
        "binary" | "varbinary" | "tinyblob" | "mediumblob" | "longblob" | "blob" => {
            one_of("blob", "BINARY, VARBINARY and BLOB of every length")
        }
        "bool" | "boolean" => one_of("tinyint(1)", "BOOL"),
        "bit" => one_of("bit", "BIT of every length but `bit(1)`"),
        "numeric" | "decimal" | "dec" => one_of("decimal", "DECIMAL of every precision"),
        "integer" => one_of("int", "INTEGER"),
        "datetime" | "timestamp" | "time" if lower != word => one_of(word, "every precision"),
        "point" | "linestring" | "polygon" => one_of("geometry", "all spatial types"),
        _ => {
            let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            match nearest(lower, &known) {
                Some(known) => format!("unknown SQL type `{key}`: did you mean `{known}`?"),
                None => format!("unknown SQL type `{key}`: known are {}", known.join(", ")),
            }
        }
    }
}

/// The SQL types that can be set, as they are written in the file.
const KINDS: &[(&str, Kind)] = &[
    ("tinyint", Kind::TinyInt),
    ("tinyint unsigned", Kind::TinyIntUnsigned),
    ("tinyint(1)", Kind::Bool),
    ("smallint", Kind::SmallInt),
    ("smallint unsigned", Kind::SmallIntUnsigned),
    ("mediumint", Kind::MediumInt),
    ("mediumint unsigned", Kind::MediumIntUnsigned),
    ("int", Kind::Int),
    ("int unsigned", Kind::IntUnsigned),
    ("bigint", Kind::BigInt),
    ("bigint unsigned", Kind::BigIntUnsigned),
    ("decimal", Kind::Decimal),
    ("float", Kind::Float),
    ("double", Kind::Double),
    ("text", Kind::Text),
    ("blob", Kind::Bytes),
    ("date", Kind::Date),
    ("datetime", Kind::DateTime),
    ("timestamp", Kind::Timestamp),
    ("time", Kind::Time),
    ("year", Kind::Year),
    ("bit(1)", Kind::Bit1),
    ("bit", Kind::Bit),
    ("json", Kind::Json),
    ("enum", Kind::Enum),
    ("set", Kind::Set),
    ("geometry", Kind::Geometry),
    ("vector", Kind::Vector),
    ("uuid", Kind::Uuid),
    ("inet4", Kind::Inet4),
    ("inet6", Kind::Inet6),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_that_a_column_can_have_can_be_set() {
        for kind in Kind::ALL {
            let known = KINDS.iter().any(|(_, known)| known == kind);
            assert_eq!(known, *kind != Kind::Null, "{kind}");
        }
    }
}

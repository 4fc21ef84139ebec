//! What columns of other people came to in other libraries: the cases known from the field, each with its whole kind, on every server, prepared and as text.
//! (What only the compiler can show, such as the message for a sum that is asked for as an integer, is in `ui`.)

mod moments;
mod null_bits;
mod numbers;
mod strings;

use std::env;
use std::fmt::Debug;

use ark_mysql::Result;
use ark_mysql_check::describe::describe_with;
use ark_mysql_check::description::{DescribeError, Described};
use ark_mysql_check::generate::default_name;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;
use tests::Database;

/// The types that `query!` gives the columns of a statement, by the server of this database.
#[track_caller]
pub(crate) fn types(database: &Database, sql: &str) -> String {
    let described = described(database, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let columns = described.description.columns.iter().map(|column| {
        let name = default_name(column.kind).replace("ark_mysql::types::", "");
        if column.nullable {
            format!("Option<{name}>")
        } else {
            name
        }
    });
    columns.collect::<Vec<_>>().join(", ")
}

/// What the parameters of a statement stand against, for `query!`: a kind, and which column or what else decides it.
#[track_caller]
pub(crate) fn params(database: &Database, sql: &str) -> String {
    let described = described(database, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let params = described.description.params.iter().map(|param| {
        let against = param.against.as_ref();
        let told = against.map(|against| {
            let usage = format!("{:?}", against.usage).to_lowercase();
            let by = against.column.as_ref().unwrap_or(&usage);
            format!("{:?} {by}", against.kind)
        });
        told.unwrap_or_else(|| "anything".to_owned())
    });
    params.collect::<Vec<_>>().join(", ")
}

/// What `query!` has against a statement.
pub(crate) fn refused(database: &Database, sql: &str) -> Option<String> {
    described(database, sql)
        .err()
        .map(|error| error.to_string())
}

fn described(database: &Database, sql: &str) -> std::result::Result<Described, DescribeError> {
    let folder = env::current_dir().unwrap();
    let url = database.url();
    let settings = Settings::load(&folder, &|name| {
        (name == "DATABASE_URL").then(|| url.clone().into())
    });
    describe_with(&Sql::parse(sql).unwrap(), &settings.unwrap())
}

/// Runs a statement as `query!` would, prepared and as text: `rows!(conn, "SELECT a FROM t WHERE b = ?", [value => kind::Int], [a: i32 = NotNull Int])`.
macro_rules! rows {
    ($conn:expr, $sql:literal, [$($value:expr => $against:ty),*], [$($name:ident: $rust:ty = $null:ident $kind:ident),* $(,)?]) => {{
        use ark_mysql::__private::{
            Column, ColumnSpec, DecodeError, Effect, Kind, NotNull, Nullable, OwnedRows, Prepared, Query, ReturnsRows, Source, Statement, checked, kind,
        };
        #[derive(Clone, Copy)]
        struct Select;
        impl Statement for Select {
            type Row<'r> = ($($rust,)*);
            type Params = ($($against,)*);
            const SQL: &'static str = $sql;
            const DIGEST: u128 = crate::digest($sql);
            const COLUMNS: &'static [ColumnSpec] = &[$(ColumnSpec {
                name: stringify!($name),
                kind: Kind::$kind,
                nullable: matches!(stringify!($null).as_bytes(), b"Nullable"),
                named: false,
            }),*];
            const EFFECT: Effect = Effect::Read;
            fn decode<'r, R: Source<'r>>(row: &mut R) -> std::result::Result<Self::Row<'r>, DecodeError> {
                let mut index = 0..;
                Ok(($(<$rust as Column<'r, $null<kind::$kind>>>::decode(row, index.next().unwrap())?,)*))
            }
        }
        impl ReturnsRows for Select {}
        impl OwnedRows for Select {}
        #[allow(unused_imports, reason = "not every statement has both")]
        use {NotNull as _, Nullable as _};
        let prepared = Query { statement: Select, params: ($(&$value,)*), mode: Prepared, checked: checked(|_| ()) }.fetch_all(&mut $conn).await;
        let text = Query { statement: Select, params: ($(&$value,)*), mode: Prepared, checked: checked(|_| ()) }.text().fetch_all(&mut $conn).await;
        (prepared, text)
    }};
}
pub(crate) use rows;

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

/// Both ways give these rows.
#[track_caller]
pub(crate) fn same<T: Debug + PartialEq>(
    (prepared, text): (Result<Vec<T>>, Result<Vec<T>>),
) -> Vec<T> {
    let (prepared, text) = (prepared.unwrap(), text.unwrap());
    assert_eq!(prepared, text, "prepared and as text");
    prepared
}

/// Both ways fail, with all of these words.
#[track_caller]
pub(crate) fn fails<T: Debug>(both: (Result<Vec<T>>, Result<Vec<T>>), words: &[&str]) {
    for result in [both.0, both.1] {
        let error = result.unwrap_err().to_string();
        for word in words {
            assert!(error.contains(word), "no `{word}` in: {error}");
        }
    }
}

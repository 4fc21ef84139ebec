//! For each SQL type three statements, each with a column or a parameter for every Rust type of the table. Which types go with which is asked of the compiler,
//! as `value::table` does it.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use ark_mysql::__private::{
    ColumnSpec, DecodeError, Effect, EncodeError, Kind, NotNull, OwnedRows, ParamSink, ParamType,
    Params, Prepared, Query, ReturnsRows, Source, Statement, checked, kind,
};
use ark_mysql::types::{
    Date, DateTime, Decimal, Geometry, Json, Time, bigdecimal, jiff, rust_decimal, time, uuid,
};
use ark_mysql::value::{Column, DecodeErrorKind, Encode};
use ark_mysql::{Connection, Result};
use ark_mysql_proto::Wire;
use chrono::Utc;

use crate::canon::Canon;
use crate::rust::Rust;

/// What a column came to in one Rust type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Got {
    /// The type does not read such columns.
    NotRead,
    Null,
    /// What it shows itself as.
    Value(String),
    Refused(DecodeErrorKind),
}

type T = Vec<u8>;

/// Calls a macro with every Rust type: as it is sent, and as it is read from a row that lives for `'r`.
macro_rules! with_types {
    ($then:ident! $first:tt) => {
        $then! { $first
            {bool, bool} {i8, i8} {i16, i16} {i32, i32} {i64, i64} {u8, u8} {u16, u16} {u32, u32} {u64, u64} {f32, f32} {f64, f64}
            {String, String} {&'static str, &'r str} {Cow<'static, str>, Cow<'r, str>} {Box<str>, Box<str>} {Arc<str>, Arc<str>}
            {Vec<u8>, Vec<u8>} {&'static [u8], &'r [u8]} {Cow<'static, [u8]>, Cow<'r, [u8]>} {Box<[u8]>, Box<[u8]>} {Arc<[u8]>, Arc<[u8]>}
            {[u8; 16], [u8; 16]} {Vec<f32>, Vec<f32>} {Ipv4Addr, Ipv4Addr} {Ipv6Addr, Ipv6Addr} {IpAddr, IpAddr}
            {Decimal, Decimal} {Date, Date} {DateTime, DateTime} {Time, Time} {Geometry, Geometry}
            {bigdecimal::BigDecimal, bigdecimal::BigDecimal} {rust_decimal::Decimal, rust_decimal::Decimal}
            {chrono::NaiveDate, chrono::NaiveDate} {chrono::NaiveDateTime, chrono::NaiveDateTime} {chrono::DateTime<Utc>, chrono::DateTime<Utc>}
            {chrono::TimeDelta, chrono::TimeDelta} {chrono::NaiveTime, chrono::NaiveTime}
            {jiff::civil::Date, jiff::civil::Date} {jiff::civil::DateTime, jiff::civil::DateTime} {jiff::Timestamp, jiff::Timestamp}
            {jiff::ZonedDateTime, jiff::ZonedDateTime} {jiff::SignedDuration, jiff::SignedDuration} {jiff::civil::Time, jiff::civil::Time}
            {serde_json::Value, serde_json::Value} {Json<T>, Json<T>}
            {time::Date, time::Date} {time::PrimitiveDateTime, time::PrimitiveDateTime} {time::OffsetDateTime, time::OffsetDateTime}
            {time::Duration, time::Duration} {time::Time, time::Time}
            {uuid::Uuid, uuid::Uuid} {uuid::fmt::Hyphenated, uuid::fmt::Hyphenated} {uuid::fmt::Simple, uuid::fmt::Simple}
        }
    };
}

macro_rules! names {
    (() $({$send:ty, $read:ty})*) => {
        /// The types, in the order of the statements, as the table calls them.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($send)),*];

        /// What each type is to show itself as.
        pub(crate) fn read(canon: &Canon) -> Vec<Option<String>> {
            vec![$(<$send as Rust>::read(canon).map(|value| format!("{value:?}"))),*]
        }

        /// Whether each type has a value that is to be sent for this.
        pub(crate) fn sent(canon: &Canon) -> Vec<bool> {
            vec![$(<$send as Rust>::send(canon).is_some()),*]
        }
    };
}
with_types! { names! () }

/// The kind as a value.
pub(crate) trait Named {
    const KIND: Kind;
}

struct Reader<'r, R, K>(PhantomData<(&'r (), R, K)>);

/// What holds where a type does not read a kind: an associated function of its own would be found first.
trait ReadsNothing<'r> {
    fn read<S: Source<'r>>(row: &mut S, index: usize) -> std::result::Result<Got, DecodeError>;
}

impl<'r, R, K: Named> ReadsNothing<'r> for Reader<'r, R, K> {
    fn read<S: Source<'r>>(row: &mut S, index: usize) -> std::result::Result<Got, DecodeError> {
        if row.is_null(index) {
            return Ok(Got::NotRead);
        }
        match K::KIND.wire() {
            Wire::I8 | Wire::U8 => _ = row.i8(index),
            Wire::I16 | Wire::U16 => _ = row.i16(index),
            Wire::I32 | Wire::U32 => _ = row.i32(index),
            Wire::I64 | Wire::U64 => _ = row.i64(index),
            Wire::F32 => _ = row.f32(index),
            Wire::F64 => _ = row.f64(index),
            Wire::DateTime => _ = row.datetime(index),
            Wire::Time => _ = row.time(index),
            Wire::Decimal | Wire::Text | Wire::Bytes | Wire::Bit | Wire::Null => {
                _ = row.bytes(index)
            }
        }
        Ok(Got::NotRead)
    }
}

impl<'r, R: Column<'r, NotNull<K>> + std::fmt::Debug, K: Named> Reader<'r, R, K> {
    fn read<S: Source<'r>>(row: &mut S, index: usize) -> std::result::Result<Got, DecodeError> {
        if row.is_null(index) {
            return Ok(Got::Null);
        }
        Ok(match R::decode(row, index) {
            Ok(value) => Got::Value(format!("{value:?}")),
            Err(error) if usize::from(error.column) == index => Got::Refused(error.kind),
            Err(error) => return Err(error),
        })
    }
}

struct Sender<R, K>(PhantomData<(R, K)>);

trait SendsNothing {
    const SENDS: bool = false;
    const TYPE: ParamType = ParamType::TEXT;
    fn send<S: ParamSink>(_: Option<&Canon>, out: &mut S) -> std::result::Result<(), EncodeError> {
        out.null()
    }
}

impl<R, K> SendsNothing for Sender<R, K> {}

impl<R: Encode<K> + Rust, K> Sender<R, K> {
    const SENDS: bool = true;
    const TYPE: ParamType = R::TYPE;
    fn send<S: ParamSink>(
        canon: Option<&Canon>,
        out: &mut S,
    ) -> std::result::Result<(), EncodeError> {
        match canon.and_then(R::send) {
            Some(value) => value.encode(out),
            None => out.null(),
        }
    }
}

/// A piece of SQL for each type.
macro_rules! piece {
    ($piece:literal $send:ty) => {
        $piece
    };
}

/// A column of a result for each type.
macro_rules! spec {
    ($name:literal $kind:ident $send:ty) => {
        ColumnSpec {
            name: $name,
            kind: Kind::$kind,
            nullable: true,
            named: true,
        }
    };
}

/// The statement `$name` with its effect, its SQL, its columns, its row and how that is read.
macro_rules! statement {
    ($name:ident $effect:ident $number:literal $sql:expr, $columns:expr, $row_type:ty, |$row:ident| $body:expr) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl Statement for $name {
            type Row<'r> = $row_type;
            type Params = Self;
            const SQL: &'static str = $sql;
            const DIGEST: u128 = $number;
            const COLUMNS: &'static [ColumnSpec] = $columns;
            const EFFECT: Effect = Effect::$effect;

            fn decode<'r, Row: Source<'r>>(
                $row: &mut Row,
            ) -> std::result::Result<$row_type, DecodeError> {
                $body
            }
        }

        impl ReturnsRows for $name {}
        impl OwnedRows for $name {}
    };
}

/// The parameters of `$statement`: what each type makes of a value that stands against `$kind`, and behind or in front of them the row's number.
macro_rules! parameters {
    ($statement:ident $kind:ty, $({$send:ty})*) => {
        struct Values<'c>(u32, Option<&'c Canon>);

        impl Params<$statement> for Values<'_> {
            const TYPES: &'static [ParamType] = &[$(<Sender<$send, $kind>>::TYPE,)* ParamType::U32];

            fn encode<S: ParamSink>(&self, out: &mut S) -> std::result::Result<(), EncodeError> {
                $(<Sender<$send, $kind>>::send(self.1, out)?;)*
                out.u32(self.0)
            }
        }
    };
}

macro_rules! run {
    ($statement:expr, $params:expr, $text:ident, $how:ident, $conn:ident) => {{
        let query = Query {
            statement: $statement,
            params: $params,
            mode: Prepared,
            checked: checked(|_| ()),
        };
        match $text {
            true => query.text().$how(&mut *$conn).await,
            false => query.$how(&mut *$conn).await,
        }
    }};
}

macro_rules! of_kind {
    (($kind:ident) $({$send:ty, $read:ty})*) => {
        #[expect(non_snake_case, reason = "called like the SQL type")]
        pub(crate) mod $kind {
            use crate::statements::*;

            impl Named for kind::$kind {
                const KIND: Kind = Kind::$kind;
            }

            pub(crate) const STORES: &[bool] = &[$(<Sender<$send, NotNull<kind::$kind>>>::SENDS),*];
            pub(crate) const COMPARES: &[bool] = &[$(<Sender<$send, kind::$kind>>::SENDS),*];

            /// Reads all rows of `c`, in the order of their numbers.
            pub(crate) async fn read(conn: &mut Connection, text: bool) -> Result<Vec<Vec<Got>>> {
                const SQL: &str = concat!("SELECT v", $(piece!(", v" $send),)* " FROM c ORDER BY id");
                const COLUMNS: &[ColumnSpec] = &[spec!("v" $kind bool), $(spec!("v" $kind $send)),*];
                statement! { Read Read 1 SQL, COLUMNS, Vec<Got>, |row| {
                    <Reader<'_, (), kind::$kind> as ReadsNothing<'_>>::read(row, 0)?;
                    let mut index = 1..;
                    Ok(vec![$(<Reader<'_, $read, kind::$kind>>::read(row, index.next().unwrap())?),*])
                } }
                struct Nothing;
                impl Params<Read> for Nothing {
                    const TYPES: &'static [ParamType] = &[];
                    fn encode<S: ParamSink>(&self, _: &mut S) -> std::result::Result<(), EncodeError> {
                        Ok(())
                    }
                }
                run!(Read, Nothing, text, fetch_all, conn)
            }

            /// Puts a row into `w`: in the first columns what each type sends.
            pub(crate) async fn store(conn: &mut Connection, id: u32, canon: Option<&Canon>, text: bool) -> Result<()> {
                const SQL: &str = concat!("INSERT INTO w VALUES (", $(piece!("?, " $send),)* "?)");
                statement! { Store Write 2 SQL, &[], (), |_row| Ok(()) }
                parameters! { Store NotNull<kind::$kind>, $({$send})* }
                run!(Store, Values(id, canon), text, execute, conn)?;
                Ok(())
            }

            /// Compares the value of a row of `c` with what each type sends.
            pub(crate) async fn compare(conn: &mut Connection, id: u32, canon: Option<&Canon>, text: bool) -> Result<Vec<Option<i64>>> {
                const SQL: &str = concat!("SELECT ", $(piece!("v = ? AS r, " $send),)* "id FROM c WHERE id = ?");
                const COLUMNS: &[ColumnSpec] = &[$(spec!("r" BigInt $send),)* spec!("id" IntUnsigned bool)];
                statement! { Compare Read 3 SQL, COLUMNS, Vec<Option<i64>>, |row| {
                    let mut all = Vec::new();
                    for index in 0..NAMES.len() {
                        all.push(<Option<i64> as Column<'r, NotNull<kind::BigInt>>>::decode(row, index)?);
                    }
                    <u32 as Column<'r, NotNull<kind::IntUnsigned>>>::decode(row, NAMES.len())?;
                    Ok(all)
                } }
                parameters! { Compare kind::$kind, $({$send})* }
                run!(Compare, Values(id, canon), text, fetch_one, conn)
            }
        }
    };
}

macro_rules! kinds {
    ($($kind:ident)*) => {
        /// A module for each kind.
        mod of {
            $(with_types! { of_kind! ($kind) })*
        }

        /// Which types the compiler stores in columns of this kind, and which it compares with them.
        pub(crate) fn sends(kind: Kind) -> (&'static [bool], &'static [bool]) {
            match kind {
                $(Kind::$kind => (of::$kind::STORES, of::$kind::COMPARES),)*
                other => panic!("{other}"),
            }
        }

        pub(crate) async fn read_all(kind: Kind, conn: &mut Connection, text: bool) -> Result<Vec<Vec<Got>>> {
            match kind {
                $(Kind::$kind => of::$kind::read(conn, text).await,)*
                other => panic!("{other}"),
            }
        }

        pub(crate) async fn store(kind: Kind, conn: &mut Connection, id: u32, canon: Option<&Canon>, text: bool) -> Result<()> {
            match kind {
                $(Kind::$kind => of::$kind::store(conn, id, canon, text).await,)*
                other => panic!("{other}"),
            }
        }

        pub(crate) async fn compare(kind: Kind, conn: &mut Connection, id: u32, canon: Option<&Canon>, text: bool) -> Result<Vec<Option<i64>>> {
            match kind {
                $(Kind::$kind => of::$kind::compare(conn, id, canon, text).await,)*
                other => panic!("{other}"),
            }
        }
    };
}

kinds! {
    TinyInt TinyIntUnsigned Bool SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned
    Float Double Decimal Text Bytes Date DateTime Timestamp Time Year Bit1 Bit Json Enum Set Geometry Vector Uuid Inet4 Inet6
}

//! Values: which Rust type holds which SQL type, and how it is read and sent.
//!
//! # Reading
//!
//! | SQL | Rust, the default first |
//! |---|---|
//! | `TINYINT` … `BIGINT` | `i8` … `i64`; wider signed integers too |
//! | `TINYINT UNSIGNED` … `BIGINT UNSIGNED` | `u8` … `u64`; wider integers of both signs too |
//! | `BOOL` (`TINYINT(1)`) | `bool`, an error unless 0 or 1; `i8` … `i64` |
//! | computed integers | `i64`; `bool` where you ask for it (`AS "paid: bool"`), an error unless 0 or 1 |
//! | `FLOAT` | `f32`, `f64` |
//! | `DOUBLE` | `f64` |
//! | `DECIMAL` | [`Decimal`](crate::types::Decimal), exact; `rust_decimal::Decimal`, an error beyond its 28 digits; `bigdecimal::BigDecimal` |
//! | `CHAR`, `VARCHAR`, `TEXT`, `ENUM`, `SET` | `String`, `&str`, `Cow<str>`, `Box<str>`, `Arc<str>` |
//! | `BINARY`, `VARBINARY`, `BLOB` | `Vec<u8>`, `&[u8]`, `Cow<[u8]>`, `Box<[u8]>`, `Arc<[u8]>`, `[u8; N]` of just that length |
//! | `DATE` | `chrono::NaiveDate`; `time::Date`; `jiff::civil::Date`; [`types::Date`](crate::types::Date) holds zero dates |
//! | `DATETIME` | `chrono::NaiveDateTime`; `time::PrimitiveDateTime`; `jiff::civil::DateTime`; [`types::DateTime`](crate::types::DateTime) holds zero dates |
//! | `TIMESTAMP` | `chrono::DateTime<Utc>`; `time::OffsetDateTime`; `jiff::Timestamp`; what DATETIME has (in UTC), [`types::DateTime`](crate::types::DateTime) |
//! | `TIME` | [`types::Time`](crate::types::Time); `chrono::TimeDelta`; `chrono::NaiveTime`, an error outside of a day; the same of `time` and `jiff` |
//! | `YEAR` | `u16`; `u32`, `u64`, `i32`, `i64` |
//! | `BIT(1)` | `bool`, `u64` |
//! | `BIT(n)` | `u64` |
//! | `JSON` | `serde_json::Value`; [`Json<T>`](crate::types::Json); `String`, `&str` and the other text types |
//! | `GEOMETRY` | [`types::Geometry`](crate::types::Geometry), `Vec<u8>` |
//! | `VECTOR` | `Vec<f32>`, `Vec<u8>` |
//! | MariaDB `INET4`, `INET6` | `Ipv4Addr`, `Ipv6Addr`; `IpAddr`; `String` and the other text types |
//! | MariaDB `UUID` | `String` and the other text types; `uuid::Uuid` |
//! | `BINARY(16)`, `CHAR(36)` | `uuid::Uuid`, too; addresses of as many bytes, or as text |
//! | any of them, nullable | `Option` of it |
//!
//! There are no narrowing conversions: nothing that is read loses a bit. Zero dates are an error in the types of chrono, time and jiff, never a silent `None`.
//!
//! The types of `time`, `jiff`, `uuid`, `rust_decimal` and `bigdecimal` come with the feature of that name; those of `chrono` and `serde_json` are there by default. A feature adds
//! types that can be asked for, and changes none: what a column becomes by itself is the same in every build. So MariaDB's `UUID` is a `String` until an
//! alias or a field asks for a `Uuid`.
//!
//! # Sending
//!
//! The same types, and references, `Option`, `Box`, `Arc`, `Rc`, `Cow` of them. `query!` knows what each parameter stands against, and takes
//! what goes with it:
//!
//! * compared with a column (`=`, `<`, `IN`, `BETWEEN`, `LIKE`), a parameter is of the column's class: every integer, float and `Decimal` with a number, text
//!   with text and ENUM, bytes with bytes, dates with dates. An `Option` may be compared; a `NULL` is equal to nothing, but for `<=>`.
//! * stored in a column (`INSERT`, `SET column = ?`), it is of a type of which the column holds every value: an `i32` goes into a BIGINT, an `i64` not into an INT.
//!   An `Option` goes into a column that may be NULL or counts by itself, and into no other.
//! * An enum or a set of flags goes to an ENUM or SET column, compared or stored, that has each of its labels.
//! * A column whose type is set in `ark-mysql.toml` takes that type: see [the guide](crate::guide::overrides).
//! * `LIMIT ?` takes unsigned integers.
//! * A literal without a type (`1`, `1.5`) takes the column's, and one that is out of range does not compile.
//!
//! What another type is meant for is said in the SQL: the argument of `CAST(? AS CHAR)` and the like is not checked. Neither is what stands against nothing that
//! is known: arguments of most functions, `SELECT ?`, JSON in comparisons, columns of tables that the user of `DATABASE_URL` may not read, and statements
//! that are not understood. The file in `.ark-mysql` says of each parameter what it was found to stand against; `null` is not checked.
//!
//! A `Uuid` and an IP address are text in some columns and bytes in others, and go as what they are compared with or stored in; where that is not known,
//! say which: `id.hyphenated()` or `id.as_bytes()`, `address.to_string()` or `address.octets()`.
//!
//! Only wire types that all servers understand are used; a `None` carries its type
//! with it. What SQL cannot hold (NaN, the year 10000, a `TIME` of 839 hours) is an error before anything is sent.
//!
//! # Types of your own
//!
//! [`derive(Type)`](macro@crate::Type) makes newtypes, enums and flags that columns are read into and that can be sent. What it writes can be
//! written by hand as well: a type that stands for another one reads and sends whatever that one does; a type with names reads any text.
//!
//! ```
//! use ark_mysql::value::{Column, DecodeError, DecodeErrorKind, Encode, EncodeError, ParamSink, ParamType, Source};
//!
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! struct UserId(u64);
//!
//! impl<'r, C> Column<'r, C> for UserId
//! where
//!     u64: Column<'r, C>,
//! {
//!     fn decode<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError> {
//!         u64::decode(row, index).map(UserId)
//!     }
//! }
//!
//! impl<K> Encode<K> for UserId
//! where
//!     u64: Encode<K>,
//! {
//!     const TYPE: ParamType = <u64 as Encode<K>>::TYPE;
//!     fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
//!         Encode::<K>::encode(&self.0, out)
//!     }
//! }
//!
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! enum Status {
//!     Open,
//!     Shipped,
//! }
//!
//! impl<'r, C> Column<'r, C> for Status
//! where
//!     &'r str: Column<'r, C>,
//! {
//!     fn decode<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError> {
//!         match <&str>::decode(row, index)? {
//!             "open" => Ok(Status::Open),
//!             "shipped" => Ok(Status::Shipped),
//!             _ => Err(DecodeErrorKind::UnknownLabel.at(index)),
//!         }
//!     }
//! }
//! ```
//!
//! `query_as!` takes them as the types of fields, `query!` in an alias: ``SELECT id AS `id: UserId` `` …

mod addresses;
#[cfg(feature = "bigdecimal")]
mod bigdecimal_04;
mod boolean;
mod bytes;
#[cfg(feature = "chrono")]
mod chrono_04;
mod forms;
mod integers;
#[cfg(feature = "jiff")]
mod jiff_1;
#[cfg(feature = "json")]
mod json;
pub mod kind;
pub(crate) mod labels;
pub(crate) mod layout;
mod list;
mod null;
mod numbers;
mod own_columns;
mod own_row;
mod params;
mod pointers;
mod rows;
#[cfg(feature = "rust_decimal")]
mod rust_decimal_1;
mod spatial;
mod statement;
#[doc(hidden)]
pub mod table;
mod temporal;
mod text;
#[cfg(feature = "time")]
mod time_03;
#[cfg(feature = "uuid")]
mod uuid_1;

use std::marker::PhantomData;

pub use ark_mysql_proto::{
    DecodeError, DecodeErrorKind, EncodeError, Kind, ParamSink, ParamType, Source,
};

pub use forms::{Form, FormOf};
pub use integers::Integer;
pub use layout::{Difference, Layout, Plan, compare};
pub(crate) use layout::{is_readable, is_unchanged, same_name};
pub(crate) use list::WithLists;
pub use list::{Each, Element, List, One, Spread, each, spread, way};
pub use own_columns::{OwnColumns, OwnKind, column_specs};
pub use own_row::{Own, OwnRow, Owned, Parts, clone_row, debug_row, same_rows};
pub use params::{Chain, Params};
pub use rows::RowValues;
#[doc(hidden)]
pub use rows::{CheckedRows, IsRow, checked_rows};
pub use statement::{
    ColumnSpec, Effect, ListPlace, OwnedRows, Repeats, ReturnsRows, Statement, StatementKey, Told,
    depends_on,
};

/// A column of kind `K` that is never NULL.
#[derive(Clone, Copy, Debug)]
pub struct NotNull<K>(PhantomData<K>);

/// A column of kind `K` that may be NULL.
#[derive(Clone, Copy, Debug)]
pub struct Nullable<K>(PhantomData<K>);

/// A type that holds every value of a column `C`: [`NotNull`] or [`Nullable`] of a [`kind`].
pub trait Column<'r, C>: Sized {
    /// Reads the next value of the row, which is that of column `index`.
    ///
    /// # Errors
    /// The value is not one of its kind, or the type cannot hold it.
    fn decode<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError>;
}

impl<'r, T, K> Column<'r, NotNull<K>> for Option<T>
where
    T: Column<'r, NotNull<K>>,
{
    #[inline]
    fn decode<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError> {
        if row.is_null(index) {
            Ok(None)
        } else {
            T::decode(row, index).map(Some)
        }
    }
}

impl<'r, T, K> Column<'r, Nullable<K>> for Option<T>
where
    T: Column<'r, NotNull<K>>,
{
    #[inline]
    fn decode<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError> {
        if row.is_null(index) {
            Ok(None)
        } else {
            T::decode(row, index).map(Some)
        }
    }
}

/// A value that can be sent for a parameter of kind `K`, which says what stands against it in the SQL:
///
/// | `K` | where the parameter stands | what it takes |
/// |---|---|---|
/// | a [`kind`], such as `kind::Int` | `column = ?`, `IN (?)`, `BETWEEN`, `LIKE` | what can be compared with the column: any integer with an integer |
/// | `NotNull<kind::Int>` | `INSERT`, `SET column = ?`; the column is NOT NULL | types of which the column holds every value |
/// | `Nullable<kind::Int>` | the same; the column may be NULL | these, and `Option`s of them |
/// | [`kind::Limit`] | `LIMIT ?`, `OFFSET ?` | unsigned integers |
/// | [`kind::Any`] | anywhere else | every value |
///
/// A type of your own that stands for another one goes wherever that one does: see [the module's page](self#types-of-your-own).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sent as a parameter of an SQL statement",
    label = "this parameter is a `{Self}`",
    note = "integers of up to 64 bits, floats, `Decimal`, `bool`, text, bytes, dates, times and JSON can be sent, and `Option`s of and references to them",
    note = "for a `usize`, `isize` or `i128`, choose the width that the column has: `i64::try_from(n)?`; for an enum or a newtype there is `#[derive(ark_mysql::Type)]`",
    note = "a list such as a `Vec<i32>` is spread into an `IN (?)` by two dots: `..ids`",
    note = "a `Uuid` or an IP address is text in some columns and bytes in others: where it stands against nothing that is known, give `id.hyphenated()` or `id.as_bytes()`, `address.to_string()` or `address.octets()`"
)]
pub trait Encode<K> {
    /// The type that is announced for it; a NULL has it too.
    const TYPE: ParamType;

    /// Writes the value.
    ///
    /// # Errors
    /// SQL cannot hold this value. Nothing was sent.
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError>;

    /// For generated code: names the trait, so that what lacks it is told where it stands.
    #[doc(hidden)]
    #[inline]
    fn is_sendable(&self) {}
}

/// A kind of parameter that takes values of the type `T`. Types of your own implement [`Encode`] by way of a type that has it.
pub trait Takes<T: ?Sized> {}

/// A kind of parameter that takes NULL: all but [`NotNull`] and [`kind::Limit`].
pub trait TakesNull {}

impl<K> TakesNull for Nullable<K> {}

/// Implements [`Encode`] for a type by one expression, for the kinds that it goes with: those that hold all of its values, and after
/// `compared` those that it is only compared with.
macro_rules! encode {
    (@impl {$($generics:tt)*} $rust:ty, $wire:ident, $value:ident, $out:ident, $body:expr) => {
        #[diagnostic::do_not_recommend]
        impl<ArkKind, $($generics)*> $crate::value::Encode<ArkKind> for $rust
        where
            ArkKind: $crate::value::Takes<$rust>,
        {
            const TYPE: ark_mysql_proto::ParamType = ark_mysql_proto::ParamType::$wire;

            #[inline]
            fn encode<S: ark_mysql_proto::ParamSink>(&self, $out: &mut S) -> Result<(), ark_mysql_proto::EncodeError> {
                let $value = self;
                $body
            }
        }
        impl<$($generics)*> $crate::value::Takes<$rust> for $crate::value::kind::Any {}
    };
    (@kinds $generics:tt $rust:ty, {$($stored:ident)*} {$($compared:ident)*}) => {
        $(encode!(@stored $generics $rust, $stored);)*
        $(encode!(@compared $generics $rust, $compared);)*
    };
    (@stored {$($generics:tt)*} $rust:ty, $kind:ident) => {
        encode!(@compared {$($generics)*} $rust, $kind);
        impl<$($generics)*> $crate::value::Takes<$rust> for $crate::value::NotNull<$crate::value::kind::$kind> {}
        impl<$($generics)*> $crate::value::Takes<$rust> for $crate::value::Nullable<$crate::value::kind::$kind> {}
    };
    (@compared {$($generics:tt)*} $rust:ty, $kind:ident) => {
        impl<$($generics)*> $crate::value::Takes<$rust> for $crate::value::kind::$kind {}
    };
    (for $generics:tt $rust:ty as $wire:ident for Any $($stored:ident)* $(, compared $($compared:ident)*)?: |$value:ident, $out:ident| $body:expr) => {
        encode!(@impl $generics $rust, $wire, $value, $out, $body);
        encode!(@kinds $generics $rust, {$($stored)*} {$($($compared)*)?});
    };
    ($rust:ty as $wire:ident for Any $($stored:ident)* $(, compared $($compared:ident)*)?: |$value:ident, $out:ident| $body:expr) => {
        encode!(for {} $rust as $wire for Any $($stored)* $(, compared $($compared)*)?: |$value, $out| $body);
    };
}
use encode;

/// Implements [`Column`] for a type and some kinds, never NULL, by one expression.
macro_rules! decode {
    (@one {$($generics:tt)*} $rust:ty, $kind:ident, $row:ident, $index:ident, $body:expr) => {
        impl<'r, $($generics)*> $crate::value::Column<'r, $crate::value::NotNull<$crate::value::kind::$kind>> for $rust {
            #[inline]
            fn decode<S: ark_mysql_proto::Source<'r>>($row: &mut S, $index: usize) -> Result<Self, ark_mysql_proto::DecodeError> {
                $body
            }
        }
    };
    (for $generics:tt $rust:ty: $($kind:ident)*: |$row:ident, $index:ident| $body:expr) => {
        $(decode!(@one $generics $rust, $kind, $row, $index, $body);)*
    };
    ($rust:ty: $($kind:ident)*: |$row:ident, $index:ident| $body:expr) => {
        $(decode!(@one {} $rust, $kind, $row, $index, $body);)*
    };
}
use decode;

#[cfg(test)]
mod tests;

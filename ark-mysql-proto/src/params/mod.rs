//! Parameters: one trait that takes values in order, and its two writers, for EXECUTE packets and for SQL literals.

mod batch;
mod binary;
mod error;
mod literal;
mod splice;

pub use batch::{Batch, BatchWriter};
pub use binary::{ParamWriter, write_bytes};
pub use error::{EncodeError, EncodeErrorKind};
pub use literal::LiteralWriter;
pub use splice::{SpliceError, placeholders, splice};

use crate::column_type::ColumnType;
use crate::temporal::{Date, DateTime, Time};

/// The type of a parameter as EXECUTE announces it: a type code, and 0x8000 for unsigned.
///
/// Only types that every server takes in are on the list: MySQL refuses INT24, YEAR, BIT and GEOMETRY, MariaDB stores NULL for them without a word; JSON and
/// ENUM are refused by one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParamType(u16);

const UNSIGNED: u16 = 0x8000;

impl ParamType {
    /// TINYINT and BOOL.
    pub const I8: Self = Self::of(ColumnType::TINY);
    /// TINYINT UNSIGNED.
    pub const U8: Self = Self::unsigned(ColumnType::TINY);
    /// SMALLINT.
    pub const I16: Self = Self::of(ColumnType::SHORT);
    /// SMALLINT UNSIGNED, YEAR.
    pub const U16: Self = Self::unsigned(ColumnType::SHORT);
    /// INT, MEDIUMINT.
    pub const I32: Self = Self::of(ColumnType::LONG);
    /// INT UNSIGNED, MEDIUMINT UNSIGNED.
    pub const U32: Self = Self::unsigned(ColumnType::LONG);
    /// BIGINT.
    pub const I64: Self = Self::of(ColumnType::LONGLONG);
    /// BIGINT UNSIGNED, BIT.
    pub const U64: Self = Self::unsigned(ColumnType::LONGLONG);
    /// FLOAT.
    pub const F32: Self = Self::of(ColumnType::FLOAT);
    /// DOUBLE.
    pub const F64: Self = Self::of(ColumnType::DOUBLE);
    /// DECIMAL, as text.
    pub const DECIMAL: Self = Self::of(ColumnType::NEWDECIMAL);
    /// Text of all sorts, JSON too.
    pub const TEXT: Self = Self::of(ColumnType::VAR_STRING);
    /// Bytes of all sorts, geometry too.
    pub const BYTES: Self = Self::of(ColumnType::BLOB);
    /// DATE.
    pub const DATE: Self = Self::of(ColumnType::DATE);
    /// DATETIME and TIMESTAMP.
    pub const DATETIME: Self = Self::of(ColumnType::DATETIME);
    /// TIME.
    pub const TIME: Self = Self::of(ColumnType::TIME);

    const fn of(column_type: ColumnType) -> Self {
        Self(u16::from_le_bytes([column_type.0, 0]))
    }

    const fn unsigned(column_type: ColumnType) -> Self {
        Self(Self::of(column_type).0 | UNSIGNED)
    }

    /// The two bytes of the types block.
    pub const fn code(self) -> u16 {
        self.0
    }
}

/// Takes the parameters of one statement from left to right, one call for each.
///
/// A value goes in by the method of its announced [`ParamType`], or by [`null`](Self::null).
pub trait ParamSink {
    /// NULL; its announced type stays that of the values, or MySQL would give the statement another meaning.
    fn null(&mut self) -> Result<(), EncodeError>;
    /// TINYINT.
    fn i8(&mut self, value: i8) -> Result<(), EncodeError>;
    /// SMALLINT.
    fn i16(&mut self, value: i16) -> Result<(), EncodeError>;
    /// INT.
    fn i32(&mut self, value: i32) -> Result<(), EncodeError>;
    /// BIGINT.
    fn i64(&mut self, value: i64) -> Result<(), EncodeError>;
    /// TINYINT UNSIGNED.
    fn u8(&mut self, value: u8) -> Result<(), EncodeError>;
    /// SMALLINT UNSIGNED.
    fn u16(&mut self, value: u16) -> Result<(), EncodeError>;
    /// INT UNSIGNED.
    fn u32(&mut self, value: u32) -> Result<(), EncodeError>;
    /// BIGINT UNSIGNED.
    fn u64(&mut self, value: u64) -> Result<(), EncodeError>;
    /// FLOAT; NaN and infinities are errors: SQL has none.
    fn f32(&mut self, value: f32) -> Result<(), EncodeError>;
    /// DOUBLE; NaN and infinities are errors: SQL has none.
    fn f64(&mut self, value: f64) -> Result<(), EncodeError>;
    /// Text.
    fn text(&mut self, value: &str) -> Result<(), EncodeError>;
    /// Bytes.
    fn bytes(&mut self, value: &[u8]) -> Result<(), EncodeError>;
    /// DECIMAL: sign, digits, point; anything else is an error.
    fn decimal(&mut self, value: &str) -> Result<(), EncodeError>;
    /// DATE.
    fn date(&mut self, value: Date) -> Result<(), EncodeError>;
    /// DATETIME and TIMESTAMP.
    fn datetime(&mut self, value: DateTime) -> Result<(), EncodeError>;
    /// TIME.
    fn time(&mut self, value: Time) -> Result<(), EncodeError>;

    /// An error at the parameter that comes next, for values that find out by themselves that they cannot be sent.
    fn error(&self, kind: EncodeErrorKind) -> EncodeError;
}

#[cfg(test)]
mod tests;

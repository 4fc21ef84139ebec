//! Rows: one trait that hands out values in order, and its two readers, for the binary and for the text protocol.

mod begun;
mod binary;
mod error;
mod lenenc;
mod text;
mod text_temporal;

pub use begun::BegunRow;
pub use binary::RowReader;
pub use error::{DecodeError, DecodeErrorKind};
pub use text::TextRow;

use crate::temporal::{Date, DateTime, Time};

/// Hands out the values of one row from left to right.
///
/// Every method but [`expect_not_null`](Self::expect_not_null) moves past the value that it returns, so each column is read exactly once, in order, with
/// the method that its kind has on the wire ([`Kind::wire`](crate::kind::Kind::wire)). `index` is the column's position: constants in generated code, so
/// that the NULL test becomes one constant mask; errors carry it.
pub trait Source<'r> {
    /// Fails when one of the columns in `mask` is NULL. Column i is bit `(i + 2) % 8` of byte `(i + 2) / 8`, as in the row itself.
    /// Text rows have no bitmap: there each read fails by itself.
    ///
    /// # Errors
    /// `UnexpectedNull` for the first such column.
    fn expect_not_null(&mut self, mask: &'static [u8]) -> Result<(), DecodeError>;

    /// Tells whether the next value is NULL; if so, moves past it.
    fn is_null(&mut self, index: usize) -> bool;

    /// TINYINT.
    fn i8(&mut self, index: usize) -> Result<i8, DecodeError>;
    /// SMALLINT.
    fn i16(&mut self, index: usize) -> Result<i16, DecodeError>;
    /// INT and MEDIUMINT.
    fn i32(&mut self, index: usize) -> Result<i32, DecodeError>;
    /// BIGINT.
    fn i64(&mut self, index: usize) -> Result<i64, DecodeError>;
    /// TINYINT UNSIGNED.
    fn u8(&mut self, index: usize) -> Result<u8, DecodeError>;
    /// SMALLINT UNSIGNED and YEAR.
    fn u16(&mut self, index: usize) -> Result<u16, DecodeError>;
    /// INT UNSIGNED and MEDIUMINT UNSIGNED.
    fn u32(&mut self, index: usize) -> Result<u32, DecodeError>;
    /// BIGINT UNSIGNED.
    fn u64(&mut self, index: usize) -> Result<u64, DecodeError>;
    /// FLOAT. The text protocol has only six digits of it.
    fn f32(&mut self, index: usize) -> Result<f32, DecodeError>;
    /// DOUBLE.
    fn f64(&mut self, index: usize) -> Result<f64, DecodeError>;
    /// Strings, bytes, DECIMAL (as text), BIT (big-endian), JSON (as text), GEOMETRY, VECTOR.
    fn bytes(&mut self, index: usize) -> Result<&'r [u8], DecodeError>;
    /// The same, checked to be UTF-8.
    fn str(&mut self, index: usize) -> Result<&'r str, DecodeError>;
    /// DATE; a DATETIME too, as long as it is midnight.
    fn date(&mut self, index: usize) -> Result<Date, DecodeError>;
    /// DATETIME and TIMESTAMP; a DATE is its midnight.
    fn datetime(&mut self, index: usize) -> Result<DateTime, DecodeError>;
    /// TIME.
    fn time(&mut self, index: usize) -> Result<Time, DecodeError>;

    /// Insists that every byte was read.
    ///
    /// # Errors
    /// `TrailingBytes`.
    fn finish(&self) -> Result<(), DecodeError>;
}

#[cfg(test)]
mod tests;

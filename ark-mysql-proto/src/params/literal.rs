use std::fmt::{self, Write};

use super::binary::is_decimal;
use super::{EncodeError, EncodeErrorKind, ParamSink};
use crate::temporal::{Date, DateTime, Time};

/// Writes parameters as SQL literals into the gaps of a statement, for the text protocol.
///
/// Strings and bytes become hexadecimal literals, so there is nothing to escape and no sql_mode or character set that could read them otherwise.
///
/// ```
/// use ark_mysql_proto::params::{LiteralWriter, ParamSink};
///
/// let sql = "SELECT ?, 'why?', ?";
/// let mut writer = LiteralWriter::new(sql)?;
/// writer.i32(-1)?;
/// writer.text("é")?;
/// assert_eq!(writer.finish()?, "SELECT -1, 'why?', _utf8mb4 X'C3A9'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiteralWriter<'s> {
    out: String,
    /// The statement's text between the placeholders, what was written already taken off.
    pieces: std::vec::IntoIter<&'s str>,
    expected: usize,
    position: usize,
}

impl<'s> LiteralWriter<'s> {
    /// Finds the placeholders of a statement and writes its text up to the first of them.
    ///
    /// # Errors
    /// A quote or a comment that does not end.
    pub fn new(sql: &'s str) -> Result<Self, super::SpliceError> {
        let mut pieces = super::splice::pieces(sql)?.into_iter();
        let out = pieces.next().unwrap_or_default().to_owned();
        Ok(Self {
            out,
            expected: pieces.len(),
            pieces,
            position: 0,
        })
    }

    /// The statement with all its values.
    ///
    /// # Errors
    /// `Count` when fewer values came than there are placeholders.
    pub fn finish(self) -> Result<String, EncodeError> {
        if self.position == self.expected {
            Ok(self.out)
        } else {
            Err(self.miscounted())
        }
    }

    #[cold]
    fn miscounted(&self) -> EncodeError {
        EncodeErrorKind::Count {
            expected: u16::try_from(self.expected).unwrap_or(u16::MAX),
        }
        .at(self.position)
    }

    fn literal(&mut self, value: fmt::Arguments<'_>) -> Result<(), EncodeError> {
        self.position += 1;
        let Some(piece) = self.pieces.next() else {
            return Err(self.miscounted());
        };
        if self.out.ends_with(melts) {
            self.out.push(' ');
        }
        self.out
            .write_fmt(value)
            .expect("writing to a String cannot fail");
        if piece.starts_with(melts) {
            self.out.push(' ');
        }
        self.out.push_str(piece);
        Ok(())
    }

    fn fits(&self, value: &[u8]) -> Result<(), EncodeError> {
        EncodeErrorKind::of_length(value.len()).map_err(|kind| self.error(kind))
    }

    /// An integer; a negative one stands in brackets where its sign would form a comment or another operator.
    fn integer(&mut self, value: i128) -> Result<(), EncodeError> {
        if value < 0 && self.out.ends_with('-') {
            return self.literal(format_args!("({value})"));
        }
        self.literal(format_args!("{value}"))
    }
}

impl ParamSink for LiteralWriter<'_> {
    fn null(&mut self) -> Result<(), EncodeError> {
        self.literal(format_args!("NULL"))
    }

    fn i8(&mut self, value: i8) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn i16(&mut self, value: i16) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn i32(&mut self, value: i32) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn i64(&mut self, value: i64) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn u8(&mut self, value: u8) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn u16(&mut self, value: u16) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn u32(&mut self, value: u32) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    fn u64(&mut self, value: u64) -> Result<(), EncodeError> {
        self.integer(value.into())
    }

    /// Through f64, because SQL reads every approximate literal as a DOUBLE, as EXECUTE does with a FLOAT.
    fn f32(&mut self, value: f32) -> Result<(), EncodeError> {
        self.f64(value.into())
    }

    /// Always with an exponent: without one the literal would be a DECIMAL.
    fn f64(&mut self, value: f64) -> Result<(), EncodeError> {
        if !value.is_finite() {
            return Err(self.error(EncodeErrorKind::NotFinite));
        }
        if value.is_sign_negative() && self.out.ends_with('-') {
            return self.literal(format_args!("({value:e})"));
        }
        self.literal(format_args!("{value:e}"))
    }

    fn text(&mut self, value: &str) -> Result<(), EncodeError> {
        self.fits(value.as_bytes())?;
        self.literal(format_args!("_utf8mb4 X'{}'", Hex(value.as_bytes())))
    }

    /// With its introducer: alone, X'…' is text of the connection's character set to MariaDB's INSERT checks and a number to arithmetics.
    fn bytes(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        self.fits(value)?;
        self.literal(format_args!("_binary X'{}'", Hex(value)))
    }

    fn decimal(&mut self, value: &str) -> Result<(), EncodeError> {
        self.fits(value.as_bytes())?;
        if !is_decimal(value) {
            return Err(self.error(EncodeErrorKind::InvalidDecimal));
        }
        // A literal without a point would be an integer; a zero behind it would be another scale, and the 66th digit of the longest ones.
        let point = if value.contains('.') { "" } else { "." };
        if value.starts_with('-') && self.out.ends_with('-') {
            return self.literal(format_args!("({value}{point})"));
        }
        self.literal(format_args!("{value}{point}"))
    }

    /// Typed, so that it is no text to the functions that it is given to; what typed literals refuse (zero dates, the 31st of February) goes in quotes alone.
    fn date(&mut self, value: Date) -> Result<(), EncodeError> {
        let kind = if value.is_calendar_day() { "DATE" } else { "" };
        self.literal(format_args!("{kind}'{value}'"))
    }

    fn datetime(&mut self, value: DateTime) -> Result<(), EncodeError> {
        let kind = if value.date().is_calendar_day() {
            "TIMESTAMP"
        } else {
            ""
        };
        self.literal(format_args!("{kind}'{value}'"))
    }

    /// MySQL has no literals of 838 hours with microseconds.
    fn time(&mut self, value: Time) -> Result<(), EncodeError> {
        let kind = if value.hours() < 838 { "TIME" } else { "" };
        self.literal(format_args!("{kind}'{value}'"))
    }

    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        kind.at(self.position)
    }
}

/// Whether a literal beside it would become one token with it: a `?` is a token of its own, so `SELECT?AS a` is a statement.
fn melts(neighbour: char) -> bool {
    neighbour.is_ascii_alphanumeric()
        || !neighbour.is_ascii()
        || matches!(neighbour, '_' | '$' | '.' | '@' | '\'' | '"' | '`')
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

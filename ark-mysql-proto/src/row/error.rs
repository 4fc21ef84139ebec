use std::fmt;

/// A value that could not be read: which column of the row, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Position of the column, from 0.
    pub column: u16,
    /// What was wrong with it.
    pub kind: DecodeErrorKind,
}

impl DecodeError {
    /// An error at a column.
    #[cold]
    pub fn new(column: usize, kind: DecodeErrorKind) -> Self {
        Self {
            column: u16::try_from(column).unwrap_or(u16::MAX),
            kind,
        }
    }
}

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The row ends inside the value.
    Truncated,
    /// NULL where the statement's columns say that none can come.
    UnexpectedNull,
    /// A value where the statement's column was `NULL` of no type.
    UnexpectedValue,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// A number, a date or a time that the type cannot hold.
    OutOfRange,
    /// A zero or partial date in a type that has none.
    ZeroDate,
    /// A date or a time that is no date or time.
    InvalidDate,
    /// Not a number.
    InvalidNumber,
    /// A BOOL that is neither 0 nor 1.
    InvalidBool,
    /// Text that is not written as the type asked for is.
    InvalidText,
    /// A value of the wrong length for a fixed-size type.
    InvalidLength,
    /// JSON that does not parse, or not into the type asked for.
    InvalidJson,
    /// Text that is none of the names which the type knows.
    UnknownLabel,
    /// Bytes were left over after the last column.
    TrailingBytes,
    /// The row does not begin as a row does.
    InvalidHeader,
}

impl DecodeErrorKind {
    /// This error, at a column.
    #[cold]
    pub fn at(self, column: usize) -> DecodeError {
        DecodeError::new(column, self)
    }

    /// What was wrong, in words that follow a column's name.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Truncated => "the row ends inside the value",
            Self::UnexpectedNull => {
                "is NULL, but the statement was checked as NOT NULL here: write the alias with `?` (AS \"name?\") to get an Option"
            }
            Self::UnexpectedValue => {
                "has a value, but the statement was checked as always NULL here: CAST it to the type that it should have"
            }
            Self::InvalidUtf8 => "is not valid UTF-8: read it as bytes (CAST … AS BINARY)",
            Self::OutOfRange => "does not fit the Rust type",
            Self::ZeroDate => {
                "is a zero or partial date, which the Rust type cannot hold: read it as ark_mysql::types::Date or DateTime, or use NULLIF(…, 0)"
            }
            Self::InvalidDate => "is not a valid date or time",
            Self::InvalidNumber => "is not a valid number",
            Self::InvalidBool => "is neither 0 nor 1, so it is no bool: read it as i8",
            Self::InvalidText => "is text that does not parse into the Rust type",
            Self::InvalidLength => "has the wrong length for the Rust type",
            Self::InvalidJson => "is not the JSON that the Rust type expects",
            Self::UnknownLabel => "is none of the names that the Rust type knows",
            Self::TrailingBytes => "has bytes left over after the last column",
            Self::InvalidHeader => "does not begin as a binary row",
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {} {}",
            u32::from(self.column) + 1,
            self.kind.reason()
        )
    }
}

impl std::error::Error for DecodeError {}

use std::fmt;

/// A parameter that could not be sent: which one, and why. Nothing of the statement was sent then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeError {
    /// Position of the parameter, from 0.
    pub parameter: u16,
    /// What was wrong with it.
    pub kind: EncodeErrorKind,
}

/// Why a parameter could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// NaN or an infinity.
    NotFinite,
    /// A date or a time that SQL cannot hold: years are 0 to 9999, TIME ends at ±838:59:59.999999.
    OutOfRange,
    /// Decimal text that is no number.
    InvalidDecimal,
    /// 1 GiB or more: no server takes in a packet of more, and beyond 4 GiB others have had lengths that wrap.
    TooLong,
    /// The value's `Serialize` failed.
    Json,
    /// More or fewer values than the statement has placeholders.
    Count {
        /// The placeholders of the statement.
        expected: u16,
    },
}

/// The largest packet of all servers is 1 GiB; so much and no more is ever copied for one value.
const LONGEST: usize = 1 << 30;

impl EncodeErrorKind {
    /// Refuses a value that is longer than any server takes in, before any of it is copied.
    #[inline]
    pub const fn of_length(length: usize) -> Result<(), Self> {
        if length < LONGEST {
            Ok(())
        } else {
            Err(Self::TooLong)
        }
    }

    /// This error, at a parameter.
    #[cold]
    pub fn at(self, parameter: usize) -> EncodeError {
        EncodeError {
            parameter: u16::try_from(parameter).unwrap_or(u16::MAX),
            kind: self,
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = u32::from(self.parameter) + 1;
        match self.kind {
            EncodeErrorKind::NotFinite => write!(
                f,
                "parameter {number} is NaN or infinite, which SQL has not: send NULL (None) instead"
            ),
            EncodeErrorKind::OutOfRange => {
                write!(
                    f,
                    "parameter {number} is out of range: SQL's years are 0 to 9999, its TIME ends at ±838:59:59.999999, its DECIMAL has 65 digits"
                )
            }
            EncodeErrorKind::InvalidDecimal => write!(f, "parameter {number} is no decimal number"),
            EncodeErrorKind::TooLong => write!(
                f,
                "parameter {number} is longer than 1 GiB, and no server takes in as much at once: send it in parts"
            ),
            EncodeErrorKind::Json => write!(
                f,
                "parameter {number} could not be written as JSON by its Serialize implementation"
            ),
            EncodeErrorKind::Count { expected } => {
                let s = if expected == 1 { "" } else { "s" };
                let were = if self.parameter == 1 {
                    " was"
                } else {
                    "s were"
                };
                write!(
                    f,
                    "the statement has {expected} placeholder{s}, but {} value{were} given",
                    self.parameter
                )
            }
        }
    }
}

impl std::error::Error for EncodeError {}

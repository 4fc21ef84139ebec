use std::str::FromStr;

use super::lenenc::{NULL, split_bytes};
use super::{DecodeError, DecodeErrorKind, Source, text_temporal};
use crate::temporal::{Date, DateTime, Time};

/// Reads a row of the text protocol (COM_QUERY): every value a length-encoded string, NULL the byte fb.
#[derive(Clone, Debug)]
pub struct TextRow<'r> {
    rest: &'r [u8],
}

impl<'r> TextRow<'r> {
    /// Starts at the payload of a row packet.
    pub fn new(payload: &'r [u8]) -> Self {
        Self { rest: payload }
    }

    /// The text of a value, for the types that are parsed from it.
    fn parsed<T>(
        &mut self,
        index: usize,
        kind: DecodeErrorKind,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, DecodeError> {
        let text = str::from_utf8(self.bytes(index)?).map_err(|_| kind.at(index))?;
        parse(text).ok_or_else(|| kind.at(index))
    }

    /// Tells numbers that are too large from text that is no number at all.
    fn integer<T: TryFrom<i128>>(&mut self, index: usize) -> Result<T, DecodeError> {
        let wide = self.parsed(index, DecodeErrorKind::InvalidNumber, |text| {
            i128::from_str(text).ok()
        })?;
        T::try_from(wide).map_err(|_| DecodeErrorKind::OutOfRange.at(index))
    }
}

impl<'r> Source<'r> for TextRow<'r> {
    fn expect_not_null(&mut self, _: &'static [u8]) -> Result<(), DecodeError> {
        Ok(())
    }

    fn is_null(&mut self, _: usize) -> bool {
        let Some((&NULL, rest)) = self.rest.split_first() else {
            return false;
        };
        self.rest = rest;
        true
    }

    fn i8(&mut self, index: usize) -> Result<i8, DecodeError> {
        self.integer(index)
    }

    fn i16(&mut self, index: usize) -> Result<i16, DecodeError> {
        self.integer(index)
    }

    fn i32(&mut self, index: usize) -> Result<i32, DecodeError> {
        self.integer(index)
    }

    fn i64(&mut self, index: usize) -> Result<i64, DecodeError> {
        self.integer(index)
    }

    fn u8(&mut self, index: usize) -> Result<u8, DecodeError> {
        self.integer(index)
    }

    fn u16(&mut self, index: usize) -> Result<u16, DecodeError> {
        self.integer(index)
    }

    fn u32(&mut self, index: usize) -> Result<u32, DecodeError> {
        self.integer(index)
    }

    fn u64(&mut self, index: usize) -> Result<u64, DecodeError> {
        self.integer(index)
    }

    fn f32(&mut self, index: usize) -> Result<f32, DecodeError> {
        self.parsed(index, DecodeErrorKind::InvalidNumber, |text| {
            f32::from_str(text).ok()
        })
    }

    fn f64(&mut self, index: usize) -> Result<f64, DecodeError> {
        self.parsed(index, DecodeErrorKind::InvalidNumber, |text| {
            f64::from_str(text).ok()
        })
    }

    fn bytes(&mut self, index: usize) -> Result<&'r [u8], DecodeError> {
        match split_bytes(self.rest) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None if self.rest.first() == Some(&NULL) => {
                Err(DecodeErrorKind::UnexpectedNull.at(index))
            }
            None => Err(DecodeErrorKind::Truncated.at(index)),
        }
    }

    fn str(&mut self, index: usize) -> Result<&'r str, DecodeError> {
        str::from_utf8(self.bytes(index)?).map_err(|_| DecodeErrorKind::InvalidUtf8.at(index))
    }

    fn date(&mut self, index: usize) -> Result<Date, DecodeError> {
        let value = self.datetime(index)?;
        if !value.is_midnight() {
            return Err(DecodeErrorKind::OutOfRange.at(index));
        }
        Ok(value.date())
    }

    fn datetime(&mut self, index: usize) -> Result<DateTime, DecodeError> {
        self.parsed(index, DecodeErrorKind::InvalidDate, text_temporal::datetime)
    }

    fn time(&mut self, index: usize) -> Result<Time, DecodeError> {
        self.parsed(index, DecodeErrorKind::InvalidDate, text_temporal::time)
    }

    fn finish(&self) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(DecodeErrorKind::TrailingBytes.at(usize::from(u16::MAX)))
        }
    }
}

//! The cursor over a row of the binary protocol.
//!
//! Everything in here is `inline(always)`: with the plain hint a row of a hundred columns calls a function for each value, at
//! 33 instructions a column instead of 7 (`benches -- decode` holds the figures and fails without it).

use super::lenenc::split_bytes;
use super::{DecodeError, DecodeErrorKind, Source};
use crate::temporal::{Date, DateTime, Time};

/// Columns that fit into the first word of the NULL bitmap, whose first two bits are unused.
const HEAD_COLUMNS: usize = 62;

/// Reads a row of the binary protocol.
///
/// ```text
/// 00 | NULL bitmap, (columns + 9) / 8 bytes | values that are not NULL, back to back
///      `nulls`; its first 8 bytes: `head`     `rest`, shrinking from the left
/// ```
#[derive(Clone, Debug)]
pub struct RowReader<'r> {
    /// The first word of the bitmap, so that a test with a constant index is one instruction without a bounds check.
    head: u64,
    nulls: &'r [u8],
    rest: &'r [u8],
    columns: usize,
}

impl<'r> RowReader<'r> {
    /// Starts at the payload of a row packet.
    ///
    /// # Errors
    /// `InvalidHeader` if it does not begin with 00, `Truncated` if the NULL bitmap is not whole.
    #[inline(always)]
    pub fn new(payload: &'r [u8], columns: usize) -> Result<Self, DecodeError> {
        let Some((0, body)) = payload.split_first() else {
            return Err(DecodeErrorKind::InvalidHeader.at(0));
        };
        let Some((nulls, rest)) = body.split_at_checked((columns + 9) / 8) else {
            return Err(DecodeErrorKind::Truncated.at(0));
        };
        Ok(Self {
            head: word(nulls),
            nulls,
            rest,
            columns,
        })
    }

    /// What was not read yet.
    pub fn remaining(&self) -> &'r [u8] {
        self.rest
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, index: usize) -> Result<[u8; N], DecodeError> {
        match self.rest.split_first_chunk::<N>() {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(*value)
            }
            None => Err(DecodeErrorKind::Truncated.at(index)),
        }
    }

    /// A one-byte length and that many bytes: the frame of dates and times.
    #[inline(always)]
    fn short(&mut self, index: usize) -> Result<&'r [u8], DecodeError> {
        let split = self
            .rest
            .split_first()
            .and_then(|(&length, rest)| rest.split_at_checked(usize::from(length)));
        match split {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => Err(DecodeErrorKind::Truncated.at(index)),
        }
    }
}

/// Names the first column that is NULL and must not be. Takes no reader: a cursor whose address is taken stays out of the registers.
#[cold]
fn unexpected_null(nulls: &[u8], mask: &[u8]) -> DecodeError {
    let hit = nulls
        .iter()
        .zip(mask)
        .enumerate()
        .find(|(_, (nulls, mask))| *nulls & *mask != 0);
    let bit = hit.map_or(2, |(byte, (nulls, mask))| {
        byte * 8 + usize::try_from((nulls & mask).trailing_zeros()).unwrap_or(0)
    });
    DecodeErrorKind::UnexpectedNull.at(bit.saturating_sub(2))
}

/// The first up to eight bytes as a little-endian word, zeros where there are fewer.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*first);
    }
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}

impl<'r> Source<'r> for RowReader<'r> {
    #[inline(always)]
    fn expect_not_null(&mut self, mask: &'static [u8]) -> Result<(), DecodeError> {
        let mut hits = word(mask) & self.head;
        if mask.len() > 8 {
            let (mask, nulls) = (mask.iter().skip(8), self.nulls.iter().skip(8));
            hits |= mask
                .zip(nulls)
                .fold(0, |hits, (mask, nulls)| hits | u64::from(mask & nulls));
        }
        if hits == 0 {
            Ok(())
        } else {
            Err(unexpected_null(self.nulls, mask))
        }
    }

    #[inline(always)]
    fn is_null(&mut self, index: usize) -> bool {
        if index < HEAD_COLUMNS {
            return self.head & (1 << (index + 2)) != 0;
        }
        self.nulls
            .get((index + 2) / 8)
            .is_some_and(|byte| byte & (1 << ((index + 2) % 8)) != 0)
    }

    #[inline(always)]
    fn i8(&mut self, index: usize) -> Result<i8, DecodeError> {
        self.take(index).map(i8::from_le_bytes)
    }

    #[inline(always)]
    fn i16(&mut self, index: usize) -> Result<i16, DecodeError> {
        self.take(index).map(i16::from_le_bytes)
    }

    #[inline(always)]
    fn i32(&mut self, index: usize) -> Result<i32, DecodeError> {
        self.take(index).map(i32::from_le_bytes)
    }

    #[inline(always)]
    fn i64(&mut self, index: usize) -> Result<i64, DecodeError> {
        self.take(index).map(i64::from_le_bytes)
    }

    #[inline(always)]
    fn u8(&mut self, index: usize) -> Result<u8, DecodeError> {
        self.take(index).map(u8::from_le_bytes)
    }

    #[inline(always)]
    fn u16(&mut self, index: usize) -> Result<u16, DecodeError> {
        self.take(index).map(u16::from_le_bytes)
    }

    #[inline(always)]
    fn u32(&mut self, index: usize) -> Result<u32, DecodeError> {
        self.take(index).map(u32::from_le_bytes)
    }

    #[inline(always)]
    fn u64(&mut self, index: usize) -> Result<u64, DecodeError> {
        self.take(index).map(u64::from_le_bytes)
    }

    #[inline(always)]
    fn f32(&mut self, index: usize) -> Result<f32, DecodeError> {
        self.take(index).map(f32::from_le_bytes)
    }

    #[inline(always)]
    fn f64(&mut self, index: usize) -> Result<f64, DecodeError> {
        self.take(index).map(f64::from_le_bytes)
    }

    #[inline(always)]
    fn bytes(&mut self, index: usize) -> Result<&'r [u8], DecodeError> {
        match split_bytes(self.rest) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => Err(DecodeErrorKind::Truncated.at(index)),
        }
    }

    #[inline(always)]
    fn str(&mut self, index: usize) -> Result<&'r str, DecodeError> {
        str::from_utf8(self.bytes(index)?).map_err(|_| DecodeErrorKind::InvalidUtf8.at(index))
    }

    #[inline(always)]
    fn date(&mut self, index: usize) -> Result<Date, DecodeError> {
        let value =
            datetime(self.short(index)?).ok_or_else(|| DecodeErrorKind::InvalidDate.at(index))?;
        if !value.is_midnight() {
            return Err(DecodeErrorKind::OutOfRange.at(index));
        }
        Ok(value.date())
    }

    #[inline(always)]
    fn datetime(&mut self, index: usize) -> Result<DateTime, DecodeError> {
        datetime(self.short(index)?).ok_or_else(|| DecodeErrorKind::InvalidDate.at(index))
    }

    #[inline(always)]
    fn time(&mut self, index: usize) -> Result<Time, DecodeError> {
        time(self.short(index)?).ok_or_else(|| DecodeErrorKind::InvalidDate.at(index))
    }

    #[inline(always)]
    fn finish(&self) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(DecodeErrorKind::TrailingBytes.at(self.columns.saturating_sub(1)))
        }
    }
}

/// 0, 4, 7 or 11 bytes: the shorter forms leave out trailing zeros.
#[inline]
fn datetime(value: &[u8]) -> Option<DateTime> {
    match *value {
        [] => Some(DateTime::default()),
        [y0, y1, month, day] => {
            Date::new(u16::from_le_bytes([y0, y1]), month, day).map(DateTime::from)
        }
        [y0, y1, month, day, hour, minute, second] => DateTime::new(
            Date::new(u16::from_le_bytes([y0, y1]), month, day)?,
            hour,
            minute,
            second,
            0,
        ),
        [y0, y1, month, day, hour, minute, second, m0, m1, m2, m3] => {
            let date = Date::new(u16::from_le_bytes([y0, y1]), month, day)?;
            DateTime::new(
                date,
                hour,
                minute,
                second,
                u32::from_le_bytes([m0, m1, m2, m3]),
            )
        }
        _ => None,
    }
}

/// 0, 8 or 12 bytes. Hours are never above 23: the rest is in the days.
fn time(value: &[u8]) -> Option<Time> {
    match *value {
        [] => Some(Time::default()),
        [sign, d0, d1, d2, d3, hour, minute, second] => {
            time_of(sign, [d0, d1, d2, d3], hour, minute, second, 0)
        }
        [sign, d0, d1, d2, d3, hour, minute, second, m0, m1, m2, m3] => time_of(
            sign,
            [d0, d1, d2, d3],
            hour,
            minute,
            second,
            u32::from_le_bytes([m0, m1, m2, m3]),
        ),
        _ => None,
    }
}

fn time_of(sign: u8, days: [u8; 4], hour: u8, minute: u8, second: u8, micros: u32) -> Option<Time> {
    if sign > 1 || hour > 23 {
        return None;
    }
    let days = u16::try_from(u32::from_le_bytes(days)).ok()?;
    let hours = days.checked_mul(24)?.checked_add(u16::from(hour))?;
    Time::new(sign == 1, hours, minute, second, micros)
}

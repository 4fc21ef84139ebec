use super::{Batch, EncodeError, EncodeErrorKind, ParamSink, ParamType};
use crate::temporal::{Date, DateTime, Time};
use crate::wire::Writer;

/// Writes the parameters of a COM_STMT_EXECUTE, behind the bytes that are already in the buffer.
///
/// ```text
/// NULL bitmap, (n + 7) / 8 bytes | 01, n types of two bytes  or  00 | values that are not NULL
/// `bitmap` is where it begins
/// ```
///
/// A statement without parameters has none of the three. After an error the buffer's new bytes mean nothing: the caller cuts them off.
#[derive(Debug)]
pub struct ParamWriter<'a> {
    out: &'a mut Vec<u8>,
    bitmap: usize,
    expected: usize,
    position: usize,
}

impl<'a> ParamWriter<'a> {
    /// Writes the bitmap, still empty, and the types if they are to be sent.
    #[inline]
    pub fn new(out: &'a mut Vec<u8>, types: &[ParamType], send_types: bool) -> Self {
        let bitmap = out.len();
        if !types.is_empty() {
            out.resize(bitmap + types.len().div_ceil(8), 0);
            out.push(u8::from(send_types));
            if send_types {
                types
                    .iter()
                    .for_each(|kind| out.extend_from_slice(&kind.code().to_le_bytes()));
            }
        }
        Self {
            out,
            bitmap,
            expected: types.len(),
            position: 0,
        }
    }

    /// Writes the `width` values of a row that stands by itself; NULL has no place in it.
    pub(super) fn of_row(out: &'a mut Vec<u8>, width: usize) -> Self {
        Self {
            bitmap: out.len(),
            out,
            expected: width,
            position: 0,
        }
    }

    /// Gives the values of the first `rows` rows of a batch at once.
    ///
    /// # Errors
    /// `Count`.
    pub fn rows(&mut self, batch: &Batch, rows: usize) -> Result<(), EncodeError> {
        let nulls = batch.nulls(rows);
        let first = self.position;
        self.position += nulls.len();
        if self.position > self.expected {
            return Err(self.miscounted());
        }
        let positions = (first..).zip(nulls).filter(|(_, null)| **null);
        for (position, _) in positions {
            self.mark_null(position);
        }
        self.out.extend_from_slice(batch.values(rows));
        Ok(())
    }

    #[inline]
    fn mark_null(&mut self, position: usize) {
        if let Some(byte) = self.out.get_mut(self.bitmap + position / 8) {
            *byte |= 1 << (position % 8);
        }
    }

    /// Appends bytes that are no parameter.
    #[inline]
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Insists that every parameter was given.
    ///
    /// # Errors
    /// `Count`.
    #[inline]
    pub fn finish(self) -> Result<(), EncodeError> {
        if self.position == self.expected {
            Ok(())
        } else {
            Err(self.miscounted())
        }
    }

    #[cold]
    fn miscounted(&self) -> EncodeError {
        let expected = u16::try_from(self.expected).unwrap_or(u16::MAX);
        EncodeErrorKind::Count { expected }.at(self.position)
    }

    /// Counts the value in; one too many would write its NULL bit outside the bitmap.
    #[inline]
    pub(super) fn step(&mut self) -> Result<usize, EncodeError> {
        let position = self.position;
        self.position += 1;
        if position < self.expected {
            Ok(position)
        } else {
            Err(self.miscounted())
        }
    }

    #[inline]
    fn fixed<const N: usize>(&mut self, value: [u8; N]) -> Result<(), EncodeError> {
        self.step()?;
        self.out.extend_from_slice(&value);
        Ok(())
    }
}

impl ParamSink for ParamWriter<'_> {
    #[inline]
    fn null(&mut self) -> Result<(), EncodeError> {
        let position = self.step()?;
        self.mark_null(position);
        Ok(())
    }

    #[inline]
    fn i8(&mut self, value: i8) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn i16(&mut self, value: i16) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn i32(&mut self, value: i32) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn u8(&mut self, value: u8) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn u16(&mut self, value: u16) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn u32(&mut self, value: u32) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn u64(&mut self, value: u64) -> Result<(), EncodeError> {
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn f32(&mut self, value: f32) -> Result<(), EncodeError> {
        if !value.is_finite() {
            return Err(self.error(EncodeErrorKind::NotFinite));
        }
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn f64(&mut self, value: f64) -> Result<(), EncodeError> {
        if !value.is_finite() {
            return Err(self.error(EncodeErrorKind::NotFinite));
        }
        self.fixed(value.to_le_bytes())
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<(), EncodeError> {
        self.bytes(value.as_bytes())
    }

    #[inline]
    fn bytes(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        EncodeErrorKind::of_length(value.len()).map_err(|kind| self.error(kind))?;
        self.step()?;
        write_bytes(self.out, value);
        Ok(())
    }

    fn decimal(&mut self, value: &str) -> Result<(), EncodeError> {
        EncodeErrorKind::of_length(value.len()).map_err(|kind| self.error(kind))?;
        if !is_decimal(value) {
            return Err(self.error(EncodeErrorKind::InvalidDecimal));
        }
        self.bytes(value.as_bytes())
    }

    fn date(&mut self, value: Date) -> Result<(), EncodeError> {
        let [y0, y1] = value.year().to_le_bytes();
        self.fixed([4, y0, y1, value.month(), value.day()])
    }

    fn datetime(&mut self, value: DateTime) -> Result<(), EncodeError> {
        if value.is_midnight() {
            return self.date(value.date());
        }
        let [y0, y1] = value.date().year().to_le_bytes();
        let (month, day) = (value.date().month(), value.date().day());
        let (hour, minute, second) = (value.hour(), value.minute(), value.second());
        match value.micros().to_le_bytes() {
            [0, 0, 0, 0] => self.fixed([7, y0, y1, month, day, hour, minute, second]),
            [m0, m1, m2, m3] => {
                self.fixed([11, y0, y1, month, day, hour, minute, second, m0, m1, m2, m3])
            }
        }
    }

    fn time(&mut self, value: Time) -> Result<(), EncodeError> {
        if value == Time::default() {
            return self.fixed([0]);
        }
        let sign = u8::from(value.is_negative());
        let [d0, d1] = (value.hours() / 24).to_le_bytes();
        // Below 24 after the division: the first byte is all of it.
        let [hour, _] = (value.hours() % 24).to_le_bytes();
        let (minute, second) = (value.minutes(), value.seconds());
        match value.subsec_micros().to_le_bytes() {
            [0, 0, 0, 0] => self.fixed([8, sign, d0, d1, 0, 0, hour, minute, second]),
            [m0, m1, m2, m3] => {
                self.fixed([12, sign, d0, d1, 0, 0, hour, minute, second, m0, m1, m2, m3])
            }
        }
    }

    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        kind.at(self.position)
    }
}

/// An optional minus, then digits with at most one point among them.
pub(super) fn is_decimal(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let points = digits.bytes().filter(|&byte| byte == b'.').count();
    points <= 1
        && digits.len() > points
        && digits
            .bytes()
            .all(|byte| byte == b'.' || byte.is_ascii_digit())
}

/// Appends a length-encoded string, as it stands in parameters and in rows.
#[inline]
pub fn write_bytes(out: &mut Vec<u8>, value: &[u8]) {
    match u8::try_from(value.len()) {
        Ok(short) if short < 0xfb => out.push(short),
        _ => {
            Writer::new(out).lenenc(value.len());
        }
    }
    out.extend_from_slice(value);
}

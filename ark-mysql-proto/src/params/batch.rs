use super::{EncodeError, EncodeErrorKind, ParamSink, ParamWriter};
use crate::temporal::{Date, DateTime, Time};

/// Rows of values that are encoded and not sent yet.
///
/// ```text
/// values  | row 0 | row 1 | row 2 |       with `indicators` each value has a byte in front that tells of NULL,
/// ends            ^       ^       ^       else `nulls` has a flag for each value, and a NULL takes no place
/// ```
///
/// A row that cannot be encoded leaves no trace.
#[derive(Clone, Debug)]
pub struct Batch {
    width: usize,
    indicators: bool,
    values: Vec<u8>,
    nulls: Vec<bool>,
    ends: Vec<usize>,
}

/// The indicators of [COM_STMT_BULK_EXECUTE](https://mariadb.com/docs/server/reference/clientserver-protocol/3-binary-protocol-prepared-statements/com_stmt_bulk_execute).
const VALUE: u8 = 0;
const NULL: u8 = 1;

impl Batch {
    /// For [`Session::bulk_execute`](crate::Session::bulk_execute): rows of `width` values, each behind an indicator.
    pub fn with_indicators(width: usize) -> Self {
        Self::new(width, true)
    }

    /// For [`ParamWriter::rows`]: rows of `width` values.
    pub fn with_bitmap(width: usize) -> Self {
        Self::new(width, false)
    }

    fn new(width: usize, indicators: bool) -> Self {
        Self {
            width,
            indicators,
            values: Vec::new(),
            nulls: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Encodes one row more: `row` writes its values.
    ///
    /// # Errors
    /// A value cannot be written, or there are too few or too many.
    #[inline]
    pub fn push(
        &mut self,
        row: impl FnOnce(&mut BatchWriter<'_>) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let (values, nulls) = (self.values.len(), self.nulls.len());
        let mut writer = BatchWriter {
            writer: ParamWriter::of_row(&mut self.values, self.width),
            nulls: &mut self.nulls,
            indicators: self.indicators,
        };
        let written = row(&mut writer).and_then(|()| writer.writer.finish());
        match written {
            Ok(()) => self.ends.push(self.values.len()),
            Err(_) => {
                self.values.truncate(values);
                self.nulls.truncate(nulls);
            }
        }
        written
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many values a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many bytes the first `rows` rows take in a command, at most: headers, types and NULLs with them.
    pub fn size(&self, rows: usize) -> usize {
        let parameters = if self.indicators {
            self.width
        } else {
            self.width.saturating_mul(rows)
        };
        // 11 bytes in front; for each parameter two bytes of type and a bit.
        let around = parameters.saturating_mul(2) + parameters.div_ceil(8) + 11;
        self.values(rows).len().saturating_add(around)
    }

    /// Drops the first `rows` rows: they were sent.
    pub fn drop_first(&mut self, rows: usize) {
        let bytes = self.values(rows).len();
        self.values.drain(..bytes);
        self.nulls
            .drain(..self.width.saturating_mul(rows).min(self.nulls.len()));
        self.ends.drain(..rows.min(self.ends.len()));
        self.ends.iter_mut().for_each(|end| *end -= bytes);
    }

    /// The bytes of the first rows.
    pub(crate) fn values(&self, rows: usize) -> &[u8] {
        let last = rows.min(self.ends.len()).checked_sub(1);
        let end = last.and_then(|last| self.ends.get(last)).copied();
        self.values
            .get(..end.unwrap_or_default())
            .unwrap_or_default()
    }

    pub(super) fn nulls(&self, rows: usize) -> &[bool] {
        let count = self.width.saturating_mul(rows).min(self.nulls.len());
        self.nulls.get(..count).unwrap_or_default()
    }
}

/// Writes the values of one row of a [`Batch`].
#[derive(Debug)]
pub struct BatchWriter<'a> {
    writer: ParamWriter<'a>,
    nulls: &'a mut Vec<bool>,
    indicators: bool,
}

impl BatchWriter<'_> {
    #[inline]
    fn present(&mut self) {
        if self.indicators {
            self.writer.raw(&[VALUE]);
        } else {
            self.nulls.push(false);
        }
    }
}

macro_rules! values {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(#[inline]
        fn $method(&mut self, value: $type) -> Result<(), EncodeError> {
            self.present();
            self.writer.$method(value)
        })*
    };
}

impl ParamSink for BatchWriter<'_> {
    #[inline]
    fn null(&mut self) -> Result<(), EncodeError> {
        self.writer.step()?;
        if self.indicators {
            self.writer.raw(&[NULL]);
        } else {
            self.nulls.push(true);
        }
        Ok(())
    }

    values! {
        i8: i8, i16: i16, i32: i32, i64: i64,
        u8: u8, u16: u16, u32: u32, u64: u64,
        f32: f32, f64: f64,
        text: &str, bytes: &[u8], decimal: &str,
        date: Date, datetime: DateTime, time: Time,
    }

    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        self.writer.error(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParamType;

    fn of(mut batch: Batch) -> Batch {
        for (number, name) in [(1, Some("a")), (2, None), (3, Some("ccc"))] {
            batch
                .push(|row| {
                    row.i16(number)?;
                    match name {
                        Some(name) => row.text(name),
                        None => row.null(),
                    }
                })
                .unwrap();
        }
        batch
    }

    #[test]
    fn indicators_stand_in_front_of_each_value() {
        let batch = of(Batch::with_indicators(2));
        let first = [0, 1, 0, 0, 1, b'a', 0, 2, 0, 1];
        assert_eq!(batch.values(2), first);
        assert_eq!(batch.len(), 3);
        assert_eq!(batch.values(9).len(), first.len() + 3 + 5);
    }

    #[test]
    fn several_rows_are_the_parameters_of_one_statement() {
        let mut batch = of(Batch::with_bitmap(2));
        let types = [ParamType::I16, ParamType::TEXT].repeat(3);
        let written = |batch: &Batch, types: &[ParamType], rows| {
            let mut out = Vec::new();
            let mut writer = ParamWriter::new(&mut out, types, false);
            writer.rows(batch, rows)?;
            writer.finish().map(|()| out)
        };
        let all = [0b1000, 0, 1, 0, 1, b'a', 2, 0, 3, 0, 3, b'c', b'c', b'c'];
        assert_eq!(written(&batch, &types, 3).unwrap(), all);
        assert!(written(&batch, &types, 2).is_err(), "one row is missing");
        assert!(written(&batch, &types[2..], 3).is_err(), "one is too many");
        batch.drop_first(1);
        assert_eq!(
            written(&batch, &types[2..], 2).unwrap(),
            [0b10, 0, 2, 0, 3, 0, 3, b'c', b'c', b'c']
        );
        batch.drop_first(2);
        assert!(batch.is_empty());
        assert_eq!(batch.values(1), b"");
    }

    #[test]
    fn a_row_that_cannot_be_written_leaves_no_trace() {
        for mut batch in [Batch::with_bitmap(2), Batch::with_indicators(2)] {
            let error = batch.push(|row| {
                row.null()?;
                row.f64(f64::NAN)
            });
            assert_eq!(error, Err(EncodeErrorKind::NotFinite.at(1)));
            let error = batch.push(|row| row.i8(1));
            assert_eq!(error, Err(EncodeErrorKind::Count { expected: 2 }.at(1)));
            let error = batch.push(|row| (0..3).try_for_each(|_| row.null()));
            assert_eq!(error, Err(EncodeErrorKind::Count { expected: 2 }.at(3)));
            assert!(batch.is_empty() && batch.values.is_empty() && batch.nulls.is_empty());
        }
    }

    #[test]
    fn the_size_is_never_less_than_what_is_sent() {
        let batch = of(Batch::with_bitmap(2));
        for rows in 1..=3 {
            let types = [ParamType::I16, ParamType::TEXT].repeat(rows);
            let mut out = vec![0; 10];
            let mut writer = ParamWriter::new(&mut out, &types, true);
            writer.rows(&batch, rows).unwrap();
            writer.finish().unwrap();
            assert_eq!(batch.size(rows), out.len());
        }
    }
}

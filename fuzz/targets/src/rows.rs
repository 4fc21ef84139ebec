//! Rows: length-encoded strings, and the two cursors over hostile rows.

use arbitrary::Unstructured;
use ark_mysql_proto::params::{ParamSink, write_bytes};
use ark_mysql_proto::temporal::{DateTime, Time};
use ark_mysql_proto::{
    DecodeError, DecodeErrorKind, Kind, ParamType, ParamWriter, RowReader, Source, TextRow, Wire,
};

/// A value as it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// NULL.
    Null,
    /// An integer of any width.
    Integer(i128),
    /// A FLOAT.
    Single(f32),
    /// A DOUBLE.
    Double(f64),
    /// Bytes of any kind.
    Bytes(Vec<u8>),
    /// DATE, DATETIME, TIMESTAMP.
    Moment(DateTime),
    /// TIME.
    Span(Time),
}

/// Reads the next value as its kind has to be read.
pub fn read<'r>(row: &mut impl Source<'r>, wire: Wire, index: usize) -> Result<Value, DecodeError> {
    if row.is_null(index) {
        return Ok(Value::Null);
    }
    Ok(match wire {
        Wire::I8 => Value::Integer(row.i8(index)?.into()),
        Wire::U8 => Value::Integer(row.u8(index)?.into()),
        Wire::I16 => Value::Integer(row.i16(index)?.into()),
        Wire::U16 => Value::Integer(row.u16(index)?.into()),
        Wire::I32 => Value::Integer(row.i32(index)?.into()),
        Wire::U32 => Value::Integer(row.u32(index)?.into()),
        Wire::I64 => Value::Integer(row.i64(index)?.into()),
        Wire::U64 => Value::Integer(row.u64(index)?.into()),
        Wire::F32 => Value::Single(row.f32(index)?),
        Wire::F64 => Value::Double(row.f64(index)?),
        Wire::Text => Value::Bytes(row.str(index)?.as_bytes().to_vec()),
        Wire::Decimal | Wire::Bytes | Wire::Bit => Value::Bytes(row.bytes(index)?.to_vec()),
        Wire::DateTime => Value::Moment(row.datetime(index)?),
        Wire::Time => Value::Span(row.time(index)?),
        Wire::Null => return Err(DecodeErrorKind::UnexpectedValue.at(index)),
    })
}

/// Reads all values and insists on the end.
pub fn read_all<'r>(row: &mut impl Source<'r>, wires: &[Wire]) -> Result<Vec<Value>, DecodeError> {
    let values = wires
        .iter()
        .enumerate()
        .map(|(index, wire)| read(row, *wire, index));
    let values = values.collect::<Result<_, _>>()?;
    row.finish()?;
    Ok(values)
}

fn write(out: &mut ParamWriter<'_>, wire: Wire, value: &Value) -> bool {
    let fits = "it was read as that";
    match (value, wire) {
        (Value::Null, _) => out.null(),
        (Value::Integer(n), Wire::I8) => out.i8((*n).try_into().expect(fits)),
        (Value::Integer(n), Wire::U8) => out.u8((*n).try_into().expect(fits)),
        (Value::Integer(n), Wire::I16) => out.i16((*n).try_into().expect(fits)),
        (Value::Integer(n), Wire::U16) => out.u16((*n).try_into().expect(fits)),
        (Value::Integer(n), Wire::I32) => out.i32((*n).try_into().expect(fits)),
        (Value::Integer(n), Wire::U32) => out.u32((*n).try_into().expect(fits)),
        (Value::Integer(n), Wire::I64) => out.i64((*n).try_into().expect(fits)),
        (Value::Integer(n), _) => out.u64((*n).try_into().expect(fits)),
        (Value::Single(n), _) => out.f32(*n),
        (Value::Double(n), _) => out.f64(*n),
        (Value::Bytes(bytes), _) => out.bytes(bytes),
        (Value::Moment(moment), _) => out.datetime(*moment),
        (Value::Span(span), _) => out.time(*span),
    }
    .is_ok()
}

/// A binary row of these values, written by the writer of parameters; `None` if one of them cannot be sent (NaN).
pub fn binary(wires: &[Wire], values: &[Value]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let types = vec![ParamType::TEXT; values.len()];
    let mut writer = ParamWriter::new(&mut out, &types, false);
    let written = wires
        .iter()
        .zip(values)
        .all(|(wire, value)| write(&mut writer, *wire, value));
    if !written || writer.finish().is_err() {
        return None;
    }
    let head = if values.is_empty() {
        0
    } else {
        values.len().div_ceil(8) + 1
    };
    let mut row = vec![0];
    row.resize(1 + (values.len() + 9) / 8, 0);
    for (index, _) in values
        .iter()
        .enumerate()
        .filter(|(_, value)| **value == Value::Null)
    {
        row[1 + (index + 2) / 8] |= 1 << ((index + 2) % 8);
    }
    row.extend_from_slice(&out[head..]);
    Some(row)
}

/// A text row of these values.
fn text(values: &[Value]) -> Vec<u8> {
    let mut out = Vec::new();
    for value in values {
        let text = match value {
            Value::Null => {
                out.push(0xfb);
                continue;
            }
            Value::Integer(n) => n.to_string().into_bytes(),
            Value::Single(n) => n.to_string().into_bytes(),
            Value::Double(n) => n.to_string().into_bytes(),
            Value::Bytes(bytes) => bytes.clone(),
            Value::Moment(moment) => moment.to_string().into_bytes(),
            Value::Span(span) => span.to_string().into_bytes(),
        };
        write_bytes(&mut out, &text);
    }
    out
}

fn has_nan(values: &[Value]) -> bool {
    values.iter().any(|value| match value {
        Value::Single(n) => n.is_nan(),
        Value::Double(n) => n.is_nan(),
        _ => false,
    })
}

/// Up to forty kinds, then the row.
fn kinds_and_row(data: &[u8]) -> (Vec<Wire>, &[u8]) {
    let Some((count, rest)) = data.split_first() else {
        return (Vec::new(), data);
    };
    let (kinds, row) = rest.split_at(rest.len().min(usize::from(count % 41)));
    let wire = |byte: &u8| Kind::ALL[usize::from(*byte) % Kind::ALL.len()].wire();
    (kinds.iter().map(wire).collect(), row)
}

/// Whatever the bytes are: what is read lies inside of them, in order; what is written is read back, and no part of it is taken for a whole.
pub fn lenenc(data: &[u8]) {
    let start = data.as_ptr().addr();
    let mut row = TextRow::new(data);
    let mut end = 0_usize;
    for index in 0.. {
        if row.is_null(index) {
            end += 1;
            continue;
        }
        match row.bytes(index) {
            Ok([]) => end += 1,
            Ok(value) => {
                let begins = value.as_ptr().addr() - start;
                assert!(begins > end && begins + value.len() <= data.len());
                end = begins + value.len();
            }
            Err(error) => {
                assert_eq!(
                    (error.kind, usize::from(error.column)),
                    (DecodeErrorKind::Truncated, index.min(65535))
                );
                break;
            }
        }
        if row.finish().is_ok() {
            break;
        }
    }
    let mut input = Unstructured::new(data);
    let length = input.arbitrary::<u32>().unwrap_or(0) % 70_000;
    let value = vec![input.arbitrary::<u8>().unwrap_or(0); usize::try_from(length).unwrap_or(0)];
    let mut out = Vec::new();
    write_bytes(&mut out, &value);
    let mut row = TextRow::new(&out);
    assert_eq!((row.bytes(0), row.finish()), (Ok(&*value), Ok(())));
    let cut = input
        .arbitrary::<u32>()
        .map_or(0, |cut| cut as usize % out.len());
    assert!(TextRow::new(&out[..cut]).bytes(0).is_err());
}

/// An error names a column that there is; a row that can be read is the same again after it was written.
pub fn text_row(data: &[u8]) {
    let (wires, row) = kinds_and_row(data);
    match read_all(&mut TextRow::new(row), &wires) {
        Err(error) => check_column(error, &wires, u16::MAX),
        Ok(values) => {
            let again = read_all(&mut TextRow::new(&text(&values)), &wires);
            assert!(
                again == Ok(values.clone()) || has_nan(&values),
                "{values:?} became {again:?}"
            );
        }
    }
}

fn check_column(error: DecodeError, wires: &[Wire], at_the_end: u16) {
    let known = usize::from(error.column) < wires.len().max(1);
    let trailing = error.kind == DecodeErrorKind::TrailingBytes && error.column == at_the_end;
    assert!(known || trailing, "{error:?} of {} columns", wires.len());
}

/// The masks of "no column is NULL", for 0 to 40 columns.
static MASKS: [[u8; 6]; 41] = masks();

const fn masks() -> [[u8; 6]; 41] {
    let mut masks = [[0; 6]; 41];
    let mut count = 1;
    while count <= 40 {
        masks[count] = masks[count - 1];
        masks[count][(count + 1) / 8] |= 1 << ((count + 1) % 8);
        count += 1;
    }
    masks
}

/// An error names a column that there is; the cursor only moves forward; the mask says the same of NULLs as looking at each; a row that can be read is the same
/// again after it was written.
pub fn binary_row(data: &[u8]) {
    let (wires, payload) = kinds_and_row(data);
    let mut row = match RowReader::new(payload, wires.len()) {
        Ok(row) => row,
        Err(error) => return check_column(error, &wires, 0),
    };
    let nulls = (0..wires.len()).any(|index| row.is_null(index));
    assert_eq!(row.expect_not_null(&MASKS[wires.len()]).is_err(), nulls);
    let mut left = row.remaining().len();
    assert!(left < payload.len());
    for (index, wire) in wires.iter().enumerate() {
        let read = read(&mut row, *wire, index);
        assert!(row.remaining().len() <= left, "the cursor went backwards");
        left = row.remaining().len();
        if let Err(error) = read {
            assert_eq!(usize::from(error.column), index);
            return;
        }
    }
    let Ok(values) = read_all(
        &mut RowReader::new(payload, wires.len()).expect("read before"),
        &wires,
    ) else {
        assert!(left > 0);
        return;
    };
    if let Some(written) = binary(&wires, &values) {
        let again = read_all(
            &mut RowReader::new(&written, wires.len()).expect("whole"),
            &wires,
        );
        assert_eq!(again, Ok(values));
    }
}

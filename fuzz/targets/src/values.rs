//! The decoders of single values, from both protocols and into the types that users have.

use arbitrary::Unstructured;
use ark_mysql::types::{self, Decimal, Geometry};
use ark_mysql::value::{Column, DecodeError, Encode, NotNull, kind};
use ark_mysql_proto::params::{LiteralWriter, write_bytes};
use ark_mysql_proto::{ParamType, ParamWriter, RowReader, Source, TextRow};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

/// A value in a binary row of one column, whose bytes are these.
fn from_row<'r, T: Column<'r, NotNull<K>>, K>(row: &'r [u8]) -> Result<T, DecodeError> {
    let mut reader = RowReader::new(row, 1)?;
    let value = T::decode(&mut reader, 0)?;
    reader.finish()?;
    Ok(value)
}

fn row_of(value: &[u8]) -> Vec<u8> {
    [&[0, 0], value].concat()
}

/// A value that stands in a row with its length in front.
fn from_bytes<T: for<'r> Column<'r, NotNull<K>>, K>(value: &[u8]) -> Result<T, DecodeError> {
    let mut row = row_of(&[]);
    write_bytes(&mut row, value);
    from_row(&row)
}

/// The same from a text row.
fn from_text<T: for<'r> Column<'r, NotNull<K>>, K>(value: &[u8]) -> Result<T, DecodeError> {
    let mut row = Vec::new();
    write_bytes(&mut row, value);
    let mut reader = TextRow::new(&row);
    let value = T::decode(&mut reader, 0)?;
    reader.finish()?;
    Ok(value)
}

/// A parameter as it would be sent, made a row of; `None` if it cannot be sent.
fn sent<T: Encode<K> + ?Sized, K>(value: &T) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = ParamWriter::new(&mut out, &[ParamType::TEXT], false);
    value.encode(&mut writer).ok()?;
    writer.finish().ok()?;
    Some(row_of(&out[2..]))
}

/// What comes back of a value that is sent; `None` if it cannot be sent.
fn there_and_back<T, E, K>(value: &E) -> Option<T>
where
    T: for<'r> Column<'r, NotNull<K>>,
    E: Encode<kind::Any> + ?Sized,
{
    let row = sent::<E, kind::Any>(value)?;
    Some(from_row::<T, K>(&row).expect("what we send is what we read"))
}

/// A number that can be read prints as the same number, compares as it should, and comes back when it is sent, as a parameter and as a literal.
pub fn decimal(data: &[u8]) {
    let (first, second) = data.split_at(
        data.iter()
            .position(|byte| *byte == 0)
            .unwrap_or(data.len()),
    );
    let read = from_bytes::<Decimal, kind::Decimal>(first);
    assert_eq!(read, from_text::<Decimal, kind::Decimal>(first));
    let Ok(number) = read else { return };
    let printed = number.to_string();
    let again: Decimal = printed.parse().expect("what it prints can be read");
    assert_eq!(
        (again, again.scale(), again.to_string()),
        (number, number.scale(), printed.clone())
    );
    assert_eq!(
        there_and_back::<Decimal, _, kind::Decimal>(&number),
        Some(number)
    );
    let mut literal = LiteralWriter::new("?").expect("a placeholder");
    Encode::<kind::Any>::encode(&number, &mut literal).expect("a number of SQL");
    let literal = literal.finish().expect("one value");
    assert_eq!(literal.parse(), Ok(number), "{literal}");
    if let Ok(back) = Decimal::from_f64(number.to_f64()) {
        assert_eq!(back.to_f64(), number.to_f64());
    }
    let Ok(other) = from_bytes::<Decimal, kind::Decimal>(second.get(1..).unwrap_or_default())
    else {
        return;
    };
    assert_eq!(number.cmp(&other), other.cmp(&number).reverse());
    assert_eq!(number == other, number.cmp(&other).is_eq());
    let (one, two) = (number.to_f64(), other.to_f64());
    assert!(
        one == two || (one < two) == (number < other),
        "{number} and {other}"
    );
}

/// What can be read prints as text that reads the same, comes back when sent, and is a day of chrono's if it is a day of the calendar.
pub fn date(data: &[u8]) {
    let row = row_of(data);
    let read = from_row::<types::Date, kind::Date>(&row);
    let text = from_text::<types::Date, kind::Date>(data);
    for date in read.into_iter().chain(text) {
        let printed = date.to_string();
        assert_eq!(
            from_text::<types::Date, kind::Date>(printed.as_bytes()),
            Ok(date)
        );
        assert_eq!(
            there_and_back::<types::Date, _, kind::Date>(&date),
            Some(date)
        );
        let chrono = from_text::<NaiveDate, kind::Date>(printed.as_bytes());
        assert_eq!(chrono.is_ok(), date.is_calendar_day(), "{date}");
        if let Ok(chrono) = chrono {
            assert_eq!(chrono.to_string(), printed);
            assert_eq!(
                there_and_back::<types::Date, _, kind::Date>(&chrono),
                Some(date)
            );
        }
    }
}

/// The same for moments; and a moment is a date only at midnight.
pub fn datetime(data: &[u8]) {
    let row = row_of(data);
    let read = from_row::<types::DateTime, kind::DateTime>(&row);
    if let Ok(moment) = read {
        let midnight = moment == types::DateTime::from(moment.date());
        let day = from_row::<types::Date, kind::Date>(&row);
        assert_eq!(day.ok(), midnight.then_some(moment.date()));
    }
    let text = from_text::<types::DateTime, kind::DateTime>(data);
    for moment in read.into_iter().chain(text) {
        let printed = moment.to_string();
        assert_eq!(
            from_text::<types::DateTime, kind::DateTime>(printed.as_bytes()),
            Ok(moment)
        );
        assert_eq!(
            there_and_back::<types::DateTime, _, kind::DateTime>(&moment),
            Some(moment)
        );
        let chrono = from_text::<NaiveDateTime, kind::DateTime>(printed.as_bytes());
        assert_eq!(chrono.is_ok(), moment.date().is_calendar_day(), "{moment}");
        if let Ok(chrono) = chrono {
            assert_eq!(
                there_and_back::<types::DateTime, _, kind::DateTime>(&chrono),
                Some(moment)
            );
        }
    }
}

/// The same for times; no time is beyond ±838:59:59.999999, and only those of a day are a clock's.
pub fn time(data: &[u8]) {
    let row = row_of(data);
    let read = from_row::<types::Time, kind::Time>(&row);
    let text = from_text::<types::Time, kind::Time>(data);
    for time in read.into_iter().chain(text) {
        assert!((types::Time::MIN..=types::Time::MAX).contains(&time));
        let printed = time.to_string();
        assert_eq!(
            from_text::<types::Time, kind::Time>(printed.as_bytes()),
            Ok(time)
        );
        assert_eq!(
            there_and_back::<types::Time, _, kind::Time>(&time),
            Some(time)
        );
        let delta = from_text::<TimeDelta, kind::Time>(printed.as_bytes());
        assert_eq!(
            delta.map(|delta| delta.num_microseconds()),
            Ok(Some(time.as_micros()))
        );
        let clock = from_text::<NaiveTime, kind::Time>(printed.as_bytes());
        assert_eq!(
            clock.is_ok(),
            !time.is_negative() && time.hours() < 24,
            "{time}"
        );
        if let Ok(clock) = clock {
            assert_eq!(
                there_and_back::<types::Time, _, kind::Time>(&clock),
                Some(time)
            );
        }
    }
}

/// Text is an integer if it is one that fits; the widths of both protocols agree; BIT is big-endian, and a bool only if it is 0 or 1.
pub fn bits_and_ints(data: &[u8]) {
    macro_rules! integers {
        ($($rust:ident $kind:ident;)*) => {$(
            let text = from_text::<$rust, kind::$kind>(data);
            let expected = str::from_utf8(data).ok().and_then(|text| text.parse::<i128>().ok());
            assert_eq!(text.ok(), expected.and_then(|wide| $rust::try_from(wide).ok()));
            if let Some(bytes) = data.first_chunk() {
                let number = $rust::from_le_bytes(*bytes);
                assert_eq!(from_row::<$rust, kind::$kind>(&row_of(bytes)), Ok(number));
                assert_eq!(from_text::<$rust, kind::$kind>(number.to_string().as_bytes()), Ok(number));
                assert_eq!(there_and_back::<$rust, _, kind::$kind>(&number), Some(number));
            }
        )*};
    }
    integers! {
        i8 TinyInt; u8 TinyIntUnsigned; i16 SmallInt; u16 SmallIntUnsigned; i32 Int; u32 IntUnsigned; i64 BigInt; u64 BigIntUnsigned;
    }
    let bits = from_bytes::<u64, kind::Bit>(data);
    assert_eq!(bits.is_ok(), (1..=8).contains(&data.len()));
    if let Ok(bits) = bits {
        let mut wide = [0; 8];
        wide[8 - data.len()..].copy_from_slice(data);
        assert_eq!(bits, u64::from_be_bytes(wide));
        let truth = from_bytes::<bool, kind::Bit1>(data);
        assert_eq!(
            truth.ok(),
            [Some(false), Some(true)]
                .into_iter()
                .nth(usize::try_from(bits).unwrap_or(9))
                .flatten()
        );
    }
    for truth in [
        from_row::<bool, kind::Bool>(&row_of(data)),
        from_text::<bool, kind::Bool>(data),
    ]
    .into_iter()
    .flatten()
    {
        assert_eq!(there_and_back::<bool, _, kind::Bool>(&truth), Some(truth));
    }
}

/// Text is text if it is UTF-8; bytes, geometry and vectors come back as they were sent; a literal says the same as a parameter.
pub fn strings(data: &[u8]) {
    let text = from_bytes::<String, kind::Text>(data);
    assert_eq!(text.clone().ok().as_deref(), str::from_utf8(data).ok());
    assert_eq!(text, from_text::<String, kind::Text>(data));
    if let Ok(text) = text {
        assert_eq!(
            there_and_back::<String, _, kind::Text>(&text).as_ref(),
            Some(&text)
        );
        assert_eq!(literal(&text), [b"_utf8mb4 X'", &*hex(data), b"'"].concat());
    }
    let bytes = from_bytes::<Vec<u8>, kind::Bytes>(data).expect("any bytes");
    assert_eq!(bytes, data);
    assert_eq!(
        there_and_back::<Vec<u8>, _, kind::Bytes>(&bytes),
        Some(bytes.clone())
    );
    assert_eq!(literal(&bytes), [b"_binary X'", &*hex(data), b"'"].concat());
    assert_eq!(
        from_bytes::<[u8; 6], kind::Bytes>(data).is_ok(),
        data.len() == 6
    );
    let geometry = from_bytes::<Geometry, kind::Geometry>(data);
    assert_eq!(geometry.is_ok(), data.len() >= 4);
    if let Ok(geometry) = geometry {
        assert_eq!(
            there_and_back::<Vec<u8>, _, kind::Bytes>(&geometry),
            Some(bytes.clone())
        );
    }
    let vector = from_bytes::<Vec<f32>, kind::Vector>(data);
    assert_eq!(vector.is_ok(), data.len().is_multiple_of(4));
    if let Ok(vector) = vector {
        assert_eq!(
            there_and_back::<Vec<u8>, _, kind::Bytes>(&vector),
            Some(bytes)
        );
    }
    floats(data);
}

/// Numbers with a point: bit for bit in binary, and text that reads as the same number.
fn floats(data: &[u8]) {
    let Ok(number) = Unstructured::new(data).arbitrary::<f64>() else {
        return;
    };
    let row = row_of(&number.to_le_bytes());
    let read = from_row::<f64, kind::Double>(&row).expect("eight bytes");
    assert_eq!(read.to_bits(), number.to_bits());
    if number.is_finite() {
        assert_eq!(
            there_and_back::<f64, _, kind::Double>(&number),
            Some(number)
        );
        assert_eq!(
            from_text::<f64, kind::Double>(&literal(&number)),
            Ok(number)
        );
    } else {
        assert_eq!(sent::<f64, kind::Any>(&number), None);
    }
}

fn literal(value: &(impl Encode<kind::Any> + ?Sized)) -> Vec<u8> {
    let mut writer = LiteralWriter::new("?").expect("a placeholder");
    value.encode(&mut writer).expect("a value of SQL");
    writer.finish().expect("one value").into_bytes()
}

fn hex(bytes: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .flat_map(|byte| format!("{byte:02X}").into_bytes())
        .collect()
}

use super::*;
use crate::temporal::{Date, DateTime, Time};

/// A row of one value that is not NULL.
fn one(value: &[u8]) -> Vec<u8> {
    [&[0, 0], value].concat()
}

fn read<T>(
    value: &[u8],
    read: impl FnOnce(&mut RowReader<'_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeErrorKind> {
    let payload = one(value);
    let mut row = RowReader::new(&payload, 1).unwrap();
    let value = read(&mut row).map_err(|error| error.kind)?;
    row.finish().map_err(|error| error.kind)?;
    Ok(value)
}

fn text<T>(
    value: &str,
    read: impl FnOnce(&mut TextRow<'_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeErrorKind> {
    let payload = [&[u8::try_from(value.len()).unwrap()], value.as_bytes()].concat();
    let mut row = TextRow::new(&payload);
    let value = read(&mut row).map_err(|error| error.kind)?;
    row.finish().map_err(|error| error.kind)?;
    Ok(value)
}

fn time(negative: bool, hours: u16, minutes: u8, seconds: u8, micros: u32) -> Time {
    Time::new(negative, hours, minutes, seconds, micros).unwrap()
}

#[test]
fn times_as_servers_send_them() {
    let cases: [(&[u8], Time); 7] = [
        (&[0], Time::default()),
        (&[8, 1, 0, 0, 0, 0, 1, 2, 3], time(true, 1, 2, 3, 0)),
        (
            &[12, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
            time(true, 0, 0, 0, 1),
        ),
        (&[8, 0, 1, 0, 0, 0, 0, 0, 0], time(false, 24, 0, 0, 0)),
        (
            &[8, 0, 0x22, 0, 0, 0, 0x16, 0x3b, 0x3b],
            time(false, 838, 59, 59, 0),
        ),
        (
            &[8, 1, 0x22, 0, 0, 0, 0x16, 0x3b, 0x3b],
            time(true, 838, 59, 59, 0),
        ),
        (
            &[12, 0, 0x22, 0, 0, 0, 0x16, 0x3b, 0x3b, 0x3f, 0x42, 0x0f, 0],
            Time::MAX,
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read(bytes, |row| row.time(0)), Ok(expected));
        assert_eq!(text(&expected.to_string(), |row| row.time(0)), Ok(expected));
    }
}

#[test]
fn impossible_times_are_errors() {
    let cases: [&[u8]; 8] = [
        &[1, 0],
        &[7, 0, 0, 0, 0, 0, 0, 0],
        &[8, 2, 0, 0, 0, 0, 1, 2, 3],
        &[8, 0, 0, 0, 0, 0, 24, 0, 0],
        &[8, 0, 0, 0, 0, 0, 0, 60, 0],
        &[8, 0, 35, 0, 0, 0, 0, 0, 0],
        &[8, 0, 255, 255, 255, 255, 23, 59, 59],
        &[12, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x42, 0x0f, 0],
    ];
    for bytes in cases {
        assert_eq!(
            read(bytes, |row| row.time(0)),
            Err(DecodeErrorKind::InvalidDate),
            "{bytes:?}"
        );
    }
    for value in [
        "",
        "1:2",
        "839:00:00",
        "-",
        "1:60:00",
        "1:00:60",
        "a:b:c",
        "+1:00:00",
        "1:00:00.1234567",
        "1:00:00.-1",
    ] {
        assert_eq!(
            text(value, |row| row.time(0)),
            Err(DecodeErrorKind::InvalidDate),
            "{value:?}"
        );
    }
}

#[test]
fn dates_as_servers_send_them() {
    let day = |year, month, day| Date::new(year, month, day).unwrap();
    let cases: [(&[u8], DateTime); 5] = [
        (&[0], DateTime::default()),
        (&[4, 0xe8, 7, 0, 0], day(2024, 0, 0).into()),
        (&[4, 0xe8, 7, 1, 2], day(2024, 1, 2).into()),
        (
            &[7, 0xe8, 7, 1, 2, 3, 4, 5],
            DateTime::new(day(2024, 1, 2), 3, 4, 5, 0).unwrap(),
        ),
        (
            &[11, 0xe8, 7, 1, 2, 0, 0, 0, 1, 0, 0, 0],
            DateTime::new(day(2024, 1, 2), 0, 0, 0, 1).unwrap(),
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read(bytes, |row| row.datetime(0)), Ok(expected));
        assert_eq!(
            text(&expected.to_string(), |row| row.datetime(0)),
            Ok(expected)
        );
    }
    assert_eq!(
        text("2024-01-02", |row| row.datetime(0)),
        Ok(day(2024, 1, 2).into())
    );
    assert_eq!(text("0000-00-00", |row| row.date(0)), Ok(Date::ZERO));
    assert_eq!(
        read(&[4, 0xe8, 7, 1, 2], |row| row.date(0)),
        Ok(day(2024, 1, 2))
    );
    assert_eq!(
        read(&[7, 0xe8, 7, 1, 2, 3, 4, 5], |row| row.date(0)),
        Err(DecodeErrorKind::OutOfRange),
        "a DATETIME is a DATE only at midnight"
    );
}

#[test]
fn impossible_dates_are_errors() {
    let cases: [&[u8]; 6] = [
        &[4, 0xff, 0x3f, 0x0f, 0x1f], // seen on MySQL 9.7: a DATE column that held 'abc'
        &[4, 0xe8, 7, 13, 1],
        &[4, 0xe8, 7, 1, 32],
        &[5, 0xe8, 7, 1, 1, 1],
        &[7, 0xe8, 7, 1, 1, 24, 0, 0],
        &[13, 0xe8, 7, 1, 2, 3, 4, 5, 0, 0, 0, 0, 60, 0],
    ];
    for bytes in cases {
        assert_eq!(
            read(bytes, |row| row.datetime(0)),
            Err(DecodeErrorKind::InvalidDate),
            "{bytes:?}"
        );
    }
    for value in [
        "",
        "2024",
        "2024-1",
        "2024-13-01",
        "10000-01-01",
        "2024-01-01 ",
        "2024-01-01 24:00:00",
        "-024-01-01",
    ] {
        assert_eq!(
            text(value, |row| row.datetime(0)),
            Err(DecodeErrorKind::InvalidDate),
            "{value:?}"
        );
    }
}

#[test]
fn numbers_of_both_protocols() {
    assert_eq!(read(&0.1_f32.to_le_bytes(), |row| row.f32(0)), Ok(0.1));
    assert_eq!(read(&[0xff; 8], |row| row.i64(0)), Ok(-1));
    assert_eq!(read(&[0x6b, 8], |row| row.u16(0)), Ok(2155));
    assert_eq!(text("-128", |row| row.i8(0)), Ok(-128));
    assert_eq!(text("0000007", |row| row.u32(0)), Ok(7), "ZEROFILL");
    assert_eq!(text("18446744073709551615", |row| row.u64(0)), Ok(u64::MAX));
    assert_eq!(
        text("128", |row| row.i8(0)),
        Err(DecodeErrorKind::OutOfRange)
    );
    assert_eq!(
        text("1.5", |row| row.i64(0)),
        Err(DecodeErrorKind::InvalidNumber)
    );
    assert_eq!(
        text("1.7976931348623157e308", |row| row.f64(0)),
        Ok(f64::MAX)
    );
}

#[test]
fn null_bits_begin_at_the_third() {
    // 10 columns: null,1,null,1,null,1,null,1,null,null
    let payload = [0, 0x54, 0x0d, 1, 1, 1, 1];
    let mut row = RowReader::new(&payload, 10).unwrap();
    for index in 0..10 {
        let null = row.is_null(index);
        assert_eq!(null, index % 2 == 0 || index == 9, "{index}");
        if !null {
            assert_eq!(row.i8(index), Ok(1));
        }
    }
    row.finish().unwrap();
}

#[test]
fn null_in_a_column_that_has_none_names_the_column() {
    let mut payload = vec![0; 1 + 26];
    let columns = 200;
    for (column, at) in [(63, 1 + 65 / 8), (150, 1 + 152 / 8)] {
        *payload.get_mut(at).unwrap() |= 1 << ((column + 2) % 8);
    }
    let mut row = RowReader::new(&payload, columns).unwrap();
    assert_eq!(row.expect_not_null(&[0xff; 8]), Ok(()));
    static ALL: [u8; 26] = [0xff; 26];
    assert_eq!(
        row.expect_not_null(&ALL),
        Err(DecodeErrorKind::UnexpectedNull.at(63))
    );
    static LATE: [u8; 20] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    assert_eq!(
        row.expect_not_null(&LATE),
        Err(DecodeErrorKind::UnexpectedNull.at(150))
    );
    assert!(row.is_null(63) && row.is_null(150) && !row.is_null(64));

    let mut row = RowReader::new(&[0, 0b100], 1).unwrap();
    assert_eq!(
        row.expect_not_null(&[0b100]),
        Err(DecodeErrorKind::UnexpectedNull.at(0))
    );
    assert_eq!(row.expect_not_null(&[0b1000]), Ok(()));
    let mut row = TextRow::new(&[0xfb, 0xfb]);
    assert!(row.is_null(0));
    assert_eq!(row.i64(1), Err(DecodeErrorKind::UnexpectedNull.at(1)));
}

#[test]
fn every_read_fails_on_every_truncated_row_and_none_panics() {
    type Read = fn(&mut RowReader<'_>) -> Result<(), DecodeError>;
    let reads: [(&[u8], Read); 8] = [
        (&[1, 2, 3, 4, 5, 6, 7, 8], |row| row.i64(0).map(drop)),
        (&[1, 2, 3, 4], |row| row.f32(0).map(drop)),
        (&[1, 2], |row| row.u16(0).map(drop)),
        (&[3, b'a', b'b', b'c'], |row| row.str(0).map(drop)),
        (&[0xfc, 3, 0, b'a', b'b', b'c'], |row| {
            row.bytes(0).map(drop)
        }),
        (&[0xfd, 3, 0, 0, b'a', b'b', b'c'], |row| {
            row.bytes(0).map(drop)
        }),
        (&[0xfe, 1, 0, 0, 0, 0, 0, 0, 0, b'a'], |row| {
            row.bytes(0).map(drop)
        }),
        (&[11, 0xe8, 7, 1, 2, 0, 0, 0, 1, 0, 0, 0], |row| {
            row.datetime(0).map(drop)
        }),
    ];
    for (value, read) in reads {
        let payload = one(value);
        for end in 0..payload.len() {
            let result =
                RowReader::new(payload.get(..end).unwrap(), 1).and_then(|mut row| read(&mut row));
            assert!(result.is_err(), "{value:?} cut at {end}");
        }
        let mut row = RowReader::new(&payload, 1).unwrap();
        read(&mut row).unwrap();
        row.finish().unwrap();
    }
}

#[test]
fn hostile_lengths_are_errors() {
    for value in [
        &[0xfb][..],
        &[0xff],
        &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
        &[250, 1],
    ] {
        assert_eq!(
            read(value, |row| row.bytes(0).map(drop)),
            Err(DecodeErrorKind::Truncated),
            "{value:?}"
        );
    }
    assert_eq!(
        read(&[2, 0xff, 0xfe], |row| row.str(0).map(drop)),
        Err(DecodeErrorKind::InvalidUtf8)
    );
    assert_eq!(
        read(&[1, 2], |row| row.i8(0)),
        Err(DecodeErrorKind::TrailingBytes)
    );
    assert_eq!(
        RowReader::new(&[0xff, 0], 1).unwrap_err().kind,
        DecodeErrorKind::InvalidHeader
    );
    assert_eq!(
        RowReader::new(&[], 1).unwrap_err().kind,
        DecodeErrorKind::InvalidHeader
    );
    assert_eq!(
        RowReader::new(&[0, 0], 7).unwrap_err().kind,
        DecodeErrorKind::Truncated
    );
}

use super::*;
use crate::row::{RowReader, Source};

fn encode(
    types: &[ParamType],
    send_types: bool,
    write: impl FnOnce(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
) -> Result<Vec<u8>, EncodeError> {
    let mut out = Vec::new();
    let mut writer = ParamWriter::new(&mut out, types, send_types);
    write(&mut writer)?;
    writer.finish()?;
    Ok(out)
}

fn literal(
    sql: &str,
    write: impl FnOnce(&mut LiteralWriter<'_>) -> Result<(), EncodeError>,
) -> String {
    let mut writer = LiteralWriter::new(sql).unwrap();
    write(&mut writer).unwrap();
    writer.finish().unwrap()
}

#[test]
fn nulls_keep_their_type_and_set_a_bit() {
    let bytes = encode(
        &[ParamType::I32, ParamType::TEXT, ParamType::U64],
        true,
        |out| {
            out.null()?;
            out.text("é")?;
            out.u64(1)
        },
    );
    assert_eq!(
        bytes.unwrap(),
        [
            0b001, 1, 3, 0, 253, 0, 8, 0x80, 2, 0xc3, 0xa9, 1, 0, 0, 0, 0, 0, 0, 0
        ]
    );
    let nine = [ParamType::I8; 9];
    let bytes = encode(&nine, false, |out| {
        (0..8)
            .try_for_each(|value| out.i8(value))
            .and_then(|()| out.null())
    });
    assert_eq!(bytes.unwrap(), [0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(encode(&[], true, |_| Ok(())).unwrap(), [0_u8; 0]);
}

#[test]
fn a_wrong_number_of_values_is_an_error() {
    let expected = EncodeErrorKind::Count { expected: 1 };
    assert_eq!(
        encode(&[ParamType::I8], true, |_| Ok(())).unwrap_err().kind,
        expected
    );
    assert_eq!(
        encode(&[ParamType::I8], true, |out| out
            .null()
            .and_then(|()| out.null()))
        .unwrap_err()
        .kind,
        expected
    );
    let mut writer = LiteralWriter::new("?").unwrap();
    assert_eq!(writer.clone().finish().unwrap_err().kind, expected);
    writer.null().unwrap();
    assert_eq!(writer.null().unwrap_err().kind, expected);
}

#[test]
fn dates_and_times_are_as_short_as_they_can_be() {
    let one = |types, write: fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>| {
        encode(&[types], false, write).unwrap().split_off(2)
    };
    let day = Date::new(2024, 1, 2).unwrap();
    assert_eq!(
        one(ParamType::DATE, |out| out
            .date(Date::new(2024, 1, 2).unwrap())),
        [4, 0xe8, 7, 1, 2]
    );
    assert_eq!(
        one(ParamType::DATETIME, |out| out
            .datetime(Date::new(2024, 1, 2).unwrap().into())),
        [4, 0xe8, 7, 1, 2]
    );
    let mut out = Vec::new();
    ParamWriter::new(&mut out, &[ParamType::DATETIME], false)
        .datetime(DateTime::new(day, 3, 4, 5, 6).unwrap())
        .unwrap();
    assert_eq!(out.split_off(2), [11, 0xe8, 7, 1, 2, 3, 4, 5, 6, 0, 0, 0]);
    assert_eq!(one(ParamType::TIME, |out| out.time(Time::default())), [0]);
    assert_eq!(
        one(ParamType::TIME, |out| out
            .time(Time::new(true, 838, 59, 59, 0).unwrap())),
        [8, 1, 34, 0, 0, 0, 22, 59, 59]
    );
    assert_eq!(
        one(ParamType::TIME, |out| out.time(Time::MAX)),
        [12, 0, 34, 0, 0, 0, 22, 59, 59, 0x3f, 0x42, 0x0f, 0]
    );
}

#[test]
fn what_sql_cannot_hold_is_an_error() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            encode(&[ParamType::F64], true, |out| out.f64(value)).unwrap_err(),
            EncodeErrorKind::NotFinite.at(0)
        );
        assert!(LiteralWriter::new("?").unwrap().f64(value).is_err());
    }
    for value in ["", "-", "1e5", "0x1", "1;", "1.1.1", "."] {
        assert!(
            encode(&[ParamType::DECIMAL], true, |out| out.decimal(value)).is_err(),
            "{value}"
        );
        assert!(
            LiteralWriter::new("?").unwrap().decimal(value).is_err(),
            "{value}"
        );
    }
    assert_eq!(Time::new(false, 839, 0, 0, 0), None);
    assert_eq!(Time::from_micros(i64::MIN), None);
}

#[test]
#[cfg_attr(miri, ignore = "16 MiB take minutes there")]
fn long_strings_read_back() {
    for length in [0, 250, 251, 65_535, 65_536, 16_777_216] {
        let value = vec![b'x'; length];
        let params = encode(&[ParamType::BYTES], false, |out| out.bytes(&value)).unwrap();
        // Bitmap and flag of one parameter are as long as header and bitmap of one column.
        let mut row = RowReader::new(&params, 1).unwrap();
        assert_eq!(row.bytes(0).unwrap().len(), length);
        row.finish().unwrap();
    }
}

#[test]
fn literals_leave_nothing_to_escape() {
    let sql = literal("SELECT ?, ?, ?, ?, ?, ?, ?, ?", |out| {
        out.null()?;
        out.i64(i64::MIN)?;
        out.f64(0.1)?;
        out.f32(16_777_217.0)?;
        out.text("it's ?\\")?;
        out.bytes(&[0, 255])?;
        out.decimal("-1.50")?;
        out.decimal("7")
    });
    assert_eq!(
        sql,
        "SELECT NULL, -9223372036854775808, 1e-1, 1.6777216e7, _utf8mb4 X'69742773203F5C', _binary X'00FF', -1.50, 7."
    );
    let sql = literal("SELECT ?, ?, ?, ?, ?", |out| {
        out.date(Date::ZERO)?;
        out.date(Date::new(2024, 2, 29).unwrap())?;
        out.datetime(DateTime::new(Date::new(2024, 2, 29).unwrap(), 1, 2, 3, 40).unwrap())?;
        out.time(Time::MIN)?;
        out.time(Time::default())
    });
    assert_eq!(
        sql,
        "SELECT '0000-00-00', DATE'2024-02-29', TIMESTAMP'2024-02-29 01:02:03.000040', '-838:59:59.999999', TIME'00:00:00'"
    );
}

/// `SELECT?` is a statement, and `SELECT7` none.
#[test]
fn a_value_beside_a_word_stays_a_value() {
    let beside = |sql| literal(sql, |out| out.i8(7));
    assert_eq!(beside("SELECT?"), "SELECT 7");
    assert_eq!(beside("SELECT?'a'"), "SELECT 7 'a'");
    assert_eq!(beside("a=?"), "a=7");
    let sql = literal("SELECT'a'?`b`,é?", |out| {
        out.text("x").and_then(|()| out.decimal("7"))
    });
    assert_eq!(sql, "SELECT'a' _utf8mb4 X'78' `b`,é 7.");
}

/// 65 digits are the longest there are.
#[test]
fn a_decimal_gets_no_digit_more() {
    let nines = "9".repeat(65);
    assert_eq!(literal("?", |out| out.decimal(&nines)), nines + ".");
}

#[test]
fn a_negative_number_behind_a_minus_does_not_begin_a_comment() {
    assert_eq!(
        literal("SELECT 5-?-? -?", |out| out
            .i8(-1)
            .and_then(|()| out.f64(-2.0))
            .and_then(|()| out.decimal("-3"))),
        "SELECT 5-(-1)-(-2e0) -(-3.)"
    );
}

#[test]
fn placeholders_are_not_in_quotes_comments_or_names() {
    let cases: [(&str, &[usize]); 15] = [
        ("?", &[0]),
        ("SELECT '?', ?", &[12]),
        ("'it''s ?' ?", &[10]),
        (r"'\'?' ?", &[6]),
        ("\"?\"\"\" ?", &[6]),
        ("`?\\` ?", &[5]),
        ("-- ?\n?", &[5]),
        ("--?", &[2]),
        ("# ?\n?", &[4]),
        ("/* ? */ ?", &[8]),
        ("/*! ? */ ?", &[4, 9]),
        ("/*! ? */*/ ? */ 1", &[4, 11]),
        ("/*! ? */*? */", &[4, 9]),
        ("2 */* ? */ ?", &[11]),
        ("é ?", &[3]),
    ];
    for (sql, expected) in cases {
        assert_eq!(placeholders(sql).unwrap(), expected, "{sql}");
    }
    for (sql, offset) in [
        ("SELECT '?", 7),
        ("a /* ?", 2),
        ("`", 0),
        (r"'\'", 0),
        ("/*", 0),
    ] {
        assert_eq!(placeholders(sql), Err(SpliceError { offset }), "{sql}");
    }
    assert_eq!(
        splice("a ? b '?' ?", &["1", "2"]).unwrap().unwrap(),
        "a 1 b '?' 2"
    );
    assert_eq!(splice("?", &["1", "2"]).unwrap(), None);
}

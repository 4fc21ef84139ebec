use std::convert::Infallible;

use ark_mysql_proto::column_type::{ColumnFlags, ColumnType};
use ark_mysql_proto::{DecodeErrorKind, RowReader, Source};

use super::*;

const UNSIGNED: u16 = 32;

fn definition(name: &str, column_type: ColumnType, flags: u16) -> ColumnDefinition<'_> {
    let charset = if matches!(column_type, ColumnType::VAR_STRING) {
        45
    } else {
        63
    };
    ColumnDefinition {
        schema: "",
        table: "",
        org_table: "",
        name,
        org_name: "",
        extended_type: None,
        extended_format: None,
        charset,
        length: 20,
        column_type,
        flags: ColumnFlags(flags),
        decimals: 0,
    }
}

const fn spec(name: &'static str, kind: Kind) -> ColumnSpec {
    ColumnSpec {
        name,
        kind,
        nullable: true,
        named: false,
    }
}

fn compared(expected: &'static [ColumnSpec], found: &[ColumnDefinition<'_>]) -> Layout {
    compare::<Infallible>(expected, found.iter().map(|&definition| Ok(definition))).unwrap()
}

/// What the only column's values become: expected kind, type that came, its bytes.
fn adapted(
    expected: Kind,
    column_type: ColumnType,
    flags: u16,
    value: &[u8],
) -> Result<Vec<u8>, DecodeErrorKind> {
    let expected: &'static [ColumnSpec] = Box::leak(Box::new([spec("c", expected)]));
    let Layout::Adapt(plan) = compared(expected, &[definition("c", column_type, flags)]) else {
        panic!("there should be a plan");
    };
    let mut out = vec![1, 2, 3];
    plan.rewrite(&[&[0, 0], value].concat(), &mut out)
        .map_err(|error| error.kind)?;
    assert!(out.starts_with(&[0, 0]));
    Ok(out.split_off(2))
}

#[test]
fn the_same_columns_are_exact_and_names_have_no_case() {
    static EXPECTED: [ColumnSpec; 3] = [
        spec("id", Kind::BigIntUnsigned),
        spec("Name", Kind::Text),
        spec("at", Kind::Timestamp),
    ];
    let found = [
        definition("ID", ColumnType::LONGLONG, UNSIGNED),
        definition("name", ColumnType::VAR_STRING, 0),
        definition("at", ColumnType::DATETIME, 128),
    ];
    assert!(matches!(compared(&EXPECTED, &found), Layout::Exact));
}

#[test]
fn an_expression_called_by_its_text_may_hold_the_values_of_its_parameters() {
    static EXPECTED: [ColumnSpec; 1] = [spec("LEFT(data, ?)", Kind::Bytes)];
    let found = [definition("LEFT(data, 10)", ColumnType::BLOB, 0)];
    assert!(matches!(compared(&EXPECTED, &found), Layout::Exact));
    let found = [definition("LEFT(data, 10)", ColumnType::LONGLONG, 0)];
    assert!(matches!(compared(&EXPECTED, &found), Layout::Changed(_)));
}

#[test]
fn a_changed_table_names_every_difference() {
    static EXPECTED: [ColumnSpec; 3] = [
        spec("id", Kind::BigInt),
        spec("name", Kind::Text),
        spec("at", Kind::Date),
    ];
    let found = [
        definition("id", ColumnType::DOUBLE, 0),
        definition("email", ColumnType::VAR_STRING, 0),
        definition("at", ColumnType::TIME, 128),
        definition("more", ColumnType::LONG, 0),
    ];
    let Layout::Changed(differences) = compared(&EXPECTED, &found) else {
        panic!("a DOUBLE of the same width must not be read as BIGINT");
    };
    let printed: Vec<_> = differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        printed,
        [
            "3 columns expected, 4 came",
            "column `id`: BIGINT expected, DOUBLE came",
            "column 2: `name` expected, `email` came",
            "column `at`: DATE expected, TIME came",
        ]
    );
    assert!(matches!(compared(&EXPECTED, &[]), Layout::Changed(_)));
    assert!(matches!(compared(&[], &[]), Layout::Exact));
}

#[test]
fn computed_integers_come_in_all_widths() {
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::LONG, 0, &[0xfe, 0xff, 0xff, 0xff]),
        Ok((-2_i64).to_le_bytes().into())
    );
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::LONG, UNSIGNED, &[0xff; 4]),
        Ok(4_294_967_295_i64.to_le_bytes().into())
    );
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::YEAR, UNSIGNED | 64, &[0x6b, 8]),
        Ok(2155_i64.to_le_bytes().into())
    );
    assert_eq!(
        adapted(Kind::Year, ColumnType::LONG, 0, &[0x6b, 8, 0, 0]),
        Ok(vec![0x6b, 8])
    );
    assert_eq!(
        adapted(Kind::Int, ColumnType::LONGLONG, 0, &5_i64.to_le_bytes()),
        Ok(5_i32.to_le_bytes().into())
    );
    assert_eq!(
        adapted(Kind::Bool, ColumnType::LONGLONG, 0, &1_i64.to_le_bytes()),
        Ok(vec![1])
    );
}

#[test]
fn values_that_do_not_fit_are_errors_never_other_values() {
    let out_of_range = Err(DecodeErrorKind::OutOfRange);
    assert_eq!(
        adapted(
            Kind::Int,
            ColumnType::LONGLONG,
            0,
            &(1_i64 << 31).to_le_bytes()
        ),
        out_of_range
    );
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::LONGLONG, UNSIGNED, &[0xff; 8]),
        out_of_range
    );
    assert_eq!(
        adapted(Kind::BigIntUnsigned, ColumnType::LONGLONG, 0, &[0xff; 8]),
        out_of_range
    );
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::NEWDECIMAL, 0, b"\x036.7"),
        out_of_range
    );
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::NEWDECIMAL, 0, b"\x03abc"),
        Err(DecodeErrorKind::InvalidNumber)
    );
    assert_eq!(
        adapted(
            Kind::Double,
            ColumnType::LONGLONG,
            0,
            &i64::MAX.to_le_bytes()
        ),
        out_of_range
    );
    assert_eq!(
        adapted(
            Kind::Double,
            ColumnType::NEWDECIMAL,
            0,
            b"\x11.1234567890123456"
        ),
        out_of_range
    );
    assert_eq!(
        adapted(
            Kind::Decimal,
            ColumnType::DOUBLE,
            0,
            &f64::NAN.to_le_bytes()
        ),
        out_of_range
    );
    assert_eq!(
        adapted(Kind::Null, ColumnType::LONG, 0, &[1, 0, 0, 0]),
        Err(DecodeErrorKind::UnexpectedValue)
    );
}

#[test]
fn decimals_and_floats_stand_for_each_other_where_nothing_is_lost() {
    assert_eq!(
        adapted(Kind::BigInt, ColumnType::NEWDECIMAL, 0, b"\x046.00"),
        Ok(6_i64.to_le_bytes().into())
    );
    assert_eq!(
        adapted(Kind::Decimal, ColumnType::LONG, 0, &[0xff; 4]),
        Ok(b"\x02-1".to_vec())
    );
    assert_eq!(
        adapted(
            Kind::Decimal,
            ColumnType::DOUBLE,
            0,
            &12.34_f64.to_le_bytes()
        ),
        Ok(b"\x0512.34".to_vec())
    );
    assert_eq!(
        adapted(Kind::Double, ColumnType::NEWDECIMAL, 0, b"\x0412.5"),
        Ok(12.5_f64.to_le_bytes().into())
    );
    assert_eq!(
        adapted(Kind::Double, ColumnType::FLOAT, 0, &0.5_f32.to_le_bytes()),
        Ok(0.5_f64.to_le_bytes().into())
    );
    static FLOAT: [ColumnSpec; 1] = [spec("c", Kind::Float)];
    assert!(matches!(
        compared(&FLOAT, &[definition("c", ColumnType::DOUBLE, 0)]),
        Layout::Changed(_)
    ));
}

#[test]
fn kinds_that_look_alike_need_no_plan() {
    let alike = [
        (Kind::Json, ColumnType::VAR_STRING),
        (Kind::Enum, ColumnType::VAR_STRING),
        (Kind::Uuid, ColumnType::VAR_STRING),
        (Kind::Text, ColumnType::JSON),
        (Kind::Date, ColumnType::DATETIME),
        (Kind::DateTime, ColumnType::DATE),
        (Kind::Vector, ColumnType::BLOB),
        (Kind::Bool, ColumnType::TINY),
        (Kind::Null, ColumnType::VAR_STRING),
        (Kind::BigInt, ColumnType::NULL),
    ];
    for (kind, column_type) in alike {
        let expected: &'static [ColumnSpec] = Box::leak(Box::new([spec("c", kind)]));
        let found = [definition("c", column_type, 0)];
        let layout = compared(expected, &found);
        assert!(matches!(layout, Layout::Exact), "{kind} {column_type:?}");
    }
    for (kind, column_type) in [
        (Kind::Text, ColumnType::BLOB),
        (Kind::Bytes, ColumnType::VAR_STRING),
        (Kind::Enum, ColumnType::JSON),
    ] {
        let expected: &'static [ColumnSpec] = Box::leak(Box::new([spec("c", kind)]));
        let found = [definition("c", column_type, 0)];
        assert!(
            matches!(compared(expected, &found), Layout::Changed(_)),
            "{kind} {column_type:?}"
        );
    }
}

#[test]
fn a_plan_keeps_nulls_and_the_columns_that_fit() {
    static EXPECTED: [ColumnSpec; 4] = [
        spec("a", Kind::BigInt),
        spec("b", Kind::Text),
        spec("c", Kind::BigInt),
        spec("d", Kind::DateTime),
    ];
    let found = [
        definition("a", ColumnType::LONG, 0),
        definition("b", ColumnType::VAR_STRING, 0),
        definition("c", ColumnType::LONG, 0),
        definition("d", ColumnType::DATETIME, 128),
    ];
    let Layout::Adapt(plan) = compared(&EXPECTED, &found) else {
        panic!("two columns need one")
    };
    let row = [0, 0b100, 1, b'x', 7, 0, 0, 0, 4, 0xe8, 7, 1, 2];
    let mut out = Vec::new();
    plan.rewrite(&row, &mut out).unwrap();
    let mut reader = RowReader::new(&out, 4).unwrap();
    assert!(reader.is_null(0));
    assert_eq!(reader.str(1), Ok("x"));
    assert_eq!(reader.i64(2), Ok(7));
    assert_eq!(
        reader.datetime(3).unwrap().to_string(),
        "2024-01-02 00:00:00"
    );
    reader.finish().unwrap();

    for end in 0..row.len() {
        assert!(
            plan.rewrite(row.get(..end).unwrap(), &mut out).is_err(),
            "cut at {end}"
        );
    }
    assert!(plan.rewrite(&[&row[..], &[0]].concat(), &mut out).is_err());
}

/// Servers have several names for an expression; for a column of a table only one.
#[test]
fn an_expression_that_the_statement_names_may_come_under_any_name() {
    const fn named(name: &'static str, kind: Kind) -> ColumnSpec {
        ColumnSpec {
            named: true,
            ..spec(name, kind)
        }
    }
    static EXPECTED: [ColumnSpec; 3] = [
        named("x", Kind::BigInt),
        named("y", Kind::BigInt),
        spec("z", Kind::Text),
    ];
    let long = |name| definition(name, ColumnType::LONGLONG, 0);
    let text = |name| definition(name, ColumnType::VAR_STRING, 0);
    let differences = |found: &[ColumnDefinition<'_>]| match compared(&EXPECTED, found) {
        Layout::Changed(differences) => differences.len(),
        Layout::Exact | Layout::Adapt(_) => 0,
    };
    assert_eq!(differences(&[long("y"), long("y"), text("z")]), 0);
    assert_eq!(differences(&[long("inner"), long("inner"), text("z")]), 0);
    // What `*` gives is known by its name alone, and a type is a type.
    assert_eq!(differences(&[long("x"), long("y"), text("w")]), 1);
    assert_eq!(differences(&[text("y"), long("y"), text("z")]), 1);
    let of_table = ColumnDefinition {
        table: "t",
        org_table: "t",
        ..long("y")
    };
    assert_eq!(differences(&[of_table, long("y"), text("z")]), 1);
    assert_eq!(differences(&[long("y"), long("y")]), 1, "only the count");
}

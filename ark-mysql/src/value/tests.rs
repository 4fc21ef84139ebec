use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use ark_mysql_proto::params::splice;
use ark_mysql_proto::{
    DecodeErrorKind, EncodeErrorKind, LiteralWriter, ParamWriter, RowReader, TextRow,
};
use proptest::prelude::*;

use super::*;
use crate::types::{Date, DateTime, Decimal, Geometry, Time};

/// Reads a one-column binary row; the bytes are those of the value.
fn binary<'r, T: Column<'r, C>, C>(payload: &'r [u8]) -> Result<T, DecodeErrorKind> {
    let mut row = RowReader::new(payload, 1).map_err(|error| error.kind)?;
    let value = T::decode(&mut row, 0).map_err(|error| error.kind)?;
    row.finish().map_err(|error| error.kind)?;
    Ok(value)
}

fn text<'r, T: Column<'r, C>, C>(payload: &'r [u8]) -> Result<T, DecodeErrorKind> {
    let mut row = TextRow::new(payload);
    let value = T::decode(&mut row, 0).map_err(|error| error.kind)?;
    row.finish().map_err(|error| error.kind)?;
    Ok(value)
}

/// Bitmap (or NULL bit) and value of one parameter: also what a row of one column begins with, but for the place of the bit.
fn sent<K, T: Encode<K> + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeErrorKind> {
    let mut out = Vec::new();
    let mut writer = ParamWriter::new(&mut out, &[T::TYPE], false);
    value.encode(&mut writer).map_err(|error| error.kind)?;
    writer.finish().map_err(|error| error.kind)?;
    if let [nulls, header, ..] = out.as_mut_slice() {
        // Parameters: bitmap, 00; rows: 00, bitmap shifted by two.
        (*header, *nulls) = (*nulls << 2, 0);
    }
    Ok(out)
}

fn literal<K, T: Encode<K>>(value: &T) -> String {
    let mut writer = LiteralWriter::new("?").unwrap();
    value.encode(&mut writer).unwrap();
    writer.finish().unwrap()
}

#[track_caller]
fn comes_back<K, T>(value: T)
where
    K: TakesNull,
    T: Encode<K> + for<'r> Column<'r, NotNull<K>> + PartialEq + Debug + Clone,
{
    let bytes = sent::<K, T>(&value).unwrap();
    assert_eq!(binary::<T, NotNull<K>>(&bytes), Ok(value.clone()));
    let some = Some(value);
    assert_eq!(binary::<Option<T>, Nullable<K>>(&bytes), Ok(some.clone()));
    assert_eq!(binary::<Option<T>, NotNull<K>>(&bytes), Ok(some.clone()));
    assert_eq!(
        sent::<K, Option<T>>(&some).unwrap(),
        bytes,
        "Some(x) is sent as x"
    );

    let null = sent::<K, Option<T>>(&None).unwrap();
    assert_eq!(null, [0, 0b100]);
    assert_eq!(binary::<Option<T>, Nullable<K>>(&null), Ok(None));
    assert_eq!(text::<Option<T>, Nullable<K>>(&[0xfb]), Ok(None));
    assert!(text::<T, NotNull<K>>(&[0xfb]).is_err());
    for end in 0..bytes.len() {
        assert!(
            binary::<T, NotNull<K>>(bytes.get(..end).unwrap()).is_err(),
            "cut at {end}"
        );
    }
}

#[test]
fn every_type_comes_back_as_it_was_sent_and_so_does_its_null() {
    comes_back::<kind::TinyInt, i8>(i8::MIN);
    comes_back::<kind::TinyIntUnsigned, u8>(u8::MAX);
    comes_back::<kind::SmallInt, i16>(i16::MIN);
    comes_back::<kind::SmallIntUnsigned, u16>(u16::MAX);
    comes_back::<kind::Int, i32>(i32::MIN);
    comes_back::<kind::MediumInt, i32>(-8_388_608);
    comes_back::<kind::IntUnsigned, u32>(u32::MAX);
    comes_back::<kind::MediumIntUnsigned, u32>(16_777_215);
    comes_back::<kind::BigInt, i64>(i64::MIN);
    comes_back::<kind::BigIntUnsigned, u64>(u64::MAX);
    comes_back::<kind::Year, u16>(2155);
    comes_back::<kind::Bool, bool>(true);
    comes_back::<kind::Float, f32>(0.1);
    comes_back::<kind::Double, f64>(f64::MIN_POSITIVE);
    comes_back::<kind::Decimal, Decimal>("-12345678901234567890.00001".parse().unwrap());
    comes_back::<kind::Text, String>("grün 🦀".into());
    comes_back::<kind::Bytes, Vec<u8>>(vec![0, 255]);
    comes_back::<kind::Bytes, [u8; 3]>([1, 2, 3]);
    comes_back::<kind::Vector, Vec<f32>>(vec![1.5, -0.5]);
    comes_back::<kind::Geometry, Geometry>(Geometry {
        srid: 4326,
        wkb: vec![1, 1, 0, 0, 0],
    });
    comes_back::<kind::Date, Date>(Date::new(2024, 0, 0).unwrap());
    comes_back::<kind::DateTime, DateTime>(
        DateTime::new(Date::new(2024, 2, 30).unwrap(), 1, 2, 3, 4).unwrap(),
    );
    comes_back::<kind::Time, Time>(Time::MIN);
}

#[test]
fn every_text_type_borrows_or_owns_the_same_text() {
    let row = [0, 0, 2, 0xc3, 0xa9];
    assert_eq!(binary::<&str, NotNull<kind::Text>>(&row), Ok("é"));
    assert_eq!(
        binary::<Cow<'_, str>, NotNull<kind::Enum>>(&row),
        Ok(Cow::Borrowed("é"))
    );
    assert_eq!(binary::<Box<str>, NotNull<kind::Set>>(&row), Ok("é".into()));
    assert_eq!(
        binary::<Arc<str>, NotNull<kind::Uuid>>(&row),
        Ok("é".into())
    );
    assert_eq!(
        binary::<Option<&str>, Nullable<kind::Json>>(&row),
        Ok(Some("é"))
    );
    assert_eq!(
        binary::<&[u8], NotNull<kind::Bytes>>(&row),
        Ok(&[0xc3, 0xa9][..])
    );
    assert_eq!(
        binary::<Arc<[u8]>, NotNull<kind::Bytes>>(&row),
        Ok([0xc3, 0xa9].into())
    );
    assert_eq!(
        binary::<[u8; 3], NotNull<kind::Bytes>>(&row),
        Err(DecodeErrorKind::InvalidLength)
    );
    assert_eq!(
        binary::<&str, NotNull<kind::Text>>(&[0, 0, 1, 0xff]),
        Err(DecodeErrorKind::InvalidUtf8)
    );
    assert_eq!(
        binary::<&str, NotNull<kind::Enum>>(&[0, 0, 0]),
        Ok(""),
        "the ENUM's index 0"
    );
}

#[test]
fn integers_widen_without_loss() {
    assert_eq!(binary::<i64, NotNull<kind::TinyInt>>(&[0, 0, 0xff]), Ok(-1));
    assert_eq!(
        binary::<i64, NotNull<kind::IntUnsigned>>(&[0, 0, 0xff, 0xff, 0xff, 0xff]),
        Ok(4_294_967_295)
    );
    assert_eq!(
        binary::<u64, NotNull<kind::TinyIntUnsigned>>(&[0, 0, 0xff]),
        Ok(255)
    );
    assert_eq!(
        binary::<i8, NotNull<kind::Bool>>(&[0, 0, 0x80]),
        Ok(-128),
        "a TINYINT(1) holds more than 0 and 1"
    );
    assert_eq!(
        binary::<f64, NotNull<kind::Float>>(&[0, 0, 0, 0, 0, 0x3f]),
        Ok(0.5)
    );
}

#[test]
fn a_bool_is_zero_or_one() {
    assert_eq!(binary::<bool, NotNull<kind::Bool>>(&[0, 0, 0]), Ok(false));
    assert_eq!(
        binary::<bool, NotNull<kind::Bool>>(&[0, 0, 2]),
        Err(DecodeErrorKind::InvalidBool)
    );
    assert_eq!(
        binary::<bool, NotNull<kind::BigInt>>(&[0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        Err(DecodeErrorKind::InvalidBool)
    );
    assert_eq!(binary::<bool, NotNull<kind::Bit1>>(&[0, 0, 1, 1]), Ok(true));
    assert_eq!(
        text::<bool, NotNull<kind::Bit1>>(&[1, 1]),
        Ok(true),
        "BIT is bytes in the text protocol, too"
    );
}

#[test]
fn bits_are_big_endian() {
    assert_eq!(
        binary::<u64, NotNull<kind::Bit>>(&[0, 0, 2, 1, 0xff]),
        Ok(511)
    );
    assert_eq!(
        binary::<u64, NotNull<kind::Bit>>(&[0, 0, 8, 0x80, 0, 0, 0, 0, 0, 0, 1]),
        Ok(1 << 63 | 1)
    );
    assert_eq!(
        binary::<u64, NotNull<kind::Bit>>(&[0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        Err(DecodeErrorKind::InvalidLength)
    );
    assert_eq!(
        binary::<u64, NotNull<kind::Bit>>(&[0, 0, 0]),
        Err(DecodeErrorKind::InvalidLength)
    );
}

#[test]
fn a_decimal_that_is_no_number_is_an_error() {
    assert_eq!(
        binary::<Decimal, NotNull<kind::Decimal>>(b"\0\0\x03abc"),
        Err(DecodeErrorKind::InvalidNumber)
    );
    assert_eq!(
        text::<Decimal, NotNull<kind::Decimal>>(b"\x070.00000").map(|zero| zero.to_string()),
        Ok("0.00000".into())
    );
}

#[test]
fn null_of_no_type_is_none_of_every_type() {
    assert_eq!(
        binary::<Option<i64>, Nullable<kind::Null>>(&[0, 0b100]),
        Ok(None)
    );
    assert_eq!(
        binary::<Option<i64>, Nullable<kind::Null>>(&[0, 0, 1, b'x']),
        Err(DecodeErrorKind::UnexpectedValue)
    );
    assert_eq!(
        binary::<Option<String>, Nullable<kind::Null>>(&[0, 0, 1, b'x']),
        Ok(Some("x".into()))
    );
}

#[test]
fn values_behind_pointers_are_sent_as_themselves() {
    let plain = sent::<kind::Any, _>("é").unwrap();
    assert_eq!(sent::<kind::Any, _>(&&"é").unwrap(), plain);
    assert_eq!(sent::<kind::Any, Box<str>>(&"é".into()).unwrap(), plain);
    assert_eq!(sent::<kind::Any, Arc<str>>(&"é".into()).unwrap(), plain);
    assert_eq!(sent::<kind::Any, Cow<'_, str>>(&"é".into()).unwrap(), plain);
    assert_eq!(
        sent::<kind::Any, Option<&&String>>(&Some(&&"é".to_owned())).unwrap(),
        plain
    );
    assert_eq!(
        <Option<i64> as Encode<kind::Any>>::TYPE,
        ParamType::I64,
        "NULL has the type of the values"
    );
}

mod forms;
#[cfg(feature = "chrono")]
mod with_chrono;
#[cfg(any(feature = "rust_decimal", feature = "bigdecimal"))]
mod with_decimals;
#[cfg(feature = "jiff")]
mod with_jiff;
#[cfg(feature = "time")]
mod with_time;

#[cfg(feature = "json")]
#[test]
fn json_is_sent_as_text() {
    use crate::types::Json;

    let value = serde_json::json!({"a": [1, null], "b": "é"});
    comes_back::<kind::Json, serde_json::Value>(value.clone());
    comes_back::<kind::Json, Json<Vec<u8>>>(Json(vec![1, 2]));
    assert_eq!(
        <serde_json::Value as Encode<kind::Any>>::TYPE,
        ParamType::TEXT
    );
    assert_eq!(
        binary::<Json<Vec<u8>>, NotNull<kind::Json>>(b"\0\0\x04{\"\":"),
        Err(DecodeErrorKind::InvalidJson)
    );
    assert_eq!(
        binary::<Json<&str>, NotNull<kind::Json>>(b"\0\0\x03\"a\""),
        Ok(Json("a"))
    );
    assert_eq!(
        binary::<serde_json::Value, NotNull<kind::Json>>(b"\0\0\x04null"),
        Ok(serde_json::Value::Null),
        "JSON null is not NULL"
    );
}

#[test]
fn parameters_go_in_order_with_constant_types() {
    fn types<K, P: Params<K>>(_: &P) -> &'static [ParamType] {
        P::TYPES
    }
    let (id, name, missing) = (7_u32, "x", None::<i64>);
    let params = (&id, &name, &missing);
    let expected = [ParamType::U32, ParamType::TEXT, ParamType::I64];
    assert_eq!(
        types::<(kind::Any, kind::Text, kind::Any), _>(&params),
        expected
    );

    let chain = Chain {
        head: params,
        tail: Chain {
            head: (&1_i8,),
            tail: (),
        },
    };
    type Kinds = Chain<(kind::Any, kind::Any, kind::Any), Chain<(kind::Any,), ()>>;
    assert_eq!(
        types::<Kinds, _>(&chain),
        [&expected[..], &[ParamType::I8]].concat()
    );
    let mut out = Vec::new();
    let mut writer = ParamWriter::new(&mut out, types::<Kinds, _>(&chain), false);
    Params::<Kinds>::encode(&chain, &mut writer).unwrap();
    writer.finish().unwrap();
    assert_eq!(out, [0b100, 0, 7, 0, 0, 0, 1, b'x', 1]);
}

#[test]
fn a_statement_bound_to_other_types_is_another_statement() {
    let keys = [
        &[][..],
        &[ParamType::I64],
        &[ParamType::U64],
        &[ParamType::TEXT],
        &[ParamType::I64, ParamType::I64],
    ]
    .map(|types| StatementKey::new(1, types));
    for (at, key) in keys.iter().enumerate() {
        assert!(!keys.iter().skip(at + 1).any(|other| other == key));
    }
    const KEY: StatementKey = StatementKey::new(1, &[ParamType::I64]);
    assert_eq!(KEY, StatementKey::new(1, &[ParamType::I64]));
    assert_ne!(KEY, StatementKey::new(2, &[ParamType::I64]));
}

#[test]
fn splicing_and_writing_agree() {
    let sql = splice("a = ? AND b = '?'", &[literal::<kind::Any, _>(&"x?")])
        .unwrap()
        .unwrap();
    assert_eq!(sql, "a = _utf8mb4 X'783F' AND b = '?'");
}

proptest! {
    #[test]
    fn numbers_come_back(a: i64, b: u64, c in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
        comes_back::<kind::BigInt, i64>(a);
        comes_back::<kind::BigIntUnsigned, u64>(b);
        comes_back::<kind::Double, f64>(c);
        prop_assert_eq!(literal::<kind::Any, _>(&c).parse::<f64>().unwrap().to_bits(), c.to_bits(), "shortest literals are exact");
        prop_assert_eq!(literal::<kind::Any, _>(&a), a.to_string());
    }

    #[test]
    fn strings_and_times_come_back(text in ".*", bytes: Vec<u8>, micros in -3_020_399_999_999_i64..=3_020_399_999_999) {
        comes_back::<kind::Text, String>(text);
        comes_back::<kind::Bytes, Vec<u8>>(bytes);
        comes_back::<kind::Time, Time>(Time::from_micros(micros).unwrap());
    }

    #[test]
    fn moments_come_back(year in 0_u16..=9999, month in 0_u8..=12, day in 0_u8..=31, hour in 0_u8..24, minute in 0_u8..60, micros in 0_u32..1_000_000) {
        let moment = DateTime::new(Date::new(year, month, day).unwrap(), hour, minute, 59, micros).unwrap();
        comes_back::<kind::DateTime, DateTime>(moment);
        let printed = moment.to_string();
        let row = [&[u8::try_from(printed.len()).unwrap()], printed.as_bytes()].concat();
        prop_assert_eq!(text::<DateTime, NotNull<kind::DateTime>>(&row), Ok(moment));
    }

    #[test]
    fn no_bytes_make_a_decoder_panic(bytes: Vec<u8>) {
        fn any<T: for<'r> Column<'r, NotNull<K>>, K>(bytes: &[u8]) {
            let _ = binary::<T, NotNull<K>>(bytes);
            let _ = text::<T, NotNull<K>>(bytes);
        }
        let row = [&[0, 0], &bytes[..]].concat();
        for bytes in [&bytes, &row] {
            any::<i64, kind::BigInt>(bytes);
            any::<f32, kind::Float>(bytes);
            any::<Decimal, kind::Decimal>(bytes);
            any::<String, kind::Text>(bytes);
            any::<[u8; 4], kind::Bytes>(bytes);
            any::<u64, kind::Bit>(bytes);
            any::<DateTime, kind::DateTime>(bytes);
            any::<Time, kind::Time>(bytes);
            any::<Geometry, kind::Geometry>(bytes);
            any::<Vec<f32>, kind::Vector>(bytes);
        }
    }
}

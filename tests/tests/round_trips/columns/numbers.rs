//! Integers, BIT, floats and DECIMAL.

use ark_mysql::__private::Kind;
use ark_mysql::types::Decimal;
use proptest::prelude::*;
use tests::bars::{Scale, scale};

use super::{Column, column};
use crate::canon::Canon;

pub(super) fn integers() -> Vec<Column> {
    use Kind::*;
    let of = |kind, sql: &str, min: i128, max: i128| {
        let edges = [min, min + 1, -1, 0, 1, max - 1, max]
            .into_iter()
            .filter(|edge| (min..=max).contains(edge));
        column(
            kind,
            sql,
            edges.map(Canon::Int).collect(),
            (min..=max).prop_map(Canon::Int),
        )
    };
    vec![
        of(TinyInt, "TINYINT", -128, 127),
        of(TinyIntUnsigned, "TINYINT UNSIGNED", 0, 255),
        of(Bool, "BOOL", -128, 127),
        of(SmallInt, "SMALLINT", -32_768, 32_767),
        of(SmallIntUnsigned, "SMALLINT UNSIGNED", 0, 65_535),
        of(MediumInt, "MEDIUMINT", -8_388_608, 8_388_607),
        of(MediumIntUnsigned, "MEDIUMINT UNSIGNED", 0, 16_777_215),
        of(Int, "INT", i32::MIN.into(), i32::MAX.into()),
        of(IntUnsigned, "INT UNSIGNED", 0, u32::MAX.into()),
        of(IntUnsigned, "INT(7) ZEROFILL", 0, u32::MAX.into()),
        of(BigInt, "BIGINT", i64::MIN.into(), i64::MAX.into()),
        of(BigIntUnsigned, "BIGINT UNSIGNED", 0, u64::MAX.into()),
        column(
            Year,
            "YEAR",
            vec![Canon::Int(0), Canon::Int(1901), Canon::Int(2155)],
            (1901_i128..=2155).prop_map(Canon::Int),
        ),
    ]
}

pub(super) fn bits() -> Vec<Column> {
    let widths: Vec<u32> = match scale() {
        Scale::Gate => vec![1, 2, 7, 8, 9, 16, 17, 32, 33, 63, 64],
        Scale::Release => (1..=64).collect(),
    };
    let of = |width: u32| {
        let kind = if width == 1 { Kind::Bit1 } else { Kind::Bit };
        let max = (1_i128 << width) - 1;
        let edges = [0, 1, max / 2, max / 2 + 1, max].map(Canon::Int).to_vec();
        column(
            kind,
            format!("BIT({width})"),
            edges,
            (0..=max).prop_map(Canon::Int),
        )
    };
    widths.into_iter().map(of).collect()
}

// No -0.0: MariaDB reads the literal `-0e0` as 0, which is equal to it.
pub(super) fn floats() -> Vec<Column> {
    use proptest::num::{f32, f64};
    let singles = [
        0.0,
        0.1,
        -1.5,
        16_777_217.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        300.0,
    ]
    .map(Canon::Single)
    .to_vec();
    let doubles = [
        0.0,
        0.1,
        1.0 / 3.0,
        9_007_199_254_740_993.0,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        1e23,
        255.0,
    ];
    vec![
        column(
            Kind::Float,
            "FLOAT",
            singles,
            f32::NORMAL.prop_map(Canon::Single),
        ),
        column(
            Kind::Double,
            "DOUBLE",
            doubles.map(Canon::Double).to_vec(),
            f64::NORMAL.prop_map(Canon::Double),
        ),
    ]
}

pub(super) fn decimals() -> Vec<Column> {
    // Digits before the point and behind it.
    let of = |whole: usize, places: usize| {
        let number = move |negative: bool, digits: &str| {
            let (whole, places) = digits.split_at(whole);
            let point = if places.is_empty() { "" } else { "." };
            let sign = if negative { "-" } else { "" };
            let whole = if whole.is_empty() { "0" } else { whole };
            let number: Decimal = format!("{sign}{whole}{point}{places}").parse().unwrap();
            Canon::Decimal(number)
        };
        let length = whole + places;
        let one = format!("{}1", "0".repeat(length - 1));
        let edges = [
            (false, "0".repeat(length)),
            (false, "9".repeat(length)),
            (true, "9".repeat(length)),
            (true, one.clone()),
            (false, one),
        ];
        let edges = edges
            .iter()
            .map(|(negative, digits)| number(*negative, digits))
            .collect();
        // Of all lengths, so that narrow types see some.
        let any = (
            any::<bool>(),
            0..=length,
            proptest::collection::vec(0..10_u8, length),
        )
            .prop_map(move |(negative, zeros, digits)| {
                let digits = digits.iter().enumerate().map(|(at, digit)| {
                    if at < zeros {
                        '0'
                    } else {
                        char::from(b'0' + digit)
                    }
                });
                number(negative, &digits.collect::<String>())
            });
        column(
            Kind::Decimal,
            format!("DECIMAL({length},{places})"),
            edges,
            any,
        )
    };
    vec![
        of(35, 30),
        of(65, 0),
        of(15, 5),
        of(0, 5),
        of(0, 30),
        of(10, 0),
        of(1, 0),
    ]
}

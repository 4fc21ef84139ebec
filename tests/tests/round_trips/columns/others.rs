//! ENUM, SET, JSON, shapes, VECTOR, and what MariaDB alone has.

use ark_mysql::__private::Kind;
use ark_mysql::types::Geometry;
use proptest::prelude::*;
use serde_json::json;

use super::{Column, column};
use crate::canon::Canon;

pub(super) fn labels() -> Vec<Column> {
    const LABELS: [&str; 4] = ["a", "bb", "q'r", "é🙂"];
    const FLAGS: [&str; 3] = ["x", "yy", "é"];
    let subset = |bits: usize| {
        let labels = FLAGS
            .iter()
            .enumerate()
            .filter(|(at, _)| bits >> at & 1 == 1);
        Canon::Text(
            labels
                .map(|(_, label)| *label)
                .collect::<Vec<_>>()
                .join(","),
        )
    };
    let label = |at: usize| Canon::Text(LABELS[at].to_owned());
    vec![
        column(
            Kind::Enum,
            "ENUM('a','bb','q''r','é🙂') CHARACTER SET utf8mb4",
            (0..4).map(label).collect(),
            (0..4_usize).prop_map(label),
        ),
        column(
            Kind::Set,
            "SET('x','yy','é') CHARACTER SET utf8mb4",
            (0..8).map(subset).collect(),
            (0..8_usize).prop_map(subset),
        ),
    ]
}

/// JSON that both servers write as serde does: MySQL has blanks behind commas and colons, and MariaDB none but those given.
pub(super) fn documents() -> Vec<Column> {
    let edges = [
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!("é\n\"🙂\\"),
        json!(0),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(-1.5),
        json!([[[7]]]),
        json!([200]),
        json!(""),
    ];
    let text = "\\PC{0,40}".prop_map(|text| json!(text));
    let number = prop_oneof![
        any::<i64>().prop_map(|number| json!(number)),
        any::<i32>().prop_map(|number| json!(f64::from(number) / 4.0 + 0.125))
    ];
    let bytes = any::<u8>().prop_map(|byte| json!([byte]));
    let leaf = prop_oneof![text, number, bytes].prop_map(Canon::Json);
    let mut all = vec![column(
        Kind::Json,
        "JSON",
        edges.map(Canon::Json).to_vec(),
        leaf,
    )];
    let point = |srid: u32, x: f64, y: f64| {
        let wkb = [&[1, 1, 0, 0, 0][..], &x.to_le_bytes(), &y.to_le_bytes()].concat();
        Canon::Geometry(Geometry { srid, wkb })
    };
    for sql in ["GEOMETRY", "POINT"] {
        let any = (
            prop_oneof![Just(0), Just(4326)],
            -90.0..90.0_f64,
            -90.0..90.0_f64,
        )
            .prop_map(move |(srid, x, y)| point(srid, x, y));
        all.push(column(
            Kind::Geometry,
            sql,
            vec![
                point(0, 0.0, -0.0),
                point(0, 1e300, f64::MIN_POSITIVE),
                point(4326, -90.0, 90.0),
            ],
            any,
        ));
    }
    all
}

// MariaDB takes none whose square is infinite.
pub(super) fn vectors() -> Column {
    let of = |numbers: Vec<f32>| Canon::Floats(numbers);
    let edges = [
        [0.0, -0.0, 1.5, 1e15],
        [f32::MIN_POSITIVE, 0.1, -0.1, 1e-30],
    ];
    let edges = edges.map(|numbers| of(numbers.to_vec()));
    let any = proptest::collection::vec(-1e9_f32..1e9, 4).prop_map(of);
    column(Kind::Vector, "VECTOR(4)", edges.to_vec(), any)
}

/// A UUID of version 4: MariaDB 10.11 refuses those of versions that there are not.
fn fourth(bits: u128) -> u128 {
    let marks = 0xf << 76 | 0b11 << 62;
    bits & !marks | 4 << 76 | 0b10 << 62
}

pub(super) fn mariadb_only() -> Vec<Column> {
    use std::net::{Ipv4Addr, Ipv6Addr};
    let text = |text: &dyn std::fmt::Display| Canon::Text(text.to_string());
    let id = |bytes: u128| Canon::Text(ark_mysql::types::uuid::Uuid::from_u128(bytes).to_string());
    let six = |bits: u128| Canon::Text(Ipv6Addr::from_bits(bits | 1 << 127).to_string());
    let four = |bits: u32| Canon::Text(Ipv4Addr::from_bits(bits).to_string());
    let mapped: Ipv6Addr = "::ffff:192.0.2.1".parse().unwrap();
    vec![
        column(
            Kind::Uuid,
            "UUID",
            [0, 1, u128::MAX, 1 << 127].map(id).to_vec(),
            any::<u128>().prop_map(move |bits| id(fourth(bits))),
        ),
        column(
            Kind::Inet4,
            "INET4",
            [0, 1, u32::MAX].map(four).to_vec(),
            any::<u32>().prop_map(four),
        ),
        column(
            Kind::Inet6,
            "INET6",
            vec![
                text(&Ipv6Addr::UNSPECIFIED),
                text(&Ipv6Addr::LOCALHOST),
                text(&mapped),
                six(u128::MAX),
            ],
            any::<u128>().prop_map(six),
        ),
    ]
}

//! Text in several character sets, and bytes.

use ark_mysql::__private::Kind;
use proptest::prelude::*;

use super::{Column, column};
use crate::canon::Canon;

pub(super) fn texts() -> Vec<Column> {
    let texts = |all: &[&str]| {
        all.iter()
            .map(|text| Canon::Text((*text).to_owned()))
            .collect::<Vec<_>>()
    };
    // What other types read of text; all else begins with an x, which none of them reads.
    let formed = [
        "{\"a\":[null,\"é\"]}",
        "[1,2,255]",
        "null",
        "-1",
        "0189f7ea-ae2b-7c5e-8000-0123456789ab",
        "0189f7eaae2b7c5e80000123456789ab",
        "0189F7EA-AE2B-7C5E-8000-0123456789AB",
        "192.0.2.255",
        "2001:db8::1",
        "::ffff:192.0.2.1",
        "0:0:0:0:0:0:0:1",
    ];
    let odd = [
        "",
        "x",
        "it's",
        "back\\slash \"quoted\" ? :name -- # /*",
        "x\u{0}\n\r\t\u{1a}",
        "🙂é",
        "%_",
    ];
    let of = |sql: &str, edges: &[&str], pattern: &'static str| {
        column(Kind::Text, sql, texts(edges), pattern.prop_map(Canon::Text))
    };
    let both = [&formed[..], &odd].concat();
    let pad = "é".repeat(100);
    vec![
        of(
            "VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            &[&both[..], &[&pad]].concat(),
            "x\\PC{0,99}",
        ),
        of(
            "VARCHAR(45) CHARACTER SET ascii",
            &formed[1..],
            "x[ -~]{0,44}",
        ),
        of(
            "CHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            &["0189f7ea-ae2b-7c5e-8000-0123456789ab", "", "🙂"],
            "x[a-zA-Z0-9é🙂]{0,35}",
        ),
        of(
            "TINYTEXT CHARACTER SET latin1",
            &["", "é", "ÿ"],
            "x[ -~À-ÿ]{0,200}",
        ),
        of(
            "VARCHAR(60) CHARACTER SET gbk",
            &["", "縗'", "汉字\\"],
            "x[一-龥a-z\\\\']{0,50}",
        ),
        of(
            "VARCHAR(20) CHARACTER SET utf16",
            &["", "🙂é"],
            "x[a-zé🙂]{0,9}",
        ),
        of("TEXT CHARACTER SET utf8mb4", &both, "x\\PC{0,300}"),
        of(
            "MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            &both,
            "x\\PC{0,300}",
        ),
        of(
            "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            &both,
            "x\\PC{0,300}",
        ),
    ]
}

pub(super) fn bytes() -> Vec<Column> {
    let of_up_to = |longest: usize| {
        let lengths = prop_oneof![Just(4), Just(16), 0..=longest];
        lengths
            .prop_flat_map(|length| proptest::collection::vec(any::<u8>(), length))
            .prop_map(Canon::Bytes)
    };
    let edges = || {
        vec![
            Canon::Bytes(vec![]),
            Canon::Bytes(vec![0; 16]),
            Canon::Bytes(vec![0xff; 4]),
            Canon::Bytes(b"\xbf'\\\"".to_vec()),
            Canon::Bytes(vec![0xfb]),
        ]
    };
    let sixteen = proptest::collection::vec(any::<u8>(), 16).prop_map(Canon::Bytes);
    vec![
        column(
            Kind::Bytes,
            "BINARY(16)",
            vec![
                Canon::Bytes(vec![0; 16]),
                Canon::Bytes(vec![0xff; 16]),
                Canon::Bytes(b"0123456789abcde ".to_vec()),
            ],
            sixteen,
        ),
        column(Kind::Bytes, "VARBINARY(100)", edges(), of_up_to(100)),
        column(Kind::Bytes, "TINYBLOB", edges(), of_up_to(255)),
        column(Kind::Bytes, "BLOB", edges(), of_up_to(300)),
        column(Kind::Bytes, "MEDIUMBLOB", edges(), of_up_to(300)),
        column(Kind::Bytes, "LONGBLOB", edges(), of_up_to(300)),
    ]
}

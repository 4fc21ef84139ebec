//! Dates, moments and times, of all numbers of digits.

use ark_mysql::__private::Kind;
use ark_mysql::types::{Date, DateTime, Time};
use proptest::prelude::*;
use tests::Server;
use tests::bars::{Scale, scale};

use super::{Column, column};
use crate::canon::Canon;

/// The microseconds that so many digits can show.
fn rounded(micros: u32, digits: u32) -> u32 {
    let step = 10_u32.pow(6 - digits);
    micros / step * step
}

fn digits() -> Vec<u32> {
    match scale() {
        Scale::Gate => vec![0, 3, 6],
        Scale::Release => (0..=6).collect(),
    }
}

fn day(year: u16, month: u8, day: u8) -> Date {
    Date::new(year, month, day).unwrap()
}

fn moment(day: Date, hour: u8, minute: u8, second: u8, micros: u32) -> DateTime {
    DateTime::new(day, hour, minute, second, micros).unwrap()
}

pub(super) fn moments() -> Vec<Column> {
    let days = || {
        (1_u16..=9999, 1_u8..=12, 1_u8..=28)
            .prop_map(|(year, month, of_month)| day(year, month, of_month))
    };
    // Zero dates, partial ones, and one of no calendar: sql_mode lets them in.
    let odd = [
        Date::ZERO,
        day(2024, 0, 0),
        day(2024, 5, 0),
        day(2023, 2, 31),
        day(1, 1, 1),
        day(9999, 12, 31),
        day(2024, 2, 29),
    ];
    let mut all = vec![column(
        Kind::Date,
        "DATE",
        odd.map(Canon::Date).to_vec(),
        days().prop_map(Canon::Date),
    )];
    for digits in digits() {
        let clock = || (0_u8..24, 0_u8..60, 0_u8..60, 0_u32..1_000_000);
        let any = (days(), clock()).prop_map(move |(day, (hour, minute, second, micros))| {
            Canon::DateTime(moment(day, hour, minute, second, rounded(micros, digits)))
        });
        let last = moment(day(9999, 12, 31), 23, 59, 59, rounded(999_999, digits));
        let edges = odd.iter().map(|day| (*day).into()).chain([
            last,
            moment(day(2023, 2, 30), 1, 2, 3, 0),
            moment(day(2024, 1, 1), 0, 0, 0, rounded(1, digits)),
        ]);
        all.push(column(
            Kind::DateTime,
            format!("DATETIME({digits})"),
            edges.map(Canon::DateTime).collect(),
            any,
        ));

        let seconds = (1970_u16..2038, 1_u8..=12, 1_u8..=28, clock());
        let any = seconds.prop_filter(
            "before the first second",
            |(year, month, of_month, clock)| {
                (*year, *month, *of_month) > (1970, 1, 1) || clock.2 > 0
            },
        );
        let any = any.prop_map(
            move |(year, month, of_month, (hour, minute, second, micros))| {
                Canon::DateTime(moment(
                    day(year, month, of_month),
                    hour,
                    minute,
                    second,
                    rounded(micros, digits),
                ))
            },
        );
        let edges = [
            DateTime::default(),
            moment(day(1970, 1, 1), 0, 0, 1, 0),
            moment(day(2038, 1, 19), 3, 14, 7, rounded(999_999, digits)),
            moment(day(2024, 3, 31), 2, 30, 0, 0),
            day(2024, 2, 29).into(),
        ];
        all.push(column(
            Kind::Timestamp,
            format!("TIMESTAMP({digits})"),
            edges.map(Canon::DateTime).to_vec(),
            any,
        ));
    }
    all
}

pub(super) fn times(server: Server) -> Vec<Column> {
    const HOUR: i64 = 3_600_000_000;
    let of = |digits: u32| {
        let step = 10_i64.pow(6 - digits);
        let time = move |micros: i64| Canon::Time(Time::from_micros(micros / step * step).unwrap());
        // MySQL has no 838 hours with microseconds.
        let longest = match server {
            Server::MySql => 838 * HOUR,
            _ => Time::MAX.as_micros(),
        };
        let whole = 839 * HOUR - 1_000_000;
        let edges = [
            0,
            1,
            -1,
            step,
            -step,
            1_000_000,
            -HOUR,
            24 * HOUR,
            24 * HOUR - step,
            255 * HOUR,
            -256 * HOUR,
            507 * HOUR,
            whole,
            -whole,
            longest,
            -longest,
        ];
        column(
            Kind::Time,
            format!("TIME({digits})"),
            edges.map(time).to_vec(),
            (-longest..=longest).prop_map(time),
        )
    };
    digits().into_iter().map(of).collect()
}

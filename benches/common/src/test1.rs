//! The table of most workloads: fourteen columns, all NOT NULL, about 120 bytes a row, as in the MySQL benchmark of 2005.

use chrono::{DateTime, NaiveDateTime};

/// One row, owned.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the columns have no meaning but their types")]
pub struct Test1 {
    pub f1: i32,
    pub f2: i32,
    pub f3: i32,
    pub f4: i32,
    pub f5: i32,
    pub f6: i32,
    pub f7: i32,
    pub f8: i32,
    pub f9: i32,
    pub f10: i32,
    pub f11: f32,
    pub f12: f64,
    pub f13: String,
    pub f14: NaiveDateTime,
}

/// The statement of the point workload.
pub const POINT: &str =
    "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 WHERE f1 = ?";

/// The statement of a scan.
pub const SCAN: &str =
    "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 LIMIT ?";

/// Rows of the point workload: more than the loop of one run touches twice in a row.
pub const ROWS: u32 = 10_000;

impl Test1 {
    /// The row with this key: every value follows from the key, so that a wrong one shows.
    pub fn expected(key: i32) -> Self {
        let value = |column: i32| {
            key.wrapping_mul(31)
                .wrapping_add(column.wrapping_mul(1_000_003))
        };
        Self {
            f1: key,
            f2: value(2),
            f3: value(3),
            f4: value(4),
            f5: value(5),
            f6: value(6),
            f7: value(7),
            f8: value(8),
            f9: value(9),
            f10: value(10),
            f11: f32::from(i16::try_from(key % 10_000).unwrap_or(0)) * 0.25,
            f12: f64::from(key) * 0.125,
            f13: format!("row {key:08} of the table with fourteen columns, all NOT NULL"),
            f14: DateTime::UNIX_EPOCH.naive_utc()
                + chrono::TimeDelta::seconds(1_000_000_000 + i64::from(key)),
        }
    }

    /// Its values as a list of literals.
    pub fn literal(&self) -> String {
        let Self {
            f1,
            f2,
            f3,
            f4,
            f5,
            f6,
            f7,
            f8,
            f9,
            f10,
            f11,
            f12,
            f13,
            f14,
        } = self;
        format!("({f1},{f2},{f3},{f4},{f5},{f6},{f7},{f8},{f9},{f10},{f11},{f12},'{f13}','{f14}')")
    }
}

/// The keys in an order that jumps about the table, endless.
pub fn keys(rows: u32) -> impl Iterator<Item = i32> {
    let rows = u64::from(rows);
    // 7919 is prime, so every key of a table with another number of rows comes once before one comes twice.
    (0..).map(move |step: u64| i32::try_from(step * 7919 % rows + 1).unwrap_or(1))
}

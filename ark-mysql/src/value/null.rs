//! `SELECT NULL`: a column without a type, which any type but text can only read as `None`.

use ark_mysql_proto::DecodeErrorKind;

use super::decode;
use crate::types::{Date, DateTime, Decimal, Time};

/// For types whose `Option` reads such a column.
macro_rules! always_null {
    ($($rust:ty),*) => {
        $(decode!($rust: Null: |_row, index| Err(DecodeErrorKind::UnexpectedValue.at(index)));)*
    };
}
#[cfg(any(feature = "time", feature = "jiff"))]
pub(super) use always_null;

always_null!(
    bool,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f32,
    f64,
    Decimal,
    Vec<u8>,
    Date,
    DateTime,
    Time
);

#[cfg(feature = "chrono")]
always_null!(
    chrono::NaiveDate,
    chrono::NaiveDateTime,
    chrono::NaiveTime,
    chrono::TimeDelta,
    chrono::DateTime<chrono::Utc>
);

#[cfg(feature = "json")]
always_null!(serde_json::Value);

use std::net::{Ipv4Addr, Ipv6Addr};

use super::Value;
use crate::types::{Date, DateTime, Decimal, Time};

/// A type that can be made of a [`Value`], as far as nothing is lost.
///
/// Integers from integers that fit; floats from floats and integers that fit exactly; text from text and decimals; `Option` of all.
pub trait FromValue: Sized {
    /// Makes one; `None` if the value is none of this type's.
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for Value {
    fn from_value(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

macro_rules! integers {
    ($($rust:ty)*) => {
        $(impl FromValue for $rust {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::Int(value) => Self::try_from(*value).ok(),
                    Value::UInt(value) => Self::try_from(*value).ok(),
                    _ => None,
                }
            }
        })*
    };
}

integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 isize usize);

/// Implements `FromValue` by the variants that fit.
macro_rules! from_value {
    ($($(#[$attribute:meta])? $rust:ty: $($variant:ident($value:ident) => $body:expr),+;)*) => {
        $($(#[$attribute])? impl FromValue for $rust {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    $(Value::$variant($value) => $body,)+
                    _ => None,
                }
            }
        })*
    };
}
#[cfg(any(feature = "time", feature = "jiff"))]
pub(crate) use from_value;

from_value! {
    bool: Int(value) => zero_or_one((*value).try_into().ok()?), UInt(value) => zero_or_one(*value);
    f32: Float(value) => Some(*value);
    f64: Double(value) => Some(*value), Float(value) => Some((*value).into()), Int(value) => i32::try_from(*value).ok().map(Self::from),
        UInt(value) => u32::try_from(*value).ok().map(Self::from);
    String: Text(value) => Some(value.clone()), Decimal(value) => Some(value.clone());
    Vec<u8>: Bytes(value) => Some(value.clone()), Text(value) => Some(value.clone().into_bytes());
    Decimal: Decimal(value) => value.parse().ok(), Int(value) => Some((*value).into()), UInt(value) => Some((*value).into());
    Date: Date(value) => Some(*value);
    DateTime: DateTime(value) => Some(*value), Date(value) => Self::new(*value, 0, 0, 0, 0);
    Time: Time(value) => Some(*value);
    Ipv4Addr: Text(value) => value.parse().ok(), Bytes(value) => <[u8; 4]>::try_from(value.as_slice()).ok().map(Self::from);
    Ipv6Addr: Text(value) => value.parse().ok(), Bytes(value) => <[u8; 16]>::try_from(value.as_slice()).ok().map(Self::from);
    #[cfg(feature = "json")] serde_json::Value: Text(value) => serde_json::from_str(value).ok();
    #[cfg(feature = "chrono")] chrono::NaiveDate: Date(value) => naive_date(*value);
    #[cfg(feature = "chrono")] chrono::NaiveDateTime: DateTime(value) => naive(*value), Date(value) => naive(DateTime::new(*value, 0, 0, 0, 0)?);
    #[cfg(feature = "chrono")] chrono::DateTime<chrono::Utc>: DateTime(value) => naive(*value).map(|value| value.and_utc());
    #[cfg(feature = "chrono")] chrono::TimeDelta: Time(value) => Some(Self::microseconds(value.as_micros()));
}

fn zero_or_one(value: u64) -> Option<bool> {
    match value {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

#[cfg(feature = "chrono")]
fn naive_date(date: Date) -> Option<chrono::NaiveDate> {
    chrono::NaiveDate::from_ymd_opt(date.year().into(), date.month().into(), date.day().into())
}

#[cfg(feature = "chrono")]
fn naive(value: DateTime) -> Option<chrono::NaiveDateTime> {
    naive_date(value.date())?.and_hms_micro_opt(
        value.hour().into(),
        value.minute().into(),
        value.second().into(),
        value.micros(),
    )
}

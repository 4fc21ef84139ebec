//! What each Rust type makes of a value, said once more and in another way than the library does.

use std::borrow::Cow;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use ark_mysql::types::{
    Date, DateTime, Decimal, Geometry, Json, Time, bigdecimal, jiff, rust_decimal, time, uuid,
};
use chrono::{TimeZone as _, Utc};

use crate::canon::Canon;

/// A Rust type of the table.
pub(crate) trait Rust: Sized + Debug {
    /// What is to be read where this stands in the column; `None` where the type cannot hold it.
    fn read(canon: &Canon) -> Option<Self>;

    /// What is to be sent so that exactly this stands in the column: text has several spellings of the same value, and each type writes one.
    fn send(canon: &Canon) -> Option<Self> {
        Self::read(canon)
    }
}

macro_rules! integers {
    ($($rust:ty)*) => {
        $(impl Rust for $rust {
            fn read(canon: &Canon) -> Option<Self> {
                i128::try_from(canon.number()?).ok()?.try_into().ok()
            }
        })*
    };
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// `rust_type: |canon| what is read`, and after a second bar what is sent if that is not the same.
macro_rules! rust {
    ($($rust:ty: |$canon:ident| $read:expr $(, send $send:expr)?;)*) => {
        $(impl Rust for $rust {
            fn read($canon: &Canon) -> Option<Self> {
                $read
            }
            $(fn send($canon: &Canon) -> Option<Self> {
                $send
            })?
        })*
    };
}

rust! {
    bool: |canon| match canon {
        Canon::Int(0) => Some(false),
        Canon::Int(1) => Some(true),
        _ => None,
    };
    f32: |canon| match canon {
        Canon::Single(value) => Some(*value),
        canon => {
            let wide = f64::read(canon)?;
            let narrow = wide as Self;
            (f64::from(narrow) == wide).then_some(narrow)
        }
    };
    f64: |canon| match canon {
        Canon::Single(value) => Some((*value).into()),
        Canon::Double(value) => Some(*value),
        canon => {
            let number = canon.number()?;
            let float = number.to_f64();
            // An integer that only prints alike is another one to MySQL, where it stands in the text of the statement.
            if matches!(canon, Canon::Int(_)) && format!("{float:.0}") != number.to_string() {
                return None;
            }
            (Decimal::from_f64(float) == Ok(number)).then_some(float)
        }
    };
    Decimal: |canon| canon.number();
    bigdecimal::BigDecimal: |canon| canon.number()?.to_string().parse().ok();
    rust_decimal::Decimal: |canon| narrow(&canon.number()?.to_string());

    String: |canon| canon.text();
    &'static str: |canon| canon.text().map(|text| &*text.leak());
    Cow<'static, str>: |canon| canon.text().map(Cow::Owned);
    Box<str>: |canon| canon.text().map(Into::into);
    Arc<str>: |canon| canon.text().map(Into::into);
    serde_json::Value: |canon| match canon {
        Canon::Json(value) => Some(value.clone()),
        canon => serde_json::from_str(&canon.text()?).ok(),
    }, send canonical(canon, ToString::to_string);
    Json<Vec<u8>>: |canon| serde_json::from_str(&canon.text()?).ok().map(Json), send canonical(canon, |value: &Self| serde_json::to_string(&value.0).unwrap());
    uuid::Uuid: |canon| match canon.text() {
        Some(text) => Self::try_parse(&text).ok(),
        None => Self::from_slice(&canon.bytes()?).ok(),
    }, send canonical(canon, |id: &Self| id.hyphenated().to_string());
    uuid::fmt::Hyphenated: |canon| uuid::Uuid::try_parse(&canon.text()?).ok().map(Into::into), send canonical(canon, ToString::to_string);
    uuid::fmt::Simple: |canon| uuid::Uuid::try_parse(&canon.text()?).ok().map(Into::into), send canonical(canon, ToString::to_string);
    Ipv4Addr: |canon| address(canon, |bytes| <[u8; 4]>::try_from(bytes).ok().map(Self::from)), send canonical(canon, ToString::to_string);
    Ipv6Addr: |canon| address(canon, |bytes| <[u8; 16]>::try_from(bytes).ok().map(Self::from)), send canonical(canon, ToString::to_string);
    IpAddr: |canon| address(canon, |bytes| match bytes.len() {
        4 => <[u8; 4]>::try_from(bytes).ok().map(Self::from),
        _ => <[u8; 16]>::try_from(bytes).ok().map(Self::from),
    }), send canonical(canon, ToString::to_string);

    Vec<u8>: |canon| canon.bytes();
    &'static [u8]: |canon| canon.bytes().map(|bytes| &*bytes.leak());
    Cow<'static, [u8]>: |canon| canon.bytes().map(Cow::Owned);
    Box<[u8]>: |canon| canon.bytes().map(Into::into);
    Arc<[u8]>: |canon| canon.bytes().map(Into::into);
    [u8; 16]: |canon| canon.bytes()?.try_into().ok();
    Vec<f32>: |canon| {
        let bytes = canon.bytes()?;
        let chunks = bytes.chunks(4).map(|chunk| chunk.try_into().ok().map(f32::from_le_bytes));
        chunks.collect()
    };
    Geometry: |canon| match canon {
        Canon::Geometry(shape) => Some(shape.clone()),
        _ => None,
    };

    Date: |canon| canon.day();
    DateTime: |canon| match canon {
        Canon::DateTime(moment) => Some(*moment),
        canon => canon.day().map(Into::into),
    };
    chrono::NaiveDate: |canon| {
        canon.moment()?;
        let day = canon.day()?;
        Self::from_ymd_opt(day.year().into(), day.month().into(), day.day().into())
    };
    chrono::NaiveDateTime: |canon| {
        let moment = canon.moment()?;
        let day = chrono::NaiveDate::read(&Canon::Date(moment.date()))?;
        day.and_hms_micro_opt(moment.hour().into(), moment.minute().into(), moment.second().into(), moment.micros())
    };
    chrono::DateTime<Utc>: |canon| chrono::NaiveDateTime::read(canon).map(|civil| Utc.from_utc_datetime(&civil));
    time::Date: |canon| {
        canon.moment()?;
        let day = canon.day()?;
        Self::from_calendar_date(day.year().into(), day.month().try_into().ok()?, day.day()).ok()
    };
    time::PrimitiveDateTime: |canon| {
        let moment = canon.moment()?;
        let day = time::Date::read(&Canon::Date(moment.date()))?;
        day.with_hms_micro(moment.hour(), moment.minute(), moment.second(), moment.micros()).ok()
    };
    time::OffsetDateTime: |canon| time::PrimitiveDateTime::read(canon).map(time::PrimitiveDateTime::assume_utc);
    jiff::civil::Date: |canon| {
        canon.moment()?;
        canon.day()?.to_string().parse().ok()
    };
    jiff::civil::DateTime: |canon| canon.moment()?.to_string().parse().ok();
    jiff::Timestamp: |canon| format!("{}Z", canon.moment()?).parse().ok();
    jiff::ZonedDateTime: |canon| jiff::Timestamp::read(canon).map(|instant| instant.to_zoned_datetime(jiff::tz::TimeZone::UTC));

    Time: |canon| match canon {
        Canon::Time(time) => Some(*time),
        _ => None,
    };
    chrono::TimeDelta: |canon| Time::read(canon).map(|time| Self::microseconds(time.as_micros()));
    time::Duration: |canon| Time::read(canon).map(|time| Self::microseconds(time.as_micros()));
    jiff::SignedDuration: |canon| Time::read(canon).map(|time| Self::from_micros(time.as_micros()));
    chrono::NaiveTime: |canon| clock(canon)?.parse().ok();
    time::Time: |canon| {
        clock(canon)?;
        let time = Time::read(canon)?;
        Self::from_hms_micro(time.hours().try_into().ok()?, time.minutes(), time.seconds(), time.subsec_micros()).ok()
    };
    jiff::civil::Time: |canon| clock(canon)?.parse().ok();
}

/// The value, if it writes the very text that the column has.
fn canonical<T: Rust>(canon: &Canon, written: impl Fn(&T) -> String) -> Option<T> {
    let value = T::read(canon)?;
    let same = |text: &String| *text == written(&value);
    canon.text().as_ref().is_none_or(same).then_some(value)
}

fn address<T: std::str::FromStr>(
    canon: &Canon,
    of_bytes: impl Fn(&[u8]) -> Option<T>,
) -> Option<T> {
    match canon.text() {
        Some(text) => text.parse().ok(),
        None => of_bytes(&canon.bytes()?),
    }
}

/// A time of day.
fn clock(canon: &Canon) -> Option<String> {
    let time = Time::read(canon)?;
    (!time.is_negative() && time.hours() < 24).then(|| time.to_string())
}

/// 96 bits, and 28 places at most behind the point; with the zeros at the end if there is room for them.
fn narrow(text: &str) -> Option<rust_decimal::Decimal> {
    let fits = |text: &str| {
        let places = text.split_once('.').map_or(0, |(_, places)| places.len());
        let mantissa: i128 = text.replace('.', "").parse().ok()?;
        let fits = places <= 28 && mantissa.unsigned_abs() < 1 << 96;
        fits.then(|| {
            rust_decimal::Decimal::from_i128_with_scale(mantissa, u32::try_from(places).unwrap())
        })
    };
    let short = || match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    fits(text).or_else(|| fits(short()))
}

//! Dates and times of jiff 1.
//!
//! SQL keeps microseconds: what is finer is cut off.

use ark_mysql_proto::{DecodeErrorKind, EncodeErrorKind};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, ZonedDateTime};

use super::null::always_null;
use super::{decode, encode};
use crate::dynamic::{FromValue, Value, from_value};
use crate::types;

decode!(Date: Date: |row, index| calendar_day(row.date(index)?).map_err(|kind| kind.at(index)));
decode!(DateTime: DateTime Timestamp: |row, index| {
    civil(row.datetime(index)?).map_err(|kind| kind.at(index))
});
// The session's time zone is UTC, so this is what TIMESTAMPs come in.
decode!(Timestamp: Timestamp: |row, index| {
    civil(row.datetime(index)?).and_then(instant).map_err(|kind| kind.at(index))
});
decode!(SignedDuration: Time: |row, index| row.time(index).map(|time| Self::from_micros(time.as_micros())));
decode!(Time: Time: |row, index| {
    clock(row.time(index)?).ok_or_else(|| DecodeErrorKind::OutOfRange.at(index))
});

always_null!(Date, DateTime, Timestamp, SignedDuration, Time);

encode!(Date as DATE for Any Date DateTime Timestamp: |value, out| {
    match stored_day(*value) {
        Some(day) => out.date(day),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(DateTime as DATETIME for Any DateTime Timestamp, compared Date: |value, out| {
    match stored(*value) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(Timestamp as DATETIME for Any DateTime Timestamp: |value, out| {
    match stored(Offset::UTC.to_datetime(*value)) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(ZonedDateTime as DATETIME for Any DateTime Timestamp: |value, out| {
    match stored(Offset::UTC.to_datetime(value.timestamp())) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(SignedDuration as TIME for Any Time: |value, out| {
    match i64::try_from(value.as_micros()).ok().and_then(types::Time::from_micros) {
        Some(time) => out.time(time),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(Time as TIME for Any Time: |value, out| match span(*value) {
    Some(time) => out.time(time),
    None => Err(out.error(EncodeErrorKind::OutOfRange)),
});

fn calendar_day(date: types::Date) -> Result<Date, DecodeErrorKind> {
    if date.is_partial() {
        return Err(DecodeErrorKind::ZeroDate);
    }
    let year = i16::try_from(date.year()).map_err(|_| DecodeErrorKind::InvalidDate)?;
    let (month, day) = (signed(date.month()), signed(date.day()));
    Date::new(year, month, day).map_err(|_| DecodeErrorKind::InvalidDate)
}

fn civil(moment: types::DateTime) -> Result<DateTime, DecodeErrorKind> {
    let (hour, minute, second) = (moment.hour(), moment.minute(), moment.second());
    let time =
        at(hour.into(), minute, second, moment.micros()).ok_or(DecodeErrorKind::InvalidDate)?;
    Ok(calendar_day(moment.date())?.to_datetime(time))
}

/// The last two days of the year 9999 are none of jiff's instants.
fn instant(moment: DateTime) -> Result<Timestamp, DecodeErrorKind> {
    TimeZone::UTC
        .to_timestamp(moment)
        .map_err(|_| DecodeErrorKind::OutOfRange)
}

/// `None` outside of 00:00:00 to 23:59:59.999999.
fn clock(time: types::Time) -> Option<Time> {
    if time.is_negative() {
        return None;
    }
    at(
        time.hours(),
        time.minutes(),
        time.seconds(),
        time.subsec_micros(),
    )
}

fn at(hours: u16, minutes: u8, seconds: u8, micros: u32) -> Option<Time> {
    let hours = i8::try_from(hours).ok()?;
    let nanos = i32::try_from(micros).ok()?.checked_mul(1000)?;
    Time::new(hours, signed(minutes), signed(seconds), nanos).ok()
}

/// What is out of range becomes a number that jiff refuses.
fn signed(part: u8) -> i8 {
    i8::try_from(part).unwrap_or(-1)
}

/// `None` outside of the years 0 to 9999.
fn stored_day(day: Date) -> Option<types::Date> {
    let unsigned = |part: i8| u8::try_from(part).ok();
    types::Date::new(
        u16::try_from(day.year()).ok()?,
        unsigned(day.month())?,
        unsigned(day.day())?,
    )
}

fn stored(moment: DateTime) -> Option<types::DateTime> {
    let time = span(moment.time())?;
    let hour = u8::try_from(time.hours()).ok()?;
    types::DateTime::new(
        stored_day(moment.date())?,
        hour,
        time.minutes(),
        time.seconds(),
        time.subsec_micros(),
    )
}

fn span(time: Time) -> Option<types::Time> {
    let unsigned = |part: i8| u8::try_from(part).ok();
    let micros = u32::try_from(time.subsec_nanosecond() / 1000).ok()?;
    types::Time::new(
        false,
        unsigned(time.hour())?.into(),
        unsigned(time.minute())?,
        unsigned(time.second())?,
        micros,
    )
}

from_value! {
    Date: Date(value) => calendar_day(*value).ok();
    DateTime: DateTime(value) => civil(*value).ok(), Date(value) => civil((*value).into()).ok();
    Timestamp: DateTime(value) => civil(*value).and_then(instant).ok();
    SignedDuration: Time(value) => Some(Self::from_micros(value.as_micros()));
    Time: Time(value) => clock(*value);
}

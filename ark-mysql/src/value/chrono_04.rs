//! Dates and times of chrono 0.4.
//!
//! SQL keeps microseconds: what is finer is cut off, as is a leap second.

use ark_mysql_proto::{DecodeErrorKind, EncodeErrorKind};
use chrono::{
    DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Timelike, Utc,
};

use super::{decode, encode};
use crate::types;

decode!(NaiveDate: Date: |row, index| calendar_day(row.date(index)?).map_err(|kind| kind.at(index)));
decode!(NaiveDateTime: DateTime Timestamp: |row, index| {
    civil(row.datetime(index)?).map_err(|kind| kind.at(index))
});
// The session's time zone is UTC, so this is what TIMESTAMPs come in.
decode!(DateTime<Utc>: Timestamp: |row, index| {
    civil(row.datetime(index)?).map(|civil| civil.and_utc()).map_err(|kind| kind.at(index))
});
decode!(TimeDelta: Time: |row, index| row.time(index).map(|time| TimeDelta::microseconds(time.as_micros())));
decode!(NaiveTime: Time: |row, index| {
    clock(row.time(index)?).ok_or_else(|| DecodeErrorKind::OutOfRange.at(index))
});

encode!(NaiveDate as DATE for Any Date DateTime Timestamp: |value, out| {
    match stored_day(*value) {
        Some(day) => out.date(day),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(NaiveDateTime as DATETIME for Any DateTime Timestamp, compared Date: |value, out| {
    match stored(*value) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(for {Tz: TimeZone} DateTime<Tz> as DATETIME for Any DateTime Timestamp: |value, out| {
    match stored(value.naive_utc()) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(TimeDelta as TIME for Any Time: |value, out| {
    match value.num_microseconds().and_then(types::Time::from_micros) {
        Some(time) => out.time(time),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(NaiveTime as TIME for Any Time: |value, out| {
    let span = i64::from(value.num_seconds_from_midnight()) * 1_000_000 + i64::from(micros(*value));
    out.time(types::Time::from_micros(span).expect("a day is shorter than 838 hours"))
});

#[inline]
fn calendar_day(date: types::Date) -> Result<NaiveDate, DecodeErrorKind> {
    NaiveDate::from_ymd_opt(date.year().into(), date.month().into(), date.day().into())
        .ok_or_else(|| no_day(date))
}

#[cold]
fn no_day(date: types::Date) -> DecodeErrorKind {
    match date.is_partial() {
        true => DecodeErrorKind::ZeroDate,
        false => DecodeErrorKind::InvalidDate,
    }
}

#[inline]
fn civil(moment: types::DateTime) -> Result<NaiveDateTime, DecodeErrorKind> {
    let day = calendar_day(moment.date())?;
    let (hour, minute) = (u32::from(moment.hour()), u32::from(moment.minute()));
    let seconds = (hour * 60 + minute) * 60 + u32::from(moment.second()); // each is within its range already
    NaiveTime::from_num_seconds_from_midnight_opt(seconds, moment.micros() * 1000)
        .map(|time| day.and_time(time))
        .ok_or(DecodeErrorKind::InvalidDate)
}

/// `None` outside of 00:00:00 to 23:59:59.999999.
fn clock(time: types::Time) -> Option<NaiveTime> {
    if time.is_negative() {
        return None;
    }
    let (hours, minutes, seconds) = (
        time.hours().into(),
        time.minutes().into(),
        time.seconds().into(),
    );
    NaiveTime::from_hms_micro_opt(hours, minutes, seconds, time.subsec_micros())
}

/// `None` outside of the years 0 to 9999.
fn stored_day(day: NaiveDate) -> Option<types::Date> {
    types::Date::new(
        u16::try_from(day.year()).ok()?,
        u8::try_from(day.month()).ok()?,
        u8::try_from(day.day()).ok()?,
    )
}

fn stored(moment: NaiveDateTime) -> Option<types::DateTime> {
    let narrow = |number: u32| u8::try_from(number).ok();
    let (hour, minute, second) = (
        narrow(moment.hour())?,
        narrow(moment.minute())?,
        narrow(moment.second())?,
    );
    types::DateTime::new(
        stored_day(moment.date())?,
        hour,
        minute,
        second,
        micros(moment.time()),
    )
}

/// chrono writes a leap second as a 60th second in the nanoseconds.
fn micros(time: NaiveTime) -> u32 {
    (time.nanosecond() / 1000).min(999_999)
}

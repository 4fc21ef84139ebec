//! Dates and times of time 0.3.
//!
//! SQL keeps microseconds: what is finer is cut off.

use ark_mysql_proto::{DecodeErrorKind, EncodeErrorKind};
use time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use super::null::always_null;
use super::{decode, encode};
use crate::dynamic::{FromValue, Value, from_value};
use crate::types;

decode!(Date: Date: |row, index| calendar_day(row.date(index)?).map_err(|kind| kind.at(index)));
decode!(PrimitiveDateTime: DateTime Timestamp: |row, index| {
    civil(row.datetime(index)?).map_err(|kind| kind.at(index))
});
// The session's time zone is UTC, so this is what TIMESTAMPs come in.
decode!(OffsetDateTime: Timestamp: |row, index| {
    civil(row.datetime(index)?).map(PrimitiveDateTime::assume_utc).map_err(|kind| kind.at(index))
});
decode!(Duration: Time: |row, index| row.time(index).map(|time| Duration::microseconds(time.as_micros())));
decode!(Time: Time: |row, index| {
    clock(row.time(index)?).ok_or_else(|| DecodeErrorKind::OutOfRange.at(index))
});

always_null!(Date, PrimitiveDateTime, OffsetDateTime, Duration, Time);

encode!(Date as DATE for Any Date DateTime Timestamp: |value, out| {
    match stored_day(*value) {
        Some(day) => out.date(day),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(PrimitiveDateTime as DATETIME for Any DateTime Timestamp, compared Date: |value, out| {
    match stored(*value) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(OffsetDateTime as DATETIME for Any DateTime Timestamp: |value, out| {
    match value.checked_to_offset(UtcOffset::UTC).and_then(|utc| stored(PrimitiveDateTime::new(utc.date(), utc.time()))) {
        Some(moment) => out.datetime(moment),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(Duration as TIME for Any Time: |value, out| {
    match i64::try_from(value.whole_microseconds()).ok().and_then(types::Time::from_micros) {
        Some(time) => out.time(time),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
});
encode!(Time as TIME for Any Time: |value, out| {
    let time = types::Time::new(false, value.hour().into(), value.minute(), value.second(), value.microsecond());
    out.time(time.expect("a day is shorter than 838 hours"))
});

fn calendar_day(date: types::Date) -> Result<Date, DecodeErrorKind> {
    if date.is_partial() {
        return Err(DecodeErrorKind::ZeroDate);
    }
    let month = Month::try_from(date.month()).map_err(|_| DecodeErrorKind::InvalidDate)?;
    Date::from_calendar_date(date.year().into(), month, date.day())
        .map_err(|_| DecodeErrorKind::InvalidDate)
}

fn civil(moment: types::DateTime) -> Result<PrimitiveDateTime, DecodeErrorKind> {
    calendar_day(moment.date())?
        .with_hms_micro(
            moment.hour(),
            moment.minute(),
            moment.second(),
            moment.micros(),
        )
        .map_err(|_| DecodeErrorKind::InvalidDate)
}

/// `None` outside of 00:00:00 to 23:59:59.999999.
fn clock(time: types::Time) -> Option<Time> {
    if time.is_negative() {
        return None;
    }
    let hours = u8::try_from(time.hours()).ok()?;
    Time::from_hms_micro(hours, time.minutes(), time.seconds(), time.subsec_micros()).ok()
}

/// `None` outside of the years 0 to 9999.
fn stored_day(day: Date) -> Option<types::Date> {
    types::Date::new(
        u16::try_from(day.year()).ok()?,
        day.month().into(),
        day.day(),
    )
}

fn stored(moment: PrimitiveDateTime) -> Option<types::DateTime> {
    types::DateTime::new(
        stored_day(moment.date())?,
        moment.hour(),
        moment.minute(),
        moment.second(),
        moment.microsecond(),
    )
}

from_value! {
    Date: Date(value) => calendar_day(*value).ok();
    PrimitiveDateTime: DateTime(value) => civil(*value).ok(), Date(value) => civil((*value).into()).ok();
    OffsetDateTime: DateTime(value) => civil(*value).map(PrimitiveDateTime::assume_utc).ok();
    Duration: Time(value) => Some(Self::microseconds(value.as_micros()));
    Time: Time(value) => clock(*value);
}

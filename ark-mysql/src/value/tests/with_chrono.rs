use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

use super::*;

fn moment(micros: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2024, 2, 29)
        .unwrap()
        .and_hms_micro_opt(23, 59, 59, micros)
        .unwrap()
}

#[test]
fn dates_and_times_come_back() {
    comes_back::<kind::Date, NaiveDate>(NaiveDate::from_ymd_opt(9999, 12, 31).unwrap());
    comes_back::<kind::DateTime, NaiveDateTime>(moment(0));
    comes_back::<kind::DateTime, NaiveDateTime>(moment(999_999));
    comes_back::<kind::Timestamp, DateTime<Utc>>(moment(1).and_utc());
    comes_back::<kind::Time, NaiveTime>(moment(1).time());
    comes_back::<kind::Time, TimeDelta>(TimeDelta::microseconds(-1));
    let offset = DateTime::<FixedOffset>::parse_from_rfc3339("2024-03-01T00:59:59+01:00").unwrap();
    assert_eq!(
        sent::<kind::Any, _>(&offset),
        sent::<kind::Any, _>(&moment(0)),
        "sent in UTC"
    );
}

#[test]
fn zero_dates_are_an_error_that_says_so() {
    for row in [
        &[0, 0, 0][..],
        &[0, 0, 4, 0xe8, 7, 0, 0],
        &[0, 0, 4, 0xe8, 7, 1, 0],
    ] {
        assert_eq!(
            binary::<NaiveDate, NotNull<kind::Date>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
        assert_eq!(
            binary::<Option<NaiveDateTime>, Nullable<kind::DateTime>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
        assert_eq!(
            binary::<DateTime<Utc>, NotNull<kind::Timestamp>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
    }
    assert_eq!(
        binary::<NaiveDate, NotNull<kind::Date>>(&[0, 0, 4, 0xe7, 7, 2, 29]),
        Err(DecodeErrorKind::InvalidDate)
    );
}

#[test]
fn what_sql_cannot_hold_is_an_error_before_anything_is_sent() {
    let far = NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap();
    assert_eq!(sent::<kind::Any, _>(&far), Err(EncodeErrorKind::OutOfRange));
    assert_eq!(
        sent::<kind::Any, _>(&NaiveDateTime::from(far)),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&NaiveDate::from_ymd_opt(-1, 1, 1).unwrap()),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&TimeDelta::hours(839)),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&TimeDelta::MAX),
        Err(EncodeErrorKind::OutOfRange)
    );
}

#[test]
fn a_time_outside_of_a_day_is_no_time_of_day() {
    let day = [0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        binary::<NaiveTime, NotNull<kind::Time>>(&day),
        Err(DecodeErrorKind::OutOfRange)
    );
    assert_eq!(
        binary::<TimeDelta, NotNull<kind::Time>>(&day),
        Ok(TimeDelta::days(1))
    );
}

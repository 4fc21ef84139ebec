use ::time::{
    Date as Day, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time as Clock, UtcOffset,
};

use super::*;

fn day(year: i32, month: Month, day: u8) -> Day {
    Day::from_calendar_date(year, month, day).unwrap()
}

fn moment(micros: u32) -> PrimitiveDateTime {
    day(2024, Month::February, 29)
        .with_hms_micro(23, 59, 59, micros)
        .unwrap()
}

#[test]
fn dates_and_times_come_back() {
    comes_back::<kind::Date, Day>(day(9999, Month::December, 31));
    comes_back::<kind::Date, Day>(day(0, Month::January, 1));
    comes_back::<kind::DateTime, PrimitiveDateTime>(moment(0));
    comes_back::<kind::DateTime, PrimitiveDateTime>(moment(999_999));
    comes_back::<kind::Timestamp, OffsetDateTime>(moment(1).assume_utc());
    comes_back::<kind::Time, Clock>(moment(1).time());
    comes_back::<kind::Time, Duration>(Duration::microseconds(-1));
    let offset = moment(0)
        .assume_utc()
        .to_offset(UtcOffset::from_hms(1, 0, 0).unwrap());
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
            binary::<Day, NotNull<kind::Date>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
        assert_eq!(
            binary::<Option<PrimitiveDateTime>, Nullable<kind::DateTime>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
        assert_eq!(
            binary::<OffsetDateTime, NotNull<kind::Timestamp>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
    }
    assert_eq!(
        binary::<Day, NotNull<kind::Date>>(&[0, 0, 4, 0xe7, 7, 2, 29]),
        Err(DecodeErrorKind::InvalidDate)
    );
}

#[test]
fn what_sql_cannot_hold_is_an_error_before_anything_is_sent() {
    let early = day(-1, Month::January, 1);
    assert_eq!(
        sent::<kind::Any, _>(&early),
        Err(EncodeErrorKind::OutOfRange)
    );
    let last = day(9999, Month::December, 31).with_hms(23, 0, 0).unwrap();
    let behind = last.assume_offset(UtcOffset::from_hms(-2, 0, 0).unwrap());
    assert_eq!(
        sent::<kind::Any, _>(&behind),
        Err(EncodeErrorKind::OutOfRange),
        "the year 10000 in UTC"
    );
    assert_eq!(
        sent::<kind::Any, _>(&Duration::hours(839)),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&Duration::MAX),
        Err(EncodeErrorKind::OutOfRange)
    );
    let whole_day = [0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        binary::<Clock, NotNull<kind::Time>>(&whole_day),
        Err(DecodeErrorKind::OutOfRange)
    );
    assert_eq!(
        binary::<Duration, NotNull<kind::Time>>(&whole_day),
        Ok(Duration::days(1))
    );
}

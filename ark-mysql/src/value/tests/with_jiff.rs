use ::jiff::civil::{self, date};
use ::jiff::tz::{Offset, TimeZone};
use ::jiff::{SignedDuration, Timestamp};

use super::*;

fn moment(micros: i32) -> civil::DateTime {
    date(2024, 2, 29).at(23, 59, 59, micros * 1000)
}

fn instant(moment: civil::DateTime) -> Timestamp {
    TimeZone::UTC.to_timestamp(moment).unwrap()
}

#[test]
fn dates_and_times_come_back() {
    comes_back::<kind::Date, civil::Date>(date(9999, 12, 31));
    comes_back::<kind::Date, civil::Date>(date(0, 1, 1));
    comes_back::<kind::DateTime, civil::DateTime>(moment(0));
    comes_back::<kind::DateTime, civil::DateTime>(moment(999_999));
    comes_back::<kind::Timestamp, Timestamp>(instant(moment(1)));
    comes_back::<kind::Time, civil::Time>(moment(1).time());
    comes_back::<kind::Time, SignedDuration>(SignedDuration::from_micros(-1));
    let zoned = instant(moment(0)).to_zoned_datetime(TimeZone::fixed(Offset::constant(1)));
    assert_eq!(
        sent::<kind::Any, _>(&zoned),
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
            binary::<civil::Date, NotNull<kind::Date>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
        assert_eq!(
            binary::<Option<civil::DateTime>, Nullable<kind::DateTime>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
        assert_eq!(
            binary::<Timestamp, NotNull<kind::Timestamp>>(row),
            Err(DecodeErrorKind::ZeroDate)
        );
    }
    assert_eq!(
        binary::<civil::Date, NotNull<kind::Date>>(&[0, 0, 4, 0xe7, 7, 2, 29]),
        Err(DecodeErrorKind::InvalidDate)
    );
}

#[test]
fn what_one_side_cannot_hold_is_an_error() {
    assert_eq!(
        sent::<kind::Any, _>(&date(-1, 1, 1)),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&Timestamp::MIN),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&SignedDuration::from_hours(839)),
        Err(EncodeErrorKind::OutOfRange)
    );
    assert_eq!(
        sent::<kind::Any, _>(&SignedDuration::MAX),
        Err(EncodeErrorKind::OutOfRange)
    );
    let whole_day = [0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        binary::<civil::Time, NotNull<kind::Time>>(&whole_day),
        Err(DecodeErrorKind::OutOfRange)
    );
    assert_eq!(
        binary::<SignedDuration, NotNull<kind::Time>>(&whole_day),
        Ok(SignedDuration::from_hours(24))
    );
    let last = [0, 0, 7, 0x0f, 0x27, 12, 31, 23, 59, 59];
    assert_eq!(
        binary::<Timestamp, NotNull<kind::Timestamp>>(&last),
        Err(DecodeErrorKind::OutOfRange),
        "behind jiff's last instant"
    );
}

//! Dates and times as the server holds them: zero dates, partial dates and times of 35 days included.

use std::fmt;

/// Most microseconds that a TIME can hold: 838:59:59.999999.
const TIME_LIMIT: i64 = ((838 * 60 + 59) * 60 + 59) * 1_000_000 + 999_999;

/// A DATE as stored: year, month and day may each be zero (`0000-00-00`, `2024-00-00`), and the day is only known to be
/// at most 31 (the sql_mode ALLOW_INVALID_DATES stores `2024-02-31`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// `0000-00-00`.
    pub const ZERO: Self = Self {
        year: 0,
        month: 0,
        day: 0,
    };

    /// Checks the ranges 0..=9999, 0..=12 and 0..=31.
    #[inline]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if (year > 9999) | (month > 12) | (day > 31) {
            None
        } else {
            Some(Self { year, month, day })
        }
    }

    /// 0..=9999.
    #[inline]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// 0..=12; 0 in zero and partial dates.
    #[inline]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// 0..=31; 0 in zero and partial dates.
    #[inline]
    pub const fn day(self) -> u8 {
        self.day
    }

    /// Whether month or day are missing, so that it is no day of any calendar.
    #[inline]
    pub const fn is_partial(self) -> bool {
        self.month == 0 || self.day == 0
    }

    /// Whether it is a day of the (proleptic Gregorian) calendar, as all dates are that the default sql_mode lets in.
    pub const fn is_calendar_day(self) -> bool {
        let leap = self.year.is_multiple_of(4)
            && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            0 => 0,
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        self.day >= 1 && self.day <= days
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A DATETIME or TIMESTAMP as stored; its date may be zero or partial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DateTime {
    date: Date,
    hour: u8,
    minute: u8,
    second: u8,
    micros: u32,
}

impl DateTime {
    /// Checks the ranges of a clock; there are no leap seconds in MySQL.
    #[inline]
    pub const fn new(date: Date, hour: u8, minute: u8, second: u8, micros: u32) -> Option<Self> {
        if (hour > 23) | (minute > 59) | (second > 59) | (micros > 999_999) {
            return None;
        }
        Some(Self {
            date,
            hour,
            minute,
            second,
            micros,
        })
    }

    /// The date part.
    #[inline]
    pub const fn date(self) -> Date {
        self.date
    }

    /// 0..=23.
    #[inline]
    pub const fn hour(self) -> u8 {
        self.hour
    }

    /// 0..=59.
    #[inline]
    pub const fn minute(self) -> u8 {
        self.minute
    }

    /// 0..=59.
    #[inline]
    pub const fn second(self) -> u8 {
        self.second
    }

    /// 0..=999_999.
    #[inline]
    pub const fn micros(self) -> u32 {
        self.micros
    }

    pub(crate) const fn is_midnight(self) -> bool {
        self.hour == 0 && self.minute == 0 && self.second == 0 && self.micros == 0
    }
}

impl From<Date> for DateTime {
    fn from(date: Date) -> Self {
        Self {
            date,
            ..Self::default()
        }
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {:02}:{:02}:{:02}",
            self.date, self.hour, self.minute, self.second
        )?;
        write_micros(f, self.micros)
    }
}

/// A TIME: a signed span of at most 838:59:59.999999, to the microsecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time {
    micros: i64,
}

impl Time {
    /// 838:59:59.999999. Only MariaDB goes so far: MySQL ends at 838:59:59, stores that for a literal that is longer, and refuses a parameter of 838 hours
    /// with microseconds (error 1690).
    pub const MAX: Self = Self { micros: TIME_LIMIT };
    /// -838:59:59.999999.
    pub const MIN: Self = Self {
        micros: -TIME_LIMIT,
    };

    /// From whole microseconds; `None` beyond ±838:59:59.999999.
    pub const fn from_micros(micros: i64) -> Option<Self> {
        if micros > TIME_LIMIT || micros < -TIME_LIMIT {
            None
        } else {
            Some(Self { micros })
        }
    }

    /// From the parts that SQL shows; `None` where a part or the whole is out of range.
    #[expect(clippy::as_conversions, reason = "widened, and `From` is not const")]
    pub const fn new(
        negative: bool,
        hours: u16,
        minutes: u8,
        seconds: u8,
        micros: u32,
    ) -> Option<Self> {
        if hours > 838 || minutes > 59 || seconds > 59 || micros > 999_999 {
            return None;
        }
        let seconds = (hours as i64 * 60 + minutes as i64) * 60 + seconds as i64;
        let span = seconds * 1_000_000 + micros as i64;
        Self::from_micros(if negative { -span } else { span })
    }

    /// The whole span in microseconds.
    pub const fn as_micros(self) -> i64 {
        self.micros
    }

    /// Below zero.
    pub const fn is_negative(self) -> bool {
        self.micros < 0
    }

    /// Hours 0..=838, without the sign.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "within the range above; `TryFrom` is not const"
    )]
    pub const fn hours(self) -> u16 {
        (self.micros.unsigned_abs() / 3_600_000_000) as u16
    }

    /// 0..=59.
    #[expect(
        clippy::as_conversions,
        reason = "within the range above; `TryFrom` is not const"
    )]
    pub const fn minutes(self) -> u8 {
        (self.micros.unsigned_abs() / 60_000_000 % 60) as u8
    }

    /// 0..=59.
    #[expect(
        clippy::as_conversions,
        reason = "within the range above; `TryFrom` is not const"
    )]
    pub const fn seconds(self) -> u8 {
        (self.micros.unsigned_abs() / 1_000_000 % 60) as u8
    }

    /// The part below a second: 0..=999_999.
    #[expect(
        clippy::as_conversions,
        reason = "within the range above; `TryFrom` is not const"
    )]
    pub const fn subsec_micros(self) -> u32 {
        (self.micros.unsigned_abs() % 1_000_000) as u32
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        write!(
            f,
            "{sign}{:02}:{:02}:{:02}",
            self.hours(),
            self.minutes(),
            self.seconds()
        )?;
        write_micros(f, self.subsec_micros())
    }
}

fn write_micros(f: &mut fmt::Formatter<'_>, micros: u32) -> fmt::Result {
    if micros == 0 {
        Ok(())
    } else {
        write!(f, ".{micros:06}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        let day = |year, month, day| Date::new(year, month, day).unwrap().is_calendar_day();
        assert!(day(2024, 2, 29) && day(2000, 2, 29) && day(9999, 12, 31) && day(0, 1, 1));
        assert!(!day(2023, 2, 29) && !day(1900, 2, 29) && !day(2024, 4, 31));
        assert!(!day(0, 0, 0) && !day(2024, 0, 1) && !day(2024, 1, 0));
        assert_eq!(Date::new(10_000, 1, 1), None);
        assert_eq!(Date::new(2024, 13, 1), None);
    }

    #[test]
    fn times_have_a_sign_and_an_end() {
        let time = Time::new(true, 838, 59, 58, 7).unwrap();
        assert_eq!(time.to_string(), "-838:59:58.000007");
        assert_eq!(
            (
                time.hours(),
                time.minutes(),
                time.seconds(),
                time.subsec_micros()
            ),
            (838, 59, 58, 7)
        );
        assert!(time < Time::default() && time > Time::MIN);
        assert_eq!(Time::from_micros(Time::MAX.as_micros() + 1), None);
        assert_eq!(Time::new(false, 1, 60, 0, 0), None);
    }
}

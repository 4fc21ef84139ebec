//! Dates and times as the text protocol prints them: `2024-01-02`, `2024-01-02 03:04:05.000006`, `-838:59:59`.

use crate::temporal::{Date, DateTime, Time};

/// A date, and a time of day behind a space unless it is midnight.
pub(super) fn datetime(text: &str) -> Option<DateTime> {
    let Some((day, clock)) = text.split_once(' ') else {
        return date(text).map(DateTime::from);
    };
    let (hour, minute, second, micros) = clock_parts(clock)?;
    DateTime::new(date(day)?, u8::try_from(hour).ok()?, minute, second, micros)
}

/// Hours of any number of digits, a sign in front.
pub(super) fn time(text: &str) -> Option<Time> {
    let (negative, clock) = match text.strip_prefix('-') {
        Some(clock) => (true, clock),
        None => (false, text),
    };
    let (hours, minutes, seconds, micros) = clock_parts(clock)?;
    Time::new(negative, hours, minutes, seconds, micros)
}

fn date(text: &str) -> Option<Date> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    Date::new(
        digits(year)?,
        u8::try_from(digits(month)?).ok()?,
        u8::try_from(digits(day)?).ok()?,
    )
}

fn clock_parts(text: &str) -> Option<(u16, u8, u8, u32)> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, rest) = rest.split_once(':')?;
    let (seconds, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    Some((
        digits(hours)?,
        u8::try_from(digits(minutes)?).ok()?,
        u8::try_from(digits(seconds)?).ok()?,
        micros(fraction)?,
    ))
}

/// `str::parse` alone would let signs through.
fn digits(text: &str) -> Option<u16> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// Up to six digits behind the point.
fn micros(fraction: &str) -> Option<u32> {
    if fraction.len() > 6 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(
        fraction
            .bytes()
            .chain(std::iter::repeat(b'0'))
            .take(6)
            .fold(0, |micros, digit| micros * 10 + u32::from(digit - b'0')),
    )
}

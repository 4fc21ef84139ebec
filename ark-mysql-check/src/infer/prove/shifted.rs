//! Dates and times that are made of numbers, or moved by a time or to another zone.

use super::call::only_if;
use super::dates::{self, FARTHEST, reach};
use super::{Fact, functions};
use crate::description::{Kind, Why};
use crate::sql::tree::{Call, Expression};

/// Hours that may be added to a time of the day: TIME ends at 838 of them, and beyond its end MySQL gives NULL.
const MOST_HOURS: u32 = 800;

/// The last offset of a zone that MariaDB knows in both directions, in whole hours. MySQL knows one more.
const FARTHEST_ZONE: u32 = 12;

pub(super) fn of_shifted(call: &Call, facts: &[Fact], strict: Fact) -> Fact {
    let first = facts.first().copied().unwrap_or(Fact::NEVER);
    let (known, kind, real) = match (call.name.as_str(), call.arguments.as_slice()) {
        ("MAKEDATE", [year, day]) => {
            // The last year has no 366th day, and all that is behind is NULL.
            let known = is_year(year) && is_within(day, 1, 365);
            (known, Some(Kind::Date), known)
        }
        ("MAKETIME", [_, minutes, seconds]) => {
            let minutes = is_within(minutes, 0, 59) && is_within(seconds, 0, 59);
            // Too many hours are cut.
            let known = functions::is_integer(first.kind) && minutes;
            (known, Some(Kind::Time), false)
        }
        ("CONVERT_TZ", [moment, from, to]) => {
            // What leaves the time that servers convert is left as it is.
            let known = dates::is_real(&first) && is_offset(from) && is_offset(to);
            (known, Some(Kind::DateTime), known && is_by_clock(moment))
        }
        ("ADDTIME" | "SUBTIME", [moment, time]) => {
            let is_time = facts
                .get(1)
                .is_some_and(|fact| fact.kind == Some(Kind::Time));
            let of_day = is_time_of_day(moment) && is_time_as_written(time);
            let of_clock = first.kind == Some(Kind::DateTime)
                && is_by_clock(moment)
                && (is_time || is_time_as_written(time));
            (of_day || of_clock, None, false)
        }
        _ => (false, None, false),
    };
    Fact {
        kind: kind.filter(|_| known),
        real,
        ..only_if(known, strict, Why::Function)
    }
}

/// Whether it is a clock's time, or as near to one that moving it once more changes nothing.
fn is_by_clock(moment: &Expression) -> bool {
    reach(moment).is_some_and(|years| years <= FARTHEST)
}

fn is_time_of_day(time: &Expression) -> bool {
    matches!(time, Expression::Call(call)
        if functions::rule(&call.name) == functions::Rule::Clock && dates::clock_kind(&call.name) == Some(Kind::Time))
}

/// Two digits of a year mean one of this century or the last.
fn is_year(year: &Expression) -> bool {
    match year {
        Expression::Call(call) if call.name == "YEAR" => {
            matches!(call.arguments.as_slice(), [moment] if is_by_clock(moment))
        }
        literal => is_within(literal, 1, 9999),
    }
}

fn is_within(literal: &Expression, least: u32, most: u32) -> bool {
    match literal {
        Expression::Literal(text) => {
            dates::number(text).is_some_and(|number| (least..=most).contains(&number))
        }
        _ => false,
    }
}

/// `'+02:00'`: named zones may be missing.
fn is_offset(literal: &Expression) -> bool {
    let Some(offset) = quoted(literal) else {
        return false;
    };
    let parts = offset
        .strip_prefix(['+', '-'])
        .and_then(|rest| rest.split_once(':'));
    parts.is_some_and(|(hours, minutes)| {
        two_digits(hours).is_some_and(|hours| hours <= FARTHEST_ZONE)
            && two_digits(minutes).is_some_and(|minutes| minutes < 60)
    })
}

/// `'01:30:00'` or `TIME'01:30:00'`.
fn is_time_as_written(literal: &Expression) -> bool {
    let parts: Vec<&str> = quoted(literal)
        .into_iter()
        .flat_map(|time| time.split(':'))
        .collect();
    let [hours, minutes, seconds] = parts.as_slice() else {
        return false;
    };
    let is_sixtieth = |part: &str| two_digits(part).is_some_and(|part| part < 60);
    let digits = hours.bytes().all(|byte| byte.is_ascii_digit());
    digits
        && dates::number(hours).is_some_and(|hours| hours <= MOST_HOURS)
        && is_sixtieth(minutes)
        && is_sixtieth(seconds)
}

/// The text of a literal, if it is one; that of a time begins with a word.
fn quoted(literal: &Expression) -> Option<&str> {
    let Expression::Literal(text) = literal else {
        return None;
    };
    let (word, rest) = text.split_once('\'')?;
    let is_text = word.trim().is_empty() || word.trim().eq_ignore_ascii_case("TIME");
    rest.strip_suffix('\'').filter(|_| is_text)
}

fn two_digits(digits: &str) -> Option<u32> {
    let plain = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    dates::number(digits).filter(|_| plain)
}

//! Dates and times: which dates are real, which parts they have, and how far one may be moved.

use super::call::only_if;
use super::scope::Scope;
use super::{Fact, Prover, functions};
use crate::description::{Kind, Why};
use crate::sql::tree::{Call, Expression};

/// Years by which a clock's time may be moved: it lies between 1970 and 3001, and dates between the years 1 and 9999.
pub(super) const FARTHEST: u32 = 900;

/// A date as literals of the standard write it, with no part that is zero: DATE'2024-00-00' and DATE'2023-02-29' may be
/// written, where sql_mode lets them.
pub(super) fn is_real_date(literal: &str) -> bool {
    let date = literal
        .split_once('\'')
        .and_then(|(_, text)| text.split(['\'', ' ', 'T']).next());
    let parts: Vec<Option<u32>> = date
        .into_iter()
        .flat_map(|date| date.split('-'))
        .map(|part| part.parse().ok())
        .collect();
    let [Some(year), Some(month), Some(day)] = parts.as_slice() else {
        return false;
    };
    let leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leaps),
        _ => 0,
    };
    (1..=9999).contains(year) && (1..=days).contains(day)
}

/// Whether it comes as a date or a time, which a zero date may have become.
pub(in crate::infer) fn may_be_zero(kind: Kind) -> bool {
    functions::is_moment(Some(kind)) || kind == Kind::Time
}

impl Prover<'_> {
    /// Whether a zero date becomes NULL there, as in some modes of MariaDB, whatever is made of the result.
    pub(super) fn loses_zero_dates(&self, call: &Call, facts: &[Fact], scope: &Scope<'_>) -> bool {
        let mut arguments = call.arguments.iter().zip(facts);
        self.zero_dates
            && functions::reads_dates(&call.name)
            && arguments.any(|(argument, fact)| !fact.real && self.may_be_date(argument, scope))
    }

    /// Whether it may be a zero date. Functions of dates give none: without a real one they give NULL.
    fn may_be_date(&self, expression: &Expression, scope: &Scope<'_>) -> bool {
        let any = |parts: &[Expression]| parts.iter().any(|part| self.may_be_date(part, scope));
        match expression {
            Expression::Column(..) => {
                let kind = self.fact(expression, scope).kind;
                kind.is_none() || functions::is_moment(kind)
            }
            Expression::Call(call) => match functions::rule(&call.name) {
                functions::Rule::Unknown => {
                    !functions::is_aggregate(&call.name) || any(&call.arguments)
                }
                _ if functions::passes_dates(&call.name) => any(&call.arguments),
                _ => false,
            },
            Expression::Case { results, .. } => any(results),
            Expression::Subquery(_) | Expression::Unknown(_) => true,
            _ => false,
        }
    }
}

pub(super) fn clock_kind(name: &str) -> Option<Kind> {
    match name {
        "CURDATE" | "CURRENT_DATE" | "UTC_DATE" => Some(Kind::Date),
        "CURTIME" | "CURRENT_TIME" | "UTC_TIME" => Some(Kind::Time),
        _ => Some(Kind::DateTime),
    }
}

/// Units of EXTRACT that zero dates have, beside the simple ones.
const PAIRS: &[&str] = &[
    "YEAR_MONTH",
    "DAY_HOUR",
    "DAY_MINUTE",
    "DAY_SECOND",
    "DAY_MICROSECOND",
];

/// Those that times have, too.
const PAIRS_OF_TIMES: &[&str] = &[
    "HOUR_MINUTE",
    "HOUR_SECOND",
    "HOUR_MICROSECOND",
    "MINUTE_SECOND",
    "MINUTE_MICROSECOND",
    "SECOND_MICROSECOND",
];

/// Whether every value of the kind has this part: zero dates have all, in numbers.
pub(super) fn has_part(part: &str, kind: Option<Kind>) -> bool {
    let of_times = ["HOUR", "MINUTE", "SECOND", "MICROSECOND"].contains(&part)
        || PAIRS_OF_TIMES.contains(&part);
    let of_dates = functions::is_part(part) || PAIRS.contains(&part);
    (of_times || of_dates) && functions::is_moment(kind) || of_times && kind == Some(Kind::Time)
}

pub(super) fn of_real_date(call: &Call, first: Fact, strict: Fact) -> Fact {
    let is_alone = match call.arguments.get(1) {
        None => true,
        Some(Expression::Literal(mode)) => {
            ["WEEK", "YEARWEEK"].contains(&call.name.as_str()) && number(mode).is_some()
        }
        Some(_) => false,
    };
    let known = is_alone && is_real(&first);
    let is_date = known && ["DATE", "LAST_DAY"].contains(&call.name.as_str());
    Fact {
        kind: is_date.then_some(Kind::Date),
        real: is_date,
        ..only_if(known, strict, Why::Date)
    }
}

pub(super) fn is_real(fact: &Fact) -> bool {
    functions::is_moment(fact.kind) && fact.real
}

/// The functions that take dates and times apart, put them together, and move them.
pub(super) fn of_dates(call: &Call, facts: &[Fact], strict: Fact) -> Fact {
    let first = facts.first().copied().unwrap_or(Fact::NEVER);
    let all_real = facts.iter().all(is_real);
    let has_time = functions::is_moment(first.kind) || first.kind == Some(Kind::Time);
    let time = Some(Kind::Time);
    let (known, kind) = match call.name.as_str() {
        "EXTRACT" => {
            let unit = call.target.as_deref().unwrap_or_default();
            (has_part(unit, first.kind), None)
        }
        "DATE_FORMAT" => (formats_date(call, first), None),
        "TIME_FORMAT" => (first.kind == time && formats_time(call), None),
        "DATEDIFF" | "TIMESTAMPDIFF" => (all_real && facts.len() == 2, None),
        "TIMESTAMP" => (all_real && facts.len() == 1, Some(Kind::DateTime)),
        "TIMEDIFF" => {
            let alike = facts.iter().all(|fact| fact.kind == first.kind);
            (alike && (first.kind == time || all_real), time)
        }
        "TIME" => (has_time, time),
        "TIME_TO_SEC" => (has_time, None),
        "SEC_TO_TIME" => (true, time),
        "UNIX_TIMESTAMP" => (has_timestamp(call, first), None),
        "FROM_UNIXTIME" => (is_in_time(call), Some(Kind::DateTime)),
        _ => {
            let moved = moved(call).filter(|years| *years <= FARTHEST);
            (moved.is_some(), moved.map(|_| moved_kind(call, facts)))
        }
    };
    Fact {
        kind: kind.filter(|_| known),
        real: known && functions::is_moment(kind),
        ..only_if(known, strict, Why::Date)
    }
}

fn formats_date(call: &Call, date: Fact) -> bool {
    match call.arguments.get(1) {
        Some(Expression::Literal(format)) if functions::is_moment(date.kind) => {
            functions::formats_zero_dates(format) || date.real && format.len() > 2
        }
        _ => false,
    }
}

fn formats_time(call: &Call) -> bool {
    matches!(call.arguments.get(1), Some(Expression::Literal(format)) if functions::formats_times(format))
}

/// Whether it lies in the time that counts seconds: MariaDB gives NULL for all others, and for zero dates that are no TIMESTAMP column's.
fn has_timestamp(call: &Call, first: Fact) -> bool {
    match call.arguments.as_slice() {
        [] => true,
        [Expression::Column(..)] => first.kind == Some(Kind::Timestamp),
        [other] => reach(other) == Some(0),
        _ => false,
    }
}

/// Whether that many seconds are a time on every server.
fn is_in_time(call: &Call) -> bool {
    match call.arguments.as_slice() {
        [Expression::Literal(seconds)] => {
            number(seconds).is_some_and(|seconds| (1..1 << 31).contains(&seconds))
        }
        _ => false,
    }
}

/// By how many years a clock's time is moved at most; `None` where it is none, or nobody knows.
pub(super) fn reach(expression: &Expression) -> Option<u32> {
    let Expression::Call(call) = expression else {
        return None;
    };
    let target = call.target.as_deref();
    match (call.name.as_str(), call.arguments.as_slice()) {
        (name, _) if functions::rule(name) == functions::Rule::Clock => {
            functions::is_moment(clock_kind(name)).then_some(0)
        }
        ("DATE" | "LAST_DAY" | "TIMESTAMP", [inner]) => reach(inner),
        ("CAST" | "CONVERT", [inner]) if matches!(target, Some("DATE" | "DATETIME")) => {
            reach(inner)
        }
        _ => moved(call),
    }
}

/// The same for what moves it.
fn moved(call: &Call) -> Option<u32> {
    let (start, years) = match (call.name.as_str(), call.arguments.as_slice()) {
        (
            "DATE_ADD" | "DATE_SUB" | "ADDDATE" | "SUBDATE",
            [start, Expression::Interval(amount, unit)],
        ) => (start, years(amount, unit)?),
        ("ADDDATE" | "SUBDATE", [start, amount]) => (start, years(amount, "DAY")?),
        ("TIMESTAMPADD", [amount, start]) => (start, years(amount, call.target.as_deref()?)?),
        _ => return None,
    };
    reach(start)?.checked_add(years)
}

/// How many years these are at most.
fn years(amount: &Expression, unit: &str) -> Option<u32> {
    let Expression::Literal(amount) = amount else {
        return None;
    };
    let in_a_year = match unit {
        "YEAR" => 1,
        "QUARTER" => 4,
        "MONTH" => 12,
        "WEEK" => 52,
        "DAY" => 365,
        "HOUR" => 365 * 24,
        "MINUTE" => 365 * 24 * 60,
        "SECOND" => 365 * 24 * 60 * 60,
        _ => return None,
    };
    Some(number(amount)?.div_ceil(in_a_year))
}

/// A date stays one as long as it is moved by whole days.
fn moved_kind(call: &Call, facts: &[Fact]) -> Kind {
    let unit = match call.arguments.get(1) {
        Some(Expression::Interval(_, unit)) => unit,
        _ => call.target.as_deref().unwrap_or("DAY"),
    };
    let whole = ["DAY", "WEEK", "MONTH", "QUARTER", "YEAR"].contains(&unit);
    let of_date = facts.iter().any(|fact| fact.kind == Some(Kind::Date));
    if whole && of_date {
        Kind::Date
    } else {
        Kind::DateTime
    }
}

pub(super) fn number(literal: &str) -> Option<u32> {
    literal.parse().ok()
}

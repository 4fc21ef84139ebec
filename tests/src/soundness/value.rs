//! Classes of SQL values: what random expressions are made of, and what is bound to their parameters.

use ark_mysql_proto::temporal::{Date, DateTime, Time};
use ark_mysql_proto::{EncodeError, ParamSink, ParamType};

use super::random::Random;

/// What kind of value an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Integers of all widths, and truth.
    Int,
    /// DECIMAL.
    Decimal,
    /// DOUBLE.
    Double,
    /// Text.
    Text,
    /// DATE.
    Date,
    /// DATETIME and TIMESTAMP.
    DateTime,
    /// TIME.
    Time,
    /// JSON.
    Json,
}

impl Class {
    pub(super) const ALL: [Self; 8] = [
        Self::Int,
        Self::Decimal,
        Self::Double,
        Self::Text,
        Self::Date,
        Self::DateTime,
        Self::Time,
        Self::Json,
    ];

    /// The weight of integers and text is that of real schemas.
    pub(super) fn random(random: &mut Random) -> Self {
        *random.pick(&[
            Self::Int,
            Self::Int,
            Self::Int,
            Self::Text,
            Self::Text,
            Self::Date,
            Self::DateTime,
            Self::Decimal,
            Self::Double,
            Self::Time,
            Self::Json,
        ])
    }

    /// Its place in [`ALL`](Self::ALL).
    pub(super) fn index(self) -> usize {
        Self::ALL
            .iter()
            .position(|class| *class == self)
            .unwrap_or(0)
    }
}

/// A parameter's value: NULL still has a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    class: Class,
    small: u8,
    null: bool,
}

impl Value {
    pub(super) fn random(class: Class, nulls: bool, random: &mut Random) -> Self {
        Self {
            class,
            small: u8::try_from(random.below(5)).unwrap_or(0),
            null: nulls && random.percent(35),
        }
    }

    pub(super) fn text() -> Self {
        Self {
            class: Class::Text,
            small: 1,
            null: false,
        }
    }

    pub(super) fn null() -> Self {
        Self {
            class: Class::Int,
            small: 0,
            null: true,
        }
    }

    pub(super) fn wire_type(&self) -> ParamType {
        match self.class {
            Class::Int => ParamType::I64,
            Class::Decimal => ParamType::DECIMAL,
            Class::Double => ParamType::F64,
            Class::Text | Class::Json => ParamType::TEXT,
            Class::Date => ParamType::DATE,
            Class::DateTime => ParamType::DATETIME,
            Class::Time => ParamType::TIME,
        }
    }

    pub(super) fn write<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        if self.null {
            return out.null();
        }
        let date = Date::new(2024, 1 + self.small, 3).unwrap_or_default();
        match self.class {
            Class::Int => out.i64(i64::from(self.small)),
            Class::Decimal => out.decimal("1.5"),
            Class::Double => out.f64(f64::from(self.small)),
            Class::Text => out.text(["", "a", "b", "ab", "c"][usize::from(self.small)]),
            Class::Json => out.text("[1]"),
            Class::Date => out.date(date),
            Class::DateTime => out.datetime(DateTime::from(date)),
            Class::Time => out.time(Time::new(false, 1, 2, self.small, 0).unwrap_or_default()),
        }
    }
}

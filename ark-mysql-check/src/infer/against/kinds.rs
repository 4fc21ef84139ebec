//! What an expression is, as far as that decides what it can be compared with.

use super::Finder;
use super::scope::{Known, Outside, Scope};
use crate::description::Kind;
use crate::sql::tree::{Body, Call, Expression, Item, Query};

impl Finder<'_> {
    pub(super) fn known(&self, expression: &Expression, scope: &Scope<'_>) -> Option<Known> {
        match expression {
            Expression::Column(table, name) => scope.column(table.as_deref(), name).cloned(),
            Expression::Call(call) => self.of_call(call, scope),
            Expression::Subquery(query) => self.first_column(query, &scope.inside()),
            // A sign.
            Expression::Strict(parts) => match parts.as_slice() {
                [one] => self.known(one, scope).map(|known| Known::of(known.kind)),
                parts => self.of_arithmetic(parts, scope),
            },
            Expression::Division(parts) => self.of_arithmetic(&parts[..], scope),
            _ => None,
        }
    }

    /// A number: of floats a float, of decimals a decimal.
    pub(super) fn of_arithmetic(&self, parts: &[Expression], scope: &Scope<'_>) -> Option<Known> {
        let kinds: Vec<Kind> = parts
            .iter()
            .filter_map(|part| self.known(part, scope))
            .map(|known| known.kind)
            .collect();
        let has = |kinds_of: &[Kind]| kinds.iter().any(|kind| kinds_of.contains(kind));
        let is_number = |kind: &Kind| {
            kind.is_integer()
                || matches!(
                    kind,
                    Kind::Decimal | Kind::Float | Kind::Double | Kind::Year
                )
        };
        if kinds.is_empty() || !kinds.iter().all(is_number) {
            return None;
        }
        Some(Known::of(if has(&[Kind::Float, Kind::Double]) {
            Kind::Double
        } else if has(&[Kind::Decimal]) {
            Kind::Decimal
        } else {
            Kind::BigInt
        }))
    }

    fn of_call(&self, call: &Call, scope: &Scope<'_>) -> Option<Known> {
        let first = || self.known(call.arguments.first()?, scope);
        let kind = match call.name.as_str() {
            "CAST" | "CONVERT" => return of_target(call.target.as_deref()?).map(Known::of),
            "BINARY" | "MIN" | "MAX" | "ANY_VALUE" | "COALESCE" | "IFNULL" | "FIRST_VALUE"
            | "LAST_VALUE" | "LAG" | "LEAD" => return first().map(|known| Known::of(known.kind)),
            name if NUMBERS.contains(&name) => Kind::BigInt,
            name if TEXTS.contains(&name) => {
                let is_bytes = |part| {
                    self.known(part, scope)
                        .is_some_and(|known| known.kind == Kind::Bytes)
                };
                if call.arguments.iter().any(is_bytes) {
                    return None;
                }
                Kind::Text
            }
            "DATE" | "CURDATE" | "CURRENT_DATE" | "LAST_DAY" | "UTC_DATE" => Kind::Date,
            "NOW" | "CURRENT_TIMESTAMP" | "LOCALTIME" | "LOCALTIMESTAMP" | "SYSDATE"
            | "UTC_TIMESTAMP" => Kind::DateTime,
            _ => return None,
        };
        Some(Known::of(kind))
    }

    /// What a query for one value is.
    pub(super) fn first_column(&self, query: &Query, outside: &Outside<'_>) -> Option<Known> {
        let columns = self.columns_of(query, outside)?;
        columns.into_iter().next()?.known
    }

    /// What the query's list begins with, where it is written there.
    pub(super) fn is_parameter_alone(query: &Query) -> Option<usize> {
        let Body::Select(select) = &query.body else {
            return None;
        };
        match select.items.as_slice() {
            [Item::Column(Expression::Parameter(parameter), _)] => Some(*parameter),
            _ => None,
        }
    }
}

fn of_target(target: &str) -> Option<Kind> {
    Some(match target {
        "SIGNED" | "UNSIGNED" | "INT" | "INTEGER" => Kind::BigInt,
        "CHAR" | "NCHAR" | "VARCHAR" => Kind::Text,
        "BINARY" => Kind::Bytes,
        "DATE" => Kind::Date,
        "DATETIME" => Kind::DateTime,
        "TIME" => Kind::Time,
        "DECIMAL" | "DEC" => Kind::Decimal,
        "FLOAT" | "DOUBLE" | "REAL" => Kind::Double,
        "YEAR" => Kind::Year,
        _ => return None,
    })
}

/// Functions that give a number of some kind; all numbers are compared with each other.
const NUMBERS: &[&str] = &[
    "ABS",
    "AVG",
    "BIT_LENGTH",
    "CEIL",
    "CEILING",
    "CHARACTER_LENGTH",
    "CHAR_LENGTH",
    "COUNT",
    "DATEDIFF",
    "DAY",
    "DAYOFMONTH",
    "DAYOFWEEK",
    "DAYOFYEAR",
    "DENSE_RANK",
    "FLOOR",
    "HOUR",
    "INSTR",
    "LENGTH",
    "LOCATE",
    "MINUTE",
    "MOD",
    "MONTH",
    "OCTET_LENGTH",
    "POW",
    "POWER",
    "QUARTER",
    "RANK",
    "ROUND",
    "ROW_NUMBER",
    "SECOND",
    "SIGN",
    "SQRT",
    "SUM",
    "TIMESTAMPDIFF",
    "TRUNCATE",
    "UNIX_TIMESTAMP",
    "WEEK",
    "WEEKDAY",
    "YEAR",
];

/// Functions that give text of text.
const TEXTS: &[&str] = &[
    "CONCAT",
    "CONCAT_WS",
    "DATE_FORMAT",
    "GROUP_CONCAT",
    "HEX",
    "LCASE",
    "LEFT",
    "LOWER",
    "LPAD",
    "LTRIM",
    "MD5",
    "MID",
    "MONTHNAME",
    "REPEAT",
    "REPLACE",
    "REVERSE",
    "RIGHT",
    "RPAD",
    "RTRIM",
    "SHA1",
    "SHA2",
    "SUBSTR",
    "SUBSTRING",
    "SUBSTRING_INDEX",
    "TRIM",
    "UCASE",
    "UPPER",
];

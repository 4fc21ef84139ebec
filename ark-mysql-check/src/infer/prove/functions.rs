//! When functions give NULL. What is not on a list may do so at any time.

use crate::description::Kind;

/// NULL only for a NULL argument, whatever the arguments are.
const STRICT: &[&str] = &[
    "ABS",
    "ANY_VALUE",
    "ATAN",
    "COS",
    "FORMAT",
    "INSERT",
    "SIN",
    "SOUNDEX",
    "TO_BASE64",
    "ASCII",
    "BIT_COUNT",
    "BIT_LENGTH",
    "CEIL",
    "CEILING",
    "CHARACTER_LENGTH",
    "CHAR_LENGTH",
    "CONCAT",
    "CRC32",
    "DEGREES",
    "FIND_IN_SET",
    "FLOOR",
    "HEX",
    "INSTR",
    "LCASE",
    "LEFT",
    "LENGTH",
    "LOCATE",
    "LOWER",
    "LTRIM",
    "MD5",
    "MID",
    "OCTET_LENGTH",
    "ORD",
    "POSITION",
    "RADIANS",
    "REPLACE",
    "REVERSE",
    "RIGHT",
    "ROUND",
    "RTRIM",
    "SHA",
    "SHA1",
    "SIGN",
    "STRCMP",
    "SUBSTR",
    "SUBSTRING",
    "SUBSTRING_INDEX",
    "TRIM",
    "TRUNCATE",
    "UCASE",
    "UPPER",
];

/// Never NULL, whatever the arguments are.
const NEVER: &[&str] = &[
    "CHAR",
    "CONNECTION_ID",
    "INTERVAL",
    "CURRENT_USER",
    "FIELD",
    "GROUPING",
    "ISNULL",
    "JSON_ARRAY",
    "LAST_INSERT_ID",
    "PI",
    "QUOTE",
    "SESSION_USER",
    "SYSTEM_USER",
    "USER",
    "UUID",
    "UUID_SHORT",
    "VERSION",
    "ROW_COUNT",
    "FOUND_ROWS",
];

/// Never NULL, and never a zero date.
const CLOCKS: &[&str] = &[
    "CURDATE",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURTIME",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NOW",
    "SYSDATE",
    "UTC_DATE",
    "UTC_TIME",
    "UTC_TIMESTAMP",
];

/// Of a DATE or DATETIME that is not NULL, zero dates too.
const PARTS: &[&str] = &[
    "DAY",
    "DAYOFMONTH",
    "HOUR",
    "MICROSECOND",
    "MINUTE",
    "MONTH",
    "QUARTER",
    "SECOND",
    "YEAR",
];

/// Of a date that is not a zero date.
const OF_REAL_DATES: &[&str] = &[
    "DATE",
    "DAYNAME",
    "DAYOFWEEK",
    "DAYOFYEAR",
    "LAST_DAY",
    "MONTHNAME",
    "TO_DAYS",
    "WEEK",
    "WEEKDAY",
    "WEEKOFYEAR",
    "YEARWEEK",
];

/// Letters of DATE_FORMAT that are numbers, and so exist in zero dates.
const NUMBERS_OF_DATES: &str = "YymcdeHkhIliSsfT%r";

const AGGREGATES: &[&str] = &[
    "AVG",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "COUNT",
    "GROUP_CONCAT",
    "JSON_ARRAYAGG",
    "JSON_OBJECTAGG",
    "MAX",
    "MIN",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "ST_COLLECT",
    "SUM",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
];

/// They give NULL for some values that are not NULL, whatever else is known.
const PARTIAL: &[&str] = &[
    "ACOS",
    "ADDDATE",
    "ADDTIME",
    "ASIN",
    "CONV",
    "CONVERT_TZ",
    "CUBE",
    "DATEDIFF",
    "DATE_ADD",
    "DATE_SUB",
    "ELT",
    "FROM_BASE64",
    "FROM_DAYS",
    "FROM_UNIXTIME",
    "INET6_ATON",
    "INET6_NTOA",
    "INET_ATON",
    "INET_NTOA",
    "JSON_CONTAINS",
    "JSON_CONTAINS_PATH",
    "JSON_EXTRACT",
    "JSON_KEYS",
    "JSON_LENGTH",
    "JSON_MERGE_PATCH",
    "JSON_QUERY",
    "JSON_REMOVE",
    "JSON_SEARCH",
    "JSON_SET",
    "JSON_TYPE",
    "JSON_UNQUOTE",
    "JSON_VALUE",
    "LAG",
    "LEAD",
    "LN",
    "LOAD_FILE",
    "LOG",
    "LOG10",
    "LOG2",
    "LPAD",
    "MAKEDATE",
    "MAKETIME",
    "NTH_VALUE",
    "NULLIF",
    "PERIOD_ADD",
    "POW",
    "POWER",
    "REGEXP_SUBSTR",
    "RPAD",
    "SQRT",
    "STDDEV_SAMP",
    "STR_TO_DATE",
    "SUBDATE",
    "SUBTIME",
    "TIMEDIFF",
    "TIMESTAMP",
    "TIMESTAMPADD",
    "TIMESTAMPDIFF",
    "TIME_FORMAT",
    "TIME",
    "UNCOMPRESS",
    "UNHEX",
    "UUID_TO_BIN",
    "VAR_SAMP",
];

/// What a function's name says about NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Never,
    Clock,
    Strict,
    /// COALESCE and IFNULL: NULL only if all are.
    AnyOf,
    /// IF: of the second and third argument.
    If,
    /// Parts of dates.
    Part,
    /// What needs a real date.
    OfRealDate,
    /// CAST and CONVERT.
    Cast,
    /// CONCAT_WS: of the first argument.
    First,
    DateFormat,
    /// GREATEST and LEAST: of arguments of one kind.
    Extreme,
    Extract,
    /// MOD: as the operator.
    Modulo,
    /// Of integers: BIN gives NULL for the empty string.
    OfInteger,
    /// REPEAT and SPACE: too long a result is NULL.
    Repeated,
    TimeToSec,
    Sha2,
    /// Of every other argument: the names.
    JsonObject,
    Partial,
    Unknown,
}

pub(super) fn rule(name: &str) -> Rule {
    let listed = |list: &[&str]| list.contains(&name);
    match name {
        "COALESCE" | "IFNULL" | "NVL" => Rule::AnyOf,
        "IF" => Rule::If,
        "CAST" | "CONVERT" => Rule::Cast,
        "CONCAT_WS" => Rule::First,
        "DATE_FORMAT" => Rule::DateFormat,
        "GREATEST" | "LEAST" => Rule::Extreme,
        "EXTRACT" => Rule::Extract,
        "BIN" | "OCT" | "SEC_TO_TIME" => Rule::OfInteger,
        "MOD" => Rule::Modulo,
        "REPEAT" | "SPACE" => Rule::Repeated,
        "TIME_TO_SEC" => Rule::TimeToSec,
        "JSON_OBJECT" => Rule::JsonObject,
        "SHA2" => Rule::Sha2,
        _ if listed(CLOCKS) => Rule::Clock,
        _ if listed(NEVER) => Rule::Never,
        _ if listed(STRICT) => Rule::Strict,
        _ if listed(PARTIAL) => Rule::Partial,
        _ if listed(PARTS) => Rule::Part,
        _ if listed(OF_REAL_DATES) => Rule::OfRealDate,
        _ => Rule::Unknown,
    }
}

/// Whether a NULL argument always makes it NULL: what conditions may conclude from.
pub(super) fn is_strict(name: &str) -> bool {
    STRICT.contains(&name) || PARTS.contains(&name) || OF_REAL_DATES.contains(&name)
}

pub(super) fn is_aggregate(name: &str) -> bool {
    AGGREGATES.contains(&name)
}

/// Aggregates that have a value for no rows.
pub(super) fn is_count(name: &str) -> bool {
    ["COUNT", "BIT_AND", "BIT_OR", "BIT_XOR"].contains(&name)
}

/// Aggregates that have one for every group in which the argument has one.
pub(super) fn keeps_values(name: &str) -> bool {
    ["MIN", "MAX", "SUM", "AVG", "GROUP_CONCAT", "JSON_ARRAYAGG"].contains(&name)
}

/// Window functions that have a value for every row.
pub(super) fn numbers_rows(name: &str) -> bool {
    [
        "ROW_NUMBER",
        "RANK",
        "DENSE_RANK",
        "CUME_DIST",
        "PERCENT_RANK",
        "COUNT",
    ]
    .contains(&name)
}

/// Whether a format, as written, gives text for every date.
pub(super) fn formats_zero_dates(literal: &str) -> bool {
    let Some(format) = literal
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    else {
        return false;
    };
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character == '\\'
            || character == '%'
                && !characters
                    .next()
                    .is_some_and(|letter| NUMBERS_OF_DATES.contains(letter))
        {
            return false;
        }
    }
    !format.is_empty()
}

/// Parts that zero dates have, too.
pub(super) fn is_part(unit: &str) -> bool {
    PARTS.contains(&unit)
}

pub(super) fn is_moment(kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Date | Kind::DateTime | Kind::Timestamp))
}

/// Whether a column of this kind never makes NULL of what is put into it.
pub(super) fn takes_everything(kind: Option<Kind>) -> bool {
    is_integer(kind) || matches!(kind, Some(Kind::Text | Kind::Decimal | Kind::Double))
}

pub(super) fn is_integer(kind: Option<Kind>) -> bool {
    matches!(
        kind,
        Some(
            Kind::TinyInt
                | Kind::TinyIntUnsigned
                | Kind::SmallInt
                | Kind::SmallIntUnsigned
                | Kind::MediumInt
                | Kind::MediumIntUnsigned
                | Kind::Int
                | Kind::IntUnsigned
                | Kind::BigInt
                | Kind::BigIntUnsigned
                | Kind::Bool
        )
    )
}

//! When functions give NULL. What is not on a list may do so at any time.
//!
//! Each name was tried on all servers, with values at the ends of every type: `tests/soundness_functions`.

use crate::description::Kind;

/// NULL only for a NULL argument, whatever the arguments are.
#[rustfmt::skip]
const STRICT: &[&str] = &[
    "ABS", "ANY_VALUE", "ASCII", "ATAN", "ATAN2", "BINARY", "BIN_TO_UUID", "BIT_COUNT", "BIT_LENGTH", "CEIL", "CEILING",
    "CHARACTER_LENGTH", "CHAR_LENGTH", "COMPRESS", "CONCAT", "COS", "COT", "CRC32", "DEGREES", "EXP", "EXPORT_SET", "FIND_IN_SET",
    "FLOOR", "FORMAT", "HEX", "INSERT", "INSTR", "IS_UUID", "JSON_VALID", "LCASE", "LEFT", "LENGTH", "LOCATE", "LOWER", "LTRIM", "MD5",
    "MID", "OCTET_LENGTH", "ORD", "PERIOD_ADD", "PERIOD_DIFF", "POINT", "POSITION", "POW", "POWER", "RADIANS", "REPLACE", "REVERSE",
    "RIGHT", "ROUND", "RTRIM", "SHA", "SHA1", "SIGN", "SIN", "SOUNDEX", "STRCMP", "SUBSTR", "SUBSTRING", "SUBSTRING_INDEX", "TAN",
    "TO_BASE64", "TRIM", "TRUNCATE", "UCASE", "UPPER", "UUID_TO_BIN",
];

/// Never NULL, whatever the arguments are. A sequence that has no more values is an error.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    "CHARSET", "COLLATION", "CONNECTION_ID", "CURRENT_USER", "FIELD", "FOUND_ROWS", "GROUPING", "INTERVAL", "ISNULL",
    "LAST_INSERT_ID", "NEXT VALUE", "PI", "ROW_COUNT", "SESSION_USER", "SYSTEM_USER", "USER", "UUID", "UUID_SHORT", "VERSION",
];

/// Never NULL, and never a zero date.
#[rustfmt::skip]
const CLOCKS: &[&str] = &[
    "CURDATE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURTIME", "LOCALTIME", "LOCALTIMESTAMP", "NOW", "SYSDATE",
    "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP",
];

/// Of a DATE or DATETIME that is not NULL, zero dates too.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "DAY", "DAYOFMONTH", "HOUR", "MICROSECOND", "MINUTE", "MONTH", "QUARTER", "SECOND", "YEAR",
];

/// Of a date that is not a zero date.
#[rustfmt::skip]
const OF_REAL_DATES: &[&str] = &[
    "DATE", "DAYNAME", "DAYOFWEEK", "DAYOFYEAR", "LAST_DAY", "MONTHNAME", "TO_DAYS", "TO_SECONDS", "WEEK", "WEEKDAY", "WEEKOFYEAR",
    "YEARWEEK",
];

/// Other functions of dates and times.
#[rustfmt::skip]
const OF_DATES: &[&str] = &[
    "ADDDATE", "DATEDIFF", "DATE_ADD", "DATE_FORMAT", "DATE_SUB", "EXTRACT", "FROM_UNIXTIME", "SEC_TO_TIME", "SUBDATE", "TIME",
    "TIMEDIFF", "TIMESTAMP", "TIMESTAMPADD", "TIMESTAMPDIFF", "TIME_FORMAT", "TIME_TO_SEC", "UNIX_TIMESTAMP",
];

/// Dates and times that are made of numbers, or moved by a time or to another zone.
#[rustfmt::skip]
const SHIFTED: &[&str] = &["ADDTIME", "CONVERT_TZ", "MAKEDATE", "MAKETIME", "SUBTIME"];

/// Functions of text that depend on what it says.
#[rustfmt::skip]
const OF_TEXTS: &[&str] = &[
    "AES_ENCRYPT", "BIN", "CHAR", "CONV", "ELT", "FROM_BASE64", "LPAD", "OCT", "RANDOM_BYTES", "REGEXP_INSTR", "REGEXP_LIKE",
    "REGEXP_REPLACE", "REPEAT", "RPAD", "SHA2", "SPACE", "UNHEX",
];

/// Functions of JSON: MariaDB gives NULL for text that is none.
#[rustfmt::skip]
const OF_DOCUMENTS: &[&str] = &[
    "JSON_COMPACT", "JSON_CONTAINS", "JSON_CONTAINS_PATH", "JSON_DEPTH", "JSON_DETAILED", "JSON_INSERT", "JSON_LENGTH", "JSON_LOOSE",
    "JSON_MERGE_PATCH", "JSON_MERGE_PRESERVE", "JSON_OVERLAPS", "JSON_PRETTY", "JSON_QUOTE", "JSON_REMOVE", "JSON_REPLACE", "JSON_SET",
    "JSON_STORAGE_SIZE", "JSON_TYPE", "JSON_UNQUOTE",
];

/// Of numbers that are not negative.
#[rustfmt::skip]
const OF_POSITIVE: &[&str] = &[
    "LN", "LOG", "LOG10", "LOG2", "SQRT",
];

/// Letters of DATE_FORMAT that are numbers, and so exist in zero dates.
const NUMBERS_OF_DATES: &str = "YymcdeHkhIliSsfT%r";

/// Letters of TIME_FORMAT that every time has.
const NUMBERS_OF_TIMES: &str = "HkhIliSsfT%rp";

#[rustfmt::skip]
const AGGREGATES: &[&str] = &[
    "AVG", "BIT_AND", "BIT_OR", "BIT_XOR", "COUNT", "GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "MAX", "MIN", "STD", "STDDEV",
    "STDDEV_POP", "STDDEV_SAMP", "ST_COLLECT", "SUM", "VARIANCE", "VAR_POP", "VAR_SAMP",
];

/// They give NULL for some values that are not NULL, whatever else is known.
#[rustfmt::skip]
const PARTIAL: &[&str] = &[
    "ACOS", "ADD_MONTHS", "ASIN", "CUBE", "DATABASE", "EXTRACTVALUE", "FROM_DAYS", "GET_LOCK",
    "INET6_ATON", "INET6_NTOA", "INET_ATON", "INET_NTOA", "JSON_ARRAY_APPEND", "JSON_ARRAY_INSERT", "JSON_EXISTS", "JSON_EXTRACT",
    "JSON_KEYS", "JSON_QUERY", "JSON_SEARCH", "JSON_VALUE", "LAG", "LEAD", "LOAD_FILE", "NTH_VALUE", "NULLIF",
    "REGEXP_SUBSTR", "RELEASE_LOCK", "SCHEMA", "STDDEV_SAMP", "STR_TO_DATE", "UNCOMPRESS", "UPDATEXML", "VAR_SAMP",
];

/// Called NOT NULL by MariaDB whatever they are given, and NULL for text that is no JSON, for shapes without a place, for what is no format …
/// Before its functions stands ORACLE_SCHEMA where the empty string is NULL, as in the bodies of views.
#[rustfmt::skip]
pub(in crate::infer) const MISJUDGED: &[&str] = &[
    "AES_ENCRYPT", "COLUMN_EXISTS", "JSON_DEPTH", "JSON_MERGE", "JSON_MERGE_PATCH", "JSON_MERGE_PRESERVE", "JSON_OBJECT_FILTER_KEYS",
    "JSON_QUOTE", "ORACLE_SCHEMA", "REPLACE_ORACLE", "SFORMAT", "ST_DISTANCE", "ST_RELATE",
];

/// They read dates as such, beside the functions of dates.
pub(in crate::infer) const READ_DATES: &[&str] = &[
    "CEIL", "CEILING", "FLOOR", "GREATEST", "LEAST", "ROUND", "TRUNCATE",
];

/// They give one of the dates that they are given.
#[rustfmt::skip]
const PASS_DATES: &[&str] = &[
    "ANY_VALUE", "COALESCE", "ELT", "FIRST_VALUE", "IF", "IFNULL", "LAG", "LAST_VALUE", "LEAD", "MAX", "MIN", "NTH_VALUE", "NULLIF", "NVL", "NVL2",
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
    /// What depends on the dates in another way.
    OfDates,
    /// CAST and CONVERT.
    Cast,
    /// CONCAT_WS and MAKE_SET: of the first argument.
    First,
    /// GREATEST and LEAST: of arguments of one kind.
    Extreme,
    /// MOD: as the operator.
    Modulo,
    /// What is made of numbers, or moved by times.
    Shifted,
    OfTexts,
    /// Of a NULL, too, it makes text; of bytes that are called text, NULL.
    Written,
    OfDocuments,
    OfPositive,
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
        "CONCAT_WS" | "MAKE_SET" => Rule::First,
        "GREATEST" | "LEAST" => Rule::Extreme,
        "MOD" => Rule::Modulo,
        "JSON_OBJECT" => Rule::JsonObject,
        _ if listed(CLOCKS) => Rule::Clock,
        _ if listed(NEVER) => Rule::Never,
        _ if listed(STRICT) => Rule::Strict,
        _ if listed(PARTIAL) => Rule::Partial,
        _ if listed(PARTS) => Rule::Part,
        _ if listed(OF_REAL_DATES) => Rule::OfRealDate,
        _ if listed(OF_DATES) => Rule::OfDates,
        _ if listed(SHIFTED) => Rule::Shifted,
        _ if listed(OF_TEXTS) => Rule::OfTexts,
        "JSON_ARRAY" | "QUOTE" => Rule::Written,
        _ if listed(OF_DOCUMENTS) => Rule::OfDocuments,
        _ if listed(OF_POSITIVE) => Rule::OfPositive,
        _ => Rule::Unknown,
    }
}

/// Whether a NULL argument always makes it NULL: what conditions may conclude from.
pub(super) fn is_strict(name: &str) -> bool {
    STRICT.contains(&name) || PARTS.contains(&name) || OF_REAL_DATES.contains(&name)
}

pub(super) fn reads_dates(name: &str) -> bool {
    READ_DATES.contains(&name)
}

pub(super) fn passes_dates(name: &str) -> bool {
    READ_DATES.contains(&name) || PASS_DATES.contains(&name)
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
    ["MIN", "MAX", "SUM", "AVG", "GROUP_CONCAT"].contains(&name)
}

/// The same, of numbers whose squares are numbers.
pub(super) fn spreads(name: &str) -> bool {
    ["STD", "STDDEV", "STDDEV_POP", "VARIANCE", "VAR_POP"].contains(&name)
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
    has_letters_of(literal, NUMBERS_OF_DATES)
}

/// Whether it gives text for every time.
pub(super) fn formats_times(literal: &str) -> bool {
    has_letters_of(literal, NUMBERS_OF_TIMES)
}

fn has_letters_of(literal: &str, letters: &str) -> bool {
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
                    .is_some_and(|letter| letters.contains(letter))
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

pub(super) fn is_unsigned(kind: Option<Kind>) -> bool {
    matches!(
        kind,
        Some(
            Kind::TinyIntUnsigned
                | Kind::SmallIntUnsigned
                | Kind::MediumIntUnsigned
                | Kind::IntUnsigned
                | Kind::BigIntUnsigned
        )
    )
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

//! Arguments of functions that have one type, whatever stands beside them.

use crate::description::Kind;

/// Functions that take text, and which of their arguments, from 0.
#[rustfmt::skip]
const TEXTS: &[(&str, &[usize])] = &[
    ("CONVERT_TZ", &[1, 2]), ("DATE_FORMAT", &[1]), ("FROM_BASE64", &[0]), ("FROM_UNIXTIME", &[1]), ("INET6_ATON", &[0]), ("INET_ATON", &[0]),
    ("IS_IPV4", &[0]), ("IS_IPV6", &[0]), ("IS_UUID", &[0]), ("JSON_CONTAINS_PATH", &[1, 2]), ("JSON_EXTRACT", &[1]), ("JSON_QUERY", &[1]), ("JSON_REMOVE", &[1]),
    ("JSON_VALUE", &[1]), ("MATCH", &[0]), ("REGEXP_INSTR", &[1]), ("REGEXP_LIKE", &[1]), ("REGEXP_REPLACE", &[1, 2]), ("REGEXP_SUBSTR", &[1]), ("STR_TO_DATE", &[0, 1]),
    ("ST_GEOMFROMTEXT", &[0]), ("TIME_FORMAT", &[1]), ("UUID_TO_BIN", &[0]),
];

/// Those that take bytes.
const BYTES: &[(&str, &[usize])] = &[("BIN_TO_UUID", &[0]), ("INET6_NTOA", &[0])];

/// Those that take a number.
#[rustfmt::skip]
const NUMBERS: &[(&str, &[usize])] = &[
    ("ELT", &[0]), ("FORMAT", &[1]), ("FROM_DAYS", &[0]), ("FROM_UNIXTIME", &[0]), ("INET_NTOA", &[0]), ("INSERT", &[1, 2]), ("LAG", &[1]), ("LEAD", &[1]), ("LEFT", &[1]),
    ("LOCATE", &[2]), ("LPAD", &[1]), ("MAKEDATE", &[0, 1]), ("MID", &[1, 2]), ("NTH_VALUE", &[1]), ("NTILE", &[0]), ("REPEAT", &[1]), ("RIGHT", &[1]), ("ROUND", &[1]),
    ("RPAD", &[1]), ("SEC_TO_TIME", &[0]), ("SLEEP", &[0]), ("SPACE", &[0]), ("SUBSTR", &[1, 2]), ("SUBSTRING", &[1, 2]), ("SUBSTRING_INDEX", &[2]), ("TIMESTAMPADD", &[0]),
    ("TRUNCATE", &[1]),
];

/// What an argument of a function must be, if that is certain. Of a number any number will do.
pub(super) fn kind(name: &str, argument: usize) -> Option<Kind> {
    let lists = [
        (TEXTS, Kind::Text),
        (BYTES, Kind::Bytes),
        (NUMBERS, Kind::BigInt),
    ];
    let has = |list: &[(&str, &[usize])]| {
        list.iter()
            .any(|(known, arguments)| *known == name && arguments.contains(&argument))
    };
    lists
        .into_iter()
        .find_map(|(list, kind)| has(list).then_some(kind))
}

/// Whether an INTERVAL of this unit is a number: those of two units are text, `'1:30' MINUTE_SECOND`.
pub(super) fn counts(unit: &str) -> bool {
    !unit.contains('_')
}

//! The functions of random expressions, by the class of what they give. Letters in braces stand for arguments:
//! `i` integer, `n` DECIMAL, `f` DOUBLE, `s` text, `d` DATE, `t` DATETIME, `h` TIME, `j` JSON, `b` condition.

#[rustfmt::skip] // one template a line would be two hundred lines
pub(super) const INT: &[&str] = &[
    "({i} + {i})", "({i} - {i})", "({i} * {i})", "({i} + 1)", "{i} DIV 2", "{i} % 3", "{i} MOD 2", "MOD({i}, 4)", "{i} DIV {i}", "{i} % {i}",
    "-({i})", "({i} & {i})", "({i} | 1)", "({b})", "({i} IS NULL)", "({s} IS NOT NULL)", "({s} LIKE {s})", "({i} IN ({i}, {i}))",
    "({i} BETWEEN {i} AND {i})", "NOT {i}", "({i} XOR {i})", "({b} AND {b})", "({b} OR {b})", "LENGTH({s})", "CHAR_LENGTH({s})", "ASCII({s})",
    "INSTR({s}, {s})", "LOCATE({s}, {s})", "FIELD({s}, 'a', 'b')", "STRCMP({s}, {s})", "FIND_IN_SET({s}, 'a,b')", "CRC32({s})", "ORD({s})",
    "YEAR({d})", "MONTH({d})", "DAY({d})", "DAYOFMONTH({t})", "QUARTER({d})", "WEEK({d})", "WEEKDAY({d})", "DAYOFWEEK({d})", "DAYOFYEAR({d})",
    "YEAR({t})", "MONTH({t})", "HOUR({t})", "MINUTE({t})", "SECOND({t})", "HOUR({h})", "MINUTE({h})", "SECOND({h})", "MICROSECOND({t})",
    "TO_DAYS({d})", "DATEDIFF({d}, {d})", "TIMESTAMPDIFF(DAY, {d}, {d})", "TIMESTAMPDIFF(SECOND, {t}, {t})", "UNIX_TIMESTAMP({t})", "YEAR({s})",
    "EXTRACT(YEAR FROM {d})", "EXTRACT(MONTH FROM {t})", "EXTRACT(HOUR FROM {t})", "TIME_TO_SEC({h})", "YEAR(NOW())", "MONTH(CURDATE())",
    "ABS({i})", "SIGN({n})", "FLOOR({n})", "CEIL({n})", "ROUND({i})", "CAST({s} AS SIGNED)", "CAST({n} AS UNSIGNED)", "CAST({i} AS SIGNED)",
    "JSON_VALID({s})", "JSON_LENGTH({j})", "ISNULL({i})", "INTERVAL({i}, 1, 2)", "BIT_COUNT({i})", "CAST({d} AS SIGNED)", "({d} = {d})",
    "({t} > {t})", "({d} <=> {d})", "({s} = {s})", "({i} <=> NULL)", "EXISTS (SELECT 1 FROM t0 WHERE t0.id = {i})", "({i} IN (SELECT id FROM t1))",
    "({s} REGEXP 'a')", "({s} REGEXP {s})", "({s} SOUNDS LIKE {s})", "JSON_DEPTH({j})", "JSON_DEPTH({s})", "JSON_CONTAINS({j}, {j})", "JSON_OVERLAPS({j}, {j})",
    "JSON_CONTAINS_PATH({j}, 'one', '$.a')", "UNIX_TIMESTAMP()", "UNIX_TIMESTAMP(NOW())", "TIMESTAMPDIFF(HOUR, {t}, NOW())", "EXTRACT(YEAR_MONTH FROM {d})",
    "EXTRACT(HOUR_MINUTE FROM {h})", "EXTRACT(DAY_SECOND FROM {t})", "WEEK({d}, 1)", "TO_SECONDS({t})", "TIME_TO_SEC({t})", "PERIOD_DIFF(202401, 202312)", "IS_IPV4({s})",
    "HOUR(TIME({t}))", "HOUR(SEC_TO_TIME({i}))", "DATEDIFF(CURDATE(), NOW() - INTERVAL 3 DAY)", "YEAR(NOW() - INTERVAL {i} YEAR)", "CONVERT({s}, SIGNED)", "LENGTH(UNHEX(HEX({s})))",
    "BIT_COUNT({s})", "REGEXP_INSTR({s}, 'b')", "INTERVAL({n}, 1, 2)", "({i} IS TRUE)", "({i} = ANY (SELECT id FROM t2))", "({i} > ALL (SELECT id FROM t3))",
];

#[rustfmt::skip]
pub(super) const DECIMAL: &[&str] = &[
    "({n} + {n})", "({n} - {i})", "({n} * {n})", "({i} / 2)", "({n} / 4)", "({n} / {i})", "({i} / {i})", "{n} % 2", "ROUND({n}, 1)", "ABS({n})",
    "TRUNCATE({n}, 0)", "CAST({s} AS DECIMAL(10,2))", "CAST({i} AS DECIMAL(12,3))", "({n} / 0.5)", "({n} / 0)", "-({n})", "MOD({n}, 3)",
];

#[rustfmt::skip]
pub(super) const DOUBLE: &[&str] = &[
    "({f} + {f})", "({f} * {n})", "({f} / 2)", "({f} / {i})", "SQRT({i})", "LN({i})", "LOG({f})", "POW({i}, 2)", "EXP({i})", "ABS({f})", "ROUND({f}, 1)",
    "PI()", "SIN({f})", "ACOS({i})", "TAN({f})", "COT({i})", "ATAN2({f}, {i})", "POWER({f}, 0.5)", "SQRT(ABS({f}))", "LOG2({i})", "LN(2)", "RADIANS({f})", "CAST({i} AS DOUBLE)", "({f} - {i})", "({f} % 2)", "-({f})",
];

#[rustfmt::skip]
pub(super) const TEXT: &[&str] = &[
    "CONCAT({s}, {s})", "CONCAT({s}, {i})", "UPPER({s})", "LOWER({s})", "TRIM({s})", "LTRIM({s})", "RTRIM({s})", "LEFT({s}, 1)", "RIGHT({s}, {i})",
    "SUBSTRING({s}, 1, 2)", "SUBSTRING({s}, {i})", "SUBSTRING_INDEX({s}, 'a', 1)", "REPLACE({s}, 'a', 'b')", "REVERSE({s})", "HEX({s})", "HEX({i})",
    "CONCAT_WS(',', {s}, {s})", "CONCAT_WS({s}, {s}, {i})", "REPEAT({s}, 2)", "LPAD({s}, 3, 'x')", "INSERT({s}, 1, 1, 'z')", "ELT({i}, 'a', 'b')",
    "SHA1({s})", "SHA2({s}, 256)", "SHA2({s}, {i})", "MD5({s})", "BIN({i})", "OCT({i})", "CONV({i}, 10, 2)", "CHAR({i})", "QUOTE({s})", "UNHEX({s})",
    "DATE_FORMAT({d}, '%Y-%m-%d')", "DATE_FORMAT({t}, '%H:%i')", "DATE_FORMAT({d}, '%W')", "DAYNAME({d})", "MONTHNAME({d})", "TIME_FORMAT({h}, '%H')",
    "CAST({i} AS CHAR)", "CAST({d} AS CHAR)", "CAST({t} AS CHAR)", "CAST({n} AS CHAR(10))", "FORMAT({n}, 2)", "TO_BASE64({s})", "FROM_BASE64({s})",
    "JSON_UNQUOTE(JSON_EXTRACT({j}, '$.a'))", "JSON_TYPE({j})", "JSON_VALUE({j}, '$.a')", "SPACE({i})", "SOUNDEX({s})", "EXPORT_SET({i}, '1', '0')",
    "INET_NTOA({i})", "MAKE_SET({i}, 'a', 'b')", "MAKE_SET({i}, {s}, {s})", "EXPORT_SET({i}, {s}, 'x', ',')", "LPAD({i}, 5, '0')", "RPAD({s}, 4, {s})", "CAST({s} AS CHAR)", "CAST(BINARY {s} AS CHAR)",
    "CONVERT({s} USING latin1)", "CHAR({i} USING utf8mb4)", "CAST(COALESCE({s}, {i}) AS CHAR)", "REGEXP_REPLACE({s}, 'a', {s})", "JSON_QUOTE({s})", "JSON_UNQUOTE({j})", "JSON_PRETTY({j})",
    "TIME_FORMAT({h}, '%H:%i:%s')", "DATE_FORMAT(NOW() - INTERVAL 1 MONTH, '%Y-%m')", "DAYNAME(LAST_DAY(NOW()))", "COMPRESS({s})", "UNHEX(MD5({s}))", "UNHEX(REPLACE(UUID(), '-', ''))",
    "UUID_TO_BIN(UUID())", "CONV({s}, 16, 10)", "REPEAT({s}, {i})", "CHARSET({s})", "CONCAT(BINARY {s}, {i})", "CASE WHEN {b} THEN CAST({s} AS BINARY(2)) ELSE {s} END", "USER()", "UUID()", "VERSION()", "DATE_FORMAT(NOW(), '%W %d')", "REGEXP_SUBSTR({s}, 'b')", "CONVERT({s} USING utf8mb4)",
    "COALESCE({i}, {s})", "IF({b}, {i}, {s})", "COALESCE({d}, {s})", "GREATEST({s}, {i})", "CASE WHEN {b} THEN {d} ELSE {s} END",
];

#[rustfmt::skip]
pub(super) const DATE: &[&str] = &[
    "DATE({t})", "DATE({d})", "DATE_ADD({d}, INTERVAL 1 DAY)", "({d} + INTERVAL {i} DAY)", "({d} - INTERVAL 9000 YEAR)", "LAST_DAY({d})", "CAST({s} AS DATE)",
    "CAST({t} AS DATE)", "STR_TO_DATE({s}, '%Y-%m-%d')", "MAKEDATE({i}, {i})", "FROM_DAYS({i})", "DATE(NOW())", "LAST_DAY(CURDATE())",
    "DATE_SUB({d}, INTERVAL 1 MONTH)", "SUBDATE({d}, 1)", "(CURDATE() - INTERVAL 7 DAY)", "(CURDATE() - INTERVAL {i} DAY)", "DATE(NOW() - INTERVAL 30 DAY)", "LAST_DAY(NOW() - INTERVAL 1 MONTH)", "CAST(NOW() AS DATE)",
    "ADDDATE(CURDATE(), 30)", "TIMESTAMPADD(MONTH, 2, CURDATE())", "COALESCE({d}, CURDATE())",
];

#[rustfmt::skip]
pub(super) const DATETIME: &[&str] = &[
    "DATE_ADD({t}, INTERVAL 1 HOUR)", "TIMESTAMP({d})", "CAST({d} AS DATETIME)", "CAST({s} AS DATETIME)", "FROM_UNIXTIME({i})", "ADDTIME({t}, '01:00:00')",
    "CONVERT_TZ({t}, '+00:00', '+01:00')", "({t} + INTERVAL 1 DAY)", "GREATEST({t}, {d})", "COALESCE({t}, {d})", "IF({b}, {t}, {d})", "IFNULL({t}, NOW())",
    "COALESCE({t}, {h})", "CASE WHEN {b} THEN {d} ELSE {h} END", "TIMESTAMPADD(DAY, {i}, {t})", "TIMESTAMPADD(HOUR, 3, NOW())", "(NOW() - INTERVAL 90 MINUTE)", "DATE_ADD(CURDATE(), INTERVAL 1 HOUR)", "FROM_UNIXTIME(1700000000)",
    "TIMESTAMP(NOW())", "TIMESTAMP(CURDATE())", "CAST(NOW() AS DATETIME)",
];

#[rustfmt::skip]
pub(super) const TIME: &[&str] = &[
    "SEC_TO_TIME({i})", "TIME({t})", "MAKETIME({i}, {i}, {i})", "CAST({s} AS TIME)", "TIMEDIFF({t}, {t})", "TIMEDIFF({h}, {h})", "TIMEDIFF(NOW(), {t})", "TIME({h})", "CAST({h} AS TIME)", "TIME(NOW())", "TIME({d})", "CONVERT({h}, TIME)", "ADDTIME({h}, '01:00:00')",
    "SUBTIME({h}, {h})", "CAST({t} AS TIME)", "STR_TO_DATE({s}, '%H:%i')",
];

#[rustfmt::skip]
pub(super) const JSON: &[&str] = &[
    "JSON_OBJECT('a', {i})", "JSON_ARRAY({i}, {s})", "JSON_EXTRACT({j}, '$.a')", "JSON_SET({j}, '$.a', {i})", "JSON_MERGE_PATCH({j}, {j})", "JSON_KEYS({j})",
    "JSON_REMOVE({j}, '$.a')", "JSON_SET({j}, '$.a', {s})", "JSON_INSERT({j}, '$[0]', {i})", "JSON_REPLACE({j}, '$.a.b', {i})", "JSON_MERGE_PRESERVE({j}, {j})",
    "JSON_ARRAY_APPEND({j}, '$', {i})", "JSON_ARRAY()", "JSON_OBJECT()", "JSON_ARRAY(NULL)",
];

//! Functions of arguments that are not NULL, one by one on all servers, with rows at the ends of every type: which are told to be NOT NULL,
//! and for which of the others a NULL comes.

mod every;

use tests::Server;
use tests::soundness::{self, Shapes};

/// One a line behind what is told of it: `N` is never NULL, `-` may be, and on some server it is.
const FUNCTIONS: &str = include_str!("functions.sql");

const SCHEMA: &[&str] = &[
    "CREATE TABLE v (id INT PRIMARY KEY, i INT NOT NULL, b BIGINT NOT NULL, u BIGINT UNSIGNED NOT NULL, n DECIMAL(40,10) NOT NULL, f DOUBLE NOT NULL, g FLOAT NOT NULL, \
     s VARCHAR(300) NOT NULL, x LONGTEXT NOT NULL, y VARBINARY(300) NOT NULL, d DATE NOT NULL, t DATETIME(6) NOT NULL, p TIMESTAMP(6) NOT NULL DEFAULT '2020-01-01', \
     h TIME(6) NOT NULL, j JSON NOT NULL, z YEAR NOT NULL, q BIT(64) NOT NULL, e ENUM('', 'a', 'b') NOT NULL, k SET('a', 'b') NOT NULL)",
    // What makes servers refuse comes last.
    "INSERT INTO v VALUES
     (1, 1, 1, 1, 1, 1, 1, 'a', '[1]', 'abc', '2024-02-29', '2024-02-29 10:11:12.5', '2024-02-29 10:11:12.123456', '10:11:12.5', '{\"a\":1}', 2024, 1, 'a', 'a'),
     (2, 0, 0, 0, 0, 0, 0, '', '', '', '0000-00-00', '0000-00-00', '0000-00-00', '00:00:00', 'null', 0, 0, '', ''),
     (3, 3, 64, 2, 0.5, 0.5, 0.5, ' ', '{}', X'00', '2024-00-00', '2024-00-00', '1970-01-01 00:00:01', '-00:00:00.000001', '[]', 1970, 2, 'b', 'a,b'),
     (4, 7, 65, 64, 1.5, 20, 20, '1', 'nonsense', X'FF', '2024-02-00', '2024-00-15 10:11:12', '2038-01-19 03:14:07', '23:59:59', '\"x\"', 1901, 64, 'a', 'b'),
     (5, 100, 2000000000, 63, 0.0000000001, 1e20, 1e20, '%_\\\\', '12:00:00', X'E9FF00', '9999-12-31', '9999-12-31 23:59:59.999999', '1999-01-01', '838:59:59', '[1,2]', 2155, 63, '', 'a'),
     (6, -1, -1, 5, -1, -1, -1, '2024-01-02 03:04:05', '127.0.0.1', X'80', '1000-01-01', '1000-01-01', '2000-01-01', '-838:59:59', '{\"a\":null}', 2000, 5, 'b', ''),
     (7, 2147483647, 9223372036854775807, 18446744073709551615, 999999999999999999999999999999.9999999999, 1.7976931348623157e308, 3.4e38, 'é🙂', \
      REPEAT('a', 70000), X'1234567890ABCDEF1234567890ABCDEF', '0001-01-01', '1970-01-01', '2024-12-31 23:59:59', '24:00:00', 'true', 1999, 18446744073709551615, 'a', 'a'),
     (8, -2147483648, -9223372036854775808, 9223372036854775808, -999999999999999999999999999999.9999999999, -1.7976931348623157e308, -3.4e38, 'abc def', \
      '550e8400-e29b-41d4-a716-446655440000', '0', '1970-01-01', '2024-02-00', '0000-00-00', '-01:00:00', '1', 2000, 9223372036854775808, 'b', 'a,b')",
    // As deep as MariaDB lets them be.
    "INSERT INTO v (id, j) VALUES (9, CONCAT(REPEAT('[', 31), 1, REPEAT(']', 31))), (10, CONCAT(REPEAT('{\"a\":', 31), 1, REPEAT('}', 31)))",
];

/// In the server's own `sql_mode`, and in one that lets everything pass: there flags say NOT NULL more often.
#[test]
fn functions_give_null_where_they_are_told_to() {
    let mut nulls = vec![0; FUNCTIONS.lines().count()];
    let mut known = nulls.clone();
    let mut wrong = String::new();
    for (server, sql_mode) in Server::ALL
        .map(|server| [(server, "DEFAULT"), (server, "''")])
        .concat()
    {
        let mut shapes = Shapes::in_mode(server, sql_mode, SCHEMA);
        for (index, line) in FUNCTIONS.lines().enumerate() {
            let (expected, function) = line.split_once(' ').expect("a letter and a function");
            let sql = format!("SELECT id, {function} AS x FROM v ORDER BY id");
            let Some(shape) = shapes.tell(&sql, &soundness::described) else {
                continue;
            };
            let column = shape.columns[1];
            let told = if column.nullable { "-" } else { "N" };
            known[index] += 1;
            nulls[index] += usize::from(column.null);
            let as_told = told == expected || sql_mode == "''" && told == "N";
            if !as_told || !shape.breaches.is_empty() {
                wrong += &format!(
                    "{server}: {function} is told to be {told}, not {expected}; {:?}\n",
                    shape.breaches
                );
            }
        }
    }
    for ((line, nulls), known) in FUNCTIONS.lines().zip(nulls).zip(known) {
        if known == 0 || line.starts_with('-') && nulls == 0 {
            wrong += &format!("{line}: known {known} times, NULL {nulls} times\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Of MariaDB alone.
const SERVERS_WITH_SUCH_MODES: [Server; 2] = [Server::ALL[1], Server::ALL[2]];

/// Nothing that is told to be NOT NULL is NULL in this mode; and whether these expressions are told to be nullable.
fn nullable_in_mode(server: Server, sql_mode: &str, more: &str, expressions: &str) -> Vec<bool> {
    let mut shapes = Shapes::in_mode(server, sql_mode, SCHEMA);
    let mut tell = |expressions: &str| {
        let sql = format!("SELECT id, {expressions} FROM v ORDER BY id");
        shapes.tell(&sql, &soundness::described)
    };
    let functions = FUNCTIONS.lines().map(|line| &line[2..]);
    let broken: Vec<&str> = functions
        .chain(more.lines())
        .filter(|function| tell(function).is_some_and(|shape| !shape.breaches.is_empty()))
        .collect();
    assert!(broken.is_empty(), "{server} in {sql_mode}: {broken:#?}");
    let shape = tell(expressions).unwrap();
    assert!(shape.columns.iter().any(|column| column.null), "{sql_mode}");
    shape.columns[1..]
        .iter()
        .map(|column| column.nullable)
        .collect()
}

/// Where it is written, or where functions give it.
#[test]
fn where_the_empty_string_is_null_no_function_is_believed() {
    for server in SERVERS_WITH_SUCH_MODES {
        for sql_mode in ["'EMPTY_STRING_IS_NULL'", "'ORACLE'"] {
            let expressions = "s, '', TRIM(s), REPLACE(s, s, ''), s || ''";
            let nullable = nullable_in_mode(server, sql_mode, "s = ''", expressions);
            assert_eq!(nullable, [false, true, true, true, true], "{sql_mode}");
        }
    }
}

const OF_ZERO_DATES: &str = include_str!("zero_dates.sql");

/// They are NULL when they come out of an expression, or where one reads them.
#[test]
fn where_there_are_no_zero_dates_expressions_of_dates_are_not_believed() {
    for server in SERVERS_WITH_SUCH_MODES {
        for sql_mode in ["'NO_ZERO_DATE'", "'NO_ZERO_IN_DATE'"] {
            let expressions = "LEAST(d, d), IF(i, d, t), CONCAT(LEAST(d, t)), d, (SELECT d), CONCAT(d), NOW(), LEAST(NOW(), NOW()), ROUND(n, 2), LEAST(i, b), IF(i, s, x)";
            let nullable = nullable_in_mode(server, sql_mode, OF_ZERO_DATES, expressions);
            assert_eq!(
                nullable,
                [[true; 3].as_slice(), &[false; 8]].concat(),
                "{sql_mode}"
            );
        }
    }
}

/// MySQL takes them in one mode, and makes NULL of them.
#[test]
fn days_that_no_month_has_are_not_real() {
    let literals = [
        ("DATE'2023-02-29'", true),
        ("DATE'1900-02-29'", true),
        ("TIMESTAMP'2023-04-31 10:00:00'", true),
        ("DATE'2024-02-29'", false),
        ("DATE'2000-02-29'", false),
    ];
    let mut shapes = Shapes::in_mode(Server::ALL[0], "'ALLOW_INVALID_DATES'", SCHEMA);
    for (literal, nullable) in literals {
        let sql = format!("SELECT id, DAYNAME({literal}) AS x FROM v");
        let shape = shapes.tell(&sql, &soundness::described);
        let shape = shape.unwrap_or_else(|| panic!("{literal} is refused"));
        let column = shape.columns[1];
        assert_eq!(
            (column.nullable, column.null),
            (nullable, nullable),
            "{literal}"
        );
    }
}

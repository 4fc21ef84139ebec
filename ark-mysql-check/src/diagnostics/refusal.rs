//! A server's refusal: its words, the place in the SQL that they speak of, and what to do.

use std::ops::Range;

use super::excerpt;
use crate::sql::Sql;
use crate::sql::tree::{Change, Source};

/// Words a refusal. `nearest`: what was probably meant by a name that is unknown.
pub fn refusal(
    sql: &Sql,
    code: u16,
    sql_state: &str,
    message: &str,
    nearest: Option<&str>,
) -> String {
    let place = place(sql, code, message);
    let advice = nearest
        .map(|name| format!("did you mean `{name}`?"))
        .or_else(|| advice(sql, place.as_ref(), code, message))
        .map(|advice| format!("\n= help: {advice}"))
        .unwrap_or_default();
    let drawing = excerpt(sql.written(), place);
    format!("{message} (error {code}, SQLSTATE {sql_state})\n{drawing}{advice}")
}

fn place(sql: &Sql, code: u16, message: &str) -> Option<Range<usize>> {
    if let Some(place) = near(sql, message) {
        return Some(place);
    }
    if code == 1136 {
        return row(sql, message);
    }
    let routine = message
        .split_once("FUNCTION ")
        .or_else(|| message.split_once("PROCEDURE "))
        .filter(|_| code == 1305);
    let routine = routine.and_then(|(_, rest)| rest.split_whitespace().next());
    routine
        .into_iter()
        .chain(quoted(message))
        .find_map(|name| sql.find_name(name))
}

/// `… at row 2`: the row of VALUES.
fn row(sql: &Sql, message: &str) -> Option<Range<usize>> {
    let (_, number) = message.rsplit_once("at row ")?;
    let number: usize = number.trim().parse().ok()?;
    let Some(Change::Insert(insert)) = sql.change() else {
        return None;
    };
    match &insert.source {
        Source::Values(rows) => rows.get(number.checked_sub(1)?).map(|(_, at)| at.clone()),
        Source::Set(_) | Source::Query(_) => None,
    }
}

/// What stands in quotes: `Unknown column 'x' in 'field list'`.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('\'').skip(1).step_by(2)
}

/// `… near 'FORM users' at line 1`: the quoted text is what the server had yet to read, cut after some 80 characters.
fn near(sql: &Sql, message: &str) -> Option<Range<usize>> {
    let (_, rest) = message.split_once("near '")?;
    let (text, line) = rest.rsplit_once("' at line ")?;
    let sent = sql.text();
    if text.is_empty() {
        let end = sql.written_position(sent.trim_end().len());
        return Some(end..end);
    }
    let line: usize = line.trim().parse().unwrap_or(0);
    let line_of = |at: usize| sent.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let places =
        |text: &str| -> Vec<usize> { sent.match_indices(text).map(|(at, _)| at).collect() };
    let mut matches = places(text);
    // MariaDB says that it cut.
    if let Some(cut) = text.strip_suffix("...").filter(|_| matches.is_empty()) {
        matches = places(cut);
    }
    let at = matches
        .iter()
        .find(|&&at| line_of(at) == line)
        .or(matches.last())?;
    // What MariaDB could not read was the comma, where blanks come first: it counts a comma as read before it looks at it.
    let comma = sent.get(..*at).is_some_and(|before| before.ends_with(','));
    let at = match text.starts_with(char::is_whitespace) && comma {
        true => at - 1,
        false => *at,
    };
    Some(sql.token_at_sent(at))
}

fn advice(sql: &Sql, place: Option<&Range<usize>>, code: u16, message: &str) -> Option<String> {
    let advice = match code {
        1044 | 1045 | 1142 | 1143 | 1370 | 1227 => {
            "the user in DATABASE_URL lacks this right: GRANT it, or build with a user of the development database that has it"
        }
        1046 => {
            "DATABASE_URL names no database: add it behind the slash, mysql://user@host/DATABASE, or write `database.table`"
        }
        1049 => "no such database on the server of DATABASE_URL: create it, or mend the URL",
        1054 => {
            "the database of DATABASE_URL has no such column: check the spelling, or run the migrations if the column is new"
        }
        1052 => "several tables have a column of this name: write `table.column`",
        1064 => return Some(syntax_advice(sql, place, message)),
        1055 | 1140 => {
            "the server's sql_mode has ONLY_FULL_GROUP_BY: add the column to GROUP BY, or wrap it in ANY_VALUE(…)"
        }
        1093 => {
            "what is changed cannot be read in the same statement, but for a copy: `FROM (SELECT … FROM the_table) AS x`; or join the two"
        }
        1235 if message.contains("LIMIT & IN") => {
            "put it into a derived table, which may have a LIMIT: `IN (SELECT id FROM (SELECT id FROM … LIMIT 5) AS x)`; or join it"
        }
        1136 => "the list of columns and each row of VALUES must be of one length",
        1146 => {
            "the database of DATABASE_URL has no such table: check the spelling, or run the migrations if the table is new"
        }
        1305 if message.starts_with("PROCEDURE") => {
            "no such procedure in the database of DATABASE_URL: check the spelling, or run the migrations if it is new"
        }
        1305 => {
            "no such function in the database of DATABASE_URL: check the spelling; its name may be that of another server's function"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn syntax_advice(sql: &Sql, place: Option<&Range<usize>>, message: &str) -> String {
    let server = if message.contains("MariaDB") {
        "MariaDB"
    } else {
        "MySQL"
    };
    let word = place.and_then(|place| sql.written().get(place.clone()));
    let more = word.and_then(|word| habit(&word.to_ascii_uppercase()));
    let more = more
        .map(str::to_owned)
        .or_else(|| place.and_then(|place| function_as_name(sql, place.start)))
        .map(|more| format!("\n= help: {more}"))
        .unwrap_or_default();
    format!(
        "{server} could not read the SQL from this place on; the mistake is here or just before{more}"
    )
}

/// Words that begin a function, so that the servers that reserve them miss its parenthesis, one token later: `SELECT rank, name`.
fn function_as_name(sql: &Sql, at: usize) -> Option<String> {
    const RESERVED: &[&str] = &[
        "CUME_DIST",
        "DENSE_RANK",
        "FIRST_VALUE",
        "GROUPING",
        "LAG",
        "LAST_VALUE",
        "LEAD",
        "LEFT",
        "NTH_VALUE",
        "NTILE",
        "PERCENT_RANK",
        "RANK",
        "REPEAT",
        "REPLACE",
        "RIGHT",
        "ROW_NUMBER",
    ];
    let before = sql.written().get(..at)?.trim_end();
    let word = before
        .rsplit(|char: char| !(char.is_ascii_alphanumeric() || char == '_'))
        .next()?;
    let is_reserved = RESERVED
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word));
    is_reserved
        .then(|| format!("if `{word}` is meant as a name: a reserved word stands in backticks"))
}

/// What people mean by a word that the server did not expect.
fn habit(word: &str) -> Option<&'static str> {
    const RESERVED: &[&str] = &[
        "ALL",
        "CONDITION",
        "DESC",
        "DESCRIBE",
        "FROM",
        "GROUP",
        "GROUPS",
        "INDEX",
        "INTERVAL",
        "KEY",
        "KEYS",
        "LIMIT",
        "MATCH",
        "OPTION",
        "ORDER",
        "RANGE",
        "RANK",
        "READ",
        "RELEASE",
        "ROW",
        "ROWS",
        "SCHEMA",
        "SYSTEM",
        "TABLE",
        "TO",
        "USAGE",
        "VALUES",
        "WINDOW",
        "WRITE",
    ];
    match word {
        "CONFLICT" => Some("MySQL and MariaDB have INSERT IGNORE and ON DUPLICATE KEY UPDATE"),
        "RETURNING" => Some(
            "there is no RETURNING here: `execute` gives the `last_insert_id()`, and a SELECT reads the row",
        ),
        "ILIKE" => {
            Some("LIKE ignores case where the column's collation does, as those that end in _ci")
        }
        "NULLS" => Some("ORDER BY puts NULL first; `ORDER BY column IS NULL, column` puts it last"),
        "FULL" => Some("there is no FULL JOIN: unite a LEFT JOIN and a RIGHT JOIN"),
        "::" | ":" => Some("a cast is CAST(value AS type)"),
        word if RESERVED.contains(&word) => {
            Some("a reserved word that is meant as a name stands in backticks")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(sql: &str, code: u16, message: &str) -> String {
        let words = refusal(&Sql::parse(sql).unwrap(), code, "42000", message, None);
        words
            .lines()
            .filter(|line| line.contains(" | "))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn a_syntax_error_is_shown_where_the_server_stopped() {
        let message = "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'FORM users\nWHERE id = ?' at line 2";
        assert_eq!(
            drawn(
                "SELECT FORM,\n id FORM users\nWHERE id = :id",
                1064,
                message
            ),
            "2 |  id FORM users\n  |     ^^^^"
        );
    }

    /// MariaDB writes dots where it cut, so that no long statement showed the place.
    #[test]
    fn a_syntax_error_far_from_the_end() {
        let message = "You have an error in your SQL syntax; … near ' 0) OVER (PARTITION BY kind ORDER BY day) AS delta, FIRST_VALUE(count) OVER w...' at line 1";
        let sql = "SELECT LAG(count, 1, 0) OVER (PARTITION BY kind ORDER BY day) AS delta, FIRST_VALUE(count) OVER w AS first FROM t";
        assert!(
            drawn(sql, 1064, message).ends_with("\n  |                    ^"),
            "{}",
            drawn(sql, 1064, message)
        );
    }

    #[test]
    fn a_function_that_is_meant_as_a_name() {
        let message = "You have an error in your SQL syntax; … near ', name FROM t' at line 1";
        let words = |sql: &str| refusal(&Sql::parse(sql).unwrap(), 1064, "42000", message, None);
        assert!(
            words("SELECT rank, name FROM t")
                .ends_with("if `rank` is meant as a name: a reserved word stands in backticks")
        );
        assert!(words("SELECT franc, name FROM t").ends_with("or just before"));
    }

    #[test]
    fn a_syntax_error_at_the_end() {
        let message = "You have an error in your SQL syntax; … near '' at line 1";
        assert_eq!(
            drawn("SELECT id FROM", 1064, message),
            "1 | SELECT id FROM\n  |               ^"
        );
    }

    #[test]
    fn names_are_shown_where_they_stand() {
        assert_eq!(
            drawn(
                "SELECT id, nme FROM users",
                1054,
                "Unknown column 'nme' in 'field list'"
            ),
            "1 | SELECT id, nme FROM users\n  |            ^^^"
        );
        assert_eq!(
            drawn(
                "SELECT u.nme\nFROM users u",
                1054,
                "Unknown column 'u.nme' in 'field list'"
            ),
            "1 | SELECT u.nme\n  |        ^^^^^"
        );
        assert_eq!(
            drawn(
                "SELECT id\nFROM usrs",
                1146,
                "Table 'shop.usrs' doesn't exist"
            ),
            "2 | FROM usrs\n  |      ^^^^"
        );
        assert_eq!(
            drawn(
                "SELECT lenth(name) FROM users",
                1305,
                "FUNCTION shop.lenth does not exist"
            ),
            "1 | SELECT lenth(name) FROM users\n  |        ^^^^^"
        );
    }

    #[test]
    fn a_place_that_is_not_found_shows_the_statement() {
        assert_eq!(drawn("SELECT 1", 9999, "Something 'else'"), "1 | SELECT 1");
    }
}

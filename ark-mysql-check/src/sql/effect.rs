//! What running a statement can leave behind, so that a pool knows what must be cleaned.
//!
//! Only what is certainly harmless is called so: a statement that is not understood counts as `Session`.

use super::functions;
use super::lexer::{Kind, Token};
use super::tokens::Tokens;

/// What running a statement can leave behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Read,
    /// Rows: nothing in the session itself.
    Write,
    /// Something in the session: variables, locks, settings, a transaction; or whatever a routine does.
    Session,
    /// A changed schema; and it commits.
    Ddl,
}

pub(super) fn of(sql: &str, tokens: &[Token]) -> Effect {
    let tokens = Tokens::new(sql, tokens);
    let effect = by_verb(&tokens);
    if effect == Effect::Ddl || !touches_session(&tokens) {
        effect
    } else {
        Effect::Session
    }
}

fn by_verb(tokens: &Tokens<'_>) -> Effect {
    let first = (0..tokens.len())
        .find(|&index| !tokens.is_mark(index, b'('))
        .unwrap_or_default();
    let verb = tokens
        .keyword(first)
        .unwrap_or_default()
        .to_ascii_uppercase();
    match verb.as_str() {
        "SELECT" | "VALUES" | "TABLE" => Effect::Read,
        "SHOW" | "DESCRIBE" | "DESC" | "EXPLAIN" if !tokens.has("ANALYZE") => Effect::Read,
        "WITH" => with_verb(tokens),
        "INSERT" | "UPDATE" | "DELETE" | "REPLACE" => Effect::Write,
        "CREATE" | "DROP" if tokens.has("TEMPORARY") => Effect::Session,
        "CREATE" | "DROP" | "ALTER" | "TRUNCATE" | "RENAME" | "GRANT" | "REVOKE" => Effect::Ddl,
        _ => Effect::Session,
    }
}

/// What follows the CTEs decides: the first verb outside all parentheses.
fn with_verb(tokens: &Tokens<'_>) -> Effect {
    let mut index = 0;
    while index < tokens.len() {
        if tokens.is(index, "SELECT") || tokens.is(index, "TABLE") || tokens.is(index, "VALUES") {
            return Effect::Read;
        }
        if tokens.is_any(index, &["UPDATE", "DELETE", "INSERT", "REPLACE"]) {
            return Effect::Write;
        }
        index = if tokens.is_mark(index, b'(') {
            tokens.partner(index)
        } else {
            index + 1
        };
    }
    Effect::Session
}

fn touches_session(tokens: &Tokens<'_>) -> bool {
    (0..tokens.len()).any(|index| match tokens.kind(index) {
        Some(Kind::UserVariable | Kind::Assign | Kind::Mark(b';')) => {
            !is_last_semicolon(tokens, index)
        }
        Some(Kind::Word | Kind::Quoted) => {
            is_lock_or_output(tokens, index) || may_be_routine(tokens, index)
        }
        _ => false,
    })
}

fn is_last_semicolon(tokens: &Tokens<'_>, index: usize) -> bool {
    tokens.is_mark(index, b';') && index + 1 == tokens.len()
}

/// FOR UPDATE, FOR SHARE, LOCK IN SHARE MODE, INTO OUTFILE, sequences, SQL_CALC_FOUND_ROWS.
fn is_lock_or_output(tokens: &Tokens<'_>, index: usize) -> bool {
    let next = |words: &[&str]| tokens.is_any(index + 1, words);
    (tokens.is(index, "FOR") && next(&["UPDATE", "SHARE"]))
        || (tokens.is(index, "LOCK") && next(&["IN"]))
        || (tokens.is(index, "INTO") && next(&["OUTFILE", "DUMPFILE"]))
        || (tokens.is_any(index, &["NEXT", "PREVIOUS"]) && next(&["VALUE"]))
        || tokens.is(index, "SQL_CALC_FOUND_ROWS")
}

/// A name before a parenthesis that is neither a harmless function, nor a keyword, nor a table with its columns.
fn may_be_routine(tokens: &Tokens<'_>, index: usize) -> bool {
    if !tokens.is_mark(index + 1, b'(') || tokens.keyword(index).is_some_and(functions::is_harmless)
    {
        return false;
    }
    !(is_insert_target(tokens, index)
        || is_named_select(tokens, index)
        || is_derived_alias(tokens, index))
}

/// `INSERT INTO db.t (a, b)`
fn is_insert_target(tokens: &Tokens<'_>, index: usize) -> bool {
    let start = if index >= 2 && tokens.is_mark(index - 1, b'.') {
        index - 2
    } else {
        index
    };
    start > 0
        && tokens.is_any(
            start - 1,
            &[
                "INTO",
                "INSERT",
                "REPLACE",
                "IGNORE",
                "LOW_PRIORITY",
                "DELAYED",
                "HIGH_PRIORITY",
            ],
        )
}

/// `WITH c (a, b) AS (SELECT …)`
fn is_named_select(tokens: &Tokens<'_>, index: usize) -> bool {
    let after = tokens.partner(index + 1) + 1;
    tokens.is(after, "AS") && tokens.opens_select(after + 1)
}

/// `(SELECT …) AS t (a, b)`, `VALUES (…) AS new (a, b)`
fn is_derived_alias(tokens: &Tokens<'_>, index: usize) -> bool {
    let before = if index > 0 && tokens.is(index - 1, "AS") {
        2
    } else {
        1
    };
    index >= before && tokens.is_mark(index - before, b')')
}

#[cfg(test)]
mod tests {
    use super::Effect;
    use crate::sql::Sql;

    fn check(effect: Effect, statements: &[&str]) {
        for sql in statements {
            assert_eq!(Sql::parse(sql).unwrap().effect(), effect, "{sql}");
        }
    }

    #[test]
    fn plain_reads_leave_nothing() {
        check(
            Effect::Read,
            &[
                "SELECT COUNT(*), NOW(6), COALESCE(a, 'x'), CAST(b AS CHAR(10)) FROM t WHERE a IN (?, ?) ORDER BY RAND()",
                "WITH c (a) AS (SELECT 1) SELECT * FROM c JOIN (SELECT 1) AS d (x) USING (x)",
                "(SELECT 1) UNION (SELECT 2)",
                "SELECT @@version, row_number() OVER (PARTITION BY a) FROM t USE INDEX (i);",
                "SHOW TABLES",
                "SELECT 'x := @y GET_LOCK(1)', `for update` FROM t",
            ],
        );
    }

    #[test]
    fn writes_of_rows_leave_nothing_in_the_session() {
        check(
            Effect::Write,
            &[
                "INSERT INTO shop.t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = VALUES(b)",
                "INSERT t(a) SELECT 1",
                "INSERT INTO `t`(a) VALUES (1) AS new(x) ON DUPLICATE KEY UPDATE a = new.x",
                "UPDATE t SET a = a + 1",
                "WITH c AS (SELECT 1 AS id) DELETE t FROM t JOIN c USING (id)",
            ],
        );
    }

    #[test]
    fn what_stays_or_is_not_understood_is_session() {
        check(
            Effect::Session,
            &[
                "SELECT @a := 1",
                "SELECT @a",
                "SELECT GET_LOCK('x', 1)",
                "SELECT my_function(1)",
                "SELECT db.count(1)",
                "SELECT `count`(1)",
                "SELECT a FROM t FOR UPDATE",
                "SELECT a FROM t LOCK IN SHARE MODE",
                "SELECT a INTO OUTFILE 'x' FROM t",
                "SELECT NEXT VALUE FOR s",
                "SET NAMES utf8mb4",
                "CALL p()",
                "BEGIN",
                "CREATE TEMPORARY TABLE x (a INT)",
                "EXPLAIN ANALYZE SELECT 1",
                "SELECT /*!50000 GET_LOCK('x', 1) */ FROM t",
                "WITH",
                "UPDATE t SET id = LAST_INSERT_ID(id + 1)",
            ],
        );
    }

    #[test]
    fn schema_changes_are_ddl() {
        check(
            Effect::Ddl,
            &[
                "CREATE TABLE t (a INT)",
                "ALTER TABLE t ADD b INT",
                "TRUNCATE t",
                "DROP TABLE t",
            ],
        );
    }
}

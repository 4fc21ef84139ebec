//! What RETURNING gives, as a SELECT: MariaDB's PREPARE says nothing of its columns, and all of a SELECT's.

use std::ops::Range;

use super::blocks::is_aggregate_call;
use super::lexer::{Kind, Token};
use super::tokens::Tokens;
use super::tree::{Change, From, Table};

/// `SELECT list FROM table` of what stands behind RETURNING. A row that was written or deleted has what the table's rows have.
pub(super) fn select(written: &str, tokens: &[Token], change: &Change) -> Option<String> {
    let table = match change {
        Change::Insert(insert) => &insert.table,
        Change::Delete(delete) => match &delete.from {
            From::Table(table) => table,
            From::Derived { .. } | From::Other { .. } | From::Join(_) => return None,
        },
        Change::Update(_) => return None,
    };
    let tokens = Tokens::new(written, tokens);
    let list = written.get(list(&tokens)?)?;
    Some(format!("SELECT {list}\nFROM {}", quoted(table)))
}

fn list(tokens: &Tokens<'_>) -> Option<Range<usize>> {
    let at = clause(tokens)?;
    let ends_with_mark = tokens.is_mark(tokens.len() - 1, b';');
    let last = tokens.len() - 1 - usize::from(ends_with_mark);
    (last > at).then(|| tokens.place(at + 1).start..tokens.place(last).end)
}

/// The index of the RETURNING of a statement that changes rows. MySQL, which has none, lets columns have that name, and
/// `JSON_VALUE(doc, '$.a' RETURNING SIGNED)` has another.
pub(super) fn clause(tokens: &Tokens<'_>) -> Option<usize> {
    if !tokens.is_any(0, &["INSERT", "REPLACE", "DELETE", "UPDATE", "WITH"]) {
        return None;
    }
    let mut at = 1;
    while at < tokens.len() {
        if tokens.is(at, "RETURNING") && !is_name(tokens, at) {
            return Some(at);
        }
        at = match tokens.is_mark(at, b'(') {
            true => tokens.partner(at) + 1,
            false => at + 1,
        };
    }
    None
}

/// The aggregate and window functions in the list, which MariaDB refuses, but only when the statement runs. Those of subqueries are none of the list's.
pub(super) fn of_many_rows(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = clause(tokens).map_or(tokens.len(), |at| at + 1);
    while at < tokens.len() {
        if is_aggregate_call(tokens, at) || tokens.is(at, "OVER") {
            found.push(tokens.place(at));
        }
        at = match tokens.is_mark(at, b'(') && tokens.opens_select(at) {
            true => tokens.partner(at) + 1,
            false => at + 1,
        };
    }
    found
}

/// Whether what stands around a word makes it a name.
fn is_name(tokens: &Tokens<'_>, index: usize) -> bool {
    const OPERAND_FOLLOWS: &[&str] = &[
        "INSERT", "REPLACE", "DELETE", "UPDATE", "INTO", "IGNORE", "SET", "SELECT", "DISTINCT",
        "FROM", "JOIN", "AS", "ON", "USING", "WHERE", "AND", "OR", "XOR", "NOT", "LIKE", "REGEXP",
        "RLIKE", "BETWEEN", "DIV", "MOD", "BY", "HAVING", "WHEN", "THEN", "ELSE", "CASE", "TABLE",
    ];
    let before = match tokens.kind(index - 1) {
        Some(Kind::Mark(mark)) => mark != b')',
        _ => tokens.is_any(index - 1, OPERAND_FOLLOWS),
    };
    let behind = match tokens.kind(index + 1) {
        Some(Kind::Mark(mark)) => b"=<>!,.)/%|&^".contains(&mark),
        _ => tokens.is(index + 1, "FROM"),
    };
    before || behind
}

fn quoted(table: &Table) -> String {
    let quote = |name: &str| format!("`{}`", name.replace('`', "``"));
    let schema = table.schema.as_deref();
    let schema = schema.map_or_else(String::new, |schema| format!("{}.", quote(schema)));
    let alias = match table.alias == table.name.to_lowercase() {
        true => String::new(),
        false => format!(" AS {}", quote(&table.alias)),
    };
    format!("{schema}{}{alias}", quote(&table.name))
}

#[cfg(test)]
mod tests {
    use crate::sql::Sql;

    #[test]
    fn the_list_is_selected_from_the_table() {
        for (sql, expected) in [
            (
                "INSERT INTO t (a) VALUES (?) RETURNING id, a + ? AS `b!` ;",
                "SELECT id, a + ? AS `b!`\nFROM `t`",
            ),
            (
                "replace s.`T``x` values (:a, (select 1)) returning * -- all",
                "SELECT *\nFROM `s`.`T``x`",
            ),
            (
                "INSERT INTO t SELECT * FROM u ON DUPLICATE KEY UPDATE a = VALUES(a) RETURNING t.a",
                "SELECT t.a\nFROM `t`",
            ),
            (
                "DELETE FROM t AS x WHERE a IN (?) ORDER BY a LIMIT ? RETURNING x.a, :b",
                "SELECT x.a, ?\nFROM `t` AS `x`",
            ),
        ] {
            let sql = sql.replace(":b", "?").replace(":a", "?");
            let select = Sql::parse(&sql).unwrap().returned();
            assert_eq!(select.expect(&sql).text(), expected);
        }
    }

    #[test]
    fn other_statements_return_nothing() {
        for sql in [
            "INSERT INTO t (a) VALUES (1)",
            "INSERT INTO t (a) VALUES (1) RETURNING",
            "UPDATE t SET a = 1",
            "SELECT `returning` FROM t",
            "DELETE a FROM t a JOIN u ON a.id = u.id RETURNING id",
        ] {
            assert!(Sql::parse(sql).unwrap().returned().is_none(), "{sql}");
        }
    }

    #[test]
    fn functions_of_many_rows_are_found_in_the_list_alone() {
        let found = |sql: &'static str| -> Vec<&str> {
            let places = Sql::parse(sql).unwrap().returns_of_many_rows();
            places.into_iter().map(|place| &sql[place]).collect()
        };
        assert_eq!(
            found(
                "INSERT INTO t SELECT MAX(a) FROM u RETURNING id, IFNULL(MAX(a), 1), ROW_NUMBER() OVER (), (SELECT SUM(a) FROM u), count"
            ),
            ["MAX", "OVER"]
        );
        assert_eq!(found("SELECT MAX(a) OVER () FROM t"), [""; 0]);
    }

    #[test]
    fn a_clause_is_told_from_names_and_from_json_value() {
        for sql in [
            "INSERT INTO t (a) VALUES (1) RETURNING *",
            "REPLACE t SET a = 1 RETURNING -a",
            "DELETE FROM t RETURNING (SELECT 1)",
            "DELETE FROM t WHERE a = ? RETURNING a",
            "UPDATE t SET a = 1 WHERE b IS NULL RETURNING a",
        ] {
            assert!(Sql::parse(sql).unwrap().shape().returning, "{sql}");
        }
        for sql in [
            "UPDATE t SET a = JSON_VALUE(b, '$.c' RETURNING SIGNED)",
            "INSERT INTO t SELECT JSON_VALUE(b, '$.c' RETURNING SIGNED) FROM u",
            "UPDATE t SET returning = 1",
            "DELETE FROM t WHERE returning > 1 OR returning IS NULL ORDER BY returning",
            "INSERT INTO returning SELECT a returning FROM t",
            "INSERT INTO t SELECT u.returning, returning, 1 FROM u",
            "SELECT returning FROM t",
        ] {
            assert!(!Sql::parse(sql).unwrap().shape().returning, "{sql}");
        }
    }
}

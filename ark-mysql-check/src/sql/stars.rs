//! Two questions about every statement that its tokens answer as good as always, so that no tree has to be read for them.

use super::lexer::{Kind, Token};

/// Whether it is a SELECT that has no `*` among its columns, told without a tree: there is none at all, but in `COUNT(*)` and behind a factor that ends like one.
pub(super) fn are_none(tokens: &[Token], sql: &str) -> bool {
    let text = |token: &Token| sql.get(token.start..token.end).unwrap_or_default();
    let word = |token: &Token, word: &str| {
        token.kind == Kind::Word && text(token).eq_ignore_ascii_case(word)
    };
    let mut before: Option<&Token> = None;
    for token in tokens {
        let known = match (token.kind, before) {
            (_, None) => word(token, "SELECT"),
            (Kind::Mark(b'*'), Some(before)) => {
                matches!(before.kind, Kind::Mark(b'(' | b')') | Kind::Number)
            }
            // MariaDB's PROCEDURE ANALYSE gives columns of its own.
            _ => !word(token, "PROCEDURE"),
        };
        if !known {
            return false;
        }
        before = Some(token);
    }
    before.is_some()
}

/// Whether a placeholder may be what a statement sorts by: behind an ORDER one begins an expression.
pub(super) fn sorted_by_placeholder(tokens: &[Token], sql: &str) -> bool {
    let is_order = |token: &Token| {
        let text = sql.get(token.start..token.end).unwrap_or_default();
        token.kind == Kind::Word && text.eq_ignore_ascii_case("ORDER")
    };
    let placeholder = |token: &Token| matches!(token.kind, Kind::Question | Kind::Named);
    let last = tokens.iter().rposition(placeholder);
    let until_last = last.and_then(|last| tokens.get(..last));
    until_last.is_some_and(|tokens| tokens.iter().any(is_order))
}

#[cfg(test)]
mod tests {
    use crate::sql::Sql;

    #[test]
    fn stars_are_seen_without_a_tree() {
        let none = |sql: &str| {
            let sql = Sql::parse(sql).unwrap();
            super::are_none(&sql.tokens, &sql.written)
        };
        for sql in [
            "SELECT a, COUNT(*), (a) * 2, 2 * a FROM t",
            "/* * */ select '*' FROM `*`",
        ] {
            assert!(none(sql), "{sql}");
        }
        for sql in [
            "SELECT * FROM t",
            "SELECT DISTINCT * FROM t",
            "SELECT a, t.* FROM t",
            "SELECT /*! * */ FROM t",
            "SELECT a, * FROM t",
            "(SELECT * FROM t)",
            "TABLE t",
            "SHOW TABLES",
            "SELECT a FROM t PROCEDURE ANALYSE()",
        ] {
            assert!(!none(sql), "{sql}");
        }
    }

    #[test]
    fn what_may_be_sorted_by_a_placeholder_is_looked_at() {
        let may = |sql: &str| Sql::parse(sql).unwrap().may_sort_by_parameter();
        assert!(may("SELECT a FROM t ORDER BY ?"));
        assert!(may("SELECT a FROM t order by (:a) LIMIT 1"));
        assert!(!may("SELECT a FROM t WHERE a = ? ORDER BY a"));
        assert!(!may("SELECT a FROM t WHERE `order` = ? AND a = ?"));
    }
}

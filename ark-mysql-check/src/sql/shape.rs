//! What can be known of a statement's structure from its tokens, as far as it decides what NOT_NULL flags are worth.
//!
//! Servers set the flag wrongly in four known cases: expressions and columns of derived tables, CTEs and views on the inner side
//! of an outer join; grouping columns under ROLLUP; bare columns of an aggregate query over no rows. Whatever is unclear here is
//! answered so that more columns count as nullable, never fewer.

use std::collections::{BTreeMap, BTreeSet};

use super::lexer::{Kind, Token};
use super::tokens::Tokens;

/// The structure of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// LEFT, RIGHT or FULL JOIN anywhere.
    pub outer_join: bool,
    /// ROLLUP anywhere.
    pub rollup: bool,
    /// An aggregate query without GROUP BY that also selects bare columns.
    pub bare_beside_aggregate: bool,
    /// A derived table or a CTE.
    pub derived: bool,
    /// INSERT … RETURNING and the like.
    pub returning: bool,
    /// Names of derived tables and CTEs and what they are called elsewhere, in lower case.
    derived_names: BTreeSet<String>,
    /// Every name in the statement in lower case, each with the names that stand right behind it, with or without AS: its aliases are among them.
    names: BTreeMap<String, BTreeSet<String>>,
    /// For each item of the outermost SELECT whether it is a COUNT; empty when items and columns do not correspond.
    counts: Vec<bool>,
    reads_tables: bool,
}

impl Shape {
    pub(super) fn read(sql: &str, tokens: &[Token]) -> Self {
        let tokens = Tokens::new(sql, tokens);
        let blocks = super::blocks::read(&tokens);
        Self {
            outer_join: (0..tokens.len()).any(|index| is_outer_join(&tokens, index)),
            rollup: tokens.has("ROLLUP"),
            bare_beside_aggregate: blocks
                .iter()
                .any(|block| block.has_bare_beside_aggregate(&tokens)),
            derived: tokens.has("WITH") && !cte_names(&tokens).is_empty()
                || !derived_tables(&tokens).is_empty(),
            returning: super::returning::clause(&tokens).is_some(),
            derived_names: derived_names(&tokens),
            names: names(&tokens),
            counts: super::blocks::counts(&tokens, &blocks),
            reads_tables: tokens.has("FROM") || tokens.has("TABLE"),
        }
    }

    /// The structure of a view's body; unreadable SQL has every weakness.
    pub fn of_view(definition: Option<&str>) -> Self {
        match definition.map(|body| (body, super::lexer::lex(body))) {
            Some((body, Ok(tokens))) => Self::read(body, &tokens),
            _ => Self {
                outer_join: true,
                rollup: true,
                bare_beside_aggregate: true,
                derived: true,
                ..Self::default()
            },
        }
    }

    /// Whether a name occurs; ASCII case does not matter.
    pub fn mentions(&self, name: &str) -> bool {
        self.names.contains_key(&name.to_lowercase())
    }

    /// Whether the statement may call the table or view `name` by `alias`.
    pub fn may_alias(&self, name: &str, alias: &str) -> bool {
        self.names
            .get(&name.to_lowercase())
            .is_some_and(|aliases| aliases.contains(&alias.to_lowercase()))
    }

    /// Whether a name stands for a derived table or a CTE.
    pub fn is_derived(&self, name: &str) -> bool {
        self.derived_names.contains(&name.to_lowercase())
    }

    /// Whether the column at `index` of `columns` is a COUNT, which is never NULL.
    pub fn is_count(&self, index: usize, columns: usize) -> bool {
        self.counts.len() == columns && self.counts.get(index).copied().unwrap_or(false)
    }

    /// Whether it reads from tables at all.
    pub fn reads_tables(&self) -> bool {
        self.reads_tables
    }
}

fn is_outer_join(tokens: &Tokens<'_>, index: usize) -> bool {
    tokens.is_any(index, &["LEFT", "RIGHT", "FULL"]) && tokens.is_any(index + 1, &["JOIN", "OUTER"])
}

/// The `(` of every derived table: a select in parentheses where a table can stand.
fn derived_tables(tokens: &Tokens<'_>) -> Vec<usize> {
    (0..tokens.len())
        .filter(|&index| {
            tokens.is_mark(index, b'(') && tokens.opens_select(index) && !is_scalar(tokens, index)
        })
        .collect()
}

/// Whether a select in parentheses certainly is not a table: it stands beside an operator, in a list of expressions or after a word
/// that introduces no table.
fn is_scalar(tokens: &Tokens<'_>, open: usize) -> bool {
    let Some(before) = open.checked_sub(1) else {
        return true;
    };
    match tokens.kind(before) {
        Some(Kind::Mark(b'(')) => is_scalar(tokens, before),
        Some(Kind::Mark(b',')) => in_select_list(tokens, before),
        Some(Kind::Mark(mark)) => b"=<>+-*/%|&^!~".contains(&mark),
        Some(Kind::Word | Kind::Quoted) => !introduces_table(tokens, before),
        _ => false,
    }
}

fn introduces_table(tokens: &Tokens<'_>, index: usize) -> bool {
    tokens.is_any(
        index,
        &[
            "FROM",
            "JOIN",
            "LATERAL",
            "STRAIGHT_JOIN",
            "UPDATE",
            "USING",
        ],
    )
}

/// Whether a comma stands among the expressions of a SELECT, seen by walking back to what began the list.
fn in_select_list(tokens: &Tokens<'_>, comma: usize) -> bool {
    let mut depth = 0usize;
    for index in (0..comma).rev() {
        match tokens.kind(index) {
            Some(Kind::Mark(b')')) => depth += 1,
            Some(Kind::Mark(b'(')) if depth == 0 => return is_scalar(tokens, index),
            Some(Kind::Mark(b'(')) => depth -= 1,
            _ if depth > 0 => {}
            _ if tokens.is_any(index, &["FROM", "JOIN", "UPDATE", "INTO"]) => return false,
            _ if tokens.is_any(index, &["SELECT", "WHERE", "SET", "BY", "HAVING"]) => return true,
            _ => {}
        }
    }
    false
}

/// The tokens that name a CTE: `name AS (SELECT …)` or `name (a, b) AS (SELECT …)`.
fn cte_names(tokens: &Tokens<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    for index in 0..tokens.len() {
        let columns = tokens.is_mark(index + 1, b'(');
        let after = if columns {
            tokens.partner(index + 1) + 1
        } else {
            index + 1
        };
        if tokens.name(index).is_some() && tokens.is(after, "AS") && tokens.opens_select(after + 1)
        {
            found.push(index);
        }
    }
    found
}

fn derived_names(tokens: &Tokens<'_>) -> BTreeSet<String> {
    let ctes = cte_names(tokens)
        .into_iter()
        .filter_map(|index| tokens.name(index));
    let derived = derived_tables(tokens)
        .into_iter()
        .filter_map(|open| alias_after(tokens, tokens.partner(open)));
    let names: BTreeSet<String> = ctes.chain(derived).collect();
    // An alias has no aliases: following what stands behind it would lead by way of keywords (`x RIGHT JOIN a`) to innocent tables.
    let aliases: Vec<String> = (0..tokens.len())
        .filter(|&index| tokens.name(index).is_some_and(|name| names.contains(&name)))
        .filter_map(|index| alias_after(tokens, index))
        .collect();
    names.into_iter().chain(aliases).collect()
}

fn names(tokens: &Tokens<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for index in 0..tokens.len() {
        if let Some(name) = tokens.name(index) {
            names
                .entry(name)
                .or_default()
                .extend(alias_after(tokens, index));
        }
    }
    names
}

/// The name that follows, with or without AS. A keyword that is mistaken for one does no harm: it names no table.
fn alias_after(tokens: &Tokens<'_>, index: usize) -> Option<String> {
    let next = index + 1;
    tokens.name(if tokens.is(next, "AS") {
        next + 1
    } else {
        next
    })
}

#[cfg(test)]
mod tests {
    use crate::sql::{Shape, Sql};

    fn shape(sql: &str) -> Shape {
        Sql::parse(sql).unwrap().shape().clone()
    }

    #[test]
    fn outer_joins_are_told_from_functions() {
        assert!(shape("SELECT 1 FROM a LEFT JOIN b ON 1").outer_join);
        assert!(shape("SELECT 1 FROM a natural right outer join b").outer_join);
        assert!(!shape("SELECT LEFT(s, 1), RIGHT(s, 2) FROM a JOIN b ON 1").outer_join);
        assert!(!shape("SELECT 'LEFT JOIN', `left` FROM a -- LEFT JOIN").outer_join);
    }

    #[test]
    fn keywords_behind_a_cte_lead_to_no_other_table() {
        let sql = shape(
            "WITH x AS (SELECT 1) SELECT * FROM x RIGHT JOIN a ON a.id = x.id LEFT JOIN b ON 1",
        );
        assert!(sql.is_derived("x"));
        assert!(!sql.is_derived("a") && !sql.is_derived("b"));
    }

    #[test]
    fn derived_tables_and_ctes_are_named() {
        let sql = shape(
            "WITH c AS (SELECT 1), d (x, y) AS (SELECT 1, 2) SELECT * FROM c x JOIN (SELECT 1) AS y ON 1 JOIN ((SELECT 2)) `Z` ON 1",
        );
        assert!(sql.derived);
        for name in ["c", "d", "x", "y", "z", "C"] {
            assert!(sql.is_derived(name), "{name}");
        }
        assert!(shape("SELECT * FROM a, (SELECT 1) x").is_derived("x"));
        assert!(shape("SELECT * FROM a LEFT JOIN LATERAL (SELECT 1) x ON 1").is_derived("x"));
    }

    #[test]
    fn scalar_subqueries_are_no_tables() {
        for sql in [
            "SELECT a, (SELECT 1), COALESCE((SELECT 2), 3) FROM t",
            "SELECT a FROM t WHERE a IN (SELECT 1) AND EXISTS (SELECT 2) AND b = (SELECT 3)",
            "(SELECT 1) UNION ALL (SELECT 2)",
            "SELECT a FROM t LEFT JOIN u ON u.x = (SELECT 1)",
            "INSERT INTO t (SELECT 1)",
        ] {
            assert!(!shape(sql).derived, "{sql}");
        }
    }

    #[test]
    fn counts_are_found_where_items_are_columns() {
        let counts = |sql: &str, columns| {
            (0..columns)
                .map(|index| shape(sql).is_count(index, columns))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            counts(
                "SELECT COUNT(*), a, count(DISTINCT b) AS n, COUNT(*) n FROM t",
                4
            ),
            [true, false, true, true]
        );
        assert_eq!(
            counts(
                "SELECT (SELECT COUNT(*) FROM u WHERE u.a = t.a) AS n, COUNT(a) + 1 FROM t",
                2
            ),
            [false, false]
        );
        assert_eq!(
            counts("SELECT (SELECT COUNT(*) FROM u LIMIT 0) FROM t", 1),
            [false]
        );
        assert_eq!(
            counts("SELECT (SELECT COUNT(*) FROM u GROUP BY a) FROM t", 1),
            [false]
        );
        assert_eq!(counts("SELECT t.*, COUNT(*) FROM t", 2), [false, false]);
        assert_eq!(
            counts("SELECT COUNT(*) FROM t UNION SELECT NULL", 1),
            [false]
        );
        assert_eq!(counts("SELECT COUNT(*) OVER () FROM t", 1), [true]);
    }

    #[test]
    fn bare_columns_beside_aggregates_are_seen() {
        for sql in [
            "SELECT MAX(a), b FROM t",
            "SELECT b FROM t HAVING COUNT(*) > 0",
            "SELECT COUNT(*) + b FROM t",
            "SELECT x.b FROM (SELECT MAX(a), b FROM t) x",
            "SELECT MAX(a), (SELECT t.b) FROM t",
            "SELECT MAX(a), UPPER(b) FROM t",
            "SELECT t.*, MAX(a) FROM t",
        ] {
            assert!(shape(sql).bare_beside_aggregate, "{sql}");
        }
        for sql in [
            "SELECT MAX(a), COUNT(*) n, 1, 'x' FROM t",
            "SELECT COALESCE(SUM(a), 0) AS total, CAST(MAX(a) AS DOUBLE), NULL FROM t",
            "SELECT b, MAX(a) FROM t GROUP BY b",
            "SELECT b, ROW_NUMBER() OVER (), SUM(a) OVER (PARTITION BY b) FROM t",
            "SELECT b, (SELECT MAX(a) FROM u) FROM t",
        ] {
            assert!(!shape(sql).bare_beside_aggregate, "{sql}");
        }
    }
}

//! What may be relied on of what the server said: whose NOT_NULL flags hold, and which width a computed integer has.

use super::against::{self, Origin};
use super::prove::{self, Fact, MISJUDGED, Tables};
use crate::description::{
    DescribedColumn, DescribedParam, Description, Kind, RawColumn, RawDescription, View, Why,
};
use crate::sql::{Shape, Sql};

/// A description, and why each of its columns may be NULL or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// What may be relied on.
    pub description: Description,
    /// One for each column.
    pub reasons: Vec<Why>,
}

/// Turns what the server said about a statement into what may be relied on. `views` are all views of the database, or more: only those
/// that the statement mentions count, with all that they mention. `tables` are what [`wanted`](super::wanted) asks for, or fewer.
pub fn settle(raw: &RawDescription, sql: &Sql, views: &[View], tables: &Tables) -> Settled {
    let trust = Trust::new(sql.shape(), views);
    let proof = sql
        .tree()
        .and_then(|tree| prove::prove(tree, &raw.columns, views, tables));
    let count = raw.columns.len();
    let origins = against::origins(sql, views, tables, &raw.columns);
    let (columns, reasons): (Vec<DescribedColumn>, Vec<Why>) = raw
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let fact = proof.as_ref().and_then(|proof| proof.get(index)).copied();
            let why = why(column, trust.shape.is_count(index, count), fact, &trust);
            let origin = origins.get(index).and_then(Option::as_ref);
            (settle_column(column, why, &trust, origin), why)
        })
        .unzip();
    let params = against::against(sql, views, tables, raw.params);
    let of_one_family = |param: &DescribedParam| {
        param
            .against
            .as_ref()
            .is_some_and(|against| is_of_one_family(against.kind))
    };
    let mut sent = raw.columns.iter().zip(&columns);
    let differs = sent.any(|(raw, column)| differs_between_families(column, trust.is_plain(raw)))
        || params.iter().any(of_one_family);
    let family = differs.then_some(raw.family);
    Settled {
        description: Description {
            family,
            columns,
            params,
        },
        reasons,
    }
}

fn why(column: &RawColumn, is_count: bool, fact: Option<Fact>, trust: &Trust<'_>) -> Why {
    // Text on its way into such a type becomes NULL when it is none: `SELECT name … UNION SELECT UUID()`.
    let is_strict_type = matches!(column.kind, Kind::Uuid | Kind::Inet4 | Kind::Inet6);
    let of_the_type = fact.is_some_and(|fact| fact.kind == Some(column.kind));
    if is_strict_type && !of_the_type && !trust.is_plain(column) {
        return Why::NotBelieved;
    }
    match fact {
        Some(fact) if fact.why == Why::NotBelieved => Why::NotBelieved,
        Some(fact) if !fact.nullable => Why::Proven,
        None if is_count => Why::Proven,
        Some(fact) if column.not_null && fact.flag_holds => Why::Flag,
        _ if column.not_null && trust.in_not_null(column) => Why::Flag,
        Some(fact) if !matches!(fact.why, Why::NotUnderstood | Why::Proven | Why::Flag) => fact.why,
        _ if column.not_null => Why::NotBelieved,
        _ => Why::NotUnderstood,
    }
}

fn settle_column(
    column: &RawColumn,
    why: Why,
    trust: &Trust<'_>,
    origin: Option<&Origin>,
) -> DescribedColumn {
    let settled = DescribedColumn {
        name: column.name.clone(),
        kind: computed(column.kind),
        nullable: !matches!(why, Why::Proven | Why::Flag),
        why: why.kept().map(|_| why),
        table: None,
        column: None,
        labels: Vec::new(),
    };
    if trust.is_plain(column) {
        return DescribedColumn {
            kind: column.kind,
            table: Some(column.org_table.clone()),
            column: Some(column.org_name.clone()),
            labels: column.labels.clone(),
            ..settled
        };
    }
    // An integer of another width is brought into this one, and checked; see `layout` in the driver. A FLOAT stays one on its way, other than in expressions.
    let keeps = column.kind.is_integer() || matches!(column.kind, Kind::Year | Kind::Float);
    let kind = if keeps { column.kind } else { settled.kind };
    match origin {
        Some(origin) if origin.kind == kind => DescribedColumn {
            kind,
            table: Some(origin.table.clone()),
            column: Some(origin.column.clone()),
            labels: origin.labels.clone(),
            ..settled
        },
        _ => settled,
    }
}

/// Servers change the width of computed numbers between PREPARE and EXECUTE, and from version to version.
fn computed(kind: Kind) -> Kind {
    match kind {
        Kind::TinyInt
        | Kind::SmallInt
        | Kind::MediumInt
        | Kind::Int
        | Kind::BigInt
        | Kind::Bool => Kind::BigInt,
        Kind::TinyIntUnsigned
        | Kind::SmallIntUnsigned
        | Kind::MediumIntUnsigned
        | Kind::IntUnsigned
        | Kind::BigIntUnsigned
        | Kind::Year => Kind::BigIntUnsigned,
        // MySQL: MIN of a FLOAT through a temporary table is a DOUBLE.
        Kind::Float => Kind::Double,
        other => other,
    }
}

/// Plain columns and computed integers are the same everywhere. For other expressions the families disagree about types and NOT NULL,
/// and each has types of its own.
fn differs_between_families(column: &DescribedColumn, is_plain: bool) -> bool {
    match column.kind {
        kind if kind.is_integer() => false,
        kind if is_of_one_family(kind) => true,
        _ => !is_plain,
    }
}

fn is_of_one_family(kind: Kind) -> bool {
    matches!(kind, Kind::Vector | Kind::Uuid | Kind::Inet4 | Kind::Inet6)
}

/// What the NOT_NULL flags of a statement are worth: see `sql::shape` for the cases in which servers are wrong.
struct Trust<'a> {
    shape: &'a Shape,
    views: Vec<&'a View>,
    nothing: bool,
    plain_only: bool,
}

impl<'a> Trust<'a> {
    fn new(shape: &'a Shape, all: &'a [View]) -> Self {
        let (views, bodies) = mentioned_views(shape, all);
        let any = |weakness: fn(&Shape) -> bool| weakness(shape) || bodies.iter().any(weakness);
        let derived = !views.is_empty() || any(|shape| shape.derived);
        Self {
            shape,
            views,
            nothing: any(|shape| shape.rollup)
                || any(|shape| shape.bare_beside_aggregate)
                || any(|shape| MISJUDGED.iter().any(|name| shape.mentions(name))),
            plain_only: derived && any(|shape| shape.outer_join),
        }
    }

    fn in_not_null(&self, column: &RawColumn) -> bool {
        !self.nothing && (!self.plain_only || self.is_plain(column))
    }

    /// Whether it is a column of a base table, and not by way of a view, a derived table or a CTE.
    fn is_plain(&self, column: &RawColumn) -> bool {
        // Through a view MariaDB sends the view's alias, where there is one.
        let is_view = |name: &str| {
            self.views.iter().any(|view| {
                view.name.eq_ignore_ascii_case(name) || self.shape.may_alias(&view.name, name)
            })
        };
        !column.org_table.is_empty()
            && !column.org_name.is_empty()
            && ![&column.table, &column.org_table]
                .iter()
                .any(|name| self.shape.is_derived(name) || is_view(name))
    }
}

/// The views that a statement uses, directly or through others, and the shapes of their bodies.
fn mentioned_views<'a>(shape: &Shape, all: &'a [View]) -> (Vec<&'a View>, Vec<Shape>) {
    let mut views: Vec<&View> = Vec::new();
    let mut bodies: Vec<Shape> = Vec::new();
    loop {
        let is_new = |view: &&View| !views.iter().any(|known| std::ptr::eq(*known, *view));
        let mentioned = |view: &&View| {
            shape.mentions(&view.name) || bodies.iter().any(|body| body.mentions(&view.name))
        };
        let found: Vec<&View> = all
            .iter()
            .filter(|view| is_new(view) && mentioned(view))
            .collect();
        if found.is_empty() {
            return (views, bodies);
        }
        bodies.extend(
            found
                .iter()
                .map(|view| Shape::of_view(view.definition.as_deref())),
        );
        views.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Family;

    fn column(name: &str, kind: Kind, table: &str, org_table: &str) -> RawColumn {
        let org_name = if org_table.is_empty() { "" } else { name };
        RawColumn {
            name: name.to_owned(),
            kind,
            not_null: true,
            auto_increment: false,
            table: table.to_owned(),
            org_table: org_table.to_owned(),
            org_name: org_name.to_owned(),
            schema: String::new(),
            labels: Vec::new(),
        }
    }

    fn described(sql: &str, columns: Vec<RawColumn>, views: &[View]) -> Description {
        let raw = RawDescription {
            family: Family::MariaDb,
            columns,
            params: 0,
        };
        settle(&raw, &Sql::parse(sql).unwrap(), views, &Tables::new()).description
    }

    /// Nullability of the columns, all of which the server called NOT NULL.
    fn nullable(sql: &str, columns: Vec<RawColumn>, views: &[View]) -> Vec<bool> {
        described(sql, columns, views)
            .columns
            .iter()
            .map(|column| column.nullable)
            .collect()
    }

    fn view(name: &str, definition: &str) -> View {
        View {
            name: name.to_owned(),
            schema: "test".to_owned(),
            is_current: true,
            definition: Some(definition.to_owned()),
        }
    }

    fn a_id() -> RawColumn {
        column("id", Kind::Int, "a", "a")
    }

    fn expression(name: &str) -> RawColumn {
        column(name, Kind::Int, "", "")
    }

    #[test]
    fn plain_columns_and_expressions_are_believed() {
        let sql = "SELECT a.id, a.id + 1 AS n FROM a LEFT JOIN b ON b.id = a.id";
        assert_eq!(
            nullable(sql, vec![a_id(), expression("n")], &[]),
            [false, false]
        );
    }

    #[test]
    fn class_a_an_expression_of_a_derived_table_in_an_outer_join() {
        let sql =
            "SELECT a.id, x.one FROM a LEFT JOIN (SELECT id, 1 AS one FROM b) x ON x.id = a.id";
        assert_eq!(
            nullable(sql, vec![a_id(), expression("one")], &[]),
            [false, true]
        );
        let mariadb = column("one", Kind::Int, "x", "x");
        assert_eq!(nullable(sql, vec![a_id(), mariadb], &[]), [false, true]);
    }

    #[test]
    fn class_a_through_ctes_and_views() {
        let cte = "WITH c AS (SELECT id, 1 AS one FROM b) SELECT a.id, x.one FROM a LEFT JOIN c x ON x.id = a.id";
        assert_eq!(
            nullable(cte, vec![a_id(), column("one", Kind::Int, "x", "b")], &[]),
            [false, true]
        );
        let views = [
            view("v", "select `b`.`id` AS `id`,1 AS `one` from `b`"),
            view("w", "select 1 from a left join b on 1"),
        ];
        let sql = "SELECT a.id, v.one FROM a LEFT JOIN v ON v.id = a.id";
        assert_eq!(
            nullable(
                sql,
                vec![a_id(), column("one", Kind::Int, "v", "v")],
                &views
            ),
            [false, true]
        );
        assert_eq!(
            nullable("SELECT one FROM V", vec![expression("one")], &views),
            [false]
        );
    }

    #[test]
    fn a_view_counts_with_all_that_it_mentions() {
        let views = [
            view("outer_view", "select * from inner_view"),
            view("inner_view", "select b.x as x from a left join b on 1"),
        ];
        assert_eq!(
            nullable("SELECT x FROM outer_view", vec![expression("x")], &views),
            [true]
        );
        let hidden = [View {
            name: "v".to_owned(),
            schema: "test".to_owned(),
            is_current: true,
            definition: None,
        }];
        assert_eq!(
            nullable("SELECT x FROM v", vec![expression("x")], &hidden),
            [true]
        );
    }

    #[test]
    fn class_c_a_view_under_an_alias() {
        let views = [view("v1", "select * from a")];
        let sql =
            "SELECT t1.s FROM v1 t1 JOIN b t2 ON t1.id = t2.id RIGHT JOIN a AS t3 ON t2.id = -99";
        assert_eq!(
            nullable(sql, vec![column("s", Kind::Text, "t1", "t1")], &views),
            [true]
        );
        assert_eq!(
            nullable(sql, vec![column("s", Kind::Text, "t3", "a")], &views),
            [false]
        );
    }

    #[test]
    fn class_b_rollup() {
        let sql = "SELECT k, COUNT(*) AS n FROM a GROUP BY k WITH ROLLUP";
        assert_eq!(
            nullable(
                sql,
                vec![column("k", Kind::Int, "a", "a"), expression("n")],
                &[]
            ),
            [true, false]
        );
    }

    #[test]
    fn class_d_bare_columns_beside_an_aggregate() {
        let sql = "SELECT MAX(1), a.id FROM a WHERE a.k > 50";
        assert_eq!(
            nullable(sql, vec![expression("MAX(1)"), a_id()], &[]),
            [false, true]
        );
    }

    #[test]
    fn a_function_that_mariadb_is_wrong_about() {
        for sql in [
            "SELECT JSON_DEPTH(a.id) AS n FROM a",
            "SELECT JSON_DEPTH(a.id) AS n FROM a FULL OUTER JOIN b ON 1",
            "SELECT 1 + JSON_QUOTE(a.id) AS n FROM a",
        ] {
            assert_eq!(nullable(sql, vec![expression("n")], &[]), [true], "{sql}");
        }
    }

    #[test]
    fn counts_are_never_null() {
        let mut count = expression("n");
        count.not_null = false;
        assert_eq!(
            nullable(
                "SELECT (SELECT COUNT(*) FROM b) AS n FROM a",
                vec![count],
                &[]
            ),
            [false]
        );
    }

    #[test]
    fn computed_integers_are_eight_bytes_wide_and_plain_ones_keep_theirs() {
        let columns = vec![
            a_id(),
            expression("n"),
            column("y", Kind::Year, "", ""),
            column("m", Kind::Int, "x", "x"),
        ];
        let description = described(
            "SELECT a.id, a.id + 1 AS n, YEAR(d) AS y, m FROM a JOIN (SELECT 1 AS m) x ON 1",
            columns,
            &[],
        );
        let kinds: Vec<Kind> = description
            .columns
            .iter()
            .map(|column| column.kind)
            .collect();
        assert_eq!(
            kinds,
            [Kind::Int, Kind::BigInt, Kind::BigIntUnsigned, Kind::BigInt]
        );
        assert_eq!(description.family, None);
    }

    #[test]
    fn other_expressions_name_the_family() {
        let description = described(
            "SELECT NOW() AS t",
            vec![column("t", Kind::DateTime, "", "")],
            &[],
        );
        assert_eq!(description.family, Some(Family::MariaDb));
    }
}

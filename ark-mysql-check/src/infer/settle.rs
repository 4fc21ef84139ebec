//! What may be relied on of what the server said: whose NOT_NULL flags hold, and which width a computed integer has.

use super::against::{self, Origin};
use super::prove::{self, Fact, MISJUDGED, READ_DATES, Tables};
use crate::description::{
    DescribedColumn, DescribedParam, Description, Doubts, Kind, RawColumn, RawDescription, View,
    Why,
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
    let trust = Trust::new(sql.shape(), views, raw.doubts);
    let proof = sql
        .tree()
        .filter(|_| !raw.doubts.empty_text)
        .and_then(|tree| prove::prove(tree, raw, views, tables));
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
            let mut settled = settle_column(column, why, &trust, origin);
            // MariaDB knows of no type before there is a value; text is what it may be.
            if column.kind == Kind::Null && sql.selects_parameter(index) {
                settled.kind = Kind::Text;
            }
            (settled, why)
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
    let is_date = prove::may_be_zero(column.kind) && !fact.is_some_and(|fact| fact.real);
    if trust.zero_dates && is_date && !of_the_type && !trust.is_plain(column) {
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
    zero_dates: bool,
}

impl<'a> Trust<'a> {
    fn new(shape: &'a Shape, all: &'a [View], doubts: Doubts) -> Self {
        let (views, bodies) = mentioned_views(shape, all);
        let any = |weakness: fn(&Shape) -> bool| weakness(shape) || bodies.iter().any(weakness);
        let derived = !views.is_empty() || any(|shape| shape.derived);
        Self {
            shape,
            views,
            nothing: any(|shape| shape.rollup)
                || any(|shape| shape.bare_beside_aggregate)
                || any(|shape| MISJUDGED.iter().any(|name| shape.mentions(name)))
                || doubts.zero_dates
                    && any(|shape| READ_DATES.iter().any(|name| shape.mentions(name))),
            zero_dates: doubts.zero_dates,
            plain_only: doubts.empty_text || derived && any(|shape| shape.outer_join),
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
mod tests;

//! What changed between two descriptions of a statement.

use std::fmt;

use ark_mysql_check::describe::cache::SessionSettings;
use ark_mysql_check::description::{
    Against, DescribedColumn, DescribedParam, Description, Family, Kind, Types, Usage,
};
use ark_mysql_check::generate::default_name;
use ark_mysql_check::infer;
use ark_mysql_check::sql::Sql;

/// One thing that was and is something else. Equal ones of several statements are one message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    /// `users.id`, or where in the statement it is.
    pub(crate) subject: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} → {}", self.subject, self.old, self.new)
    }
}

fn change(subject: impl Into<String>, old: impl Into<String>, new: impl Into<String>) -> Change {
    Change {
        subject: subject.into(),
        old: old.into(),
        new: new.into(),
    }
}

/// Returns every change of a statement; nothing where only the describing family differs: then both families say the same.
///
/// `types` are those that `ark-mysql.toml` gives: a change is told in the Rust types that the program has.
pub(crate) fn differences(
    sql: &str,
    old: &Description,
    new: &Description,
    types: &Types,
) -> Vec<Change> {
    let mut out = Vec::new();
    let (before, after) = (rust_types(sql, old, types), rust_types(sql, new, types));
    let most = old.columns.len().max(new.columns.len());
    for index in 0..most {
        match (old.columns.get(index), new.columns.get(index)) {
            (Some(old), Some(new)) => {
                let in_rust = before.get(index).zip(after.get(index));
                out.extend(column(index, old, new, in_rust));
            }
            (Some(old), None) => out.push(change(nth(index, old), type_of(old), "gone")),
            (None, Some(new)) => out.push(change(nth(index, new), "not there", type_of(new))),
            (None, None) => {}
        }
    }
    if old.params.len() != new.params.len() {
        let count = |description: &Description| description.params.len().to_string();
        out.push(change("number of parameters", count(old), count(new)));
    }
    let params = old.params.iter().zip(&new.params).enumerate();
    for (index, (old, new)) in params.filter(|(_, (old, new))| old != new) {
        out.push(param(index, old, new, types));
    }
    if old.family != new.family && !out.is_empty() {
        out.push(change(
            "described by",
            family(old.family),
            family(new.family),
        ));
    }
    out
}

/// Returns what differs of the settings of servers.
pub(crate) fn settings(old: &SessionSettings, new: &SessionSettings) -> Vec<Change> {
    let modes = |settings: &SessionSettings| match settings.sql_mode.as_slice() {
        [] => "nothing".to_owned(),
        modes => modes.join(","),
    };
    let cases = |settings: &SessionSettings| settings.lower_case_table_names.to_string();
    let all = [
        change("sql_mode", modes(old), modes(new)),
        change("lower_case_table_names", cases(old), cases(new)),
    ];
    all.into_iter()
        .filter(|change| change.old != change.new)
        .collect()
}

fn nth(index: usize, column: &DescribedColumn) -> String {
    format!("column {} `{}`", index + 1, column.name)
}

/// What each column is in Rust, by its alias, by the settings or by default.
fn rust_types(sql: &str, description: &Description, types: &Types) -> Vec<InRust> {
    // What is no statement to us was not written by `prepare`.
    let Ok(sql) = Sql::parse(sql) else {
        return Vec::new();
    };
    let plan = infer::plan(description, &sql, types, false);
    let columns = plan.map_or_else(|_| Vec::new(), |plan| plan.columns);
    columns
        .into_iter()
        .map(|column| InRust {
            asked: column.rust.map(|asked| asked.rust),
            kind: column.kind,
            nullable: column.nullable,
        })
        .collect()
}

/// A value's type in the program.
struct InRust {
    /// The type that somebody asked for, if it is not the default one.
    asked: Option<String>,
    kind: Kind,
    nullable: bool,
}

impl fmt::Display for InRust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = self.asked.as_deref();
        let bare = bare.unwrap_or_else(|| default_name(self.kind));
        match self.nullable {
            true => write!(f, "Option<{bare}>"),
            false => f.write_str(bare),
        }
    }
}

fn column(
    index: usize,
    old: &DescribedColumn,
    new: &DescribedColumn,
    in_rust: Option<(&InRust, &InRust)>,
) -> Vec<Change> {
    let mut out = Vec::new();
    if old.name != new.name {
        let quoted = |column: &DescribedColumn| format!("`{}`", column.name);
        out.push(change(
            format!("column {}", index + 1),
            quoted(old),
            quoted(new),
        ));
    }
    let same_origin = (&old.table, &old.column) == (&new.table, &new.column);
    let subject = match (&new.table, &new.column) {
        (Some(table), Some(column)) if same_origin => format!("{table}.{column}"),
        _ => nth(index, new),
    };
    if (old.kind, old.nullable) != (new.kind, new.nullable) {
        let (old, new) = words((old.kind, old.nullable), (new.kind, new.nullable), in_rust);
        out.push(change(&subject, old, new));
    }
    if !same_origin {
        out.push(change(
            format!("origin of {subject}"),
            origin(old),
            origin(new),
        ));
    }
    if old.labels != new.labels {
        out.push(change(
            format!("labels of {subject}"),
            labels(old),
            labels(new),
        ));
    }
    if old.why != new.why && old.nullable && new.nullable {
        let why =
            |column: &DescribedColumn| column.why.map_or("the server says so", |why| why.text());
        out.push(change(
            format!("why {subject} may be NULL"),
            why(old),
            why(new),
        ));
    }
    out
}

/// Both as Rust types, or in SQL where those are the same; then a type that is not the default one is told, too.
fn words(
    old: (Kind, bool),
    new: (Kind, bool),
    in_rust: Option<(&InRust, &InRust)>,
) -> (String, String) {
    match in_rust {
        Some((was, is)) if was.to_string() != is.to_string() => (was.to_string(), is.to_string()),
        Some((_, is)) if is.asked.is_some() => {
            (sql_type(old), format!("{} (`{is}` in Rust)", sql_type(new)))
        }
        Some(_) | None => (sql_type(old), sql_type(new)),
    }
}

fn sql_type((kind, nullable): (Kind, bool)) -> String {
    let null = if nullable { "NULL" } else { "NOT NULL" };
    format!("{} {null}", kind.sql_name())
}

fn type_of(column: &DescribedColumn) -> String {
    sql_type((column.kind, column.nullable))
}

/// A parameter that stands against the same column as before changes as that column does.
fn param(index: usize, old: &DescribedParam, new: &DescribedParam, types: &Types) -> Change {
    if let (Some(old), Some(new)) = (&old.against, &new.against)
        && (&old.table, &old.column) == (&new.table, &new.column)
        && stored(old) == stored(new)
        && let (Some(table), Some(column)) = (&new.table, &new.column)
    {
        let takes_null = |against: &Against| against.usage == Usage::Stored { nullable: true };
        let in_rust = |against: &Against| {
            let asked = types.column(table, column);
            InRust {
                asked: asked
                    .or_else(|| types.kind(against.kind))
                    .map(|asked| asked.rust.clone()),
                kind: against.kind,
                nullable: takes_null(against),
            }
        };
        let pair = (&in_rust(old), &in_rust(new));
        let (old, new) = words(
            (old.kind, takes_null(old)),
            (new.kind, takes_null(new)),
            Some(pair),
        );
        return change(format!("{table}.{column}"), old, new);
    }
    change(format!("parameter {}", index + 1), taken(old), taken(new))
}

fn stored(against: &Against) -> bool {
    matches!(against.usage, Usage::Stored { .. })
}

fn labels(column: &DescribedColumn) -> String {
    match column.labels.as_slice() {
        [] => "not known".to_owned(),
        labels => format!("'{}'", labels.join("', '")),
    }
}

/// What a parameter takes.
fn taken(param: &DescribedParam) -> String {
    let Some(against) = &param.against else {
        return "any".to_owned();
    };
    let place = match against.usage {
        Usage::Compared => "compared with ",
        Usage::Stored { .. } => "stored in ",
        Usage::Limit => return "LIMIT".to_owned(),
        Usage::Argument => "given to a function as ",
        Usage::Selected => "selected as ",
    };
    let null = match against.usage {
        Usage::Stored { nullable: false } => " NOT NULL",
        _ => "",
    };
    let column = match (&against.table, &against.column) {
        (Some(table), Some(column)) => format!("{table}.{column}, "),
        _ => String::new(),
    };
    format!("{place}{column}{}{null}", against.kind.sql_name())
}

fn origin(column: &DescribedColumn) -> String {
    match (&column.table, &column.column) {
        (Some(table), Some(column)) => format!("{table}.{column}"),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => "an expression".to_owned(),
    }
}

fn family(family: Option<Family>) -> &'static str {
    match family {
        Some(Family::MySql) => "MySQL",
        Some(Family::MariaDb) => "MariaDB",
        None => "any server",
    }
}

#[cfg(test)]
mod tests;

//! What changed between two descriptions of a statement, in words.

use ark_mysql_check::description::{DescribedColumn, DescribedParam, Description, Family, Usage};

/// Returns one line for every difference; nothing where only the describing family differs: then both families say the same.
pub(crate) fn differences(old: &Description, new: &Description) -> Vec<String> {
    let mut out = Vec::new();
    let most = old.columns.len().max(new.columns.len());
    for index in 0..most {
        match (old.columns.get(index), new.columns.get(index)) {
            (Some(old), Some(new)) => out.extend(column(index, old, new)),
            (Some(old), None) => out.push(format!(
                "column {} `{}`: {} -> gone",
                index + 1,
                old.name,
                type_of(old)
            )),
            (None, Some(new)) => out.push(format!(
                "column {} `{}`: new, {}",
                index + 1,
                new.name,
                type_of(new)
            )),
            (None, None) => {}
        }
    }
    if old.params.len() != new.params.len() {
        out.push(format!(
            "parameters: {} -> {}",
            old.params.len(),
            new.params.len()
        ));
    }
    for (index, (old, new)) in old
        .params
        .iter()
        .zip(&new.params)
        .enumerate()
        .filter(|(_, (old, new))| old != new)
    {
        out.push(format!(
            "parameter {}: {} -> {}",
            index + 1,
            taken(old),
            taken(new)
        ));
    }
    if old.family != new.family && !out.is_empty() {
        out.push(format!(
            "described by: {} -> {}",
            family(old.family),
            family(new.family)
        ));
    }
    out
}

fn column(index: usize, old: &DescribedColumn, new: &DescribedColumn) -> Vec<String> {
    let mut out = Vec::new();
    if old.name != new.name {
        out.push(format!(
            "column {}: `{}` -> `{}`",
            index + 1,
            old.name,
            new.name
        ));
    }
    if (old.kind, old.nullable) != (new.kind, new.nullable) {
        out.push(format!(
            "column {} `{}`: {} -> {}",
            index + 1,
            new.name,
            type_of(old),
            type_of(new)
        ));
    }
    if (&old.table, &old.column) != (&new.table, &new.column) {
        out.push(format!(
            "column {} `{}`: comes from {} -> {}",
            index + 1,
            new.name,
            origin(old),
            origin(new)
        ));
    }
    if old.labels != new.labels {
        out.push(format!(
            "column {} `{}`: labels {} -> {}",
            index + 1,
            new.name,
            labels(old),
            labels(new)
        ));
    }
    out
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

fn type_of(column: &DescribedColumn) -> String {
    format!(
        "{}{}",
        column.kind.sql_name(),
        if column.nullable {
            " NULL"
        } else {
            " NOT NULL"
        }
    )
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
mod tests {
    use super::*;
    use ark_mysql_check::description::Kind;

    fn column(name: &str, kind: Kind, nullable: bool) -> DescribedColumn {
        DescribedColumn {
            why: None,
            name: name.to_owned(),
            kind,
            nullable,
            table: Some("t".to_owned()),
            column: Some(name.to_owned()),
            labels: Vec::new(),
        }
    }

    fn described(columns: Vec<DescribedColumn>, params: usize) -> Description {
        Description {
            family: None,
            columns,
            params: vec![DescribedParam::default(); params],
        }
    }

    #[test]
    fn the_same_has_no_difference() {
        let one = described(vec![column("a", Kind::Int, false)], 1);
        assert!(differences(&one, &one.clone()).is_empty());
        let mut other = one.clone();
        other.family = Some(Family::MariaDb);
        assert!(differences(&one, &other).is_empty());
    }

    #[test]
    fn every_difference_is_named() {
        let old = described(
            vec![
                column("a", Kind::Int, false),
                column("b", Kind::Text, true),
                column("c", Kind::Date, true),
            ],
            1,
        );
        let mut new = described(
            vec![
                column("a", Kind::BigInt, true),
                column("bb", Kind::Text, true),
            ],
            2,
        );
        new.family = Some(Family::MariaDb);
        assert_eq!(
            differences(&old, &new),
            [
                "column 1 `a`: INT NOT NULL -> BIGINT NULL",
                "column 2: `b` -> `bb`",
                "column 2 `bb`: comes from t.b -> t.bb",
                "column 3 `c`: DATE NULL -> gone",
                "parameters: 1 -> 2",
                "described by: any server -> MariaDB",
            ]
        );
    }
}

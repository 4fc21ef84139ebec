//! The labels of ENUM and SET columns: PREPARE does not tell them.

use std::collections::{BTreeMap, BTreeSet};

use ark_mysql_proto::row::{DecodeError, Source, TextRow};

use super::{Client, TABLES_AT_ONCE, Trouble};
use crate::description::{Kind, RawColumn};
use crate::infer::TableName;

/// Of each column that has some, by its name.
pub(super) type Labels = BTreeMap<String, Vec<String>>;

impl Client {
    /// Fills in the labels of columns of tables, as far as there is such a table.
    pub(super) fn fill_in_labels(&mut self, columns: &mut [RawColumn]) -> Result<(), Trouble> {
        let wanted: BTreeSet<TableName> = columns.iter().filter_map(table).collect();
        let unknown: Vec<TableName> = wanted
            .into_iter()
            .filter(|name| !self.labels.contains_key(name))
            .collect();
        for names in unknown.chunks(TABLES_AT_ONCE) {
            self.close_last();
            for name in names {
                self.session
                    .query(&format!("SHOW COLUMNS FROM {}", name.quoted()))?;
            }
            for name in names {
                let labels = self.read_labels()?;
                self.labels.insert(name.clone(), labels);
            }
        }
        for column in columns {
            if let Some(labels) = table(column).and_then(|name| self.labels.get(&name)) {
                column.labels = labels.get(&column.org_name).cloned().unwrap_or_default();
            }
        }
        Ok(())
    }

    /// A table that is none (MariaDB calls a derived one by its alias) has no labels.
    fn read_labels(&mut self) -> Result<Labels, Trouble> {
        use ark_mysql_proto::Event;
        let mut found = Labels::new();
        loop {
            match self.next_event()? {
                Event::Row => found.extend(read(self.session.payload())?),
                Event::Done(_) | Event::ResultSetEnd(_) | Event::Failed => return Ok(found),
                _ => {}
            }
        }
    }
}

fn table(column: &RawColumn) -> Option<TableName> {
    let has_labels = matches!(column.kind, Kind::Enum | Kind::Set);
    let is_of_table = ![&column.schema, &column.org_table, &column.org_name]
        .iter()
        .any(|name| name.is_empty());
    (has_labels && is_of_table).then(|| TableName {
        schema: Some(column.schema.clone()),
        name: column.org_table.clone(),
    })
}

/// The name and the labels in a row of SHOW COLUMNS.
fn read(payload: &[u8]) -> Result<Option<(String, Vec<String>)>, Trouble> {
    let odd =
        |error: DecodeError| Trouble::Conversation(format!("the columns of a table: {error}"));
    let mut row = TextRow::new(payload);
    let name = row.str(0).map_err(odd)?.to_owned();
    let labels = labels(row.str(1).map_err(odd)?);
    Ok(labels.map(|labels| (name, labels)))
}

/// What stands in `enum('a','b')`; `None` for other types, and for what is not understood.
fn labels(sql_type: &str) -> Option<Vec<String>> {
    let list = ["enum(", "set("].iter().find_map(|start| {
        let head = sql_type.get(..start.len())?;
        head.eq_ignore_ascii_case(start)
            .then(|| sql_type.get(start.len()..))?
    })?;
    let mut labels = Vec::new();
    let mut rest = list;
    loop {
        let (label, behind) = quoted(rest.strip_prefix('\'')?)?;
        labels.push(label);
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None => return behind.starts_with(')').then_some(labels),
        }
    }
}

/// The text up to its closing quote, and what stands behind that. Quotes are doubled; a few other characters are escaped.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut label = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\'' => {
                let behind = text.get(at + 1..)?;
                if !behind.starts_with('\'') {
                    return Some((label, behind));
                }
                chars.next();
                label.push('\'');
            }
            '\\' => label.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                '0' => '\0',
                other => other,
            }),
            other => label.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_the_servers_write_them() {
        let of = |sql_type: &str| labels(sql_type).unwrap();
        assert_eq!(
            of("enum('open','it''s',',)','')"),
            ["open", "it's", ",)", ""]
        );
        assert_eq!(of(r"SET('a\\b','c\nd','ö')"), [r"a\b", "c\nd", "ö"]);
        for other in [
            "int",
            "enum",
            "enum(",
            "enum('a",
            "enum('a'",
            "enum('a';)",
            "enum()",
            "varchar(3)",
        ] {
            assert_eq!(labels(other), None, "{other}");
        }
    }
}

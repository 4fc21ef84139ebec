//! The grammar of a cache file.
//!
//! ```json
//! {
//!   "format": 1,
//!   "sql": "SELECT id, name FROM users WHERE id = ?",
//!   "columns": [
//!     {"name": "id", "kind": "BigIntUnsigned", "nullable": false, "table": "users", "column": "id"},
//!     {"name": "name", "kind": "Text", "nullable": false, "table": "users", "column": "name"}
//!   ],
//!   "params": [
//!     {"kind": "BigIntUnsigned", "use": "compared", "table": "users", "column": "id"}
//!   ]
//! }
//! ```
//! Deterministic to the byte: fixed order, no time, no version of a server. `"family"` (after `"format"`) stands only where the
//! families of servers differ; `"why"` (after `"nullable"`) where it is known why a column may be NULL; `"table"` and `"column"` only for columns of tables,
//! by whatever views and queries they came; `"labels"` only for those that are an ENUM or a SET. A parameter is `null` where every value fits, else what it
//! stands against: `"use"` is `"compared"`, `"limit"`, or `"stored"` with a `"nullable"` behind it.
//!
//! Reading is strict in one stroke: the text must be what writing its meaning gives, but for white space. So there are no unknown or
//! repeated keys, no second spelling of anything, and nothing that a reviewer could overlook.

use std::fmt::Write as _;

use super::exact;
use super::insignificant::same_tokens;
use crate::describe::json::{Value, quoted};
use crate::description::{
    Against, DescribedColumn, DescribedParam, Description, Family, Kind, Usage, Why,
};

/// Raised when the meaning of a file changes; old entries are then made anew by `prepare`.
pub(super) const FORMAT: u64 = 1;

/// The protocol's own limits, and servers': 4096 columns, 65,535 parameters, 65,535 labels of an ENUM, 256 characters of at most 4 bytes.
pub(super) const MAX_COLUMNS: usize = 4096;
pub(super) const MAX_PARAMS: usize = 65_535;
const MAX_LABELS: usize = 65_535;
pub(super) const MAX_NAME_BYTES: usize = 1024;

/// A statement and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The SQL as sent.
    pub sql: String,
    /// What it is.
    pub description: Description,
}

impl Entry {
    /// Writes the file's text.
    pub fn to_json(&self) -> String {
        let Description {
            family,
            columns,
            params,
        } = &self.description;
        let mut out = format!("{{\n  \"format\": {FORMAT},\n");
        if let Some(family) = family {
            let _ = writeln!(out, "  \"family\": {},", quoted(family_name(*family)));
        }
        let _ = write!(out, "  \"sql\": {},\n  \"columns\": [", quoted(&self.sql));
        for (index, column) in columns.iter().enumerate() {
            out.push_str(if index == 0 { "\n    " } else { ",\n    " });
            write_column(&mut out, column);
        }
        out.push_str(if columns.is_empty() {
            "],\n"
        } else {
            "\n  ],\n"
        });
        let known = params.iter().any(|param| param.against.is_some());
        let params: Vec<String> = params.iter().map(param_json).collect();
        let (before, between, after) = match known {
            true => ("\n    ", ",\n    ", "\n  "),
            false => ("", ", ", ""),
        };
        let params = params.join(between);
        let _ = write!(out, "  \"params\": [{before}{params}{after}]\n}}\n");
        out
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// Says what is wrong, as the rest of a sentence about the file; never quotes more than a key or a kind.
    pub fn parse(text: &str) -> Result<Self, String> {
        exact::read(text).map_or_else(|| Self::parse_any(text), Ok)
    }

    fn parse_any(text: &str) -> Result<Self, String> {
        let value: Value =
            Value::parse(text).map_err(|error| format!("it cannot be read ({error})"))?;
        let format = value.get("format").and_then(Value::as_u64);
        if format != Some(FORMAT) {
            return Err("it is not of the format that this version of ark-mysql reads".to_owned());
        }
        let entry = Self {
            sql: string(&value, "sql")?.to_owned(),
            description: Description {
                family: family(&value)?,
                columns: list(&value, "columns", MAX_COLUMNS)?
                    .iter()
                    .map(column)
                    .collect::<Result<_, _>>()?,
                params: list(&value, "params", MAX_PARAMS)?
                    .iter()
                    .map(param)
                    .collect::<Result<_, _>>()?,
            },
        };
        if !same_tokens(text, &entry.to_json()) {
            return Err("it has something that does not belong there".to_owned());
        }
        Ok(entry)
    }
}

fn write_column(out: &mut String, column: &DescribedColumn) {
    let DescribedColumn {
        name,
        kind,
        nullable,
        why,
        table,
        column,
        labels,
    } = column;
    let _ = write!(
        out,
        "{{\"name\": {}, \"kind\": {}, \"nullable\": {nullable}",
        quoted(name),
        quoted(kind.zst())
    );
    if let Some(why) = why.and_then(Why::kept) {
        let _ = write!(out, ", \"why\": {}", quoted(why));
    }
    write_origin(out, table.as_deref(), column.as_deref());
    write_labels(out, labels);
    out.push('}');
}

fn write_labels(out: &mut String, labels: &[String]) {
    if !labels.is_empty() {
        let labels: Vec<String> = labels.iter().map(|label| quoted(label)).collect();
        let _ = write!(out, ", \"labels\": [{}]", labels.join(", "));
    }
}

fn write_origin(out: &mut String, table: Option<&str>, column: Option<&str>) {
    for (key, value) in [("table", table), ("column", column)] {
        if let Some(value) = value {
            let _ = write!(out, ", \"{key}\": {}", quoted(value));
        }
    }
}

fn param_json(param: &DescribedParam) -> String {
    let Some(against) = &param.against else {
        return "null".to_owned();
    };
    let usage = match against.usage {
        Usage::Compared => "\"compared\"",
        Usage::Stored { nullable: true } => "\"stored\", \"nullable\": true",
        Usage::Stored { nullable: false } => "\"stored\", \"nullable\": false",
        Usage::Limit => "\"limit\"",
        Usage::Selected => "\"selected\"",
        Usage::Argument => "\"argument\"",
    };
    let kind = quoted(against.kind.zst());
    let mut out = format!("{{\"kind\": {kind}, \"use\": {usage}");
    write_origin(
        &mut out,
        against.table.as_deref(),
        against.column.as_deref(),
    );
    write_labels(&mut out, &against.labels);
    out.push('}');
    out
}

fn family_name(family: Family) -> &'static str {
    match family {
        Family::MySql => "mysql",
        Family::MariaDb => "mariadb",
    }
}

fn family(value: &Value) -> Result<Option<Family>, String> {
    match value.get("family").map(Value::as_str) {
        None => Ok(None),
        Some(Some("mysql")) => Ok(Some(Family::MySql)),
        Some(Some("mariadb")) => Ok(Some(Family::MariaDb)),
        Some(_) => Err("\"family\" is neither \"mysql\" nor \"mariadb\"".to_owned()),
    }
}

fn column(value: &Value) -> Result<DescribedColumn, String> {
    Ok(DescribedColumn {
        name: name(string(value, "name")?)?,
        kind: kind(string(value, "kind")?)?,
        nullable: nullable(value)?,
        why: why(value)?,
        table: optional_name(value, "table")?,
        column: optional_name(value, "column")?,
        labels: labels(value)?,
    })
}

fn labels(value: &Value) -> Result<Vec<String>, String> {
    if value.get("labels").is_none() {
        return Ok(Vec::new());
    }
    let labels = list(value, "labels", MAX_LABELS)?.iter();
    labels
        .map(|label| {
            let label = label.as_str().ok_or("a label is no string")?;
            name(label)
        })
        .collect()
}

fn param(value: &Value) -> Result<DescribedParam, String> {
    if matches!(value, Value::Null) {
        return Ok(DescribedParam { against: None });
    }
    let usage = match string(value, "use")? {
        "compared" => Usage::Compared,
        "limit" => Usage::Limit,
        "selected" => Usage::Selected,
        "argument" => Usage::Argument,
        "stored" => Usage::Stored {
            nullable: nullable(value)?,
        },
        _ => return Err("\"use\" of a parameter is none that exists".to_owned()),
    };
    let against = Against {
        kind: kind(string(value, "kind")?)?,
        usage,
        table: optional_name(value, "table")?,
        column: optional_name(value, "column")?,
        labels: labels(value)?,
    };
    Ok(DescribedParam {
        against: Some(against),
    })
}

fn nullable(value: &Value) -> Result<bool, String> {
    value
        .get("nullable")
        .and_then(Value::as_bool)
        .ok_or_else(|| "\"nullable\" is missing or not true or false".to_owned())
}

fn why(value: &Value) -> Result<Option<Why>, String> {
    if value.get("why").is_none() {
        return Ok(None);
    }
    let name = string(value, "why")?;
    let kept = Why::KEPT.into_iter().find(|(kept, _)| *kept == name);
    kept.map(|(_, why)| Some(why))
        .ok_or_else(|| "\"why\" is no reason that exists".to_owned())
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::from_cache_name(name).ok_or_else(|| "it names a kind that does not exist".to_owned())
}

fn optional_name(value: &Value, key: &str) -> Result<Option<String>, String> {
    if value.get(key).is_none() {
        return Ok(None);
    }
    name(string(value, key)?).map(Some)
}

fn name(text: &str) -> Result<String, String> {
    if text.len() > MAX_NAME_BYTES {
        return Err(format!("a name is longer than {MAX_NAME_BYTES} bytes"));
    }
    Ok(text.to_owned())
}

fn string<'v>(value: &'v Value, key: &str) -> Result<&'v str, String> {
    value
        .get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("\"{key}\" is missing or no string"))
}

fn list<'v>(value: &'v Value, key: &str, most: usize) -> Result<&'v [Value], String> {
    let list = value
        .get(key)
        .and_then(Value::as_list)
        .ok_or_else(|| format!("\"{key}\" is missing or no list"))?;
    if list.len() > most {
        return Err(format!("\"{key}\" has more than {most} items"));
    }
    Ok(list)
}

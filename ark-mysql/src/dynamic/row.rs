use std::sync::Arc;

use ark_mysql_proto::Kind;
use ark_mysql_proto::row::{DecodeError, RowReader, Source, TextRow};
use ark_mysql_proto::session::definitions;

use super::{FromValue, Value};
use crate::connection::foreign_text;
use crate::error::{Error, ErrorKind, Outcome};

/// What a column is called, and of which type it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    name: String,
    kind: Kind,
}

impl ColumnInfo {
    /// The name, or its alias.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The SQL type: `BIGINT UNSIGNED`.
    pub fn type_name(&self) -> &'static str {
        self.kind.sql_name()
    }
}

/// The columns of one result, shared by its rows.
#[derive(Debug)]
pub(super) struct Columns(Arc<[ColumnInfo]>);

impl Columns {
    pub(super) fn read(raw: &[u8]) -> Result<Self, Error> {
        let columns = definitions(raw, false).map(|definition| {
            let definition = definition?;
            if let Some(error) = foreign_text(&definition) {
                return Err(error);
            }
            let kind = Kind::of(&definition).map_err(|error| {
                Error::new(
                    ErrorKind::Unsupported,
                    Outcome::Done,
                    format!("column `{}`: {error}", definition.name),
                )
            })?;
            Ok(ColumnInfo {
                name: definition.name.to_owned(),
                kind,
            })
        });
        Ok(Self(columns.collect::<Result<_, Error>>()?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn info(&self) -> &[ColumnInfo] {
        &self.0
    }

    pub(super) fn row(&self, payload: &[u8], text: bool) -> Result<DynamicRow, DecodeError> {
        let values = if text {
            self.values(&mut TextRow::new(payload))?
        } else {
            self.values(&mut RowReader::new(payload, self.0.len())?)?
        };
        Ok(DynamicRow {
            columns: Arc::clone(&self.0),
            values,
        })
    }

    fn values<'r, S: Source<'r>>(&self, row: &mut S) -> Result<Vec<Value>, DecodeError> {
        let values = self
            .0
            .iter()
            .enumerate()
            .map(|(index, column)| Value::read(row, index, column.kind))
            .collect::<Result<_, _>>()?;
        row.finish()?;
        Ok(values)
    }
}

/// A row whose columns were not known when the program was built.
#[derive(Clone, Debug)]
pub struct DynamicRow {
    columns: Arc<[ColumnInfo]>,
    values: Vec<Value>,
}

impl DynamicRow {
    /// The columns.
    pub fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    /// The values, in the order of the columns.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a column, found by name (without regard to ASCII case; the first one of that name) or by position from 0.
    ///
    /// # Errors
    /// `Decode`: there is no such column, or its value is not one of `T`.
    pub fn get<T: FromValue>(&self, column: impl Name) -> Result<T, Error> {
        let found = column
            .find(&self.columns)
            .and_then(|at| Some((self.columns.get(at)?, self.values.get(at)?)));
        let Some((info, value)) = found else {
            let names: Vec<&str> = self.columns.iter().map(ColumnInfo::name).collect();
            return Err(error(format!(
                "there is no column {}: the columns are {}",
                column.shown(),
                names.join(", ")
            )));
        };
        T::from_value(value).ok_or_else(|| {
            let (name, kind, wanted) = (&info.name, info.kind, std::any::type_name::<T>());
            error(match value {
                Value::Null => format!("column `{name}` is NULL: ask for an Option<{wanted}>"),
                _ => format!("column `{name}` is {kind}: its value does not fit {wanted}"),
            })
        })
    }
}

#[cold]
fn error(detail: String) -> Error {
    Error::new(ErrorKind::Decode, Outcome::Done, detail)
}

/// How a column is named: `&str`, `&String`, or its position.
pub trait Name: Copy {
    /// Its position.
    #[doc(hidden)]
    fn find(self, columns: &[ColumnInfo]) -> Option<usize>;

    /// As shown in messages.
    #[doc(hidden)]
    fn shown(self) -> String;
}

impl Name for usize {
    fn find(self, columns: &[ColumnInfo]) -> Option<usize> {
        (self < columns.len()).then_some(self)
    }

    fn shown(self) -> String {
        self.to_string()
    }
}

impl Name for &str {
    fn find(self, columns: &[ColumnInfo]) -> Option<usize> {
        columns
            .iter()
            .position(|column| column.name.eq_ignore_ascii_case(self))
    }

    fn shown(self) -> String {
        format!("`{self}`")
    }
}

impl Name for &String {
    fn find(self, columns: &[ColumnInfo]) -> Option<usize> {
        Name::find(self.as_str(), columns)
    }

    fn shown(self) -> String {
        Name::shown(self.as_str())
    }
}

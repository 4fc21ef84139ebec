//! The name that was probably meant where a server knows no table or column of that name.

use ark_mysql_proto::row::{Source, TextRow};
use ark_mysql_proto::{Event, ServerError};

use super::Client;
use crate::infer::TableName;
use crate::settings::nearest;

const UNKNOWN_COLUMN: u16 = 1054;
const UNKNOWN_TABLE: u16 = 1146;

impl Client {
    /// The nearest name to the one that is unknown: of the columns of `tables`, or of the database's tables. Costs a round trip, in a
    /// statement that is wrong anyway.
    pub(in super::super) fn nearest(
        &mut self,
        error: &ServerError,
        tables: Vec<TableName>,
    ) -> Option<String> {
        let name = error.message.split('\'').nth(1)?;
        let known = match error.code {
            UNKNOWN_COLUMN => {
                let tables = self.tables(tables).ok()?;
                let columns = tables.into_values().flatten();
                columns.map(|column| column.name).collect()
            }
            UNKNOWN_TABLE => self.table_names(name.split_once('.')?.0)?,
            _ => return None,
        };
        let last = name.rsplit('.').next().unwrap_or(name);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        nearest(last, &known).map(str::to_owned)
    }

    fn table_names(&mut self, schema: &str) -> Option<Vec<String>> {
        if schema.contains('\\') {
            return None;
        }
        self.close_last();
        let query = format!(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = '{schema}'"
        );
        self.session.query(&query).ok()?;
        let mut names = Vec::new();
        loop {
            match self.next_event().ok()? {
                Event::Row => {
                    let mut row = TextRow::new(self.session.payload());
                    names.push(row.str(0).ok()?.to_owned());
                }
                Event::Done(_) | Event::ResultSetEnd(_) => return Some(names),
                Event::Failed => return None,
                _ => {}
            }
        }
    }
}

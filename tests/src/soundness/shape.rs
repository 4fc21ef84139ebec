//! Statements by hand on a server of their own: what was told of each column, and what came.

use ark_mysql_check::description::{DescribedParam, Usage};
use ark_mysql_check::sql::Sql;

use super::client::Failure;
use super::judge;
use super::server::{Database, Server};
use super::value::Value;
use super::{Breach, Describe};

/// A schema with its rows, to run statements in.
pub struct Shapes {
    database: Database,
    // Stops when dropped: after the connections.
    _server: Server,
}

/// What was told of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// It was called nullable.
    pub nullable: bool,
    /// A NULL came.
    pub null: bool,
}

/// What became of one statement.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its columns.
    pub columns: Vec<Told>,
    /// How many rows came.
    pub rows: usize,
    /// Broken promises.
    pub breaches: Vec<Breach>,
    /// How many columns came under another name than that of their alias.
    pub renamed: usize,
}

impl Shape {
    /// A letter a column: `N` where it was told to be NOT NULL, `-` where not; and `0` where a NULL came, `.` where none did.
    pub fn letters(&self) -> (String, String) {
        let of = |letter: fn(&Told) -> char| self.columns.iter().map(letter).collect();
        (
            of(|told| if told.nullable { '-' } else { 'N' }),
            of(|told| if told.null { '0' } else { '.' }),
        )
    }
}

impl Shapes {
    /// Starts a server that lets everything pass and runs the script, statement by statement.
    ///
    /// # Panics
    /// Where the server cannot be had, or refuses a statement.
    #[must_use]
    pub fn new(kind: impl Into<crate::Server>, script: &[&str]) -> Self {
        Self::in_mode(kind, "''", script)
    }

    /// The same on a server of this `sql_mode`, in which statements are described and run; the script may do everything.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn in_mode(kind: impl Into<crate::Server>, sql_mode: &str, script: &[&str]) -> Self {
        let mut server = Server::start(kind.into());
        let database = server
            .database(sql_mode)
            .expect("a server that just started");
        let mut shapes = Self {
            database,
            _server: server,
        };
        shapes.run("SET SESSION sql_mode = ''");
        script.iter().for_each(|sql| shapes.run(sql));
        shapes.run(&format!("SET SESSION sql_mode = {sql_mode}"));
        shapes
    }

    /// Runs SQL without looking at what comes.
    ///
    /// # Panics
    /// Where the server refuses.
    pub fn run(&mut self, sql: &str) {
        self.database
            .client
            .run(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// Describes and runs a statement; all parameters are NULL but those that are columns of the result. `None` where this server does not know it.
    ///
    /// # Panics
    /// Where the statement ends the server.
    pub fn tell(&mut self, text: &str, describe: Describe<'_>) -> Option<Shape> {
        let sql = Sql::parse(text).ok()?;
        let described = describe(&sql, &self.database.settings).ok()?;
        let specs = judge::specs(&described.description, &sql);
        let client = &mut self.database.client;
        let prepared = match client.prepare(text) {
            Ok(prepared) => prepared,
            Err(Failure::Refused(_)) => return None,
            Err(Failure::Lost(why)) => panic!("{text}: {why}"),
        };
        // As the macros let it: what is selected is text, and no NULL.
        let value = |param: &DescribedParam| match &param.against {
            Some(against) if against.usage == Usage::Selected => Value::text(),
            _ => Value::null(),
        };
        let values: Vec<Value> = described.description.params.iter().map(value).collect();
        let rows = client
            .execute(&prepared, &values)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        client.close(prepared);
        let (nulls, breaches) = judge::judge(specs, &rows);
        let told = |(spec, null): (&ark_mysql::value::ColumnSpec, bool)| Told {
            nullable: spec.nullable,
            null,
        };
        Some(Shape {
            columns: specs.iter().zip(nulls).map(told).collect(),
            rows: rows.rows.len(),
            breaches,
            renamed: judge::renamed(specs, &rows),
        })
    }
}

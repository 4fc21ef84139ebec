//! Copies a database within its server: what it takes is read once, and done for every test.

use super::failure::Failure;
use super::template::MARK;
use crate::connection::Connection;
use crate::dynamic::{DynamicRow, query};
use crate::error::Error;

/// The statements that make a copy.
#[derive(Debug)]
pub(super) struct Plan {
    /// `CHARACTER SET … COLLATE …`
    charset: String,
    tables: Vec<String>,
    rows: Vec<String>,
    /// Routines, then triggers and events: each with the sql_mode that it was made with.
    routines: Vec<Made>,
    views: Vec<String>,
    late: Vec<Made>,
}

#[derive(Debug)]
struct Made {
    sql_mode: String,
    sql: String,
}

/// Tables are made in any order and with the values that they have: nothing is checked a second time.
const SESSION: &str =
    "SET SESSION foreign_key_checks = 0, unique_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'";

/// How to read the definitions of one kind of thing.
struct Kind {
    /// Names, with the database as `?`.
    names: &'static str,
    show: &'static str,
    /// The columns of the answer.
    sql_mode: usize,
    sql: usize,
}

const PROCEDURES: Kind = Kind {
    names: "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? AND ROUTINE_TYPE = 'PROCEDURE'",
    show: "PROCEDURE",
    sql_mode: 1,
    sql: 2,
};
const FUNCTIONS: Kind = Kind {
    names: "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? AND ROUTINE_TYPE = 'FUNCTION'",
    show: "FUNCTION",
    sql_mode: 1,
    sql: 2,
};
const TRIGGERS: Kind = Kind {
    names: "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? ORDER BY EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER",
    show: "TRIGGER",
    sql_mode: 1,
    sql: 2,
};
const EVENTS: Kind = Kind {
    names: "SELECT EVENT_NAME FROM information_schema.EVENTS WHERE EVENT_SCHEMA = ?",
    show: "EVENT",
    sql_mode: 1,
    sql: 3,
};

impl Plan {
    /// Reads a template.
    pub(super) async fn read(connection: &mut Connection, template: &str) -> Result<Self, Failure> {
        let reading = async {
            let mut reader = Reader {
                connection,
                template,
            };
            let mut routines = reader.made(&FUNCTIONS).await?;
            routines.extend(reader.made(&PROCEDURES).await?);
            let mut late = reader.made(&TRIGGERS).await?;
            late.extend(reader.made(&EVENTS).await?);
            let (tables, rows) = reader.tables().await?;
            Ok::<_, Error>(Self {
                charset: reader.charset().await?,
                tables,
                rows,
                routines,
                views: reader.views().await?,
                late,
            })
        };
        reading.await.map_err(Failure::at("reading the template"))
    }

    /// Makes the database `name` a copy.
    pub(super) async fn copy(
        &self,
        connection: &mut Connection,
        name: &str,
    ) -> Result<(), Failure> {
        let copying = async {
            let create = format!("CREATE DATABASE `{name}` {}", self.charset);
            connection.run_text(&create).await?;
            connection.run_text(&format!("USE `{name}`")).await?;
            connection.run_text(SESSION).await?;
            for sql in self.tables.iter().chain(&self.rows) {
                connection.run_text(sql).await?;
            }
            make(connection, &self.routines).await?;
            self.make_views(connection).await?;
            make(connection, &self.late).await
        };
        copying.await.map_err(Failure::at("copying the template"))
    }

    /// One view may read another: those that cannot be made yet are tried again behind the others.
    async fn make_views(&self, connection: &mut Connection) -> Result<(), Error> {
        let mut left: Vec<&String> = self.views.iter().collect();
        while !left.is_empty() {
            let before = left.len();
            let mut failed = Vec::new();
            let mut last = None;
            for sql in left {
                if let Err(error) = connection.run_text(sql).await {
                    failed.push(sql);
                    last = Some(error);
                }
            }
            match last {
                Some(error) if failed.len() == before => return Err(error),
                _ => left = failed,
            }
        }
        Ok(())
    }
}

async fn make(connection: &mut Connection, list: &[Made]) -> Result<(), Error> {
    for Made { sql_mode, sql } in list {
        let set = format!("SET SESSION sql_mode = '{sql_mode}'");
        connection.run_text(&set).await?;
        connection.run_text(sql).await?;
    }
    Ok(())
}

struct Reader<'r> {
    connection: &'r mut Connection,
    template: &'r str,
}

impl Reader<'_> {
    async fn charset(&mut self) -> Result<String, Error> {
        let sql = "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?";
        let row = query(sql)
            .bind(self.template)
            .fetch_one(&mut *self.connection)
            .await?;
        let (charset, collation): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(format!("CHARACTER SET {charset} COLLATE {collation}"))
    }

    /// The statements that make the tables, and those that fill them.
    async fn tables(&mut self) -> Result<(Vec<String>, Vec<String>), Error> {
        let sql = "SELECT TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE <> 'VIEW' ORDER BY TABLE_NAME";
        let listed = self.list(sql).await?;
        let (mut tables, mut rows) = (Vec::new(), Vec::new());
        for row in listed {
            let (name, kind): (String, String) = (row.get(0)?, row.get(1)?);
            let quoted = quoted(&name);
            if name == MARK {
                continue;
            }
            if kind == "SEQUENCE" {
                // Tables may take their defaults from it.
                let create = self.show("SEQUENCE", &quoted, 1).await?;
                tables.insert(0, create);
                continue;
            }
            tables.push(self.show("TABLE", &quoted, 1).await?);
            if self.has_rows(&quoted).await? {
                let columns = self.columns(&name).await?;
                let from = format!("`{}`.{quoted}", self.template);
                rows.push(format!(
                    "INSERT INTO {quoted} ({columns}) SELECT {columns} FROM {from}"
                ));
            }
        }
        Ok((tables, rows))
    }

    async fn has_rows(&mut self, table: &str) -> Result<bool, Error> {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM `{}`.{table})", self.template);
        query(sql).fetch_one(&mut *self.connection).await?.get(0)
    }

    /// All columns that can be given a value.
    async fn columns(&mut self, table: &str) -> Result<String, Error> {
        let sql = "SELECT COLUMN_NAME FROM information_schema.COLUMNS
             WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND COALESCE(GENERATION_EXPRESSION, '') = '' ORDER BY ORDINAL_POSITION";
        let rows = query(sql)
            .bind(self.template)
            .bind(table)
            .fetch_all(&mut *self.connection)
            .await?;
        let names = rows.iter().map(|row| Ok(quoted(&row.get::<String>(0)?)));
        Ok(names.collect::<Result<Vec<_>, Error>>()?.join(", "))
    }

    async fn views(&mut self) -> Result<Vec<String>, Error> {
        let sql = "SELECT TABLE_NAME FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ?";
        let mut views = Vec::new();
        for row in self.list(sql).await? {
            let name = quoted(&row.get::<String>(0)?);
            views.push(self.show("VIEW", &name, 1).await?);
        }
        Ok(views)
    }

    async fn made(&mut self, kind: &Kind) -> Result<Vec<Made>, Error> {
        let mut made = Vec::new();
        for row in self.list(kind.names).await? {
            let name = quoted(&row.get::<String>(0)?);
            let sql = format!("SHOW CREATE {} `{}`.{name}", kind.show, self.template);
            let row = query(sql).fetch_one(&mut *self.connection).await?;
            made.push(Made {
                sql_mode: row.get(kind.sql_mode)?,
                sql: self.unqualified(&row.get::<String>(kind.sql)?),
            });
        }
        Ok(made)
    }

    async fn list(&mut self, sql: &'static str) -> Result<Vec<DynamicRow>, Error> {
        query(sql)
            .bind(self.template)
            .fetch_all(&mut *self.connection)
            .await
    }

    async fn show(&mut self, what: &str, name: &str, column: usize) -> Result<String, Error> {
        let sql = format!("SHOW CREATE {what} `{}`.{name}", self.template);
        let row = query(sql).fetch_one(&mut *self.connection).await?;
        Ok(self.unqualified(&row.get::<String>(column)?))
    }

    /// The server writes the database in front of some names. No text but a name can hold that of the template, which is a hash.
    fn unqualified(&self, sql: &str) -> String {
        sql.replace(&format!("`{}`.", self.template), "")
    }
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

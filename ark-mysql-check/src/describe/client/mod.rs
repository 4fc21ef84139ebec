//! A blocking conversation with a server, good for one purpose: PREPARE. The user's statement is never executed; ordinary-looking
//! queries have crashed servers at EXECUTE.

mod declared;
mod error;
mod labels;
mod login;
mod names;
mod session;
mod stream;
mod views;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ark_mysql_proto::session::definitions;
use ark_mysql_proto::url::Url;
use ark_mysql_proto::{Capabilities, Event, Flavor, Session, StatementId};

pub(super) use error::{ClientError, Refused, Trouble};
use labels::Labels;
use stream::Stream;

use crate::description::{Doubts, Family, Kind, RawColumn, RawDescription, View};
use crate::infer::{Declared, TableName, Tables};

/// A PREPARE waits longer than this only behind somebody's lock on a table.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// A language server lives longer than a list of views and the columns of a table.
const SCHEMA_HOLDS: Duration = Duration::from_secs(5);

/// More replies than this are not left waiting in the socket.
const TABLES_AT_ONCE: usize = 16;

/// What the driver sets on every connection, so that statements mean the same here and there.
const SET_UP: &str = "SET NAMES utf8mb4, time_zone = '+00:00'";

/// Who answered at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// MySQL or MariaDB.
    pub family: Family,
    /// The version as the server words it.
    pub version: String,
}

/// A statement's description, and the views that may be part of it.
pub(super) struct Answer {
    pub(super) raw: RawDescription,
    pub(super) views: Arc<[View]>,
    /// Those that were asked for, as far as there are any.
    pub(super) tables: Tables,
    /// The one that rows are inserted into, if it is one of the database's tables.
    pub(super) declared: Option<Declared>,
}

/// A connection that is logged in.
pub(super) struct Client {
    stream: Stream,
    session: Session,
    /// Closed in front of the next command, in its write: that costs nothing.
    to_close: Option<StatementId>,
    is_set_up: bool,
    /// Known once the session is set up.
    doubts: Doubts,
    /// When the statement at hand is given up. Each read has the same limit, so a server that sends a byte now and then
    /// is waited for at most twice as long.
    deadline: Instant,
    views: Option<(Arc<[View]>, Instant)>,
    /// Columns of tables; `None` where there is no such table, or none that the account may read.
    tables: BTreeMap<TableName, Option<Vec<RawColumn>>>,
    /// How tables were declared; empty for what is none.
    declared: BTreeMap<TableName, Declared>,
    /// Labels of the columns of tables.
    labels: BTreeMap<TableName, Labels>,
    /// Since when all this is collected.
    tables_since: Instant,
}

impl Client {
    /// Connects and logs in, within 2 s in all.
    pub(super) fn connect(url: &Url) -> Result<Self, ClientError> {
        let (stream, session) = login::log_in(url)?;
        stream
            .set_timeout(STATEMENT_TIMEOUT)
            .map_err(|error| ClientError::Unreachable(error.to_string()))?;
        Ok(Self {
            stream,
            session,
            to_close: None,
            is_set_up: false,
            doubts: Doubts::default(),
            deadline: Instant::now(),
            views: None,
            tables: BTreeMap::new(),
            declared: BTreeMap::new(),
            labels: BTreeMap::new(),
            tables_since: Instant::now(),
        })
    }

    /// Says who is at the other end.
    pub(super) fn info(&self) -> ServerInfo {
        ServerInfo {
            family: self.family(),
            version: self.session.server_version().to_owned(),
        }
    }

    /// Has the server prepare a statement, and the views listed where they are wanted: all in one write.
    pub(super) fn describe(&mut self, sql: &str, views: bool) -> Result<Answer, Trouble> {
        self.deadline = Instant::now() + STATEMENT_TIMEOUT;
        self.forget_what_is_old();
        let set_up = !self.is_set_up;
        let list = views
            && self
                .views
                .as_ref()
                .is_none_or(|(_, at)| at.elapsed() > SCHEMA_HOLDS);
        self.close_last();
        let modes = set_up && self.family() == Family::MariaDb;
        if set_up {
            self.session.query(SET_UP)?;
        }
        if modes {
            self.session.query(session::QUERY)?;
        }
        if list {
            self.session.query(views::QUERY)?;
        }
        self.session.prepare(sql)?;
        if set_up {
            self.drain_reply()?;
        }
        if modes {
            self.doubts = self.read_session(session::doubts)?;
        }
        self.is_set_up = true;
        if list {
            self.views = Some((self.read_views()?, Instant::now()));
        }
        let mut raw = self.read_prepared()?;
        self.fill_in_labels(&mut raw.columns)?;
        Ok(Answer {
            raw,
            views: self
                .views
                .as_ref()
                .map(|(views, _)| Arc::clone(views))
                .unwrap_or_default(),
            tables: Tables::new(),
            declared: None,
        })
    }

    /// Has the columns of tables described, as far as they are not known yet.
    pub(super) fn tables(&mut self, names: Vec<TableName>) -> Result<Tables, Trouble> {
        self.forget_what_is_old();
        let unknown: Vec<&TableName> = names
            .iter()
            .filter(|name| !self.tables.contains_key(name))
            .collect();
        for names in unknown.chunks(TABLES_AT_ONCE) {
            self.close_last();
            let mut found = Vec::new();
            for name in names {
                self.session
                    .prepare(&format!("SELECT * FROM {}", name.quoted()))?;
            }
            for name in names {
                let columns = match self.read_prepared() {
                    Ok(described) => Some(described.columns),
                    Err(Trouble::Statement(_)) => None,
                    Err(trouble) => return Err(trouble),
                };
                self.close_last();
                found.push(((*name).clone(), columns));
            }
            for (name, mut columns) in found {
                if let Some(columns) = &mut columns {
                    self.fill_in_labels(columns)?;
                }
                self.tables.insert(name, columns);
            }
        }
        let found = |name: TableName| {
            let columns = self.tables.get(&name)?.clone()?;
            Some((name, columns))
        };
        Ok(names.into_iter().filter_map(found).collect())
    }

    /// Has a table's declaration read; `None` where there is nothing to be told.
    pub(super) fn declared(&mut self, name: TableName) -> Result<Option<Declared>, Trouble> {
        self.forget_what_is_old();
        if !self.declared.contains_key(&name) {
            let declared = self.read_declared(&name)?;
            self.declared.insert(name.clone(), declared);
        }
        let declared = self.declared.get(&name).cloned();
        Ok(declared.filter(|declared| !declared.columns.is_empty()))
    }

    fn read_declared(&mut self, name: &TableName) -> Result<Declared, Trouble> {
        let mut declared = Declared::default();
        let Some(query) = declared::query(name) else {
            return Ok(declared);
        };
        self.close_last();
        self.session.query(&query)?;
        loop {
            match self.next_event()? {
                Event::Row => declared::read(self.session.payload(), &mut declared)?,
                // Who may not look is told nothing, and the server checks when it runs.
                Event::Done(_) | Event::ResultSetEnd(_) | Event::Failed => return Ok(declared),
                _ => {}
            }
        }
    }

    fn forget_what_is_old(&mut self) {
        if self.tables_since.elapsed() > SCHEMA_HOLDS {
            self.tables.clear();
            self.declared.clear();
            self.labels.clear();
            self.tables_since = Instant::now();
        }
    }

    fn family(&self) -> Family {
        match self.session.flavor() {
            Flavor::MySql => Family::MySql,
            Flavor::MariaDb => Family::MariaDb,
        }
    }

    fn close_last(&mut self) {
        if let Some(id) = self.to_close.take() {
            self.session.close_statement(id);
        }
    }

    /// Reads a reply that says nothing but that it worked.
    fn drain_reply(&mut self) -> Result<(), Trouble> {
        loop {
            match self.next_event()? {
                Event::Done(summary) | Event::ResultSetEnd(summary)
                    if !summary.status.more_results() =>
                {
                    return Ok(());
                }
                Event::Failed => {
                    return Err(Trouble::Conversation(
                        self.session.server_error().to_string(),
                    ));
                }
                _ => {}
            }
        }
    }

    fn read_views(&mut self) -> Result<Arc<[View]>, Trouble> {
        let mut found = Vec::new();
        loop {
            match self.next_event()? {
                Event::Row => found.push(views::read(self.session.payload())?),
                Event::Done(_) | Event::ResultSetEnd(_) => return Ok(found.into()),
                Event::Failed => {
                    return Err(Trouble::Conversation(
                        self.session.server_error().to_string(),
                    ));
                }
                _ => {}
            }
        }
    }

    fn read_prepared(&mut self) -> Result<RawDescription, Trouble> {
        let mut raw = RawDescription {
            family: self.family(),
            columns: Vec::new(),
            params: 0,
            doubts: self.doubts,
        };
        loop {
            match self.next_event()? {
                Event::Prepared { id, params, .. } => {
                    self.to_close = Some(id);
                    raw.params = usize::from(params);
                }
                Event::ColumnDefinitions { .. } => raw.columns = self.read_columns()?,
                Event::PreparedEnd => return Ok(raw),
                Event::Failed => return Err(Trouble::failed(self.session.server_error())),
                _ => {}
            }
        }
    }

    fn read_columns(&self) -> Result<Vec<RawColumn>, Trouble> {
        let extended = self
            .session
            .capabilities()
            .contains(Capabilities::MARIADB_EXTENDED_METADATA);
        let mut columns = Vec::new();
        for definition in definitions(self.session.payload(), extended) {
            let definition = definition?;
            columns.push(RawColumn {
                name: definition.name.to_owned(),
                kind: Kind::of(&definition)
                    .map_err(|error| Trouble::Conversation(error.to_string()))?,
                not_null: definition.flags.not_null(),
                auto_increment: definition.flags.auto_increment(),
                table: definition.table.to_owned(),
                org_table: definition.org_table.to_owned(),
                org_name: definition.org_name.to_owned(),
                schema: definition.schema.to_owned(),
                labels: Vec::new(),
            });
        }
        Ok(columns)
    }

    fn next_event(&mut self) -> Result<Event, Trouble> {
        loop {
            if let Some(event) = self.session.poll()? {
                return Ok(event);
            }
            while !self.session.outgoing().is_empty() {
                let count = self
                    .stream
                    .write(self.session.outgoing())
                    .map_err(Trouble::from_io)?;
                self.session.sent(count);
            }
            if Instant::now() > self.deadline {
                return Err(Trouble::late());
            }
            match self
                .stream
                .read(self.session.read_buffer())
                .map_err(Trouble::from_io)?
            {
                0 => return Err(Trouble::Lost("the server closed the connection".to_owned())),
                count => self.session.received(count),
            }
        }
    }
}

//! What a pool wants to know of a new session: for how long it may lie unused, and which roles are to be active when it is lent.

use std::time::Duration;

use ark_mysql_proto::Flavor;
use ark_mysql_proto::row::{Source, TextRow};

use super::link::{Expected, Link};
use crate::error::Error;

/// Asked for once, in front of the first command and in its write.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// It is to be asked for.
    pub(super) due: bool,
    /// How long the server keeps a connection without a statement; taken by the pool.
    pub(super) wait_timeout: Option<Duration>,
    /// Makes those roles active that were after the login. A session reset leaves roles as they are, on both servers.
    pub(super) role_sql: Option<Box<str>>,
}

impl Link {
    #[cold]
    pub(super) async fn ask_facts(&mut self) -> Result<(), Error> {
        self.facts.due = false;
        self.session
            .query("SELECT @@wait_timeout, CURRENT_ROLE()")?;
        self.expect(Expected::Facts);
        if self.proxy {
            self.confirm("a question about the session").await?;
        }
        Ok(())
    }

    #[cold]
    pub(super) fn note_facts(&mut self) {
        let flavor = self.session.flavor();
        let mut row = TextRow::new(self.session.payload());
        self.facts.wait_timeout = row.u64(0).ok().map(Duration::from_secs);
        self.facts.role_sql = match row.is_null(1) {
            true => Some("SET ROLE NONE".into()),
            false => row.str(1).ok().map(|role| role_sql(flavor, role).into()),
        };
    }

    /// Queues what a reset leaves out.
    pub(super) fn queue_role(&mut self) -> Result<(), Error> {
        if let Some(sql) = &self.facts.role_sql {
            self.session.query(sql)?;
            self.expect(Expected::Setup);
        }
        Ok(())
    }
}

/// MySQL tells a list of quoted names, or `NONE`; MariaDB one name as it is.
fn role_sql(flavor: Flavor, role: &str) -> String {
    match flavor {
        Flavor::MySql => format!("SET ROLE {role}"),
        Flavor::MariaDb => format!("SET ROLE `{}`", role.replace('`', "``")),
    }
}

//! Deadlines, as a connection sees them: the server's own limit, and what is done when ours has passed.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ark_mysql_proto::{Event, Flavor};

use super::Connection;
use super::closed::Closed;
use super::link::{Expected, Link};
use super::reply::Reply;
use super::settle::{DRAIN_BYTES, DRAIN_TIME};
use crate::config::ConnectOptions;
use crate::error::{Error, Outcome};
use crate::time::timeout;

/// What the server's session variable stands at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ServerLimit {
    /// As the server has it.
    #[default]
    Default,
    Set(Duration),
    /// A statement that sets it failed.
    Unsure,
    /// The server has no such variable.
    Unknown,
}

impl ServerLimit {
    fn wanted(limit: Option<Duration>) -> Self {
        match limit {
            Some(limit) if limit <= LONGEST => Self::Set(limit.max(SHORTEST)),
            _ => Self::Default,
        }
    }
}

/// A limit below this would end the statement that sets the next one.
const SHORTEST: Duration = Duration::from_millis(20);
/// What MariaDB takes; longer ones are not set.
const LONGEST: Duration = Duration::from_secs(31_536_000);
/// For KILL QUERY: connecting, logging in, and the answer; and once more for the end of what it killed.
pub(super) const KILL_TIME: Duration = Duration::from_secs(1);
/// What is read of a reply whose statement was killed: as much as the buffers of two sockets may hold.
pub(super) const KILLED_BYTES: u64 = 16 << 20;
const NO_SUCH_VARIABLE: u16 = 1193;

impl Link {
    /// Whether the server's limit is as wanted.
    #[inline]
    pub(super) fn limit_stands(&self, limit: Option<Duration>) -> bool {
        match (limit, self.server_limit) {
            (None, ServerLimit::Default) | (_, ServerLimit::Unknown) => true,
            (limit, standing) => standing == ServerLimit::wanted(limit),
        }
    }

    /// Queues what sets the server's limit, unless it stands there already.
    pub(super) fn limit_server(&mut self, limit: Option<Duration>) -> Result<(), Error> {
        match ServerLimit::wanted(limit) {
            wanted if wanted == self.server_limit => Ok(()),
            wanted => self.queue_limit(wanted),
        }
    }

    #[cold]
    fn queue_limit(&mut self, wanted: ServerLimit) -> Result<(), Error> {
        if self.proxy || self.server_limit == ServerLimit::Unknown {
            return Ok(());
        }
        let sql = limit_sql(self.session.flavor(), self.server_limit, wanted);
        self.session.query(&sql)?;
        self.expect(Expected::Limit);
        self.server_limit = wanted;
        Ok(())
    }

    pub(super) fn limit_failed(&mut self, code: u16) {
        self.server_limit = match code {
            NO_SUCH_VARIABLE => ServerLimit::Unknown,
            _ => ServerLimit::Unsure,
        };
    }

    /// Ends the statement that was sent last, whose future has just been dropped, and tells what is known of it. Afterwards nothing
    /// of it is to come on this connection, or the connection is closed.
    pub(crate) async fn expire(&mut self, kill: bool) -> Outcome {
        let outcome = match self.command_at {
            // A PREPARE at most is on its way.
            None => Outcome::NotSent,
            Some(position) => self.outcome_since(position),
        };
        let settled = match (self.command_at, outcome) {
            // It must not leave later on.
            (Some(_), Outcome::NotSent) => {
                self.close_because(Closed::Late);
                return Outcome::NotSent;
            }
            (Some(_), _) if kill && self.kill_query().await => {
                self.last_words(KILL_TIME, KILLED_BYTES).await
            }
            _ => self.last_words(DRAIN_TIME, DRAIN_BYTES).await,
        };
        let outcome = match (self.command_at, settled) {
            (None, _) => Outcome::NotSent,
            (Some(_), settled) => settled.unwrap_or(Outcome::Unknown),
        };
        if self.is_closed() {
            self.tx.note_lost(outcome);
        }
        outcome
    }

    /// For how long what is answered too late still counts. `kill`: what runs is ended first, if that can be done.
    pub(crate) async fn grace(&mut self, kill: bool) -> Duration {
        match kill && self.is_busy() && Box::pin(self.kill_query()).await {
            true => KILL_TIME,
            false => DRAIN_TIME,
        }
    }

    /// Whether anything of a statement has left.
    pub(crate) fn outcome_of(&self, reply: &Reply) -> Outcome {
        self.outcome_since(reply.position)
    }

    /// Closes if something is still to come, or to be sent.
    pub(crate) fn leave_nothing_due(&mut self) {
        if self.is_busy() || !self.session.outgoing().is_empty() {
            self.close_because(Closed::Late);
        }
    }

    /// Reads the replies that are still to come, if they are short and come soon; what the last one says is the outcome.
    async fn last_words(&mut self, time: Duration, bytes: u64) -> Option<Outcome> {
        let limit = self.received + bytes;
        let read = timeout(time, self.read_outcome(limit)).await;
        if let Ok(Ok(Some(outcome))) = read {
            return Some(outcome);
        }
        self.close_because(Closed::Late);
        None
    }

    async fn read_outcome(&mut self, limit: u64) -> Result<Option<Outcome>, Error> {
        let (mut outcome, mut results) = (Outcome::Done, 0);
        while self.is_busy() {
            if self.is_tidying() {
                self.event().await?; // says nothing of the statement
                continue;
            }
            if self.received > limit || self.session.wants_file() {
                return Ok(None);
            }
            let last = self.replies_to_commands() == 1;
            match self.event().await? {
                Event::Failed if last && results > 0 => outcome = Outcome::Partial,
                Event::Failed if last => outcome = Outcome::Rejected,
                Event::Done(_) | Event::ResultSetEnd(_) if last => results += 1,
                _ => {}
            }
        }
        Ok(Some(outcome))
    }

    /// Kills what runs here, from another connection. True when the server has confirmed that.
    ///
    /// One that was sent and not confirmed may come late and hit the next statement: then this connection closes.
    pub(super) async fn kill_query(&mut self) -> bool {
        let Some(options) = self.options.clone() else {
            return false;
        };
        let killing = kill(options, self.session.connection_id());
        match timeout(KILL_TIME, killing).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::debug!(target: "ark_mysql::connection", %error, "KILL QUERY failed");
                if error.outcome() == Outcome::Unknown {
                    self.close_because(Closed::Late);
                }
                false
            }
            Err(_) => {
                self.close_because(Closed::Late);
                false
            }
        }
    }
}

/// What was there before our limit is kept in a variable of the session, because the user may have set it; and what was set while
/// ours stood is left alone.
fn limit_sql(flavor: Flavor, standing: ServerLimit, wanted: ServerLimit) -> String {
    let (name, literal): (_, fn(Duration) -> String) = match flavor {
        Flavor::MariaDb => ("max_statement_time", |limit| {
            format!("{:.6}", limit.as_secs_f64())
        }),
        Flavor::MySql => ("max_execution_time", |limit| {
            limit.as_nanos().div_ceil(1_000_000).to_string()
        }),
    };
    let before = match standing {
        ServerLimit::Set(ours) => format!(
            "IF(@@SESSION.{name} = {}, @ark_mysql_limit, @@SESSION.{name})",
            literal(ours)
        ),
        _ => format!("@@SESSION.{name}"),
    };
    match (standing, wanted) {
        (_, ServerLimit::Set(limit)) => format!(
            "SET @ark_mysql_limit = {before}, SESSION {name} = {}",
            literal(limit)
        ),
        (ServerLimit::Set(_), _) => format!("SET SESSION {name} = {before}"),
        _ => format!("SET SESSION {name} = DEFAULT"),
    }
}

type Killing = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

fn kill(options: Arc<ConnectOptions>, id: u32) -> Killing {
    Box::pin(async move {
        let plain = ConnectOptions::clone(&options).without_init_statements();
        let mut side = Connection::open(&Arc::new(plain)).await?;
        side.link().command(&format!("KILL QUERY {id}")).await?;
        side.close().await
    })
}

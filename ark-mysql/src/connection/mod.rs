//! A connection: the session of the protocol on a stream.
//!
//! | file | what it decides |
//! |---|---|
//! | `connect`, `tls`, `stream`, `raw` | how a session comes about, what carries its bytes, and who waits for them |
//! | `link` | what each event means to the connection, whoever reads it |
//! | `settle` | what must be over before a command is sent |
//! | `setup` | the session's settings and the user's init statements |
//! | `execute`, `reply` | sending a statement, and walking through its reply |
//! | `local_infile` | the one statement whose answer is a file of ours |
//! | `sets` | the later results of a reply that has several |
//! | `ahead` | sending statements ahead of the replies to earlier ones |
//! | `bulk` | many rows for one statement, where the server takes them |
//! | `statements`, `remembered` | which statements are prepared, and what their columns are |
//! | `tx` | how a transaction stands
//! | `transacting`, `lent` | what a transaction, and what a pool, asks of its connection |
//! | `change_user` | another login on the same connection |
//! | `leave` | what is sent when somebody goes, without waiting |
//! | `expire` | deadlines: the server's own, and what is done when ours has passed |
//! | `verdict` | errors that say more than what became of one statement |
//! | `limit` | how large a command may be |
//! | `facts` | what a pool asks of a new session |

mod ahead;
mod bulk;
mod change_user;
mod closed;
pub(crate) mod connect;
mod describe;
mod doom;
mod execute;
mod expire;
mod facts;
mod leave;
mod lent;
mod limit;
mod link;
mod local_infile;
mod raw;
mod remembered;
mod reply;
mod script;
mod sets;
mod settle;
mod setup;
mod statements;
mod stream;
pub(crate) mod tls;
mod transacting;
mod tx;
mod verdict;

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use ark_mysql_proto::Flavor;
use ark_mysql_proto::url::{Compat, Endpoint};

pub(crate) use self::ahead::Sent;
pub(crate) use self::describe::Described;
pub(crate) use self::doom::Doom;
pub(crate) use self::execute::{Call, Sql};
pub(crate) use self::link::Link;
pub(crate) use self::remembered::foreign_text;
pub(crate) use self::reply::{Head, Reply};
pub(crate) use self::statements::Slot;
pub(crate) use self::tx::Rollback;
pub(crate) use self::verdict::Verdict;
use crate::config::{ConnectOptions, IntoConnectOptions};
use crate::deadline::Clock;
use crate::error::Error;
use crate::operation::Operation;
use crate::transaction::{Transaction, TransactionOptions};

/// One connection to a server.
///
/// Statements run one after the other: `&mut Connection` is an [`Executor`](crate::Executor). For many tasks use a
/// [`Pool`](crate::Pool).
///
/// # Cancelling
///
/// Any future that uses the connection may be dropped at any time. What was to come is read by the next user, at most 64 KiB or
/// 50 ms of it; otherwise the connection closes, and the next user gets the error `ConnectionClosed` with the outcome `NotSent`.
///
/// # Session
///
/// Character set utf8mb4, time zone +00:00, the server's own sql_mode. The settings travel in front of the first command. For others
/// see [`ConnectOptions::init_statement`].
pub struct Connection {
    /// Boxed, so that a lease moves a pointer.
    link: Box<Link>,
}

impl Connection {
    /// Connects and logs in. Takes an address (`mysql://user:password@host:port/database`) or [`ConnectOptions`].
    ///
    /// # Errors
    /// `Configuration`, `Connect`, `Tls`, `Authentication` or `Timeout`: each says where and what to do. Nothing was sent but the
    /// login. `SessionSetup`: an [init statement](ConnectOptions::init_statement) failed.
    pub async fn connect(options: impl IntoConnectOptions) -> Result<Self, Error> {
        let options = options.into_connect_options()?;
        Self::open(&Arc::new(options)).await
    }

    pub(crate) async fn open(options: &Arc<ConnectOptions>) -> Result<Self, Error> {
        let began = Instant::now();
        let (stream, session) = connect::connect(options).await?;
        let proxy = options.compat == Compat::Proxy;
        let mut link = Link::new(
            stream,
            session,
            options.statement_cache_capacity,
            options.max_send,
            proxy,
        );
        link.options = Some(Arc::clone(options));
        link.home = options.database_name().map(Box::from);
        if link.init_statements() > 0 {
            let left = options.connect_timeout.saturating_sub(began.elapsed());
            link.confirm_setup(left).await?;
        }
        tracing::debug!(target: "ark_mysql::connection", id = link.session().connection_id(), server = link.session().server_version(), "connected");
        Ok(Self {
            link: Box::new(link),
        })
    }

    /// For a pool, which wants to know some things of the session: they are asked for in front of the first command.
    pub(crate) async fn open_pooled(options: &Arc<ConnectOptions>) -> Result<Self, Error> {
        let mut this = Self::open(options).await?;
        this.link.facts.due = true;
        Ok(this)
    }

    /// Asks the server for a sign of life.
    ///
    /// # Errors
    /// The connection is closed, lost, or was not answered within 5 s.
    pub fn ping(&mut self) -> Operation<'_, ()> {
        Operation::new(async move |clock: Clock| {
            let link = self.begin_operation();
            let result = {
                let pinging = pin!(async {
                    link.ready().await?;
                    link.ping().await
                });
                clock.run(pinging).await
            };
            match result {
                Some(result) => result,
                None => Err(clock.end(&mut self.link, "a ping").await),
            }
        })
    }

    /// Starts a transaction. Dropping it rolls back before anything else runs here.
    ///
    /// # Errors
    /// The server refused `START TRANSACTION`, or the connection is of no use any more.
    pub fn begin(&mut self) -> Operation<'_, Transaction<'_>> {
        self.begin_with(TransactionOptions::new())
    }

    /// Starts a transaction at an isolation level, read-only, or with a snapshot.
    ///
    /// # Errors
    /// As [`begin`](Self::begin); `Configuration` if the options contradict each other.
    pub fn begin_with(&mut self, options: TransactionOptions) -> Operation<'_, Transaction<'_>> {
        Transaction::begin(self, options)
    }

    /// Runs the statements of an SQL script one after the other, as text. They are separated by `;` outside of quotes, comments and the
    /// bodies of routines, triggers and events; lines `DELIMITER …` mean what they mean to the `mysql` client.
    ///
    /// Rows are thrown away. For schema changes and fixtures: nothing of it is checked, and the session is taken for changed.
    ///
    /// # Errors
    /// That of the first statement that fails, naming its line; those before it were done (outcome `Partial` if there were any).
    pub fn run_script<'c>(&'c mut self, sql: &'c str) -> Operation<'c, ()> {
        Operation::new(move |clock| script::run(self.begin_operation(), sql, clock))
    }

    /// Logs in as somebody else on this connection (`COM_CHANGE_USER`), into this database or none.
    ///
    /// The session is a new one: an open transaction is rolled back, variables, temporary tables, locks and prepared statements are gone, and the
    /// settings and init statements of the options are repeated. Which answer to the server is allowed on this connection is decided by the same list as
    /// at the first login. It is done within the deadline for connecting. A connection of a pool is closed when it is given back.
    ///
    /// # Errors
    /// `Configuration`: user or database cannot be sent, and the connection is as it was. Everything else (`Authentication` for a wrong password, `Timeout`,
    /// `Connect`, …) closes the connection, as does dropping the future before it is done: nobody could tell who is logged in.
    ///
    /// ```no_run
    /// # async fn change(mut conn: ark_mysql::Connection) -> Result<(), ark_mysql::Error> {
    /// conn.change_user("report", "secret", Some("archive")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn change_user(
        &mut self,
        user: &str,
        password: impl AsRef<[u8]>,
        database: Option<&str>,
    ) -> Result<(), Error> {
        let options = self.link.options.as_deref().cloned();
        let options = options.unwrap_or_else(|| ConnectOptions::new(user));
        let options = options.login(user, password.as_ref(), database);
        Box::pin(self.link.change_user(options)).await
    }

    /// Runs one statement as text and throws its rows away.
    #[cfg(feature = "migrate")]
    pub(crate) async fn run_text(&mut self, sql: &str) -> Result<(), Error> {
        script::run_one(&mut self.link, sql).await
    }

    /// Says goodbye to the server and closes. Dropping the connection closes it, too, only less politely.
    ///
    /// # Errors
    /// None that matters: the connection is closed in any case.
    pub async fn close(mut self) -> Result<(), Error> {
        self.link.quit().await;
        Ok(())
    }

    /// The number of this connection at the server, for `KILL` and for its process list.
    pub fn id(&self) -> u32 {
        self.link.session().connection_id()
    }

    /// The server's version, as it tells it.
    pub fn server_version(&self) -> &str {
        self.link.session().server_version()
    }

    /// Whether the server is a MariaDB.
    pub fn is_mariadb(&self) -> bool {
        self.link.session().flavor() == Flavor::MariaDb
    }

    /// Whether the connection is closed for good.
    pub fn is_closed(&self) -> bool {
        self.link.is_closed()
    }

    /// Whether the server said last that a transaction is open.
    pub fn in_transaction(&self) -> bool {
        self.link.tx.in_transaction()
    }

    /// The default database: that of the address, or the one that a `USE` has chosen since, as the server reports it. `None`: there is none.
    ///
    /// Through a proxy that reports nothing it stays that of the address.
    pub fn database(&self) -> Option<&str> {
        self.link.session().schema()
    }

    /// The GTID of the transaction that was committed last on this connection since its login or its last reset, as the server reported it: to wait for it on a replica
    /// (`WAIT_FOR_EXECUTED_GTID_SET`, `MASTER_GTID_WAIT`), or to look it up in the binary log.
    ///
    /// Only with [`ConnectOptions::track_gtids`], and where the server keeps a binary log (MySQL: with `gtid_mode=ON`). MySQL's looks like
    /// `3e11fa47-71ca-11e1-9e33-c80aa9429562:23`, MariaDB's like `0-1-23`.
    pub fn last_gtid(&self) -> Option<&str> {
        self.link.session().last_gtid()
    }

    /// Where it goes by its options.
    pub(crate) fn endpoint(&self) -> Option<Endpoint> {
        let options = self.link.options.as_ref()?;
        options.endpoint().ok()
    }

    /// How many statements are prepared at the moment.
    pub fn cached_statements(&self) -> usize {
        self.link.statements.len()
    }

    /// The link, for what is no query: nothing of it has been sent.
    pub(crate) fn begin_operation(&mut self) -> &mut Link {
        self.link.command_at = None;
        &mut self.link
    }

    #[inline]
    pub(crate) fn link(&mut self) -> &mut Link {
        &mut self.link
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("id", &self.id())
            .field("server", &self.server_version())
            .field("closed", &self.is_closed())
            .field("in_transaction", &self.in_transaction())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! What makes a session ours: the character set and time zone, and the user's own init statements.

use std::borrow::Cow;
use std::future::Future;
use std::time::Duration;

use ark_mysql_proto::{Capabilities, Flavor};

use super::closed::Closed;
use super::link::{Expected, Link};
use super::settle::INTERNAL_TIME;
use crate::error::{Error, ErrorKind, Outcome};
use crate::time::timeout;
use crate::trace;

/// One statement for all settings: utf8mb4 both ways, UTC. The sql_mode is the server's own.
const SETTINGS: &str = "SET NAMES utf8mb4, time_zone = '+00:00'";
/// The same where the server tells whether a statement has left something in the session: what a trigger or a routine does, nobody sees from here.
const TRACKED: &str = "SET NAMES utf8mb4, time_zone = '+00:00', session_track_state_change = ON";
const GTIDS_OF_MYSQL: &str = ", session_track_gtids = OWN_GTID";
const GTIDS_OF_MARIADB: &str =
    ", session_track_system_variables = CONCAT(@@session_track_system_variables, ',last_gtid')";
/// Somebody has chosen another character set. The rest stays as it may have been chosen, too.
const CHARSET: &str = "SET NAMES utf8mb4";

/// What has to be sent in front of the next command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Nothing,
    Charset,
    /// The settings, and the init statements behind them.
    All,
}

impl Link {
    /// Whether nothing is due in front of the next command.
    #[inline]
    pub(super) fn is_set_up(&mut self) -> bool {
        self.note_changes();
        self.setup_due == Due::Nothing
    }

    /// Sends what is due in front of a command. Nothing else is sent before init statements are confirmed; the driver's own settings are known to work.
    pub(super) async fn set_up(&mut self) -> Result<(), Error> {
        match self.setup_due {
            Due::Nothing => Ok(()),
            Due::Charset if !self.proxy => self.queue_charset(),
            Due::All if !self.proxy && self.init_statements() == 0 => self.queue_settings(),
            Due::Charset | Due::All => self.confirm_setup(INTERNAL_TIME).await,
        }
    }

    /// Sends the settings and the init statements, and waits for them.
    ///
    /// # Errors
    /// `SessionSetup`: one of them failed, and the connection is closed. `Timeout`: it is closed too.
    pub(super) async fn confirm_setup(&mut self, time: Duration) -> Result<(), Error> {
        let outcome = match timeout(time, self.run_setup()).await {
            Ok(result) => result,
            Err(_) => Err(self.setup_too_late(time)),
        };
        outcome.map_err(|error| error.with_outcome(Outcome::NotSent))
    }

    /// A future of its own, boxed: it is rare, and would make those of statements larger.
    fn run_setup(&mut self) -> impl Future<Output = Result<(), Error>> + Send + '_ {
        Box::pin(async move {
            if self.proxy && self.setup_due == Due::All {
                return self.run_one_by_one().await;
            }
            match self.setup_due {
                Due::Nothing => {}
                Due::Charset => self.queue_charset()?,
                Due::All => self.queue_setup()?,
            }
            self.finish().await.map(drop)
        })
    }

    /// Through a proxy each waits for the one before. If that is given up in the middle, it begins anew.
    async fn run_one_by_one(&mut self) -> Result<(), Error> {
        self.session.query(&self.settings())?;
        self.expect(Expected::Setup);
        self.finish().await?;
        for number in 0..self.init_statements() {
            self.queue_init(number)?;
            self.finish().await?;
        }
        self.setup_due = Due::Nothing;
        Ok(())
    }

    /// Queues all, for a reset.
    pub(super) fn queue_setup(&mut self) -> Result<(), Error> {
        self.queue_settings()?;
        (0..self.init_statements()).try_for_each(|number| self.queue_init(number))
    }

    fn queue_settings(&mut self) -> Result<(), Error> {
        self.session.query(&self.settings())?;
        self.expect(Expected::Setup);
        self.setup_due = Due::Nothing;
        Ok(())
    }

    /// A proxy knows few variables, and may keep to one server a client that sets another.
    fn settings(&self) -> Cow<'static, str> {
        let tracks = self
            .session
            .capabilities()
            .contains(Capabilities::SESSION_TRACK);
        let settings = match tracks && !self.proxy {
            true => TRACKED,
            false => SETTINGS,
        };
        let gtids = self
            .options
            .as_ref()
            .is_some_and(|options| options.track_gtids);
        match (gtids, self.session.flavor()) {
            (false, _) => settings.into(),
            (true, Flavor::MySql) => [settings, GTIDS_OF_MYSQL].concat().into(),
            (true, Flavor::MariaDb) => [settings, GTIDS_OF_MARIADB].concat().into(),
        }
    }

    fn queue_charset(&mut self) -> Result<(), Error> {
        self.session.query(CHARSET)?;
        self.expect(Expected::Setup);
        self.setup_due = Due::Nothing;
        Ok(())
    }

    fn queue_init(&mut self, number: usize) -> Result<(), Error> {
        let options = self.options.clone();
        let sql = options
            .as_deref()
            .and_then(|options| options.init_statements().get(number));
        if let Some(sql) = sql {
            self.session.query(sql)?;
            self.expect(Expected::Init(number));
        }
        Ok(())
    }

    pub(super) fn init_statements(&self) -> usize {
        self.options
            .as_ref()
            .map_or(0, |options| options.init_statements().len())
    }

    #[cold]
    fn setup_too_late(&mut self, time: Duration) -> Error {
        self.close_because(Closed::Silent("the session settings"));
        Error::new(
            ErrorKind::Timeout,
            Outcome::NotSent,
            format!("the session settings and init statements were not done within {time:?}"),
        )
        .with_advice("the connection was closed")
    }

    /// An init statement failed, or did what must not be: nothing may run in this session.
    #[cold]
    pub(super) fn unfit_init(&mut self, number: usize, why: InitFailure) -> Error {
        let (count, options) = (self.init_statements(), self.options.clone());
        let statements = options.as_deref().map(|options| options.init_statements());
        let sql = statements.and_then(|statements| statements.get(number));
        let sql = sql.map_or("", String::as_str);
        let place = format!("init statement {} of {count}", number + 1);
        let error = |detail: String| Error::new(ErrorKind::SessionSetup, Outcome::NotSent, detail);
        let error = match why {
            InitFailure::Refused => {
                let server = self.session.server_error();
                self.close_because(Closed::Setup(format!("{place}: {server}")));
                error(format!("{place} failed")).with_server(server)
            }
            InitFailure::Charset => {
                self.close_because(Closed::Setup(format!("{place} leaves utf8mb4")));
                error(format!(
                    "{place} changes the character set: it must stay utf8mb4"
                ))
            }
        };
        error
            .in_sql(trace::digest(sql), sql)
            .with_advice("the connection was closed; correct the statement in the options")
    }
}

/// What is wrong with an init statement.
#[derive(Clone, Copy, Debug)]
pub(super) enum InitFailure {
    /// The server answered with an error.
    Refused,
    /// Text would be read wrongly.
    Charset,
}

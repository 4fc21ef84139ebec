//! How large a command may be.
//!
//! A server that gets more than its `max_allowed_packet` closes the connection. What it is, is asked for only when a command is
//! larger than what every server takes, so it costs most connections nothing.

use ark_mysql_proto::row::{Source, TextRow};
use ark_mysql_proto::{CommandError, Event};

use super::link::{Expected, Link};
use crate::error::{Error, ErrorKind, Outcome};

/// No server in use is set to less: MySQL's and MariaDB's smallest default since 5.5.
pub(super) const SURE: usize = 1 << 20;

/// What is known of the limit.
#[derive(Debug)]
pub(super) struct Limit {
    /// The driver's own setting.
    pub(super) own: usize,
    pub(super) asked: bool,
}

impl Link {
    /// Makes `attempt`; if its command is larger than every server takes, asks how much this one takes and makes it again.
    pub(super) async fn within_limit(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<(), CommandError>,
    ) -> Result<(), Error> {
        match attempt(self) {
            Err(CommandError::TooLarge { .. }) if !self.limit.asked => self.ask_limit().await?,
            result => return result.map_err(Error::from),
        }
        attempt(self).map_err(Error::from)
    }

    pub(super) async fn ask_limit(&mut self) -> Result<(), Error> {
        let Some(server) = self.ask_number("SELECT @@max_allowed_packet").await? else {
            return Err(Error::new(
                ErrorKind::Protocol,
                Outcome::NotSent,
                "the server does not tell its max_allowed_packet",
            ));
        };
        self.limit.asked = true;
        self.session.set_max_send(server.min(self.limit.own));
        Ok(())
    }

    async fn ask_number(&mut self, sql: &str) -> Result<Option<usize>, Error> {
        self.session.query(sql)?;
        self.expect(Expected::Command);
        let mut number = None;
        while self.is_busy() {
            let event = self.event().await;
            if event.map_err(|error| error.with_outcome(Outcome::NotSent))? == Event::Row {
                number = read_limit(self.session.payload());
            }
        }
        Ok(number)
    }
}

fn read_limit(row: &[u8]) -> Option<usize> {
    let limit = TextRow::new(row).u64(0).ok()?;
    Some(usize::try_from(limit).unwrap_or(usize::MAX))
}

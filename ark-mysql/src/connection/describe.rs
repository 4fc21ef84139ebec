//! Has many statements prepared ahead of the replies, to see what they are. None is executed.

use ark_mysql_proto::{Event, ServerError};

use super::link::{Expected, Link};
use super::statements::{Slot, Text};
use crate::error::Error;
use crate::trace;
use crate::value::StatementKey;

/// How many are prepared at the same time. A server has room for 16 382 over all connections by default, and replies that are not read wait in
/// its memory.
const AT_ONCE: usize = 64;

/// What PREPARE said of a statement.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) params: u16,
    /// Definitions as they came, packet headers included; empty without a result.
    pub(crate) columns: Vec<u8>,
}

impl Link {
    /// Describes statements, 64 with a round trip; through a proxy one by one. What a server refuses has its error.
    ///
    /// # Errors
    /// The link broke, or a statement is too large to be sent.
    pub(crate) async fn describe_all(
        &mut self,
        statements: &[&'static str],
    ) -> Result<Vec<Result<Described, ServerError>>, Error> {
        let at_once = if self.is_proxied() { 1 } else { AT_ONCE };
        let mut all = Vec::with_capacity(statements.len());
        for statements in statements.chunks(at_once) {
            self.ready().await?;
            let mut slots = Vec::with_capacity(at_once);
            for sql in statements {
                slots.push(self.queue_prepare(sql)?);
            }
            for slot in slots {
                all.push(self.read_description(slot).await?);
            }
        }
        Ok(all)
    }

    fn queue_prepare(&mut self, sql: &'static str) -> Result<Slot, Error> {
        let digest = trace::digest(sql);
        let slot = self.new_statement(StatementKey::new(digest, &[]), Text::Checked(sql));
        self.close_evicted();
        if let Err(error) = self.session.prepare(sql) {
            self.statements.forget(slot);
            return Err(Error::from(error).in_sql(digest, sql));
        }
        self.expect(Expected::Prepare(slot));
        Ok(slot)
    }

    async fn read_description(
        &mut self,
        slot: Slot,
    ) -> Result<Result<Described, ServerError>, Error> {
        loop {
            let own = self.is_own_next();
            let event = self.event().await?;
            match event {
                _ if own => self.note_passed(&event),
                Event::PreparedEnd => break,
                Event::Failed => return Ok(Err(self.session.server_error())),
                _ => {}
            }
        }
        let described = self.statements.entry(slot).map(|entry| Described {
            params: entry.params,
            columns: entry.definitions.raw().to_vec(),
        });
        self.statements.close(slot);
        Ok(Ok(described.unwrap_or(Described {
            params: 0,
            columns: Vec::new(),
        })))
    }
}

//! Many rows for one prepared statement in one command, as MariaDB takes them.

use std::future::poll_fn;

use ark_mysql_proto::{Batch, Capabilities, Summary};

use super::execute::{Call, Unsent};
use super::link::{Expected, Link};
use super::reply::Reply;
use super::statements::Slot;
use crate::error::Error;

impl Link {
    /// Whether the server takes [`execute_bulk`](Self::execute_bulk). Proxies are not asked to.
    pub(crate) fn takes_bulk(&self) -> bool {
        let agreed = self.session.capabilities();
        !self.proxy && agreed.contains(Capabilities::MARIADB_BULK)
    }

    /// Whether every statement is committed by itself, as far as the server said.
    pub(crate) fn commits_alone(&self) -> bool {
        !self.tx.in_transaction() && self.session.status().autocommit()
    }

    /// Runs a statement with the first `rows` rows of a batch with indicators.
    pub(crate) async fn execute_bulk(
        &mut self,
        call: &Call<'_>,
        batch: &Batch,
        rows: usize,
    ) -> Result<Summary, Error> {
        self.command_at = None;
        let mut fresh = false;
        let mut reply = loop {
            let slot = self.prepared(call, &mut fresh).await?;
            let mut reply = self.send_bulk(slot, call, batch, rows).await?;
            let head = poll_fn(|context| self.poll_head(context, &mut reply, 1)).await?;
            if self.is_answered(head, &mut reply, fresh)? {
                break reply;
            }
        };
        while self.next_row(&mut reply).await? {}
        Ok(reply.summary())
    }

    async fn send_bulk(
        &mut self,
        slot: Slot,
        call: &Call<'_>,
        batch: &Batch,
        rows: usize,
    ) -> Result<Reply, Error> {
        let sent = match self.queue_bulk(slot, call, batch, rows) {
            Err(Unsent::TooLarge(_)) if !self.limit.asked => {
                self.ask_limit().await?;
                self.queue_bulk(slot, call, batch, rows)
            }
            sent => sent,
        };
        sent.map_err(|unsent| unsent.into_error().in_statement(call.digest))
    }

    fn queue_bulk(
        &mut self,
        slot: Slot,
        call: &Call<'_>,
        batch: &Batch,
        rows: usize,
    ) -> Result<Reply, Unsent> {
        let position = self.position();
        let entry = self.statements.entry(slot).ok_or(Unsent::Unprepared)?;
        let id = entry.id.ok_or(Unsent::Unprepared)?;
        let (wanted, given) = (entry.params, batch.width());
        if usize::from(wanted) != given {
            return Err(Unsent::Values { wanted, given });
        }
        // Whether a later execution of the handle finds these types there is nowhere written.
        entry.types_sent = false;
        self.session.bulk_execute(id, call.types, batch, rows)?;
        self.expect(Expected::Execute(slot));
        self.command_at = Some(position);
        Ok(Reply::new(call.digest, position, call.columns, Some(slot)))
    }
}

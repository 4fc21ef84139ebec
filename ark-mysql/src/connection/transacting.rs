//! What a transaction asks of its connection.

use std::pin::pin;

use super::{Connection, Rollback};
use crate::deadline::Clock;
use crate::error::{Error, Outcome};
use crate::transaction::TransactionOptions;

impl Connection {
    /// In time: whatever became of it otherwise, no statement of the transaction was sent.
    pub(crate) async fn start_in_time(
        &mut self,
        options: TransactionOptions,
        clock: Clock,
    ) -> Result<(), Error> {
        self.begin_operation();
        let result = {
            let starting = pin!(self.start_transaction(options));
            clock.run(starting).await
        };
        match result {
            Some(result) => result,
            None => {
                let error = clock.end(&mut self.link, "START TRANSACTION").await;
                Err(error.with_outcome(Outcome::NotSent))
            }
        }
    }

    async fn start_transaction(&mut self, options: TransactionOptions) -> Result<(), Error> {
        let start = options.start_sql()?;
        self.link.ready().await?;
        // If this future is dropped, the transaction may be open without anybody holding it.
        self.link.tx.abandon(Rollback::All);
        if let Err(error) = self
            .link
            .start_transaction(options.isolation_sql(), start)
            .await
        {
            if !self.link.is_busy() && !self.link.tx.in_transaction() {
                self.link.tx.closed();
            }
            // Whatever became of START TRANSACTION: no statement of the transaction was sent.
            return Err(match error.is_refusal() {
                true => error,
                false => error.with_outcome(Outcome::NotSent),
            });
        }
        self.link.tx.opened();
        Ok(())
    }

    /// Fails where it can be seen without waiting that the server has hung up: what is not sent then did not happen.
    pub(crate) fn see_alive(&mut self) -> Result<(), Error> {
        self.link.see_alive()
    }

    pub(crate) fn transaction_may_have_happened(&self) -> bool {
        self.link.tx.may_have_happened()
    }

    /// DDL, and whatever else leaves something in a session, is told by its effect; of SQL that was made at run time nobody knows.
    pub(crate) fn sent_nothing_that_commits(&self) -> bool {
        !self.link.dirty
    }

    pub(crate) fn transaction_may_run_again(&self) -> bool {
        self.link.tx.may_run_again()
    }

    /// Brings the link in order and sees whether the transaction is still there.
    #[inline]
    pub(crate) async fn check_transaction(&mut self) -> Result<(), Error> {
        self.link.settle().await?;
        self.link.tx.check()
    }

    pub(crate) async fn end_transaction(&mut self, sql: &str) -> Result<(), Error> {
        self.link.ready().await?;
        self.link.command(sql).await.map(drop)
    }

    pub(crate) fn transaction_closed(&mut self) {
        self.link.tx.closed();
    }

    pub(crate) fn abandon_transaction(&mut self, rollback: Rollback) {
        self.link.tx.abandon(rollback);
    }

    /// Sends the rollback of an abandoned transaction, if that takes no waiting.
    pub(crate) fn roll_back_at_once(&mut self) {
        self.link.roll_back_at_once();
    }
}

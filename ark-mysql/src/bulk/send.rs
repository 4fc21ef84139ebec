use std::marker::PhantomData;
use std::ops::Range;
use std::time::Duration;

use ark_mysql_proto::{EncodeError, Summary};

use super::piece::{self, Piece};
use super::source::Source;
use crate::connection::{Connection, Link};
use crate::error::{Error, ErrorKind, Outcome};
use crate::query::Done;
use crate::transaction::{Transaction, TransactionOptions};
use crate::value::{Repeats, RowValues};

/// How far an insert has come, for whoever gives it up.
#[derive(Debug, Default)]
pub(super) struct Stage {
    /// A transaction of its own is around it.
    owned: bool,
    committing: bool,
    /// The rows that were confirmed.
    rows: usize,
}

/// Rows with the statement that inserts them.
pub(super) struct Insert<S, I: Iterator> {
    source: Source<I>,
    /// The statement used last, which is as a rule the next one, too.
    piece: Option<Piece>,
    limit: Option<Duration>,
    statement: PhantomData<fn() -> S>,
}

impl<S, I> Insert<S, I>
where
    S: Repeats,
    I: Iterator,
    I::Item: RowValues<S::Params>,
{
    /// `limit`: how long the server is to let a statement run.
    pub(super) fn new(rows: I, link: &Link, limit: Option<Duration>) -> Self {
        let width = I::Item::TYPES.len();
        Self {
            source: Source::new(rows, width, piece::most_rows::<S>(width), link),
            piece: None,
            limit,
            statement: PhantomData,
        }
    }

    /// Inserts all rows.
    pub(super) async fn run(
        mut self,
        connection: &mut Connection,
        atomic: bool,
        stage: &mut Stage,
    ) -> Result<Done, Error> {
        let name = |error: Error| error.in_statement(S::DIGEST);
        self.fill()?;
        connection.settle().await.map_err(name)?;
        let alone = self.source.is_last() || !connection.link().commits_alone();
        if alone || !atomic {
            let sent = self.send(connection, stage).await;
            return sent.map_err(|error| stage.judge(error));
        }
        stage.owned = true; // from its first word: given up in it, no row was sent
        let mut transaction = Transaction::begin(connection, TransactionOptions::new())
            .await
            .map_err(name)?;
        match self.send(transaction.unchecked(), stage).await {
            Ok(done) => {
                stage.committing = true;
                let committed = transaction.commit().await;
                committed.map_err(|error| name(stage.judge(error)))?;
                Ok(done)
            }
            Err(error) => {
                let _or_the_server_does_it = transaction.rollback().await;
                Err(stage.judge(error))
            }
        }
    }

    fn fill(&mut self) -> Result<(), Error> {
        self.source
            .fill(|row, batch| batch.push(|out| row.encode(out)))
            .map_err(|(row, error)| unencoded(row, error).in_statement(S::DIGEST))
    }

    /// One command after the other.
    async fn send(
        &mut self,
        connection: &mut Connection,
        stage: &mut Stage,
    ) -> Result<Done, Error> {
        let mut done = Done::default();
        while !self.source.is_empty() {
            let rows = self.source.piece();
            connection
                .check_transaction()
                .await
                .map_err(|error| error.in_statement(S::DIGEST))?;
            let sent = self.send_piece(connection.link(), rows).await;
            let first = self.source.sent();
            done.add(sent.map_err(|error| located(error, first..first + rows))?);
            self.source.note_sent(rows);
            stage.rows = self.source.sent();
            self.fill()?;
        }
        Ok(done)
    }

    async fn send_piece(&mut self, link: &mut Link, rows: usize) -> Result<Summary, Error> {
        let types = I::Item::TYPES;
        let batch = self.source.batch();
        if self.source.is_in_bulk() {
            let call = piece::single::<S>(types, self.limit);
            return link.execute_bulk(&call, batch, rows).await;
        }
        let call = match rows {
            1 => piece::single::<S>(types, self.limit),
            _ => {
                self.piece.take_if(|piece| piece.rows() != rows);
                let piece = self
                    .piece
                    .get_or_insert_with(|| Piece::new::<S>(rows, types));
                piece.call::<S>(self.limit)
            }
        };
        let mut reply = link.execute(&call, |out| out.rows(batch, rows)).await?;
        while link.next_row(&mut reply).await? {}
        Ok(reply.summary())
    }
}

impl Stage {
    /// Whether a transaction of its own was begun.
    pub(super) fn is_owned(&self) -> bool {
        self.owned
    }

    /// The error of one command, or of a row, as that of all rows.
    #[cold]
    pub(super) fn judge(&self, error: Error) -> Error {
        let outcome = match error.outcome() {
            // Of COMMIT, whose answer may have come a moment too late.
            outcome @ (Outcome::Unknown | Outcome::Done) if self.committing => outcome,
            _ if error.kind() == ErrorKind::TransactionEnded => Outcome::Partial,
            _ if self.owned => Outcome::Rejected,
            _ if self.rows > 0 => Outcome::Partial,
            outcome => outcome,
        };
        let error = error.with_outcome(outcome);
        match (outcome, self.rows) {
            (Outcome::Partial, 1) => error.at("the second command: row 0 is inserted"),
            (Outcome::Partial, rows) if rows > 0 => error.at(format_args!(
                "a later command: rows 0 to {} are inserted",
                rows - 1
            )),
            _ => error,
        }
    }
}

#[cold]
fn unencoded(row: usize, error: EncodeError) -> Error {
    Error::from(error).in_row(row)
}

/// Says which of the rows it was, as far as that is known.
#[cold]
fn located(error: Error, rows: Range<usize>) -> Error {
    let Some(server) = error.server() else {
        return match rows.len() {
            1 => error.in_row(rows.start),
            _ => error,
        };
    };
    let told = row_told(&server.message).and_then(|told| rows.clone().nth(told.checked_sub(1)?));
    match told {
        Some(row) => error.in_row(row),
        None if rows.len() == 1 => error.in_row(rows.start),
        None => error.at(format_args!(
            "one of the rows {} to {}, counted from 0",
            rows.start,
            rows.end - 1
        )),
    }
}

/// The number in `… at row 3`.
fn row_told(message: &str) -> Option<usize> {
    let (_, number) = message.rsplit_once(" at row ")?;
    number.trim().parse().ok()
}

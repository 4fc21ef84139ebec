use ark_mysql_proto::{Batch, EncodeError};

use crate::connection::Link;

/// About as much as this is encoded ahead and sent at once: every server takes it without being asked, and more makes nothing faster.
const AHEAD: usize = 1 << 20;

/// Rows on their way from an iterator into commands.
pub(super) struct Source<I> {
    rows: std::iter::Fuse<I>,
    batch: Batch,
    /// The most rows of a command: a power of two where the command has its rows in its text; none in bulk.
    most: usize,
    in_bulk: bool,
    /// How many bytes a command of several rows may have.
    limit: usize,
    ended: bool,
    /// How many rows were sent, and are gone from the batch.
    sent: usize,
}

impl<I: Iterator> Source<I> {
    /// Rows of `width` values; `most` of them in a command that has its rows in its text.
    pub(super) fn new(rows: I, width: usize, most: usize, link: &Link) -> Self {
        let in_bulk = link.takes_bulk();
        let batch = match in_bulk {
            true => Batch::with_indicators(width),
            false => Batch::with_bitmap(width),
        };
        Self {
            rows: rows.fuse(),
            batch,
            most: if in_bulk { usize::MAX - 1 } else { most },
            in_bulk,
            limit: link.session().max_send().min(AHEAD),
            ended: false,
            sent: 0,
        }
    }

    /// Encodes rows until there is one more than the next command can have, so that it is known whether that is the last.
    ///
    /// # Errors
    /// A row that cannot be encoded, with its number.
    pub(super) fn fill(
        &mut self,
        encode: impl Fn(&I::Item, &mut Batch) -> Result<(), EncodeError>,
    ) -> Result<(), (usize, EncodeError)> {
        while !self.ended && !self.is_full() {
            match self.rows.next() {
                Some(row) => encode(&row, &mut self.batch)
                    .map_err(|error| (self.sent + self.batch.len(), error))?,
                None => self.ended = true,
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        let rows = self.batch.len();
        rows > self.most || self.batch.size(rows) > self.limit
    }

    /// How many rows go next.
    pub(super) fn piece(&self) -> usize {
        let rows = self.batch.len();
        let fit = match self.is_full() {
            true => rows.saturating_sub(1).max(1),
            false => rows,
        };
        match fit.checked_ilog2() {
            Some(power) if !self.in_bulk => 1 << power,
            _ => fit,
        }
    }

    /// Whether they are the last.
    pub(super) fn is_last(&self) -> bool {
        self.ended && self.piece() == self.batch.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    pub(super) fn is_in_bulk(&self) -> bool {
        self.in_bulk
    }

    pub(super) fn batch(&self) -> &Batch {
        &self.batch
    }

    /// How many rows were sent.
    pub(super) fn sent(&self) -> usize {
        self.sent
    }

    pub(super) fn note_sent(&mut self, rows: usize) {
        self.batch.drop_first(rows);
        self.sent += rows;
    }
}

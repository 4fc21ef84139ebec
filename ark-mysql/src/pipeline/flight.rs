//! What may be sent ahead, and in which order replies are read.

use std::collections::VecDeque;

use ark_mysql_proto::Summary;
use ark_mysql_proto::params::{EncodeError, ParamWriter};

use super::item::Anyone;
use crate::connection::{Call, Head, Link, Reply, Sent, Slot};
use crate::error::Error;
use crate::value::StatementKey;

/// This many bytes of commands may wait for being written; the next one is encoded when there are less. What one command needs is not
/// limited by it.
const AHEAD: usize = 256 << 10;

/// More than this in flight gains nothing: the gain is nearly all there at 16.
pub(super) const MOST: usize = 64;

/// Statements on their way, each with its owner's number for it.
pub(super) struct Flight<'l> {
    link: &'l mut Link,
    flying: VecDeque<(usize, Reply)>,
    most: usize,
    /// Handles that the server does not know any more. They are forgotten when nothing flies: until then replies may belong to them.
    lost: Vec<Option<Slot>>,
    /// One that may leave something in the session flies: whatever follows it would run, and its text be read, as nobody knows.
    dirt: bool,
}

/// Whether a statement was sent.
pub(super) enum Launched {
    Yes,
    /// Not before everything that flies has landed.
    Later,
    Refused(Error),
}

impl<'l> Flight<'l> {
    /// Brings the link in order.
    pub(super) async fn new(link: &'l mut Link, most: usize) -> Result<Self, Error> {
        link.ready().await?;
        let most = if link.is_proxied() { 1 } else { most };
        Ok(Self {
            link,
            flying: VecDeque::new(),
            most,
            lost: Vec::new(),
            dirt: false,
        })
    }

    /// Whether another statement should be launched before one lands.
    pub(super) fn has_room(&self) -> bool {
        self.flying.is_empty()
            || self.flying.len() < self.most && self.link.session().outgoing().len() < AHEAD
    }

    /// Prepares those of the statements that are not prepared yet, in one round trip. Failures show when they are launched.
    pub(super) async fn prepare(
        &mut self,
        calls: impl Iterator<Item = Call<'static>>,
    ) -> Result<(), Error> {
        if self.most == 1 {
            return Ok(());
        }
        let mut queued: Vec<StatementKey> = Vec::new();
        for call in calls {
            if !queued.contains(&call.key) && self.link.prepare_ahead(&call) {
                queued.push(call.key);
            }
        }
        if queued.is_empty() {
            return Ok(());
        }
        self.link.read_prepared().await
    }

    /// Queues a statement to be written.
    pub(super) async fn launch<F>(&mut self, number: usize, call: &Call<'_>, encode: F) -> Launched
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        self.dirt &= !self.flying.is_empty();
        if self.dirt {
            return Launched::Later;
        }
        let sent = match self.link.send_ahead(call, &encode) {
            Ok(Sent::Yes(reply)) => Ok(reply),
            Ok(Sent::NotYet) if self.flying.is_empty() => {
                Box::pin(self.link.send_alone(call, &encode)).await
            }
            Ok(Sent::NotYet) => return Launched::Later,
            Err(error) => Err(error),
        };
        match sent {
            Ok(reply) => {
                self.flying.push_back((number, reply));
                self.dirt |= call.dirties;
                Launched::Yes
            }
            Err(error) => Launched::Refused(error),
        }
    }

    /// Reads the reply to the statement that was sent first of those that fly.
    pub(super) async fn land(
        &mut self,
        mut row: impl FnMut(usize, &mut Link, &Reply) -> Result<(), Error>,
    ) -> Option<(usize, Result<Summary, Error>)> {
        let (number, mut reply) = self.flying.pop_front()?;
        let due = self.flying.len() + 1;
        let read = self
            .read(&mut reply, due, |link, reply| row(number, link, reply))
            .await;
        if read.is_err() {
            self.skip(due).await;
        }
        if self.flying.is_empty() {
            self.lost.drain(..).for_each(|slot| self.link.forget(slot));
        }
        Some((number, read))
    }

    async fn read(
        &mut self,
        reply: &mut Reply,
        due: usize,
        mut row: impl FnMut(&mut Link, &Reply) -> Result<(), Error>,
    ) -> Result<Summary, Error> {
        let head = self.link.head(reply, due).await?;
        if head == Head::Unknown {
            self.lost.push(reply.slot);
        }
        if head != Head::Rows {
            return Err(self.link.refused(reply));
        }
        while self.link.next_row(reply).await? {
            row(self.link, reply)?;
        }
        Ok(reply.summary())
    }

    /// Reads what is left of a reply that ends in an error of ours. If the link breaks, the next reply says so.
    async fn skip(&mut self, due: usize) {
        while self.link.replies_due() >= due && self.link.event().await.is_ok() {}
    }
}

/// Runs all jobs; each is told how it ended.
pub(super) async fn run(link: &mut Link, jobs: &mut [&mut Anyone<'_>]) -> Result<(), Error> {
    let mut flight = Flight::new(link, jobs.len().min(MOST)).await?;
    flight.prepare(jobs.iter().map(|job| job.call())).await?;
    let mut next = 0;
    loop {
        while flight.has_room()
            && let Some(job) = jobs.get_mut(next)
        {
            match flight
                .launch(next, &job.call(), |out| job.encode(out))
                .await
            {
                Launched::Yes => {}
                Launched::Later => break,
                Launched::Refused(error) => job.end(Err(error)),
            }
            next += 1;
        }
        let landed = flight.land(|index, link, reply| match jobs.get_mut(index) {
            Some(job) => job.row(link, reply),
            None => Ok(()),
        });
        let Some((index, result)) = landed.await else {
            return Ok(());
        };
        if let Some(job) = jobs.get_mut(index) {
            job.end(result);
        }
    }
}

//! What may be sent ahead, and in which order replies are read.

use std::collections::VecDeque;
use std::pin::pin;

use ark_mysql_proto::Summary;
use ark_mysql_proto::params::{EncodeError, ParamWriter};

use super::item::Anyone;
use crate::connection::{Call, Head, Link, Reply, Sent, Slot};
use crate::deadline::Clock;
use crate::error::{Error, ErrorKind, Outcome};
use crate::time::timeout;
use crate::value::StatementKey;

/// This many bytes of commands may wait for being written; the next one is encoded when there are less. What one command needs is not
/// limited by it.
const AHEAD: usize = 256 << 10;

/// More than this in flight gains nothing: the gain is nearly all there at 16.
pub(super) const MOST: usize = 64;

/// Statements on their way.
pub(super) struct Flight<'l> {
    link: &'l mut Link,
    flying: VecDeque<Flying>,
    /// The one whose reply is being read. It stands here and not in a future, because a deadline may end that in the middle.
    landing: Option<Flying>,
    most: usize,
    clock: Clock,
    /// The time has passed.
    late: bool,
    /// Handles that the server does not know any more. They are forgotten when nothing flies: until then replies may belong to them.
    lost: Vec<Option<Slot>>,
    /// One that may leave something in the session flies: whatever follows it would run, and its text be read, as nobody knows.
    dirt: bool,
}

struct Flying {
    /// Its owner's number for it.
    number: usize,
    reply: Reply,
    /// The head of its reply was read.
    begun: bool,
}

/// What is done with what comes.
pub(super) trait Ground: Send {
    fn row(&mut self, number: usize, link: &mut Link, reply: &Reply) -> Result<(), Error>;
    fn end(&mut self, number: usize, end: Result<Summary, Error>);
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
    ///
    /// # Errors
    /// It is of no use, or that took too long. Nothing was sent.
    pub(super) async fn new(link: &'l mut Link, most: usize, clock: Clock) -> Result<Self, Error> {
        let result = {
            let readying = pin!(link.ready_within(clock.limit()));
            clock.run(readying).await
        };
        match result {
            Some(result) => result?,
            None => return Err(clock.end(link, "what stood in front").await),
        }
        let most = if link.is_proxied() { 1 } else { most };
        Ok(Self {
            link,
            flying: VecDeque::new(),
            landing: None,
            most,
            clock,
            late: false,
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
        mut each: impl FnMut(&mut Ahead<'_>),
    ) -> Result<(), Error> {
        if self.most == 1 {
            return Ok(());
        }
        let mut ahead = Ahead {
            link: self.link,
            queued: Vec::new(),
        };
        each(&mut ahead);
        if ahead.queued.is_empty() {
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
        let limit = self.clock.limit();
        let call = &Call { limit, ..*call };
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
                self.flying.push_back(Flying {
                    number,
                    reply,
                    begun: false,
                });
                self.dirt |= call.dirties;
                Launched::Yes
            }
            Err(error) => Launched::Refused(error),
        }
    }

    /// Reads the reply to the statement that was sent first of those that fly. False: none does.
    ///
    /// May be dropped in the middle, and called again.
    pub(super) async fn land(&mut self, ground: &mut impl Ground) -> bool {
        if self.landing.is_none() {
            self.landing = self.flying.pop_front();
        }
        let due = self.flying.len() + 1;
        let read = self.read(due, ground).await;
        if read.is_err() {
            self.skip(due).await;
        }
        if self.flying.is_empty() {
            self.lost.drain(..).for_each(|slot| self.link.forget(slot));
        }
        let Some(landed) = self.landing.take() else {
            return false;
        };
        let end = read.map_err(|error| match error.kind() {
            ErrorKind::Interrupted if self.late => error.with_kind(ErrorKind::Timeout), // by our KILL
            _ => self.clock.judge(error),
        });
        ground.end(landed.number, end);
        true
    }

    async fn read(&mut self, due: usize, ground: &mut impl Ground) -> Result<Summary, Error> {
        let Self {
            link,
            landing: Some(landing),
            lost,
            ..
        } = self
        else {
            return Ok(Summary::default());
        };
        let Flying {
            number,
            reply,
            begun,
        } = landing;
        if !*begun {
            let head = link.head(reply, due).await?;
            *begun = true;
            if head == Head::Unknown {
                lost.push(reply.slot);
            }
            if head != Head::Rows {
                return Err(link.refused(reply));
            }
        }
        while link.next_row(reply).await? {
            ground.row(*number, link, reply)?;
        }
        Ok(reply.summary())
    }

    /// Reads what is left of a reply that ends in an error of ours. If the link breaks, the next reply says so.
    async fn skip(&mut self, due: usize) {
        while self.link.replies_due() >= due && self.link.event().await.is_ok() {}
    }

    /// The time has passed. What is answered soon still counts; of all others the ground is told what is known.
    #[cold]
    pub(super) async fn late(&mut self, ground: &mut impl Ground) {
        self.late = true;
        let grace = self.link.grace(self.clock.kills()).await;
        let landing = async { while self.land(ground).await {} };
        let _or_not = timeout(grace, landing).await;
        let rest = self.landing.take().into_iter().chain(self.flying.drain(..));
        for Flying { number, reply, .. } in rest {
            let outcome = self.link.outcome_of(&reply);
            let error = self.clock.too_late("it was not answered", outcome);
            ground.end(number, Err(error.in_statement(reply.digest())));
        }
        self.link.leave_nothing_due();
    }
}

/// Takes statements that are to be prepared.
pub(super) struct Ahead<'l> {
    link: &'l mut Link,
    queued: Vec<StatementKey>,
}

impl Ahead<'_> {
    pub(super) fn add(&mut self, call: &Call<'_>) {
        if !self.queued.contains(&call.key) && self.link.prepare_ahead(call) {
            self.queued.push(call.key);
        }
    }
}

/// Runs all jobs; each is told how it ended.
pub(super) async fn run(
    link: &mut Link,
    jobs: &mut [&mut Anyone<'_>],
    clock: Clock,
) -> Result<(), Error> {
    let mut flight = Flight::new(link, jobs.len().min(MOST), clock).await?;
    let mut next = 0;
    let result = {
        let flying = pin!(fly(&mut flight, &mut *jobs, &mut next));
        clock.run(flying).await
    };
    if let Some(result) = result {
        return result;
    }
    let mut jobs = jobs;
    flight.late(&mut jobs).await;
    for job in jobs.iter_mut().skip(next) {
        job.end(Err(clock.too_late("it was not sent", Outcome::NotSent)));
    }
    Ok(())
}

/// `next` is the first that was not launched.
async fn fly(
    flight: &mut Flight<'_>,
    mut jobs: &mut [&mut Anyone<'_>],
    next: &mut usize,
) -> Result<(), Error> {
    jobs.iter_mut().for_each(|job| job.begin());
    flight
        .prepare(|ahead| {
            for job in jobs.iter() {
                if let Some(call) = job.call(&mut None) {
                    ahead.add(&call);
                }
            }
        })
        .await?;
    loop {
        while flight.has_room()
            && let Some(job) = jobs.get_mut(*next)
        {
            let mut room = None;
            let launched = match job.call(&mut room) {
                Some(call) => flight.launch(*next, &call, |out| job.encode(out)).await,
                None => Launched::Yes, // it has ended before it began
            };
            match launched {
                Launched::Yes => {}
                Launched::Later => break,
                Launched::Refused(error) => job.end(Err(error)),
            }
            *next += 1;
        }
        if !flight.land(&mut jobs).await {
            return Ok(());
        }
    }
}

impl Ground for &mut [&mut Anyone<'_>] {
    fn row(&mut self, number: usize, link: &mut Link, reply: &Reply) -> Result<(), Error> {
        match self.get_mut(number) {
            Some(job) => job.row(link, reply),
            None => Ok(()),
        }
    }

    fn end(&mut self, number: usize, end: Result<Summary, Error>) {
        if let Some(job) = self.get_mut(number) {
            job.end(end);
        }
    }
}

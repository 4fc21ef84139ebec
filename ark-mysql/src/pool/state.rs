//! What the pool knows of its connections, behind one lock that is never held while waiting.
//!
//! ```text
//! slots    [ lent · idle lent · ]   one for each open connection, from its opening to its end: what is known of it
//! idle     [ conn conn … ]          those that nobody has; the one used last is at the back, and is lent first
//! waiters  [ 17 18 19 … ]           tasks in the order in which they came; a connection that comes back goes to the first
//! ```
//! Where somebody waits nothing lies idle.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::builder::Settings;
use super::metrics::Meter;
use super::queue::Queue;
use crate::connection::{Connection, Doom, Verdict};
use crate::error::Error;

/// A connection that nobody has.
pub(super) struct Idle {
    pub(super) connection: Connection,
    pub(super) place: usize,
    /// Nothing has to be done before it is lent.
    ready: bool,
    /// It was lent until a moment ago: less than [`WARM`].
    pub(super) warm: bool,
}

/// A connection that was used less long ago than this is lent as one goes on with on a connection of one's own: what the runtime has heard of it counts, and
/// the operating system is not asked. Its server has answered a moment ago; that it has closed it since then, without the runtime having heard of it, is as likely
/// as that it does so between such a question and the statement, which no question rules out. (For one that has lain longer it is likely: time-outs, restarts.)
const WARM: Duration = Duration::from_millis(1);

/// What is known of an open connection, whoever has it.
pub(super) struct Slot {
    pub(super) id: u32,
    doom: Arc<Doom>,
    /// When it is too old; None: never.
    ends: Option<Instant>,
    /// How long it may lie unused.
    rest: Duration,
    /// Since when it is lent, or unused.
    pub(super) since: Instant,
    pub(super) lent: bool,
    /// Of which generation of its host it is: see [`State::turn_from_host`].
    generation: u32,
    /// Others of its server were ended: it is to be asked for a sign of life before it is lent.
    suspect: bool,
}

pub(super) struct State {
    pub(super) slots: Vec<Option<Slot>>,
    free: Vec<usize>,
    idle: VecDeque<Idle>,
    pub(super) waiters: Queue,
    lent: usize,
    /// Connections that are being opened.
    pub(super) opening: usize,
    pub(super) closed: bool,
    /// Somebody looks after what lies idle.
    pub(super) upkeep: bool,
    generation: u32,
    turned: Option<Instant>,
    pub(super) last_failure: Option<(Instant, String)>,
    pub(super) meter: Meter,
}

/// Connections that are to be dropped after the lock was given back: saying goodbye is a system call.
pub(super) type Leavers = Vec<Connection>;

/// After its host was found to be read-only, a pool that keeps getting there does not start over more often than this.
const TURN_PAUSE: Duration = Duration::from_secs(5);

impl State {
    pub(super) fn new(meter: Meter) -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            idle: VecDeque::new(),
            waiters: Queue::default(),
            lent: 0,
            opening: 0,
            closed: false,
            upkeep: false,
            generation: 0,
            turned: None,
            last_failure: None,
            meter,
        }
    }

    /// After each change of who has what, and who waits.
    #[inline]
    pub(super) fn show(&self) {
        self.meter
            .stand(self.idle.len(), self.lent, self.waiters.len());
    }
}

/// Lending.
impl State {
    /// Takes a connection that is ready, if nobody waits for one.
    #[inline]
    pub(super) fn take_ready(&mut self, now: Instant, leavers: &mut Leavers) -> Option<Idle> {
        loop {
            let at = self.idle.iter().rposition(|idle| idle.ready)?;
            let idle = self.idle.remove(at)?;
            if let Some(idle) = self.lend(idle, now, leavers) {
                return Some(idle);
            }
        }
    }

    /// Takes a connection that has something left to do: of those the one left longest ago, which is the likeliest to be done soon.
    pub(super) fn take_any(&mut self, now: Instant, leavers: &mut Leavers) -> Option<Idle> {
        loop {
            if let Some(idle) = self.take_ready(now, leavers) {
                return Some(idle);
            }
            let idle = self.idle.pop_front()?;
            if let Some(idle) = self.lend(idle, now, leavers) {
                return Some(idle);
            }
        }
    }

    /// Notes it as lent, unless its time is over.
    #[inline]
    fn lend(&mut self, mut idle: Idle, now: Instant, leavers: &mut Leavers) -> Option<Idle> {
        let slot = self.slots.get_mut(idle.place)?.as_mut()?;
        let rested = now.saturating_duration_since(slot.since);
        if slot.is_over(now) || rested > slot.rest {
            self.retire(idle.place);
            leavers.push(idle.connection);
            return None;
        }
        idle.warm = rested < WARM;
        slot.since = now;
        slot.lent = true;
        self.lent += 1;
        self.show();
        Some(idle)
    }

    /// Nobody has it any more.
    #[inline]
    pub(super) fn unlend(&mut self, place: usize, now: Instant, granted: bool) {
        if let Some(slot) = self.slots.get_mut(place).and_then(Option::as_mut)
            && mem::replace(&mut slot.lent, false)
        {
            self.lent -= 1;
            let held = now.saturating_duration_since(slot.since);
            slot.since = now;
            if granted {
                self.meter.returned(held);
            }
        }
    }

    /// It goes from one borrower to the next.
    pub(super) fn relend(&mut self, place: usize, now: Instant) {
        if let Some(slot) = self.slots.get_mut(place).and_then(Option::as_mut)
            && !mem::replace(&mut slot.lent, true)
        {
            self.lent += 1;
            slot.since = now;
        }
        self.show();
    }

    /// Lays one down that nobody waits for.
    #[inline]
    pub(super) fn lay_down(&mut self, connection: Connection, place: usize, ready: bool) {
        let suspect = self.slot(place).is_some_and(|slot| slot.suspect);
        self.idle.push_back(Idle {
            connection,
            place,
            ready: ready && !suspect,
            warm: false,
        });
        self.show();
    }

    /// Whether it is not to be lent again, however well it is.
    #[inline]
    pub(super) fn is_over(&self, place: usize, now: Instant) -> bool {
        match self.slot(place) {
            Some(slot) => slot.is_over(now) || slot.generation != self.generation,
            None => true,
        }
    }

    /// Whether it is to be asked for a sign of life, which is then the caller's to do.
    pub(super) fn take_suspicion(&mut self, place: usize) -> bool {
        let slot = self.slots.get_mut(place).and_then(Option::as_mut);
        slot.is_some_and(|slot| mem::take(&mut slot.suspect))
    }

    fn slot(&self, place: usize) -> Option<&Slot> {
        self.slots.get(place).and_then(Option::as_ref)
    }
}

/// Coming and going.
impl State {
    /// A connection was opened: notes it as lent.
    pub(super) fn enroll(&mut self, connection: &mut Connection, settings: &Settings) -> usize {
        let now = Instant::now();
        let slot = Slot {
            id: connection.id(),
            doom: connection.doom(),
            ends: now.checked_add(jittered(settings.max_lifetime, connection.id())),
            rest: settings.idle_timeout,
            since: now,
            lent: true,
            generation: self.generation,
            suspect: false,
        };
        self.lent += 1;
        self.meter.opened();
        self.last_failure = None;
        match self.free.pop() {
            Some(place) => {
                if let Some(entry) = self.slots.get_mut(place) {
                    *entry = Some(slot);
                }
                place
            }
            None => {
                self.slots.push(Some(slot));
                self.slots.len() - 1
            }
        }
    }

    /// How long its server keeps it without a statement has become known.
    #[cold]
    pub(super) fn note_rest(&mut self, place: usize, server: Duration) {
        if let Some(slot) = self.slots.get_mut(place).and_then(Option::as_mut) {
            // Four fifths: the server's clock starts when it has answered, and its answer may be on its way for a while.
            slot.rest = slot.rest.min(server.mul_f64(0.8));
        }
    }

    /// Forgets a connection that nobody has.
    pub(super) fn retire(&mut self, place: usize) {
        if self.slots.get_mut(place).and_then(Option::take).is_some() {
            self.free.push(place);
            self.meter.closed();
            self.show();
        }
    }

    pub(super) fn failed_to_open(&mut self, error: &Error) {
        self.meter.open_failed();
        self.last_failure = Some((Instant::now(), error.to_string()));
    }

    /// How many more connections are to be opened, so that each who waits has one on its way, as far as there is room.
    pub(super) fn openers_due(&self, most: usize) -> usize {
        let wanted = self.waiters.len().saturating_sub(self.opening);
        wanted.min(self.room(most))
    }

    pub(super) fn room(&self, most: usize) -> usize {
        most.saturating_sub(self.open() + self.opening)
    }

    /// What a server said about more than one connection.
    #[cold]
    pub(super) fn heed(&mut self, verdict: Verdict, place: usize, leavers: &mut Leavers) {
        match verdict {
            Verdict::ReadOnly => self.turn_from_host(place, leavers),
            Verdict::Gone => {
                self.slots
                    .iter_mut()
                    .flatten()
                    .for_each(|slot| slot.suspect = true);
                self.idle.iter_mut().for_each(|idle| idle.ready = false);
            }
        }
        if let Some(slot) = self.slots.get_mut(place).and_then(Option::as_mut) {
            slot.ends = Some(slot.since);
        }
    }

    /// The host has become read-only: somebody else is the writer now. Those that lie idle go, the lent ones when they come back;
    /// new ones look the name up again.
    fn turn_from_host(&mut self, place: usize, leavers: &mut Leavers) {
        let now = Instant::now();
        let stale = self
            .slot(place)
            .is_none_or(|slot| slot.generation != self.generation);
        let just_now = self
            .turned
            .is_some_and(|turned| now.duration_since(turned) < TURN_PAUSE);
        if stale || just_now {
            return;
        }
        self.turned = Some(now);
        self.generation = self.generation.wrapping_add(1);
        leavers.extend(self.take_all());
    }

    /// Takes out what has lain unused for too long, is too old, or is dead.
    pub(super) fn sweep(&mut self, now: Instant, leavers: &mut Leavers) {
        for mut idle in mem::take(&mut self.idle) {
            let slot = self.slots.get(idle.place).and_then(Option::as_ref);
            let kept = slot.is_some_and(|slot| {
                !slot.is_over(now) && now.saturating_duration_since(slot.since) <= slot.rest
            });
            if kept && idle.connection.looks_alive() {
                self.idle.push_back(idle);
            } else {
                self.retire(idle.place);
                leavers.push(idle.connection);
            }
        }
    }

    /// The shortest time that one of the connections may lie unused.
    pub(super) fn shortest_rest(&self) -> Option<Duration> {
        self.slots.iter().flatten().map(|slot| slot.rest).min()
    }

    pub(super) fn take_all(&mut self) -> Leavers {
        let idle = mem::take(&mut self.idle);
        idle.into_iter()
            .map(|idle| {
                self.retire(idle.place);
                idle.connection
            })
            .collect()
    }

    pub(super) fn idle(&self) -> usize {
        self.idle.len()
    }

    pub(super) fn lent(&self) -> usize {
        self.lent
    }

    pub(super) fn open(&self) -> usize {
        self.lent + self.idle.len()
    }

    /// Cuts all that are lent. Tells how many there were.
    pub(super) fn cut_all(&mut self) -> usize {
        let lent = self.slots.iter().flatten().filter(|slot| slot.lent);
        lent.map(|slot| slot.doom.seal()).count()
    }
}

impl Slot {
    #[inline]
    fn is_over(&self, now: Instant) -> bool {
        self.ends.is_some_and(|ends| now >= ends)
    }
}

/// Ten per cent more or less, so that connections opened together do not end together.
fn jittered(lifetime: Duration, id: u32) -> Duration {
    let share = id.wrapping_mul(0x9e37_79b9) >> 24; // 0 to 255
    let factor = 0.9 + f64::from(share) / 255.0 * 0.2;
    lifetime
        .checked_mul(2)
        .map_or(lifetime, |_| lifetime.mul_f64(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_opened_together_end_ten_per_cent_apart() {
        let half_an_hour = Duration::from_secs(1800);
        let ends: Vec<_> = (0..100).map(|id| jittered(half_an_hour, id)).collect();
        let (first, last) = (ends.iter().min().unwrap(), ends.iter().max().unwrap());
        assert!(
            *first >= half_an_hour.mul_f64(0.899) && *first < half_an_hour.mul_f64(0.92),
            "{first:?}"
        );
        assert!(
            *last <= half_an_hour.mul_f64(1.101) && *last > half_an_hour.mul_f64(1.08),
            "{last:?}"
        );
        assert_eq!(jittered(Duration::MAX, 7), Duration::MAX);
    }
}

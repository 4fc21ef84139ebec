//! What the pool knows of its connections, behind one lock that is never held while waiting.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::metrics::PoolMetrics;
use crate::connection::{Connection, Doom};
use crate::error::Error;

/// A connection that nobody has.
pub(super) struct Idle {
    pub(super) connection: Connection,
    pub(super) born: Instant,
    since: Instant,
    /// How long it may lie unused.
    pub(super) rest: Duration,
    /// Nothing has to be done before it is lent.
    ready: bool,
}

impl Idle {
    pub(super) fn new(mut connection: Connection, born: Instant, rest: Duration) -> Self {
        let ready = !connection.is_dirty() && !connection.is_busy();
        Self {
            connection,
            born,
            since: Instant::now(),
            rest,
            ready,
        }
    }
}

/// Somebody has it.
struct Lent {
    since: Instant,
    connection: u32,
    doom: Arc<Doom>,
}

#[derive(Default)]
pub(super) struct State {
    /// The one that was used last is at the back, and is lent first, so that those not needed grow old.
    idle: VecDeque<Idle>,
    /// When the first of them will have been unused for too long, or earlier.
    next_end: Option<Instant>,
    lent: Vec<Option<Lent>>,
    free: Vec<usize>,
    last_failure: Option<(Instant, String)>,
    pub(super) metrics: PoolMetrics,
}

/// Connections that are to be dropped after the lock was given back: saying goodbye is a system call.
pub(super) type Leavers = Vec<Idle>;

impl State {
    /// Takes the connection used last that is ready, else the one used last, and notes it as lent. Those that are too old go.
    pub(super) fn take(
        &mut self,
        lifetime: Duration,
        leavers: &mut Leavers,
    ) -> Option<(Idle, usize)> {
        let now = Instant::now();
        loop {
            let ready = self.idle.iter().rposition(|idle| idle.ready);
            // Where all have something left to do, the one left longest ago is the likeliest to be done soon.
            let mut idle = self.idle.remove(ready.unwrap_or(0))?;
            let rested = now.duration_since(idle.since) > idle.rest;
            let old = now.duration_since(idle.born) > jittered(lifetime, idle.connection.id());
            if !rested && !old {
                let place = self.lend(&mut idle.connection, now);
                return Some((idle, place));
            }
            self.metrics.closed += 1;
            leavers.push(idle);
        }
    }

    pub(super) fn lend(&mut self, connection: &mut Connection, now: Instant) -> usize {
        let lent = Some(Lent {
            since: now,
            connection: connection.id(),
            doom: connection.doom(),
        });
        self.metrics.lent += 1;
        match self.free.pop() {
            Some(place) => {
                if let Some(entry) = self.lent.get_mut(place) {
                    *entry = lent;
                }
                place
            }
            None => {
                self.lent.push(lent);
                self.lent.len() - 1
            }
        }
    }

    /// It is nobody's any more. Tells how long somebody had it.
    pub(super) fn unlend(&mut self, place: usize) -> Duration {
        let lent = self.lent.get_mut(place).and_then(Option::take);
        let Some(lent) = lent else {
            return Duration::ZERO;
        };
        self.metrics.lent -= 1;
        self.free.push(place);
        lent.since.elapsed()
    }

    /// Takes one back, and gives up those that were not used for too long.
    pub(super) fn put(&mut self, idle: Idle, leavers: &mut Leavers) {
        let now = idle.since;
        let ends = now.checked_add(idle.rest);
        self.next_end = self.next_end.into_iter().chain(ends).min();
        self.idle.push_back(idle);
        if self.next_end.is_some_and(|end| end < now) {
            self.evict(now, leavers);
        }
    }

    #[cold]
    fn evict(&mut self, now: Instant, leavers: &mut Leavers) {
        for idle in mem::take(&mut self.idle) {
            if now.duration_since(idle.since) > idle.rest {
                self.metrics.closed += 1;
                leavers.push(idle);
            } else {
                self.idle.push_back(idle);
            }
        }
        let ends = self.idle.iter();
        self.next_end = ends
            .filter_map(|idle| idle.since.checked_add(idle.rest))
            .min();
    }

    pub(super) fn take_all(&mut self) -> Leavers {
        self.idle.drain(..).collect()
    }

    pub(super) fn idle(&self) -> usize {
        self.idle.len()
    }

    pub(super) fn lent(&self) -> usize {
        self.metrics.lent
    }

    pub(super) fn opened<T>(&mut self, result: &Result<T, Error>) {
        match result {
            Ok(_) => {
                self.metrics.opened += 1;
                self.last_failure = None;
            }
            Err(error) => {
                self.metrics.open_failures += 1;
                self.last_failure = Some((Instant::now(), error.to_string()));
            }
        }
    }

    /// Cuts all that are lent. Tells how many there were.
    pub(super) fn cut_all(&mut self) -> usize {
        let lent = self.lent.iter().flatten();
        lent.map(|lent| lent.doom.seal()).count()
    }

    /// Who has the connections, and since when; what went wrong last.
    pub(super) fn describe(&self, waiting: usize, most: usize) -> String {
        use std::fmt::Write as _;
        const SHOWN: usize = 3;
        let mut text = format!(
            "{} of {most} are lent, {} idle, {waiting} tasks wait",
            self.lent(),
            self.idle()
        );
        let mut holders: Vec<&Lent> = self.lent.iter().flatten().collect();
        holders.sort_by_key(|lent| lent.since);
        for (number, lent) in holders.iter().take(SHOWN).enumerate() {
            let lead = if number == 0 { "; held longest:" } else { "," };
            let held = lent.since.elapsed();
            let _to_a_string = write!(text, "{lead} connection {} for {held:.1?}", lent.connection);
        }
        if let Some((when, failure)) = &self.last_failure {
            let ago = when.elapsed();
            let _to_a_string = write!(
                text,
                "; the last attempt to connect failed {ago:.1?} ago: {failure}"
            );
        }
        text
    }
}

/// Ten per cent more or less, so that connections opened together do not end together.
fn jittered(lifetime: Duration, id: u32) -> Duration {
    let share = id.wrapping_mul(0x9e37_79b9) >> 24; // 0 to 255, the same for a connection's whole life
    lifetime.mul_f64(0.9 + f64::from(share) / 255.0 * 0.2)
}

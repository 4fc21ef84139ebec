//! Looking after connections that nobody uses: those that are too old, unused for too long, or dead go; where some are always to be
//! there, others come.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::state::Leavers;
use super::{Pool, Shared};

/// How often is looked at least.
const SELDOM: Duration = Duration::from_secs(30);
/// And at most.
const OFTEN: Duration = Duration::from_millis(20);

/// Begins it, in a task that ends with the pool.
pub(super) fn begin(shared: &Arc<Shared>) {
    let upkeep = Upkeep(Arc::downgrade(shared)); // it does not keep the pool
    let look_again = Arc::clone(&shared.look_again);
    tokio::spawn(async move {
        while let Some(pause) = upkeep.round() {
            let _either_way = timeout(pause, look_again.notified()).await;
        }
    });
}

struct Upkeep(Weak<Shared>);

impl Drop for Shared {
    fn drop(&mut self) {
        self.look_again.notify_one();
    }
}

impl Upkeep {
    /// None: there is nothing to look after. Else the time to the next look: a fraction of what one may lie unused.
    fn round(&self) -> Option<Duration> {
        let shared = self.0.upgrade()?;
        let settings = &shared.settings;
        let mut leavers = Leavers::new();
        let mut state = shared.state();
        state.sweep(Instant::now(), &mut leavers);
        let wanted = settings
            .min_connections
            .saturating_sub(state.open() + state.opening);
        let openers = wanted.min(state.room(settings.max_connections));
        if state.closed || settings.min_connections == 0 && state.open() == 0 {
            state.upkeep = false;
            return None;
        }
        state.opening += openers;
        let rest = state.shortest_rest().unwrap_or(SELDOM);
        let shortest = rest.min(settings.max_lifetime);
        drop(state);
        drop(leavers);
        Pool(shared).open_more(openers);
        Some((shortest / 8).clamp(OFTEN, SELDOM))
    }
}

impl Drop for Upkeep {
    /// The runtime may end before the pool does: then the next connection that is opened begins it anew.
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.state().upkeep = false;
        }
    }
}

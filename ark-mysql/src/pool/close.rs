//! How a pool ends.

use std::pin::pin;
use std::time::Duration;

use super::{Pool, Shared};
use crate::time::timeout;

impl Pool {
    /// Closes the pool: nobody gets a connection any more, those who wait get the error `PoolClosed`. Waits, at most for the acquire
    /// deadline, for borrowed connections to come back; those that do not are cut.
    pub async fn close(&self) {
        self.close_within(self.0.settings.acquire_timeout).await;
    }

    /// The same with a deadline of its own. Returns how many borrowed connections were cut when it had passed: what runs on them gets
    /// the error `ConnectionLost`, what comes later `ConnectionClosed`.
    pub async fn close_within(&self, deadline: Duration) -> usize {
        let shared = &self.0;
        let leavers = {
            let mut state = shared.state();
            state.closed = true;
            state.waiters.clear();
            state.take_all()
        };
        drop(leavers); // each says goodbye if that takes no waiting: one that is slow keeps nobody
        match timeout(deadline, shared.all_returned()).await {
            Ok(()) => 0,
            Err(_) => shared.state().cut_all(),
        }
    }

    /// Whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.0.state().closed
    }
}

impl Shared {
    async fn all_returned(&self) {
        loop {
            let mut returned = pin!(self.returned.notified());
            returned.as_mut().enable();
            if self.state().lent() == 0 {
                return;
            }
            returned.await;
        }
    }
}

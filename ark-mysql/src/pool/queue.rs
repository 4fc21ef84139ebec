//! Who waits, in the order in which they came.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::PoolConnection;
use super::acquire::Baton;
use crate::error::Error;

/// What a task that waits is given.
pub(super) enum Answer {
    Lease(PoolConnection),
    /// None could be opened, and nobody has one who could give it back.
    Failed(Error),
    /// There is room to open one.
    Again(Baton),
}

pub(super) struct Waiter {
    /// Later ones have higher numbers.
    ticket: u64,
    pub(super) sender: oneshot::Sender<Answer>,
}

#[derive(Default)]
pub(super) struct Queue {
    waiters: VecDeque<Waiter>,
    tickets: u64,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.waiters.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }

    /// The last place in the queue.
    pub(super) fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    /// Takes a place. Whoever comes back, because what it got was of no use, has its old one.
    pub(super) fn enter(&mut self, ticket: u64) -> oneshot::Receiver<Answer> {
        let (sender, receiver) = oneshot::channel();
        let at = self
            .waiters
            .partition_point(|waiter| waiter.ticket < ticket);
        self.waiters.insert(at, Waiter { ticket, sender });
        receiver
    }

    pub(super) fn leave(&mut self, ticket: u64) {
        if let Ok(at) = self
            .waiters
            .binary_search_by_key(&ticket, |waiter| waiter.ticket)
        {
            self.waiters.remove(at);
        }
    }

    pub(super) fn first(&mut self) -> Option<Waiter> {
        self.waiters.pop_front()
    }

    /// Sends all away: they find their channel closed.
    pub(super) fn clear(&mut self) {
        self.waiters.clear();
    }
}

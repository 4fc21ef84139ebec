//! What becomes of a connection that comes back: it goes to the first who waits, or lies idle, or goes.

use std::sync::{Arc, MutexGuard};
use std::time::Instant;

use super::acquire::Baton;
use super::lease::Way;
use super::queue::Answer;
use super::state::{Leavers, State};
use super::{Pool, PoolConnection, Shared};
use crate::connection::Connection;

impl Shared {
    pub(super) fn take_back(self: &Arc<Self>, mut connection: Connection, place: usize, way: Way) {
        if connection.has_news() {
            self.take_news(&mut connection, place);
        }
        let ready = connection.is_ready();
        let tidies = !ready && self.tidies(&connection, way);
        if !ready && !tidies {
            connection.reset_at_once();
        }
        let now = Instant::now();
        let mut state = self.state();
        state.unlend(place, now, way.granted);
        if connection.is_closed() || state.closed || state.is_over(place, now) {
            self.retire(state, connection, place);
        } else if tidies {
            state.relend(place, now);
            drop(state);
            self.tidy(connection, place);
        } else if state.waiters.is_empty() {
            state.lay_down(connection, place, ready);
        } else {
            state.relend(place, now); // it counts as lent all the time
            drop(state);
            self.hand_on(connection, place);
        }
    }

    /// A new connection, or one that came back while somebody waits.
    pub(super) fn hand_on(self: &Arc<Self>, mut connection: Connection, mut place: usize) {
        loop {
            let ready = connection.is_ready();
            let mut state = self.state();
            if state.closed {
                state.unlend(place, Instant::now(), false);
                return self.retire(state, connection, place);
            }
            let Some(waiter) = state.waiters.first() else {
                state.unlend(place, Instant::now(), false);
                return state.lay_down(connection, place, ready);
            };
            state.relend(place, Instant::now());
            drop(state);
            let lease = PoolConnection::new(connection, place, Pool(Arc::clone(self)));
            // Whoever takes it and is dropped before it looks gives it back as everybody does.
            match waiter.sender.send(Answer::Lease(lease)) {
                Err(Answer::Lease(lease)) => match lease.dissolve() {
                    Some(back) => (connection, place) = back,
                    None => return,
                },
                _ => return,
            }
        }
    }

    #[cold]
    fn retire(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        connection: Connection,
        place: usize,
    ) {
        state.retire(place);
        let over = state.closed && state.lent() == 0;
        drop(state);
        drop(connection);
        if over {
            self.returned.notify_waiters();
        }
        drop(Baton(Arc::clone(self))); // there is room for another one
    }

    #[cold]
    fn take_news(&self, connection: &mut Connection, place: usize) {
        let mut leavers = Leavers::new();
        let mut state = self.state();
        if let Some(verdict) = connection.take_verdict() {
            state.heed(verdict, place, &mut leavers);
        }
        if let Some(rest) = connection.take_wait_timeout() {
            state.note_rest(place, rest);
            self.look_again.notify_one();
        }
        drop(state);
        drop(leavers);
    }

    /// Whether a task of the pool's own has something to do before it lies idle: to end what still runs on it, or to use it once, so
    /// that it is known for how long it may lie.
    #[cold]
    fn tidies(&self, connection: &Connection, way: Way) -> bool {
        let kills = self.options.kill_abandoned && connection.is_busy();
        (kills || connection.is_new()) && !way.tidied
    }

    /// Does it, if there is a runtime to do it in; else its next borrower does.
    #[cold]
    fn tidy(self: &Arc<Self>, connection: Connection, place: usize) {
        let mut lease = PoolConnection::new(connection, place, Pool(Arc::clone(self)));
        lease.tidied = true;
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _closed_otherwise = lease.refresh().await;
            });
        }
    }
}

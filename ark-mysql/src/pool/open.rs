//! How connections are opened: by tasks of their own, so that a slow one keeps nobody, and one that is not waited for any more is not lost.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::acquire::Baton;
use super::queue::{Answer, Waiter};
use super::{Pool, PoolConnection, Shared, upkeep};
use crate::connection::Connection;
use crate::error::Error;

/// After a failure, where those who wait may get a connection that somebody has; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

impl Pool {
    /// Opens so many; `opening` counts them already.
    pub(super) fn open_more(&self, count: usize) {
        for _ in 0..count {
            let opening = Opening(Some(Arc::clone(&self.0)));
            tokio::spawn(opening.run());
        }
    }
}

/// A connection that is being opened. None: it is no more.
struct Opening(Option<Arc<Shared>>);

impl Opening {
    async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        while let Some(shared) = &self.0 {
            match Connection::open_pooled(&shared.options).await {
                Ok(connection) => self.opened(connection).await,
                Err(error) => match failed(shared, error) {
                    Next::Done => return,
                    Next::Again => {}
                    Next::Later => {
                        sleep(pause).await;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                },
            }
        }
    }

    /// From here on it counts as open.
    async fn opened(&mut self, mut connection: Connection) {
        let Some(shared) = self.0.take() else { return };
        let (place, wanted) = enroll(&shared, &mut connection);
        if wanted {
            return shared.hand_on(connection, place);
        }
        let mut lease = PoolConnection::new(connection, place, Pool(shared));
        lease.tidied = true;
        let _closed_otherwise = lease.refresh().await;
    }
}

/// Whoever has waited for longest is told, unless somebody may give a connection back.
fn failed(shared: &Shared, error: Error) -> Next {
    let mut state = shared.state();
    state.failed_to_open(&error);
    if state.closed || state.waiters.is_empty() {
        return Next::Done;
    }
    if state.open() > 0 {
        return Next::Later;
    }
    let first = state.waiters.first();
    let more = state.waiters.len() >= state.opening;
    drop(state);
    if let Some(Waiter { sender, .. }) = first {
        let _has_gone = sender.send(Answer::Failed(error));
    }
    if more { Next::Again } else { Next::Done }
}

/// Tells where it is noted, and whether somebody waits for it.
fn enroll(shared: &Arc<Shared>, connection: &mut Connection) -> (usize, bool) {
    let mut state = shared.state();
    state.opening -= 1;
    let place = state.enroll(connection, &shared.settings);
    let begins = !mem::replace(&mut state.upkeep, true);
    let wanted = !state.waiters.is_empty();
    drop(state);
    if begins {
        upkeep::begin(shared);
    }
    (place, wanted)
}

enum Next {
    Done,
    /// Others wait.
    Again,
    Later,
}

impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            shared.state().opening -= 1;
            drop(Baton(shared)); // its runtime may have ended in the middle
        }
    }
}

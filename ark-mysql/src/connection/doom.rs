//! How a pool that closes ends a connection that somebody has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// Shared by a connection and its pool.
#[derive(Debug, Default)]
pub(crate) struct Doom {
    sealed: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Doom {
    /// Whoever waits for the connection's server is woken, and finds it closed.
    pub(crate) fn seal(&self) {
        self.sealed.store(true, Ordering::SeqCst);
        let waker = self.waker().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    #[inline]
    pub(crate) fn is_sealed(&self) -> bool {
        self.sealed.load(Ordering::Relaxed)
    }

    /// Has this task woken when the connection is sealed. True: it is.
    pub(crate) fn watch(&self, task: &Waker) -> bool {
        let mut waker = self.waker();
        match &*waker {
            Some(known) if known.will_wake(task) => {}
            _ => *waker = Some(task.clone()),
        }
        drop(waker);
        self.sealed.load(Ordering::SeqCst)
    }

    fn waker(&self) -> MutexGuard<'_, Option<Waker>> {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! How another thread wakes the one that waits.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Wake;

/// Wakes its thread, which waits by `poll(2)`: a byte comes out of [`bell`](Self::bell) then.
#[derive(Debug, Default)]
pub(super) struct Parker {
    woken: AtomicBool,
    /// The thread is about to wait, or waits.
    waits: AtomicBool,
    /// Made when it first waits for others than one socket.
    bell: OnceLock<(UnixStream, UnixStream)>,
}

impl Parker {
    /// Forgets what woke it so far.
    #[inline]
    pub(super) fn rest(&self) {
        self.woken.store(false, Ordering::Release);
    }

    /// Its thread itself has a reason not to wait.
    pub(super) fn stir(&self) {
        self.woken.store(true, Ordering::Release);
    }

    #[inline]
    pub(super) fn is_woken(&self) -> bool {
        self.woken.load(Ordering::Acquire)
    }

    /// Waits by `waiting`, which is given what becomes readable when somebody wakes the thread; not if somebody has already.
    pub(super) fn park(&self, waiting: impl FnOnce(&UnixStream)) -> io::Result<()> {
        let (ours, _) = self.bell()?;
        self.waits.store(true, Ordering::SeqCst);
        if !self.woken.load(Ordering::SeqCst) {
            waiting(ours);
        }
        self.waits.store(false, Ordering::SeqCst);
        let mut heard = [0; 16];
        while matches!((&*ours).read(&mut heard), Ok(count) if count == heard.len()) {}
        Ok(())
    }

    fn bell(&self) -> io::Result<&(UnixStream, UnixStream)> {
        if let Some(bell) = self.bell.get() {
            return Ok(bell);
        }
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        theirs.set_nonblocking(true)?;
        Ok(self.bell.get_or_init(|| (ours, theirs)))
    }
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let first = !self.woken.swap(true, Ordering::SeqCst);
        if first
            && self.waits.load(Ordering::SeqCst)
            && let Some((_, theirs)) = self.bell.get()
        {
            let _full_is_loud_enough = (&*theirs).write(&[1]);
        }
    }
}

//! What a thread under [`block_on`](super::block_on) waits for, and how.

use std::cell::{Cell, RefCell};
use std::mem;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::parker::Parker;

thread_local! {
    static TURN: Turn = Turn::default();
}

/// What the futures of one thread have said while they were polled.
#[derive(Default)]
struct Turn {
    parker: Arc<Parker>,
    running: Cell<bool>,
    waits: RefCell<Vec<Wait>>,
    alone: Cell<Option<Alone>>,
}

/// What is waited for by somebody.
struct Wait {
    what: What,
    /// None: polling the future of `block_on` again is enough.
    waker: Option<Waker>,
}

enum What {
    Readable(Arc<OwnedFd>),
    Writable(Arc<OwnedFd>),
    Time(Instant),
}

/// The one socket that is waited for: it may wait in its own `read`, until then at most.
struct Alone {
    socket: Arc<OwnedFd>,
    until: Option<Instant>,
}

/// Whether this thread is under `block_on`. (Not while it ends: a connection may be dropped by then.)
#[inline]
pub(crate) fn is_running() -> bool {
    TURN.try_with(|turn| turn.running.get()).unwrap_or(false)
}

/// The task is woken when there is something to read. (Any number of times: what is noted twice counts once.)
#[inline]
pub(super) fn wait_to_read(context: &Context<'_>, socket: &Arc<OwnedFd>) {
    note(context, What::Readable(Arc::clone(socket)));
}

/// The task is woken when there is room to write.
pub(super) fn wait_to_write(context: &Context<'_>, socket: &Arc<OwnedFd>) {
    note(context, What::Writable(Arc::clone(socket)));
}

/// The task is woken at that time.
pub(crate) fn ring_at(context: &Context<'_>, time: Instant) {
    note(context, What::Time(time));
}

/// Whether this socket, now, may wait in its own `read`: nothing else is waited for. Until when, if not for ever.
#[inline]
pub(super) fn may_wait_alone(socket: &Arc<OwnedFd>) -> Option<Option<Instant>> {
    let alone = TURN.try_with(|turn| turn.alone.take()).ok()??;
    Arc::ptr_eq(&alone.socket, socket).then_some(alone.until)
}

#[inline]
fn note(context: &Context<'_>, what: What) {
    let _a_thread_that_ends_waits_no_more = TURN.try_with(|turn| {
        if !turn.running.get() {
            return; // somebody only looks, with nobody to be woken
        }
        let mut waits = turn.waits.borrow_mut();
        let woken_anyway = is_parker(context.waker(), &turn.parker);
        let waker = (!woken_anyway).then(|| context.waker().clone());
        let noted = waker.is_none()
            && waits
                .iter()
                .any(|wait| wait.waker.is_none() && wait.what.is(&what));
        if !noted {
            waits.push(Wait { what, waker });
        }
    });
}

/// Whether waking by this waker is no more than polling the future of `block_on`.
#[inline]
fn is_parker(waker: &Waker, parker: &Arc<Parker>) -> bool {
    std::ptr::eq(waker.data(), Arc::as_ptr(parker).cast())
}

/// From one poll of the future to the next, again and again.
pub(super) struct Round {
    parker: Arc<Parker>,
    waker: Waker,
    /// What an outer `block_on` on this thread has noted.
    outer: (bool, Vec<Wait>),
}

/// The parker is held by its thread, by the round and by the round's waker; whoever else holds it may wake the thread.
const OWN_HANDLES: usize = 3;

impl Round {
    #[inline]
    pub(super) fn begin() -> Self {
        TURN.with(|turn| {
            let parker = Arc::clone(&turn.parker);
            parker.rest();
            turn.alone.set(None);
            Self {
                waker: Waker::from(Arc::clone(&parker)),
                parker,
                outer: (turn.running.replace(true), turn.waits.take()),
            }
        })
    }

    #[inline]
    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Waits until it is worth the while to poll again; or lets the one socket that is waited for do that, in the next poll.
    #[inline]
    pub(super) fn wait(&mut self) {
        TURN.with(|turn| {
            turn.alone.set(None);
            let mut waits = turn.waits.take();
            let alone = self.alone(&waits); // before it is asked who has woken us: see there
            if !self.parker.is_woken() {
                match alone {
                    Some(alone) => turn.alone.set(Some(alone)),
                    None => self.wait_for_all(&waits),
                }
            }
            // All are asked again, whatever came: those that still wait say so again.
            for wait in waits.drain(..) {
                wait.waker.inspect(Waker::wake_by_ref);
            }
            turn.waits.replace(waits); // for its memory
            self.parker.rest();
        });
    }

    /// Whoever could wake the thread and has let go of it has woken it before, and that is seen after this.
    #[inline]
    fn alone(&self, waits: &[Wait]) -> Option<Alone> {
        if Arc::strong_count(&self.parker) > self.own_handles() {
            return None;
        }
        fence(Ordering::Acquire);
        let mut socket = None;
        let mut until: Option<Instant> = None;
        for Wait { what, waker } in waits {
            match (what, waker) {
                (What::Readable(fd), None) if socket.is_none() => socket = Some(fd),
                (What::Time(time), None) => until = Some(until.map_or(*time, |so| so.min(*time))),
                _ => return None,
            }
        }
        let socket = socket?;
        match until {
            Some(time) if time <= Instant::now() => None,
            until => Some(Alone {
                socket: Arc::clone(socket),
                until,
            }),
        }
    }

    #[inline]
    fn own_handles(&self) -> usize {
        OWN_HANDLES + 2 * usize::from(self.outer.0)
    }

    #[cold]
    fn wait_for_all(&self, waits: &[Wait]) {
        let parked = self.parker.park(|bell| {
            let mut fds = vec![PollFd::new(bell, PollFlags::IN)];
            fds.extend(waits.iter().filter_map(|wait| wait.what.poll_fd()));
            let times = waits.iter().filter_map(|wait| wait.what.time());
            let time = times.min().map(rest_of);
            let _interrupted_or_not = poll(&mut fds, time.as_ref());
        });
        if parked.is_err() {
            std::thread::sleep(NO_BELL); // out of file descriptors: looking again and again is what is left
        }
    }
}

/// Between two looks, where the thread cannot be woken.
const NO_BELL: Duration = Duration::from_millis(1);

impl Drop for Round {
    fn drop(&mut self) {
        TURN.with(|turn| {
            let (running, waits) = mem::take(&mut self.outer);
            turn.running.set(running);
            turn.alone.set(None);
            turn.waits.replace(waits);
            if running {
                self.parker.stir(); // somebody may have woken the outer one meanwhile
            }
        });
    }
}

fn rest_of(time: Instant) -> Timespec {
    let rest = time.saturating_duration_since(Instant::now());
    Timespec {
        tv_sec: rest.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: rest.subsec_nanos().into(),
    }
}

impl What {
    #[inline]
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Readable(one), Self::Readable(other))
            | (Self::Writable(one), Self::Writable(other)) => Arc::ptr_eq(one, other),
            (Self::Time(one), Self::Time(other)) => one == other,
            _ => false,
        }
    }

    fn poll_fd(&self) -> Option<PollFd<'_>> {
        match self {
            Self::Readable(fd) => Some(PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN)),
            Self::Writable(fd) => Some(PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::OUT)),
            Self::Time(_) => None,
        }
    }

    fn time(&self) -> Option<Instant> {
        match self {
            Self::Time(time) => Some(*time),
            Self::Readable(_) | Self::Writable(_) => None,
        }
    }
}

//! What is neither a query nor a pool: beginning and ending transactions, pipelines, scripts. It runs when it is awaited.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::deadline::{Clock, Deadline};
use crate::error::Error;

/// A future that does nothing before it is awaited, so that it can still be given a [`deadline`](Self::deadline).
///
/// ```ignore
/// let mut tx = pool.begin().deadline(Duration::from_secs(1)).await?;
/// let (user, orders) = conn.pipeline((user.one(), orders.all())).deadline(Duration::from_secs(2)).await?;
/// tx.commit().deadline(Duration::from_secs(1)).await?;
/// ```
///
/// # Cancelling
/// As of all futures of this crate: at any time, and what was to come is read by the connection's next user.
#[must_use = "it does nothing unless it is awaited"]
pub struct Operation<'a, T> {
    deadline: Option<Deadline>,
    start: Option<Start<'a, T>>,
    running: Option<Running<'a, T>>,
}

type Start<'a, T> = Box<dyn FnOnce(Clock) -> Running<'a, T> + Send + 'a>;
type Running<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

impl<'a, T> Operation<'a, T> {
    /// `start` gets the clock, which starts when the operation is first awaited, and minds it.
    pub(crate) fn new<F>(start: impl FnOnce(Clock) -> F + Send + 'a) -> Self
    where
        F: Future<Output = Result<T, Error>> + Send + 'a,
    {
        Self {
            deadline: None,
            start: Some(Box::new(|clock| Box::pin(start(clock)))),
            running: None,
        }
    }

    /// Fails with `Timeout` when it takes longer, all together: waiting for a connection included. Takes a `Duration`, or a
    /// [`Deadline`] that says more. To be set before it is awaited.
    ///
    /// What becomes of the connection stands at [`Deadline`]. Of what was sent and not answered the outcome is `Unknown`; of a COMMIT
    /// the error is `CommitOutcomeUnknown` then.
    pub fn deadline(mut self, deadline: impl Into<Deadline>) -> Self {
        self.deadline = Some(deadline.into());
        self
    }
}

impl<T> Future for Operation<'_, T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(start) = this.start.take() {
            this.running = Some(start(Clock::start(this.deadline)));
        }
        match &mut this.running {
            Some(running) => running.as_mut().poll(context),
            None => Poll::Pending, // there is no way here: what is taken above is put there
        }
    }
}

impl<T> fmt::Debug for Operation<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation")
            .field("deadline", &self.deadline)
            .field("begun", &self.running.is_some())
            .finish_non_exhaustive()
    }
}

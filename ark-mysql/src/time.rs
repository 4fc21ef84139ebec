//! Timers of the runtime, or of [`block_on`](crate::block_on) where there is none.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Rings at its time. It is a runtime's only from its first poll on.
pub(crate) struct Timer {
    end: Instant,
    /// Boxed: it must not move, and most of what has a time is over before that is asked for.
    sleep: Option<Pin<Box<Sleep>>>,
}

/// The time has passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elapsed;

impl Timer {
    pub(crate) const fn at(end: Instant) -> Self {
        Self { end, sleep: None }
    }
}

/// When a time that begins now is over; a year stands for what no clock can show.
pub(crate) fn end_of(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + FAR)
}

const FAR: Duration = Duration::from_secs(365 * 24 * 3600);

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let end = self.end;
        #[cfg(all(feature = "blocking", unix))]
        if crate::blocking::is_running() {
            if Instant::now() >= end {
                return Poll::Ready(());
            }
            crate::blocking::ring_at(context, end.into_std());
            return Poll::Pending;
        }
        self.sleep
            .get_or_insert_with(|| Box::pin(sleep_until(end)))
            .as_mut()
            .poll(context)
    }
}

/// Waits for a future, so long at most.
pub(crate) async fn timeout<F: Future>(time: Duration, running: F) -> Result<F::Output, Elapsed> {
    timeout_at(end_of(time), running).await
}

/// The same until a certain time.
pub(crate) async fn timeout_at<F: Future>(end: Instant, running: F) -> Result<F::Output, Elapsed> {
    let mut timer = Timer::at(end);
    let mut running = pin!(running);
    poll_fn(|context| match running.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Ok(output)),
        Poll::Pending => Pin::new(&mut timer).poll(context).map(|()| Err(Elapsed)),
    })
    .await
}

pub(crate) async fn sleep(time: Duration) {
    Timer::at(end_of(time)).await;
}

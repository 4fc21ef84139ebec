use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// Polls a future at most so often, and drops it then. `None`: it was not ready.
pub(crate) async fn polled_at_most<F: Future>(times: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = times;
    poll_fn(|context| {
        if left > 0 {
            left -= 1;
            if let Poll::Ready(done) = future.as_mut().poll(context) {
                return Poll::Ready(Some(done));
            }
        }
        if left == 0 {
            Poll::Ready(None)
        } else {
            Poll::Pending
        }
    })
    .await
}

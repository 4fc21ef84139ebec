use std::future::poll_fn;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use super::block_on;
use crate::time::{sleep, timeout};
use crate::{Connection, ErrorKind, Outcome, Pool};

#[test]
fn what_is_there_at_once_is_returned() {
    assert_eq!(block_on(async { 6 * 7 }), 42);
    assert_eq!(block_on(std::future::ready("ready")), "ready");
}

#[test]
fn a_task_that_wakes_itself_goes_on() {
    let mut polls = 0;
    block_on(poll_fn(|context| {
        polls += 1;
        context.waker().wake_by_ref();
        if polls < 1000 {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }));
    assert_eq!(polls, 1000);
}

/// Again and again, at all moments: before it waits, while it waits.
#[test]
fn another_thread_wakes_it() {
    for round in 0..200 {
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        let thread = thread::spawn(move || {
            for number in 0..10 {
                if (round + number) % 7 == 0 {
                    thread::sleep(Duration::from_micros(50));
                }
                sender.blocking_send(number).unwrap();
            }
        });
        let sum = block_on(async {
            let mut sum = 0;
            while let Some(number) = receiver.recv().await {
                sum += number;
            }
            sum
        });
        assert_eq!(sum, 45);
        thread.join().unwrap();
    }
}

#[test]
fn times_pass() {
    let began = std::time::Instant::now();
    block_on(sleep(Duration::from_millis(20)));
    assert!(began.elapsed() >= Duration::from_millis(20));
    let never = std::future::pending::<()>();
    assert!(block_on(timeout(Duration::from_millis(5), never)).is_err());
}

#[test]
fn one_may_stand_in_another() {
    let result = block_on(async {
        let inner = block_on(async {
            sleep(Duration::from_millis(1)).await;
            1
        });
        sleep(Duration::from_millis(1)).await;
        inner + 1
    });
    assert_eq!(result, 2);
    assert!(!super::is_running());
}

/// It is as good as new afterwards.
#[test]
fn a_panic_ends_it() {
    let panicked = thread::spawn(|| {
        let caught = std::panic::catch_unwind(|| {
            block_on(async { panic!("of the future") });
        });
        assert!(caught.is_err());
        assert!(!super::is_running());
        block_on(async { 1 })
    });
    assert_eq!(panicked.join().unwrap(), 1);
}

/// Where no runtime is, tokio would panic.
#[test]
fn without_a_runtime_there_is_an_error() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut opening = std::pin::pin!(Connection::connect("mysql://app@127.0.0.1:9/d"));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        sender
            .send(match opening.as_mut().poll(&mut context) {
                Poll::Ready(Err(error)) => error,
                _ => panic!("neither a runtime nor block_on is here"),
            })
            .unwrap();
    });
    let error = receiver.recv().unwrap();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::Configuration, Outcome::NotSent)
    );
    assert!(error.to_string().contains("block_on"), "{error}");
    let error = block_on(Pool::connect("mysql://app@127.0.0.1:9/d")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
}

/// Somebody is woken while another future of the same thread is under `block_on`: the inner one must not eat that.
#[test]
fn what_wakes_the_outer_one_is_not_lost_in_the_inner_one() {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let mut sender = Some(sender);
    let heard = block_on(async {
        let inner = poll_fn(|_| {
            if let Some(sender) = sender.take() {
                let thread = thread::spawn(move || sender.send(7));
                thread.join().unwrap().unwrap();
                block_on(sleep(Duration::from_millis(1))); // rests, and with it forgets
            }
            Poll::Ready(())
        });
        tokio::join!(biased; receiver, inner).0
    });
    assert_eq!(heard, Ok(7));
}

//! Tasks that read or write while something else is measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use ark_mysql::Connection;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use super::statements::Place;
use super::{Background, C, Mix};

/// Running tasks, on threads of their own.
pub(super) struct Tasks {
    runtime: Runtime,
    running: Vec<JoinHandle<Result<()>>>,
    stop: Arc<AtomicBool>,
}

impl Tasks {
    /// Connects all of them, then lets them begin.
    pub(super) fn start(c: &C, background: Background, url: &str) -> Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let stop = Arc::new(AtomicBool::new(false));
        let mut running = Vec::new();
        for number in 0..background.tasks {
            let connection = runtime
                .block_on(Connection::connect(url))
                .with_context(|| format!("background task {}", number + 1))?;
            let task = task(*c, background, number, connection, Arc::clone(&stop));
            running.push(runtime.spawn(task));
        }
        Ok(Self {
            runtime,
            running,
            stop,
        })
    }

    /// Ends them.
    ///
    /// # Errors
    /// The first that one of them had.
    pub(super) fn stop(self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.running {
            self.runtime
                .block_on(task)
                .context("a background task panicked")?
                .context("a background task")?;
        }
        Ok(())
    }
}

async fn task(
    c: C,
    Background { mix, every, .. }: Background,
    number: u32,
    mut connection: Connection,
    stop: Arc<AtomicBool>,
) -> Result<()> {
    let mut ticks = interval(every.max(Duration::from_micros(100)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut random = fastrand::Rng::with_seed(number.into());
    let mut step: i32 = 0;
    while !stop.load(Ordering::Relaxed) {
        ticks.tick().await;
        step = step.wrapping_add(1);
        let place = Place {
            table: number % c.tables + 1,
            key: random.i32(1..=i32::try_from(c.n / c.tables)?),
            text: false,
        };
        match mix {
            Mix::ReadWrite if step % 2 == 0 => {
                place.touch(step, &mut connection).await?;
            }
            _ => place.look(&mut connection).await?,
        }
    }
    Ok(())
}

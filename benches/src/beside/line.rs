//! Who does it, and how one of them is run.

use std::time::{Duration, Instant};

use anyhow::Result;
use ark_mysql::Connection;
use benches_common::rival::{Task, Took};
use rustix::time::{ClockId, clock_gettime};

use super::point;
use crate::driver::Driver;
use crate::point::Client;
use crate::rival::Rival;

/// Somebody who does it.
pub(crate) trait Side {
    /// The server's number of its connection, where it keeps one.
    fn connection(&mut self) -> Result<Option<u64>>;

    /// So many units, each seen to be the right one.
    fn turn(&mut self, count: u32) -> Result<()>;

    /// So many units, every column compared.
    fn verify(&mut self, count: u32) -> Result<()> {
        self.turn(count)
    }

    /// A turn, and how long it took.
    fn timed(&mut self, count: u32) -> Result<Took> {
        let (start, cpu) = (Instant::now(), thread_cpu());
        self.turn(count)?;
        Ok(Took {
            wall: start.elapsed(),
            cpu: thread_cpu().saturating_sub(cpu),
        })
    }
}

/// Connects to an address.
pub(super) type Start = fn(&str) -> Result<Box<dyn Side>>;

/// So many units on a connection.
pub(super) type Turn = fn(&mut Typed, u32) -> Result<()>;

/// How somebody does it.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) title: String,
    pub(super) who: Who,
    /// By the address with TLS.
    pub(super) tls: bool,
}

/// How tables call ours without a runtime.
pub(super) const ALONE: &str = "ark-mysql, the same under block_on";

/// Who does it.
#[derive(Clone, Copy)]
pub(super) enum Who {
    /// The raw socket, or ours where it is more than a connection.
    Start(Start),
    /// Ours, on a connection.
    Ours(Turn),
    /// The same under `block_on`.
    OursAlone(Turn),
    /// Whoever selects one row by its key.
    Point(Client),
    /// A program of its own.
    Rival(Rival, Task),
}

impl Line {
    pub(super) fn raw(title: &str, start: Start) -> Self {
        Self::new(title, Who::Start(start))
    }

    pub(super) fn ours(title: &str, turn: Turn) -> Self {
        Self::new(title, Who::Ours(turn))
    }

    pub(super) fn ours_alone(turn: Turn) -> Self {
        Self::new(ALONE, Who::OursAlone(turn))
    }

    pub(super) fn point(client: Client) -> Self {
        Self::new(client.title(), Who::Point(client))
    }

    pub(super) fn rival(rival: Rival, task: Task) -> Self {
        Self::new(&rival.to_string(), Who::Rival(rival, task))
    }

    pub(super) fn with_tls(self, tls: bool) -> Self {
        Self { tls, ..self }
    }

    fn new(title: &str, who: Who) -> Self {
        Self {
            title: title.to_owned(),
            who,
            tls: false,
        }
    }

    pub(super) fn start(&self, url: &str) -> Result<Box<dyn Side>> {
        match self.who {
            Who::Start(start) => start(url),
            Who::Ours(turn) => Ours::start(Driver::runtime()?, url, turn),
            Who::OursAlone(turn) => Ours::start(Driver::Thread, url, turn),
            Who::Point(client) => point::start(client, url),
            Who::Rival(rival, task) => Ok(Box::new(rival.turns(task, url)?)),
        }
    }
}

struct Ours {
    typed: Typed,
    turn: Turn,
}

impl Ours {
    fn start(driver: Driver, url: &str, turn: Turn) -> Result<Box<dyn Side>> {
        let typed = Typed::connect(driver, url)?;
        Ok(Box::new(Self { typed, turn }))
    }
}

impl Side for Ours {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(Some(self.typed.connection.id().into()))
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        (self.turn)(&mut self.typed, count)
    }
}

/// The library on a connection, and who drives it.
pub(super) struct Typed {
    pub(super) driver: Driver,
    pub(super) connection: Connection,
}

impl Typed {
    fn connect(driver: Driver, url: &str) -> Result<Self> {
        let connection = driver.block_on(Connection::connect(url))?;
        Ok(Self { driver, connection })
    }
}

/// Of this thread, which runs the client and its runtime.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

//! On which CPUs client and server run.
//!
//! On one connection a wake-up between two CPUs costs more than the query, and the scheduler flips between the two ways of doing
//! it, so a figure without a placement says little.

use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

use crate::raw::{RawClient, one_row};

/// `--place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// The client and its server threads on one CPU.
    Same,
    /// The client on one CPU, its server threads on another.
    Cross,
    /// Wherever the scheduler puts them.
    Free,
}

/// The CPUs of one run.
#[derive(Clone, Copy)]
pub struct Placement(Option<Pair>);

#[derive(Clone, Copy)]
struct Pair {
    client: usize,
    server: usize,
}

/// Processes of idle priority. They end with their standard input, and so with the value.
pub struct Spinners(Vec<Child>);

impl Drop for Spinners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.stdin.take());
            drop(child.wait()); // it ends by itself when its input does
        }
    }
}

fn spinner(cpu: usize) -> Result<Option<Child>> {
    let program = std::env::current_exe()?;
    let mut command = Command::new("chrt");
    command
        .args(["--idle", "0"])
        .arg(program)
        .args(["drive", "spin", &cpu.to_string()])
        .stdin(Stdio::piped());
    match command.spawn() {
        Ok(child) => Ok(Some(child)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What such a process does on its CPU.
///
/// # Errors
/// Fails when it may not run there.
pub fn spin(cpu: usize) -> Result<()> {
    sched_setaffinity(None, &only(cpu))?;
    std::thread::spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    let mut nothing = String::new();
    drop(std::io::stdin().read_line(&mut nothing)); // whatever comes, the end above all, is the sign to stop
    Ok(())
}

impl Place {
    /// Picks the CPUs among those that this process may use.
    ///
    /// # Errors
    /// Fails when `cross` has only one CPU to use.
    pub fn pick(self) -> Result<Placement> {
        let allowed = sched_getaffinity(None)?;
        let mut usable = (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu));
        // The last CPUs of the list: the first one handles most interrupts.
        let pair = match (self, usable.next_back(), usable.next_back()) {
            (Self::Free, ..) => None,
            (Self::Same, Some(one), _) => Some(Pair {
                client: one,
                server: one,
            }),
            (Self::Cross, Some(one), Some(other)) => Some(Pair {
                client: one,
                server: other,
            }),
            (Self::Cross, ..) => bail!("--place cross needs two CPUs"),
            (Self::Same, None, _) => bail!("this process may use no CPU"),
        };
        Ok(Placement(pair))
    }
}

impl Placement {
    /// Keeps both CPUs of `cross` awake with processes of idle priority for as long as the value lives: otherwise the time to wake
    /// a sleeping CPU is measured, which depends on how idle the machine is. Without `chrt` there are none.
    ///
    /// # Errors
    /// Fails when this program's own file cannot be found.
    pub fn keep_awake(&self) -> Result<Spinners> {
        let mut spinners = Spinners(Vec::new());
        for pair in self.0.iter().filter(|pair| pair.client != pair.server) {
            for cpu in [pair.client, pair.server] {
                spinners.0.extend(spinner(cpu)?);
            }
        }
        Ok(spinners)
    }

    /// Pins this thread, and with it the processes that it starts from now on.
    ///
    /// # Errors
    /// Fails when the system refuses.
    pub fn pin_client(&self) -> Result<()> {
        match self.0 {
            Some(pair) => Ok(sched_setaffinity(None, &only(pair.client))?),
            None => Ok(()),
        }
    }

    /// Pins the server's threads of these connections.
    ///
    /// # Errors
    /// Fails when the server is not on this machine or belongs to somebody else.
    pub fn pin_server(&self, admin: &mut RawClient, connections: &[u64]) -> Result<()> {
        let Some(pair) = self.0 else { return Ok(()) };
        for connection in connections {
            let thread = server_thread(admin, *connection)?;
            sched_setaffinity(Some(thread), &only(pair.server))
                .context("cannot pin the server's thread: it must run on this machine and belong to you (or use --place free)")?;
        }
        Ok(())
    }
}

fn only(cpu: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(cpu);
    set
}

/// The operating system's number for the thread that serves a connection.
fn server_thread(admin: &mut RawClient, connection: u64) -> Result<Pid> {
    let (mysql, mariadb) = (
        format!(
            "SELECT THREAD_OS_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = {connection}"
        ),
        format!("SELECT TID FROM information_schema.PROCESSLIST WHERE ID = {connection}"),
    );
    let reply = admin.query(if admin.is_mariadb() { &mariadb } else { &mysql })?;
    one_row(&reply).context(
        "the server does not tell its threads: is performance_schema off? (or use --place free)",
    )?;
    // A text row with one value: its length, then its digits.
    let row = admin.row(&reply);
    let digits = row.get(1..).context("the server named no thread")?;
    let thread: i32 = std::str::from_utf8(digits)?.parse()?;
    ensure!(thread > 0, "the server named thread {thread}");
    Pid::from_raw(thread).context("the server named thread 0")
}

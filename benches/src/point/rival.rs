//! A rival driver in a process of its own, from the workspace `benches/rivals`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use super::Contender;
use crate::test1;

/// A running rival; it ends with its standard input, and so with the value.
pub(super) struct Rival {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    connection: u64,
}

impl Rival {
    /// Starts it, if it was built; it prints its connection's number first.
    pub(super) fn connect(name: &str, url: &str) -> Result<Self> {
        let program = program(name);
        let mut child = Command::new(&program)
            .arg(url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let orders = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().context("the rival has no output")?);
        let connection = u64::try_from(number(&mut answers)?)?;
        Ok(Self {
            child,
            orders,
            answers,
            connection,
        })
    }

    fn turn(&mut self, queries: usize) -> Result<Duration> {
        let orders = self.orders.as_mut().context("the rival was told to end")?;
        writeln!(orders, "{queries} {}", test1::ROWS)?;
        let nanoseconds = number(&mut self.answers)?;
        Ok(Duration::from_nanos(u64::try_from(nanoseconds)?))
    }
}

impl Contender for Rival {
    fn connections(&mut self) -> Result<Vec<u64>> {
        Ok(vec![self.connection])
    }

    /// It checks the key of every row by itself.
    fn verify(&mut self, keys: &[i32]) -> Result<()> {
        self.turn(keys.len()).map(drop)
    }

    fn run(&mut self, keys: &[i32]) -> Result<Duration> {
        self.turn(keys.len())
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        drop(self.orders.take());
        drop(self.child.wait()); // it ends by itself when its input does
    }
}

/// Whether this rival was built.
pub(super) fn is_built(name: &str) -> bool {
    program(name).is_file()
}

fn program(name: &str) -> PathBuf {
    let target = std::env::var_os("ARK_MYSQL_RIVALS_TARGET").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals/target"),
        PathBuf::from,
    );
    target.join("release").join(name)
}

fn number(answers: &mut impl BufRead) -> Result<u128> {
    let mut line = String::new();
    answers.read_line(&mut line)?;
    line.trim()
        .parse()
        .context("the rival ended without an answer: what it says stands above")
}

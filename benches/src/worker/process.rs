//! A process that is told things line by line and answers each.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// It ends with its standard input, and so with the value.
pub(crate) struct Process {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// There is no such program.
    pub(crate) fn start(program: &Path, arguments: &[&str]) -> Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().context("it has no output")?);
        Ok(Self {
            child,
            orders,
            answers,
        })
    }

    /// Says something to it.
    ///
    /// # Errors
    /// It has ended; why it says on the standard error.
    pub(crate) fn tell(&mut self, order: &impl Serialize) -> Result<()> {
        let orders = self.orders.as_mut().context("it was told to end")?;
        writeln!(orders, "{}", serde_json::to_string(order)?)
            .context("it ended: what it says stands above")
    }

    /// Waits for what it says.
    ///
    /// # Errors
    /// It has ended; why it says on the standard error.
    pub(crate) fn hear<T: for<'de> Deserialize<'de>>(&mut self) -> Result<T> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        serde_json::from_str(&line).context("it ended: what it says stands above")
    }

    /// The system's number of it.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.orders.take());
        drop(self.child.wait()); // it ends by itself when its input does
    }
}

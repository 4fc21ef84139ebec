//! The words between the benchmarks' command and a rival's program: lines of JSON, a [`Job`] first, whose answer says that it is ready, then an
//! order for each turn or round.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cell::Cell;

/// What a rival does from now on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Job {
    /// Takes turns: the answer is the server's number of its connection, where it keeps one; then a [`Took`] for each [`Turn`].
    Turns {
        /// Of what.
        task: Task,
        /// The server.
        url: String,
    },
    /// Runs a cell of arknet's: the answer is `null`; then a [`Round`](crate::pace::Round) for each [`Span`](crate::pace::Span).
    Arknet {
        /// Its parameters.
        cell: Cell,
        /// The server.
        url: String,
    },
}

/// A unit of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// One row of fourteen columns by its key.
    Point,
    /// One of many such rows, streamed.
    Scan,
    /// A row inserted in autocommit.
    Insert,
    /// Connecting, login and closing.
    Connect,
    /// A blob of that many bytes by its key.
    Blob(u32),
}

/// So many units, one after the other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// How many.
    pub count: u32,
    /// Every column of every row is compared, not only what tells that it is the right one.
    pub verify: bool,
}

/// How long a turn took.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Took {
    /// From its first unit to the end of its last.
    pub wall: Duration,
    /// CPU time of all threads that did it.
    pub cpu: Duration,
}

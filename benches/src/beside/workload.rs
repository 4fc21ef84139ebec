//! What is done, by whom, and how often.

use benches_common::rival::Task;
use clap::ValueEnum;

use super::line::Line;
use super::{blob, connect, insert, point, scan};
use crate::rival::Rivals;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// One row of fourteen columns by its key.
    Point,
    /// 100,000 rows of fourteen columns, streamed.
    Scan,
    /// One row a statement, in autocommit.
    Insert,
    /// 10,000 rows in one transaction: by one call, and by single statements in a pipeline.
    InsertMany,
    /// Connecting, login and closing.
    Connect,
    /// One blob of 1 KiB by its key.
    Blob1,
    /// One blob of 16 KiB by its key.
    Blob16,
    /// One blob of 1 KiB by its key, with TLS.
    Tls,
}

/// Some ten milliseconds.
pub const QUERIES_A_TURN: u32 = 250;

impl Workload {
    /// The raw socket first, where there is one: all others are compared with it.
    pub(super) fn lines(self) -> Vec<Line> {
        match self {
            Self::Point => point::lines(),
            Self::Scan => scan::lines(),
            Self::Insert => insert::single(),
            Self::InsertMany => insert::many(),
            Self::Connect => connect::lines(),
            Self::Blob1 => blob::lines::<{ blob::KIB }>(false),
            Self::Blob16 => blob::lines::<{ blob::SIXTEEN_KIB }>(false),
            Self::Tls => blob::lines::<{ blob::KIB }>(true),
        }
    }

    /// Which line waits as the library does and does nothing else: all others are compared with it, too.
    pub(super) fn on_tokio(self) -> Option<usize> {
        match self {
            Self::Point | Self::Insert | Self::Connect | Self::Blob1 | Self::Blob16 => Some(1),
            Self::Scan | Self::InsertMany | Self::Tls => None,
        }
    }

    /// What a rival does; `None` where there is nothing of the kind that all have.
    fn task(self) -> Option<Task> {
        Some(match self {
            Self::Point => Task::Point,
            Self::Scan => Task::Scan,
            Self::Insert => Task::Insert,
            Self::InsertMany => return None,
            Self::Connect => Task::Connect,
            Self::Blob1 | Self::Tls => Task::Blob(blob::KIB),
            Self::Blob16 => Task::Blob(blob::SIXTEEN_KIB),
        })
    }

    /// Behind ours, those of the rivals that can.
    pub(super) fn lines_with(self, rivals: &Rivals) -> Vec<Line> {
        let mut lines = self.lines();
        let tls = self == Self::Tls;
        if let Some(task) = self.task() {
            let able = rivals.built.iter().filter(|rival| !tls || rival.has_tls());
            lines.extend(able.map(|rival| Line::rival(*rival, task).with_tls(tls)));
        }
        lines
    }

    pub(super) fn unit(self) -> &'static str {
        match self {
            Self::Scan | Self::InsertMany => "rows/s",
            Self::Point => "queries/s",
            Self::Insert | Self::Blob1 | Self::Blob16 | Self::Tls => "statements/s",
            Self::Connect => "connections/s",
        }
    }

    /// Units of one turn: some ten milliseconds, or the whole thing.
    pub(super) fn count(self) -> u32 {
        match self {
            Self::Scan => scan::ROWS,
            Self::InsertMany => insert::ROWS,
            Self::Insert => 50,
            Self::Connect => 20,
            Self::Point | Self::Blob1 | Self::Blob16 | Self::Tls => QUERIES_A_TURN,
        }
    }

    /// Whether a unit is one row of many that come or go together.
    pub(super) fn is_of_rows(self) -> bool {
        matches!(self, Self::Scan | Self::InsertMany)
    }

    /// Between which counts instructions are taken.
    pub(super) fn counts(self) -> (u32, u32) {
        match self {
            Self::Scan => (1_000, 11_000),
            Self::InsertMany => (1_000, 3_000),
            Self::Connect => (5, 25),
            Self::Point => (1_000, 3_000),
            Self::Insert | Self::Blob1 | Self::Blob16 | Self::Tls => (500, 1_500),
        }
    }

    pub(super) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

//! Looks for statements that break what a description promised: a column called NOT NULL that is NULL, a kind that does not hold
//! what came. Random schemas, random rows, random statements, described as `query!` does it and then run.
//!
//! | module | what it decides |
//! |---|---|
//! | `schema` | tables and rows |
//! | `statement`, `source`, `expression`, `functions` | statements |
//! | `round` | in which order things happen, and what a dead server costs |
//! | `judge` | whether a promise was kept |
//! | `report` | what is counted |
//!
//! Servers of its own: some of these statements end MariaDB.

mod client;
mod expression;
mod functions;
mod judge;
mod random;
mod report;
mod round;
mod schema;
mod server;
mod shape;
mod source;
mod statement;
mod value;

use ark_mysql_check::description::{DescribeError, Described};
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;

use crate::Server;

pub use judge::Breach;
pub use report::{Finding, Needless, Report};
pub use shape::{Shape, Shapes, Told};

/// Describes a statement: as `query!` does, or with a fault planted.
pub type Describe<'d> = &'d dyn Fn(&Sql, &Settings) -> Result<Described, DescribeError>;

/// As `query!` describes.
///
/// # Errors
/// The server refuses the statement.
pub fn described(sql: &Sql, settings: &Settings) -> Result<Described, DescribeError> {
    ark_mysql_check::describe::describe_with(sql, settings)
}

/// Runs at least so many random statements on one server.
///
/// # Panics
/// Where the server cannot be had.
#[must_use]
pub fn fuzz(
    kind: impl Into<Server>,
    seed: u64,
    statements: usize,
    describe: Describe<'_>,
) -> Report {
    let kind = kind.into();
    let mut report = Report::new(kind);
    let mut server = server::Server::start(kind);
    let mut number = 0;
    while report.statements < statements {
        let wanted = (statements - report.statements).min(round::STATEMENTS);
        round::run(
            &mut server,
            seed.wrapping_add(number),
            wanted,
            describe,
            &mut report,
        );
        number += 1;
    }
    report
}

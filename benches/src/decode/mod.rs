//! What generated code does with the bytes of one row, without a server: straight lines, and no allocation but the row's own.
//!
//! [`measure`] fails when that stops being so; `.ci/run` calls it.

mod record;
mod statements;

use std::ffi::OsString;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use crate::callgrind::{self, Cost};
use crate::figures::{grouped, table};

pub use self::record::record;

/// A statement whose rows are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// One INT.
    #[value(name = "ints_1")]
    Ints1,
    /// Fourteen INTs.
    #[value(name = "ints_14")]
    Ints14,
    /// A hundred INTs.
    #[value(name = "ints_100")]
    Ints100,
    /// The columns of `test1`: ten INTs, FLOAT, DOUBLE, VARCHAR, DATETIME.
    #[value(name = "mixed_14")]
    Mixed14,
    /// The same again and again, a hundred of them: seven VARCHARs.
    #[value(name = "mixed_100")]
    Mixed100,
}

/// The report, and whether everything is as it should be.
pub struct Outcome {
    /// A table.
    pub report: String,
    /// What is wrong, if something is.
    pub verdict: Result<()>,
}

/// Rows between which the slope is taken.
const COUNTS: (u32, u32) = (2_000, 4_000);
/// How far a figure may be above the committed one: code of another compiler differs a little.
const TOLERANCE: f64 = 1.05;
/// How much dearer a column may be in a wide row than in a narrow one, whose values fit the registers. Where each value is a call,
/// it is five times as dear.
const LINEAR: f64 = 1.5;

impl Workload {
    /// The name of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ints1 => "ints_1",
            Self::Ints14 => "ints_14",
            Self::Ints100 => "ints_100",
            Self::Mixed14 => "mixed_14",
            Self::Mixed100 => "mixed_100",
        }
    }

    fn columns(self) -> u32 {
        match self {
            Self::Ints1 => 1,
            Self::Ints14 | Self::Mixed14 => 14,
            Self::Ints100 | Self::Mixed100 => 100,
        }
    }

    /// Allocations that the row itself owns: its strings.
    pub fn strings(self) -> u32 {
        match self {
            Self::Ints1 | Self::Ints14 | Self::Ints100 => 0,
            Self::Mixed14 => 1,
            Self::Mixed100 => 7,
        }
    }

    /// Instructions a row, as committed (x86-64, rustc 1.95). Raising one needs its reason in the commit.
    fn committed(self) -> f64 {
        match self {
            Self::Ints1 => 22.0,
            Self::Ints14 => 96.0,
            Self::Ints100 => 729.0,
            Self::Mixed14 => 591.0,
            Self::Mixed100 => 4_398.0,
        }
    }

    /// Decodes the recorded row so many times.
    ///
    /// # Errors
    /// Fails when the row does not fit its statement.
    pub fn drive(self, rows: u32) -> Result<()> {
        statements::drive(self, rows)
    }

    fn cost(self) -> Result<Cost> {
        let arguments = ["drive", "decode", self.name()].map(OsString::from);
        callgrind::slope(&arguments, COUNTS.0, COUNTS.1)
    }
}

/// Measures all decoders; with `functions`, lists the dearest functions of each one.
///
/// # Errors
/// Fails without valgrind.
pub fn measure(functions: usize) -> Result<Outcome> {
    let costs = Workload::value_variants()
        .iter()
        .map(|workload| Ok((*workload, workload.cost()?)))
        .collect::<Result<Vec<_>>>()?;
    let mut report = table(&rows(&costs));
    for (workload, cost) in costs.iter().filter(|_| functions > 0) {
        report += &format!("\n{}\n{}", workload.name(), cost.dearest(functions));
    }
    Ok(Outcome {
        report,
        verdict: judge(&costs),
    })
}

fn rows(costs: &[(Workload, Cost)]) -> Vec<Vec<String>> {
    let heads = [
        "row",
        "columns",
        "instructions",
        "a column",
        "committed",
        "allocations",
        "its strings",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for (workload, cost) in costs {
        rows.push(vec![
            workload.name().to_owned(),
            workload.columns().to_string(),
            grouped(cost.instructions),
            format!("{:.1}", cost.instructions / f64::from(workload.columns())),
            grouped(workload.committed()),
            format!("{:.2}", cost.allocations),
            workload.strings().to_string(),
        ]);
    }
    rows
}

fn judge(costs: &[(Workload, Cost)]) -> Result<()> {
    let of = |wanted: Workload| {
        costs
            .iter()
            .find(|(workload, _)| *workload == wanted)
            .map_or(f64::NAN, |(_, cost)| cost.instructions)
    };
    for (workload, cost) in costs {
        judge_one(*workload, cost)?;
    }
    let narrow = (of(Workload::Ints14) - of(Workload::Ints1)) / 13.0;
    let wide = (of(Workload::Ints100) - of(Workload::Ints14)) / 86.0;
    ensure!(
        wide <= narrow * LINEAR,
        "an INT costs {wide:.1} instructions in a row of 100, and {narrow:.1} in one of 14: not linear"
    );
    let (few, many) = (of(Workload::Mixed14) / 14.0, of(Workload::Mixed100) / 100.0);
    ensure!(
        many <= few * LINEAR,
        "a column costs {many:.1} instructions in a mixed row of 100, and {few:.1} in one of 14: not linear"
    );
    Ok(())
}

fn judge_one(workload: Workload, cost: &Cost) -> Result<()> {
    let name = workload.name();
    let allowed = f64::from(workload.strings()) + 0.01;
    ensure!(
        cost.allocations <= allowed,
        "{name}: {:.2} allocations a row, {} strings",
        cost.allocations,
        workload.strings()
    );
    let limit = workload.committed() * TOLERANCE;
    ensure!(
        cost.instructions <= limit,
        "{name}: {:.0} instructions a row, more than the committed figure and 5 %",
        cost.instructions
    );
    let stranger = cost
        .functions
        .iter()
        .find(|(function, _)| !belongs(function));
    ensure!(
        stranger.is_none(),
        "{name}: the decoder calls {stranger:?}, which straight-line code has no need of"
    );
    Ok(())
}

/// Functions that straight-line code may end in. A look-up of kinds, or a virtual call, would be another one.
fn belongs(function: &str) -> bool {
    const KNOWN: [&str; 7] = [
        "benches::decode::",
        "__private::Statement",
        "value::statement::Statement",
        "ark_mysql_proto::row::",
        "ark_mysql::value::",
        "from_utf8",
        "chrono::naive",
    ];
    const MEMORY: [&str; 10] = [
        "malloc",
        "free",
        "_int_",
        "memcpy",
        "memmove",
        "__rust_",
        "__rdl_",
        "alloc::",
        "drop_in_place",
        "tcache",
    ];
    KNOWN
        .iter()
        .chain(&MEMORY)
        .any(|known| function.contains(known))
}

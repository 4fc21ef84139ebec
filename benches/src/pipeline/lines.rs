//! Who takes turns, and what is told of each.

use anyhow::{Context, Result};
use benches_common::rival::{Task, Took};

use super::{Client, Driver, Measure, Measured, QUERIES_A_TURN, Raw, SIZE, Typed, keys, rate};
use crate::beside::Side;
use crate::rival::Rivals;

/// One client in one way.
pub(super) struct Line {
    pub(super) title: String,
    pub(super) side: Box<dyn Side>,
    /// Those that do the same: the raw socket's line, and its own client's line one by one.
    to: To,
}

#[derive(Clone, Copy)]
struct To {
    same: usize,
    own: usize,
}

/// The raw socket's lines.
const ONE_BY_ONE: usize = 0;
const IN_FLIGHT: usize = 1;

/// The ratio that the goal is about.
pub(super) const TO_PIPELINED: &str = "to the raw one with 16 in flight";

/// The raw socket first, one by one and sixteen in flight; the same of ours; rivals one by one.
pub(super) fn all(rivals: &Rivals, url: &str) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let mut both = |name: &str, pipelined: &str, client: &dyn Fn() -> Result<Box<dyn Client>>| {
        let own = lines.len();
        let ways = [("one by one", ONE_BY_ONE), (pipelined, IN_FLIGHT)];
        for (way, same) in ways {
            lines.push(Line {
                title: format!("{name}, {way}"),
                side: Box::new(Keyed {
                    client: client()?,
                    pipelined: same == IN_FLIGHT,
                    next: 0,
                }),
                to: To { same, own },
            });
        }
        anyhow::Ok(())
    };
    both("raw socket", "16 in flight", &|| {
        Ok(Box::new(Raw::connect(url)?))
    })?;
    both("ark-mysql", "pipeline of 16", &|| {
        Ok(Box::new(Typed::connect(Driver::runtime()?, url)?))
    })?;
    both("ark-mysql under block_on", "pipeline of 16", &|| {
        Ok(Box::new(Typed::connect(Driver::Thread, url)?))
    })?;
    for rival in &rivals.built {
        let turns = rival.turns(Task::Blob(u32::try_from(SIZE)?), url);
        let same = ONE_BY_ONE;
        lines.push(Line {
            title: format!("{rival}, one by one"),
            side: Box::new(turns.with_context(|| rival.to_string())?),
            to: To {
                same,
                own: lines.len(),
            },
        });
    }
    Ok(lines)
}

impl Line {
    pub(super) fn verify(&mut self) -> Result<()> {
        let verified = self.side.verify(QUERIES_A_TURN);
        verified.with_context(|| self.title.clone())
    }
}

/// All get the same keys in the same order.
struct Keyed {
    client: Box<dyn Client>,
    pipelined: bool,
    /// Queries so far.
    next: u32,
}

impl Side for Keyed {
    fn connection(&mut self) -> Result<Option<u64>> {
        self.client.connection().map(Some)
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let keys: Vec<i32> = keys(self.next).take(count as usize).collect();
        self.next = self.next.wrapping_add(count);
        if self.pipelined {
            self.client.pipelined(&keys)
        } else {
            self.client.serial(&keys)
        }
    }
}

/// What each line took in each round, as figures and ratios within the rounds.
pub(super) fn measured(
    lines: &[Line],
    rounds: &[Vec<Took>],
    units: u32,
    group: &str,
) -> Vec<Measured> {
    let of = |line: usize, figure: &dyn Fn(&Took) -> f64| -> Vec<f64> {
        let round = |round: &Vec<Took>| round.get(line).map_or(f64::NAN, figure);
        rounds.iter().map(round).collect()
    };
    let speed = |took: &Took| rate(units, took.wall);
    let cpu = |took: &Took| took.cpu.as_secs_f64() * 1e6 / f64::from(units);
    let ratio = |name: &str, line: usize, other: usize, figure: &dyn Fn(&Took) -> f64| {
        let pairs = of(line, figure).into_iter().zip(of(other, figure));
        Measure::new(name, pairs.map(|(one, other)| one / other).collect(), None)
    };
    let cell = |(line, Line { title, to, .. }): (usize, &Line)| Measured {
        group: group.to_owned(),
        label: title.clone(),
        measures: vec![
            Measure::new("queries/s", of(line, &speed), None),
            ratio(TO_PIPELINED, line, IN_FLIGHT, &speed),
            ratio("to the raw one that does the same", line, to.same, &speed),
            ratio("to its own one by one", line, to.own, &speed),
            Measure::new("client CPU us/query", of(line, &cpu), None),
            ratio("CPU to its own one by one", line, to.own, &cpu),
        ],
        counters: Default::default(),
    };
    lines.iter().enumerate().map(cell).collect()
}

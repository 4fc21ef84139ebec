//! What the table shows: ratios of cells that differ in one thing, theirs beside ours.

use super::{Cell, Mode, Transport, published};
use crate::figures::{Samples, grouped};
use crate::report::Finding;
use crate::worker::Round;

type Cells = [(Cell, Vec<Round>)];
type Change = fn(Cell) -> Cell;

/// All ratios.
pub(super) fn of(cells: &Cells, published: &[published::Row]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |what: String, note: &str, pick: &dyn Fn(&Cell) -> bool, other: Change| {
        findings.push(Finding {
            what,
            published: theirs(published, pick, other),
            ours: ours(cells, pick, other),
            note: note.to_owned(),
        });
    };
    for size in super::PAYLOADS {
        let bytes = grouped(size.into());
        add(
            format!("prepared / text, {bytes} bytes, 1 in flight"),
            "theirs loses as the payload grows",
            &|cell| cell.mode == Mode::Prepared && cell.payload == size && cell.in_flight == 1,
            |cell| Cell {
                mode: Mode::Text,
                ..cell
            },
        );
    }
    for size in super::PAYLOADS {
        let bytes = grouped(size.into());
        add(
            format!("TLS / TCP, {bytes} bytes"),
            "",
            &|cell| cell.transport == Transport::Tls && cell.payload == size,
            |cell| Cell {
                transport: Transport::Tcp,
                ..cell
            },
        );
    }
    for (mode, note) in [
        (
            Mode::Prepared,
            "theirs queues in the client; ours is a pipeline",
        ),
        (Mode::Text, "queued in the client by both"),
    ] {
        add(
            format!("16 in flight / 1 in flight, {mode:?}, 1 connection"),
            note,
            &|cell| cell.in_flight == 16 && cell.connections == 1 && cell.mode == mode,
            |cell| Cell {
                in_flight: 1,
                ..cell
            },
        );
    }
    add(
        "4 connections / 1, 1 in flight".to_owned(),
        "grows with the cores that client and server share",
        &|cell| cell.connections == 4 && cell.in_flight == 1,
        |cell| Cell {
            connections: 1,
            ..cell
        },
    );
    findings
}

/// The median over the pairs of the median over the rounds.
fn ours(cells: &Cells, pick: &dyn Fn(&Cell) -> bool, other: Change) -> Option<f64> {
    let of = |cell: &Cell| {
        cells
            .iter()
            .find(|(one, _)| one == cell)
            .map(|(_, rounds)| rounds)
    };
    let pair = |(cell, rounds): &(Cell, Vec<Round>)| {
        let others = of(&other(*cell))?;
        let ratio = |(one, other): (&Round, &Round)| one.rate() / other.rate();
        let ratios: Samples = rounds.iter().zip(others).map(ratio).collect();
        Some(ratios.median())
    };
    let picked = cells.iter().filter(|(cell, _)| pick(cell));
    median(picked.filter_map(pair).collect())
}

fn theirs(rows: &[published::Row], pick: &dyn Fn(&Cell) -> bool, other: Change) -> Option<f64> {
    let rate = |cell: &Cell| published::of(rows, cell, |row| row.queries_per_s);
    let pair = |cell: &Cell| Some(rate(cell)? / rate(&other(*cell))?);
    let all = Cell::all();
    median(
        all.iter()
            .filter(|cell| pick(cell))
            .filter_map(pair)
            .collect(),
    )
}

fn median(ratios: Vec<f64>) -> Option<f64> {
    let samples: Samples = ratios.iter().copied().collect();
    (!ratios.is_empty()).then(|| samples.median())
}

//! What arknet 0.2.0 published, as it was: each combination twice, by two versions of its I/O library.

use anyhow::{Context, Result};

use super::{Cell, Mode, Transport};

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Row {
    cell: Cell,
    pub(super) queries_per_s: f64,
    pub(super) p50_us: f64,
    pub(super) p99_us: f64,
    pub(super) client_cpu_percent: f64,
    pub(super) peak_rss_mib: f64,
}

/// Reads all of them.
pub(super) fn read() -> Result<Vec<Row>> {
    let lines = include_str!("../../reference/arknet-0.2.0-mysql.csv").lines();
    let rows = lines.skip(1).map(|line| {
        row(line).with_context(|| format!("not a line of the published table: {line}"))
    });
    rows.collect()
}

fn row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let [
        _,
        transport,
        mode,
        payload,
        connections,
        in_flight,
        figures @ ..,
    ] = &*fields
    else {
        return None;
    };
    let [rate, p50, p99, cpu, rss, _] = figures else {
        return None;
    };
    Some(Row {
        cell: Cell {
            transport: match *transport {
                "tcp" => Transport::Tcp,
                "tls" => Transport::Tls,
                _ => return None,
            },
            mode: match *mode {
                "text" => Mode::Text,
                "prepared" => Mode::Prepared,
                _ => return None,
            },
            payload: payload.parse().ok()?,
            connections: connections.parse().ok()?,
            in_flight: in_flight.parse().ok()?,
        },
        queries_per_s: rate.parse().ok()?,
        p50_us: p50.parse().ok()?,
        p99_us: p99.parse().ok()?,
        client_cpu_percent: cpu.parse().ok()?,
        peak_rss_mib: rss.parse().ok()?,
    })
}

/// The mean of both lines of a cell.
pub(super) fn of(rows: &[Row], cell: &Cell, of: impl Fn(&Row) -> f64) -> Option<f64> {
    let found: Vec<f64> = rows
        .iter()
        .filter(|row| row.cell == *cell)
        .map(of)
        .collect();
    let sum: f64 = found.iter().sum();
    (!found.is_empty()).then(|| sum / found.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::{Cell, of, read};

    #[test]
    fn every_cell_was_published_twice() {
        let rows = read().expect("it can be read");
        assert_eq!(rows.len(), 96);
        for cell in Cell::all() {
            let count = rows.iter().filter(|row| row.cell == cell).count();
            assert_eq!(count, 2, "{cell}");
            assert!(of(&rows, &cell, |row| row.queries_per_s).is_some_and(|rate| rate > 4000.0));
        }
    }
}

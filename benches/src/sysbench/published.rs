//! What was published of a cloud's MariaDB against community MySQL on 24 cores.

use super::Kind;

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    connections: u32,
    pub(super) qps: f64,
    pub(super) avg_ms: f64,
    pub(super) p99_ms: f64,
}

/// The cell, where it was published.
pub(super) fn of(kind: Kind, connections: u32, mariadb: bool) -> Option<Row> {
    rows(kind, mariadb).find(|row| row.connections == connections)
}

/// What 1,000 connections reached of the best.
pub(super) fn last_to_peak(kind: Kind, mariadb: bool) -> Option<f64> {
    let peak = rows(kind, mariadb).map(|row| row.qps).fold(0.0, f64::max);
    of(kind, 1000, mariadb).map(|row| row.qps / peak)
}

fn rows(kind: Kind, mariadb: bool) -> impl Iterator<Item = Row> {
    let kind = match kind {
        Kind::Read => "read",
        Kind::UpdateNonIndex => "update",
        Kind::Mixed => "mixed",
    };
    let lines = include_str!("../../reference/tencent-sysbench.csv").lines();
    lines.filter_map(move |line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [workload, connections, system, qps, avg, p99] = *fields else {
            return None;
        };
        let wanted = workload == kind && system.starts_with("mariadb") == mariadb;
        wanted.then_some(Row {
            connections: connections.parse().ok()?,
            qps: qps.parse().ok()?,
            avg_ms: avg.parse().ok()?,
            p99_ms: p99.parse().ok()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, of};

    #[test]
    fn all_thirty_cells_are_there() {
        for kind in [Kind::Read, Kind::UpdateNonIndex, Kind::Mixed] {
            for connections in [50, 100, 200, 500, 1000] {
                assert!(
                    [true, false]
                        .map(|mariadb| of(kind, connections, mariadb))
                        .iter()
                        .all(Option::is_some)
                );
            }
        }
    }
}

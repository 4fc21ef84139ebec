//! The fear: a kind cannot be run on a server, or a thousand connections of one process cannot be opened.

use std::time::Duration;

use ark_mysql::dev_server::Flavor;
use benches::report::Report;
use benches::server::{Choice, Server};
use benches::sysbench::{ARGUMENTS, Kind, Sysbench};
use benches::worker::Span;

fn measure(servers: &[Server], kinds: &[Kind], connections: &[u32]) -> Report {
    let sysbench = Sysbench {
        span: Span {
            warm_up: Duration::ZERO,
            round: Duration::from_millis(100),
            server: None,
        },
        rounds: 1,
        kinds: kinds.to_vec(),
        connections: connections.to_vec(),
        tables: 10,
        rows: 100,
    };
    sysbench
        .measure(servers, env!("CARGO_BIN_EXE_benches").as_ref(), |_| ())
        .expect("every row comes as it was stored")
}

#[test]
fn every_kind_runs_on_both_servers() {
    let servers = [Flavor::MySql, Flavor::MariaDb].map(|flavor| {
        let server = Choice::Dev(flavor).open_with(&ARGUMENTS);
        server.expect("the dev server starts")
    });
    let kinds = [Kind::Read, Kind::UpdateNonIndex, Kind::Mixed];
    let report = measure(&servers, &kinds, &[8]);
    assert_eq!(report.cells.len(), 6);
    for cell in &report.cells {
        let rate = cell.measure("queries/s").expect("it was measured");
        assert!(rate.median > 0.0, "{}", cell.name());
    }
}

#[test]
fn one_process_has_a_thousand_connections() {
    let server = Choice::Dev(Flavor::MySql).open_with(&ARGUMENTS);
    let server = server.expect("the dev server starts");
    let report = measure(&[server], &[Kind::Read], &[1000]);
    let cell = report.cells.first().expect("one cell");
    assert_eq!(cell.label, "1000 connections");
    assert!(
        cell.measure("queries/s")
            .is_some_and(|rate| rate.median > 0.0)
    );
}

/// The second cell wrote what the first one had written: no row changed.
#[test]
fn every_cell_writes_other_texts() {
    let server = Choice::Dev(Flavor::MySql).open_with(&ARGUMENTS);
    let server = server.expect("the dev server starts");
    let report = measure(&[server], &[Kind::UpdateNonIndex], &[1, 1, 2]);
    assert_eq!(report.cells.len(), 3);
}

//! The fear: a line of a workload cannot be run, or the raw socket does not do the same.

use ark_mysql::dev_server::Flavor;
use benches::beside::{Beside, Workload};
use benches::placement::Place;
use benches::rival::{Choice, Rivals};
use benches::server;
use clap::ValueEnum;

#[test]
fn every_line_runs_on_both_servers() {
    let servers = [Flavor::MySql, Flavor::MariaDb].map(|flavor| {
        let server = server::Choice::Dev(flavor).open();
        server.expect("the dev server starts")
    });
    let beside = Beside {
        name: "beside",
        rounds: 1,
        turns: 1,
        rows: Some(2_000),
        place: Place::Free,
        instructions: false,
        rivals: Rivals::of(&[Choice::All]), // those that happen to be built
    };
    let workloads = Workload::value_variants();
    let report = beside
        .measure(
            workloads,
            &servers,
            env!("CARGO_BIN_EXE_benches").as_ref(),
            |_| (),
        )
        .expect("every result is the expected one");
    for workload in workloads {
        let name = format!("{workload:?} on");
        let lines = report
            .cells
            .iter()
            .filter(|cell| cell.group.starts_with(&name));
        assert!(lines.count() >= 4, "{workload:?} on two servers");
    }
    for cell in &report.cells {
        let ratio = cell.measure("ratio to the first").expect("it was measured");
        assert!(ratio.median > 0.0, "{}", cell.name());
    }
}

//! The fear: a line of the pipeline cannot be run, or is held against another line than it says.

use ark_mysql::dev_server::Flavor;
use benches::pipeline::Pipeline;
use benches::placement::Place;
use benches::rival::{Choice, Rivals};
use benches::server;

#[test]
fn every_line_runs_on_both_servers() {
    for flavor in [Flavor::MySql, Flavor::MariaDb] {
        let server = server::Choice::Dev(flavor).open();
        let server = server.expect("the dev server starts");
        let pipeline = Pipeline {
            queries: 512,
            rounds: 2,
            place: Place::Free,
            rivals: Rivals::of(&[Choice::All]), // those that happen to be built
        };
        let report = pipeline
            .measure(&server)
            .expect("every query gives its row");
        let lines = 6 + pipeline.rivals.built.len();
        assert_eq!(report.cells.len(), lines, "{flavor:?}");
        for cell in &report.cells {
            let figures = ["queries/s", "client CPU us/query"];
            let more_than_nothing = |name| cell.measure(name).is_some_and(|one| one.min > 0.0);
            assert!(figures.into_iter().all(more_than_nothing), "{}", cell.label);
            let raw = cell.label.starts_with("raw socket");
            let to_same = cell.measure("to the raw one that does the same");
            let is_one = to_same.is_some_and(|ratio| ratio.min == 1.0 && ratio.max == 1.0);
            assert_eq!(is_one, raw, "{}", cell.label);
        }
    }
}

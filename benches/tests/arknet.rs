//! The fear: a cell cannot be run, or counts what did not come.

use std::time::Duration;

use ark_mysql::dev_server::Flavor;
use benches::arknet::{self, Arknet};
use benches::report::Report;
use benches::rival::Rivals;
use benches::server::Choice;
use benches::worker::Span;

#[test]
fn all_48_cells_run_and_are_reported() {
    let server = Choice::Dev(Flavor::MySql)
        .open()
        .expect("the dev server starts");
    let arknet = Arknet {
        span: Span {
            warm_up: Duration::ZERO,
            round: Duration::from_millis(20),
            server: None,
        },
        rounds: 1,
        payload: None,
        rivals: Rivals::default(),
    };
    let report = arknet
        .measure(&server, env!("CARGO_BIN_EXE_benches").as_ref(), |_| ())
        .expect("every blob comes as it was stored");
    assert_eq!(report.cells.len(), 48);
    for cell in &report.cells {
        for measure in &cell.measures {
            let name = (cell.name(), &measure.name);
            assert!(measure.median > 0.0, "{name:?}: {}", measure.median);
            assert!(
                measure.published.is_some_and(|figure| figure > 0.0),
                "{name:?}"
            );
        }
    }
    assert!(
        report
            .findings
            .iter()
            .all(|ratio| ratio.ours.is_some() && ratio.published.is_some())
    );

    let folder = tempfile::tempdir().expect("a folder");
    report
        .save(folder.path(), &arknet::CHARTED)
        .expect("it is written");
    let again = Report::load(&folder.path().join("arknet.json")).expect("it is read");
    assert_eq!(again.cells.len(), 48);
    assert_eq!(again.method, report.method);
    let charts = std::fs::read_dir(folder.path())
        .expect("the folder is there")
        .count()
        - 1;
    assert_eq!(charts, 3 * arknet::CHARTED.len());
}

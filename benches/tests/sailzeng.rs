//! The fear: an experiment cannot be run on a server, or its ratio stands beside nothing.

use ark_mysql::dev_server::Flavor;
use benches::sailzeng::{ARGUMENTS, Sailzeng, all};
use benches::server::Choice;

fn every_experiment_runs(flavor: Flavor, cached: bool) {
    let server = Choice::Dev(flavor).open_with(&ARGUMENTS);
    let server = server.expect("the dev server starts");
    let sailzeng = Sailzeng {
        experiments: Vec::new(),
        rows: 20,
        rounds: 1,
    };
    let report = sailzeng
        .measure(&[server], |_| ())
        .expect("every row comes as it was stored");
    for experiment in all(20) {
        let mine = |name: &str| name.starts_with(&format!("{} on ", experiment.id));
        let ratios = report.findings.iter().filter(|one| mine(&one.what));
        let caches = ["C2", "C3"].contains(&experiment.id);
        let expected = if caches && !cached {
            0
        } else {
            experiment.ratios.len()
        };
        assert_eq!(ratios.count(), expected, "{}", experiment.id);
    }
    for cell in &report.cells {
        let rate = cell.measure("operations/s").expect("it was measured");
        assert!(rate.median > 0.0, "{}", cell.name());
        assert!(
            cell.counters.keys().any(|name| name.starts_with("Com_")),
            "{}",
            cell.name()
        );
    }
}

#[test]
fn every_experiment_runs_on_mysql() {
    every_experiment_runs(Flavor::MySql, false);
}

#[test]
fn every_experiment_runs_on_mariadb() {
    every_experiment_runs(Flavor::MariaDb, true);
}

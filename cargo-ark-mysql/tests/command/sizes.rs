//! Statements of unusual size.

use crate::project::Project;
use crate::support::{BOTH, Said, database, sql};

/// Case 95: 70 kB of SQL.
#[test]
fn a_statement_of_seventy_kilobytes_is_one_like_any_other() {
    let project = Project::new("wordy");
    let numbers: Vec<String> = (10_000..21_000).map(|number| number.to_string()).collect();
    let list = numbers.join(", ");
    assert!(list.len() > 70_000);
    let statement =
        format!("query!(\"SELECT id, name FROM users WHERE id IN ({list}) AND name = ?\", \"a\")");
    project.statements("src/lib.rs", &[&statement]);
    for (flavor, written) in [(BOTH[0], "1 written"), (BOTH[1], "0 written, 1 unchanged")] {
        let url = database(flavor, "wordy");
        sql(
            &url,
            "CREATE TABLE users (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL)",
        );
        project.run_on(&url, "prepare").with(0, &[written]);
        project.run_on(&url, "check").with(0, &["agree"]);
    }
    let said = Said::of(project.cargo("check").output().unwrap());
    said.with(0, &["Finished"]);
}

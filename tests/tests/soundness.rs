//! Random statements on all servers: no column that is called NOT NULL is ever NULL, no kind fails to hold what comes.
//!
//! `ARK_MYSQL_TEST_SEED` repeats a run; `ARK_MYSQL_SOUNDNESS=25000` asks for so many statements on each server.

use std::env;
use std::time::UNIX_EPOCH;

use ark_mysql_check::description::Kind;
use ark_mysql_check::sql::Sql;
use tests::soundness::{self, Breach, Report};
use tests::{FLAVORS, Flavor, Server};

/// What fits into an ordinary test run.
const STATEMENTS: usize = 2000;

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is no number")),
    )
}

fn seed() -> u64 {
    number("ARK_MYSQL_TEST_SEED").unwrap_or_else(|| UNIX_EPOCH.elapsed().unwrap().as_secs() << 16)
}

#[expect(clippy::print_stderr, reason = "the seed and the counts are the point")]
fn fuzzed(server: Server) -> Report {
    let statements =
        number("ARK_MYSQL_SOUNDNESS").map_or(STATEMENTS, |count| usize::try_from(count).unwrap());
    let seed = seed();
    eprintln!("{server}: ARK_MYSQL_TEST_SEED={seed}");
    let report = soundness::fuzz(server, seed, statements, &soundness::described);
    eprintln!("{report}");
    report
}

#[test]
fn mysql_keeps_what_is_promised() {
    let report = fuzzed(Server::MySql);
    assert!(report.findings.is_empty(), "{report}");
}

#[test]
fn mariadb_keeps_what_is_promised() {
    let report = fuzzed(Server::MariaDb);
    assert!(report.findings.is_empty(), "{report}");
}

#[test]
fn mariadb_10_keeps_what_is_promised() {
    let report = fuzzed(Server::MariaDb10);
    assert!(report.findings.is_empty(), "{report}");
}

/// A rule that is plausible and wrong: the fuzzer has to find it, or its silence means nothing.
#[test]
fn a_planted_unsound_rule_is_caught() {
    for flavor in FLAVORS {
        let planted = |sql: &Sql, settings: &_| {
            let mut described = soundness::described(sql, settings)?;
            if !sql.text().contains(" JOIN ") {
                for column in &mut described.description.columns {
                    column.nullable &= column.table.is_some();
                }
            }
            Ok(described)
        };
        let report = soundness::fuzz(flavor, 1, 250, &planted);
        let caught = |breach: &Breach| matches!(breach, Breach::Null { .. });
        assert!(
            report
                .findings
                .iter()
                .any(|finding| caught(&finding.breach)),
            "{report}"
        );
    }
}

/// The same for kinds.
#[test]
fn a_planted_wrong_kind_is_caught() {
    let planted = |sql: &Sql, settings: &_| {
        let mut described = soundness::described(sql, settings)?;
        for column in &mut described.description.columns {
            if column.kind == Kind::Text && column.table.is_none() {
                column.kind = Kind::BigInt;
            }
        }
        Ok(described)
    };
    let report = soundness::fuzz(Flavor::MariaDb, 1, 250, &planted);
    let caught = |breach: &Breach| matches!(breach, Breach::Kind { .. });
    assert!(
        report
            .findings
            .iter()
            .any(|finding| caught(&finding.breach)),
        "{report}"
    );
}

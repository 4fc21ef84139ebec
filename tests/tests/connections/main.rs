//! What a connection promises beyond its statements: who it says it is, how its session is set up and stays, and what it does with everything that a server
//! may answer. Each test on MySQL and on MariaDB.

mod attributes;
#[path = "../by_hand/mod.rs"]
mod by_hand;
mod change_user;
mod ended_runtime;
mod init_statements;
mod local_infile;
#[expect(dead_code, reason = "it can do more than is needed here")]
#[path = "../integration/support/middleman.rs"]
mod middleman;
mod result_sets;
mod session_tracking;
mod tls;

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result, query};

/// The first column of the first row, by SQL made at run time.
async fn one<T: ark_mysql::dynamic::FromValue>(conn: &mut Connection, sql: &str) -> Result<T> {
    query(sql).fetch_one(conn).await?.get(0)
}

/// Fails unless it is an error of this kind and outcome, and gives it back.
#[track_caller]
fn fails<T>(result: Result<T>, kind: ErrorKind, outcome: Outcome) -> Error {
    let Err(error) = result else {
        panic!("no error, where {kind:?} should be one")
    };
    assert_eq!((error.kind(), error.outcome()), (kind, outcome), "{error}");
    error
}

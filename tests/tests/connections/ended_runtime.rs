//! A connection whose tokio runtime has ended: nothing would hear an answer, so nothing is sent.

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result, query};
use tests::{Database, FLAVORS};
use tokio::runtime::Builder;

use crate::{fails, one};

const INSERT: &str = "INSERT INTO t VALUES (?)";

/// Opened, and used for the statement, on a runtime that has ended since.
fn left_over(url: String) -> Connection {
    let opening = async {
        let mut conn = Connection::connect(url).await.unwrap();
        query(INSERT).bind(1).execute(&mut conn).await.unwrap();
        conn
    };
    let made = std::thread::spawn(|| {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(opening)
    });
    made.join().unwrap()
}

#[track_caller]
fn says_why<T>(result: Result<T>) -> Error {
    let error = fails(result, ErrorKind::ConnectionClosed, Outcome::NotSent);
    assert!(error.to_string().contains("runtime"), "{error}");
    error
}

#[tokio::test]
async fn sends_nothing_and_says_so() -> Result<()> {
    for flavor in FLAVORS {
        let database = Database::with_schema(flavor, "CREATE TABLE t (a INT)");
        for by in [database.url(), database.tls_url(), database.socket_url()] {
            let conn = || left_over(by.clone());
            says_why(query(INSERT).bind(2).execute(&mut conn()).await);
            let other = "INSERT INTO t VALUES (? + 1)";
            says_why(query(other).bind(2).execute(&mut conn()).await);
            says_why(conn().run_script("INSERT INTO t VALUES (2)").await);
            says_why(conn().begin().await.map(drop));
            says_why(conn().ping().await);
            let mut again = conn();
            says_why(again.ping().await);
            says_why(query(INSERT).bind(2).execute(&mut again).await);
            conn().close().await?;
        }
        let mut conn = Connection::connect(database.url()).await?;
        let (sent, all): (i64, i64) = (
            one(&mut conn, "SELECT COUNT(*) FROM t WHERE a > 1").await?,
            one(&mut conn, "SELECT COUNT(*) FROM t").await?,
        );
        assert_eq!((sent, all), (0, 3 * 7), "{flavor:?}");
    }
    Ok(())
}

/// What was open is undone by the server: of a commit that was not sent nobody needs to ask what became of it.
#[tokio::test]
async fn a_commit_was_not_sent() -> Result<()> {
    for flavor in FLAVORS {
        let database = Database::with_schema(flavor, "CREATE TABLE t (a INT)");
        let url = database.url();
        // The transaction borrows the connection, and both outlive the runtime.
        let failed = std::thread::spawn(move || {
            let build = || Builder::new_current_thread().enable_all().build().unwrap();
            let first = build();
            let mut conn = first.block_on(Connection::connect(url)).unwrap();
            let mut tx = first.block_on(async { conn.begin().await }).unwrap();
            let inserting = query(INSERT).bind(1);
            first.block_on(inserting.execute(&mut tx)).unwrap();
            drop(first);
            build().block_on(async { tx.commit().await })
        });
        let failed = failed.join().unwrap();
        let error = failed.unwrap_err();
        assert_eq!(error.outcome(), Outcome::NotSent, "{flavor:?}: {error}");
        assert!(error.to_string().contains("runtime"), "{error}");
    }
    Ok(())
}

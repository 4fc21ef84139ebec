//! B9: the line is cut around COMMIT. Each error says what is known, and nothing is ever sent again.

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query};
use tests::Server;

use crate::support::{Cut, Proxy, one, reached, times};

async fn commits(url: &str) -> Result<i64> {
    let row = query("SHOW GLOBAL STATUS LIKE 'Com_commit'")
        .fetch_one(&mut Connection::connect(url).await?)
        .await?;
    row.get::<String>(1).map(|count| count.parse().unwrap())
}

/// Where the line is cut, and what the error must say.
const CUTS: [(&str, Option<Cut>, ErrorKind, Outcome); 3] = [
    (
        "before the first byte",
        None,
        ErrorKind::ConnectionClosed,
        Outcome::NotSent,
    ),
    (
        "after it left",
        Some(Cut::BeforeServer),
        ErrorKind::CommitOutcomeUnknown,
        Outcome::Unknown,
    ),
    (
        "after the server's OK",
        Some(Cut::BeforeAnswer),
        ErrorKind::CommitOutcomeUnknown,
        Outcome::Unknown,
    ),
];

async fn cut_around_commit(of: Server) -> Result<()> {
    // A server of its own, so that its counters are.
    let server = tokio::task::spawn_blocking(move || of.builder().start().unwrap())
        .await
        .unwrap();
    let direct = server.url_for("b9");
    let mut admin = Connection::connect(server.url()).await?;
    admin
        .run_script("CREATE DATABASE b9; CREATE TABLE b9.marks (id INT PRIMARY KEY)")
        .await?;
    let proxy = Proxy::before(&server).await;
    let url = proxy.url(&format!("{direct}?ssl-mode=disabled"), &server);
    let rounds = times(200, 1000);
    for (cut_number, (what, cut, kind, outcome)) in CUTS.into_iter().enumerate() {
        let before = commits(&direct).await?;
        for round in 0..rounds {
            let id = i32::try_from(cut_number * 10_000 + round).unwrap();
            let mut conn = Connection::connect(&url).await?;
            let mut tx = conn.begin().await?;
            query("INSERT INTO marks VALUES (?)")
                .bind(id)
                .execute(&mut tx)
                .await?;
            match cut {
                Some(cut) => proxy.cut(cut),
                None => proxy.cut_now().await,
            }
            let error = tx.commit().await.unwrap_err();
            assert_eq!(
                (error.kind(), error.outcome()),
                (kind, outcome),
                "{what}: {error}"
            );
            assert_eq!(
                error.unknown_commit().map(|commit| commit.connection_id()),
                cut.map(|_| conn.id()),
                "{what}"
            );
            assert!(conn.is_closed());
        }
        let rounds = i64::try_from(rounds).unwrap();
        let expected = if cut == Some(Cut::BeforeAnswer) {
            rounds
        } else {
            0
        };
        let mut sent = commits(&direct).await? - before;
        for _ in 0..100 {
            if sent == expected {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            sent = commits(&direct).await? - before;
        }
        let marks: i64 = one(
            &mut admin,
            &format!(
                "SELECT COUNT(*) FROM b9.marks WHERE id >= {}",
                cut_number * 10_000
            ),
        )
        .await?;
        assert_eq!(
            (sent, marks),
            (expected, expected),
            "{what}: each COMMIT came once"
        );
        reached(
            "B9",
            format_args!(
                "{of} cut {what}: {rounds} of {rounds} classified {outcome:?}, the server saw {sent} COMMITs"
            ),
        );
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_mysql() -> Result<()> {
    tests::in_time(cut_around_commit(Server::MySql)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_mariadb() -> Result<()> {
    tests::in_time(cut_around_commit(Server::MariaDb)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_mariadb_10() -> Result<()> {
    tests::in_time(cut_around_commit(Server::MariaDb10)).await
}

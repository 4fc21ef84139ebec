//! A line that ends in the middle of a pipeline: what was written behind it is unknown, what was not is not sent, and no more rows are there than that allows.

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result, query};
use tests::{Database, Transport, on_every_server};

use crate::by_hand::{run, statement};
use crate::line::{How, Line, Plan, Side};

statement!(Write Add(n, data): "INSERT INTO pieces VALUES (?, ?)" => Added {});

const ITEMS: u32 = 400;

/// Answered, unknown and not sent ones: in this order, and no other.
fn counted(what: &str, results: &[Result<ark_mysql::Done, Error>]) -> [usize; 3] {
    let rank = |result: &Result<ark_mysql::Done, Error>| match result {
        Ok(_) => 0,
        Err(error) => {
            let lost = matches!(
                error.kind(),
                ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed
            );
            assert!(lost, "{what}: {error}");
            match error.outcome() {
                Outcome::Unknown => 1,
                Outcome::NotSent => 2,
                outcome => panic!("{what}: {outcome:?}: {error}"),
            }
        }
    };
    let ranks: Vec<usize> = results.iter().map(rank).collect();
    assert!(ranks.is_sorted(), "{what}: {ranks:?}");
    [0, 1, 2].map(|rank| ranks.iter().filter(|known| **known == rank).count())
}

/// How many rows there are once the server has done with this connection.
async fn rows(database: &Database, id: u32) -> Result<usize> {
    let mut admin = Connection::connect(database.url()).await?;
    let there = format!("SELECT COUNT(*) FROM information_schema.processlist WHERE id = {id}");
    while count(&mut admin, &there).await? > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    count(&mut admin, "SELECT COUNT(*) FROM pieces").await
}

async fn count(conn: &mut Connection, sql: &str) -> Result<usize> {
    let count: i64 = query(sql).fetch_one(conn).await?.get(0)?;
    Ok(usize::try_from(count).unwrap())
}

/// `after`: so many bytes of the client's, or of the server's, pass after the connection was made.
async fn cut(
    database: &Database,
    side: Side,
    after: u64,
    how: How,
    size: usize,
) -> Result<[usize; 3]> {
    let what = format!("{side:?} after {after} bytes, {how:?}, values of {size}");
    let server = database.server().port();
    let line = Line::to(server).await;
    let mut conn = Connection::connect(line.url(&database.url_by(Transport::Tcp), server)).await?;
    database.run("TRUNCATE pieces");
    let data = "x".repeat(size);
    let data = data.as_str();
    run!(Add, 1_000_000_u32, data).execute(&mut conn).await?; // it is prepared, and how much may be sent is known
    let wire = line.take_wire().expect("it connected");
    let [client, from_server] = wire.passed();
    let so_far = if side == Side::Client {
        client
    } else {
        from_server
    };
    wire.strike(Plan {
        side,
        after: so_far + after,
        how,
    });
    let numbers: Vec<u32> = (0..ITEMS).collect();
    let results = conn
        .execute_many(numbers.iter().map(|n| run!(Add, *n, data)))
        .await?;
    assert_eq!(results.len(), usize::try_from(ITEMS).unwrap(), "{what}");
    let counts = counted(&what, &results);
    let [done, unknown, not_sent] = counts;
    assert!(
        conn.is_closed() && not_sent > 0 && unknown > 0,
        "{what}: {counts:?}"
    );
    let there = rows(database, conn.id()).await? - 1;
    assert!(
        (done..=done + unknown).contains(&there),
        "{what}: {counts:?}, {there} are there"
    );
    Ok(counts)
}

on_every_server! {
    async fn are_told_item_by_item(database: Database) -> Result<()> {
        database.run("CREATE TABLE pieces (n INT PRIMARY KEY, data LONGTEXT)");
        for how in [How::Fin, How::Rst] {
            let mut done = Vec::new();
            for after in [0, 1, 60, 700, 3000] {
                done.push(cut(&database, Side::Client, after, how, 10).await?[0]);
                done.push(cut(&database, Side::Server, after / 5, how, 10).await?[0]);
            }
            assert!(done.contains(&0) && done.iter().any(|done| *done > 5), "{done:?}");
            // More than the sockets take: of what stands in our own buffers nothing has left.
            for after in [0, 100_000, 3_000_000] {
                cut(&database, Side::Client, after, how, 200_000).await?;
            }
        }
        Ok(())
    }
}

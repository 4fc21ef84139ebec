//! Rows that nobody reads to their end: memory, the next statement, and the pool must not suffer.

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result, query, query_scalar};
use tests::{Database, on_every_server};

use crate::support::{fails, open, right_or_closed};

/// 20 000 rows of 200 bytes: more than is drained, and more than fits the socket's buffers.
async fn many(database: &Database) -> Result<Connection> {
    let mut conn = open(database).await?;
    conn.run_script(
        "INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 99)
            SELECT x.i + y.i * 100 + z.i * 10000, REPEAT(CHAR(65 + x.i % 26), 200) FROM d x, d y, d z WHERE z.i < 2",
    )
    .await?;
    Ok(conn)
}

on_every_server! {
    async fn at_every_stage(database: Database) -> Result<()> {
        let mut conn = many(&database).await?;
        for limit in [3u32, 100, 20_000] {
            for read in [0usize, 1, 2, 3, 99, 100, 5000] {
                let mut rows = query!("SELECT n, pad FROM numbers WHERE n < ? ORDER BY n", limit).fetch(&mut conn);
                for number in 0..read {
                    let row = rows.next().await?;
                    assert_eq!(row.map(|row| row.n), u32::try_from(number).ok().filter(|number| *number < limit));
                }
                drop(rows);
                let usable = right_or_closed(&mut conn, &format!("{read} of {limit} rows read")).await;
                assert!(usable || limit > 100, "little is left of {limit} rows");
                if read == 0 {
                    assert!(usable, "nothing was sent");
                }
                if !usable {
                    fails(conn.ping().await, ErrorKind::ConnectionClosed, Outcome::NotSent);
                    conn = Connection::connect(database.url()).await?;
                }
            }
        }
        Ok(())
    }

    async fn of_a_pools_connection(database: Database) -> Result<()> {
        many(&database).await?;
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        for read in [0usize, 1, 100, 7000] {
            let mut rows = query!("SELECT n, pad FROM numbers ORDER BY n").fetch(&pool);
            for _ in 0..read {
                rows.next().await?.expect("there are more");
            }
            drop(rows);
            // The caller never sees that the connection was given up.
            for id in 1..4u32 {
                assert_eq!(query_scalar!("SELECT id FROM users WHERE id = ?", id).fetch_one(&pool).await?, id, "after {read} rows");
            }
            assert!(pool.size() <= 1);
        }
        Ok(())
    }

    async fn the_first_of_many_by_fetch_one_and_fetch_optional(database: Database) -> Result<()> {
        let mut conn = many(&database).await?;
        for _ in 0..2 {
            assert_eq!(query!("SELECT n, pad FROM numbers ORDER BY n").fetch_one(&mut conn).await?.n, 0);
            let last = query!("SELECT n FROM numbers ORDER BY n DESC").text().fetch_optional(&mut conn).await?;
            assert_eq!(last.map(|row| row.n), Some(19_999));
            assert!(right_or_closed(&mut conn, "all rows were read").await);
        }
        Ok(())
    }

    async fn by_a_reader_that_is_slow(database: Database) -> Result<()> {
        let mut conn = many(&database).await?;
        let mut rows = query!("SELECT n, pad FROM numbers ORDER BY n").fetch(&mut conn);
        let mut next = 0;
        while let Some(row) = rows.next().await? {
            assert_eq!((row.n, row.pad.len()), (next, 200));
            next += 1;
            if next % 5000 == 0 {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
        assert_eq!(next, 20_000);
        Ok(())
    }

    async fn after_an_error_in_the_middle(database: Database) -> Result<()> {
        let mut conn = many(&database).await?;
        database.run("INSERT INTO every_type (id, boolean) VALUES (1, 1), (2, 7), (3, 0)");
        for _ in 0..2 {
            fails(query!("SELECT id, boolean FROM every_type ORDER BY id").fetch_all(&mut conn).await, ErrorKind::Decode, Outcome::Done);
            assert!(right_or_closed(&mut conn, "one more row was left").await);
        }
        Ok(())
    }
}

//! Packets that are nearly, and rows that are too large.

use ark_mysql::{
    ConnectOptions, Connection, ErrorKind, Outcome, Result, insert_many, query_scalar,
};
use tests::{Database, on_every_server};

use crate::support::{all, connected, numbers, rows};

/// Rows with so many bytes each arrive whole.
async fn arrive(conn: &mut Connection, sizes: &[usize]) -> Result<()> {
    let blobs = sizes
        .iter()
        .zip(0_i32..)
        .map(|(size, id)| (id, vec![7_u8; *size]));
    let done = insert_many!("INSERT INTO blobs (id, data) VALUES (?, ?)", blobs)
        .execute(&mut *conn)
        .await?;
    assert_eq!(done.rows_affected(), u64::try_from(sizes.len()).unwrap());
    let rows = ark_mysql::query("SELECT LENGTH(data) AS size FROM blobs ORDER BY id")
        .fetch_all(&mut *conn)
        .await?;
    let found: Result<Vec<i64>> = rows.iter().map(|row| row.get("size")).collect();
    let sizes: Vec<i64> = sizes
        .iter()
        .map(|size| i64::try_from(*size).unwrap())
        .collect();
    assert!(found? == sizes);
    ark_mysql::query("DELETE FROM blobs").execute(conn).await?;
    Ok(())
}

on_every_server! {
    async fn rows_about_as_large_as_a_command(database: Database) -> Result<()> {
        const MIB: usize = 1 << 20;
        let mut conn = connected(&database).await?;
        arrive(&mut conn, &[MIB / 3; 20]).await?;
        for bytes in 0..40 {
            arrive(&mut conn, &[10, MIB - bytes, 10, MIB / 2, MIB / 2 - bytes]).await?;
        }
        arrive(&mut conn, &[3 * MIB, 1, MIB + 1, 0, 5 * MIB]).await
    }

    async fn a_small_limit_of_our_own(database: Database) -> Result<()> {
        database.load_schema();
        let options: ConnectOptions = database.url().parse()?;
        let mut conn = Connection::connect(options.max_send(8192)).await?;
        arrive(&mut conn, &[100; 500]).await?;
        arrive(&mut conn, &[8000, 4000, 4000, 1, 8100]).await?;
        let blobs = [10, 10, 9000, 10].iter().zip(0_i32..).map(|(size, id)| (id, vec![7_u8; *size]));
        let error = insert_many!("INSERT INTO blobs (id, data) VALUES (?, ?)", blobs).execute(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.row(), error.outcome()), (ErrorKind::TooLarge, Some(2), Outcome::Rejected), "{error}");
        arrive(&mut conn, &[1]).await
    }

    async fn a_row_larger_than_the_server_takes(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let limit: u64 = ark_mysql::query("SELECT CAST(@@max_allowed_packet AS UNSIGNED) AS size").fetch_one(&mut conn).await?.get("size")?;
        let size = usize::try_from(limit).unwrap();
        let blobs = [10, size].into_iter().zip(0_i32..).map(|(size, id)| (id, vec![7_u8; size]));
        let error = insert_many!("INSERT INTO blobs (id, data) VALUES (?, ?)", blobs).execute(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.row(), error.outcome()), (ErrorKind::TooLarge, Some(1), Outcome::Rejected), "{error}");
        arrive(&mut conn, &[size - 1000, 1]).await
    }

    /// The statements for many rows are made at run time, and one of them is longer than all that some of these caches may keep; so are lists and dynamic SQL.
    async fn statements_longer_than_the_cache_may_keep(database: Database) -> Result<()> {
        const COUNT: u32 = 20_000;
        let long = format!("SELECT COUNT(*) AS count FROM numbers /* {} */", "long ".repeat(20_000));
        let listed: Vec<u32> = (0..COUNT).collect();
        database.load_schema();
        let options: ConnectOptions = database.url().parse()?;
        for capacity in [0, 1, 2, 3, 100] {
            let mut conn = Connection::connect(options.clone().statement_cache_capacity(capacity)).await?;
            for round in 0..3 {
                let done = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(COUNT)).execute(&mut conn).await?;
                assert_eq!(done.rows_affected(), u64::from(COUNT), "{capacity}, {round}");
                let found = query_scalar!("SELECT COUNT(*) FROM numbers WHERE n IN (?)", ..&listed).fetch_one(&mut conn).await?;
                assert_eq!(found, i64::from(COUNT), "{capacity}, {round}");
                let count: i64 = ark_mysql::query(&long).fetch_one(&mut conn).await?.get("count")?;
                assert_eq!((count, numbers(&mut conn).await?), (found, all(COUNT)), "{capacity}, {round}");
                ark_mysql::query("DELETE FROM numbers").execute(&mut conn).await?;
            }
        }
        Ok(())
    }
}

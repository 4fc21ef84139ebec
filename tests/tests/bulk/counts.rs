//! Any number of rows, and what is sent for it.

use ark_mysql::{Connection, Done, Pool, Result, insert_many};
use tests::{Database, Flavor, on_every_server};

use crate::support::{Sent, all, connected, numbers, rows};

/// The most rows that a statement has in its text.
const CHUNK: u32 = 512;

on_every_server! {
    async fn every_number_of_rows(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        for count in [0, 1, 2, 3, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 10_000] {
            let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(count));
            let done = insert.execute(&mut conn).await?;
            assert_eq!(done.rows_affected(), u64::from(count), "{count}");
            assert_eq!(numbers(&mut conn).await?, all(count), "{count}");
            let last = ark_mysql::query("SELECT pad FROM numbers ORDER BY n DESC LIMIT 1").fetch_optional(&mut conn).await?;
            let last: Option<String> = last.map(|row| row.get("pad")).transpose()?;
            assert_eq!(last, count.checked_sub(1).map(|n| format!("row {n}")));
            assert!(!conn.in_transaction(), "{count}");
            ark_mysql::query("DELETE FROM numbers").execute(&mut conn).await?;
        }
        Ok(())
    }

    async fn few_commands(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let in_bulk = database.flavor() == Flavor::MariaDb;
        // 10,000 rows are 19 times 512, then 256 and 16; 511 are 256 and the powers of two below.
        for (count, chunks, new_sizes) in [
            (10_000, 21, 3),
            (10_000, 21, 0),
            (CHUNK, 1, 0),
            (CHUNK - 1, 9, 7),
        ] {
            ark_mysql::query("DELETE FROM numbers").execute(&mut conn).await?;
            let before = Sent::so_far(&mut conn).await?;
            let nothing = Sent::so_far(&mut conn).await?.since(before);
            let before = Sent::so_far(&mut conn).await?;
            insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(count)).execute(&mut conn).await?;
            let sent = Sent::so_far(&mut conn).await?.since(before).since(nothing);
            let wanted = match in_bulk {
                // The statement with its one row, prepared by the first of them and executed once for all rows.
                true => Sent { executed: 1, prepared: u64::from(new_sizes == 3), begun: 0 },
                false => Sent { executed: chunks, prepared: new_sizes, begun: u64::from(chunks > 1) },
            };
            assert_eq!(sent, wanted, "{count}");
        }
        Ok(())
    }

    async fn proxies_get_ordinary_statements(database: Database) -> Result<()> {
        database.load_schema();
        let mut conn = Connection::connect(format!("{}?compat=proxy", database.url())).await?;
        for count in [0, 1, CHUNK + 7, 3000] {
            let done = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(count)).execute(&mut conn).await?;
            assert_eq!(done.rows_affected(), u64::from(count));
            assert_eq!(numbers(&mut conn).await?, all(count));
            ark_mysql::query("DELETE FROM numbers").execute(&mut conn).await?;
        }
        // 1, 2, 4, 512 for 519 rows; 256, 128, 32, 16, 8 for the rest of 3000; the SELECT of this test.
        assert_eq!(conn.cached_statements(), 4 + 5 + 1);
        Ok(())
    }

    async fn without_rows_nothing_is_sent(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        Sent::so_far(&mut conn).await?;
        let before = Sent::so_far(&mut conn).await?;
        let nothing = Sent::so_far(&mut conn).await?.since(before);
        let before = Sent::so_far(&mut conn).await?;
        let none = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(0));
        assert_eq!(none.execute(&mut conn).await?, Done::default());
        assert_eq!(Sent::so_far(&mut conn).await?.since(before), nothing);
        let pool = Pool::connect(database.url()).await?;
        pool.close().await;
        let none = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(0));
        assert_eq!(none.execute(&pool).await?, Done::default(), "not even a connection is asked for");
        Ok(())
    }

    async fn by_pools_leases_and_transactions(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let pool = Pool::connect(database.url()).await?;
        insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(3000)).execute(&pool).await?;
        assert_eq!(numbers(&mut conn).await?, all(3000));
        let mut lease = pool.acquire().await?;
        insert_many!("REPLACE INTO numbers (n, pad) VALUES (?, ?)", rows(4000)).execute(&mut lease).await?;
        drop(lease);
        assert_eq!(numbers(&mut conn).await?, all(4000));
        let mut tx = pool.begin().await?;
        insert_many!("REPLACE INTO numbers (n, pad) VALUES (?, ?)", rows(5000)).execute(&mut tx).await?;
        assert_eq!(numbers(&mut conn).await?, all(4000), "it is not committed yet");
        tx.commit().await?;
        assert_eq!(numbers(&mut conn).await?, all(5000));
        let mut tx = pool.begin().await?;
        insert_many!("REPLACE INTO numbers (n, pad) VALUES (?, ?)", rows(6000)).execute(&mut tx).await?;
        tx.rollback().await?;
        assert_eq!(numbers(&mut conn).await?, all(5000), "the transaction is the caller's");
        Ok(())
    }

    async fn ids_and_their_order(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let people = (0..2000_i32).map(|age| (format!("number {age}"), (age % 3 != 0).then_some(age)));
        let done = insert_many!("INSERT INTO users (name, age) VALUES (?, ?)", people).execute(&mut conn).await?;
        assert_eq!((done.rows_affected(), done.last_insert_id()), (2000, 4), "three are there before");
        let wrong = ark_mysql::query(
            "SELECT COUNT(*) AS wrong FROM (SELECT name, age, ROW_NUMBER() OVER (ORDER BY id) - 1 AS n FROM users WHERE id > 3) AS u
             WHERE name <> CONCAT('number ', n) OR NOT (age <=> IF(n % 3 = 0, NULL, n))",
        );
        let wrong: i64 = wrong.fetch_one(&mut conn).await?.get("wrong")?;
        assert_eq!(wrong, 0);
        Ok(())
    }
}

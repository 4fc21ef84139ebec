//! Rows and parameters around the largest packet, where a payload goes on in the next packet, or ends with an empty one.

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query, query_scalar};
use tests::{Database, on_every_server};

use crate::support::{code, fails, one, open};

const FULL: usize = (1 << 24) - 1;

async fn roomy(database: &Database) -> Result<Connection> {
    database.run("SET GLOBAL max_allowed_packet = 67108864");
    open(database).await
}

/// Bytes that differ from place to place.
fn bytes(count: usize) -> Vec<u8> {
    (0..251u8).cycle().take(count).collect()
}

on_every_server! {
    async fn rows_are_whole(database: Database) -> Result<()> {
        let mut conn = roomy(&database).await?;
        let full = i32::try_from(FULL).unwrap();
        conn.run_script("INSERT INTO blobs VALUES (1, REPEAT('0123456789abcdefghijklmnopqrstuvwxyz.', 500000))").await?;
        let pattern = query_scalar!("SELECT data FROM blobs WHERE id = ?", 1).fetch_one(&mut conn).await?;
        assert_eq!(pattern.len(), 18_500_000);
        // A row's payload is 6 bytes longer by the binary protocol, 4 by the text protocol.
        for count in (full - 8..full - 2).chain([full, full + 1, full + 2]) {
            for text in [false, true] {
                let row = query_scalar!("SELECT LEFT(data, ?) FROM blobs WHERE id = 1", count);
                let row = if text { row.text().fetch_one(&mut conn).await? } else { row.fetch_one(&mut conn).await? };
                let row = row.expect("not longer than max_allowed_packet");
                assert!(row == pattern[..usize::try_from(count).unwrap()], "{count} bytes, text: {text}");
            }
        }
        // Two full packets, and a column behind the long one.
        let row = query!("SELECT CONCAT(data, LEFT(data, ?)) AS data, 7 AS end FROM blobs WHERE id = 1", 2 * full - 18_500_000 - 14).fetch_one(&mut conn).await?;
        assert_eq!((row.data.map(|data| data.len()), row.end), (Some(2 * FULL - 14), 7));
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }

    async fn parameters_are_whole(database: Database) -> Result<()> {
        let mut conn = roomy(&database).await?;
        let pattern = bytes(FULL + 2);
        // EXECUTE with one parameter is 18 bytes longer than it, 16 without its type.
        for count in (FULL - 20..FULL - 14).chain([FULL, FULL + 1, FULL + 2]) {
            let value = &pattern[..count];
            let done = query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", value).execute(&mut conn).await?;
            assert!(done.rows_affected() > 0);
            assert!(query_scalar!("SELECT data FROM blobs WHERE id = ?", 1).fetch_one(&mut conn).await? == value, "{count} bytes");
        }
        // As text it is twice as long, in hexadecimal digits.
        for count in [FULL / 2 - 21, FULL / 2 - 20, FULL / 2 - 19, FULL / 2] {
            let value = &pattern[..count];
            query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", value).text().execute(&mut conn).await?;
            assert!(query_scalar!("SELECT data FROM blobs WHERE id = ?", 1).fetch_one(&mut conn).await? == value, "{count} bytes");
        }
        Ok(())
    }

    async fn lengths_at_which_their_encoding_changes(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for count in [0, 1, 249, 250, 251, 252, 253, 65_535, 65_536, 65_537] {
            let value = bytes(count);
            query!("REPLACE INTO blobs (id, data) VALUES (?, ?)", 1, value).execute(&mut conn).await?;
            for text in [false, true] {
                let first = query!("SELECT data, id FROM blobs");
                let first = if text { first.text().fetch_one(&mut conn).await? } else { first.fetch_one(&mut conn).await? };
                let last = query!("SELECT id, data FROM blobs");
                let last = if text { last.text().fetch_one(&mut conn).await? } else { last.fetch_one(&mut conn).await? };
                assert_eq!((first.data == value, first.id, last.data == value, last.id), (true, 1, true, 1), "{count}, text: {text}");
            }
        }
        Ok(())
    }

    async fn too_large_is_told_before_anything_is_sent(database: Database) -> Result<()> {
        let mut conn = roomy(&database).await?;
        let value = bytes((64 << 20) + 1);
        for text in [false, true] {
            let insert = query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", value);
            let done = if text { insert.text().execute(&mut conn).await } else { insert.execute(&mut conn).await };
            fails(done, ErrorKind::TooLarge, Outcome::NotSent);
            conn.ping().await?;
        }
        let mut careful = Connection::connect(database.url().parse::<ark_mysql::ConnectOptions>()?.max_send(1000)).await?;
        fails(query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", value[..1000]).execute(&mut careful).await, ErrorKind::TooLarge, Outcome::NotSent);
        query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", value[..900]).execute(&mut careful).await?;
        Ok(())
    }

    async fn a_row_larger_than_allowed_is_an_error(database: Database) -> Result<()> {
        roomy(&database).await?.run_script("INSERT INTO blobs VALUES (1, REPEAT('x', 100000))").await?;
        let mut careful = Connection::connect(database.url().parse::<ark_mysql::ConnectOptions>()?.max_receive(70_000)).await?;
        let error = query!("SELECT data FROM blobs WHERE id = 1").fetch_one(&mut careful).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Protocol | ErrorKind::TooLarge | ErrorKind::ConnectionLost), "{error}");
        assert!(error.to_string().contains("70000") || error.to_string().contains("max_receive"), "says what to do: {error}");
        assert_eq!(code(&error), None);
        fails(careful.ping().await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        Ok(())
    }
}

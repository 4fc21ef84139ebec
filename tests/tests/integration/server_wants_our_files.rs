//! A server that asks for a file of ours: it gets none, whatever the statement was.

use ark_mysql::{Connection, Result, query};
use tests::{Database, on_every_server};

use crate::support::{Middleman, one, open};

on_every_server! {
    async fn when_we_said_load_data_local(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        database.run("SET GLOBAL local_infile = 1");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "7\tsecret\n").unwrap();
        let sql = format!("LOAD DATA LOCAL INFILE '{}' INTO TABLE numbers (n, pad)", file.path().display());
        for _ in 0..2 {
            let error = query(&sql).execute(&mut conn).await.expect_err("no file is sent");
            assert!(!format!("{error} {error:?}").contains("7\tsecret"), "{error}");
            assert_eq!(one::<i64>(&mut conn, "SELECT COUNT(*) FROM numbers").await?, 0);
        }
        Ok(())
    }

    async fn when_we_said_something_else(database: Database) -> Result<()> {
        open(&database).await?;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "the secret of this file").unwrap();
        let path = file.path().to_str().unwrap();
        let request = [&[u8::try_from(path.len()).unwrap() + 1, 0, 0, 1, 0xfb], path.as_bytes()].concat();
        for text in [true, false] {
            let middleman = Middleman::new(&database).await;
            let mut conn = Connection::connect(middleman.url(&database)).await?;
            conn.ping().await?;
            middleman.lie(request.clone());
            let asked = if text {
                query("SELECT 1").execute(&mut conn).await.map(drop)
            } else {
                query("SELECT 1").fetch_all(&mut conn).await.map(drop)
            };
            let error = asked.expect_err("nobody asked for a file");
            assert!(!middleman.heard(b"the secret"), "text {text}: {error}");
            // A server that has just lied is not believed any more, or is in step again.
            let _ = crate::support::right_or_closed(&mut conn, &format!("text {text}: {error}")).await;
        }
        Ok(())
    }
}

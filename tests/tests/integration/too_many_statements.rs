//! Statements that are prepared and never let go, until the server has no room for anybody's.

use std::time::Duration;

use ark_mysql::{Connection, Result, query, query_scalar};
use tests::{Database, DevServer, on_every_server};

use crate::support::open;

async fn status(conn: &mut Connection, name: &str) -> Result<u64> {
    let row = query(format!("SHOW GLOBAL STATUS LIKE '{name}'"))
        .fetch_one(conn)
        .await?;
    Ok(row.get::<String>(1)?.parse().unwrap())
}

/// Ends when the server has let go of all statements but so many: those of a connection outlive it by a moment, even in its list of connections.
async fn until_released(url: &str, most: usize) -> Result<()> {
    let mut conn = Connection::connect(url).await?;
    // The question is a statement, too, and refused while there is no room for it.
    while !status(&mut conn, "Prepared_stmt_count")
        .await
        .is_ok_and(|count| count <= most as u64 + 1)
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    conn.close().await
}

async fn distinct(conn: &mut Connection, number: i64) -> Result<()> {
    let row = query(format!("SELECT {number} + ? AS n"))
        .bind(1)
        .fetch_one(conn)
        .await?;
    assert_eq!(row.get::<i64>("n")?, number + 1);
    Ok(())
}

on_every_server! {
    async fn the_cache_is_bounded(database: Database) -> Result<()> {
        let mut conn = Connection::connect(with(&database.url(), "statement-cache-capacity=8")).await?;
        for round in 0..3 {
            for number in 0..20 {
                distinct(&mut conn, number + round * 1000).await?;
                assert!(conn.cached_statements() <= 8);
            }
        }
        assert_eq!(conn.cached_statements(), 8);
        Ok(())
    }

    async fn without_a_cache_it_works_too(database: Database) -> Result<()> {
        database.load_schema();
        let mut conn = Connection::connect(with(&database.url(), "statement-cache-capacity=0")).await?;
        for id in [1u32, 2, 3, 1] {
            assert_eq!(query_scalar!("SELECT id FROM users WHERE id = ?", id).fetch_one(&mut conn).await?, id);
            distinct(&mut conn, i64::from(id)).await?;
        }
        assert!(conn.cached_statements() <= 1);
        Ok(())
    }

    async fn what_is_used_often_stays(database: Database) -> Result<()> {
        database.load_schema();
        let mut conn = Connection::connect(with(&database.url(), "statement-cache-capacity=4")).await?;
        let before = prepared(&mut conn).await?;
        for number in 0..20 {
            query_scalar!("SELECT COUNT(*) FROM users WHERE id = ?", 1u32).fetch_one(&mut conn).await?;
            distinct(&mut conn, number).await?;
        }
        let after = prepared(&mut conn).await?;
        assert!(after - before <= 25, "{} PREPAREs for 21 statements", after - before);
        Ok(())
    }

    async fn the_servers_limit_is_kept(database: Database) -> Result<()> {
        // A server of its own, because the limit is for all.
        let flavor = database.flavor();
        let start = move || DevServer::builder().flavor(flavor).argument("--max-prepared-stmt-count=20").start();
        let server = tokio::task::spawn_blocking(start).await.unwrap().unwrap_or_else(|error| panic!("{error}"));
        let mut small = [
            Connection::connect(with(&server.url(), "statement-cache-capacity=8")).await?,
            Connection::connect(with(&server.url(), "statement-cache-capacity=8")).await?,
        ];
        for number in 0..100 {
            for conn in &mut small {
                distinct(conn, number).await?;
            }
        }
        assert!(status(&mut small[0], "Prepared_stmt_count").await? <= 17);
        // One that keeps more than there is room for lets go of its older half and goes on.
        let mut large = Connection::connect(with(&server.url(), "statement-cache-capacity=100")).await?;
        for conn in small {
            conn.close().await?;
        }
        until_released(&server.url(), 0).await?;
        for number in 0..100 {
            distinct(&mut large, number).await?;
        }
        assert!(large.cached_statements() <= 20);
        // And where others hold all of it, the error is the server's, and the connection goes on when there is room.
        let mut other = Connection::connect(server.url()).await?;
        for number in 0..15 {
            let _ = query(format!("SELECT {number} - ?")).bind(1).fetch_one(&mut other).await;
        }
        large.close().await?;
        until_released(&server.url(), other.cached_statements()).await?;
        for number in 0..15 {
            distinct(&mut other, number).await?;
        }
        tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
        Ok(())
    }

    async fn a_refused_prepare_leaves_nothing_behind(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for _ in 0..50 {
            query("SELECT no_such_column FROM users WHERE id = ?").bind(1).fetch_one(&mut conn).await.unwrap_err();
        }
        assert_eq!(conn.cached_statements(), 0);
        distinct(&mut conn, 1).await
    }

    async fn the_same_text_with_other_types_is_another_statement(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let sql = "SELECT COUNT(*) FROM users WHERE id = ?";
        for _ in 0..2 {
            query(sql).bind(1i64).fetch_one(&mut conn).await?;
            query(sql).bind(1u64).fetch_one(&mut conn).await?;
            query(sql).bind("1").fetch_one(&mut conn).await?;
        }
        assert_eq!(conn.cached_statements(), 3);
        Ok(())
    }
}

async fn prepared(conn: &mut Connection) -> Result<u64> {
    let row = query("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'")
        .fetch_one(conn)
        .await?;
    Ok(row.get::<String>(1)?.parse().unwrap())
}

fn with(url: &str, option: &str) -> String {
    format!("{url}{}{option}", if url.contains('?') { '&' } else { '?' })
}

//! A connection that died while nobody used it: the next borrower must not be the one to find out.

use std::time::Duration;

use ark_mysql::{
    ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result, query, query_scalar,
};
use tests::{Database, on_every_server};

use crate::support::{connect, fails, open, until_gone};

on_every_server! {
    async fn is_replaced_in_a_pool(database: Database) -> Result<()> {
        open(&database).await?;
        for url in [database.url(), database.tls_url(), database.socket_url()] {
            let pool = Pool::builder().max_connections(2).acquire_timeout(Duration::from_secs(60)).connect(url).await?;
            for _ in 0..3 {
                let ids = {
                    let both = [pool.acquire().await?, pool.acquire().await?];
                    [both[0].id(), both[1].id()]
                };
                for id in ids {
                    database.run(&format!("KILL {id}"));
                    until_gone(&database, id).await?;
                }
                assert_eq!(query_scalar!("SELECT name FROM users WHERE id = 2").fetch_one(&pool).await?, "Bob");
                query!("UPDATE users SET age = ? WHERE id = ?", 1, 1u32).execute(&pool).await?;
                pool.begin().await?.commit().await?;
                assert!(!ids.contains(&pool.acquire().await?.id()));
            }
        }
        Ok(())
    }

    async fn is_replaced_when_the_server_was_tired_of_waiting(database: Database) -> Result<()> {
        open(&database).await?;
        // The session's own limit, which every reset sets again.
        for url in [database.url(), database.tls_url(), database.socket_url()] {
            let options: ConnectOptions = url.parse()?;
            let options = options.init_statement("SET SESSION wait_timeout = 1");
            let pool = Pool::builder().max_connections(1).acquire_timeout(Duration::from_secs(60)).connect(options).await?;
            let id = pool.acquire().await?.id();
            until_gone(&database, id).await?;
            assert_eq!(query_scalar!("SELECT name FROM users WHERE id = 3").fetch_one(&pool).await?, "Cyd");
            assert_ne!(pool.acquire().await?.id(), id);
        }
        Ok(())
    }

    async fn says_so_outside_of_a_pool(database: Database) -> Result<()> {
        open(&database).await?;
        for url in [database.url(), database.tls_url(), database.socket_url()] {
            for way in ["KILL", "wait_timeout"] {
                let mut conn = Connection::connect(&url).await?;
                query!("SELECT id, name FROM users WHERE id = ?", 1u32).fetch_one(&mut conn).await?;
                match way {
                    "KILL" => database.run(&format!("KILL {}", conn.id())),
                    _ => conn.run_script("SET SESSION wait_timeout = 1").await?,
                }
                until_gone(&database, conn.id()).await?;
                let error = query!("UPDATE users SET age = ? WHERE id = ?", 5, 1u32).execute(&mut conn).await.unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed), "{way}: {error}");
                assert!(conn.is_closed(), "{way}");
                fails(conn.ping().await, ErrorKind::ConnectionClosed, Outcome::NotSent);
                fails(conn.begin().await.map(drop), ErrorKind::ConnectionClosed, Outcome::NotSent);
                assert_eq!(query_scalar!("SELECT age FROM users WHERE id = 1").fetch_one(&mut connect(&database).await?).await?, Some(30), "{way}");
            }
        }
        Ok(())
    }
}

//! Init statements: there before anything else runs, there again after every reset, and told by name when they fail.

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, on_both_servers};

use crate::{fails, one};

fn options(database: &Database) -> Result<ConnectOptions> {
    database.url().parse()
}

on_both_servers! {
    async fn run_before_the_first_statement(database: Database) -> Result<()> {
        for compat in ["direct", "proxy"] {
            let options: ConnectOptions = format!("{}?compat={compat}", database.url()).parse()?;
            let options = options
                .init_statement("SET SESSION sql_mode = 'ANSI_QUOTES', time_zone = '+05:30'")
                .init_statement("SELECT 1, 2 UNION SELECT 3, 4")
                .init_statement("SET @later = CONCAT(@@sql_mode, '!')");
            let mut conn = Connection::connect(options).await?;
            assert_eq!(one::<String>(&mut conn, "SELECT @later").await?, "ANSI_QUOTES!");
            assert_eq!(one::<String>(&mut conn, "SELECT @@time_zone").await?, "+05:30");
            // Somebody leaves utf8mb4: that is mended, and nothing else is undone.
            query("SET NAMES latin1").execute(&mut conn).await?;
            assert_eq!(one::<String>(&mut conn, "SELECT 'ä€'").await?, "ä€");
            assert_eq!(one::<String>(&mut conn, "SELECT @@time_zone").await?, "+05:30");
        }
        Ok(())
    }

    async fn run_again_for_the_next_borrower(database: Database) -> Result<()> {
        let options = options(&database)?.init_statement("SET SESSION group_concat_max_len = 4242").max_connections(1);
        let pool = Pool::connect(options).await?;
        let mut ids = Vec::new();
        for _ in 0..3 {
            let mut conn = pool.acquire().await?;
            assert_eq!(one::<u64>(&mut conn, "SELECT @@group_concat_max_len").await?, 4242);
            query("SET SESSION group_concat_max_len = 1024").execute(&mut conn).await?;
            query("SET @x = 1").execute(&mut conn).await?;
            ids.push(conn.id());
        }
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(pool.metrics().resets, 3 - 1);
        Ok(())
    }

    async fn a_clean_lease_does_not_run_them_again(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT)");
        let pool = Pool::connect(options(&database)?.init_statement("INSERT INTO log VALUES ()").max_connections(1)).await?;
        for _ in 0..3 {
            drop(pool.acquire().await?);
        }
        let mut conn = pool.acquire().await?;
        assert_eq!(one::<i64>(&mut conn, "SELECT COUNT(*) FROM log").await?, 1);
        Ok(())
    }

    async fn one_that_fails_is_named_and_its_values_are_not(database: Database) -> Result<()> {
        let options = options(&database)?
            .init_statement("SET @a = 1")
            .init_statement("SET SESSION no_such_variable = 'hunter2'")
            .init_statement("SET @b = 1");
        let connected = Connection::connect(&options).await.map(drop);
        let error = fails(connected, ErrorKind::SessionSetup, Outcome::NotSent);
        let told = format!("{error} {error:?}");
        assert!(told.contains("init statement 2 of 3") && told.contains("SET SESSION no_such_variable = "), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
        assert_eq!(error.server().map(|server| server.code), Some(1193));
        assert!(!format!("{options:?}").contains("hunter2"));
        let pool = Pool::connect(options).await.map(drop);
        assert!(pool.expect_err("the same").to_string().contains("init statement 2 of 3"));
        Ok(())
    }

    async fn one_that_fails_after_a_reset_costs_the_connection(database: Database) -> Result<()> {
        database.run("CREATE TABLE there (id INT)");
        let pool = Pool::connect(options(&database)?.init_statement("SELECT * FROM there").max_connections(1)).await?;
        let mut conn = pool.acquire().await?;
        query("SET @x = 1").execute(&mut conn).await?;
        database.run("DROP TABLE there");
        drop(conn); // which sends the reset, and the init statements behind it
        let error = fails(pool.acquire().await.map(drop), ErrorKind::SessionSetup, Outcome::NotSent);
        assert!(error.to_string().contains("init statement 1 of 1"), "{error}");
        database.run("CREATE TABLE there (id INT)");
        let mut conn = pool.acquire().await?;
        assert_eq!(one::<Option<i64>>(&mut conn, "SELECT @x").await?, None);
        Ok(())
    }

    async fn one_that_leaves_utf8mb4_is_refused(database: Database) -> Result<()> {
        let options = options(&database)?.init_statement("SET NAMES latin1");
        let connected = Connection::connect(options).await.map(drop);
        let error = fails(connected, ErrorKind::SessionSetup, Outcome::NotSent);
        assert!(error.to_string().contains("must stay utf8mb4"), "{error}");
        Ok(())
    }

    async fn one_that_never_ends_is_within_the_deadline_for_connecting(database: Database) -> Result<()> {
        let options = options(&database)?
            .init_statement("DO SLEEP(600)")
            .connect_timeout(std::time::Duration::from_millis(1500));
        let connected = Connection::connect(options).await.map(drop);
        let error = fails(connected, ErrorKind::Timeout, Outcome::NotSent);
        assert!(error.to_string().contains("init statements"), "{error}");
        Ok(())
    }
}

#[tokio::test]
async fn an_empty_one_is_told_before_anything_is_sent() {
    let options = ConnectOptions::new("nobody")
        .host("no-such-host.invalid")
        .init_statement("SET @a = 1")
        .init_statement("  ");
    let connected = Connection::connect(options).await.map(drop);
    let error = fails(connected, ErrorKind::Configuration, Outcome::NotSent);
    assert!(
        error.to_string().contains("init statement 2 is empty"),
        "{error}"
    );
}

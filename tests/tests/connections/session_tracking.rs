//! What the server tells about the session: the database, what was left in it, the character set, transactions.

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, DevServer, FLAVORS, Flavor, on_both_servers};

use crate::by_hand::{run, statement};
use crate::{fails, one};

statement!(Write Insert(a): "INSERT INTO t (a) VALUES (?)" => Inserted {});
statement!(Write InsertText(b): "INSERT INTO t (b) VALUES (?)" => InsertedText {});
statement!(Read Mine(): "SELECT CAST(@x AS SIGNED) AS x" => Variable { x: Option<i64> = BigInt Nullable });
statement!(Session Gbk(): "SET NAMES gbk" => Nothing {});
statement!(Read Text(): "SELECT 'é漢' AS s" => Texts { s: String = Text NotNull });
statement!(Read Cleared(): "SELECT leaves_utf8() AS n, 'é漢' AS s" => Both { n: Option<i32> = Int Nullable, s: String = Text NotNull });

async fn pool_of_one(database: &Database) -> Result<Pool> {
    Pool::connect(database.url().parse::<ConnectOptions>()?.max_connections(1)).await
}

on_both_servers! {
    async fn the_default_database(database: Database) -> Result<()> {
        let home = database.name();
        let other = format!("{home}_other");
        database.run(&format!("CREATE DATABASE {other}"));
        let pool = pool_of_one(&database).await?;
        let mut conn = pool.acquire().await?;
        assert_eq!(conn.database(), Some(home));
        query(format!("USE {other}")).execute(&mut conn).await?;
        assert_eq!(conn.database(), Some(&*other));
        query(format!("DROP DATABASE {other}")).execute(&mut conn).await?;
        assert_eq!(conn.database(), None);
        drop(conn);
        let mut conn = pool.acquire().await?;
        assert_eq!(conn.database(), Some(home), "as the address says");
        conn.change_user("root", "", None).await?;
        assert_eq!(conn.database(), None);
        conn.change_user("root", "", Some("mysql")).await?;
        assert_eq!(conn.database(), Some("mysql"));
        let nowhere = Connection::connect(database.url().replace(&format!("/{home}"), "")).await?;
        assert_eq!(nowhere.database(), None);
        Ok(())
    }

    /// The statement looks as if it left nothing: only the server knows better.
    async fn what_a_trigger_leaves_is_not_for_the_next_borrower(database: Database) -> Result<()> {
        database.run("CREATE TABLE t (a INT NOT NULL)");
        let pool = pool_of_one(&database).await?;
        for resets in [0, 0] {
            run!(Insert, 1).execute(&pool).await?;
            assert_eq!(pool.metrics().resets, resets, "a plain INSERT leaves nothing");
        }
        database.run("CREATE TRIGGER harmless BEFORE INSERT ON t FOR EACH ROW SET NEW.a = NEW.a + 1");
        run!(Insert, 1).execute(&pool).await?;
        assert_eq!(run!(Mine).fetch_one(&pool).await?.x, None);
        assert_eq!(pool.metrics().resets, 0, "nor does a trigger as such");
        database.run("DROP TRIGGER harmless; CREATE TRIGGER dirty BEFORE INSERT ON t FOR EACH ROW SET @x = NEW.a");
        for resets in 1..4 {
            let mut conn = pool.acquire().await?;
            run!(Insert, 7).execute(&mut conn).await?;
            assert_eq!(run!(Mine).fetch_one(&mut conn).await?.x, Some(7));
            drop(conn);
            assert_eq!(run!(Mine).fetch_one(&pool).await?.x, None);
            assert_eq!(pool.metrics().resets, resets);
        }
        Ok(())
    }

    async fn another_character_set_is_set_back(database: Database) -> Result<()> {
        database.run("CREATE TABLE t (a INT, b VARCHAR(20) CHARACTER SET utf8mb4)");
        // Bytes that are other text in GBK and end in a backslash there, and what was a quote.
        let tricky = "\u{7ff}' OR 1 -- é漢\\";
        for leave in ["SET NAMES gbk", "SET character_set_results = NULL", "SET character_set_client = sjis", "SET character_set_connection = latin1"] {
            let mut conn = Connection::connect(database.url()).await?;
            for round in 0..3 {
                assert_eq!(run!(Text).fetch_one(&mut conn).await?.s, "é漢");
                query(leave).execute(&mut conn).await?;
                match round {
                    0 => assert_eq!(run!(Text).fetch_one(&mut conn).await?.s, "é漢", "{leave}"),
                    1 => assert_eq!(run!(Text).text().fetch_one(&mut conn).await?.s, "é漢", "{leave}"),
                    _ => assert_eq!(one::<String>(&mut conn, "SELECT 'é漢'").await?, "é漢", "{leave}"),
                }
                query(leave).execute(&mut conn).await?;
                run!(InsertText, tricky).execute(&mut conn).await?;
                query(leave).execute(&mut conn).await?;
                run!(InsertText, tricky).text().execute(&mut conn).await?;
                query(leave).execute(&mut conn).await?;
                query("INSERT INTO t (b) VALUES (?)").bind(tricky).execute(&mut conn).await?;
            }
            conn.run_script(&format!("{leave}; INSERT INTO t (b) VALUES ('é漢')")).await?;
            let rows = query("SELECT b FROM t").fetch_all(&mut conn).await?;
            let texts: Vec<String> = rows.iter().map(|row| row.get(0)).collect::<Result<_>>()?;
            assert_eq!(texts, [vec![tricky; 9], vec!["é漢"]].concat(), "{leave}");
            query("DELETE FROM t").execute(&mut conn).await?;
        }
        Ok(())
    }

    async fn nothing_overtakes_it_in_a_pipeline(database: Database) -> Result<()> {
        database.run("CREATE TABLE t (a INT, b VARCHAR(20) CHARACTER SET utf8mb4)");
        let mut conn = Connection::connect(database.url()).await?;
        for _ in 0..3 {
            let text = "é漢";
            let (gbk, insert, select) = conn.pipeline((run!(Gbk).run(), run!(InsertText, text).run(), run!(Text).one())).await?;
            gbk.and(insert)?;
            assert_eq!(select?.s, "é漢");
        }
        assert_eq!(one::<i64>(&mut conn, "SELECT COUNT(*) FROM t WHERE b = 'é漢'").await?, 3);
        Ok(())
    }

    /// Its rows are on their way already: on MariaDB they change in the middle, while their definition says utf8mb4.
    async fn text_in_another_character_set_is_no_text(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let function = "CREATE FUNCTION leaves_utf8() RETURNS INT DETERMINISTIC BEGIN SET NAMES gbk; RETURN 1; END";
        query(function).execute(&mut conn).await?;
        for text in [true, false] {
            let read = match text {
                true => run!(Cleared).text().fetch_all(&mut conn).await,
                false => run!(Cleared).fetch_all(&mut conn).await,
            };
            fails(read, ErrorKind::Decode, Outcome::Done);
            assert_eq!(run!(Text).fetch_one(&mut conn).await?.s, "é漢");
        }
        let read = query("SELECT leaves_utf8(), 'plain'").fetch_all(&mut conn).await;
        let error = fails(read, ErrorKind::Decode, Outcome::Done);
        assert!(error.to_string().contains("left utf8mb4"), "{error}");
        assert_eq!(run!(Text).fetch_one(&mut conn).await?.s, "é漢");
        Ok(())
    }
}

fn with_binary_log(flavor: Flavor) -> DevServer {
    let server = DevServer::builder().flavor(flavor);
    let server = match flavor {
        Flavor::MySql => server
            .argument("--gtid-mode=ON")
            .argument("--enforce-gtid-consistency=ON"),
        Flavor::MariaDb => server,
    };
    let server = server.argument("--log-bin=log").argument("--server-id=7");
    server.start().unwrap()
}

#[tokio::test]
async fn the_last_transaction_of_a_server_with_a_binary_log() -> Result<()> {
    for flavor in FLAVORS {
        let server = with_binary_log(flavor);
        // Nothing but its own tables is needed.
        tests::admin(
            &server.url(),
            "CREATE TABLE t (a INT); CREATE USER plain@'%'; GRANT ALL ON test.* TO plain@'%'",
        )
        .unwrap();
        let url = server.url().replace("root@", "plain@");
        let options: ConnectOptions = url.parse::<ConnectOptions>()?.max_connections(1);
        let mut untold = Connection::connect(&options).await?;
        run!(Insert, 1).execute(&mut untold).await?;
        assert_eq!(untold.last_gtid(), None, "{flavor}: nobody asked for it");

        let pool = Pool::connect(options.track_gtids(true)).await?;
        let mut conn = pool.acquire().await?;
        assert_eq!(conn.last_gtid(), None);
        run!(Insert, 1).execute(&mut conn).await?;
        let first = conn.last_gtid().expect("told").to_owned();
        one::<i64>(&mut conn, "SELECT COUNT(*) FROM t").await?;
        assert_eq!(
            conn.last_gtid(),
            Some(&*first),
            "{flavor}: a SELECT is none"
        );
        let mut tx = conn.begin().await?;
        run!(Insert, 2).execute(&mut tx).await?;
        tx.commit().await?;
        let second = conn.last_gtid().expect("told").to_owned();
        assert_ne!(first, second, "{flavor}");
        let sql = match flavor {
            Flavor::MySql => format!("SELECT GTID_SUBSET('{second}', @@gtid_executed)"),
            Flavor::MariaDb => format!("SELECT '{second}' = @@last_gtid"),
        };
        assert_eq!(one::<i64>(&mut conn, &sql).await?, 1, "{flavor}: {second}");
        drop(conn);
        // The next borrower's session is another one, and is told as well.
        let mut conn = pool.acquire().await?;
        assert_eq!((conn.last_gtid(), pool.metrics().resets), (None, 1));
        run!(Insert, 3).execute(&mut conn).await?;
        assert!(
            conn.last_gtid().is_some_and(|gtid| gtid != second),
            "{flavor}"
        );
        drop(conn);
        // That a transaction was reported is no reason to reset.
        run!(Insert, 4).execute(&pool).await?;
        assert_eq!(pool.metrics().resets, 1, "{flavor}");
    }
    Ok(())
}

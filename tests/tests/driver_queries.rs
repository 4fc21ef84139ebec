//! What could go wrong with single statements: wrong rows, lost rows, stale statements, unclear errors.

mod by_hand;

use ark_mysql::{Connection, ErrorKind, Executor, Outcome, Pool, Result};
use by_hand::{run, statement};
use tests::Database;

const SCHEMA: &str = "CREATE TABLE users (id INT UNSIGNED PRIMARY KEY AUTO_INCREMENT, name VARCHAR(50) NOT NULL, age INT NULL);
    INSERT INTO users (name, age) VALUES ('Ann', 30), ('Bob', NULL), ('Cyd', 50)";

statement!(Read All(): "SELECT id, name, age FROM users ORDER BY id"
    => User { id: u32 = IntUnsigned NotNull, name: String = Text NotNull, age: Option<i32> = Int Nullable });
statement!(Read ById(id): "SELECT id, name, age FROM users WHERE id = ?"
    => UserById { id: u32 = IntUnsigned NotNull, name: String = Text NotNull, age: Option<i32> = Int Nullable });
statement!(Write Insert(name, age): "INSERT INTO users (name, age) VALUES (?, ?)" => Nothing {});
statement!(Write Rename(name, id): "UPDATE users SET name = ? WHERE id = ?" => NothingElse {});
statement!(Read Nullable(): "SELECT id, age FROM users ORDER BY id" => WrongNull { id: u32 = IntUnsigned NotNull, age: i32 = Int NotNull });
statement!(Read Missing(): "SELECT nothing FROM nowhere" => Never { nothing: i32 = Int NotNull });
statement!(Read Wide(): "SELECT id, name FROM users" => Other { id: String = Text NotNull, title: String = Text NotNull });
statement!(Read Echo(value): "SELECT ? AS x" => Echoed { x: String = Text NotNull });
statement!(Read Longer(): "SELECT seq FROM numbers ORDER BY seq" => Number { seq: u32 = IntUnsigned NotNull });
statement!(Read Big(value): "SELECT LENGTH(?) AS bytes" => Length { bytes: i64 = BigInt NotNull });
statement!(Write Store(value): "INSERT INTO blobs (data) VALUES (?)" => NoRow {});
statement!(Read Load(): "SELECT data FROM blobs" => Blob { data: Vec<u8> = Bytes NotNull });

async fn open(database: &Database) -> Result<Connection> {
    database.run(SCHEMA);
    Connection::connect(database.url()).await
}

tests::on_every_server_either_way! {
    async fn every_way_to_fetch_gives_the_same_rows(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let all = run!(All).fetch_all(&mut conn).await?;
        assert_eq!(all.iter().map(|user| user.name.as_str()).collect::<Vec<_>>(), ["Ann", "Bob", "Cyd"]);
        assert_eq!(all.iter().map(|user| user.age).collect::<Vec<_>>(), [Some(30), None, Some(50)]);
        assert_eq!(run!(All).text().fetch_all(&mut conn).await?, all);
        assert_eq!(run!(All).fetch_one(&mut conn).await?, all[0]);
        assert_eq!(run!(All).fetch_optional(&mut conn).await?.as_ref(), Some(&all[0]));
        let mut streamed = Vec::new();
        let mut rows = run!(All).fetch(&mut conn);
        while let Some(row) = rows.next().await? {
            streamed.push(row);
        }
        assert!(rows.next().await?.is_none());
        drop(rows);
        assert_eq!(streamed, all);
        let mut walked = Vec::new();
        run!(All).for_each(&mut conn, |row| { walked.push(row); Ok(()) }).await?;
        assert_eq!(walked, all);
        assert_eq!(conn.cached_statements(), 1);
        Ok(())
    }

    async fn rows_are_found_counted_and_missed(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let done = run!(Insert, "Dan", Some(7)).execute(&mut conn).await?;
        assert_eq!((done.rows_affected(), done.last_insert_id()), (1, 4));
        let done = run!(Insert, "Eve", None::<i32>).text().execute(&mut conn).await?;
        assert_eq!((done.rows_affected(), done.last_insert_id()), (1, 5));
        assert_eq!(run!(ById, 5u32).fetch_one(&mut conn).await?.name, "Eve");
        assert_eq!(run!(ById, 5u32).text().fetch_one(&mut conn).await?.age, None);
        let error = run!(ById, 99u32).fetch_one(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::RowNotFound, Outcome::Done));
        assert_eq!(run!(ById, 99u32).fetch_optional(&mut conn).await?, None);
        assert_eq!(run!(Rename, "Zed", 1u32).execute(&mut conn).await?.rows_affected(), 1);
        Ok(())
    }

    async fn a_null_or_another_column_is_never_a_wrong_value(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for error in [
            run!(Nullable).fetch_all(&mut conn).await.unwrap_err(),
            run!(Nullable).text().fetch_all(&mut conn).await.unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::UnexpectedNull, Outcome::Done), "{error}");
            assert!(error.to_string().contains("`age`"), "{error}");
        }
        for error in [run!(Wide).fetch_all(&mut conn).await.unwrap_err(), run!(Wide).text().fetch_one(&mut conn).await.unwrap_err()] {
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::SchemaChanged, Outcome::Done));
            assert!(error.to_string().contains("`id`") && error.to_string().contains("`title`"), "{error}");
        }
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 3);
        Ok(())
    }

    async fn a_parameter_that_decides_a_columns_type_is_told_as_such(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        assert_eq!(run!(Echo, "abc").fetch_one(&mut conn).await?.x, "abc");
        for error in [
            run!(Echo, 5i64).fetch_one(&mut conn).await.unwrap_err(),
            run!(Echo, 5i64).text().fetch_one(&mut conn).await.unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::SchemaChanged, Outcome::Done));
            assert!(error.to_string().contains("`x`") && error.to_string().contains("CAST(? AS"), "{error}");
        }
        assert!(!run!(Wide).fetch_all(&mut conn).await.unwrap_err().to_string().contains("CAST"));
        Ok(())
    }

    async fn a_refused_statement_leaves_nothing_behind(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for error in [run!(Missing).fetch_all(&mut conn).await.unwrap_err(), run!(Missing).text().fetch_all(&mut conn).await.unwrap_err()] {
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::Server, Outcome::Rejected));
            assert_eq!(error.server().map(|server| server.code), Some(1146));
        }
        assert_eq!(conn.cached_statements(), 0);
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 3);
        Ok(())
    }

    async fn a_table_altered_behind_a_statement_is_noticed(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let before = run!(All).fetch_all(&mut conn).await?;
        for (change, fits) in [
            ("ALTER TABLE users MODIFY age BIGINT NULL", true),
            ("ALTER TABLE users MODIFY age TINYINT NULL", true),
            ("ALTER TABLE users MODIFY name VARCHAR(400) NOT NULL", true),
            ("ALTER TABLE users MODIFY age DOUBLE NULL", false),
            ("ALTER TABLE users MODIFY age INT NULL", true),
            ("ALTER TABLE users MODIFY name VARBINARY(50) NOT NULL", false),
            ("ALTER TABLE users MODIFY name VARCHAR(50) NOT NULL, ADD COLUMN more INT FIRST", true),
        ] {
            database.run(change);
            match run!(All).fetch_all(&mut conn).await {
                Ok(rows) => assert!(fits && rows == before, "{change}: {rows:?}"),
                Err(error) => assert!(!fits && error.kind() == ErrorKind::SchemaChanged, "{change}: {error}"),
            }
        }
        database.run("ALTER TABLE users MODIFY age BIGINT NULL; UPDATE users SET age = 1 << 40 WHERE id = 1");
        let error = run!(All).fetch_all(&mut conn).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        database.run("DROP TABLE users");
        let error = run!(All).fetch_all(&mut conn).await.unwrap_err();
        assert_eq!(error.outcome(), Outcome::Rejected, "{error}");
        Ok(())
    }

    async fn large_values_go_through_whole(database: Database) -> Result<()> {
        database.run("SET GLOBAL max_allowed_packet = 64 * 1024 * 1024; CREATE TABLE blobs (data LONGBLOB NOT NULL)");
        let mut conn = Connection::connect(database.url()).await?;
        let value: Vec<u8> = (0..20_000_000u32).map(|i| (i % 251) as u8).collect();
        assert_eq!(run!(Store, value).execute(&mut conn).await?.rows_affected(), 1);
        let loaded = run!(Load).fetch_one(&mut conn).await?;
        assert!(loaded.data == value);
        assert!(run!(Load).text().fetch_one(&mut conn).await?.data == value);
        let too_large = vec![0u8; 65 << 20];
        let error = run!(Store, too_large).execute(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::TooLarge, Outcome::NotSent), "{error}");
        assert_eq!(run!(Big, "abc").fetch_one(&mut conn).await?.bytes, 3);
        Ok(())
    }

    async fn packets_above_the_servers_limit_are_not_sent(database: Database) -> Result<()> {
        database.run("CREATE TABLE blobs (data LONGBLOB NOT NULL)");
        let mut conn = Connection::connect(database.url()).await?;
        let limit: u64 = ark_mysql::query("SELECT @@max_allowed_packet").fetch_one(&mut conn).await?.get(0)?;
        let value = vec![1u8; usize::try_from(limit).unwrap() + 1];
        for error in [run!(Store, value).execute(&mut conn).await.unwrap_err(), run!(Store, value).text().execute(&mut conn).await.unwrap_err()] {
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::TooLarge, Outcome::NotSent), "{error}");
        }
        conn.ping().await
    }

    async fn the_cache_is_bounded_and_evicts_what_is_oldest(database: Database) -> Result<()> {
        let mut conn = Connection::connect(format!("{}?statement-cache-capacity=8", database.url())).await?;
        for round in 0..3 {
            for number in 0..20i64 {
                let row = ark_mysql::query(format!("SELECT {number} + ? AS n")).bind(1i64).fetch_one(&mut conn).await?;
                assert_eq!(row.get::<i64>("n")?, number + 1, "round {round}");
                assert!(conn.cached_statements() <= 8);
            }
        }
        let open: u64 = ark_mysql::query("SHOW SESSION STATUS LIKE 'Com_stmt_close'").fetch_one(&mut conn).await?.get::<String>(1)?.parse().unwrap();
        assert!(open >= 50, "{open}");
        Ok(())
    }

    async fn run_time_statements_know_their_columns(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = ark_mysql::query("SELECT id, name, age, 1.5 AS d, NOW() AS t, X'00FF' AS b, 1e0 AS f FROM users WHERE id <> ? ORDER BY id").bind(9).fetch_all(&mut conn).await?;
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].get::<u32>("id")?, 1);
        assert_eq!(rows[0].get::<String>("NAME")?, "Ann");
        assert_eq!(rows[1].get::<Option<i64>>(2)?, None);
        assert_eq!(rows[1].get::<String>("d")?, "1.5");
        assert_eq!(rows[1].get::<Vec<u8>>("b")?, [0, 255]);
        assert_eq!(rows[1].get::<f64>("f")?, 1.0);
        assert_eq!(rows[0].columns()[0].type_name(), "INT UNSIGNED");
        for error in [rows[1].get::<i64>("age").unwrap_err(), rows[1].get::<i64>("aeg").unwrap_err(), rows[1].get::<i64>("name").unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        }
        // Statements that the prepared protocol cannot run.
        for sql in ["LOCK TABLES users READ", "UNLOCK TABLES", "CREATE PROCEDURE p() BEGIN SELECT id FROM users; SELECT name FROM users; END", "USE mysql"] {
            ark_mysql::query(sql).execute(&mut conn).await?;
        }
        conn.run_script(&format!("USE {}; SELECT ';'; -- nothing\n", database.name())).await?;
        assert_eq!(ark_mysql::query("CALL p()").fetch_all(&mut conn).await?.len(), 3);
        let wrong = ark_mysql::query("SELECT ?").bind(1).bind(2).fetch_one(&mut conn).await.unwrap_err();
        assert_eq!((wrong.kind(), wrong.outcome()), (ErrorKind::Encode, Outcome::NotSent), "{wrong}");
        let wrong = ark_mysql::query("SELECT ?").bind(f64::NAN).fetch_one(&mut conn).await.unwrap_err();
        assert_eq!((wrong.kind(), wrong.outcome()), (ErrorKind::Encode, Outcome::NotSent), "{wrong}");
        assert_eq!(ark_mysql::query("SELECT ? AS x").bind("é").fetch_one(&mut conn).await?.get::<String>("x")?, "é");
        Ok(())
    }

    async fn set_names_of_somebody_does_not_garble_text(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        for charset in ["latin1", "gbk"] {
            ark_mysql::query(format!("SET NAMES {charset}")).execute(&mut conn).await?;
            assert_eq!(ark_mysql::query("SELECT CONCAT(?, 'é') AS x").bind("é").fetch_one(&mut conn).await?.get::<String>("x")?, "éé");
        }
        Ok(())
    }

    async fn a_script_stops_at_its_first_error_and_names_the_line(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let error = conn.run_script("SELECT 1;\n\n-- a comment; with a semicolon\nINSERT INTO users (name) VALUES ('a;b');\nSELEC 1;\nDROP TABLE users").await.unwrap_err();
        assert_eq!(error.outcome(), Outcome::Partial);
        assert!(error.to_string().contains("line 5"), "{error}");
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 4);
        Ok(())
    }

    async fn a_killed_connection_says_so_and_stays_closed(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        run!(All).fetch_all(&mut conn).await?;
        database.run(&format!("KILL {}", conn.id()));
        let error = run!(Insert, "Lost", Some(1)).execute(&mut conn).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed), "{error}");
        assert_eq!(error.outcome(), Outcome::NotSent, "PREPARE was all that was sent, if anything");
        let error = run!(All).fetch_all(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent), "{error}");
        assert!(conn.is_closed());
        let mut conn = Connection::connect(database.url()).await?;
        run!(Insert, "Lost", Some(1)).execute(&mut conn).await?;
        database.run(&format!("KILL {}", conn.id()));
        let error = run!(Insert, "Lost", Some(1)).execute(&mut conn).await.unwrap_err();
        // Whether the news of its end was here before the statement left is a matter of microseconds; what is said about it is not.
        let told = (error.kind(), error.outcome());
        let honest = [(ErrorKind::ConnectionLost, Outcome::Unknown), (ErrorKind::ConnectionClosed, Outcome::NotSent)];
        assert!(honest.contains(&told), "{error}");
        Ok(())
    }

    async fn an_error_of_for_each_ends_the_walk_and_not_the_connection(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut seen = 0;
        let error = run!(All).for_each(&mut conn, |_| { seen += 1; Err(ark_mysql::Error::other("enough")) }).await.unwrap_err();
        assert_eq!((seen, error.kind()), (1, ErrorKind::Other));
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "enough");
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 3);
        Ok(())
    }
}

tests::on_every_server! {
    async fn statements_run_in_generic_functions_and_spawned_tasks(database: Database) -> Result<()> {
        async fn name(id: u32, on: impl Executor) -> Result<String> {
            Ok(run!(ById, id).fetch_one(on).await?.name)
        }
        async fn boxed<E: Executor>(on: E) -> Result<usize> {
            let mut rows = run!(All).fetch(on);
            let mut count = 0;
            while rows.next().await?.is_some() {
                count += 1;
            }
            Ok(count)
        }
        database.run(SCHEMA);
        let pool = Pool::connect(database.url()).await?;
        let spawned = {
            let pool = pool.clone();
            tokio::spawn(async move {
                let mut conn = pool.acquire().await?;
                let mut tx = conn.begin().await?;
                let first = name(1, &mut tx).await?;
                tx.commit().await?;
                Ok::<_, ark_mysql::Error>(first + &name(2, &mut conn).await? + &name(3, &pool).await? + &boxed(&pool).await?.to_string())
            })
        };
        assert_eq!(spawned.await.unwrap()?, "AnnBobCyd3");
        Ok(())
    }

    async fn a_long_result_streams_in_little_memory(database: Database) -> Result<()> {
        use std::pin::pin;
        database.run("CREATE TABLE numbers (seq INT UNSIGNED PRIMARY KEY);
            INSERT INTO numbers WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT i FROM n;
            INSERT INTO numbers SELECT a.seq + 1000 * (b.seq + 1) FROM numbers a, (SELECT seq FROM numbers WHERE seq < 100) b");
        let pool = Pool::connect(database.url()).await?;
        let mut stream = pin!(run!(Longer).fetch(&pool).into_stream());
        let mut next = 0;
        while let Some(row) = std::future::poll_fn(|cx| futures_core::Stream::poll_next(stream.as_mut(), cx)).await {
            assert_eq!(row?.seq, next);
            next += 1;
        }
        assert_eq!(next, 101_000);
        assert_eq!(pool.idle(), 1);
        Ok(())
    }
}

//! What could go wrong with transactions: writes that commit by themselves, rollbacks that do not happen, commits nobody knows of.

mod by_hand;

use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result};
use by_hand::{run, statement};
use tests::Database;

const SCHEMA: &str =
    "CREATE TABLE accounts (id INT PRIMARY KEY, balance INT NOT NULL) ENGINE=InnoDB;
    INSERT INTO accounts VALUES (1, 100), (2, 100)";

statement!(Read Total(): "SELECT SUM(balance) AS total FROM accounts" => Sum { total: Option<ark_mysql::types::Decimal> = Decimal Nullable });
statement!(Read Count(): "SELECT COUNT(*) AS n FROM accounts" => Counted { n: i64 = BigInt NotNull });
statement!(Write Add(amount, id): "UPDATE accounts SET balance = balance + ? WHERE id = ?" => Nothing {});
statement!(Write Insert(id): "INSERT INTO accounts VALUES (?, 0)" => NothingElse {});

async fn count(on: impl ark_mysql::Executor) -> Result<i64> {
    Ok(run!(Count).fetch_one(on).await?.n)
}

tests::on_every_server! {
    async fn a_commit_keeps_and_a_drop_rolls_back(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::connect(database.url()).await?;
        let mut tx = pool.begin().await?;
        run!(Insert, 3).execute(&mut tx).await?;
        tx.commit().await?;
        let mut tx = pool.begin().await?;
        run!(Insert, 4).execute(&mut tx).await?;
        assert_eq!(count(&mut tx).await?, 4);
        drop(tx);
        assert_eq!(count(&pool).await?, 3);
        let mut conn = Connection::connect(database.url()).await?;
        let mut tx = conn.begin().await?;
        run!(Insert, 4).execute(&mut tx).await?;
        drop(tx);
        assert_eq!(count(&mut conn).await?, 3);
        assert!(!conn.in_transaction());
        let mut tx = conn.begin().await?;
        run!(Insert, 4).execute(&mut tx).await?;
        tx.rollback().await?;
        assert_eq!(count(&mut conn).await?, 3);
        Ok(())
    }

    async fn savepoints_nest(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let mut tx = conn.begin().await?;
        run!(Insert, 3).execute(&mut tx).await?;
        {
            let mut inner = tx.savepoint().await?;
            run!(Insert, 4).execute(&mut inner).await?;
            {
                let mut innermost = inner.savepoint().await?;
                run!(Insert, 5).execute(&mut innermost).await?;
                innermost.commit().await?;
            }
            assert_eq!(count(&mut inner).await?, 5);
        }
        assert_eq!(count(&mut tx).await?, 3);
        let mut inner = tx.savepoint().await?;
        run!(Insert, 6).execute(&mut inner).await?;
        inner.commit().await?;
        tx.commit().await?;
        assert_eq!(count(&mut conn).await?, 4);
        Ok(())
    }

    async fn nothing_runs_through_a_transaction_that_ddl_ended(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        for ddl in ["CREATE TABLE other (id INT)", "CREATE TABLE other (id INT)", "COMMIT"] {
            let mut tx = conn.begin().await?;
            let _either = ark_mysql::query(ddl).execute(&mut tx).await;
            let error = run!(Insert, 9).execute(&mut tx).await.unwrap_err();
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::TransactionEnded, Outcome::NotSent), "{ddl}: {error}");
            assert_eq!(tx.savepoint().await.unwrap_err().kind(), ErrorKind::TransactionEnded);
            assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::TransactionEnded);
        }
        assert_eq!(count(&mut conn).await?, 2);
        Ok(())
    }

    async fn nothing_runs_through_a_transaction_that_a_deadlock_ended(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::connect(database.url()).await?;
        for _ in 0..5 {
            let (mut one, mut two) = (pool.begin().await?, pool.begin().await?);
            run!(Add, 1, 1).execute(&mut one).await?;
            run!(Add, 1, 2).execute(&mut two).await?;
            let (first, second) = tokio::join!(run!(Add, 1, 2).execute(&mut one), run!(Add, 1, 1).execute(&mut two));
            let (victim, error, other) = match (first, second) {
                (Err(error), Ok(_)) => (one, error, two),
                (Ok(_), Err(error)) => (two, error, one),
                both => panic!("{both:?}"),
            };
            assert!(error.is_transient() && error.server().unwrap().code == 1213, "{error}");
            let mut victim = victim;
            let error = run!(Insert, 7).execute(&mut victim).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TransactionEnded, "{error}");
            drop(victim);
            other.rollback().await?;
            assert_eq!(run!(Total).fetch_one(&pool).await?.total.unwrap().to_string(), "200");
            assert_eq!(count(&pool).await?, 2);
        }
        Ok(())
    }

    async fn an_ordinary_error_leaves_the_transaction_open(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let mut tx = conn.begin().await?;
        run!(Insert, 3).execute(&mut tx).await?;
        let error = run!(Insert, 3).execute(&mut tx).await.unwrap_err();
        assert_eq!(error.server().unwrap().code, 1062);
        run!(Insert, 4).execute(&mut tx).await?;
        tx.commit().await?;
        assert_eq!(count(&mut conn).await?, 4);
        Ok(())
    }

    async fn a_lock_wait_leaves_the_transaction_as_the_server_says(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let (mut one, mut two) = (Connection::connect(database.url()).await?, Connection::connect(database.url()).await?);
        ark_mysql::query("SET innodb_lock_wait_timeout = 1").execute(&mut two).await?;
        let mut first = one.begin().await?;
        run!(Add, 1, 1).execute(&mut first).await?;
        let mut second = two.begin().await?;
        run!(Add, 1, 2).execute(&mut second).await?;
        let error = run!(Add, 1, 1).execute(&mut second).await.unwrap_err();
        assert_eq!(error.server().unwrap().code, 1205, "{error}");
        run!(Add, 1, 2).execute(&mut second).await?;
        second.commit().await?;
        drop(first);
        assert_eq!(run!(Total).fetch_one(&mut one).await?.total.unwrap().to_string(), "202");
        Ok(())
    }

    async fn a_commit_behind_a_kill_was_not_sent_or_is_unknown(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let id = conn.id();
        let mut tx = conn.begin().await?;
        run!(Insert, 3).execute(&mut tx).await?;
        database.run(&format!("KILL {id}"));
        let error = tx.commit().await.unwrap_err();
        match error.kind() {
            ErrorKind::CommitOutcomeUnknown => assert_eq!(error.outcome(), Outcome::Unknown, "{error}"),
            kind => assert_eq!((kind, error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent), "{error}"),
        }
        Ok(())
    }

    async fn dropped_futures_of_a_transaction_never_leave_it_open(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(2).connect(database.url()).await?;
        let mut committed = 0;
        for round in 0..60u64 {
            let limit = Duration::from_micros(round * 25);
            let done = tokio::time::timeout(limit, async {
                let mut tx = pool.begin().await?;
                run!(Insert, i32::try_from(round).unwrap() + 10).execute(&mut tx).await?;
                {
                    let mut inner = tx.savepoint().await?;
                    run!(Add, 1, 1).execute(&mut inner).await?;
                    inner.commit().await?;
                }
                tx.commit().await
            })
            .await;
            if let Ok(result) = done {
                result?;
                committed += 1;
            }
            assert!(count(&pool).await? >= 2 + committed);
            let mut conn = pool.acquire().await?;
            count(&mut conn).await?;
            assert!(!conn.in_transaction());
        }
        // A row for each that committed, or whose COMMIT was dropped on its way: their ids and the balance agree.
        let rows = count(&pool).await? - 2;
        let balance: i64 = ark_mysql::query("SELECT balance FROM accounts WHERE id = 1").fetch_one(&pool).await?.get(0)?;
        assert_eq!(balance - 100, rows, "a transaction was torn apart");
        Ok(())
    }
}

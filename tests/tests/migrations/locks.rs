use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ark_mysql::Connection;
use ark_mysql::migrate::{MigrateError, Progress};
use tests::{Database, on_both_servers};

use crate::support::{Folder, column, says};

const LOCK: &str = "CONCAT('ark_mysql_migrate.', LEFT(SHA2(DATABASE(), 256), 32))";

on_both_servers! {
    async fn many_at_once_apply_everything_once(database: Database) {
        let folder = Folder::of(&[
            ("1_a.sql", "CREATE TABLE a (x INT)"),
            ("2_a.sql", "INSERT INTO a VALUES (1)"),
            ("3_a.sql", "INSERT INTO a VALUES (2)"),
        ]);
        let applied = Arc::new(AtomicUsize::new(0));
        let mut tasks = Vec::new();
        for _ in 0..6 {
            let (migrator, url, applied) = (folder.migrator(), database.url(), Arc::clone(&applied));
            tasks.push(tokio::spawn(async move {
                let report = migrator.run(url).await.unwrap();
                applied.fetch_add(report.files.len(), Ordering::Relaxed);
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(applied.load(Ordering::Relaxed), 3);
        assert_eq!(column(&database, "SELECT CONCAT(x) FROM a ORDER BY x").await, ["1", "2"]);
    }

    async fn who_waits_too_long_is_told_who_holds_the_lock(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT)")]);
        let mut holder = Connection::connect(database.url()).await.unwrap();
        ark_mysql::query(format!("SELECT GET_LOCK({LOCK}, 0)")).fetch_one(&mut holder).await.unwrap();
        let waited = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&waited);
        let migrator = folder.migrator().lock_timeout(Duration::from_secs(1)).on_progress(move |progress| {
            if let Progress::Waiting { holder, .. } = progress {
                *seen.lock().unwrap() = holder;
            }
        });
        let error = migrator.run(database.url()).await.unwrap_err();
        assert!(matches!(error, MigrateError::Locked { .. }), "{error}");
        says(&error.to_string(), &["has not ended within 1 s", &format!("the number {} in", holder.id()), &format!("KILL {}", holder.id())]);
        assert_eq!(*waited.lock().unwrap(), Some(u64::from(holder.id())));
        // To look needs no lock.
        assert_eq!(migrator.info(database.url()).await.unwrap().len(), 1);
        drop(holder);
        migrator.lock_timeout(Duration::from_secs(60)).run(database.url()).await.unwrap();
    }

    async fn the_lock_is_given_back_after_success_failure_and_a_dropped_future(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT)")]);
        folder.run(&database).await.unwrap();
        is_free(&database).await;
        folder.write("2_b.sql", "nonsense");
        folder.refusal(&database).await;
        is_free(&database).await;
        folder.write("2_b.sql", "INSERT INTO a SELECT SLEEP(600)");
        let (migrator, url) = (folder.migrator(), database.url());
        let dropped = tokio::time::timeout(Duration::from_millis(1500), migrator.run(url)).await;
        assert!(dropped.is_err());
        is_free(&database).await;
    }
}

/// The server may need a moment to see that a connection is gone.
async fn is_free(database: &Database) {
    let sql = format!("SELECT CONCAT(IS_FREE_LOCK({LOCK}))");
    while column(database, &sql).await != ["1"] {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

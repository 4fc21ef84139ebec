use ark_mysql::migrate::{MigrateError, State};
use ark_mysql::{Connection, ErrorKind, Outcome};
use tests::{Database, on_both_servers};

use crate::support::{Folder, column, says, tables};

on_both_servers! {
    async fn a_failure_says_all_and_a_run_goes_on_behind_it(database: Database) {
        let good = "CREATE TABLE a (x INT);\nSET @value = 7;\n";
        let folder = Folder::of(&[
            ("1_first.sql", "CREATE TABLE first (x INT)"),
            ("2_second.sql", &format!("{good}\nINSERT INTO a\n  VALUES (@value, 'x');\nCREATE TABLE b (x INT);")),
        ]);
        let error = folder.run(&database).await.unwrap_err();
        says(&error.to_string(), &[
            "2_second.sql:4: statement 3 of 4 failed: 1136 (21S01): Column count",
            "statement: INSERT INTO a VALUES (@value, 'x')",
            "applied:   1 file was applied before this one; of this file the statements 1 to 2, which stay",
            "then run again: it goes on with statement 3; leave the statements 1 to 2 as they are",
        ]);
        let MigrateError::Failed(failed) = &error else { panic!("{error}") };
        assert_eq!((failed.file(), failed.number(), failed.line(), failed.done(), failed.is_in_doubt()), ("2_second.sql", 3, 4, 2, false));
        assert_eq!(folder.states(&database).await, [State::Applied, State::Partial { done: 2, statements: 4 }]);
        let error = ark_mysql::Error::from(error);
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Migration, Outcome::Partial));
        says(&folder.migrator().validate(database.url()).await.unwrap_err().to_string(), &["2_second.sql: 2 of 4 statements are applied"]);

        // Nothing was mended: the same again. Then what failed is mended: it goes on, with the variable of the statement in front.
        says(&folder.refusal(&database).await, &["statement 3 of 4 failed", "applied:   of this file the statements 1 to 2"]);
        folder.write("2_second.sql", &format!("{good}\nINSERT INTO a VALUES (@value);\nCREATE TABLE b (x INT); CREATE TABLE c (x INT)"));
        assert_eq!(folder.run(&database).await.unwrap(), ["2_second.sql"]);
        assert_eq!(tables(&database).await, ["a", "b", "c", "first"]);
        assert_eq!(column(&database, "SELECT CONCAT(x) FROM a").await, ["7"]);
        assert_eq!(folder.states(&database).await, [State::Applied, State::Applied]);
    }

    async fn what_is_applied_of_a_file_must_not_change(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT); nonsense;")]);
        says(&folder.refusal(&database).await, &["1_a.sql:1: statement 2 of 2 failed: 1064", "of this file statement 1, which stays"]);
        folder.write("1_a.sql", "CREATE TABLE a (x BIGINT); SELECT 1;");
        says(&folder.refusal(&database).await, &["1_a.sql: statement 1 is applied, and changed in the file since", "nothing was applied"]);
        folder.write("1_a.sql", "\u{feff}-- a comment\r\nCREATE TABLE a (x INT);\r\nSELECT 1;");
        assert_eq!(folder.run(&database).await.unwrap(), ["1_a.sql"]);
    }

    async fn a_transaction_of_the_file_is_rolled_back_and_begun_again(database: Database) {
        let folder = Folder::of(&[(
            "1_a.sql",
            "CREATE TABLE a (x INT);\nSTART TRANSACTION;\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2, 3);\nCOMMIT;",
        )]);
        says(&folder.refusal(&database).await, &["1_a.sql:4: statement 4 of 5 failed", "of this file statement 1, which stays", "goes on with statement 2"]);
        assert_eq!(column(&database, "SELECT CONCAT(x) FROM a").await, [""; 0]);
        folder.write("1_a.sql", "CREATE TABLE a (x INT);\nSTART TRANSACTION;\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\nCOMMIT;");
        folder.run(&database).await.unwrap();
        assert_eq!(column(&database, "SELECT CONCAT(x) FROM a ORDER BY x").await, ["1", "2"]);
    }

    async fn under_locked_tables_what_is_done_is_known_too(database: Database) {
        let folder = Folder::of(&[(
            "1_a.sql",
            "CREATE TABLE a (x INT);\nLOCK TABLES a WRITE;\nINSERT INTO a VALUES (1);\nINSERT INTO b VALUES (2);\nUNLOCK TABLES;",
        )]);
        says(&folder.refusal(&database).await, &["statement 4 of 5 failed: 1100", "the statements 1 to 3, which stay"]);
        assert_eq!(folder.states(&database).await, [State::Partial { done: 3, statements: 5 }]);
    }

    async fn a_connection_that_breaks_in_a_ddl_statement_leaves_a_doubt_that_is_resolved(database: Database) {
        // The statement kills its own connection: nobody is told what became of it.
        let folder = Folder::of(&[("7_a.sql", "CREATE TABLE a (x INT);\nDO SLEEP(0) + 1;\nKILL CONNECTION_ID();\nCREATE TABLE b (x INT);")]);
        let message = folder.refusal(&database).await;
        says(&message, &["7_a.sql:3: statement 3 of 4 failed", "the connection broke while statement 3 ran", "resolve 7 --done 3", "if not: `… --done 2`"]);
        assert_eq!(folder.states(&database).await, [State::InDoubt { statement: 3, done: 2, reverting: false }]);
        says(&folder.refusal(&database).await, &["7_a.sql: statement 3 (KILL CONNECTION_ID()) was begun and not seen to end", "resolve 7 --done 3"]);
        assert_eq!(tables(&database).await, ["a"]);

        let migrator = folder.migrator();
        says(&migrator.resolve(database.url(), 7, Some(5)).await.unwrap_err().to_string(), &["7_a.sql has 4 statements"]);
        says(&migrator.resolve(database.url(), 8, None).await.unwrap_err().to_string(), &["no migration with the version 8"]);
        migrator.resolve(database.url(), 7, Some(3)).await.unwrap();
        assert_eq!(folder.run(&database).await.unwrap(), ["7_a.sql"]);
        assert_eq!(tables(&database).await, ["a", "b"]);
    }

    async fn a_connection_that_breaks_in_a_transaction_leaves_no_doubt(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT);\nINSERT INTO a SELECT 1 FROM (SELECT SLEEP(600)) s;")]);
        let migrator = folder.migrator();
        let url = database.url();
        let run = tokio::spawn(async move { migrator.run(url).await });
        kill_the_sleeper(&database).await;
        let message = run.await.unwrap().unwrap_err().to_string();
        says(&message, &["1_a.sql:2: statement 2 of 2 failed", "goes on with statement 2"]);
        assert_eq!(folder.states(&database).await, [State::Partial { done: 1, statements: 2 }]);
        folder.write("1_a.sql", "CREATE TABLE a (x INT);\nINSERT INTO a SELECT 1;");
        folder.run(&database).await.unwrap();
        assert_eq!(column(&database, "SELECT CONCAT(x) FROM a").await, ["1"]);
    }

    async fn an_open_table_is_waited_for_so_long_and_no_longer(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT)"), ("2_b.sql", "ALTER TABLE a ADD y INT")]);
        folder.migrator().run_to(database.url(), 1).await.unwrap();
        let mut other = Connection::connect(database.url()).await.unwrap();
        other.run_script("START TRANSACTION; SELECT * FROM a").await.unwrap();
        let migrator = folder.migrator().table_timeout(std::time::Duration::from_secs(1));
        let message = migrator.run(database.url()).await.unwrap_err().to_string();
        says(&message, &["2_b.sql:1: statement 1 of 1 failed: 1205", "another session kept a table busy"]);
        drop(other);
        folder.run(&database).await.unwrap();
    }
}

async fn kill_the_sleeper(database: &Database) {
    let sql = "SELECT CONCAT(ID) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'INSERT INTO a SELECT 1 FROM (SELECT SLEEP%' AND DB = DATABASE()";
    loop {
        if let Some(id) = column(database, sql).await.pop() {
            database.run(&format!("KILL {id}"));
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

use ark_mysql::migrate::State;
use tests::{Database, on_both_servers};

use crate::support::{Folder, column, says, tables};

const FILES: [(&str, &str); 5] = [
    ("1_a.up.sql", "CREATE TABLE a (x INT)"),
    ("1_a.down.sql", "DROP TABLE a"),
    ("2_b.sql", "CREATE TABLE b (x INT)"),
    (
        "3_c.up.sql",
        "CREATE TABLE c (x INT); INSERT INTO c VALUES (1)",
    ),
    (
        "3_c.down.sql",
        "INSERT INTO b SELECT x FROM c;\nDROP TABLE c;\nINSERT INTO b VALUES (2);",
    ),
];

on_both_servers! {
    async fn the_last_one_is_undone_and_can_be_applied_again(database: Database) {
        let folder = Folder::of(&FILES);
        folder.run(&database).await.unwrap();
        let migrator = folder.migrator();
        assert_eq!(migrator.revert(database.url()).await.unwrap().files, ["3_c.down.sql"]);
        assert_eq!(tables(&database).await, ["a", "b"]);
        assert_eq!(folder.states(&database).await, [State::Applied, State::Applied, State::Pending]);
        assert_eq!(folder.run(&database).await.unwrap(), ["3_c.up.sql"]);
    }

    async fn without_a_down_file_nothing_is_undone(database: Database) {
        let folder = Folder::of(&FILES);
        folder.run(&database).await.unwrap();
        let error = folder.migrator().revert_to(database.url(), 0).await.unwrap_err().to_string();
        says(&error, &["migration 2 (b) cannot be undone: it has no .down.sql. Nothing was undone"]);
        assert_eq!(tables(&database).await, ["a", "b", "c"]);
        folder.write("2_b.down.sql", "DROP TABLE b");
        let undone = folder.migrator().revert_to(database.url(), 1).await.unwrap().files;
        assert_eq!(undone, ["3_c.down.sql", "2_b.down.sql"]);
        assert_eq!(tables(&database).await, ["a"]);
        assert_eq!(folder.migrator().revert_to(database.url(), 1).await.unwrap().files, [""; 0]);
    }

    async fn a_failed_revert_is_gone_on_with(database: Database) {
        let folder = Folder::of(&FILES);
        folder.run(&database).await.unwrap();
        folder.write("3_c.down.sql", "INSERT INTO b SELECT x FROM c;\nDROP TABLE nowhere;\nDROP TABLE c;");
        let error = folder.migrator().revert(database.url()).await.unwrap_err().to_string();
        says(&error, &["3_c.down.sql:2: statement 2 of 3 failed", "then revert again: it goes on with statement 2"]);
        assert_eq!(folder.states(&database).await[2], State::Reverting { done: 1 });
        says(&folder.refusal(&database).await, &["3_c.up.sql: being undone", "cargo ark-mysql migrate revert"]);
        folder.write("3_c.down.sql", "INSERT INTO b SELECT x FROM c;\nDROP TABLE c;");
        assert_eq!(folder.migrator().revert(database.url()).await.unwrap().files, ["3_c.down.sql"]);
        assert_eq!(column(&database, "SELECT CONCAT(x) FROM b").await, ["1"]);
        assert_eq!(tables(&database).await, ["a", "b"]);
    }
}

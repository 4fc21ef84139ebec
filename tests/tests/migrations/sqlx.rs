//! Databases that sqlx migrated. The rows are as sqlx 0.9 writes them: SHA-384 of the files' bytes.

use ark_mysql::migrate::State;
use sha2::{Digest as _, Sha384};
use tests::{Database, on_both_servers};

use crate::support::{Folder, says, tables};

/// `CREATE TABLE` of sqlx-mysql 0.9.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
)";

const FILES: [(&str, &str); 3] = [
    (
        "20250101000000_first_table.sql",
        "CREATE TABLE a (x INT);\n",
    ),
    (
        "20250102000000_second.up.sql",
        "CREATE TABLE b (x INT);\r\n",
    ),
    ("20250102000000_second.down.sql", "DROP TABLE b;\n"),
];

fn migrated_by_sqlx(database: &Database, success: bool) {
    database.run(TABLE);
    database.run("CREATE TABLE a (x INT); CREATE TABLE b (x INT)");
    for (version, description, (_, text)) in [
        (20_250_101_000_000_u64, "first table", FILES[0]),
        (20_250_102_000_000, "second", FILES[1]),
    ] {
        let checksum: String = Sha384::digest(text)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        database.run(&format!(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES ({version}, '{description}', {success}, X'{checksum}', 5)"
        ));
    }
}

on_both_servers! {
    async fn nothing_is_done_until_it_is_said_to_adopt(database: Database) {
        migrated_by_sqlx(&database, true);
        let folder = Folder::of(&FILES);
        says(&folder.refusal(&database).await, &["was migrated by sqlx", "--adopt-sqlx", "Nothing was applied"]);
        // The line ends that git gave the file since do not matter.
        folder.write(FILES[1].0, "CREATE TABLE b (x INT);\n");
        folder.write("20250103000000_third.sql", "CREATE TABLE c (x INT)");
        let report = folder.migrator().adopt_sqlx(true).run(database.url()).await.unwrap();
        assert_eq!((report.adopted, report.files), (2, vec!["20250103000000_third.sql".to_owned()]));
        assert_eq!(tables(&database).await, ["a", "b", "c"]);
        assert_eq!(folder.run(&database).await.unwrap(), [""; 0]);
        assert!(folder.states(&database).await.iter().all(|state| *state == State::Applied));
        folder.migrator().revert_to(database.url(), 20_250_102_000_000).await.unwrap_err();
    }

    async fn what_does_not_fit_is_told_and_nothing_is_taken_over(database: Database) {
        migrated_by_sqlx(&database, true);
        let folder = Folder::of(&[("20250101000000_first_table.sql", "CREATE TABLE other (x INT);\n")]);
        let adopting = folder.migrator().adopt_sqlx(true);
        says(&adopting.run(database.url()).await.unwrap_err().to_string(), &[
            "20250101000000_first_table.sql: changed since sqlx applied it",
            "20250102000000 (second): sqlx applied it, but its file is gone",
        ]);
        folder.write(FILES[0].0, FILES[0].1);
        let report = folder.migrator().adopt_sqlx(true).ignore_missing(true).run(database.url()).await.unwrap();
        assert_eq!(report.adopted, 1);
    }

    async fn what_sqlx_left_half_done_is_not_taken_over(database: Database) {
        migrated_by_sqlx(&database, false);
        let error = Folder::of(&FILES).migrator().adopt_sqlx(true).run(database.url()).await.unwrap_err().to_string();
        says(&error, &["20250101000000 (first table): sqlx did not finish it", "success = 1"]);
    }
}

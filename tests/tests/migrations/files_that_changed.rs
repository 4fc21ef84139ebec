use ark_mysql::migrate::{Migrator, State};
use tests::{Database, on_both_servers};

use crate::support::{Folder, says, tables};

on_both_servers! {
    async fn a_changed_file_is_an_error_until_it_is_restored_or_accepted(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT);\n"), ("2_b.sql", "CREATE TABLE b (x INT)")]);
        folder.migrator().run_to(database.url(), 1).await.unwrap();
        folder.write("1_a.sql", "CREATE TABLE a (x INT);\r\n"); // line ends do not count
        folder.migrator().validate(database.url()).await.unwrap();
        folder.write("1_a.sql", "CREATE TABLE a (x INT); -- better\n");
        says(&folder.refusal(&database).await, &["nothing was applied", "1_a.sql: changed since it was applied. Restore it", "resolve 1 --done all"]);
        assert_eq!(folder.states(&database).await, [State::Changed, State::Pending]);
        assert_eq!(tables(&database).await, ["a"]);
        folder.migrator().resolve(database.url(), 1, None).await.unwrap();
        assert_eq!(folder.run(&database).await.unwrap(), ["2_b.sql"]);
    }

    async fn a_missing_file_and_one_out_of_order_are_told_together(database: Database) {
        let folder = Folder::of(&[("10_a.sql", "CREATE TABLE a (x INT)"), ("30_c.sql", "CREATE TABLE c (x INT)")]);
        folder.run(&database).await.unwrap();
        folder.remove("10_a.sql");
        folder.write("20_b.sql", "CREATE TABLE b (x INT)");
        says(&folder.refusal(&database).await, &[
            "10_a.sql: applied, but the file is gone. Restore it",
            "20_b.sql: not applied, but one of a higher version is, as after a merge of branches",
            "--allow-out-of-order",
        ]);
        assert_eq!(folder.states(&database).await, [State::Missing, State::OutOfOrder, State::Applied]);
        assert_eq!(tables(&database).await, ["a", "c"]);
        let migrator = folder.migrator().ignore_missing(true).allow_out_of_order(true);
        assert_eq!(migrator.run(database.url()).await.unwrap().files, ["20_b.sql"]);
        assert_eq!(tables(&database).await, ["a", "b", "c"]);
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_named() {
    let error = Migrator::from_folder("no/such/folder")
        .unwrap_err()
        .to_string();
    says(&error, &["cannot read no/such/folder"]);
    let folder = Folder::of(&[("1_a.sql", ""), ("01_b.sql", "")]);
    let error = Migrator::from_folder(folder.path())
        .unwrap_err()
        .to_string();
    says(&error, &["1_a.sql: 01_b.sql has the version 1 as well"]);
}

use ark_mysql::Pool;
use ark_mysql::migrate::{MigrateError, Migrator};
use tests::{Database, on_both_servers};

use crate::support::says;

static SHOP: Migrator = ark_mysql::migrate!("../examples/migrations");

on_both_servers! {
    async fn the_files_are_in_the_program(database: Database) -> ark_mysql::Result<()> {
        let pool = Pool::connect(database.url()).await?;
        let report = SHOP.run(&pool).await?;
        assert_eq!(report.files, ["0001_customers.sql", "0002_products.sql", "0003_orders.sql"]);
        assert_eq!(SHOP.clone().run(database.url()).await?.files.len(), 0);
        Ok(())
    }
}

#[test]
fn a_program_that_was_built_before_a_file_was_added_says_so() {
    let folder: &'static str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/migrations");
    let files = &[
        ("0001_customers.sql", "SELECT 1"),
        ("0009_gone.sql", "SELECT 2"),
    ];
    let error = Migrator::embedded(Some(folder), files)
        .migrations()
        .unwrap_err();
    assert!(matches!(error, MigrateError::Outdated { .. }), "{error}");
    says(
        &error.to_string(),
        &[
            "0002_products.sql, 0003_orders.sql, 0009_gone.sql",
            "cargo::rerun-if-changed=migrations",
        ],
    );
    assert_eq!(
        Migrator::embedded(Some("/no/such/folder"), files)
            .migrations()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        Migrator::embedded(None, files).migrations().unwrap().len(),
        2
    );
}

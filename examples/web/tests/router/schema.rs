//! What the service looks at before it serves: whether the tables are those that its statements were checked with.

use std::env;
use std::process::Command;

use ark_mysql::dev_server::{DevServer, Flavor};
use ark_mysql::{ErrorKind, Pool};

#[ark_mysql::test(migrator = "examples_web::MIGRATOR")]
async fn the_migrated_database_fits(pool: Pool) -> ark_mysql::Result<()> {
    examples_web::verify(&pool).await
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR")]
async fn what_somebody_changed_by_hand_is_told_with_its_place(pool: Pool) -> ark_mysql::Result<()> {
    ark_mysql::query("ALTER TABLE products MODIFY title VARCHAR(200) NULL")
        .execute(&pool)
        .await?;
    let error = examples_web::verify(&pool).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaChanged);
    let text = error.to_string();
    assert!(
        text.contains("products.title") && text.contains("src/products.rs:"),
        "{text}"
    );
    Ok(())
}

/// The other tests run on the server that they find; here they run once more on the other family's.
#[test]
fn everything_holds_on_mariadb_too() {
    const AGAIN: &str = "EXAMPLES_WEB_AGAIN";
    if env::var_os(AGAIN).is_some() {
        return;
    }
    let server = DevServer::builder()
        .flavor(Flavor::MariaDb)
        .start()
        .unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["--skip", "life::"]) // runs on both by itself
        .env("DATABASE_URL", server.url())
        .env(AGAIN, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the_migrated_database_fits"), "{text}");
}

//! After `migrate run` the next `cargo check` asks the server about its statements again, though no source has changed.

use std::path::Path;
use std::process::Command;

use crate::support::{BOTH, House, Said, database};

fn crate_with_a_statement(house: &House) {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ark-mysql");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    house.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"rechecked\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
             ark-mysql = {{ path = {driver:?}, default-features = false, features = [\"macros\"] }}\n[workspace]\n"
        ),
    );
    std::fs::copy(lock, house.path().join("Cargo.lock")).unwrap();
    house.write(
        "src/lib.rs",
        "pub fn statement() { let _ = ark_mysql::query!(\"SELECT id, name FROM users\"); }\n",
    );
}

/// Several runs share what is built of the driver.
fn cargo_check(house: &House, url: &str) -> Said {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rechecked");
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["check", "--offline"])
        .current_dir(house.path())
        .env("CARGO_TARGET_DIR", target)
        .env("DATABASE_URL", url)
        .env("XDG_CACHE_HOME", house.path().join("cache"))
        .env_remove("ARK_MYSQL_OFFLINE");
    Said::of(command.output().unwrap())
}

#[test]
fn a_migration_has_live_statements_checked_again() {
    let house = House::new();
    crate_with_a_statement(&house);
    let url = database(BOTH[0], "rechecks");
    let migrate = || {
        let mut command = house.command("migrate run");
        command
            .env("DATABASE_URL", &url)
            .env("XDG_CACHE_HOME", house.path().join("cache"));
        Said::of(command.output().unwrap())
    };
    house.write(
        "migrations/1_a.sql",
        "CREATE TABLE users (id INT, name TEXT);",
    );
    migrate().with(0, &["1 migration applied"]);
    cargo_check(&house, &url).with(0, &["Checking rechecked"]);
    let again = cargo_check(&house, &url);
    again.with(0, &["Finished"]);
    assert!(!again.text.contains("Checking rechecked"), "{}", again.text);

    house.write("migrations/2_b.sql", "ALTER TABLE users DROP COLUMN name;");
    migrate().with(0, &["1 migration applied"]);
    cargo_check(&house, &url).with(101, &["Unknown column 'name'"]);
}

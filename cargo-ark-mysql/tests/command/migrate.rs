use serde_json::Value;

use crate::support::{BOTH, House, database, sql};

#[test]
fn add_makes_files_and_follows_what_is_there() {
    let house = House::new();
    house
        .run("migrate add create-users")
        .with(0, &["migrations/20"]);
    let files = house.files("migrations");
    let name = files[0].to_str().unwrap();
    assert!(
        files.len() == 1
            && name.ends_with("_create_users.sql")
            && name.len() == "20260131120000_create_users.sql".len(),
        "{name}"
    );
    house
        .run("migrate add second -r")
        .with(0, &["_second.up.sql", "_second.down.sql"]);
    house
        .run("migrate add third")
        .with(0, &["_third.up.sql", "_third.down.sql"]);
    house
        .run("migrate add a/b")
        .with(2, &["`a/b` cannot be part of a file's name"]);

    let counting = House::new();
    counting.write("sql/007_a.sql", "SELECT 1");
    counting
        .run("migrate add next --source sql")
        .with(0, &["sql/008_next.sql"]);
    counting
        .run("migrate add time --source sql --timestamp")
        .with(0, &["_time.sql"]);
    let first = House::new();
    first
        .run("migrate add one --sequential")
        .with(0, &["migrations/0001_one.sql"]);
}

#[test]
fn without_a_database_or_files_it_says_what_to_do() {
    let house = House::new();
    house
        .run("migrate run")
        .with(2, &["cannot read migrations", "migrate add NAME"]);
    house.write("migrations/README.md", "none yet");
    house.run("migrate run").with(
        2,
        &["there is no migration in migrations", "migrate add NAME"],
    );
    house.write("migrations/1_a.sql", "SELECT 1");
    house.run("migrate run").with(
        2,
        &["there is no database to migrate: set DATABASE_URL", "--dev"],
    );
    house
        .run("migrate validate")
        .with(0, &["1 migration: the files make sense (set DATABASE_URL"]);
    house
        .run("migrate run --url mysql://root:s3cret@127.0.0.1:1/d")
        .with(2, &["connecting: cannot connect", "127.0.0.1:1"]);
    house.write("migrations/01_b.sql", "SELECT 1");
    house
        .run("migrate validate")
        .with(1, &["has the version 1 as well"]);
}

#[test]
fn run_info_fail_mend_and_revert() {
    for (number, flavor) in BOTH.into_iter().enumerate() {
        let url = database(flavor, &format!("command_{number}"));
        let house = House::new();
        house.write(
            "migrations/0001_users.up.sql",
            "CREATE TABLE users (id INT);",
        );
        house.write("migrations/0001_users.down.sql", "DROP TABLE users;");
        house.write(
            "migrations/0002_more.up.sql",
            "CREATE TABLE more (id INT);\nINSERT INTO nowhere VALUES (1);",
        );
        house.write("migrations/0002_more.down.sql", "DROP TABLE more;");
        house.run_on(&url, "migrate run --dry-run").with(
            0,
            &["would apply 0001_users.up.sql: pending", "would apply 0002"],
        );
        let failed = house.run_on(&url, "migrate run");
        failed.with(1, &[
            &format!("Migrating command_{number} at 127.0.0.1:"),
            "0001_users.up.sql …",
            "error: 0002_more.up.sql:2: statement 2 of 2 failed: 1146 (42S02): Table",
            "to do:     mend the file or the database, then run again: it goes on with statement 2; leave statement 1 as it is",
        ]);
        house.run_on(&url, "migrate info").with(
            0,
            &[
                "0001_users.up.sql  applied  20",
                "0002_more.up.sql   1 of 2 statements applied",
            ],
        );
        house
            .run_on(&url, "migrate validate")
            .with(1, &["1 of 2 statements are applied"]);
        let info = house.run_on(&url, "migrate info --json");
        let json: Value = serde_json::from_str(&info.output).unwrap();
        assert_eq!(json["migrations"][0]["state"], "applied");
        assert_eq!(json["migrations"][1]["state"], "partial");
        assert_eq!(json["migrations"][1]["statements_done"], 1);
        house.write(
            "migrations/0002_more.up.sql",
            "CREATE TABLE more (id INT);\nINSERT INTO more VALUES (1);",
        );
        house.run_on(&url, "migrate run").with(
            0,
            &[
                "0002_more.up.sql, behind statement 1 of 2 …",
                "1 migration applied in",
            ],
        );
        house
            .run_on(&url, "migrate run")
            .with(0, &["Nothing to do: all is applied"]);
        house
            .run_on(&url, "migrate validate")
            .with(0, &["2 migrations: they fit command_"]);
        house
            .run_on(&url, "migrate revert")
            .with(0, &["0002_more.down.sql …", "1 migration undone"]);
        house
            .run_on(&url, "migrate revert --target-version 0")
            .with(0, &["1 migration undone"]);
        house
            .run_on(&url, "migrate revert")
            .with(0, &["Nothing to undo"]);
    }
}

#[test]
fn a_changed_file_is_accepted_by_resolve_and_only_by_it() {
    let url = database(BOTH[0], "command_resolve");
    let house = House::new();
    house.write("migrations/1_a.sql", "CREATE TABLE a (id INT);");
    house.run_on(&url, "migrate run").with(0, &[]);
    house.write("migrations/1_a.sql", "CREATE TABLE a (id INT); -- note");
    house.run_on(&url, "migrate run").with(
        1,
        &[
            "changed since it was applied",
            "migrate resolve 1 --done all",
        ],
    );
    house
        .run_on(&url, "migrate resolve 1 --done some")
        .with(2, &["write a number of statements, or all"]);
    house
        .run_on(&url, "migrate resolve 1 --done all")
        .with(0, &["Recorded on"]);
    house
        .run_on(&url, "migrate run")
        .with(0, &["Nothing to do"]);
}

#[test]
fn a_missing_database_is_created_when_asked_and_sqlx_is_adopted_when_asked() {
    let url = database(BOTH[1], "command_create");
    let house = House::new();
    house.write("migrations/1_a.sql", "CREATE TABLE a (id INT);");
    let new = url.replace("command_create", "command_created");
    house
        .run_on(&new, "migrate run")
        .with(2, &["Unknown database", "migrate run --create-database"]);
    house
        .run_on(&new, "migrate run --create-database")
        .with(0, &["1 migration applied"]);
    sql(
        &url,
        "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT, success BOOL, checksum BLOB)",
    );
    house
        .run_on(&url, "migrate run")
        .with(1, &["was migrated by sqlx", "--adopt-sqlx"]);
    house
        .run_on(&url, "migrate run --adopt-sqlx")
        .with(0, &["1 migration applied"]);
}

#[test]
fn a_throw_away_server_shows_whether_migrations_work() {
    let house = House::new();
    house.write("migrations/1_a.up.sql", "CREATE TABLE a (id INT);");
    house.write("migrations/1_a.down.sql", "DROP TABLE a;");
    house
        .run("migrate run --dev")
        .with(0, &["1 migration applied"]);
    house
        .run("migrate revert --dev --flavor mariadb")
        .with(0, &["1 migration undone"]);
    house
        .run("migrate validate --dev")
        .with(0, &["1 migration: they fit test at"]);
    house.write("migrations/1_a.down.sql", "DROP TABLE b;");
    house
        .run("migrate revert --dev")
        .with(1, &["1_a.down.sql:1: statement 1 of 1 failed"]);
}

//! Mistakes in `DATABASE_URL`, `.env` and `ark-mysql.toml`: one correct statement, and a world around it that is not.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use tests::{Account, Database, Transport};

use crate::compile::{Case, folder};
use crate::suite::Suite;

/// The statement. It is not in the cache of these tests.
pub(crate) const SOURCE: &str = "settings/statement.rs";

/// Three statements that nobody can check.
const THREE: &str = "settings/three_statements.rs";

/// A folder with a `Cargo.toml` of its own. It stays until the process ends: cases are compiled later than they are described.
pub(crate) fn project(name: &str) -> PathBuf {
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui").join(name);
    if project.exists() {
        fs::remove_dir_all(&project).expect("an old folder goes");
    }
    fs::create_dir_all(&project).expect("a new folder");
    write(&project, "Cargo.toml", "[workspace]\n");
    project
}

pub(crate) fn write(project: &Path, file: &str, text: &str) {
    fs::write(project.join(file), text).unwrap_or_else(|error| panic!("{file}: {error}"));
}

/// Adds a case for each mistake.
pub(crate) fn add_all(suite: &mut Suite, database: &Database, account: &Account) {
    let url = |from: &str, to: &str| account.url_by(Transport::Tcp).replace(from, to);
    let closed = closed_port();
    let nobody = format!("mysql://root@127.0.0.1:{closed}/shop");
    let replace = || {
        vec![
            (account.name.clone(), "$USER"),
            (database.name().to_owned(), "$DATABASE"),
            (database.server().port().to_string(), "$PORT"),
            (closed.to_string(), "$CLOSED_PORT"),
        ]
    };
    let mut add = |name: &str, files: &[(&str, &str)], environment: &[(&'static str, &str)]| {
        let project = project(name);
        files
            .iter()
            .for_each(|(file, text)| write(&project, file, text));
        let source = if name.ends_with("met_three_times") {
            THREE
        } else {
            SOURCE
        };
        let mut case = Case::new(Path::new(source)).manifest_dir(&project);
        for (name, value) in environment {
            case = case.env(name, *value);
        }
        suite.fails_with(
            case,
            folder().join(format!("settings/{name}.stderr")),
            replace(),
        );
    };

    add("no_url_and_no_cache", &[], &[]);
    add(
        "offline_and_not_in_the_cache",
        &[],
        &[("ARK_MYSQL_OFFLINE", "1")],
    );
    add(
        "offline_is_neither_on_nor_off",
        &[],
        &[("ARK_MYSQL_OFFLINE", "maybe")],
    );
    add("closed_port", &[], &[("DATABASE_URL", &nobody)]);
    add(
        "closed_port_met_three_times",
        &[],
        &[("DATABASE_URL", &nobody)],
    );
    add("no_url_and_no_cache_met_three_times", &[], &[]);
    add(
        "url_with_a_bad_port_met_three_times",
        &[],
        &[("DATABASE_URL", "mysql://root:s3cret@127.0.0.1:99999/shop")],
    );
    add(
        "closed_port_and_not_in_the_cache",
        &[("ark-mysql.toml", "when-unreachable = \"cache\"\n")],
        &[("DATABASE_URL", &nobody)],
    );
    add(
        "no_such_host",
        &[],
        &[("DATABASE_URL", "mysql://root@no-such-host.invalid/shop")],
    );
    add(
        "wrong_password",
        &[],
        &[("DATABASE_URL", &url("s3cret", "not-s3cret"))],
    );
    add(
        "wrong_password_does_not_fall_back",
        &[("ark-mysql.toml", "when-unreachable = \"cache\"\n")],
        &[("DATABASE_URL", &url("s3cret", "not-s3cret"))],
    );
    add(
        "unknown_user",
        &[],
        &[("DATABASE_URL", &url(&account.name, "nobody"))],
    );
    add(
        "unknown_database",
        &[],
        &[(
            "DATABASE_URL",
            &database.url().replace(database.name(), "no_such_shop"),
        )],
    );
    add(
        "no_database_in_the_url",
        &[],
        &[("DATABASE_URL", &database.url().replace(database.name(), ""))],
    );
    add(
        "url_of_another_server",
        &[],
        &[("DATABASE_URL", "postgres://root:s3cret@127.0.0.1/shop")],
    );
    add(
        "url_without_scheme",
        &[],
        &[("DATABASE_URL", "root:s3cret@127.0.0.1/shop")],
    );
    add(
        "url_with_a_bad_port",
        &[],
        &[("DATABASE_URL", "mysql://root:s3cret@127.0.0.1:99999/shop")],
    );
    add(
        "url_with_an_unknown_option",
        &[],
        &[(
            "DATABASE_URL",
            "mysql://root:s3cret@127.0.0.1/shop?sslmode=disabled",
        )],
    );
    add(
        "url_with_an_unescaped_password",
        &[],
        &[("DATABASE_URL", "mysql://root:s3cret/#?@127.0.0.1/shop")],
    );
    add(
        "url_that_asks_for_tls",
        &[],
        &[("DATABASE_URL", &database.tls_url())],
    );
    add(
        "url_in_dotenv_is_malformed",
        &[(".env", "# local\nDATABASE_URL=mysql//root@127.0.0.1/shop\n")],
        &[],
    );
    add(
        "dotenv_has_an_open_quote",
        &[(
            ".env",
            "DATABASE_URL=\"mysql://root:s3cret@127.0.0.1/shop\n",
        )],
        &[],
    );
    add(
        "unknown_setting",
        &[("ark-mysql.toml", "when-unreachabel = \"cache\"\n")],
        &[],
    );
    for (name, text) in [
        ("section_unknown", "[types.colums]\n"),
        ("type_of_no_column", "[types.columns]\nid = \"crate::Id\"\n"),
        (
            "type_that_is_none",
            "[types.columns]\n\"users.id\" = \"crate::User Id\"\n",
        ),
        (
            "type_with_option",
            "[types.columns]\nusers.age = \"Option<u8>\"\n",
        ),
        (
            "type_of_an_unknown_sql_type",
            "[types.sql]\ndecmal = \"f64\"\n",
        ),
        (
            "type_of_one_text_type",
            "[types.sql]\n\"varchar(20)\" = \"crate::Name\"\n",
        ),
        (
            "type_set_twice",
            "[types.sql]\njson = \"crate::Doc\"\nJSON = \"crate::Doc\"\n",
        ),
    ] {
        add(name, &[("ark-mysql.toml", text)], &[]);
    }
    add(
        "type_of_a_column_that_is_not_there",
        &[(
            "ark-mysql.toml",
            "[types.columns]\nusers.nmae = \"crate::Name\"\nUSERS.ID = \"u32\"\n",
        )],
        &[("DATABASE_URL", &url("", ""))],
    );
    add(
        "type_of_a_table_that_is_not_there",
        &[(
            "ark-mysql.toml",
            "[types.columns]\n\"usres\".name = \"crate::Name\"\norders.id = \"u64\"\n",
        )],
        &[("DATABASE_URL", &url("", ""))],
    );
    add(
        "setting_with_an_unknown_value",
        &[("ark-mysql.toml", "when-unreachable = \"ignore\"\n")],
        &[],
    );
}

fn closed_port() -> u16 {
    // Free once it is dropped.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its number").port()
}

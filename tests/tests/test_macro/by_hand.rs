use std::process::{Command, Output};

use ark_mysql::Connection;
use tests::{Database, on_both_servers};

/// Runs tests of this program on a server.
fn run(account: &Account, tests: &[&str]) -> (bool, String) {
    let mut command = command(tests);
    command
        .env("DATABASE_URL", &account.url)
        .env("ARK_MYSQL_TEST_PREFIX", &account.prefix);
    said(command)
}

fn command(tests: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", "--test-threads=4"])
        .args(tests.iter().map(|name| format!("cases::{name}")))
        .env("ARK_MYSQL_CASES", "1")
        .env("RUST_BACKTRACE", "0");
    command
}

fn said(mut command: Command) -> (bool, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = [stdout, stderr].concat();
    (
        status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// An account that may do everything in databases of this beginning, and nothing else; each test has its own beginning, so that no two see each other.
struct Account {
    url: String,
    prefix: String,
}

impl Account {
    fn new(database: &Database) -> Self {
        let prefix = format!("test_{}_", database.name().replace("t_", ""));
        let account = database.account("pw");
        let name = &account.name;
        database.run(&format!(
            "REVOKE ALL PRIVILEGES, GRANT OPTION FROM '{name}'@'%'; GRANT ALL ON `{}%`.* TO '{name}'@'%'",
            prefix.replace('_', "\\_")
        ));
        let url = account.url_by(tests::Transport::Socket).to_owned();
        Self { url, prefix }
    }
}

async fn databases(database: &Database, prefix: &str) -> Vec<String> {
    let mut conn = Connection::connect(database.url()).await.unwrap();
    let rows = ark_mysql::query("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE LEFT(SCHEMA_NAME, ?) = ? ORDER BY 1")
        .bind(u32::try_from(prefix.len()).unwrap())
        .bind(prefix)
        .fetch_all(&mut conn)
        .await
        .unwrap();
    rows.iter().map(|row| row.get(0).unwrap()).collect()
}

/// What is left beside templates.
async fn left(database: &Database, account: &Account) -> Vec<String> {
    let mut names = databases(database, &account.prefix).await;
    names.retain(|name| !name.contains("_ark_tpl_"));
    names
}

const GOOD: [&str; 8] = [
    "everything_is_there_and_works",
    "each_has_its_own",
    "nobody_sees_what_others_do",
    "a_migrator_of_ones_own",
    "a_lazy_migrator",
    "an_empty_database_is_empty",
    "a_test_may_take_nothing",
    "a_panic_that_is_meant_is_no_failure",
];

on_both_servers! {
    async fn good_tests_leave_nothing_but_templates_that_are_used_again(database: Database) {
        let account = Account::new(&database);
        let (success, text) = run(&account, &GOOD);
        assert!(success && text.contains("8 passed"), "{text}");
        assert_eq!(left(&database, &account).await, [""; 0]);
        let templates = databases(&database, &account.prefix).await;
        assert_eq!(templates.len(), 2, "{templates:?}");
        for template in templates {
            database.run(&format!("UPDATE {template}.users SET name = 'from the template'"));
        }
        let (success, text) = run(&account, &["each_has_its_own"]);
        assert!(!success && text.contains("from the template"), "{text}");
    }

    async fn a_test_that_failed_keeps_its_database_until_it_runs_again(database: Database) {
        let account = Account::new(&database);
        let broken = ["broken_by_a_panic", "broken_by_an_error"];
        let (success, text) = run(&account, &broken);
        assert!(!success, "{text}");
        let kept = left(&database, &account).await;
        assert_eq!(kept.len(), 2, "{kept:?}");
        for (test, look) in [("broken_by_a_panic", "something is wrong"), ("broken_by_an_error", "1064")] {
            assert!(text.contains(look), "{text}");
            assert!(text.contains(&format!("the database of the test test_macro::cases::{test} is kept, until the test runs again")), "{text}");
        }
        for name in &kept {
            assert!(text.contains(&format!("for three days at most: {name}\n  look at it: mysql --socket=")), "{text}");
        }
        assert!(!text.contains(":pw@"), "{text}");
        // The evidence is there; another test's run does not touch it, and the test's own replaces it.
        let mut evidence = Vec::new();
        for name in &kept {
            let sql = format!("SELECT CONCAT('x') FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{name}' AND TABLE_NAME IN ('users', 'evidence')");
            let mut conn = Connection::connect(database.url()).await.unwrap();
            evidence.extend(ark_mysql::query(sql).fetch_all(&mut conn).await.unwrap());
        }
        assert_eq!(evidence.len(), 2);
        assert!(run(&account, &["an_empty_database_is_empty"]).0);
        assert_eq!(left(&database, &account).await, kept);
        let mut again = kept.clone();
        while again.iter().any(|name| kept.contains(name)) {
            // The server may need a moment to see that the process is gone; until then it counts as running.
            run(&account, &broken);
            again = left(&database, &account).await;
        }
        assert_eq!(again.len(), 2, "{again:?}");
    }

    async fn what_a_killed_run_left_is_dropped_by_the_next(database: Database) {
        let account = Account::new(&database);
        let (success, text) = run(&account, &["killed"]);
        assert!(!success, "{text}");
        assert_eq!(left(&database, &account).await.len(), 1);
        while !left(&database, &account).await.is_empty() {
            // The server may need a moment to see that the process is gone.
            assert!(run(&account, &["an_empty_database_is_empty"]).0);
        }
    }

    async fn an_account_without_rights_is_told_which_ones_it_needs(database: Database) {
        let mut account = Account::new(&database);
        account.prefix = "other_".to_owned();
        let (success, text) = run(&account, &["an_empty_database_is_empty", "each_has_its_own"]);
        assert!(!success && text.matches("there is no database for the test").count() == 2, "{text}");
        assert!(text.contains("1044") && text.contains("GRANT ALL ON `test\\_%`.* TO"), "{text}");
        account.prefix = "Other-".to_owned();
        let (_, text) = run(&account, &["an_empty_database_is_empty"]);
        assert!(text.contains("ARK_MYSQL_TEST_PREFIX is what the names"), "{text}");
        account.url = "mysql://u@127.0.0.1:1/d".to_owned();
        account.prefix = "test_".to_owned();
        let (_, text) = run(&account, &["an_empty_database_is_empty"]);
        assert!(text.contains("there is no server for the test") && text.contains("127.0.0.1:1"), "{text}");
    }
}

#[tokio::test]
async fn without_an_address_a_dev_server_is_started_and_lives_on_after_a_failure() {
    // A cache folder in which no server runs, with the programs of the usual one.
    let cache = tempfile::tempdir().unwrap();
    let ours = cache.path().join("ark-mysql");
    std::fs::create_dir(&ours).unwrap();
    let usual = std::env::var_os("XDG_CACHE_HOME").map_or_else(
        || std::path::PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"),
        std::path::PathBuf::from,
    );
    tests::server(tests::Flavor::MySql); // so that the folders are there
    for name in ["servers", "templates"] {
        let folder = usual.join("ark-mysql").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(folder, ours.join(name)).unwrap();
    }
    let run = |tests: &[&str]| {
        let mut command = command(tests);
        command
            .env_remove("DATABASE_URL")
            .env("XDG_CACHE_HOME", cache.path());
        said(command)
    };
    let (success, text) = run(&["each_has_its_own", "an_empty_database_is_empty"]);
    assert!(success, "{text}");
    let (success, text) = run(&["broken_by_a_panic"]);
    assert!(
        !success && text.contains("for half an hour, as long as the dev server lives on"),
        "{text}"
    );
    let port = text
        .split_once("--port=")
        .unwrap()
        .1
        .split(' ')
        .next()
        .unwrap();
    let name = text
        .split_once("lives on (`cargo ark-mysql dev start` has one that stays): ")
        .unwrap()
        .1;
    let name = name.lines().next().unwrap();
    let mut conn = Connection::connect(format!("mysql://root@127.0.0.1:{port}/{name}"))
        .await
        .unwrap();
    let row = ark_mysql::query("SELECT name FROM users LIMIT 1")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    assert_eq!(row.get::<String>(0).unwrap(), "evidence");
    conn.run_script("SHUTDOWN").await.unwrap();
}

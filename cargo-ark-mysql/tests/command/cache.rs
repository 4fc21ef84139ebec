//! `prepare` and `check`: what people suffer from elsewhere.

use std::fs;

use ark_mysql::dev_server::DevServer;

use crate::project::Project;
use crate::support::{BOTH, database, sql};

const SCHEMA: &str = "CREATE TABLE users (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, state ENUM('on', 'off') NULL); \
     CREATE TABLE orders (id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT, user_id INT NOT NULL, note TEXT NULL)";

/// Of plain columns and computed integers: whatever server describes them, they are the same.
const STATEMENTS: &[&str] = &[
    "query!(\"SELECT id, name FROM users WHERE id > 1\")",
    "query!(\"SELECT id, state FROM users\")",
    "query!(\"SELECT u.id, COUNT(*) AS n FROM users u JOIN orders o ON o.user_id = u.id GROUP BY u.id\")",
    "query!(\"INSERT INTO orders (user_id) VALUES (?)\", 1)",
    "query!(\"UPDATE users SET name = ? WHERE name = ?\", \"a\", \"b\")",
];

/// The addresses of a database on all three servers, and the last of these, which is this test's own.
fn everywhere(name: &str) -> (Vec<String>, DevServer) {
    let old = DevServer::builder()
        .flavor(BOTH[1])
        .suite("bookworm")
        .start()
        .unwrap();
    sql(&old.url(), &format!("CREATE DATABASE {name}"));
    let mut urls: Vec<String> = BOTH.iter().map(|flavor| database(*flavor, name)).collect();
    urls.push(old.url_for(name));
    for url in &urls {
        sql(url, SCHEMA);
    }
    (urls, old)
}

#[test]
fn an_unrelated_migration_changes_no_byte_and_a_related_one_is_found() {
    let (urls, old) = everywhere("drift");
    let project = Project::new("drift");
    project.statements("src/lib.rs", STATEMENTS);
    let sources = project.sources();
    let mut first = None;
    for url in &urls {
        fs::remove_dir_all(project.path().join(".ark-mysql")).unwrap_or_default();
        project.run_on(url, "prepare").with(0, &["5 written"]);
        let cache = project.cache("");
        assert_eq!(cache.len(), 5, "one a statement");
        assert_eq!(
            *first.get_or_insert(cache.clone()),
            cache,
            "every server writes the same bytes"
        );
    }
    assert_eq!(
        project.sources(),
        sources,
        "no source is touched, nor its time"
    );
    // From here on each server is asked about the entries of the last one.
    for url in &urls {
        sql(
            url,
            "ALTER TABLE users ADD COLUMN born DATE NULL FIRST, MODIFY name VARCHAR(99) NOT NULL; CREATE TABLE more (id INT); \
                  ALTER TABLE orders ADD INDEX (user_id), MODIFY note LONGTEXT NULL",
        );
        project.run_on(url, "check").with(
            0,
            &["5 statements checked: the sources, the cache and the server agree"],
        );
        project
            .run_on(url, "prepare")
            .with(0, &["0 written, 5 unchanged"]);
    }
    for url in &urls {
        sql(
            url,
            "ALTER TABLE users MODIFY id BIGINT NOT NULL, MODIFY state ENUM('on', 'off', 'sick') NULL; \
                  ALTER TABLE orders MODIFY note TEXT NOT NULL",
        );
        let said = project.run_on(url, "check");
        said.with(1, &[
            "users.id: i32 → i64 in 3 statements (src/lib.rs:2, src/lib.rs:3, src/lib.rs:4)\n    SELECT id, name FROM users WHERE id > 1\n",
            "labels of users.state: 'on', 'off' → 'on', 'off', 'sick' in 1 statement (src/lib.rs:3)",
            "src/lib.rs:5: this INSERT leaves out `note`",
        ]);
        let json = project.run_on(url, "check --json");
        let report: serde_json::Value = serde_json::from_str(&json.output).unwrap();
        assert_eq!(
            (json.status, &report["version"], &report["server"]),
            (1, &1.into(), &true.into())
        );
        let kinds: Vec<&str> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["kind"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["changed", "changed", "changed", "refused"]);
    }
    // On the server that no other test has.
    sql(&old.url(), "SET GLOBAL sql_mode = 'ANSI_QUOTES'");
    project
        .run_on(&urls[2], "check")
        .with(1, &["session.json: sql_mode: STRICT → ANSI_QUOTES"]);
}

#[test]
fn prepare_sees_the_last_edit_and_removes_only_what_surely_is_unused() {
    let url = database(BOTH[0], "edits");
    sql(&url, SCHEMA);
    let project = Project::new("edits");
    project.statements("src/lib.rs", &STATEMENTS[..2]);
    project.run_on(&url, "prepare").with(0, &["2 written"]);
    // Without a server: what is in the cache is all that is needed.
    project
        .run("check")
        .with(0, &["2 statements checked: each is in the cache"]);
    // One pass of the compiler over this crate, whoever is asked, and none over what it depends on.
    for said in [project.run("check"), project.run_on(&url, "check")] {
        let compiled =
            said.text.matches("Checking ").count() + said.text.matches("Compiling ").count();
        assert!(
            compiled == 1 && said.text.contains("Checking edits"),
            "{}",
            said.text
        );
    }
    project.statements("src/lib.rs", &STATEMENTS[1..2]);
    project.run("check").with(
        1,
        &["left over: no statement of `edits` uses it\n    SELECT id, name FROM users"],
    );
    // What is missing breaks the build, and with it what is left over is not certain.
    project.statements("src/lib.rs", &STATEMENTS[1..3]);
    project.run("check").with(
        1,
        &[
            "src/lib.rs:3: missing in the cache",
            "there may be more behind the errors",
        ],
    );
    project.run_on(&url, "prepare").with(
        0,
        &["1 written, 1 unchanged, 0 removed", "1 no longer used"],
    );
    // Code behind a feature: its entry stays until all features are built, or somebody says so.
    project.write("src/lib.rs", "#[cfg(feature = \"extra\")]\npub fn extra() { let _ = ark_mysql::query!(\"SELECT id FROM orders\"); }\n\
                                 pub fn usual() { let _ = ark_mysql::query!(\"SELECT id, state FROM users\"); }\n");
    project.run_on(&url, "prepare --features extra").with(
        0,
        &["1 written, 1 unchanged, 0 removed", "2 no longer used"],
    );
    project.run_on(&url, "prepare").with(
        0,
        &["0 written, 1 unchanged, 0 removed", "3 no longer used"],
    );
    project
        .run_on(&url, "prepare --all-features")
        .with(0, &["0 written, 2 unchanged, 2 removed"]);
    project
        .run("check --all-features")
        .with(0, &["2 statements checked"]);
    project
        .run_on(&url, "prepare --prune")
        .with(0, &["0 written, 1 unchanged, 1 removed"]);
    // Line ends of Windows are none of a difference.
    let file = project
        .path()
        .join(".ark-mysql")
        .read_dir()
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let text = fs::read_to_string(&file).unwrap().replace('\n', "\r\n");
    fs::write(&file, &text).unwrap();
    project
        .run_on(&url, "prepare")
        .with(0, &["0 written, 1 unchanged"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // After a broken build nothing is removed.
    project.write("src/lib.rs", "pub fn broken() { nothing() }\n");
    project
        .run_on(&url, "prepare --prune")
        .with(1, &["0 removed", "nothing was removed"]);
}

/// As cargo selects them: what is not compiled is not seen, and nothing is said or done about its entries.
#[test]
fn targets_and_features_are_selected_as_with_cargo() {
    let url = database(BOTH[1], "targets");
    sql(&url, SCHEMA);
    let project = Project::new("targets");
    for (index, file) in [
        "src/lib.rs",
        "src/bin/one.rs",
        "tests/two.rs",
        "examples/three.rs",
    ]
    .iter()
    .enumerate()
    {
        let main = if file.ends_with("lib.rs") {
            ""
        } else {
            "fn main() {}\n"
        };
        project.write(
            file,
            &format!(
                "#![allow(dead_code)]\n{main}fn f() {{ let _ = ark_mysql::{}; }}\n",
                STATEMENTS[index]
            ),
        );
    }
    for (selection, written) in [
        ("--lib", 1),
        ("--bin one", 1),
        ("--test two --example three", 2),
        ("--all-targets", 0),
    ] {
        let expected = format!("{written} written");
        project
            .run_on(&url, &format!("prepare {selection}"))
            .with(0, &[&expected, "0 removed"]);
    }
    for (selection, seen) in [
        ("--lib", 1),
        ("--bins", 2),
        ("--tests --lib", 3),
        ("--examples", 2),
        ("--bin one --test two", 3),
        ("--all-targets", 4),
    ] {
        // The library is checked with what uses it.
        let said = project.run(&format!("check {selection}"));
        said.with(0, &[&format!("{seen} statement")]);
    }
    project
        .run("prepare --prune --lib")
        .with(2, &["cannot be used with"]);
    project
        .run_on(&url, "check --lib --no-default-features --features extra")
        .with(0, &["1 statement checked"]);
    project
        .run("check --lib --target no-such-machine")
        .with(2, &["no-such-machine"]);
    project
        .run("check --bin four")
        .with(2, &["no bin target named `four`"]);
}

/// Each crate asks the database of its own `.env`, and follows the `ark-mysql.toml` that is nearest.
#[test]
fn crates_of_a_workspace_do_not_bleed_into_each_other() {
    let (one, two) = (database(BOTH[0], "bleed_1"), database(BOTH[1], "bleed_2"));
    sql(&one, "CREATE TABLE things (id INT NOT NULL)");
    sql(&two, "CREATE TABLE things (id VARCHAR(9) NULL)");
    let project = Project::workspace("bleed", &["one", "two", "three"]);
    for (member, url) in [("one", &one), ("two", &two)] {
        project.write(&format!("{member}/.env"), &format!("DATABASE_URL={url}\n"));
    }
    for member in ["one", "two", "three"] {
        project.statements(
            &format!("{member}/src/lib.rs"),
            &["query!(\"SELECT id FROM things\")"],
        );
    }
    project.write("ark-mysql.toml", "when-unreachable = \"cache\"\n");
    project.write("three/ark-mysql.toml", "when-unreachable = \"error\"\n");
    project.write(
        "three/.env",
        "DATABASE_URL=mysql://root@127.0.0.1:9/nowhere\n",
    );
    project
        .run("prepare -p bleed-one -p bleed-two")
        .with(0, &["2 written", "MySQL", "MariaDB"]);
    let cached = |member| project.cache(member).into_values().next().unwrap();
    assert!(
        cached("one").contains("\"Int\", \"nullable\": false"),
        "{}",
        cached("one")
    );
    assert!(
        cached("two").contains("\"Text\", \"nullable\": true"),
        "{}",
        cached("two")
    );
    project
        .run("check -p bleed-one -p bleed-two")
        .with(0, &["2 statements checked"]);
    // Nobody answers there, and only the crate beside whose manifest it is said takes the cache then.
    fs::create_dir(project.path().join("three/.ark-mysql")).unwrap();
    for file in fs::read_dir(project.path().join("one/.ark-mysql"))
        .unwrap()
        .map(|file| file.unwrap())
    {
        fs::copy(
            file.path(),
            project
                .path()
                .join("three/.ark-mysql")
                .join(file.file_name()),
        )
        .unwrap();
    }
    let said = crate::support::Said::of(project.cargo("check -p bleed-three").output().unwrap());
    said.with(101, &["no database server answers at"]);
    fs::remove_file(project.path().join("three/ark-mysql.toml")).unwrap();
    let said = crate::support::Said::of(project.cargo("check -p bleed-three").output().unwrap());
    said.with(0, &["Finished"]);
}

#[test]
fn two_branches_that_add_statements_merge() {
    merge("branches_mysql", &database(BOTH[0], "branches"));
    merge("branches_mariadb", &database(BOTH[1], "branches"));
}

fn merge(name: &'static str, url: &str) {
    sql(url, SCHEMA);
    let project = Project::new(name);
    let git = |line: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "-c",
            "init.defaultBranch=main",
        ]);
        let output = git.args(line).current_dir(project.path()).output().unwrap();
        assert!(
            output.status.success(),
            "git {line:?}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    };
    project.write(".gitignore", "cache\n");
    project.write("src/lib.rs", "pub mod a;\npub mod b;\n");
    let write = |file: &str, statements: &[&str]| {
        project.statements(file, statements);
        project.run_on(url, "prepare --prune").with(0, &[]);
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", file]);
    };
    project.statements("src/b.rs", &STATEMENTS[1..2]);
    git(&["init", "-q"]);
    write("src/a.rs", &STATEMENTS[..1]);
    git(&["checkout", "-q", "-b", "other"]);
    // Both branches add the third statement, beside one of their own each.
    write("src/b.rs", &STATEMENTS[1..4]);
    git(&["checkout", "-q", "main"]);
    write("src/a.rs", &[STATEMENTS[0], STATEMENTS[2], STATEMENTS[4]]);
    git(&["merge", "-q", "--no-edit", "other"]);
    assert_eq!(project.cache("").len(), 5);
    project.run("check").with(
        0,
        &["5 statements checked: each is in the cache, and nothing else is"],
    );
    assert_eq!(project.crate_name(), name);
}

/// Exactly what was changed is expanded again: the switch, an entry, a file of SQL; and nothing on behalf of other files.
#[test]
fn rebuilds_follow_what_a_statement_depends_on_and_nothing_else() {
    rebuild("rebuilds_mysql", &database(BOTH[0], "rebuilds"));
    rebuild("rebuilds_mariadb", &database(BOTH[1], "rebuilds"));
}

fn rebuild(name: &'static str, url: &str) {
    sql(url, SCHEMA);
    let project = Project::new(name);
    let built = format!("Checking {name}");
    project.write("queries/q.sql", "SELECT id FROM users");
    project.statements(
        "src/lib.rs",
        &["query_file!(\"queries/q.sql\")", STATEMENTS[1]],
    );
    project.run_on(url, "prepare").with(0, &["2 written"]);
    let check = |what: &str, expected: bool| {
        let said = crate::support::Said::of(project.cargo("check").output().unwrap());
        said.with(0, &["Finished"]);
        assert_eq!(
            said.text.contains(&built),
            expected,
            "{what}:\n{}",
            said.text
        );
    };
    check("the first time", true);
    check("nothing changed", false);
    project.write("README.md", "unrelated");
    project.write(".ark-mysql/0123456789abcdef.json", "of no statement");
    project.write("queries/other.sql", "SELECT 1");
    check("unrelated files", false);
    // cargo compares times of whole seconds on some file systems.
    let later = |name: &str, change: &dyn Fn(String) -> String| {
        let path = project.path().join(name);
        let text = change(fs::read_to_string(&path).unwrap());
        fs::write(&path, text).unwrap();
        let now = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
        fs::File::options()
            .append(true)
            .open(&path)
            .unwrap()
            .set_modified(now)
            .unwrap();
    };
    let entry = project
        .cache("")
        .into_iter()
        .find(|(_, text)| text.contains("\"state\""));
    let entry = format!(".ark-mysql/{}", entry.unwrap().0.display());
    later(&entry, &|text| {
        text.replace("\"nullable\": true", "\"nullable\": false")
            .replace(", \"why\": \"declared\"", "")
    });
    check("the entry", true);
    let offline = crate::support::Said::of(
        project
            .cargo("check")
            .env("ARK_MYSQL_OFFLINE", "1")
            .output()
            .unwrap(),
    );
    offline.with(0, &[&built]);
    check("the switch", true);
    later("queries/q.sql", &|text| text + " ");
    let said = crate::support::Said::of(project.cargo("check").output().unwrap());
    said.with(101, &["cargo ark-mysql prepare"]);
}

//! MariaDB says nothing of the columns of RETURNING when a statement is prepared: they are checked all the same, and are what comes.

use tests::soundness::{self, Shapes};
use tests::{Database, Server};

use crate::support::Generated;

const MARIADB: [Server; 2] = [Server::MariaDb, Server::MariaDb10];

const SCHEMA: &[&str] = &[
    "CREATE TABLE t (
        id INT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT,
        name VARCHAR(20) NOT NULL,
        note TEXT NULL,
        price DECIMAL(8, 2) NOT NULL DEFAULT 1.5,
        at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
        twice DECIMAL(10, 2) AS (price * 2) STORED,
        hidden INT NOT NULL DEFAULT 7 INVISIBLE,
        label ENUM('a', 'b') NOT NULL DEFAULT 'b',
        doc JSON NULL,
        UNIQUE KEY (name)
    )",
    "CREATE TABLE u (id INT NOT NULL, v INT NOT NULL)",
    "INSERT INTO u VALUES (1, 10), (2, 20)",
    "INSERT INTO t (id, name) VALUES (900, 'old'), (901, 'older')",
    "CREATE TABLE filled (a INT NOT NULL, b INT NOT NULL)",
    "CREATE TRIGGER fills BEFORE INSERT ON filled FOR EACH ROW SET NEW.b = 5",
    "CREATE VIEW seen AS SELECT id AS number, name, note FROM t",
];

/// A statement, what is told of its columns (`N` is never NULL, `-` may be), and in which a NULL comes: `0`.
const CASES: &[(&str, &str, &str)] = &[
    (
        "INSERT INTO t (name) VALUES ('a') RETURNING id, name, note, price, at, twice, label, doc",
        "NN-NN-N-",
        "..0....0",
    ),
    (
        "INSERT INTO t (name) VALUES ('b') RETURNING *",
        "NN-NN-N-",
        "..0....0",
    ),
    (
        "INSERT INTO t SET name = 'c' RETURNING hidden, t.id AS `number`, UPPER(name) AS loud, id + 1",
        "NNNN",
        "....",
    ),
    (
        "INSERT IGNORE INTO t (id, name) VALUES (900, 'd'), (17, 'e') RETURNING id, name",
        "NN",
        "..",
    ),
    (
        "INSERT IGNORE INTO t (name) VALUES (NULL), ('f') RETURNING id, name",
        "NN",
        "..",
    ),
    (
        "INSERT INTO t (id, name) VALUES (900, 'g') ON DUPLICATE KEY UPDATE note = 'again' RETURNING id, note",
        "N-",
        "..",
    ),
    (
        "INSERT INTO t (id, name) VALUES (901, 'h') ON DUPLICATE KEY UPDATE note = VALUES(note) RETURNING name, note",
        "N-",
        ".0",
    ),
    (
        "REPLACE INTO t (id, name, note) VALUES (900, 'i', ?) RETURNING id, name, note",
        "NN-",
        "..0",
    ),
    (
        "INSERT INTO t (name) SELECT CONCAT('j', v) FROM u RETURNING id, name",
        "NN",
        "..",
    ),
    (
        "INSERT INTO t (name, note) VALUES ('k', ?) RETURNING note, ? AS mine, COALESCE(note, ?, 'x')",
        "--N",
        "0..",
    ),
    (
        "INSERT INTO t (name) VALUES ('l') RETURNING (SELECT v FROM u WHERE u.id = 1), (SELECT COUNT(*) FROM u), (SELECT v FROM u WHERE u.id = 9)",
        "-N-",
        "..0",
    ),
    (
        "INSERT INTO filled (a) VALUES (1) RETURNING a, b",
        "NN",
        "..",
    ),
    (
        "INSERT INTO seen (name) VALUES ('m') RETURNING number, note",
        "N-",
        ".0",
    ),
    (
        "DELETE FROM t WHERE name = 'a' RETURNING id, note, price * 2, CONCAT(name, note)",
        "N-N-",
        ".0.0",
    ),
    (
        "DELETE FROM t WHERE id > ? ORDER BY id LIMIT 3 RETURNING t.*",
        "NN-NN-N-",
        "........",
    ),
    (
        "DELETE FROM t ORDER BY id DESC LIMIT 2 RETURNING id, JSON_VALUE(doc, '$.a'), IFNULL(note, '-'), label = 'b'",
        "N-NN",
        ".0..",
    ),
];

#[test]
fn what_is_told_of_them_is_so() {
    for server in MARIADB {
        let mut shapes = Shapes::new(server, SCHEMA);
        for (sql, expected, nulls) in CASES {
            let shape = shapes
                .tell(sql, &soundness::described)
                .unwrap_or_else(|| panic!("{server} refuses {sql}"));
            let (told, came) = shape.letters();
            assert_eq!(
                (told.as_str(), came.as_str()),
                (*expected, *nulls),
                "{server}: {sql}"
            );
            assert!(
                shape.breaches.is_empty(),
                "{server}: {sql}: {:?}",
                shape.breaches
            );
            assert_eq!(shape.renamed, 0, "{server}: {sql}");
        }
    }
}

const MANIFEST: (&str, &str) = (
    "Cargo.toml",
    "[package]\nname = \"returning{number}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nark-mysql = {ark}\n\
     tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n",
);

const SOURCE: &str = r#"
use ark_mysql::{ErrorKind, Outcome, Pool, Result, query, query_as, query_scalar, verify_schema};

struct User {
    id: u32,
    name: String,
    age: Option<i32>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let url = std::env::var("RUN_ON").expect("an address");
    let pool = Pool::connect(&url).await?;
    verify_schema!(&pool).await?;

    let user = query_as!(User, "INSERT INTO users (name, age) VALUES (:name, :age) RETURNING id, name, age", name = "Dan", age = 7).fetch_one(&pool).await?;
    assert_eq!((user.id, user.name.as_str(), user.age), (4, "Dan", Some(7)));
    let id: u32 = query_scalar!("INSERT INTO users (name) VALUES (?) RETURNING id", "Eve").fetch_one(&pool).await?;
    assert_eq!(id, 5);
    let row = query!("REPLACE INTO users (id, name) VALUES (?, ?) RETURNING *, age + ? AS `older?`, ? AS `given!`", id, "Eva", 3_i64, "back").fetch_one(&pool).await?;
    assert_eq!((row.id, row.name.as_str(), row.age, row.older, row.given.as_str()), (5, "Eva", None, None, "back"));
    let rows = query!("INSERT INTO users (name, age) SELECT CONCAT(name, ?), age FROM users WHERE id < ? RETURNING id, age", "!", 3_u32).fetch_all(&pool).await?;
    assert_eq!(rows.iter().map(|row| row.age).collect::<Vec<_>>(), [Some(30), None]);
    let mut names = query_scalar!("DELETE FROM users WHERE id IN (?) RETURNING name", ..[4_u32, 5, 99]).fetch_all(&pool).await?;
    names.sort();
    assert_eq!(names, ["Dan", "Eva"]);

    // The rows may be left alone: the write is done all the same. How many they were is not said; `Done` tells so.
    let done = query!("DELETE FROM users WHERE name LIKE ? RETURNING id", "%!").execute(&pool).await?;
    assert_eq!(done.rows_affected(), 0);
    let gone = query!("DELETE FROM users WHERE name LIKE ? RETURNING id", "%!").fetch_optional(&pool).await?;
    assert!(gone.is_none());
    query!("INSERT INTO users (id, name) VALUES (?, ?) RETURNING id", 90_u32, "Fay").execute(&pool).await?;

    // What fails is known not to have happened, and a text query is no other.
    let error = query_scalar!("INSERT INTO users (id, name) VALUES (?, 'x') RETURNING id", 90_u32).fetch_one(&pool).await.unwrap_err();
    assert_eq!((error.kind(), error.outcome(), error.server().map(|said| said.code)), (ErrorKind::Server, Outcome::Rejected, Some(1062)));
    let id = query_scalar!("INSERT INTO users (name) VALUES ('Gus') RETURNING id").text().fetch_one(&pool).await?;
    assert_eq!(id, 91);

    // In a transaction that is rolled back nothing stays.
    let mut tx = pool.begin().await?;
    let id = query_scalar!("INSERT INTO users (name) VALUES (?) RETURNING id", "Hal").fetch_one(&mut tx).await?;
    tx.rollback().await?;
    assert_eq!(query_scalar!("SELECT COUNT(*) FROM users WHERE id = ?", id).fetch_one(&pool).await?, 0);

    // Altered behind our back: what came is not read as what was. That the row stands is said.
    query!("DELETE FROM users WHERE id > 3 RETURNING id").fetch_all(&pool).await?;
    pool.acquire().await?.run_script("ALTER TABLE users MODIFY name VARBINARY(50) NOT NULL").await?;
    let error = query_scalar!("DELETE FROM users WHERE id IN (?) RETURNING name", ..[1_u32]).fetch_all(&pool).await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::SchemaChanged, Outcome::Done));
    let error = verify_schema!(&pool).await.unwrap_err().to_string();
    assert!(error.contains("`name`") && error.contains("RETURNING name"), "{error}");
    println!("all is well");
    Ok(())
}
"#;

/// Prepared, compiled without a server, checked, and run.
#[test]
fn they_are_rows_like_others() {
    for server in MARIADB {
        let database = Database::new(server);
        database.load_schema();
        let url = database.url();
        let live = [("DATABASE_URL", url.as_str())];
        let program = Generated::new(&[MANIFEST, ("src/main.rs", SOURCE)]);
        program.tool(&["prepare"], &live).is(0, &[]);
        program.tool(&["check"], &live).is(0, &[]);
        program.program(&[("RUN_ON", &url)]).is(0, &["all is well"]);
        // A column that changes shows, as it does for a SELECT.
        database.run("ALTER TABLE users MODIFY name VARCHAR(50) NOT NULL, MODIFY age BIGINT NULL");
        program
            .tool(&["check"], &live)
            .is(1, &["users.age: Option<i32> → Option<i64>"]);
        database.run("ALTER TABLE users MODIFY age INT NULL");
        // So do mistakes, at their place.
        for (right, wrong, words) in [
            (
                "RETURNING id, name, age\"",
                "RETURNING id, nmae, age\"",
                &["1054", "nmae", "^^^^"][..],
            ),
            (
                "RETURNING id, age\"",
                "RETURNING id, MAX(age)\"",
                &["no function of many rows", "^^^"],
            ),
            (
                "let id: u32 = query_scalar",
                "let id: String = query_scalar",
                &["expected `String`, found `u32`"],
            ),
            (
                "VALUES (?) RETURNING id\", \"Eve\"",
                "VALUES (?) RETURNING id, id\", \"Eve\"",
                &["one column"],
            ),
        ] {
            program.write("src/main.rs", &SOURCE.replace(right, wrong));
            program.check(&live).is(101, words);
        }
    }
}

#[test]
fn mysql_has_none() {
    let database = Database::new(Server::MySql);
    database.load_schema();
    let url = database.url();
    let program = Generated::new(&[MANIFEST, ("src/main.rs", SOURCE)]);
    program
        .check(&[("DATABASE_URL", &url)])
        .is(101, &["1064", "RETURNING", "there is no RETURNING here"]);
}

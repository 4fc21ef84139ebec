//! Tests as people write them. They run only when `by_hand` runs them: `ARK_MYSQL_CASES` says so.

use std::sync::LazyLock;
use std::time::Duration;

use ark_mysql::migrate::Migrator;
use ark_mysql::testing::TestDatabase;
use ark_mysql::{ConnectOptions, Connection, Pool, PoolConnection};

fn are_wanted() -> bool {
    std::env::var_os("ARK_MYSQL_CASES").is_some()
}

async fn names(pool: &Pool) -> ark_mysql::Result<Vec<String>> {
    let rows = ark_mysql::query("SELECT name FROM users ORDER BY id")
        .fetch_all(pool)
        .await?;
    rows.iter().map(|row| row.get(0)).collect()
}

#[ark_mysql::test(migrations = "tests/test_macro/schema", fixtures("users", "more"))]
#[ignore = "run by_hand"]
async fn everything_is_there_and_works(
    pool: Pool,
    mut conn: Connection,
    database: TestDatabase,
) -> ark_mysql::Result<()> {
    assert_eq!(names(&pool).await?, ["Ada", "Bob", "Cleo", "Dan"]);
    conn.run_script("CALL add_user(' Eve ')").await?;
    let rows = ark_mysql::query("SELECT id, shout, org FROM a_view ORDER BY id")
        .fetch_all(&mut conn)
        .await?;
    let last = rows.last().unwrap();
    assert_eq!(
        (
            last.get::<i32>(0)?,
            last.get::<String>(1)?,
            last.get::<String>(2)?
        ),
        (5, "EVE".to_owned(), "all".to_owned())
    );
    let refused = conn
        .run_script("INSERT INTO users (org, name) VALUES (9, 'no such org')")
        .await
        .unwrap_err();
    assert_eq!(refused.server().unwrap().code, 1452);
    let row = ark_mysql::query("SELECT DATABASE(), (SELECT name FROM orgs WHERE id = 0)")
        .fetch_one(&pool)
        .await?;
    assert_eq!(
        (row.get::<String>(0)?, row.get::<String>(1)?),
        (database.name().to_owned(), "nobody".to_owned())
    );
    Ok(())
}

#[ark_mysql::test(migrations = "tests/test_macro/schema", fixtures("users"))]
#[ignore = "run by_hand"]
async fn each_has_its_own(pool: Pool) -> ark_mysql::Result<()> {
    ark_mysql::query("DELETE FROM users WHERE name = 'Ada'")
        .execute(&pool)
        .await?;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(names(&pool).await?, ["Bob"]);
    Ok(())
}

#[ark_mysql::test(migrations = "tests/test_macro/schema", fixtures("users"))]
#[ignore = "run by_hand"]
async fn nobody_sees_what_others_do(mut conn: PoolConnection, options: ConnectOptions) {
    conn.run_script("DELETE FROM users WHERE name = 'Bob'")
        .await
        .unwrap();
    let pool = Pool::connect(options).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(names(&pool).await.unwrap(), ["Ada"]);
    // A task that is left behind, in the middle of a transaction, does not keep the database.
    let mut tx = pool.begin().await.unwrap();
    ark_mysql::query("DELETE FROM users")
        .execute(&mut tx)
        .await
        .unwrap();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(600)).await;
        drop(tx);
    });
}

static MIGRATOR: Migrator = ark_mysql::migrate!("tests/test_macro/schema");
static LAZY: LazyLock<Migrator> = LazyLock::new(|| MIGRATOR.clone().adopt_sqlx(true));

#[ark_mysql::test(migrator = "crate::cases::MIGRATOR", fixtures("users"))]
#[ignore = "run by_hand"]
async fn a_migrator_of_ones_own(pool: Pool) {
    assert_eq!(names(&pool).await.unwrap(), ["Ada", "Bob"]);
}

#[ark_mysql::test(migrator = LAZY, fixtures("users"))]
#[ignore = "run by_hand"]
async fn a_lazy_migrator(pool: Pool) {
    assert_eq!(names(&pool).await.unwrap(), ["Ada", "Bob"]);
}

#[ark_mysql::test(migrations = false)]
#[ignore = "run by_hand"]
async fn an_empty_database_is_empty(pool: Pool) -> Result<(), Box<dyn std::error::Error>> {
    let rows = ark_mysql::query("SHOW TABLES").fetch_all(&pool).await?;
    assert_eq!(rows.len(), 0);
    Ok(())
}

#[ark_mysql::test]
#[ignore = "run by_hand"]
async fn a_test_may_take_nothing() {}

#[ark_mysql::test(migrations = false)]
#[ignore = "run by_hand"]
#[should_panic(expected = "meant")]
async fn a_panic_that_is_meant_is_no_failure(pool: Pool) {
    ark_mysql::query("CREATE TABLE meant (x INT)")
        .execute(&pool)
        .await
        .unwrap();
    panic!("this is meant");
}

#[ark_mysql::test(migrations = "tests/test_macro/schema", fixtures("users"))]
#[ignore = "run by_hand"]
async fn broken_by_a_panic(pool: Pool) {
    ark_mysql::query("UPDATE users SET name = 'evidence'")
        .execute(&pool)
        .await
        .unwrap();
    assert!(!are_wanted(), "something is wrong");
}

#[ark_mysql::test(migrations = false)]
#[ignore = "run by_hand"]
async fn broken_by_an_error(mut conn: Connection) -> ark_mysql::Result<()> {
    let script = if are_wanted() {
        "CREATE TABLE evidence (x INT); nonsense"
    } else {
        "CREATE TABLE evidence (x INT)"
    };
    conn.run_script(script).await
}

#[ark_mysql::test(migrations = false)]
#[ignore = "run by_hand"]
async fn killed(database: TestDatabase) {
    assert_eq!(database.name().split('_').next(), Some("test"));
    if are_wanted() {
        std::process::abort();
    }
}

//! B7: whatever a borrower does to a session, the next one gets a clean one; and a clean one costs nothing.

use ark_mysql::{Connection, Pool, Result, query};
use tests::{Database, Transport, bars::reached, on_every_server};

use crate::by_hand::{run, statement};
use crate::support::{Proxy, one};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Write Touch(n): "UPDATE t SET n = ?" => Nothing {});

/// What a new session is like, as text.
#[derive(Debug, PartialEq, Eq)]
struct Session(Vec<(&'static str, Option<String>)>);

async fn text(conn: &mut Connection, sql: &str) -> Result<Option<String>> {
    one::<Option<String>>(conn, &format!("SELECT CAST({sql} AS CHAR)")).await
}

impl Session {
    async fn see(conn: &mut Connection, lock: &str) -> Result<Self> {
        let free = format!("IS_FREE_LOCK('{lock}')");
        let isolation = match conn.is_mariadb() {
            true => "@@SESSION.tx_isolation",
            false => "@@SESSION.transaction_isolation",
        };
        let asked = [
            ("variable", "@mine"),
            ("lock", &*free),
            ("sql_mode", "@@SESSION.sql_mode"),
            ("isolation", isolation),
            ("autocommit", "@@SESSION.autocommit"),
            ("time zone", "@@SESSION.time_zone"),
            ("database", "DATABASE()"),
            ("client", "@@SESSION.character_set_client"),
            ("connection", "@@SESSION.collation_connection"),
            ("results", "@@SESSION.character_set_results"),
            ("role", "CURRENT_ROLE()"),
        ];
        let mut seen = Vec::new();
        for (what, sql) in asked {
            seen.push((what, text(conn, sql).await?));
        }
        // A temporary table of the same name would hide it, a lock on another table forbid it.
        seen.push(("table", text(conn, "(SELECT COUNT(*) FROM t)").await?));
        seen.push(("other table", text(conn, "(SELECT COUNT(*) FROM u)").await?));
        let left = query("EXECUTE left_behind").execute(&mut *conn).await;
        let code = left.unwrap_err().server().unwrap().code;
        seen.push(("prepared by name", Some(code.to_string())));
        Ok(Self(seen))
    }
}

/// How many bytes more a pool sends than a connection, for the same statements.
async fn bytes_of_a_clean_lease(database: &Database) -> Result<usize> {
    let proxy = Proxy::new(database).await;
    let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
    let mut conn = Connection::connect(&*url).await?;
    let pool = Pool::builder().max_connections(1).connect(&*url).await?;
    for value in 0..2 {
        assert_eq!(
            run!(Echo, value).fetch_one(&mut conn).await?.echo,
            Some(value)
        );
        assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value));
        run!(Touch, 1).execute(&mut conn).await?;
        run!(Touch, 1).execute(&pool).await?;
    }
    let before = proxy.sent();
    for value in 0..100 {
        assert_eq!(
            run!(Echo, value).fetch_one(&mut conn).await?.echo,
            Some(value)
        );
        run!(Touch, 1).execute(&mut conn).await?;
    }
    let by_connection = proxy.sent() - before;
    let before = proxy.sent();
    for value in 0..100 {
        assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value));
        run!(Touch, 1).execute(&pool).await?;
    }
    let by_pool = proxy.sent() - before;
    assert_eq!(by_pool, by_connection, "bytes of 200 statements");
    assert_eq!((pool.metrics().resets, pool.metrics().opened), (0, 1));
    Ok(by_pool - by_connection)
}

on_every_server! {
    async fn fourteen_kinds_of_dirt(database: Database) -> Result<()> {
        let other = Database::new(database.kind());
        let (lock, role) = (format!("lock of {}", database.name()), format!("role_{}", database.name()));
        database.run("CREATE TABLE t (n INT); CREATE TABLE u (n INT); INSERT INTO t VALUES (1); INSERT INTO u VALUES (1)");
        database.run(&format!("CREATE ROLE {role}; GRANT {role} TO CURRENT_USER()"));
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let new = Session::see(&mut *pool.acquire().await?, &lock).await?;
        let id = pool.acquire().await?.id();
        let dirt: [(&str, String); 14] = [
            ("tx", String::new()),
            ("raw tx", "START TRANSACTION; UPDATE t SET n = 99".into()),
            ("@var", "SET @mine = 42".into()),
            ("temporary table", "CREATE TEMPORARY TABLE t (n INT)".into()),
            ("GET_LOCK", format!("SELECT GET_LOCK('{lock}', 0)")),
            ("LOCK TABLES", "LOCK TABLES t WRITE".into()),
            ("sql_mode", "SET SESSION sql_mode = 'ANSI_QUOTES'".into()),
            ("isolation", "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE".into()),
            ("autocommit", "SET autocommit = 0; UPDATE t SET n = 98".into()),
            ("time_zone", "SET time_zone = '+05:00'".into()),
            ("USE", format!("USE {}", other.name())),
            ("NAMES", "SET NAMES latin1".into()),
            ("role", format!("SET ROLE {role}")),
            ("prepared ids", "PREPARE left_behind FROM 'SELECT 1'".into()),
        ];
        let mut clean = 0;
        for (what, sql) in &dirt {
            if sql.is_empty() {
                let mut tx = pool.begin().await?;
                run!(Touch, 97).execute(&mut tx).await?;
            } else {
                let mut conn = pool.acquire().await?;
                conn.run_script(sql).await?;
                for value in 0..3 {
                    // Handles of ours that the reset takes away.
                    run!(Echo, value).fetch_one(&mut conn).await?;
                }
            }
            let mut conn = pool.acquire().await?;
            assert!(!conn.in_transaction(), "{what}");
            assert_eq!(run!(Echo, 5).fetch_one(&mut conn).await?.echo, Some(5), "{what}");
            assert_eq!(Session::see(&mut conn, &lock).await?, new, "{what}");
            assert_eq!(one::<i32>(&mut conn, "SELECT n FROM t").await?, 1, "{what}");
            // Nobody is kept waiting by a lock that was left.
            database.run("SET lock_wait_timeout = 20, innodb_lock_wait_timeout = 20; UPDATE t SET n = 1; UPDATE u SET n = 1");
            clean += 1;
        }
        assert_eq!((clean, pool.acquire().await?.id()), (dirt.len(), id), "on the same connection, too");
        let bytes = bytes_of_a_clean_lease(&database).await?;
        database.run(&format!("DROP ROLE {role}"));
        reached("B7", format_args!("{}: {clean}/14 clean, {bytes} bytes more for a clean lease", database.kind()));
        Ok(())
    }
}

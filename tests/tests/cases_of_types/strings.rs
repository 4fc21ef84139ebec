//! Text and bytes, and what is written in either.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ark_mysql::types::Json;
use ark_mysql::types::uuid::Uuid;
use ark_mysql::{Connection, Result};
use serde_json::json;
use tests::{Database, Flavor, Server, on_every_server};

use crate::{fails, params, rows, same, types};

on_every_server! {
    /// Case 1: `_bin` is no sign of bytes, whatever flag it comes with; character set 63 alone is.
    async fn text_with_a_binary_collation_is_text(database: Database) -> Result<()> {
        database.run(
            "CREATE TABLE t(a VARCHAR(20) COLLATE utf8mb4_bin NOT NULL, b VARBINARY(20) NOT NULL, c VARCHAR(20) CHARACTER SET latin1 NOT NULL,
                d CHAR(9) COLLATE utf8mb4_bin NOT NULL, e TEXT COLLATE utf8mb4_bin NOT NULL, f BINARY(3) NOT NULL, g TINYBLOB NOT NULL,
                h VARCHAR(9) CHARACTER SET gbk NOT NULL, i VARCHAR(9) CHARACTER SET utf16 COLLATE utf16_bin NOT NULL, j ENUM('é') COLLATE utf8mb4_bin NOT NULL,
                k VARCHAR(9) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, l LONGTEXT CHARACTER SET latin1 COLLATE latin1_bin NOT NULL) CHARACTER SET utf8mb4;
            INSERT INTO t VALUES ('🙂', X'FF', 'é', '', 'ü', X'00', '', '縗', '🙂', 'é', 'a', 'ÿ')",
        );
        let text_and_bytes = "String, Vec<u8>, String, String, String, Vec<u8>, Vec<u8>, String, String, String, String, String";
        assert_eq!(types(&database, "SELECT * FROM t"), text_and_bytes);
        // Expressions go by their parts: with bytes among them they are bytes.
        let expressions = "SELECT CONCAT(a, c), CONCAT(a, b), UPPER(a), CAST(a AS BINARY), CONVERT(b USING utf8mb4), HEX(b), MAX(a), COALESCE(b, a) FROM t GROUP BY a, b, c";
        let types_of_expressions = types(&database, expressions).replace("Option<", "").replace('>', "");
        assert_eq!(types_of_expressions, "String, Vec<u8, String, Vec<u8, String, String, String, Vec<u8");
        let mut conn = Connection::connect(database.url()).await?;
        let row = rows!(conn, "SELECT a, b, c, d, f, h, i, j, l FROM t", [], [
            a: String = NotNull Text, b: Vec<u8> = NotNull Bytes, c: String = NotNull Text, d: String = NotNull Text, f: [u8; 3] = NotNull Bytes,
            h: String = NotNull Text, i: String = NotNull Text, j: String = NotNull Enum, l: String = NotNull Text,
        ]);
        let text = |text: &str| text.to_owned();
        assert_eq!(same(row), [(text("🙂"), vec![0xff], text("é"), text(""), [0; 3], text("縗"), text("🙂"), text("é"), text("ÿ"))]);
        Ok(())
    }

    /// The neighbour of case 1: text and bytes in one UNION are bytes, and bytes that are no text are never made a String.
    async fn a_union_of_text_and_bytes_is_bytes(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(a VARCHAR(20) NOT NULL, b BLOB NOT NULL) CHARACTER SET utf8mb4; INSERT INTO t VALUES ('é', X'FFFE')");
        for sql in ["SELECT a FROM t UNION ALL SELECT b FROM t", "SELECT b FROM t UNION ALL SELECT a FROM t"] {
            assert_eq!(types(&database, sql).replace("Option<Vec<u8>>", "Vec<u8>"), "Vec<u8>", "{sql}");
        }
        let mut conn = Connection::connect(database.url()).await?;
        let both = rows!(conn, "SELECT a FROM t UNION ALL SELECT b FROM t", [], [a: Option<Vec<u8>> = Nullable Bytes]);
        assert_eq!(same(both), [(Some(vec![0xc3, 0xa9]),), (Some(vec![0xff, 0xfe]),)]);
        // A program that was built when the column was text finds out that it is not.
        fails(rows!(conn, "SELECT b FROM t", [], [b: String = NotNull Text]), &["`b`"]);
        Ok(())
    }

    /// Case 3: collations whose numbers need more than a byte; the connection asks for its own by name.
    async fn collations_with_large_numbers(database: Database) -> Result<()> {
        let collations = match database.flavor() {
            Flavor::MySql => ["utf8mb4_0900_as_cs", "utf8mb4_zh_0900_as_cs"],
            Flavor::MariaDb => ["utf8mb4_uca1400_ai_ci", "utf8mb4_uca1400_as_cs"],
        };
        let [one, other] = collations;
        database.run(&format!("CREATE TABLE t(a VARCHAR(20) COLLATE {one} NOT NULL, b TEXT COLLATE {other} NOT NULL)"));
        assert_eq!(types(&database, "SELECT a, b FROM t"), "String, String");
        let mut conn = Connection::connect(database.url()).await?;
        ark_mysql::query("INSERT INTO t VALUES (?, ?)").bind("🙂é").bind("🙂é").execute(&mut conn).await?;
        let found = rows!(conn, "SELECT a, b FROM t WHERE a = ? AND b = ?", ["🙂é" => kind::Text, "🙂é" => kind::Text], [a: String = NotNull Text, b: String = NotNull Text]);
        assert_eq!(same(found), [("🙂é".to_owned(), "🙂é".to_owned())]);
        Ok(())
    }

    /// What is looked for is text, and what has a collation of its own stands against the column all the same.
    async fn text_that_is_looked_for(database: Database) -> Result<()> {
        database.run(
            "CREATE TABLE t(id INT PRIMARY KEY, a VARCHAR(20) NOT NULL, b TEXT NOT NULL, FULLTEXT (a, b)) CHARACTER SET utf8mb4;
            INSERT INTO t VALUES (1, 'heron', 'a grey one'), (2, 'Heron', 'a purple one'), (3, 'heron', 'a white one')",
        );
        let sql = "SELECT id FROM t WHERE MATCH (a, b) AGAINST (? IN BOOLEAN MODE) AND a = ? COLLATE utf8mb4_bin ORDER BY MATCH (a, b) AGAINST (?), id LIMIT ?";
        assert_eq!(params(&database, sql), "Text argument, Text a, Text argument, BigIntUnsigned limit");
        let mut conn = Connection::connect(database.url()).await?;
        let found = rows!(conn,
            "SELECT id FROM t WHERE MATCH (a, b) AGAINST (? IN BOOLEAN MODE) AND a = ? COLLATE utf8mb4_bin ORDER BY MATCH (a, b) AGAINST (?), id LIMIT ?",
            ["+heron -white" => kind::Text, "heron" => kind::Text, "purple" => kind::Text, 9_u64 => kind::BigIntUnsigned], [id: i32 = NotNull Int]);
        assert_eq!(same(found), [(1,)]);
        Ok(())
    }

    /// Case 5: JSON is JSON on MariaDB, too, where it is a LONGTEXT with a CHECK.
    async fn json_is_read_in_every_way(database: Database) -> Result<()> {
        database.run(r#"CREATE TABLE j(d JSON NOT NULL, n JSON, t LONGTEXT NOT NULL); INSERT INTO j VALUES ('{"x":true}', NULL, '{"x":true}'), ('null', '[18446744073709551615, -1, 0.5]', '')"#);
        assert_eq!(types(&database, "SELECT d, n, t FROM j"), "serde_json::Value, Option<serde_json::Value>, String");
        assert_eq!(types(&database, "SELECT JSON_EXTRACT(d, '$.x') FROM j"), "Option<serde_json::Value>");
        let mut conn = Connection::connect(database.url()).await?;
        let values = rows!(conn, "SELECT d, n FROM j", [], [d: serde_json::Value = NotNull Json, n: Option<serde_json::Value> = Nullable Json]);
        assert_eq!(same(values), [(json!({"x": true}), None), (json!(null), Some(json!([u64::MAX, -1, 0.5])))]);
        let texts = same(rows!(conn, "SELECT d FROM j", [], [d: String = NotNull Json]));
        assert_eq!(texts.iter().map(|(text,)| text.replace(' ', "")).collect::<Vec<_>>(), [r#"{"x":true}"#, "null"]);
        let typed = rows!(conn, "SELECT d FROM j WHERE n IS NULL", [], [d: Json<BTreeMap<String, bool>> = NotNull Json]);
        assert_eq!(same(typed), [(Json(BTreeMap::from([("x".to_owned(), true)])),)]);
        fails(rows!(conn, "SELECT d FROM j", [], [d: Json<Vec<u8>> = NotNull Json]), &["`d`", "JSON"]);
        fails(rows!(conn, "SELECT t FROM j", [], [t: serde_json::Value = NotNull Text]), &["`t`", "JSON"]);
        Ok(())
    }

    /// Case 7: one UUID in 16 bytes, in text, and in MariaDB's type; what is bound has the form of what it stands against.
    async fn a_uuid_in_every_form(database: Database) -> Result<()> {
        let has_uuid = database.flavor() == Flavor::MariaDb;
        let native = if has_uuid { "UUID" } else { "CHAR(36)" };
        database.run(&format!("CREATE TABLE t(a {native} NOT NULL, b BINARY(16) NOT NULL, c CHAR(36) NOT NULL, d CHAR(32) NOT NULL, e VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL)"));
        let id: Uuid = "0189f7ea-ae2b-7c5e-8000-0123456789ab".parse().unwrap();
        let mut conn = Connection::connect(database.url()).await?;
        let inserted = "INSERT INTO t VALUES (?, ?, ?, ?, ?)";
        ark_mysql::query(inserted).bind(id.hyphenated()).bind(id.as_bytes()).bind(id.hyphenated()).bind(id.simple()).bind(id.to_string()).execute(&mut conn).await?;
        if has_uuid {
            let native = rows!(conn, "SELECT a, b FROM t WHERE a = ? AND b = ? AND c = ?", [id => kind::Uuid, id => kind::Bytes, id => kind::Text], [a: Uuid = NotNull Uuid, b: Uuid = NotNull Bytes]);
            assert_eq!(same(native), [(id, id)]);
            assert_eq!(types(&database, "SELECT a, b, c, UUID() FROM t"), "String, Vec<u8>, String, String");
            assert_eq!(same(rows!(conn, "SELECT a FROM t", [], [a: String = NotNull Uuid])), [(id.to_string(),)]);
        }
        let found = rows!(conn, "SELECT b, c, d, e FROM t WHERE b = ? AND c = ? AND b IN (?, ?)", [id => kind::Bytes, id => kind::Text, id => kind::Bytes, Some(id) => kind::Bytes],
            [b: Uuid = NotNull Bytes, c: Uuid = NotNull Text, d: Uuid = NotNull Text, e: Uuid = NotNull Text]);
        assert_eq!(same(found), [(id, id, id, id)]);
        let (made, as_text) = match has_uuid {
            true => rows!(conn, "SELECT UUID() AS made", [], [made: Uuid = NotNull Uuid]),
            false => rows!(conn, "SELECT UUID() AS made", [], [made: Uuid = NotNull Text]),
        };
        assert!(made?[0].0 != as_text?[0].0);
        database.run("UPDATE t SET b = 'no uuid, though', c = 'no uuid'");
        assert_eq!(same(rows!(conn, "SELECT b FROM t", [], [b: Uuid = NotNull Bytes])).len(), 1, "any 16 bytes are one");
        fails(rows!(conn, "SELECT c FROM t", [], [c: Uuid = NotNull Text]), &["`c`", "row 1", "does not parse"]);
        fails(rows!(conn, "SELECT SUBSTR(b, 2) AS b FROM t", [], [b: Option<Uuid> = Nullable Bytes]), &["`b`", "length"]);
        Ok(())
    }

    /// The same kind as case 7: addresses.
    async fn an_address_in_every_form(database: Database) -> Result<()> {
        let four = Ipv4Addr::new(192, 0, 2, 7);
        let six: Ipv6Addr = "2001:db8::7".parse().unwrap();
        database.run("CREATE TABLE t(a VARCHAR(45) NOT NULL, b VARBINARY(16) NOT NULL, c VARCHAR(45) NOT NULL, d VARBINARY(16) NOT NULL);
            INSERT INTO t VALUES ('192.0.2.7', INET6_ATON('192.0.2.7'), '2001:db8::7', INET6_ATON('2001:db8::7'))");
        let mut conn = Connection::connect(database.url()).await?;
        let found = rows!(conn, "SELECT a, b, c, d FROM t WHERE a = ? AND b = ? AND c = ? AND d = ?", [four => kind::Text, four => kind::Bytes, six => kind::Text, IpAddr::V6(six) => kind::Bytes],
            [a: Ipv4Addr = NotNull Text, b: IpAddr = NotNull Bytes, c: IpAddr = NotNull Text, d: Ipv6Addr = NotNull Bytes]);
        assert_eq!(same(found), [(four, four.into(), six.into(), six)]);
        fails(rows!(conn, "SELECT c FROM t", [], [c: Ipv4Addr = NotNull Text]), &["`c`", "does not parse"]);
        fails(rows!(conn, "SELECT d FROM t", [], [d: Ipv4Addr = NotNull Bytes]), &["`d`", "length"]);
        if database.flavor() == Flavor::MariaDb {
            database.run("CREATE TABLE n(a INET4 NOT NULL, b INET6); INSERT INTO n VALUES ('192.0.2.7', '2001:db8::7')");
            assert_eq!(types(&database, "SELECT a, b FROM n"), "std::net::Ipv4Addr, Option<std::net::Ipv6Addr>");
            let found = rows!(conn, "SELECT a, b FROM n WHERE a = ? AND b = ?", [four => kind::Inet4, six => kind::Inet6], [a: Ipv4Addr = NotNull Inet4, b: Option<Ipv6Addr> = Nullable Inet6]);
            assert_eq!(same(found), [(four, Some(six))]);
        }
        Ok(())
    }

    /// The neighbours of case 1: what the server does to text that is stored, it is not for us to undo.
    async fn blanks_at_the_end_and_empty_text(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(a CHAR(5) NOT NULL, b VARCHAR(5) NOT NULL, c BINARY(5) NOT NULL, d TEXT NOT NULL, e BLOB NOT NULL) CHARACTER SET utf8mb4;
            INSERT INTO t VALUES ('a  ', 'a  ', 'a  ', '', '')");
        let mut conn = Connection::connect(database.url()).await?;
        let stored = rows!(conn, "SELECT a, b, c, d, e FROM t", [], [a: String = NotNull Text, b: String = NotNull Text, c: [u8; 5] = NotNull Bytes, d: String = NotNull Text, e: Vec<u8> = NotNull Bytes]);
        assert_eq!(same(stored), [("a".to_owned(), "a  ".to_owned(), *b"a  \0\0", String::new(), vec![])]);
        Ok(())
    }
}

/// Case 3, the server's own way: one that gives utf8mb4 a collation of such a number.
#[tokio::test]
async fn a_server_whose_utf8mb4_has_a_large_number() -> Result<()> {
    let argument = "--character-set-collations=utf8mb4=uca1400_ai_ci";
    let server = Server::MariaDb
        .builder()
        .argument(argument)
        .start()
        .unwrap();
    let mut conn = Connection::connect(server.url()).await?;
    conn.run_script(
        "CREATE DATABASE large CHARACTER SET utf8mb4; CREATE TABLE large.t(a VARCHAR(20) NOT NULL)",
    )
    .await?;
    ark_mysql::query("INSERT INTO large.t VALUES (?)")
        .bind("🙂é")
        .execute(&mut conn)
        .await?;
    let found = rows!(conn, "SELECT a FROM large.t WHERE a = ?", ["🙂É" => kind::Text], [a: String = NotNull Text]);
    assert_eq!(same(found), [("🙂é".to_owned(),)]);
    Ok(())
}

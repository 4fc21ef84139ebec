use super::{Quoting, Statement, statements};

fn texts(script: &str) -> Vec<&str> {
    texts_in("", script)
}

/// As a session with this `sql_mode` reads them.
fn texts_in<'s>(sql_mode: &str, script: &'s str) -> Vec<&'s str> {
    statements(script, Quoting::of(sql_mode))
        .into_iter()
        .map(|statement| statement.sql)
        .collect()
}

fn places(script: &str) -> Vec<(usize, &str)> {
    statements(script, Quoting::default())
        .into_iter()
        .map(|Statement { line, sql, .. }| (line, sql))
        .collect()
}

/// The body and one statement behind it: two statements, whatever the body holds.
#[track_caller]
fn is_one(body: &str) {
    let script = format!("{body};\nSELECT 'behind';\n");
    assert_eq!(texts(&script), [body, "SELECT 'behind'"]);
}

#[test]
fn semicolons_in_quotes_and_comments_do_not_split() {
    let script =
        "SELECT ';', \"a;\\\";\", `b;`; -- no; not here\n/* nor; here */ SELECT 1 # ; \n;;\n";
    assert_eq!(
        places(script),
        [(1, "SELECT ';', \"a;\\\";\", `b;`"), (2, "SELECT 1 # ;")]
    );
}

#[test]
fn comments_alone_are_no_statement_but_executed_ones_are() {
    assert_eq!(texts("-- a\n/* b */ # c"), [""; 0]);
    assert_eq!(
        places("/*!40101 SET @a = 1; */;"),
        [(1, "/*!40101 SET @a = 1; */")]
    );
}

#[test]
fn where_a_string_ends_is_decided_by_the_sql_mode() {
    let script = r"INSERT INTO t VALUES ('\'); SELECT '; \' ;";
    assert_eq!(texts(script).len(), 2);
    assert_ne!(texts(script)[0], r"INSERT INTO t VALUES ('\')");
    let split = [r"INSERT INTO t VALUES ('\')", r"SELECT '; \'"];
    assert_eq!(
        texts_in("STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES", script),
        split
    );
    // A name in double quotes has no escapes either, a string beside it has.
    let script = r#"SELECT "a\" , 'b\';' ; SELECT 2"#;
    assert_eq!(
        texts_in("ANSI_QUOTES", script),
        [r#"SELECT "a\" , 'b\';'"#, "SELECT 2"]
    );
    assert_eq!(texts(script).len(), 1, "a string that does not end");
    // Statements of the script change it, and change it back.
    let script = r"SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SELECT 'c:\'; SET sql_mode = DEFAULT; SELECT 'it\'s;'; SELECT 5";
    assert_eq!(texts(script).len(), 5);
}

#[test]
fn comments_that_are_executed_are_read_as_what_they_hold() {
    for one in [
        "/*!50003 CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.x = '*/'; SET NEW.y = ';'; END */",
        "/*M!100100 CREATE TABLE a (b INT) COMMENT '; */' */",
        "CREATE /*!50017 DEFINER=`a;`@`b*/` */ TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SELECT 1; END",
        "/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW */ BEGIN SELECT 1; SELECT 2; END",
        "SELECT /*! 1 /* in; it */ + 1 */ + 1",
        "/*M!999999\\- enable the sandbox mode */",
    ] {
        is_one(one);
    }
    // What is none of them ends at the first end, and nothing in it counts.
    assert_eq!(
        texts("/* it's; /*! */ SELECT 1; SELECT /*+ it's; */ 2"),
        ["SELECT 1", "SELECT /*+ it's; */ 2"]
    );
}

#[test]
fn two_dashes_without_a_blank_are_two_minus() {
    assert_eq!(texts("SELECT 1--1; SELECT 2"), ["SELECT 1--1", "SELECT 2"]);
    assert_eq!(texts("SELECT 1 --\n;SELECT 2"), ["SELECT 1 --", "SELECT 2"]);
    assert_eq!(
        texts("SELECT 1 --\t; it's\n;SELECT 2--"),
        ["SELECT 1 --\t; it's", "SELECT 2--"]
    );
}

#[test]
fn the_clients_command_is_one_only_where_a_statement_begins() {
    let script = "SELECT 'DELIMITER //\nDELIMITER //\n'; /* DELIMITER // */ SELECT 1;\n-- DELIMITER //\nSELECT `\nDELIMITER //\n`; SELECT 3";
    assert_eq!(texts(script).len(), 4);
    assert_eq!(
        texts("DELIMITER '//'\nSELECT 1; SELECT 2//\nDELIMITER \";\"\nSELECT 3; SELECT 4"),
        ["SELECT 1; SELECT 2", "SELECT 3", "SELECT 4"]
    );
}

#[test]
fn what_never_ends_is_sent_whole() {
    assert_eq!(texts("SELECT 'a; b"), ["SELECT 'a; b"]);
    assert_eq!(
        texts("CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2;"),
        ["CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2;"]
    );
    assert_eq!(
        places("é;SELECT 'é''é;'"),
        [(1, "é"), (1, "SELECT 'é''é;'")]
    );
}

#[test]
fn delimiters_are_those_of_the_client() {
    let script = "DELIMITER //\nCREATE PROCEDURE p() SELECT 1; SELECT 2 //\ndelimiter ;\nSELECT 3;";
    assert_eq!(
        places(script),
        [
            (2, "CREATE PROCEDURE p() SELECT 1; SELECT 2"),
            (4, "SELECT 3")
        ]
    );
    let script = "DELIMITER $$\r\nBEGIN; END$$ SELECT 'a$$b'$$\r\nDELIMITER ;\r\nSELECT 3";
    assert_eq!(texts(script), ["BEGIN; END", "SELECT 'a$$b'", "SELECT 3"]);
    // As mysqldump writes triggers.
    let script = "DELIMITER ;;\n/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.x = 1; */;;\nDELIMITER ;\n";
    assert_eq!(texts(script).len(), 1);
    // Letters, and a column of that name in the middle of a statement.
    assert_eq!(
        texts("DELIMITER go\nSELECT 1 go SELECT 2 go"),
        ["SELECT 1", "SELECT 2"]
    );
    assert_eq!(
        texts("SELECT\ndelimiter FROM t; SELECT 2"),
        ["SELECT\ndelimiter FROM t", "SELECT 2"]
    );
}

#[test]
fn bodies_are_one_statement() {
    for body in [
        "CREATE PROCEDURE p() BEGIN END",
        "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END",
        "create or replace definer = `a`@`b` procedure if not exists p(x int) comment 'x;' begin select 1; end",
        "CREATE DEFINER=root@localhost FUNCTION f(a INT) RETURNS INT DETERMINISTIC BEGIN DECLARE b INT; SET b = a; RETURN b; END",
        "CREATE FUNCTION f(a INT) RETURNS INT RETURN IF(a > 1, 2, 3)",
        "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.x = IF(NEW.y, 1, 2)",
        "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW IF NEW.x THEN SET NEW.y = 1; ELSE SET NEW.y = 2; END IF",
        "CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW BEGIN IF NEW.x > 1 THEN INSERT INTO b VALUES (1); ELSEIF NEW.x THEN DELETE FROM b; END IF; END",
        "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM a; DELETE FROM b; END",
        "ALTER EVENT e DO BEGIN DELETE FROM a; DELETE FROM b; END",
        "CREATE PROCEDURE p() BEGIN l: LOOP SET @a = REPEAT('x', 2); LEAVE l; END LOOP l; WHILE @a DO SELECT 1; END WHILE; REPEAT SET @a = 1; UNTIL @a END REPEAT; END",
        "CREATE PROCEDURE p() BEGIN CASE @a WHEN 1 THEN SELECT 1; ELSE BEGIN END; END CASE; SELECT CASE WHEN @a THEN IF(1, 2, 3) ELSE 4 END; END",
        "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END; DECLARE c CURSOR FOR SELECT 1 FOR UPDATE; START TRANSACTION; COMMIT; END",
        "CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR SQLSTATE '23000' BEGIN SELECT 1; END; SELECT 2; END",
        "CREATE PROCEDURE p() BEGIN SELECT t.end, begin, `end` FROM t WHERE begin > t.begin; END",
        "CREATE PROCEDURE p() BEGIN DROP TABLE IF EXISTS a; CREATE TABLE IF NOT EXISTS a (b INT); IF EXISTS (SELECT 1) THEN SELECT 2; END IF; END",
        "CREATE PROCEDURE p() SELECT * FROM t WHERE id IN (1) FOR UPDATE",
        "CREATE PROCEDURE p() SELECT CASE WHEN 1 THEN 2 END",
        "BEGIN NOT ATOMIC SELECT 1; SELECT 2; END",
        "IF @a THEN SELECT 1; END IF",
        "FOR i IN 1..3 DO SELECT i; SELECT 2; END FOR",
        "CREATE PACKAGE pkg PROCEDURE p(); FUNCTION f() RETURNS INT; END",
        "CREATE PACKAGE BODY pkg PROCEDURE p() BEGIN SELECT 1; SELECT 2; END; FUNCTION f() RETURNS INT RETURN 1; END",
    ] {
        is_one(body);
    }
}

#[test]
fn statements_without_bodies_are_not_taken_for_ones_with() {
    for script in [
        "BEGIN; INSERT INTO t VALUES (1); COMMIT",
        "START TRANSACTION; UPDATE t SET a = CASE WHEN b THEN 1 ELSE 2 END; COMMIT",
        "CREATE TABLE event (begin INT, `end` INT); INSERT INTO event VALUES (1, 2); SELECT begin FROM event",
        "CREATE TABLE trigger_log (a INT); CREATE INDEX begin ON trigger_log (a); DROP PROCEDURE IF EXISTS p",
        "CREATE USER begin@x; GRANT TRIGGER ON *.* TO begin@x; FLUSH PRIVILEGES",
        "XA BEGIN 'x'; XA END 'x'; XA ROLLBACK 'x'",
    ] {
        assert_eq!(texts(script).len(), 3, "{script}");
    }
}

#[test]
fn with_the_mode_oracle_bodies_are_those_of_oracle() {
    for body in [
        "CREATE PROCEDURE p AS BEGIN NULL; END",
        "CREATE OR REPLACE PROCEDURE p(a IN INT, b OUT t.is%TYPE) IS v INT := 1; CURSOR c IS SELECT 1 AS x; w VARCHAR(9) := 'x;'; BEGIN SELECT a INTO v; b := v; END p",
        "CREATE FUNCTION f(a INT DEFAULT 1) RETURN INT DETERMINISTIC AS BEGIN RETURN CASE WHEN a IS NULL THEN 1 ELSE a END; END",
        "CREATE PROCEDURE p AS BEGIN FOR i IN 1..3 LOOP INSERT INTO a VALUES (i); END LOOP; FOR r IN (SELECT 1) LOOP NULL; END LOOP; WHILE x LOOP EXIT WHEN x > 1; END LOOP; END",
        "CREATE PROCEDURE p AS BEGIN <<outer>> LOOP <<inner>> LOOP EXIT outer; END LOOP; END LOOP outer; IF a THEN NULL; ELSIF b THEN NULL; END IF; END",
        "CREATE PROCEDURE p AS BEGIN DECLARE v INT; BEGIN v := 1 >> 1; EXCEPTION WHEN NO_DATA_FOUND THEN NULL; END; SELECT 2; EXCEPTION WHEN OTHERS THEN ROLLBACK; RAISE; END",
        "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN :NEW.x := 1; :NEW.y := 2; END",
        "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW DECLARE v INT; w INT; BEGIN NEW.x := v; END",
        "CREATE PACKAGE pkg AS v INT; PROCEDURE p; FUNCTION f(a INT) RETURN INT; END pkg",
        "CREATE PACKAGE BODY pkg AS v INT; PROCEDURE p AS w INT; BEGIN v := 1; END; FUNCTION f(a INT) RETURN INT IS BEGIN RETURN a; END f; BEGIN v := 2; v := 3; END",
        "CREATE PACKAGE BODY pkg IS PROCEDURE p IS BEGIN NULL; END; END",
        "DECLARE v INT; w INT := 2; BEGIN v := 1; SELECT v; END",
        "BEGIN SELECT 1; BEGIN SELECT 2; END; END",
    ] {
        let script = format!(
            "SET sql_mode = 'ORACLE';\n{body};\nSET sql_mode = '';\nBEGIN; SELECT 'behind'"
        );
        let all = texts(&script);
        assert_eq!(
            all.get(1..),
            Some(&[body, "SET sql_mode = ''", "BEGIN", "SELECT 'behind'"][..])
        );
        assert_eq!(
            texts_in("PIPES_AS_CONCAT,ORACLE", &format!("{body}; SELECT 2")),
            [body, "SELECT 2"]
        );
    }
    for script in [
        "START TRANSACTION; UPDATE t SET a = CASE WHEN b IS NULL THEN 1 END; COMMIT",
        "CREATE VIEW v AS SELECT 1; CREATE TABLE t AS SELECT 2; DROP PACKAGE pkg",
        "DROP PROCEDURE IF EXISTS p; CALL pkg.p(); GRANT EXECUTE ON PROCEDURE p TO a",
    ] {
        assert_eq!(texts_in("ORACLE", script).len(), 3, "{script}");
    }
}

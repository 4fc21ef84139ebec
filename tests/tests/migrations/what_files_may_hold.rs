use std::sync::{Arc, Mutex};

use ark_mysql::ConnectOptions;
use ark_mysql::migrate::{Progress, State};
use tests::{Database, Flavor, on_both_servers};

use crate::support::{Folder, column, says, tables};

const USERS: &str = "-- who\nCREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(50) NOT NULL);\nINSERT INTO users VALUES (1, 'Ada;'), (2, 'Bob');\n";

on_both_servers! {
    async fn each_file_is_applied_once_in_the_order_of_versions(database: Database) {
        let folder = Folder::of(&[
            ("10_last.sql", "INSERT INTO log VALUES ('last')"),
            ("2_table.sql", "CREATE TABLE log (what VARCHAR(20))"),
            ("20260131120000_time.sql", "INSERT INTO log VALUES ('time')"),
            ("seed.sql", "this is no migration"),
        ]);
        assert_eq!(folder.run(&database).await.unwrap(), ["2_table.sql", "10_last.sql", "20260131120000_time.sql"]);
        assert_eq!(folder.run(&database).await.unwrap(), [""; 0]);
        assert_eq!(column(&database, "SELECT what FROM log").await, ["last", "time"]);
        assert_eq!(folder.states(&database).await, [State::Applied, State::Applied, State::Applied]);
        folder.migrator().validate(database.url()).await.unwrap();
    }

    async fn a_run_can_stop_at_a_version(database: Database) {
        let folder = Folder::of(&[("1_a.sql", "CREATE TABLE a (x INT)"), ("2_b.sql", "CREATE TABLE b (x INT)")]);
        folder.migrator().run_to(database.url(), 1).await.unwrap();
        assert_eq!(tables(&database).await, ["a"]);
        assert_eq!(folder.states(&database).await, [State::Applied, State::Pending]);
    }

    async fn bodies_of_routines_and_triggers_need_no_delimiter_and_may_have_one(database: Database) {
        let folder = Folder::of(&[
            ("1_users.sql", USERS),
            ("2_bodies.sql", "CREATE PROCEDURE twice() BEGIN INSERT INTO users VALUES (3, 'c'); INSERT INTO users VALUES (4, 'd'); END;
                CREATE TRIGGER upper_names BEFORE INSERT ON users FOR EACH ROW IF NEW.id > 2 THEN SET NEW.name = UPPER(NEW.name); END IF;
                CALL twice();"),
            ("3_client.sql", "DELIMITER //\nCREATE FUNCTION one() RETURNS INT DETERMINISTIC NO SQL BEGIN RETURN 1; END//\nDELIMITER ;\nINSERT INTO users VALUES (5, 'e');"),
        ]);
        assert_eq!(folder.run(&database).await.unwrap().len(), 3);
        assert_eq!(column(&database, "SELECT name FROM users ORDER BY id").await, ["Ada;", "Bob", "C", "D", "E"]);
    }

    async fn where_strings_end_is_decided_by_the_sessions_sql_mode(database: Database) {
        let folder = Folder::of(&[
            ("1_usual.sql", r"CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(99)); INSERT INTO log (what) VALUES ('it\'s;'), ('--'); SET @a = 1--1;"),
            ("2_plain.sql", r"SET sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES'); INSERT INTO log (what) VALUES ('c:\'); INSERT INTO log (what) VALUES (';\');"),
            ("3_names.sql", r#"SET SESSION sql_mode = 'ANSI_QUOTES'; CREATE TABLE "a\" (id INT); DROP TABLE "a\"; SET sql_mode = DEFAULT; INSERT INTO log (what) VALUES ("b\";")"#),
            ("4_dump.sql", "/*M!999999\\- enable the sandbox mode */ \n/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\n\
                /*!50003 CREATE TRIGGER t BEFORE INSERT ON log FOR EACH ROW BEGIN SET NEW.what = CONCAT(NEW.what, '*/'); SET @b = ';'; END */;\n\
                INSERT INTO log (what) VALUES ('d');\n/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;"),
        ]);
        assert_eq!(folder.run(&database).await.unwrap().len(), 4);
        let all = ["it's;", "--", r"c:\", r";\", "b\";", "d*/"];
        assert_eq!(column(&database, "SELECT what FROM log ORDER BY id").await, all);
        assert!(folder.states(&database).await.iter().all(|state| *state == State::Applied));
        // By an address whose sessions begin with another one; scripts of fixtures are read by the same rule.
        let options: ConnectOptions = database.url().parse().unwrap();
        let options = options.init_statement("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'");
        folder.write("5_by_address.sql", r"DELETE FROM log; INSERT INTO log (what) VALUES ('e:\'); SET sql_mode = ''; INSERT INTO log (what) VALUES ('\';')");
        folder.migrator().run(options.clone()).await.unwrap();
        let mut connection = ark_mysql::Connection::connect(options).await.unwrap();
        connection.run_script(r"INSERT INTO log (what) VALUES ('f:\'); SELECT '; \'").await.unwrap();
        assert_eq!(column(&database, "SELECT what FROM log ORDER BY id").await, [r"e:\*/", "';*/", r"f:\*/"]);
    }

    async fn bodies_as_oracle_has_them_are_read_with_the_mode_oracle(database: Database) {
        if database.flavor() == Flavor::MySql {
            return; // It has no such mode.
        }
        let folder = Folder::of(&[
            ("1_users.sql", USERS),
            ("2_oracle.sql", "SET sql_mode = 'ORACLE';
                CREATE PROCEDURE one AS v INT := 3; CURSOR c IS SELECT 1 AS x; BEGIN INSERT INTO users VALUES (v, 'c'); INSERT INTO users VALUES (v + 1, 'd'); END;
                CREATE FUNCTION two(a INT) RETURN INT DETERMINISTIC IS BEGIN IF a > 1 THEN RETURN 5; ELSIF a > 0 THEN RETURN 6; END IF; RETURN 7; END;
                CREATE TRIGGER upper_names BEFORE INSERT ON users FOR EACH ROW DECLARE v VARCHAR(9); w INT; BEGIN v := UPPER(:NEW.name); :NEW.name := v; END;
                CREATE PACKAGE pkg AS PROCEDURE three; FUNCTION four RETURN INT; END;
                CREATE PACKAGE BODY pkg AS v INT := 6; PROCEDURE three AS BEGIN INSERT INTO users VALUES (v, 'f'); <<l>> LOOP v := v + 1; EXIT l WHEN v > 6; END LOOP; END;
                    FUNCTION four RETURN INT AS BEGIN RETURN v; END; BEGIN v := v; v := 6; END;
                CALL one(); INSERT INTO users VALUES (two(2), 'e'); CALL pkg.three();
                DECLARE v INT; BEGIN v := pkg.four(); INSERT INTO users VALUES (v, 'g'); END;
                BEGIN INSERT INTO users VALUES (8, 'h'); INSERT INTO users VALUES (9, 'i'); EXCEPTION WHEN OTHERS THEN NULL; END;
                START TRANSACTION; INSERT INTO users VALUES (10, 'j'); COMMIT; SET sql_mode = DEFAULT;
                CREATE PROCEDURE five() BEGIN INSERT INTO users VALUES (11, 'k'); INSERT INTO users VALUES (12, 'l'); END; CALL five();"),
        ]);
        folder.run(&database).await.unwrap();
        let names = ["Ada;", "Bob", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
        assert_eq!(column(&database, "SELECT name FROM users ORDER BY id").await, names);
        // A session that begins with it, and a mode that no text tells.
        let options: ConnectOptions = database.url().parse().unwrap();
        let mut connection = ark_mysql::Connection::connect(options.init_statement("SET SESSION sql_mode = 'ORACLE'")).await.unwrap();
        connection.run_script("DELETE FROM users; BEGIN INSERT INTO users VALUES (1, 'm'); INSERT INTO users VALUES (2, 'n'); END;").await.unwrap();
        assert_eq!(column(&database, "SELECT name FROM users ORDER BY id").await, ["M", "N"]);
        folder.write("3_hidden.sql", "SET @m = CONCAT('ORA', 'CLE'); SET sql_mode = @m; CREATE PROCEDURE six AS BEGIN NULL; NULL; END");
        says(&folder.refusal(&database).await, &["3_hidden.sql: statement 2 set the sql_mode", "bodies of routines", "a migration of its own"]);
    }

    async fn a_mode_that_no_text_tells_is_refused_before_it_matters(database: Database) {
        let hidden = "SET @m = CONCAT('NO_BACKSLASH', '_ESCAPES'); SET sql_mode = @m;";
        let folder = Folder::of(&[
            ("1_harmless.sql", &format!("CREATE TABLE log (what VARCHAR(99)); {hidden} INSERT INTO log VALUES ('a')")),
            ("2_hidden.sql", &format!(r"{hidden} INSERT INTO log VALUES ('c:\')")),
        ]);
        for _ in 0..2 {
            says(&folder.refusal(&database).await, &["2_hidden.sql: statement 2 set the sql_mode", "a migration of its own"]);
        }
        assert_eq!(column(&database, "SELECT what FROM log").await, ["a"]);
        folder.write("2_hidden.sql", hidden);
        folder.write("3_named.sql", r"SET sql_mode = 'NO_BACKSLASH_ESCAPES'; INSERT INTO log VALUES ('c:\')");
        folder.run(&database).await.unwrap();
        assert_eq!(column(&database, "SELECT what FROM log").await, ["a", r"c:\"]);
    }

    async fn settings_of_one_file_do_not_reach_the_next(database: Database) {
        let folder = Folder::of(&[
            ("1_a.sql", "CREATE TABLE log (what VARCHAR(200)); SET sql_mode = 'ANSI_QUOTES', @x = 1; SET NAMES latin1; USE information_schema;"),
            ("2_b.sql", "INSERT INTO log SELECT CONCAT(IFNULL(@x, 'nothing'), ' ', @@character_set_client, ' ', @@sql_mode LIKE '%ANSI%')"),
        ]);
        folder.run(&database).await.unwrap();
        assert_eq!(column(&database, "SELECT what FROM log").await, ["nothing utf8mb4 0"]);
    }

    async fn transactions_and_locked_tables_of_a_file_are_its_own(database: Database) {
        let folder = Folder::of(&[
            ("1_users.sql", USERS),
            ("2_transaction.sql", "START TRANSACTION; INSERT INTO users VALUES (3, 'c'); UPDATE users SET name = 'x' WHERE id = 1; COMMIT;"),
            ("3_open.sql", "BEGIN; INSERT INTO users VALUES (4, 'd');"),
            ("4_dump.sql", "LOCK TABLES users WRITE; /*!40000 ALTER TABLE users DISABLE KEYS */; INSERT INTO users VALUES (5, 'e'); UNLOCK TABLES;"),
            ("5_locked.sql", "LOCK TABLES users WRITE; INSERT INTO users VALUES (6, 'f');"),
            ("6_rollback.sql", "START TRANSACTION; DELETE FROM users; ROLLBACK;"),
            ("7_autocommit.sql", "SET autocommit = 0; INSERT INTO users VALUES (7, 'g');"),
            ("8_nothing.sql", "-- nothing yet\n"),
        ]);
        assert_eq!(folder.run(&database).await.unwrap().len(), 8);
        assert_eq!(column(&database, "SELECT name FROM users ORDER BY id").await, ["x", "Bob", "c", "d", "e", "f", "g"]);
        assert!(folder.states(&database).await.iter().all(|state| *state == State::Applied));
    }

    async fn progress_tells_every_statement(database: Database) {
        let folder = Folder::of(&[("1_users.sql", USERS)]);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&seen);
        let tell = move |progress: Progress<'_>| {
            list.lock().unwrap().push(match progress {
                Progress::Begin { file, statements, done } => format!("begin {file} {done}/{statements}"),
                Progress::Statement { number, line, sql, .. } => format!("{number} line {line} {}", &sql[..11]),
                Progress::End { file, .. } => format!("end {file}"),
                other => format!("{other:?}"),
            });
        };
        folder.migrator().on_progress(tell).run(database.url()).await.unwrap();
        assert_eq!(*seen.lock().unwrap(), ["begin 1_users.sql 0/2", "1 line 2 CREATE TABL", "2 line 3 INSERT INTO", "end 1_users.sql"]);
    }

    async fn an_account_without_the_right_to_create_tables_can_still_look(database: Database) {
        let folder = Folder::of(&[("1_users.sql", USERS)]);
        folder.run(&database).await.unwrap();
        let account = database.account("pw");
        database.run(&format!("REVOKE CREATE ON {}.* FROM '{}'@'%'", database.name(), account.name));
        let url = account.url_by(tests::Transport::Socket);
        assert_eq!(folder.migrator().run(url).await.unwrap().files, [""; 0]);
        folder.migrator().validate(url).await.unwrap();
    }

    async fn a_database_that_does_not_exist_can_be_created(database: Database) {
        let folder = Folder::of(&[("1_users.sql", USERS)]);
        let name = format!("{}_new", database.name());
        let url = database.server().url_for(&name);
        let error = folder.migrator().run(url.clone()).await.unwrap_err().to_string();
        says(&error, &["Unknown database", "--create-database"]);
        folder.migrator().create_database(true).run(url.clone()).await.unwrap();
        assert_eq!(column(&database, &format!("SELECT name FROM {name}.users ORDER BY id")).await, ["Ada;", "Bob"]);
        database.run(&format!("DROP DATABASE {name}"));
        let error = folder.migrator().run(database.server().url_for("")).await.unwrap_err().to_string();
        says(&error, &["names no database"]);
    }
}

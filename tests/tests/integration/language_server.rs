//! A language server: one process that describes statements for hours, for several crates, while servers come and go.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ark_mysql_check::describe::describe_with;
use ark_mysql_check::description::{DescribeError, Description, Kind};
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;
use tempfile::TempDir;
use tests::{Database, FLAVORS, Flavor};

/// A crate of the process.
struct Crate {
    folder: TempDir,
    url: String,
}

impl Crate {
    fn new(url: String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, url }
    }

    fn describe(&self, sql: &str) -> Result<Description, DescribeError> {
        let url = |name: &str| (name == "DATABASE_URL").then(|| self.url.clone().into());
        let settings = Settings::load(self.folder.path(), &url).unwrap();
        describe_with(&Sql::parse(sql).unwrap(), &settings).map(|described| described.description)
    }
}

/// A port in front of a server, which can hang up and refuse.
struct Door {
    port: u16,
    open: Arc<AtomicBool>,
    inside: Arc<Mutex<Vec<TcpStream>>>,
}

impl Door {
    fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let door = Self {
            port: listener.local_addr().unwrap().port(),
            open: Arc::new(AtomicBool::new(true)),
            inside: Arc::default(),
        };
        let (open, inside) = (Arc::clone(&door.open), Arc::clone(&door.inside));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if open.load(Ordering::SeqCst) {
                    let server = TcpStream::connect(("127.0.0.1", server)).unwrap();
                    let both = [&client, &server].map(|stream| stream.try_clone().unwrap());
                    inside.lock().unwrap().extend(both);
                    let (there, back) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                    thread::spawn(move || copy(client, back));
                    thread::spawn(move || copy(server, there));
                }
            }
        });
        door
    }

    fn hang_up(&self) {
        for stream in self.inside.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_server_that_goes_away_and_comes_back_is_found_again() {
    for flavor in FLAVORS {
        let database = Database::new(flavor);
        let door = Door::to(database.server().port());
        let user = Crate::new(format!(
            "mysql://root@127.0.0.1:{}/{}",
            door.port,
            database.name()
        ));
        user.describe("SELECT 1 AS one").unwrap();
        // It hung up, and is there: nobody notices.
        for _ in 0..3 {
            door.hang_up();
            user.describe("SELECT 1 AS one").unwrap();
        }
        door.open.store(false, Ordering::SeqCst);
        door.hang_up();
        let error = user.describe("SELECT 1 AS one").unwrap_err();
        assert!(matches!(error, DescribeError::Unreachable(_)), "{error}");
        door.open.store(true, Ordering::SeqCst);
        let begun = Instant::now();
        while let Err(error) = user.describe("SELECT 1 AS one") {
            assert!(begun.elapsed() < Duration::from_secs(60), "{error}");
            thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn a_wrong_password_keeps_no_other_crate_from_its_server() {
    for flavor in FLAVORS {
        let database = Database::new(flavor);
        let account = database.account("Wagtail5zq8");
        let url = |password: &str| {
            format!(
                "mysql://{}:{password}@127.0.0.1:{}/{}",
                account.name,
                database.server().port(),
                database.name()
            )
        };
        let (wrong, right) = (
            Crate::new(url("Sparrow7kw2")),
            Crate::new(url("Wagtail5zq8")),
        );
        for _ in 0..20 {
            let error = wrong.describe("SELECT 1 AS one").unwrap_err().to_string();
            assert!(
                error.contains("does not let us in") && !error.contains("Sparrow7kw2"),
                "{error}"
            );
            right.describe("SELECT 1 AS one").unwrap();
        }
    }
}

#[test]
fn crates_with_different_addresses_get_answers_of_their_own_at_the_same_time() {
    let crates: Vec<(Crate, Kind, Database)> = (0..8)
        .map(|number| {
            let flavor = if number % 2 == 0 {
                Flavor::MySql
            } else {
                Flavor::MariaDb
            };
            let (sql_type, kind) = [
                ("INT", Kind::Int),
                ("DATE", Kind::Date),
                ("DOUBLE", Kind::Double),
                ("TEXT", Kind::Text),
            ][number / 2];
            let schema = format!("CREATE TABLE things (id {sql_type} NOT NULL)");
            let database = Database::with_schema(flavor, &schema);
            (Crate::new(database.url()), kind, database)
        })
        .collect();
    // One that hangs keeps nobody from asking.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = Crate::new(format!(
        "mysql://root@127.0.0.1:{}/x",
        silent.local_addr().unwrap().port()
    ));
    thread::scope(|scope| {
        scope.spawn(|| silent.describe("SELECT 1 AS one").unwrap_err());
        for (user, kind, _) in &crates {
            scope.spawn(move || {
                for _ in 0..50 {
                    let described = user.describe("SELECT id FROM things").unwrap();
                    assert_eq!(described.columns[0].kind, *kind);
                }
            });
        }
    });
}

//! The dev server: what would make it useless or a nuisance.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use tests::{DevServer, FLAVORS, Flavor};

fn start(flavor: Flavor) -> DevServer {
    DevServer::builder()
        .flavor(flavor)
        .start()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The folder of a server, which holds its socket and the number of its process.
fn folder(server: &DevServer) -> PathBuf {
    server.socket().parent().unwrap().to_owned()
}

fn process_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("pid"))
        .unwrap()
        .trim()
        .to_owned()
}

fn is_alive(process: &str) -> bool {
    Command::new("sh")
        .args(["-c", "kill -0 $0", process])
        .stderr(Stdio::null())
        .status()
        .unwrap()
        .success()
}

fn gone(folder: &Path, process: &str) -> bool {
    !folder.exists() && !is_alive(process)
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "still waiting for: {what}"
        );
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn starts_in_under_three_seconds() {
    for flavor in FLAVORS {
        drop(start(flavor)); // fetches and prepares what is missing
        // The best of three: the other tests keep the machine busy at the same time.
        let fastest = (0..3).map(|_| time_of_a_start(flavor)).min().unwrap();
        assert!(
            fastest < Duration::from_secs(3),
            "{flavor} took {fastest:?}"
        );
    }
}

#[test]
fn an_older_suite_has_an_older_server() {
    let server = tests::Server::MariaDb10.builder().start().unwrap();
    assert_eq!(server.flavor(), Flavor::MariaDb);
    assert!(
        server.version().starts_with("10.11."),
        "{}",
        server.version()
    );
    tests::admin(&server.tls_url_for("test"), "SELECT 1").unwrap();
}

fn time_of_a_start(flavor: Flavor) -> Duration {
    let begun = Instant::now();
    let server = start(flavor);
    let took = begun.elapsed();
    assert_eq!(server.flavor(), flavor);
    assert_eq!(
        server.version().contains("MariaDB"),
        flavor == Flavor::MariaDb
    );
    took
}

#[test]
fn greets_over_tcp_and_socket_on_this_machine_only() {
    for flavor in FLAVORS {
        let server = start(flavor);
        let mut greeting = [0; 5];
        TcpStream::connect(("127.0.0.1", server.port()))
            .unwrap()
            .read_exact(&mut greeting)
            .unwrap();
        assert_eq!(greeting[4], 10);
        UnixStream::connect(server.socket())
            .unwrap()
            .read_exact(&mut greeting)
            .unwrap();
        assert_eq!(greeting[4], 10);
        assert!(
            TcpStream::connect(("127.0.0.2", server.port())).is_err(),
            "listens on more than 127.0.0.1"
        );
        assert!(server.socket().as_os_str().len() < 100);
        assert!(server.ca_certificate().is_file());
    }
}

#[test]
fn a_dropped_or_stopped_server_leaves_nothing() {
    for flavor in FLAVORS {
        for stop in [DevServer::stop, drop::<DevServer> as fn(DevServer)] {
            let server = start(flavor);
            let folder = folder(&server);
            let process = process_of(&folder);
            assert!(is_alive(&process));
            stop(server);
            assert!(
                gone(&folder, &process),
                "{flavor}: {} or process {process} is left",
                folder.display()
            );
        }
    }
}

#[test]
fn two_servers_live_side_by_side() {
    let servers = FLAVORS.map(|flavor| [start(flavor), start(flavor)]);
    let mut ports: Vec<_> = servers.iter().flatten().map(DevServer::port).collect();
    ports.sort_unstable();
    ports.dedup();
    assert_eq!(ports.len(), 4);
}

#[test]
fn a_wrong_argument_is_shown_in_the_servers_own_words() {
    for flavor in FLAVORS {
        let error = DevServer::builder()
            .flavor(flavor)
            .argument("--no-such-option=1")
            .start()
            .unwrap_err();
        assert!(error.to_string().contains("no-such-option=1"), "{error}");
    }
}

#[test]
fn a_program_that_is_no_server_is_named() {
    for program in ["/bin/sh", "/no/such/mysqld"] {
        let error = DevServer::builder().program(program).start().unwrap_err();
        assert!(error.to_string().starts_with(program), "{error}");
    }
}

#[test]
fn kept_data_is_found_again() {
    let parent = tempfile::tempdir().unwrap();
    let data = parent.path().join("data");
    for database in ["one", "two"] {
        let server = DevServer::builder()
            .flavor(Flavor::MariaDb)
            .keep(&data)
            .start()
            .unwrap();
        tests::admin(&server.url(), &format!("CREATE DATABASE {database}")).unwrap();
        tests::admin(&server.url_for("one"), "SELECT 1").unwrap();
    }
    assert!(data.join("two").is_dir());
}

#[test]
fn a_port_of_ones_own_is_used_or_reported_as_taken() {
    let port = start(Flavor::MariaDb).port(); // free again, in all likelihood
    let builder = DevServer::builder().flavor(Flavor::MariaDb).port(port);
    let server = builder.clone().start().unwrap();
    assert_eq!(server.port(), port);
    let error = builder.start().unwrap_err();
    assert!(
        error.to_string().contains("Address already in use"),
        "{error}"
    );
}

/// Says to a test process that it is the victim of another test.
const VICTIM: &str = "ARK_MYSQL_TEST_VICTIM";

/// Not a test by itself: it starts a server and waits to be killed.
#[test]
#[expect(
    clippy::print_stderr,
    reason = "how the other test hears of the folder"
)]
fn victim() {
    let Some(flavor) = env::var_os(VICTIM) else {
        return;
    };
    let server = start(if flavor == "MariaDB" {
        Flavor::MariaDb
    } else {
        Flavor::MySql
    });
    let folder = folder(&server);
    eprintln!("victim: {}", folder.display());
    thread::sleep(Duration::from_secs(60));
    panic!("nobody killed me");
}

fn victim_of(flavor: Flavor, temporary: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["victim", "--exact", "--nocapture"])
        .env(VICTIM, flavor.to_string())
        .env("TMPDIR", temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_process_leaves_no_server_and_no_folder() {
    for flavor in FLAVORS {
        let mut victim = victim_of(flavor, &env::temp_dir());
        let mut lines = BufReader::new(victim.stderr.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let folder = lines
            .find_map(|line| line.strip_prefix("victim: ").map(PathBuf::from))
            .unwrap();
        let process = process_of(&folder);
        assert!(is_alive(&process));
        victim.kill().unwrap(); // SIGKILL: no destructor, no handler
        victim.wait().unwrap();
        wait_until("the end of the server", || gone(&folder, &process));
    }
}

#[test]
fn a_process_killed_while_its_server_starts_leaves_no_folder() {
    for delay in [20, 90, 200] {
        let temporary = tempfile::tempdir().unwrap();
        let mut victim = victim_of(Flavor::MySql, temporary.path());
        thread::sleep(Duration::from_millis(delay));
        victim.kill().unwrap();
        victim.wait().unwrap();
        let empty = || fs::read_dir(temporary.path()).unwrap().next().is_none();
        wait_until("the end of the folder", empty);
    }
}

//! The server in the background: in a cache folder of the test's own, so that the user's is left alone.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ark_mysql::dev_server::DevServer;

use crate::support::{House, Said};

/// Long enough for any machine.
const HANGS: Duration = Duration::from_secs(180);

struct Machine {
    house: House,
    guard: Child,
}

impl Machine {
    /// The programs and templates are those of the usual cache folder.
    fn new() -> Self {
        drop(DevServer::start().unwrap()); // so that they are there
        let house = House::new();
        let usual = std::env::var_os("XDG_CACHE_HOME").map_or_else(
            || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"),
            PathBuf::from,
        );
        let ours = house.path().join("cache/ark-mysql");
        fs::create_dir_all(&ours).unwrap();
        for name in ["servers", "templates"] {
            let folder = usual.join("ark-mysql").join(name);
            fs::create_dir_all(&folder).unwrap();
            std::os::unix::fs::symlink(folder, ours.join(name)).unwrap();
        }
        house.write("my-shop/Cargo.toml", "[workspace]\n");
        let guard = guard(&house);
        Self { house, guard }
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.house.command(line);
        command
            .current_dir(self.house.path().join("my-shop"))
            .env("XDG_CACHE_HOME", self.house.path().join("cache"));
        command
    }

    fn run(&self, line: &str) -> Said {
        Said::of(self.command(line).output().unwrap())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait(); // it has stopped the servers
    }
}

/// Stops the servers when this process ends, however it does: a test that failed or was killed must not leave any. It has a process
/// group of its own, so that what kills ours does not reach it.
fn guard(house: &House) -> Child {
    let ended = "read -r _; \"$0\" ark-mysql dev stop --remove-data; rm -rf \"$1\"";
    Command::new("sh")
        .args(["-c", ended, env!("CARGO_BIN_EXE_cargo-ark-mysql")])
        .arg(house.path())
        .env("XDG_CACHE_HOME", house.path().join("cache"))
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Run by the test below, which kills it.
#[test]
#[ignore = "run by a_killed_test_leaves_no_server"]
#[expect(clippy::print_stdout, reason = "the one who kills it reads it")]
fn killed() {
    if std::env::var_os("ARK_MYSQL_KILLED").is_none() {
        return;
    }
    let machine = Machine::new();
    machine.run("dev start").with(0, &["runs, with"]);
    println!("url={}", machine.run("dev url").output.trim());
    loop {
        std::thread::park();
    }
}

#[test]
fn a_killed_test_leaves_no_server() {
    let mut test = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "dev::killed"])
        .env("ARK_MYSQL_KILLED", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(test.stdout.take().unwrap()).lines();
    let url = lines
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("url=")?.1.to_owned()))
        .unwrap();
    let runs = || crate::support::try_sql(&url, "DO 1").is_ok();
    assert!(runs());
    test.kill().unwrap();
    test.wait().unwrap();
    let killed = Instant::now();
    while runs() {
        assert!(killed.elapsed() < HANGS, "the server still runs");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn it_starts_stays_and_stops_and_its_data_outlives_it() {
    let machine = Machine::new();
    machine
        .run("dev status")
        .with(1, &["no dev server runs: `cargo ark-mysql dev start`"]);
    machine.run("dev url").with(2, &["no dev server runs"]);
    machine.run("dev stop").with(0, &["no dev server runs"]);

    machine.run("dev start").with(
        0,
        &[
            "MySQL",
            "runs, with the database my_shop",
            "export DATABASE_URL=mysql://root@127.0.0.1:",
        ],
    );
    machine.run("dev start").with(0, &["runs already"]);
    machine
        .run("dev status")
        .with(0, &["/my_shop", "socket", "data"]);
    let url = machine.run("dev url").output.trim().to_owned();
    crate::support::sql(
        &url,
        "CREATE TABLE stays (x INT); INSERT INTO stays VALUES (7)",
    );
    machine.run("dev url --database other").with(0, &["/other"]);
    machine
        .run("dev url --flavor mariadb")
        .with(2, &["no dev server runs"]);

    machine.run("dev stop").with(0, &["MySQL is stopped"]);
    machine.run("dev status").with(1, &[]);
    machine.run("dev start").with(0, &["runs, with"]);
    assert_eq!(
        machine.run("dev url").output.trim(),
        url,
        "the port is another one"
    );
    shell(&machine, "SELECT x + 1 AS y FROM stays;\n").with(0, &["y\n8\n"]);
    machine
        .run("dev stop --remove-data")
        .with(0, &["MySQL is stopped", "the data of MySQL is removed"]);
    machine.run("dev start").with(0, &[]);
    shell(&machine, "SELECT x FROM stays;\n").with(2, &["Table 'my_shop.stays' doesn't exist"]);
}

/// The small client, which is there where no other is installed.
fn shell(machine: &Machine, sql: &str) -> Said {
    let mut command = machine.command("dev shell");
    command
        .env("PATH", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(sql.as_bytes())
        .unwrap();
    Said::of(child.wait_with_output().unwrap())
}

#[test]
fn a_command_is_run_with_an_address_and_its_status_is_ours() {
    let machine = Machine::new();
    machine
        .house
        .write("my-shop/migrations/1_a.sql", "CREATE TABLE a (x INT);");
    let env = machine.run("dev run -- env");
    env.with(0, &["DATABASE_URL=mysql://root@127.0.0.1:", "/my_shop\n"]);
    let mut command = machine.command("dev run --flavor mariadb --migrations migrations --");
    let tool = env!("CARGO_BIN_EXE_cargo-ark-mysql");
    command.args([tool, "ark-mysql", "migrate", "info"]);
    Said::of(command.output().unwrap()).with(0, &["1_a.sql  applied"]);
    machine.run("dev run -- false").with(1, &[]);
    machine
        .run("dev run -- no-such-command")
        .with(2, &["cannot run no-such-command"]);
    machine.run("dev run").with(2, &["<COMMAND>"]);
}

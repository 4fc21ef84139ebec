//! B20: what compiling a crate with checked statements does to the world, as the system sees it: offline it opens no socket and reads nothing but the
//! crate, its cache, the toolchain and what is built; with an address it connects once, to that address.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tests::bars::reached;
use tests::{Database, Server};

const STATEMENTS: [&str; 3] = [
    "SELECT id, name FROM users WHERE id > 1",
    "SELECT COUNT(*) AS n FROM users",
    "SELECT name FROM users WHERE name LIKE 'a%'",
];

/// A crate of a user's, and what rustc did for it.
struct User {
    folder: tempfile::TempDir,
    target: PathBuf,
}

/// What was seen of a run of rustc or rustdoc.
#[derive(Debug, Default)]
struct Seen {
    /// Whom it connected to, by the words of strace.
    connects: Vec<String>,
    /// Every other call about sockets.
    sockets: Vec<String>,
    /// Files that it read, outside of what it may read.
    strange: Vec<String>,
    files: usize,
}

impl User {
    fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("hygiene")
            .tempdir()
            .expect("a folder");
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ark-mysql");
        let manifest = format!(
            "[package]\nname = \"hygiene\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
             ark-mysql = {{ path = {driver:?}, default-features = false, features = [\"macros\"] }}\n[workspace]\n"
        );
        let lines: String = STATEMENTS
            .iter()
            .map(|sql| format!("let _ = ark_mysql::query!({sql:?});\n"))
            .collect();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("Cargo.toml", &manifest);
        write(
            "src/lib.rs",
            &format!("//! A crate.\n/// Its statements.\npub fn statements() {{\n{lines}}}\n"),
        );
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        fs::copy(lock, folder.path().join("Cargo.lock")).expect("the lock file");
        // Shared with the tests of the tool: the driver is built once.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rechecked");
        let this = Self { folder, target };
        for tool in ["rustc", "rustdoc"] {
            this.tracer(tool);
        }
        this
    }

    /// A program that runs another one under strace.
    fn tracer(&self, tool: &str) {
        let log = self.log(tool);
        // As a wrapper of rustc it is given the path of rustc first; in the place of rustdoc it is not.
        let program = match tool {
            "rustc" => "\"$@\"".to_owned(),
            // Not by way of rustup, which reads files of its own.
            _ => format!("{}/bin/rustdoc \"$@\"", sysroot().display()),
        };
        let script = format!(
            "#!/bin/sh\nexec strace -f -qq -o {} -e trace=network,open,openat,openat2 -s 4096 {program}\n",
            log.with_extension("$$").display()
        );
        let path = self.script(tool);
        fs::write(&path, script).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    }

    fn script(&self, tool: &str) -> PathBuf {
        self.folder.path().join(format!("trace-{tool}"))
    }

    fn log(&self, tool: &str) -> PathBuf {
        self.folder.path().join(format!("log-{tool}.txt"))
    }

    fn cargo(&self, words: &[&str], environment: &[(&str, &str)]) -> Output {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(words)
            .args(["--offline", "--quiet"])
            .current_dir(self.folder.path());
        cargo
            .env("CARGO_TARGET_DIR", &self.target)
            .env("RUSTC_WORKSPACE_WRAPPER", self.script("rustc"))
            .env("RUSTDOC", self.script("rustdoc"))
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"))
            .env_remove("DATABASE_URL")
            .env_remove("ARK_MYSQL_OFFLINE")
            .envs(environment.iter().copied());
        let output = cargo.output().expect("cargo runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }

    /// Runs cargo, and reads what the traced program did for this crate.
    fn seen(&self, words: &[&str], environment: &[(&str, &str)], tool: &str) -> Seen {
        self.forget();
        self.cargo(words, environment);
        let mut seen = Seen::default();
        for log in self.logs(tool) {
            let text = fs::read_to_string(log).expect("what strace wrote");
            // cargo asks rustc for its version and its targets, too.
            if text.contains("lib.rs") {
                text.lines().for_each(|line| self.note(line, &mut seen));
            }
        }
        assert!(seen.files > 10, "{tool} was not traced: {seen:?}");
        seen
    }

    fn logs(&self, tool: &str) -> Vec<PathBuf> {
        let beginning = format!("log-{tool}.");
        let items = fs::read_dir(self.folder.path())
            .expect("a folder")
            .map(|item| item.expect("an item").path());
        items
            .filter(|path| {
                path.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with(&beginning))
            })
            .collect()
    }

    fn forget(&self) {
        for log in ["rustc", "rustdoc"].iter().flat_map(|tool| self.logs(tool)) {
            fs::remove_file(log).expect("a log");
        }
    }

    fn note(&self, line: &str, seen: &mut Seen) {
        let call = line
            .split_once(' ')
            .map_or(line, |(_, call)| call.trim_start());
        if call.starts_with("open") {
            let path = call.split('"').nth(1).unwrap_or_default();
            let failed = call.contains(" = -1 ");
            seen.files += 1;
            if !failed && !self.may_read(Path::new(path)) {
                seen.strange.push(path.to_owned());
            }
        } else if call.starts_with("connect(") {
            seen.connects.push(call.to_owned());
        } else if call.contains('(') && !call.starts_with(['<', '+', '-']) {
            seen.sockets.push(call.to_owned());
        }
    }

    fn may_read(&self, path: &Path) -> bool {
        // What every program of the system reads to be started: libraries, the number of processors, memory.
        let system = [
            "/lib",
            "/lib64",
            "/usr/lib",
            "/etc/ld.so.cache",
            "/proc",
            "/sys",
            "/dev",
        ]
        .map(PathBuf::from);
        let own = [
            self.folder.path().to_owned(),
            self.target.clone(),
            sysroot(),
        ];
        let within = |folder: &PathBuf| {
            path.starts_with(folder)
                || fs::canonicalize(folder).is_ok_and(|folder| path.starts_with(folder))
        };
        let is_inside = path.is_relative() && !path.starts_with("..");
        // rustc makes a folder for what it writes.
        let temporary = path.starts_with(std::env::temp_dir().join("rustc"))
            || path.starts_with(std::env::temp_dir().join("rustdoctest"));
        is_inside || temporary || own.iter().chain(&system).any(within)
    }
}

/// Where the compiler is.
fn sysroot() -> PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    let find = || {
        let said = Command::new("rustc").args(["--print", "sysroot"]).output();
        PathBuf::from(String::from_utf8_lossy(&said.expect("rustc runs").stdout).trim())
    };
    FOUND.get_or_init(find).clone()
}

/// Where it is not there it is installed, as the other tests fetch their servers.
fn need_strace() {
    let is_there = || Command::new("strace").arg("-V").output().is_ok();
    if !is_there() {
        let install = "apt-get update -qq && apt-get install -qq -y strace";
        let _ = Command::new("sh").args(["-c", install]).output();
        assert!(is_there(), "this test needs strace: {install}");
    }
}

#[test]
fn compiling_a_crate_touches_nothing_but_its_own_and_one_server() {
    need_strace();
    let user = User::new();
    let database = Database::with_schema(
        Server::MySql,
        "CREATE TABLE users (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL)",
    );
    let url = database.url();
    let port = format!("sin_port=htons({})", database.server().port());

    let live = user.seen(&["check"], &[("DATABASE_URL", &url)], "rustc");
    assert_eq!(live.connects.len(), 1, "{live:?}");
    assert!(
        live.connects[0].contains(&port) && live.connects[0].contains("127.0.0.1"),
        "{live:?}"
    );
    assert!(live.strange.is_empty(), "{live:?}");

    let settings = ark_mysql_check::settings::Settings::load(user.folder.path(), &|name| {
        (name == "DATABASE_URL").then(|| url.clone().into())
    })
    .expect("an address");
    let cache = ark_mysql_check::describe::cache::Cache::of(user.folder.path());
    for sql in STATEMENTS {
        let parsed = ark_mysql_check::sql::Sql::parse(sql).expect("SQL");
        let described =
            ark_mysql_check::describe::describe_with(&parsed, &settings).expect("a description");
        cache.write(sql, &described.description).expect("a file");
    }
    // No address; an address that is not to be asked; the settings of docs.rs.
    let offline = [
        user.seen(
            &["check"],
            &[("ARK_MYSQL_OFFLINE", "1"), ("DATABASE_URL", &url)],
            "rustc",
        ),
        user.seen(&["check"], &[("ARK_MYSQL_RECORD", "")], "rustc"),
        user.seen(&["doc", "--no-deps"], &[("DOCS_RS", "1")], "rustdoc"),
    ];
    for seen in &offline {
        assert!(
            seen.connects.is_empty() && seen.sockets.is_empty() && seen.strange.is_empty(),
            "{seen:?}"
        );
    }
    let files: usize = offline.iter().map(|seen| seen.files).sum();
    reached(
        "B20",
        format_args!(
            "offline: 0 sockets, 0 connects, 0 of {files} opened files outside crate, cache, toolchain and target; live: 1 connect, to the address"
        ),
    );
}

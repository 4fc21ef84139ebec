//! A running server: its settings, its start, the wait for its greeting, its end.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::certificates::Certificates;
use super::error::DevServerError;
use super::program::{Program, with_path};
use super::watcher::Watcher;
use super::{Flavor, cache};

/// A start takes under a second; this is for a machine that is busy with ten other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// Short beside the start and the end of a server.
pub(super) const POLL: Duration = Duration::from_millis(4);

/// Between the choice of a port and its use, somebody else may take it.
const PORT_TRIES: u32 = 5;

/// What a start needs.
pub(super) struct Start<'a> {
    pub(super) program: &'a Program,
    /// A filled data folder to copy.
    pub(super) template: &'a Path,
    /// The data folder, if it outlives the server.
    pub(super) kept: Option<&'a Path>,
    /// A free one if it does not matter.
    pub(super) port: Option<u16>,
    pub(super) arguments: &'a [OsString],
}

/// A server that greets. Dropping it ends the server and removes its folder.
#[derive(Debug)]
pub(super) struct Running {
    watcher: Watcher,
    pub(super) port: u16,
    pub(super) version: String,
    pub(super) certificates: Certificates,
}

impl Start<'_> {
    pub(super) fn run(&self) -> Result<Running, DevServerError> {
        let mut tries = 1;
        loop {
            match self.attempt() {
                Err(DevServerError::Exited { log, .. })
                    if self.port.is_none() && tries < PORT_TRIES && port_was_taken(&log) =>
                {
                    tries += 1;
                }
                result => return result,
            }
        }
    }

    fn attempt(&self) -> Result<Running, DevServerError> {
        let port = self.port.map_or_else(free_port, Ok);
        let port = port.map_err(DevServerError::file(
            "finding a port on",
            Path::new("127.0.0.1"),
        ))?;
        let folder = short_folder()?;
        let command = self.command(folder.path(), port);
        let watcher = Watcher::spawn(folder, &command, self.kept.is_some())?;
        let certificates = self.fill(&watcher)?;
        watcher.start();
        let version = self.wait(&watcher)?;
        Ok(Running {
            watcher,
            port,
            version,
            certificates,
        })
    }

    /// The folder's content, before the server looks at it.
    fn fill(&self, watcher: &Watcher) -> Result<Certificates, DevServerError> {
        for name in ["tmp", "files"] {
            let path = watcher.path().join(name);
            fs::create_dir(&path).map_err(DevServerError::file("creating the folder", &path))?;
        }
        let data = self.data(watcher.path());
        if !is_filled(&data) {
            cache::copy(self.template, &data)?;
        }
        Certificates::make(&watcher.path().join("tls"))
    }

    fn data(&self, folder: &Path) -> PathBuf {
        self.kept
            .map_or_else(|| folder.join("data"), Path::to_owned)
    }

    fn command(&self, folder: &Path, port: u16) -> Vec<OsString> {
        let certificates = Certificates::at(&folder.join("tls"));
        let mut words = self.program.command();
        words.extend(settings(self.program.flavor, folder));
        words.extend([
            with_path("--datadir=", &self.data(folder)),
            with_path("--socket=", &socket(folder)),
            format!("--port={port}").into(),
            "--bind-address=127.0.0.1".into(),
            with_path("--pid-file=", &folder.join("pid")),
            with_path("--tmpdir=", &folder.join("tmp")),
            with_path("--secure-file-priv=", &folder.join("files")),
            with_path("--ssl-ca=", &certificates.authority),
            with_path("--ssl-cert=", &certificates.server),
            with_path("--ssl-key=", &certificates.key),
        ]);
        words.extend(self.arguments.iter().cloned()); // last, so that they win
        words
    }

    /// The version from the greeting. By the socket, which nobody else can have taken.
    fn wait(&self, watcher: &Watcher) -> Result<String, DevServerError> {
        let (program, log) = (self.program.file.clone(), watcher.path().join("server.log"));
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Ok(version) = greeting(&socket(watcher.path())) {
                return Ok(version);
            }
            if watcher.path().join("exit").exists() {
                let log = tail(&log);
                return Err(DevServerError::Exited { program, log });
            }
            thread::sleep(POLL);
        }
        Err(DevServerError::NotReady {
            program,
            waited: PATIENCE,
            log: tail(&log),
        })
    }
}

impl Running {
    pub(super) fn socket(&self) -> PathBuf {
        socket(self.watcher.path())
    }

    #[cfg(all(feature = "macros", feature = "migrate"))]
    pub(super) fn linger(&self) {
        self.watcher.say("linger\n");
    }

    pub(super) fn detach(&mut self) {
        self.watcher.detach();
    }

    /// Asks for an orderly end and waits for it.
    pub(super) fn stop(&mut self) {
        self.watcher.say("stop\n");
        self.watcher.wait_for_the_end();
    }
}

/// Settings for a server whose data nobody will miss: little memory, no wait for disks, no binary log. `loose` ones are passed over
/// by versions that do not know them.
pub(super) fn settings(flavor: Flavor, data: &Path) -> Vec<OsString> {
    let mut words = vec![
        "--skip-log-bin",
        "--innodb-buffer-pool-size=64M",
        "--loose-innodb-flush-method=nosync",
        "--loose-innodb-doublewrite=0",
        "--loose-performance-schema=OFF", // half of the memory and two thirds of the start
        "--loose-innodb-buffer-pool-dump-at-shutdown=OFF",
        "--loose-innodb-buffer-pool-load-at-startup=OFF",
    ];
    words.extend_from_slice(match flavor {
        Flavor::MySql => &["--loose-innodb-redo-log-capacity=32M", "--loose-mysqlx=OFF"],
        Flavor::MariaDb => &["--innodb-log-file-size=8M"],
    });
    if owned_by_root(data) {
        words.push("--user=root");
    }
    words.into_iter().map(OsString::from).collect()
}

/// Servers refuse to run as root unless told to; whoever owns what we just created is who we are.
fn owned_by_root(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.uid() == 0)
}

fn socket(folder: &Path) -> PathBuf {
    folder.join("s")
}

/// The kernel takes about 100 bytes for a socket's path; `TMPDIR` can be longer than that.
const LONGEST_PARENT: usize = 70;

fn short_folder() -> Result<TempDir, DevServerError> {
    let usual = std::env::temp_dir();
    let fits = usual.as_os_str().len() <= LONGEST_PARENT;
    let parent = if fits { &usual } else { Path::new("/tmp") };
    tempfile::Builder::new()
        .prefix("ark-mysql-")
        .tempdir_in(parent)
        .map_err(DevServerError::file("creating a folder in", parent))
}

fn is_filled(data: &Path) -> bool {
    fs::read_dir(data).is_ok_and(|mut entries| entries.next().is_some())
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

fn port_was_taken(log: &str) -> bool {
    log.contains("Address already in use")
}

/// Real ones have under 60 bytes.
const LONGEST_VERSION: u64 = 200;

/// Reads the first packet of a server that is ready: 3 bytes length, number 0, protocol 10, the version up to a zero byte.
pub(super) fn greeting(socket: &Path) -> io::Result<String> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let [_, _, _, 0, 10] = head else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let mut version = Vec::new();
    BufReader::new(stream.take(LONGEST_VERSION)).read_until(0, &mut version)?;
    version.pop();
    let version = String::from_utf8_lossy(&version).into_owned();
    Ok(version
        .strip_prefix("5.5.5-")
        .map_or(version.clone(), str::to_owned)) // MariaDB's disguise for old replicas
}

/// The end of a log, for an error message.
pub(super) fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let skipped = lines.len().saturating_sub(15);
    lines.get(skipped..).unwrap_or_default().join("\n")
}

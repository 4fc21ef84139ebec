//! A throw-away MySQL or MariaDB for tests, examples and first steps (feature `dev-server`; Unix).
//!
//! ```no_run
//! use ark_mysql::dev_server::DevServer;
//!
//! # fn main() -> Result<(), ark_mysql::dev_server::DevServerError> {
//! let server = DevServer::start()?;
//! println!("{}", server.url()); // mysql://root@127.0.0.1:PORT/test
//! # Ok(())
//! # }
//! ```
//!
//! It listens on 127.0.0.1 and a Unix socket, `root` needs no password, the database `test` exists. It speaks TLS with a certificate
//! for `localhost`, `127.0.0.1` and `::1`; [`DevServer::ca_certificate`] is what a client trusts. It ends with the value, and also when the
//! process is killed; its folder goes with it. The data is not safe against a crash of the machine, which makes it fast.
//!
//! The program is, in this order:
//!
//! 1. the one given to [`DevServerBuilder::program`], or a fetched one of the [`DevServerBuilder::suite`] asked for;
//! 2. the one that the environment variable `ARK_MYSQL_SERVER` names, if it is of the flavor asked for;
//! 3. `mysqld` or `mariadbd` on the `PATH` or where systems install it;
//! 4. one fetched before into the user's cache folder (`~/.cache/ark-mysql/servers`; remove it there to get a newer one);
//! 5. one fetched now, without root, by the package tools of a Debian-family system: about 60 MB, once.
//!
//! All of it blocks the thread: in async code start it before the runtime, or in `spawn_blocking`.

mod background;
mod cache;
mod certificates;
mod error;
mod fetch;
mod process;
mod program;
mod template;
mod watcher;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub use background::Background;
pub use error::DevServerError;

use process::{Running, Start};
use program::{Program, Wish};

/// A running server. Dropping it ends the server at once and removes its folder.
#[derive(Debug)]
pub struct DevServer {
    running: Running,
    socket: PathBuf,
    flavor: Flavor,
}

impl DevServer {
    /// Starts a MySQL server with the default settings.
    ///
    /// # Errors
    ///
    /// Where no server program can be had or it does not start; the message says what to do.
    pub fn start() -> Result<Self, DevServerError> {
        Self::builder().start()
    }

    /// The knobs: flavor, version, server arguments, data that stays.
    #[must_use]
    pub fn builder() -> DevServerBuilder {
        DevServerBuilder::default()
    }

    /// The address of the database `test` over TCP, for `root` without a password.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_for("test")
    }

    /// The address of another database over TCP. The name is not escaped.
    #[must_use]
    pub fn url_for(&self, database: &str) -> String {
        format!("mysql://root@127.0.0.1:{}/{database}", self.running.port)
    }

    /// The address of the database `test` by the Unix socket.
    #[must_use]
    pub fn socket_url(&self) -> String {
        self.socket_url_for("test")
    }

    /// The address of another database by the Unix socket. The name is not escaped.
    #[must_use]
    pub fn socket_url_for(&self, database: &str) -> String {
        format!(
            "mysql://root@localhost/{database}?socket={}",
            escaped(self.socket())
        )
    }

    /// The address of a database over TCP with TLS, the server's certificate and name verified. The name is not escaped.
    #[must_use]
    pub fn tls_url_for(&self, database: &str) -> String {
        format!(
            "{}?ssl-mode=verify-identity&ssl-ca={}",
            self.url_for(database),
            escaped(self.ca_certificate())
        )
    }

    /// The TCP port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.running.port
    }

    /// The Unix socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The certificate authority that signed the server's certificate, a PEM file that exists as long as the server.
    #[must_use]
    pub fn ca_certificate(&self) -> &Path {
        &self.running.certificates.authority
    }

    /// MySQL or MariaDB.
    #[must_use]
    pub fn flavor(&self) -> Flavor {
        self.flavor
    }

    /// The version that the server greets with, as in `9.7.4-2` or `11.8.9-MariaDB-0+deb13u1 from Debian`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.running.version
    }

    /// Lets the server live on for half an hour when this process has ended: somebody wants to look at what is in it.
    #[cfg(all(feature = "macros", feature = "migrate"))]
    pub(crate) fn linger(&self) {
        self.running.linger();
    }

    /// Lets the server live on until it is told to end.
    fn detach(mut self) {
        self.running.detach();
    }

    /// Ends the server in its orderly way, by SIGTERM: it tells its clients and writes everything down. Killed after five seconds.
    /// Dropping the value is faster where nobody needs that.
    pub fn stop(mut self) {
        self.running.stop();
    }
}

/// What kind of dev server to start.
#[derive(Clone, Debug, Default)]
pub struct DevServerBuilder {
    wish: Wish,
    arguments: Vec<OsString>,
    data: Option<PathBuf>,
    port: Option<u16>,
}

impl DevServerBuilder {
    /// MySQL or MariaDB. Without it MySQL, unless `ARK_MYSQL_SERVER` names a MariaDB or nothing else can be had.
    #[must_use]
    pub fn flavor(mut self, flavor: Flavor) -> Self {
        self.wish.flavor = Some(flavor);
        self
    }

    /// A fetched server from this suite of Debian, whatever is installed: for MariaDB `trixie` (11.8) or `bookworm` (10.11), for MySQL
    /// `sid`. On Ubuntu the machine's own release is taken instead.
    #[must_use]
    pub fn suite(mut self, suite: impl Into<String>) -> Self {
        self.wish.suite = Some(suite.into());
        self
    }

    /// This program, whatever else is there. Its flavor is found out.
    #[must_use]
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.wish.program = Some(program.into());
        self
    }

    /// This TCP port instead of a free one.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// One more argument for the server's command line, as in `--max-connections=10`; it wins over ours. Worth knowing:
    /// `performance_schema` is off here (`--performance-schema=ON`), and so is the binary log (`--log-bin`).
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Keeps the data in this folder, and finds it there the next time. The server then always ends in its orderly way.
    #[must_use]
    pub fn keep(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = Some(folder.into());
        self
    }

    /// Starts the server; returns once it accepts connections. The first start fetches and prepares what is missing.
    ///
    /// # Errors
    ///
    /// Where no server program can be had or it does not start; the message says what to do.
    pub fn start(self) -> Result<DevServer, DevServerError> {
        let program = Program::find(&self.wish)?;
        let template = template::ensure(&program, &self.arguments)?;
        let absolute = |kept| {
            std::path::absolute(kept).map_err(DevServerError::file("finding the folder", kept))
        };
        let kept = self.data.as_deref().map(absolute).transpose()?;
        let start = Start {
            program: &program,
            template: &template,
            kept: kept.as_deref(),
            port: self.port,
            arguments: &self.arguments,
        };
        let running = start.run()?;
        Ok(DevServer {
            socket: running.socket(),
            running,
            flavor: program.flavor,
        })
    }
}

/// Which of the two families of servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flavor {
    /// Oracle's MySQL.
    #[default]
    MySql,
    /// MariaDB.
    MariaDb,
}

impl Flavor {
    /// In file names and package names.
    fn word(self) -> &'static str {
        match self {
            Self::MySql => "mysql",
            Self::MariaDb => "mariadb",
        }
    }

    fn program(self) -> &'static str {
        match self {
            Self::MySql => "mysqld",
            Self::MariaDb => "mariadbd",
        }
    }

    /// Debian has MySQL in its unstable suite alone.
    fn default_suite(self) -> &'static str {
        match self {
            Self::MySql => "sid",
            Self::MariaDb => "trixie",
        }
    }
}

impl fmt::Display for Flavor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MySql => "MySQL",
            Self::MariaDb => "MariaDB",
        })
    }
}

#[expect(
    clippy::print_stderr,
    reason = "fetching takes seconds, once, and there is nobody else to tell why nothing seems to happen"
)]
fn progress(news: &str) {
    eprintln!("ark-mysql dev server: {news}");
}

/// A path as a value in an address.
fn escaped(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes
        .iter()
        .map(|&byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

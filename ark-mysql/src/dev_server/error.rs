use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Flavor;

/// Why there is no dev server. Every message says what to do about it.
#[derive(Debug)]
#[non_exhaustive]
pub enum DevServerError {
    /// Neither `XDG_CACHE_HOME` nor `HOME` is set, so there is no place for programs and templates.
    NoCacheFolder,
    /// A file or folder could not be read, made or moved.
    File {
        /// What was being done, as in "creating the folder".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The program that was asked for, in `ARK_MYSQL_SERVER` or by the builder, is not a usable server.
    BadProgram {
        /// The program as it was named.
        program: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// This machine has no server and no means to fetch one.
    NoServer {
        /// The flavor wanted.
        flavor: Flavor,
        /// Why none can be fetched.
        reason: String,
    },
    /// Fetching a server was possible in principle and failed.
    Fetch {
        /// The flavor wanted.
        flavor: Flavor,
        /// The suite of packages that was tried.
        suite: String,
        /// The end of what the package tools said.
        output: String,
    },
    /// The server could not fill a new data folder.
    Initialise {
        /// The server's program.
        program: PathBuf,
        /// The end of its log.
        log: String,
    },
    /// The server ended while it was starting.
    Exited {
        /// The server's program.
        program: PathBuf,
        /// The end of its log.
        log: String,
    },
    /// The server started and did not greet anybody in time.
    NotReady {
        /// The server's program.
        program: PathBuf,
        /// How long it was waited for.
        waited: Duration,
        /// The end of its log.
        log: String,
    },
    /// The certificates for TLS could not be made.
    Certificate {
        /// The certificate library's reason.
        reason: String,
    },
}

impl DevServerError {
    /// For `map_err` on an operation of `std::fs`.
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

impl fmt::Display for DevServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCacheFolder => f.write_str(
                "no cache folder for the dev server: neither XDG_CACHE_HOME nor HOME is set; set XDG_CACHE_HOME to a folder that you may write to",
            ),
            Self::File { action, path, .. } => {
                write!(f, "dev server: {action} {} failed; check that the folder is yours and the disk is not full", path.display())
            }
            Self::BadProgram { program, reason } => write!(
                f,
                "{} cannot be used as a dev server: {reason}; name the path of mysqld or mariadbd (ARK_MYSQL_SERVER), or leave it out",
                program.display()
            ),
            Self::NoServer { flavor, reason } => no_server(f, *flavor, reason),
            Self::Fetch { flavor, suite, output } => write!(
                f,
                "{flavor} could not be fetched from the packages of {suite}; is the network up, and does `apt-get update` work? \
                 A server that is installed already is used as it is (ARK_MYSQL_SERVER=/path/to/{}). The package tools said:\n{output}",
                flavor.program()
            ),
            Self::Initialise { program, log } => {
                write!(f, "{} could not fill a new data folder. The end of its log:\n{log}{}", program.display(), confinement(log))
            }
            Self::Exited { program, log } => write!(
                f,
                "{} ended while it was starting; correct the server arguments if you gave any. The end of its log:\n{log}{}",
                program.display(),
                confinement(log)
            ),
            Self::NotReady { program, waited, log } => write!(
                f,
                "{} did not accept a connection within {} s; is the machine overloaded? The end of its log:\n{log}",
                program.display(),
                waited.as_secs()
            ),
            Self::Certificate { reason } => write!(f, "the dev server's certificates could not be made: {reason}; please report this"),
        }
    }
}

impl std::error::Error for DevServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::NoCacheFolder
            | Self::BadProgram { .. }
            | Self::NoServer { .. }
            | Self::Fetch { .. }
            | Self::Initialise { .. }
            | Self::Exited { .. }
            | Self::NotReady { .. }
            | Self::Certificate { .. } => None,
        }
    }
}

fn no_server(f: &mut fmt::Formatter<'_>, flavor: Flavor, reason: &str) -> fmt::Result {
    let (apt, brew, docker) = match flavor {
        Flavor::MySql => (
            "mysql-server",
            "mysql",
            "-e MYSQL_ALLOW_EMPTY_PASSWORD=1 -e MYSQL_DATABASE=test mysql",
        ),
        Flavor::MariaDb => (
            "mariadb-server",
            "mariadb",
            "-e MARIADB_ALLOW_EMPTY_ROOT_PASSWORD=1 -e MARIADB_DATABASE=test mariadb",
        ),
    };
    write!(
        f,
        "this machine has no {flavor} server, and none can be fetched: {reason}. Install one:\n  \
         sudo apt-get install {apt}\n  \
         brew install {brew}\n\
         or name one (ARK_MYSQL_SERVER=/path/to/{}), or run one in a container and use its address:\n  \
         docker run --rm -d -p 3306:3306 {docker}\n  \
         export DATABASE_URL=mysql://root@127.0.0.1:3306/test",
        flavor.program()
    )
}

/// Distributions confine an installed server to its own folders; nothing in its log says so.
fn confinement(log: &str) -> &'static str {
    let denied = ["Permission denied", "Errcode: 13", "OS errno 13"];
    if !denied.iter().any(|words| log.contains(words)) {
        return "";
    }
    "\n(An installed server may be kept out of temporary folders by AppArmor or SELinux: use one that is not, by ARK_MYSQL_SERVER or by suite(…).)"
}

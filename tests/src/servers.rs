use std::fmt;
use std::sync::OnceLock;

use ark_mysql::dev_server::{DevServer, DevServerBuilder, Flavor};

/// Both families, to loop over where the version does not matter.
pub const FLAVORS: [Flavor; 2] = [Flavor::MySql, Flavor::MariaDb];

/// The servers that the driver is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Server {
    /// The newest MySQL.
    MySql,
    /// The newest MariaDB that is supported for long.
    MariaDb,
    /// The older one: no parsec, no VECTOR, no proof of its certificate, and `5.5.5-` in front of its version.
    MariaDb10,
}

impl Server {
    /// All of them, to loop over.
    pub const ALL: [Self; 3] = [Self::MySql, Self::MariaDb, Self::MariaDb10];

    /// Its family.
    #[must_use]
    pub fn flavor(self) -> Flavor {
        match self {
            Self::MySql => Flavor::MySql,
            Self::MariaDb | Self::MariaDb10 => Flavor::MariaDb,
        }
    }

    /// For a server of one's own: of this kind, with the other knobs still to be turned.
    #[must_use]
    pub fn builder(self) -> DevServerBuilder {
        let builder = DevServer::builder().flavor(self.flavor());
        match self {
            Self::MySql | Self::MariaDb => builder,
            Self::MariaDb10 => builder.suite("bookworm"),
        }
    }
}

impl From<Flavor> for Server {
    fn from(flavor: Flavor) -> Self {
        match flavor {
            Flavor::MySql => Self::MySql,
            Flavor::MariaDb => Self::MariaDb,
        }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MySql => "MySQL",
            Self::MariaDb => "MariaDB",
            Self::MariaDb10 => "MariaDB 10.11",
        })
    }
}

/// The server of this process, started by the first test that wants it. It ends when the process does.
///
/// # Panics
///
/// Where it cannot be had or does not start: then no test can say anything.
pub fn server(server: impl Into<Server>) -> &'static DevServer {
    static SERVERS: [OnceLock<DevServer>; 3] = [const { OnceLock::new() }; 3];
    let [mysql, mariadb, mariadb_10] = &SERVERS;
    let server = server.into();
    let place = match server {
        Server::MySql => mysql,
        Server::MariaDb => mariadb,
        Server::MariaDb10 => mariadb_10,
    };
    place.get_or_init(|| match server.builder().start() {
        Ok(server) => server,
        Err(error) => panic!("{server}: {error}"),
    })
}

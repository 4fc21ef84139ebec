use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ark_mysql::dev_server::{DevServer, Flavor};

use crate::{Account, Server, admin, server};

/// An empty database for one test, dropped with the value. Its addresses are for `root`, without a password.
#[derive(Debug)]
pub struct Database {
    name: String,
    kind: Server,
    accounts: Mutex<Vec<String>>,
}

/// The ways to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// TCP on 127.0.0.1, without TLS.
    Tcp,
    /// TCP on 127.0.0.1 with TLS, certificate and IP name verified.
    Tls,
    /// The Unix socket.
    Socket,
}

impl Transport {
    /// All of them, to loop over.
    pub const ALL: [Self; 3] = [Self::Tcp, Self::Tls, Self::Socket];
}

impl Database {
    /// Creates it.
    ///
    /// # Panics
    ///
    /// Where the server does not start or refuses.
    #[must_use]
    pub fn new(kind: impl Into<Server>) -> Self {
        let kind = kind.into();
        server(kind); // before there is a value whose end would look for it once more
        let database = Self {
            name: unique("t"),
            kind,
            accounts: Mutex::default(),
        };
        database.admin(&format!(
            "CREATE DATABASE {} CHARACTER SET utf8mb4",
            database.name
        ));
        database
    }

    /// Creates it and runs SQL in it.
    ///
    /// # Panics
    ///
    /// Where the server does not start or refuses.
    #[must_use]
    pub fn with_schema(kind: impl Into<Server>, sql: &str) -> Self {
        let database = Self::new(kind);
        database.run(sql);
        database
    }

    /// Loads `tests/schema.sql`, which the statements of the tests are checked with.
    ///
    /// # Panics
    ///
    /// With the server's message.
    pub fn load_schema(&self) {
        self.run(include_str!("../schema.sql"));
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The flavor of its server.
    #[must_use]
    pub fn flavor(&self) -> Flavor {
        self.kind.flavor()
    }

    /// Which of the servers it is on.
    #[must_use]
    pub fn kind(&self) -> Server {
        self.kind
    }

    /// Its server.
    #[must_use]
    pub fn server(&self) -> &'static DevServer {
        server(self.kind)
    }

    /// Its address over TCP; the driver chooses about TLS.
    #[must_use]
    pub fn url(&self) -> String {
        self.server().url_for(&self.name)
    }

    /// Its address over TLS, verified.
    #[must_use]
    pub fn tls_url(&self) -> String {
        self.url_by(Transport::Tls)
    }

    /// Its address by the socket.
    #[must_use]
    pub fn socket_url(&self) -> String {
        self.url_by(Transport::Socket)
    }

    /// Its address by one of the ways.
    #[must_use]
    pub fn url_by(&self, transport: Transport) -> String {
        match transport {
            Transport::Tcp => format!("{}?ssl-mode=disabled", self.url()),
            Transport::Tls => self.server().tls_url_for(&self.name),
            Transport::Socket => self.server().socket_url_for(&self.name),
        }
    }

    /// Runs SQL in it, as `root`; several statements if need be.
    ///
    /// # Panics
    ///
    /// With the server's message.
    pub fn run(&self, sql: &str) {
        admin(&self.url(), sql).unwrap_or_else(|error| panic!("{}: {error}\n{sql}", self.kind));
    }

    /// A new account that may do everything in this database, with the server's default login. Nobody has logged in with it yet, so that the
    /// cache of `caching_sha2_password` is cold.
    ///
    /// # Panics
    ///
    /// With the server's message.
    #[must_use]
    pub fn account(&self, password: &str) -> Account {
        let escaped = password.replace('\\', "\\\\").replace('\'', "\\'");
        self.account_identified(password, &format!("BY '{escaped}'"))
    }

    /// A new account with this after `IDENTIFIED`, as in `WITH sha256_password BY 'secret'`.
    ///
    /// # Panics
    ///
    /// With the server's message.
    #[must_use]
    pub fn account_identified(&self, password: &str, how: &str) -> Account {
        let name = unique("u");
        self.run(&format!(
            "CREATE USER '{name}'@'%' IDENTIFIED {how}; GRANT ALL ON {}.* TO '{name}'@'%'",
            self.name
        ));
        let mut accounts = self
            .accounts
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        accounts.push(name.clone());
        Account::new(name, password, self)
    }

    /// Forgets cached passwords: the next login of every account is a full one.
    ///
    /// # Panics
    ///
    /// With the server's message.
    pub fn forget_passwords(&self) {
        self.run("FLUSH PRIVILEGES");
    }

    fn admin(&self, sql: &str) {
        let url = self.server().url();
        admin(&url, sql).unwrap_or_else(|error| panic!("{}: {error}\n{sql}", self.kind));
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let mut sql = format!("DROP DATABASE IF EXISTS {};", self.name);
        let accounts = self
            .accounts
            .get_mut()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        for name in accounts {
            sql.push_str(&format!("DROP USER IF EXISTS '{name}'@'%';"));
        }
        // A test may have ended its server, or be failing already; the server's folder goes in any case.
        let _ = admin(&self.server().url(), &sql);
    }
}

/// Unique on this server, which may belong to several processes in the future.
fn unique(kind: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!(
        "{kind}_{}_{}",
        process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

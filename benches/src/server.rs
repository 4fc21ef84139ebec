//! Which server is measured: one that the command starts and stops, or one that is there.

use std::str::FromStr;

use anyhow::{Context, Result};
use ark_mysql::dev_server::{DevServer, Flavor};

use crate::raw::RawClient;

/// `--server`: `mysql`, `mariadb` or an address.
#[derive(Clone, Debug)]
pub enum Choice {
    /// A throw-away server of this family.
    Dev(Flavor),
    /// A server that runs already; its tables `test1` and `cb_t0` … `cb_t9` are overwritten.
    Address(String),
}

/// A server to measure; one that was started stops with the value.
pub struct Server {
    url: String,
    dev: Option<DevServer>,
}

impl Choice {
    /// Starts the server, where it is one to start.
    ///
    /// # Errors
    /// Fails when the dev server does, with its advice.
    pub fn open(&self) -> Result<Server> {
        self.open_with(&[])
    }

    /// The same, with more arguments for the server's command line where it is one to start.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(&self, arguments: &[&str]) -> Result<Server> {
        match self {
            Self::Dev(flavor) => {
                let mut builder = DevServer::builder().flavor(*flavor);
                if *flavor == Flavor::MySql {
                    builder = builder.argument("--performance-schema=ON"); // MySQL's own default; it tells the threads to pin
                }
                for argument in arguments {
                    builder = builder.argument(argument);
                }
                let dev = builder.start().context("the dev server did not start")?;
                Ok(Server {
                    url: dev.url(),
                    dev: Some(dev),
                })
            }
            Self::Address(url) => Ok(Server {
                url: url.clone(),
                dev: None,
            }),
        }
    }
}

impl Server {
    /// Its address, over TCP and without TLS: a raw socket speaks none.
    pub fn url(&self) -> String {
        with(&self.url, "ssl-mode=disabled")
    }

    /// Whether it was started for this run, so that nobody else uses it.
    pub fn is_ours(&self) -> bool {
        self.dev.is_some()
    }
}

/// A user of a server by its addresses.
pub struct User<'s> {
    server: &'s Server,
    /// Name and password, where it is not the one of the address.
    login: Option<&'static str>,
}

/// The login of [`Server::user_with_password`].
const LOGIN: &str = "bench:bench";

impl Server {
    /// A user with a password, made where the server is ours; of another one the user of its address.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub fn user_with_password(&self, admin: &mut RawClient) -> Result<User<'_>> {
        if self.is_ours() {
            admin.query("CREATE USER IF NOT EXISTS bench IDENTIFIED BY 'bench'")?;
            admin.query("GRANT ALL ON test.* TO bench")?;
        }
        Ok(User {
            server: self,
            login: self.is_ours().then_some(LOGIN),
        })
    }

    /// Its address over TCP with TLS, certificate chain and name verified. Where it is not ours, the address names the authority by `ssl-ca`.
    pub fn tls_url(&self) -> String {
        match &self.dev {
            Some(dev) => dev.tls_url_for("test"),
            None => with(&self.url, "ssl-mode=verify-identity"),
        }
    }

    /// Its address by its Unix socket, where it is ours.
    pub fn socket_url(&self) -> Option<String> {
        self.dev.as_ref().map(DevServer::socket_url)
    }

    /// Where it is ours: MySQL or MariaDB.
    pub fn dev(&self) -> Option<&DevServer> {
        self.dev.as_ref()
    }
}

impl User<'_> {
    /// The user's address over TCP, without TLS.
    pub fn url(&self) -> String {
        self.named(self.server.url())
    }

    /// The user's address over TCP with TLS, certificate chain and name verified.
    pub fn tls_url(&self) -> String {
        self.named(self.server.tls_url())
    }

    fn named(&self, url: String) -> String {
        match self.login {
            Some(login) => url.replacen("root@", &format!("{login}@"), 1),
            None => url,
        }
    }
}

fn with(url: &str, setting: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    if url.contains("ssl-mode=") {
        url.to_owned()
    } else {
        format!("{url}{separator}{setting}")
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mysql" => Ok(Self::Dev(Flavor::MySql)),
            "mariadb" => Ok(Self::Dev(Flavor::MariaDb)),
            url if url.contains("://") => Ok(Self::Address(url.to_owned())),
            other => Err(format!(
                "`{other}` is neither `mysql`, `mariadb` nor an address such as mysql://root@127.0.0.1:3306/test"
            )),
        }
    }
}

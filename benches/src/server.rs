//! Which server is measured: one that the command starts and stops, or one that is there.

use std::str::FromStr;

use anyhow::{Context, Result};
use ark_mysql::dev_server::{DevServer, Flavor};

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
        match self {
            Self::Dev(flavor) => {
                let mut builder = DevServer::builder().flavor(*flavor);
                if *flavor == Flavor::MySql {
                    builder = builder.argument("--performance-schema=ON"); // MySQL's own default; it tells the threads to pin
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
        let separator = if self.url.contains('?') { '&' } else { '?' };
        if self.url.contains("ssl-mode=") {
            self.url.clone()
        } else {
            format!("{}{separator}ssl-mode=disabled", self.url)
        }
    }

    /// Whether it was started for this run, so that nobody else uses it.
    pub fn is_ours(&self) -> bool {
        self.dev.is_some()
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

//! Which folder and which database a command means.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ark_mysql_check::settings::{DATABASE_URL, DatabaseUrl, OFFLINE, Origin, Settings, Source};
use tokio::runtime::Runtime;

use super::arguments::Target;
use crate::background;
use crate::dev::DevDatabase;
use crate::failure::Failure;

/// A database, and what is needed to talk to it.
pub(super) struct Place {
    address: DatabaseUrl,
    /// For people: `shop at 127.0.0.1:3306 (…)`.
    pub(super) described: String,
    runtime: Runtime,
    dev: Option<DevDatabase>,
}

impl Place {
    pub(super) fn find(target: &Target) -> Result<Self, Failure> {
        Self::find_if_any(target)?.ok_or_else(|| {
            Failure::new(format!(
                "there is no database to migrate: set {DATABASE_URL} (in the environment, in a file .env beside Cargo.toml, or by --url), such as \
                 mysql://root@127.0.0.1:3306/shop{}; or try the migrations on a throw-away server: --dev",
                background::advice()
            ))
        })
    }

    /// `None`: no address is set.
    pub(super) fn find_if_any(target: &Target) -> Result<Option<Self>, Failure> {
        let (address, dev) = if target.dev {
            let dev = DevDatabase::start(target.flavor, None)?;
            (DatabaseUrl::parse(dev.url(), Origin::Given)?, Some(dev))
        } else if let Some(url) = &target.url {
            (DatabaseUrl::parse(url.clone(), Origin::Given)?, None)
        } else {
            match configured()? {
                Some(address) => (address, None),
                None => return Ok(None),
            }
        };
        let database = address.url().database.as_deref().unwrap_or("(no database)");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(Some(Self {
            described: format!("{database} at {address}"),
            address,
            runtime,
            dev,
        }))
    }

    pub(super) fn url(&self) -> &str {
        self.address.expose()
    }

    pub(super) fn address(&self) -> &ark_mysql::Url {
        self.address.url()
    }

    pub(super) fn is_throw_away(&self) -> bool {
        self.dev.is_some()
    }

    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

/// What `DATABASE_URL` says for the crate that we stand in.
fn configured() -> Result<Option<DatabaseUrl>, Failure> {
    let environment = |name: &str| match name {
        OFFLINE => Some(OsString::from("0")),
        name => std::env::var_os(name),
    };
    let settings = Settings::load(&manifest_dir()?, &environment)?;
    Ok(match settings.source {
        Source::Server(url) => Some(*url),
        Source::Offline | Source::NoUrl => None,
    })
}

/// The nearest folder upwards with a `Cargo.toml`, or the one that we stand in.
fn manifest_dir() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()?;
    let found = here
        .ancestors()
        .find(|folder| folder.join("Cargo.toml").is_file());
    Ok(found.unwrap_or(&here).to_owned())
}

/// A relative folder is looked for where we stand, then beside the nearest `Cargo.toml`.
pub(super) fn folder(source: &Path) -> Result<PathBuf, Failure> {
    let beside = manifest_dir()?.join(source);
    if !source.is_dir() && beside.is_dir() {
        return Ok(beside);
    }
    Ok(source.to_owned())
}

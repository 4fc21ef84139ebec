//! Which server a command asks.

use std::ffi::OsString;

use ark_mysql_check::describe::cache::SessionSettings;
use ark_mysql_check::describe::{greet, session_settings};
use ark_mysql_check::description::Family;
use ark_mysql_check::settings::{DATABASE_URL, DatabaseUrl, OFFLINE, Origin, Settings, Source};

use crate::arguments::Database;
use crate::dev::DevDatabase;
use crate::failure::Failure;
use crate::workspace::{Member, Workspace};

/// The servers that will answer, and what a build must know to ask them.
pub(crate) struct Servers {
    /// For people: `MySQL 9.7.4 at 127.0.0.1:3306 (…)`, one for each server.
    pub(crate) described: Vec<String>,
    /// The address that holds for all members; else each has its own.
    given: Option<DatabaseUrl>,
    heed_offline: bool,
    /// For the build's environment; nothing if every crate finds its own in `.env`.
    pub(crate) environment: Vec<(&'static str, OsString)>,
    /// Stops with this value.
    _dev: Option<DevDatabase>,
}

/// Finds the servers and asks each for its name, so that one that is not there is one message and not one a statement.
///
/// `None`: there is no address. `ARK_MYSQL_OFFLINE` counts only if `heed_offline`.
pub(crate) fn find(
    workspace: &Workspace,
    options: &Database,
    heed_offline: bool,
) -> Result<Option<Servers>, Failure> {
    if options.dev {
        let dev = DevDatabase::start(options.flavor, options.migrations.as_deref())?;
        return given(dev.url(), Some(dev)).map(Some);
    }
    if let Some(url) = &options.database_url {
        return given(url.clone(), None).map(Some);
    }
    let found = addresses(workspace, heed_offline)?;
    if found.is_empty() {
        return Ok(None);
    }
    let described = found.iter().map(introduce).collect::<Result<_, _>>()?;
    Ok(Some(Servers {
        described,
        given: None,
        heed_offline,
        environment: vec![(OFFLINE, "0".into())],
        _dev: None,
    }))
}

fn given(url: String, dev: Option<DevDatabase>) -> Result<Servers, Failure> {
    let address = DatabaseUrl::parse(url.clone(), Origin::Given)?;
    Ok(Servers {
        described: vec![introduce(&address)?],
        given: Some(address),
        heed_offline: false,
        environment: vec![(DATABASE_URL, url.into()), (OFFLINE, "0".into())],
        _dev: dev,
    })
}

impl Servers {
    /// What is set at the server of a member; `None` where it has none.
    pub(crate) fn settings_for(&self, member: &Member) -> Result<Option<SessionSettings>, Failure> {
        let own = match &self.given {
            Some(_) => None,
            None => address(member, self.heed_offline)?,
        };
        match self.given.as_ref().or(own.as_ref()) {
            Some(url) => Ok(Some(session_settings(url)?)),
            None => Ok(None),
        }
    }
}

/// Every address that some member of the workspace uses, once.
fn addresses(workspace: &Workspace, heed_offline: bool) -> Result<Vec<DatabaseUrl>, Failure> {
    let mut found: Vec<DatabaseUrl> = Vec::new();
    for member in &workspace.members {
        if let Some(url) = address(member, heed_offline)?
            && !found.iter().any(|known| known.expose() == url.expose())
        {
            found.push(url);
        }
    }
    Ok(found)
}

fn address(member: &Member, heed_offline: bool) -> Result<Option<DatabaseUrl>, Failure> {
    let environment = |name: &str| match name {
        OFFLINE if !heed_offline => Some(OsString::from("0")),
        name => std::env::var_os(name),
    };
    match Settings::load(&member.manifest_dir, &environment)?.source {
        Source::Server(url) => Ok(Some(*url)),
        Source::Offline | Source::NoUrl => Ok(None),
    }
}

fn introduce(url: &DatabaseUrl) -> Result<String, Failure> {
    let server = greet(url)?;
    let family = match server.family {
        Family::MySql => "MySQL",
        Family::MariaDb => "MariaDB",
    };
    Ok(format!("{family} {} at {url}", server.version))
}

//! Build-time settings: who describes statements, a server or the cache.
//!
//! | setting | where |
//! |---|---|
//! | `DATABASE_URL` | environment, else `.env` beside the manifest, else `.env` at the workspace root; set but empty = none |
//! | `ARK_MYSQL_OFFLINE` | the same places; `1` = never ask a server |
//! | `when-unreachable`, `[types.columns]`, `[types.sql]` | `ark-mysql.toml` beside the manifest, else at the workspace root |
//! | `ARK_MYSQL_RECORD` | environment only; set by `cargo ark-mysql` |
//!
//! They are read anew for every statement, or what was read a moment ago is taken (`recent`): a language server lives longer than any `.env`.

mod config_file;
mod database_url;
pub(crate) use nearest::nearest;
mod nearest;
pub(crate) mod recent;
mod switch;
mod workspace_root;

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use ark_mysql_proto::dotenv::DotenvError;
pub use config_file::{ConfigFile, ConfigFileError, WhenUnreachable};
pub use database_url::{DatabaseUrl, DatabaseUrlError};
pub use switch::SwitchError;
pub(crate) use workspace_root::workspace_root;

use ark_mysql_proto::dotenv;

use crate::description::Types;

/// The variable that names the database.
pub const DATABASE_URL: &str = "DATABASE_URL";
/// The variable that keeps a build away from every server.
pub const OFFLINE: &str = "ARK_MYSQL_OFFLINE";
/// The variable that names the folder in which expansions leave records.
pub const RECORD: &str = "ARK_MYSQL_RECORD";
/// The name of the settings file.
pub const CONFIG_FILE: &str = "ark-mysql.toml";

/// Larger files are refused: both kinds have a few lines.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Looks a variable up, as [`std::env::var_os`] does.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The settings that hold for one crate.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the crate's `Cargo.toml`.
    pub manifest_dir: PathBuf,
    /// Who describes statements.
    pub source: Source,
    /// What a build does when nobody answers at the URL.
    pub when_unreachable: WhenUnreachable,
    /// The Rust types that it gives to columns.
    pub types: Types,
    /// The `ark-mysql.toml` that was read, if there is one.
    pub config_file: Option<PathBuf>,
    /// The folder in which expansions leave records.
    pub record: Option<PathBuf>,
}

/// Who describes statements.
#[derive(Debug, Clone)]
pub enum Source {
    /// The server at this URL.
    Server(Box<DatabaseUrl>),
    /// The cache, because `ARK_MYSQL_OFFLINE` says so.
    Offline,
    /// The cache, because there is no `DATABASE_URL`.
    NoUrl,
}

/// A setting that cannot be read or makes no sense. Never contains a value that may be secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// `DATABASE_URL` is no address.
    DatabaseUrl(DatabaseUrlError),
    /// A line of `.env`.
    Dotenv(DotenvError),
    /// A line of `ark-mysql.toml`.
    ConfigFile(ConfigFileError),
    /// `ARK_MYSQL_OFFLINE` is neither on nor off.
    Switch(SwitchError),
    /// A variable is not UTF-8.
    NotUtf8(&'static str),
    /// A file is there and cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        problem: String,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DatabaseUrl(error) => error.fmt(f),
            Self::Dotenv(error) => error.fmt(f),
            Self::ConfigFile(error) => error.fmt(f),
            Self::Switch(error) => error.fmt(f),
            Self::NotUtf8(name) => write!(f, "the environment variable {name} is not UTF-8"),
            Self::Unreadable { file, problem } => {
                write!(f, "cannot read {}: {problem}", file.display())
            }
        }
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Reads the settings of the crate in `manifest_dir`.
    ///
    /// # Errors
    /// A setting that is there and cannot be used; see [`SettingsError`].
    pub fn load(manifest_dir: &Path, environment: Environment<'_>) -> Result<Self, SettingsError> {
        let root = workspace_root(manifest_dir);
        let variables = Variables::new(manifest_dir, &root, environment);
        let (config, config_file) = load_config_file(manifest_dir, &root)?;
        Ok(Self {
            manifest_dir: manifest_dir.to_owned(),
            source: source(&variables)?,
            when_unreachable: config.when_unreachable,
            types: config.types,
            config_file,
            record: environment(RECORD)
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from),
        })
    }
}

/// The switch comes first: an offline build must not trip over a URL that it does not need.
fn source(variables: &Variables<'_>) -> Result<Source, SettingsError> {
    if let Some((value, origin)) = variables.find(OFFLINE)?
        && switch::is_on(&value, &origin).map_err(SettingsError::Switch)?
    {
        return Ok(Source::Offline);
    }
    match variables.find(DATABASE_URL)? {
        Some((url, _)) if url.is_empty() => Ok(Source::NoUrl),
        Some((url, origin)) => DatabaseUrl::parse(url, origin)
            .map(|url| Source::Server(Box::new(url)))
            .map_err(SettingsError::DatabaseUrl),
        None => Ok(Source::NoUrl),
    }
}

/// Where a value was found; for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The environment.
    Environment,
    /// A line of a `.env` file.
    Dotenv {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// Given to a function or on a command line.
    Given,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment => f.write_str("from the environment"),
            Self::Dotenv { file, line } => write!(f, "from {}:{line}", file.display()),
            Self::Given => f.write_str("as given here"),
        }
    }
}

/// Variables of the environment and of the `.env` files behind it.
struct Variables<'a> {
    environment: Environment<'a>,
    files: Vec<PathBuf>,
}

impl<'a> Variables<'a> {
    fn new(manifest_dir: &Path, root: &Path, environment: Environment<'a>) -> Self {
        let mut files = vec![manifest_dir.join(".env"), root.join(".env")];
        files.dedup();
        Self { environment, files }
    }

    fn find(&self, name: &'static str) -> Result<Option<(String, Origin)>, SettingsError> {
        if let Some(value) = (self.environment)(name) {
            let value = value
                .into_string()
                .map_err(|_| SettingsError::NotUtf8(name))?;
            return Ok(Some((value, Origin::Environment)));
        }
        for file in &self.files {
            let Some(text) = read_if_there(file)? else {
                continue;
            };
            let assignments = dotenv::parse(&text, file).map_err(SettingsError::Dotenv)?;
            if let Some(found) = assignments
                .into_iter()
                .find(|assignment| assignment.key == name)
            {
                return Ok(Some((
                    found.value,
                    Origin::Dotenv {
                        file: file.clone(),
                        line: found.line,
                    },
                )));
            }
        }
        Ok(None)
    }
}

fn load_config_file(
    manifest_dir: &Path,
    root: &Path,
) -> Result<(ConfigFile, Option<PathBuf>), SettingsError> {
    let mut folders = vec![manifest_dir, root];
    folders.dedup();
    for folder in folders {
        let file = folder.join(CONFIG_FILE);
        if let Some(text) = read_if_there(&file)? {
            let config = ConfigFile::parse(&text, &file).map_err(SettingsError::ConfigFile)?;
            return Ok((config, Some(file)));
        }
    }
    Ok((ConfigFile::default(), None))
}

fn read_if_there(file: &Path) -> Result<Option<String>, SettingsError> {
    let unreadable = |problem: String| SettingsError::Unreadable {
        file: file.to_owned(),
        problem,
    };
    let mut text = String::new();
    match File::open(file).and_then(|open| open.take(MAX_FILE_BYTES + 1).read_to_string(&mut text))
    {
        Ok(bytes) if u64::try_from(bytes).is_ok_and(|bytes| bytes <= MAX_FILE_BYTES) => {
            Ok(Some(text))
        }
        Ok(_) => Err(unreadable("it is larger than 1 MiB".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // A file on the way where a folder should be: there is no such file either.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

#[cfg(test)]
pub(crate) mod scratch;
#[cfg(test)]
mod tests;

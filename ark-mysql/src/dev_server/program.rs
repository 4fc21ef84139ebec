//! Which program is the server: the one named, one installed, one fetched before, or one fetched now.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::DevServerError;
use super::{Flavor, fetch};

/// Names a server program for every dev server of the process, tests included.
const VARIABLE: &str = "ARK_MYSQL_SERVER";

/// Servers are installed where only root's PATH looks.
const MORE_FOLDERS: [&str; 5] = [
    "/usr/sbin",
    "/usr/local/sbin",
    "/usr/libexec",
    "/usr/local/mysql/bin",
    "/opt/homebrew/bin",
];

/// What the caller asked for; nothing means "any, MySQL rather".
#[derive(Clone, Debug, Default)]
pub(super) struct Wish {
    pub(super) flavor: Option<Flavor>,
    pub(super) suite: Option<String>,
    pub(super) program: Option<PathBuf>,
}

/// A server program that answered `--version`.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) file: PathBuf,
    pub(super) flavor: Flavor,
    /// As in `9.7.4-2` or `11.8.9-MariaDB-0+deb13u1`.
    pub(super) version: String,
    /// For a fetched one: its own loader and libraries, so that any C library of the host will do.
    loader: Vec<OsString>,
    /// For a fetched one: the folder that it believes to be `/usr`.
    base: Option<PathBuf>,
}

impl Program {
    /// Finds the server by the order in the module's documentation.
    pub(super) fn find(wish: &Wish) -> Result<Self, DevServerError> {
        if let Some(program) = &wish.program {
            return Self::named(program);
        }
        let flavor = wish.flavor.unwrap_or_default();
        if let Some(suite) = &wish.suite {
            return Self::fetched(fetch::ensure(flavor, suite)?, flavor);
        }
        if let Some(program) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
            let program = Self::named(Path::new(&program))?;
            // One variable cannot name both flavors: who asks for the other one gets it from elsewhere.
            if wish.flavor.is_none_or(|flavor| flavor == program.flavor) {
                return Ok(program);
            }
        }
        if let Some(program) = Self::installed(flavor) {
            return Ok(program);
        }
        match fetch::ensure(flavor, flavor.default_suite()) {
            Ok(folder) => Self::fetched(folder, flavor),
            // Nothing to fetch with, and no flavor was asked for: the other one is better than none.
            Err(error @ DevServerError::NoServer { .. }) if wish.flavor.is_none() => {
                Self::installed(Flavor::MariaDb).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    fn named(file: &Path) -> Result<Self, DevServerError> {
        Self::at(file, Vec::new(), None)
    }

    fn installed(flavor: Flavor) -> Option<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(MORE_FOLDERS.map(PathBuf::from));
        let files =
            folders.flat_map(|folder| [flavor.program(), "mysqld"].map(|name| folder.join(name)));
        files
            .filter(|file| file.is_file())
            .filter_map(|file| Self::named(&file).ok())
            .find(|program| program.flavor == flavor)
    }

    fn fetched(folder: PathBuf, flavor: Flavor) -> Result<Self, DevServerError> {
        let file = folder.join("usr/sbin").join(flavor.program());
        let loader = loader(&folder.join("usr/lib"));
        Self::at(&file, loader, Some(folder.join("usr")))
    }

    fn at(
        file: &Path,
        loader: Vec<OsString>,
        base: Option<PathBuf>,
    ) -> Result<Self, DevServerError> {
        let bad = |reason: String| DevServerError::BadProgram {
            program: file.to_owned(),
            reason,
        };
        let mut program = Self {
            file: file.to_owned(),
            flavor: Flavor::MySql,
            version: String::new(),
            loader,
            base,
        };
        let [first, rest @ ..] = &program.words()[..] else {
            return Err(bad("its name is empty".to_owned()));
        };
        let output = Command::new(first)
            .args(rest)
            .args(["--no-defaults", "--version"])
            .env_remove("LD_PRELOAD")
            .output();
        let output = output.map_err(|error| bad(format!("it cannot be run ({error})")))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text
            .split_once(" Ver ")
            .and_then(|(_, rest)| rest.split_whitespace().next());
        let version = version
            .filter(|_| output.status.success())
            .ok_or_else(|| bad("it does not tell a version".to_owned()))?;
        program.version = version.to_owned();
        program.flavor = if version.contains("MariaDB") {
            Flavor::MariaDb
        } else {
            Flavor::MySql
        };
        Ok(program)
    }

    /// The start of its command line: the program and where its own files are.
    pub(super) fn command(&self) -> Vec<OsString> {
        let mut words = self.words();
        words.push("--no-defaults".into()); // the server takes it only in the first place
        let Some(base) = &self.base else { return words };
        let share = self.share().unwrap_or_else(|| base.join("share"));
        let folders = [
            ("--basedir=", base.clone()),
            ("--character-sets-dir=", share.join("charsets")),
            ("--lc-messages-dir=", share),
            ("--plugin-dir=", base.join("lib/mysql/plugin")),
        ];
        words.extend(folders.map(|(option, folder)| with_path(option, &folder)));
        words
    }

    /// The folder of error messages, character sets and (MariaDB) the SQL for a new data folder.
    pub(super) fn share(&self) -> Option<PathBuf> {
        let installed = || {
            Some(
                fs::canonicalize(&self.file)
                    .ok()?
                    .parent()?
                    .parent()?
                    .to_owned(),
            )
        };
        let share = self.base.clone().or_else(installed)?.join("share");
        let places = [share.join("mariadb"), share.join("mysql"), share];
        places.into_iter().find(|place| {
            place.join("charsets").is_dir()
                && (self.flavor == Flavor::MySql || has_system_tables(place))
        })
    }

    fn words(&self) -> Vec<OsString> {
        let mut words = self.loader.clone();
        words.push(self.file.clone().into_os_string());
        words
    }
}

/// MariaDB renamed its SQL files; 10.11 still has the old names.
pub(super) const SYSTEM_TABLES: [&str; 2] =
    ["mariadb_system_tables.sql", "mysql_system_tables.sql"];

fn has_system_tables(share: &Path) -> bool {
    SYSTEM_TABLES.iter().any(|name| share.join(name).is_file())
}

/// An option with a path, of whatever bytes.
pub(super) fn with_path(option: &str, path: &Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(path);
    word
}

/// The command line that runs a program with the loader and the libraries found under `libraries`.
fn loader(libraries: &Path) -> Vec<OsString> {
    let folders = fs::read_dir(libraries)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let find = |folder: PathBuf| {
        let mut files = fs::read_dir(&folder).ok()?.flatten();
        let loader = files
            .find(|file| {
                file.file_name()
                    .to_str()
                    .is_some_and(|name| name.starts_with("ld-linux"))
            })?
            .path();
        Some((folder, loader))
    };
    let Some((folder, loader)) = folders.filter(|path| path.is_dir()).find_map(find) else {
        return Vec::new();
    };
    let mut path = folder.into_os_string();
    path.push(":");
    path.push(libraries.join("mysql/private"));
    vec![loader.into_os_string(), "--library-path".into(), path]
}

//! The schema stamp: a file whose change has rustc ask the server again.
//!
//! Statements that a server described depend on its schema, which rustc cannot see. So they name a file in the user's cache folder, which
//! `cargo ark-mysql migrate run` writes anew. There is one for each of 256 groups of databases: a migration of one has another's statements
//! checked again once in 256 times, and no number of databases fills the folder.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ark_mysql_proto::url::{Endpoint, Url};
use sha2::{Digest as _, Sha256};

/// Looks a variable up, as [`env::var_os`] does.
type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The stamp of a database, made if it is not there. `None` where there is no cache folder, or it cannot be written: then a migration has nothing
/// checked again.
pub fn ensure(url: &Url) -> Option<PathBuf> {
    let path = path(url, &|name| env::var_os(name))?;
    if path.exists() {
        return Some(path);
    }
    fs::create_dir_all(path.parent()?).ok()?;
    match File::create_new(&path) {
        // cargo takes a file for changed that is newer than the beginning of the build; this one is made in its middle.
        Ok(file) => file
            .set_modified(UNIX_EPOCH + Duration::from_secs(1 << 29))
            .ok()?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(_) => return None,
    }
    Some(path)
}

/// Says that the schema of a database has changed: the next `cargo check` asks the server about its statements again.
///
/// # Errors
/// The file cannot be written. Without a cache folder there is nothing to do.
pub fn renew(url: &Url) -> io::Result<()> {
    let Some(path) = path(url, &|name| env::var_os(name)) else {
        return Ok(());
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    File::create(&path)?.write_all(format!("{}\n", now.as_nanos()).as_bytes())
}

fn path(url: &Url, environment: Environment<'_>) -> Option<PathBuf> {
    let group = *Sha256::digest(name(url)).first()?;
    Some(
        cache_folder(environment)?
            .join("ark-mysql")
            .join("stamps")
            .join(format!("{group:02x}")),
    )
}

/// What the database is called, whoever logs in.
fn name(url: &Url) -> String {
    let database = url.database.as_deref().unwrap_or_default();
    match &url.endpoint {
        Endpoint::Socket(path) => format!("{}\0{database}", path.display()),
        Endpoint::Tcp { host, port } => {
            let host = match host.as_str() {
                "localhost" | "::1" => "127.0.0.1",
                host => host,
            };
            format!("{host}:{port}\0{database}")
        }
    }
}

fn cache_folder(environment: Environment<'_>) -> Option<PathBuf> {
    let absolute = |name: &str| {
        environment(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    absolute("XDG_CACHE_HOME")
        .or_else(|| {
            let usual = if cfg!(target_os = "macos") {
                "Library/Caches"
            } else {
                ".cache"
            };
            absolute("HOME").map(|home| home.join(usual))
        })
        .or_else(|| absolute("LOCALAPPDATA"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(url: &str) -> String {
        name(&url.parse().unwrap())
    }

    #[test]
    fn a_database_is_the_same_whoever_asks() {
        assert_eq!(
            named("mysql://root:pw@localhost:3307/shop?compat=proxy"),
            named("mysql://app@127.0.0.1:3307/shop")
        );
        assert_ne!(
            named("mysql://u@127.0.0.1/shop"),
            named("mysql://u@127.0.0.1/shop2")
        );
        assert_ne!(
            named("mysql://u@127.0.0.1/shop"),
            named("mysql://u@127.0.0.1:3307/shop")
        );
    }

    #[test]
    fn it_stands_in_the_cache_folder_or_nowhere() {
        let url: Url = "mysql://u@h/d".parse().unwrap();
        let home = |name: &str| (name == "HOME").then(|| OsString::from("/home/u"));
        let path = path(&url, &home).unwrap();
        assert!(
            path.starts_with("/home/u") && path.parent().unwrap().ends_with("ark-mysql/stamps")
        );
        assert_eq!(super::path(&url, &|_| None), None);
        assert_eq!(super::path(&url, &|_| Some("relative".into())), None);
    }
}

//! A server that outlives the program that started it: `cargo ark-mysql dev start`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::error::DevServerError;
use super::{DevServer, Flavor, cache, escaped, process};

/// A dev server in the background, one of each flavor for a user. Its data stays from one start to the next, and its port, too, if nobody has taken it.
///
/// `cargo ark-mysql dev start` starts one. It ends by the SQL statement `SHUTDOWN`, which `cargo ark-mysql dev stop` sends.
#[derive(Clone, Debug)]
pub struct Background {
    flavor: Flavor,
    port: u16,
    socket: PathBuf,
    version: String,
}

impl Background {
    /// Starts it, unless it runs already.
    ///
    /// # Errors
    /// As [`DevServer::start`].
    pub fn start(flavor: Flavor) -> Result<Self, DevServerError> {
        let folder = folder(flavor)?;
        fs::create_dir_all(&folder)
            .map_err(DevServerError::file("creating the folder", &folder))?;
        // Of two that start it at once, the second one finds it. Where there are no file locks, the servers themselves lock their data.
        let lock = folder.join("lock");
        let lock =
            File::create(&lock).map_err(DevServerError::file("creating the lock file", &lock))?;
        let _ = lock.lock();
        if let Some(running) = Self::find(flavor) {
            return Ok(running);
        }
        let builder = DevServer::builder()
            .flavor(flavor)
            .keep(folder.join("data"));
        let last = last(&folder).map(|(port, _)| port);
        let again = last.and_then(|port| builder.clone().port(port).start().ok());
        let server = match again {
            Some(server) => server,
            None => builder.start()?,
        };
        let running = Self {
            flavor,
            port: server.port(),
            socket: server.socket().to_owned(),
            version: server.version().to_owned(),
        };
        let state = folder.join("state");
        let text = format!("{}\n{}\n", running.port, running.socket.display());
        fs::write(&state, text).map_err(DevServerError::file("writing", &state))?;
        server.detach();
        Ok(running)
    }

    /// The one that runs.
    #[must_use]
    pub fn find(flavor: Flavor) -> Option<Self> {
        let (port, socket) = last(&folder(flavor).ok()?)?;
        let version = process::greeting(&socket).ok()?;
        Some(Self {
            flavor,
            port,
            socket,
            version,
        })
    }

    /// The one that runs; MySQL if both do.
    #[must_use]
    pub fn find_any() -> Option<Self> {
        Self::find(Flavor::MySql).or_else(|| Self::find(Flavor::MariaDb))
    }

    /// The folder of its data.
    ///
    /// # Errors
    /// There is no cache folder.
    pub fn data(flavor: Flavor) -> Result<PathBuf, DevServerError> {
        Ok(folder(flavor)?.join("data"))
    }

    /// Removes its data. It must not run.
    ///
    /// # Errors
    /// The folder cannot be removed.
    pub fn remove_data(flavor: Flavor) -> Result<(), DevServerError> {
        let data = Self::data(flavor)?;
        match fs::remove_dir_all(&data) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(DevServerError::file("removing the folder", &data)(error))
            }
            _ => Ok(()),
        }
    }

    /// MySQL or MariaDB.
    #[must_use]
    pub fn flavor(&self) -> Flavor {
        self.flavor
    }

    /// The version that it greets with.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The TCP port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The Unix socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The address of a database over TCP, for `root` without a password. The name is not escaped.
    #[must_use]
    pub fn url_for(&self, database: &str) -> String {
        format!("mysql://root@127.0.0.1:{}/{database}", self.port)
    }

    /// The address of a database by the Unix socket. The name is not escaped.
    #[must_use]
    pub fn socket_url_for(&self, database: &str) -> String {
        format!(
            "mysql://root@localhost/{database}?socket={}",
            escaped(&self.socket)
        )
    }
}

fn folder(flavor: Flavor) -> Result<PathBuf, DevServerError> {
    Ok(cache::folder()?.join("dev").join(flavor.word()))
}

/// Where it listened last.
fn last(folder: &Path) -> Option<(u16, PathBuf)> {
    let text = fs::read_to_string(folder.join("state")).ok()?;
    let (port, socket) = text.trim_end().split_once('\n')?;
    Some((port.parse().ok()?, PathBuf::from(socket)))
}

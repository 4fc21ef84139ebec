//! The server that the tests of this process run on, and the lock that shows that this process is alive.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::clean;
use super::environment::Where;
use super::failure::Failure;
use crate::config::{ConnectOptions, Endpoint};
use crate::connection::Connection;
use crate::dynamic::query;
use crate::error::Error;

/// The table that marks a database as kept.
pub(super) const KEPT: &str = "_ark_mysql_kept";
/// How often the connection with the lock shows that it is alive.
const PULSE: Duration = Duration::from_secs(20);
/// A connection of a test that outlives it must not keep the test from ending.
const DROP_TIMEOUT: u32 = 5;

/// A server, for the life of the process.
#[derive(Debug)]
pub(super) struct Server {
    /// Without a database.
    options: ConnectOptions,
    pub(super) prefix: String,
    /// This process in the names of its databases: 8 hex digits of time, 8 of chance.
    pub(super) run: String,
    count: AtomicU32,
    /// Databases that earlier runs kept.
    kept: Mutex<Vec<String>>,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Address,
    #[cfg(all(feature = "dev-server", unix))]
    Background,
    #[cfg(all(feature = "dev-server", unix))]
    Own(crate::dev_server::DevServer),
}

/// The server; found, or started, by the first test.
pub(super) fn get(place: &Where) -> Result<&'static Server, String> {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    let server = SERVER.get_or_init(|| Server::find(place));
    server.as_ref().map_err(Clone::clone)
}

impl Server {
    fn find(place: &Where) -> Result<Self, String> {
        let prefix = place.prefix.clone()?;
        let (mut options, origin) = match place.url.as_ref().map_err(Clone::clone)? {
            Some(url) => {
                let options: Result<ConnectOptions, Error> = url.value.parse();
                let options =
                    options.map_err(|error| format!("DATABASE_URL ({}): {error}", url.origin))?;
                (options, Origin::Address)
            }
            None => without_address()?,
        };
        options.database = None;
        let mut server = Self {
            options,
            prefix,
            run: run_name()?,
            count: AtomicU32::new(0),
            kept: Mutex::default(),
            origin,
        };
        let kept = server.hold()?;
        server.kept = Mutex::new(kept);
        Ok(server)
    }

    /// Takes the lock of this run, on a thread that keeps it as long as the process lives. Cleans up what others left; returns what is kept.
    fn hold(&self) -> Result<Vec<String>, String> {
        let (say, hear) = mpsc::channel();
        let (options, prefix, run) = (self.options.clone(), self.prefix.clone(), self.run.clone());
        let body = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime = match runtime {
                Ok(runtime) => runtime,
                Err(error) => return drop(say.send(Err(error.to_string()))),
            };
            runtime.block_on(async {
                let options = Arc::new(options);
                let mut held = match lock(&options, &run).await {
                    Ok(held) => held,
                    Err(error) => return drop(say.send(Err(error.to_string()))),
                };
                let kept = clean::clean(&mut held, &prefix).await;
                let _ = say.send(Ok(kept)); // who asked is waiting
                loop {
                    tokio::time::sleep(PULSE).await;
                    if held.ping().await.is_err()
                        && let Ok(again) = lock(&options, &run).await
                    {
                        held = again;
                    }
                }
            });
        };
        thread::Builder::new()
            .name("ark-mysql tests".to_owned())
            .spawn(body)
            .map_err(|error| error.to_string())?;
        hear.recv().map_err(|error| error.to_string())?
    }

    /// A name for the next database of this test.
    pub(super) fn name_for(&self, test: &str) -> String {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let (prefix, run, test) = (&self.prefix, &self.run, short(test));
        format!("{prefix}ark_{run}_{test}_{number}")
    }

    pub(super) fn options_for(&self, database: &str) -> ConnectOptions {
        self.options.clone().database(database)
    }

    pub(super) async fn connect(&self) -> Result<Connection, Failure> {
        let connected = Connection::connect(&self.options).await;
        connected.map_err(Failure::at("connecting"))
    }

    /// What earlier runs kept of this test is not needed any more.
    pub(super) async fn drop_kept(&self, test: &str) {
        let part = format!("_{}_", short(test));
        let old: Vec<String> = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extract_if(.., |name| name.contains(&part)).collect()
        };
        for name in old {
            // It may be gone.
            let _ = self.drop_database(&name).await;
        }
    }

    pub(super) async fn drop_database(&self, name: &str) -> Result<(), Failure> {
        let mut connection = self.connect().await?;
        let sql = format!(
            "SET SESSION lock_wait_timeout = {DROP_TIMEOUT}; DROP DATABASE IF EXISTS `{name}`"
        );
        let dropped = connection.run_script(&sql).await;
        dropped.map_err(Failure::at("dropping the database"))
    }

    /// Keeps a database from being cleaned up.
    pub(super) async fn keep(&self, name: &str) -> Result<(), Failure> {
        #[cfg(all(feature = "dev-server", unix))]
        if let Origin::Own(server) = &self.origin {
            server.linger();
        }
        let mut connection = self.connect().await?;
        let sql = format!("CREATE TABLE `{name}`.{KEPT} (why INT) COMMENT 'the test failed'");
        let marked = connection.run_text(&sql).await;
        marked.map_err(Failure::at("marking the database as kept"))
    }

    /// What is said below a test that failed.
    pub(super) fn farewell(&self, test: &str, name: &str, kept: &Result<(), Failure>) -> String {
        let how_long = match &self.origin {
            Origin::Address => "until the test runs again, for three days at most",
            #[cfg(all(feature = "dev-server", unix))]
            Origin::Background => "until the test runs again, for three days at most",
            #[cfg(all(feature = "dev-server", unix))]
            Origin::Own(_) => {
                "for half an hour, as long as the dev server lives on (`cargo ark-mysql dev start` has one that stays)"
            }
        };
        let look = look(&self.options, name);
        match kept {
            Ok(()) => format!(
                "ark-mysql: the database of the test {test} is kept, {how_long}: {name}\n  look at it: {look}"
            ),
            Err(failure) => format!(
                "ark-mysql: the database of the test {test} is {name}; it may be dropped by the next run ({failure})\n  look at it: {look}"
            ),
        }
    }
}

/// The client's command line. A password is asked for, never shown.
fn look(options: &ConnectOptions, name: &str) -> String {
    let place = match options.endpoint() {
        Ok(Endpoint::Tcp { host, port }) => format!("--protocol=tcp --host={host} --port={port}"),
        Ok(Endpoint::Socket(path)) => format!("--socket={}", path.display()),
        Err(_) => String::new(),
    };
    let password = if options.password.is_some() {
        " --password"
    } else {
        ""
    };
    format!(
        "mysql {place} --user={}{password} {name}",
        options.user_name()
    )
}

#[cfg(all(feature = "dev-server", unix))]
fn without_address() -> Result<(ConnectOptions, Origin), String> {
    use crate::dev_server::{Background, DevServer};
    let parse = |url: String| {
        url.parse::<ConnectOptions>()
            .map_err(|error| error.to_string())
    };
    if let Some(running) = Background::find_any() {
        return Ok((parse(running.url_for("test"))?, Origin::Background));
    }
    let server = DevServer::start().map_err(|error| error.to_string())?;
    Ok((parse(server.url())?, Origin::Own(server)))
}

#[cfg(not(all(feature = "dev-server", unix)))]
fn without_address() -> Result<(ConnectOptions, Origin), String> {
    Err("set DATABASE_URL to a development server, such as mysql://root@127.0.0.1:3306/shop (nothing is done in that database itself), or switch the feature \
         `dev-server` of ark-mysql on for a throw-away one"
        .to_owned())
}

/// The name of the lock that a run holds.
pub(super) fn lock_of(run: &str) -> String {
    format!("'ark_mysql_test.{run}'")
}

async fn lock(options: &Arc<ConnectOptions>, run: &str) -> Result<Connection, Error> {
    let mut connection = Connection::open(options).await?;
    connection
        .run_text("SET SESSION wait_timeout = 31536000")
        .await?;
    let sql = format!("SELECT GET_LOCK({}, 10)", lock_of(run));
    query(sql).fetch_one(&mut connection).await?;
    Ok(connection)
}

fn run_name() -> Result<String, String> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let chance = getrandom::u32().map_err(|error| error.to_string())?;
    Ok(format!("{:08x}{chance:08x}", now.as_secs() & 0xffff_ffff))
}

/// A test in the name of its database.
fn short(test: &str) -> String {
    crate::migrate::checksum_of(test).chars().take(8).collect()
}

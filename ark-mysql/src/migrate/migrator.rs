//! What is asked for: the settings, and what can be done by them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::error::MigrateError;
use super::files::{self, Migration};
use super::progress::Progress;
use super::state::{self, MigrationInfo, State, Tolerance};
use super::table::Table;
use super::work::{Work, connect, options};
use crate::config::IntoConnectOptions;
use crate::script::Quoting;

/// Migrations and how to apply them. Cheap to clone.
///
/// `ark_mysql::migrate!("migrations")` makes one with the files in the program; it can stand in a `static`:
///
/// ```ignore
/// static MIGRATOR: ark_mysql::migrate::Migrator = ark_mysql::migrate!("migrations");
///
/// MIGRATOR.run(&pool).await?;
/// ```
#[derive(Clone)]
pub struct Migrator {
    source: Source,
    pub(super) lock_timeout: Duration,
    pub(super) table_timeout: Duration,
    pub(super) tolerance: Tolerance,
    pub(super) adopt_sqlx: bool,
    create_database: bool,
    progress: Option<Arc<Callback>>,
}

type Callback = dyn Fn(Progress<'_>) + Send + Sync;

#[derive(Clone)]
enum Source {
    /// Files in the program: name and text. The folder is looked at where it still is (debug builds).
    Embedded {
        folder: Option<&'static str>,
        files: &'static [(&'static str, &'static str)],
    },
    Loaded(Arc<[Migration]>),
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Report {
    /// The files that were applied or undone, in this order.
    pub files: Vec<String>,
    /// How many migrations were taken over from sqlx.
    pub adopted: usize,
    /// How long all of it took, without waiting for the lock.
    pub elapsed: Duration,
}

/// Long enough for another instance of a service that starts at the same time and migrates.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
/// A statement that waits for a table keeps everybody else waiting for it, too.
const TABLE_TIMEOUT: Duration = Duration::from_secs(60);

/// How it is made, and its settings.
impl Migrator {
    /// Reads the migrations of a folder, now.
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file's name makes no sense.
    pub fn from_folder(folder: impl AsRef<Path>) -> Result<Self, MigrateError> {
        let files = files::read(folder.as_ref())?;
        let files = files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        let migrations = files::migrations(files)?;
        Ok(Self::with(Source::Loaded(migrations.into())))
    }

    /// What `migrate!` writes.
    #[doc(hidden)]
    pub const fn embedded(
        folder: Option<&'static str>,
        files: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self::with(Source::Embedded { folder, files })
    }

    const fn with(source: Source) -> Self {
        Self {
            source,
            lock_timeout: LOCK_TIMEOUT,
            table_timeout: TABLE_TIMEOUT,
            tolerance: Tolerance {
                out_of_order: false,
                missing: false,
                reverting: false,
            },
            adopt_sqlx: false,
            create_database: false,
            progress: None,
        }
    }

    /// How long to wait for another migration of the same database: one minute, unless said otherwise. Whole seconds.
    #[must_use]
    pub fn lock_timeout(mut self, timeout: Duration) -> Self {
        self.lock_timeout = timeout;
        self
    }

    /// How long a statement waits for a table that other sessions use (`lock_wait_timeout`): one minute, unless said otherwise. Whole seconds, at least one.
    #[must_use]
    pub fn table_timeout(mut self, timeout: Duration) -> Self {
        self.table_timeout = timeout;
        self
    }

    /// Whether migrations may be applied although one of a higher version is. Not, unless said otherwise.
    #[must_use]
    pub fn allow_out_of_order(mut self, allowed: bool) -> Self {
        self.tolerance.out_of_order = allowed;
        self
    }

    /// Whether files of migrations that are applied may be gone. Not, unless said otherwise.
    #[must_use]
    pub fn ignore_missing(mut self, ignored: bool) -> Self {
        self.tolerance.missing = ignored;
        self
    }

    /// Whether a run takes over what sqlx did to the database (its table `_sqlx_migrations`, which is left as it is). Not, unless said otherwise:
    /// then a run refuses to touch such a database. Once it is done, the setting has no effect any more.
    #[must_use]
    pub fn adopt_sqlx(mut self, adopt: bool) -> Self {
        self.adopt_sqlx = adopt;
        self
    }

    /// Whether a run creates the database of the address if it does not exist. Not, unless said otherwise.
    #[must_use]
    pub fn create_database(mut self, create: bool) -> Self {
        self.create_database = create;
        self
    }

    /// Calls this with everything that is about to be done or is done.
    #[must_use]
    pub fn on_progress(mut self, callback: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(callback));
        self
    }

    /// The migrations, by version.
    ///
    /// # Errors
    /// A file's name makes no sense, or the program was built before the files changed (debug builds look).
    pub fn migrations(&self) -> Result<Vec<Migration>, MigrateError> {
        match &self.source {
            Source::Loaded(migrations) => Ok(migrations.to_vec()),
            Source::Embedded { folder, files } => {
                if let Some(folder) = folder {
                    refuse_outdated(folder, files)?;
                }
                files::migrations(files.iter().copied())
            }
        }
    }
}

/// What tests need.
#[cfg(feature = "macros")]
impl Migrator {
    pub(crate) fn of(migrations: Vec<Migration>) -> Self {
        Self::with(Source::Loaded(migrations.into()))
    }

    /// The migrations as they are in the folder now, or else as they are in the program.
    pub(crate) fn freshest(&self) -> Result<Vec<Migration>, MigrateError> {
        match &self.source {
            Source::Embedded {
                folder: Some(folder),
                ..
            } if Path::new(folder).is_dir() => Self::from_folder(folder)?.migrations(),
            Source::Embedded { .. } | Source::Loaded(_) => self.migrations(),
        }
    }
}

/// cargo cannot see that a file was added. Where the folder is gone (another machine), there is nothing to compare with.
fn refuse_outdated(folder: &str, built: &[(&str, &str)]) -> Result<(), MigrateError> {
    let Ok(now) = files::names(Path::new(folder)) else {
        return Ok(());
    };
    let added = now
        .iter()
        .filter(|name| !built.iter().any(|(known, _)| known == name))
        .cloned();
    let gone = built
        .iter()
        .map(|(known, _)| (*known).to_owned())
        .filter(|known| !now.contains(known));
    let files: Vec<String> = added.chain(gone).collect();
    if files.is_empty() {
        return Ok(());
    }
    Err(MigrateError::Outdated {
        folder: folder.to_owned(),
        files,
    })
}

/// What it does. All of it on connections of its own, made from an address, from options, or from those of a `&Pool`.
impl Migrator {
    /// Applies what is not applied yet, in the order of the versions.
    ///
    /// # Errors
    /// The database does not fit the files (then nothing was applied), somebody else migrates it, or a statement failed: see [`MigrateError`].
    ///
    /// # Cancelling
    /// Dropping the future ends the connections; a statement that was running may be finished by the server. The table says then that it was begun.
    pub async fn run(&self, on: impl IntoConnectOptions) -> Result<Report, MigrateError> {
        self.run_to(on, u64::MAX).await
    }

    /// [`run`](Self::run), up to this version and with it.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_to(
        &self,
        on: impl IntoConnectOptions,
        version: u64,
    ) -> Result<Report, MigrateError> {
        let migrations = self.migrations()?;
        let mut work = Work::begin(self, on, self.create_database).await?;
        let done = work.run(self, &migrations, version).await;
        work.end().await;
        done
    }

    /// Undoes the last migration that is applied.
    ///
    /// # Errors
    /// It has no `.down.sql`, and as [`run`](Self::run).
    pub async fn revert(&self, on: impl IntoConnectOptions) -> Result<Report, MigrateError> {
        self.undo(on, None).await
    }

    /// Undoes migrations, the last one first, until this version is the last one applied; 0 undoes all.
    ///
    /// # Errors
    /// One of them has no `.down.sql` (then none was undone), and as [`run`](Self::run).
    pub async fn revert_to(
        &self,
        on: impl IntoConnectOptions,
        version: u64,
    ) -> Result<Report, MigrateError> {
        self.undo(on, Some(version)).await
    }

    async fn undo(
        &self,
        on: impl IntoConnectOptions,
        version: Option<u64>,
    ) -> Result<Report, MigrateError> {
        let migrations = self.migrations()?;
        let mut work = Work::begin(self, on, false).await?;
        let done = work.revert(self, &migrations, version).await;
        work.end().await;
        done
    }

    /// How each migration stands, by version. Changes nothing and waits for nobody.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn info(
        &self,
        on: impl IntoConnectOptions,
    ) -> Result<Vec<MigrationInfo>, MigrateError> {
        Ok(self.look(on, &self.migrations()?).await?.0)
    }

    /// How each migration stands, and how a session of the address reads quotes.
    async fn look(
        &self,
        on: impl IntoConnectOptions,
        migrations: &[Migration],
    ) -> Result<(Vec<MigrationInfo>, Quoting), MigrateError> {
        let options = options(on)?;
        let mut connection = connect(&options).await?;
        let table = Table::of(&mut connection).await?;
        let rows = table.rows(&mut connection).await?;
        // Nothing depends on the answer.
        let _ = connection.close().await;
        let infos = state::infos(migrations, &rows, table.quoting());
        Ok((infos, table.quoting()))
    }

    /// Whether the database fits the files: nothing changed, missing, out of order or half done. Pending migrations are no problem.
    ///
    /// # Errors
    /// [`MigrateError::Mismatch`] with all that does not fit, or the server cannot be asked.
    pub async fn validate(&self, on: impl IntoConnectOptions) -> Result<(), MigrateError> {
        let migrations = self.migrations()?;
        let (infos, quoting) = self.look(on, &migrations).await?;
        let mut problems = state::problems(&infos, &migrations, quoting, self.tolerance);
        problems.extend(infos.iter().filter_map(half_done));
        if problems.is_empty() {
            return Ok(());
        }
        Err(MigrateError::Mismatch(problems))
    }

    /// Tells what became of a migration that was interrupted: so many of its statements are done, all of them without a number. For one that is
    /// applied and whose file changed in a way that does not matter, it makes the file as it is now the one that was applied.
    ///
    /// # Errors
    /// There is no such migration, or it was never begun, or it has fewer statements.
    pub async fn resolve(
        &self,
        on: impl IntoConnectOptions,
        version: u64,
        done: Option<usize>,
    ) -> Result<(), MigrateError> {
        let migrations = self.migrations()?;
        let migration = migrations
            .iter()
            .find(|migration| migration.version() == version)
            .ok_or(MigrateError::NoSuchVersion(version))?;
        let mut work = Work::begin(self, on, false).await?;
        let resolved = work.resolve(migration, done).await;
        work.end().await;
        resolved
    }

    pub(super) fn tell(&self, progress: Progress<'_>) {
        if let Some(callback) = &self.progress {
            callback(progress);
        }
    }
}

fn half_done(info: &MigrationInfo) -> Option<String> {
    match info.state {
        State::Partial { done, statements } => Some(format!(
            "{}: {done} of {statements} statements are applied. Mend the file if need be, and go on: `cargo ark-mysql migrate run`",
            info.file
        )),
        _ => None,
    }
}

impl fmt::Debug for Migrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = match &self.source {
            Source::Loaded(migrations) => migrations.len(),
            Source::Embedded { files, .. } => files.len(),
        };
        f.debug_struct("Migrator")
            .field("files", &count)
            .field("lock_timeout", &self.lock_timeout)
            .field("table_timeout", &self.table_timeout)
            .field("tolerance", &self.tolerance)
            .finish_non_exhaustive()
    }
}

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::arguments::DevFlavor;

/// `cargo ark-mysql migrate …`
#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Make an empty migration
    ///
    /// The version is the time, or the next number where the folder counts.
    Add(Add),
    /// Apply what is not applied yet
    ///
    /// Each statement that is done is recorded: after a failure, mend what failed and run again. The next `cargo check` asks the server about the
    /// statements of the sources again. Exit status: 0 all is applied, 1 it is not, 2 the server or the folder could not be reached.
    Run(Run),
    /// Undo the last migration that is applied, by its .down.sql
    Revert(Revert),
    /// Say how each migration stands
    Info(Info),
    /// Say whether the files make sense and fit the database
    ///
    /// Without a database only the files are looked at. Exit status: 0 all is well, 1 something was found, 2 it could not be found out.
    Validate(Validate),
    /// Say what became of a migration that was interrupted, or accept a file that changed
    Resolve(Resolve),
}

/// Where migrations are.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// The folder of migrations
    #[arg(long, value_name = "FOLDER", default_value = "migrations")]
    pub(crate) source: PathBuf,
}

/// Which database.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The database, instead of DATABASE_URL from the environment or .env
    ///
    /// Other users of this machine can see a command line: a password belongs into DATABASE_URL.
    #[arg(
        long,
        alias = "database-url",
        value_name = "URL",
        conflicts_with = "dev"
    )]
    pub(crate) url: Option<String>,
    /// A throw-away server for the time of this command, to see whether the migrations work
    #[arg(long)]
    pub(crate) dev: bool,
    /// With --dev: which server to start
    #[arg(long, value_enum, default_value_t, requires = "dev")]
    pub(crate) flavor: DevFlavor,
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// What it does, as in create_users
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) source: Source,
    /// A pair of files, one of which undoes the other (as the last one is, if nothing is said)
    #[arg(long, short, conflicts_with = "simple")]
    pub(crate) reversible: bool,
    /// One file
    #[arg(long)]
    pub(crate) simple: bool,
    /// The next number as the version
    #[arg(long, conflicts_with = "timestamp")]
    pub(crate) sequential: bool,
    /// The time (UTC) as the version
    #[arg(long)]
    pub(crate) timestamp: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Stop behind this version
    #[arg(long, value_name = "VERSION")]
    pub(crate) target_version: Option<u64>,
    /// Only say what would be applied
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also apply migrations whose version is below one that is applied
    #[arg(long)]
    pub(crate) allow_out_of_order: bool,
    /// Files of migrations that are applied may be gone
    #[arg(long)]
    pub(crate) ignore_missing: bool,
    /// Take over what sqlx did to this database
    #[arg(long)]
    pub(crate) adopt_sqlx: bool,
    /// Create the database if it does not exist
    #[arg(long)]
    pub(crate) create_database: bool,
    /// How long to wait for another migration of this database
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) lock_timeout: Duration,
    /// How long a statement waits for a table that others use
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) table_timeout: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct Revert {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Undo until this version is the last one applied; 0 undoes all
    #[arg(long, value_name = "VERSION")]
    pub(crate) target_version: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) target: Target,
    /// As JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Validate {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct Resolve {
    /// The version of the migration
    pub(crate) version: u64,
    /// How many of its statements are done: a number, or all
    #[arg(long, value_name = "STATEMENTS", value_parser = done)]
    pub(crate) done: Done,
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    All,
    First(usize),
}

fn done(text: &str) -> Result<Done, String> {
    match text {
        "all" => Ok(Done::All),
        text => text
            .parse()
            .map(Done::First)
            .map_err(|_| "write a number of statements, or all".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .map(Duration::from_secs)
        .map_err(|_| "write a whole number of seconds".to_owned())
}

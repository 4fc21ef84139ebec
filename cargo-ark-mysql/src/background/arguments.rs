use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::arguments::DevFlavor;

/// `cargo ark-mysql dev …`
#[derive(Debug, Subcommand)]
pub(crate) enum DevCommand {
    /// Start a server in the background, with a database for this workspace
    ///
    /// It listens on 127.0.0.1 alone; root needs no password. Its data stays until `stop --remove-data`. Where no mysqld or mariadbd is installed,
    /// one is fetched, once.
    Start(Which),
    /// Stop it; the data stays
    Stop(Stop),
    /// Say which servers run; exit status 1 if none does
    Status,
    /// Print the address of the workspace's database, as in DATABASE_URL=$(cargo ark-mysql dev url)
    Url(Where),
    /// Open the client, mysql or mariadb, on the workspace's database
    Shell(Where),
    /// Run a command with DATABASE_URL set, as in `dev run -- cargo test`
    ///
    /// On the server that runs, or else on a throw-away one that ends with the command. The exit status is the command's.
    Run(Run),
}

#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Which server
    #[arg(long, value_enum, default_value_t)]
    pub(crate) flavor: DevFlavor,
}

#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// Only this one, if both run
    #[arg(long, value_enum)]
    pub(crate) flavor: Option<DevFlavor>,
    /// Also remove all databases
    #[arg(long)]
    pub(crate) remove_data: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Where {
    /// Which server, if both run (MySQL if nothing is said)
    #[arg(long, value_enum)]
    pub(crate) flavor: Option<DevFlavor>,
    /// Another database than that of the workspace, which is called as its folder
    #[arg(long, value_name = "NAME")]
    pub(crate) database: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) place: Where,
    /// Apply the migrations of this folder first
    #[arg(long, value_name = "FOLDER")]
    pub(crate) migrations: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

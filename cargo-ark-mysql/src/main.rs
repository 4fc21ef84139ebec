//! The command line of ark-mysql: `cargo ark-mysql prepare` writes the offline cache of a workspace, `cargo ark-mysql check` says what
//! is missing, stale or different in it, `cargo ark-mysql migrate …` changes the schema of a database,
//! `cargo ark-mysql dev …` has a server for development in the background.
//!
//! Statements are never searched for in sources. The tool has cargo check the workspace under `ARK_MYSQL_RECORD=<fresh folder>`; the
//! macros follow that variable, so rustc expands exactly the crates that use them, and every expansion leaves a record there.
//! So `macro_rules!`, `concat!`, generated code and `cfg` are seen as rustc sees them, and no source file is touched.

mod arguments;
mod background;
mod check;
mod collect;
mod completions;
mod database;
mod dev;
mod difference;
mod failure;
mod migrate;
mod output;
mod prepare;
mod statements;
mod workspace;

use std::io::Write as _;
use std::process::ExitCode;

use arguments::Command;
use output::Output;

/// What a command found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Clean,
    Findings,
    /// The exit status of a command that was run.
    Code(u8),
}

fn main() -> ExitCode {
    let mut out = Output::new();
    let outcome = match arguments::parse() {
        Command::Prepare(options) => prepare::run(&options, &mut out),
        Command::Check(options) => check::run(&options, &mut out),
        Command::Dev(command) => background::run(&command, &mut out),
        Command::Migrate(command) => migrate::run(&command, &mut out),
        Command::Completions { shell } => completions::print(shell, &mut out),
    };
    match outcome {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(1),
        Ok(Verdict::Code(code)) => ExitCode::from(code),
        Err(failure) => {
            // Standard error is gone: there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::from(2)
        }
    }
}

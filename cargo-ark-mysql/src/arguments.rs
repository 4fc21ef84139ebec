//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::background::arguments::DevCommand;
use crate::migrate::arguments::MigrateCommand;
use crate::workspace::Member;

/// How the program is called; cargo looks for it under this name.
pub(crate) const PROGRAM: &str = "cargo-ark-mysql";

/// The tool of ark-mysql: the committed cache of checked statements (.ark-mysql/), migrations, and servers for development.
#[derive(Debug, Parser)]
#[command(name = "cargo ark-mysql", bin_name = "cargo ark-mysql", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask the server about every statement and write the cache
    ///
    /// Commit the folders .ark-mysql/ that it writes: with them the workspace builds without a server.
    /// Statements in doc tests are not seen: cargo check does not compile them.
    Prepare(PrepareOptions),
    /// Say what is missing, stale or different in the cache
    ///
    /// Without DATABASE_URL: is every statement of the sources in the cache, and nothing else?
    /// With it, the server is asked about every statement, too: is each entry still true?
    /// Exit status: 0 all is well, 1 something was found, 2 the check could not be made.
    Check(CheckOptions),
    /// Change the schema of a database, step by step
    #[command(subcommand)]
    Migrate(MigrateCommand),
    /// A server for development, in the background
    #[command(subcommand)]
    Dev(DevCommand),
    /// Write a script that completes the words of this tool in a shell
    ///
    /// bash:  echo 'source <(cargo ark-mysql completions bash)' >> ~/.bashrc
    /// zsh:   cargo ark-mysql completions zsh > ~/.zfunc/_cargo-ark-mysql     (a folder of $fpath)
    /// fish:  cargo ark-mysql completions fish > ~/.config/fish/completions/cargo-ark-mysql.fish
    #[command(verbatim_doc_comment)]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PrepareOptions {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) database: Database,
    /// Remove entries that no statement uses any more, whatever features are active
    ///
    /// Without it they are removed where all code was compiled: of packages without features, or with --all-features. Give the features under
    /// which all of your statements are compiled: an entry of code that is switched off looks unused.
    #[arg(long, conflicts_with_all = ["lib", "bins", "bin", "examples", "example", "tests", "test", "benches", "bench"])]
    pub(crate) prune: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) database: Database,
    /// Write one JSON object instead of text
    ///
    /// {"version": 1, "server", "complete", "statements", "not_asked", "findings": [{"kind": changed | missing | left-over | damaged | refused,
    /// "package", "entry", "sql", "places": [{"file", "line"}], "changes": [{"subject", "old", "new"}], "message", "repairable"}]}
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to compile: the words are cargo's.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// All members of the workspace (the default)
    #[arg(long, conflicts_with = "package")]
    workspace: bool,
    /// Only this package (may be repeated)
    #[arg(long, short, value_name = "NAME")]
    pub(crate) package: Vec<String>,
    /// Features to activate, separated by commas or spaces
    #[arg(long, short = 'F', value_name = "FEATURES")]
    features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    all_features: bool,
    /// Do not activate the default feature
    #[arg(long)]
    no_default_features: bool,
    #[command(flatten)]
    targets: Targets,
    /// Compile for this triple, which must be installed
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The Cargo.toml of the workspace or of a member
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// More arguments for cargo check, such as `-- --locked`
    #[arg(last = true, value_name = "CARGO ARGUMENTS")]
    more: Vec<String>,
}

/// Which targets of the packages to compile; all of them where none is named.
#[derive(Debug, Args)]
#[group(id = "targets", multiple = true)]
struct Targets {
    /// Only the library (and what else is named)
    #[arg(long)]
    lib: bool,
    /// Only the binaries
    #[arg(long)]
    bins: bool,
    /// Only this binary (may be repeated)
    #[arg(long, value_name = "NAME")]
    bin: Vec<String>,
    /// Only the examples
    #[arg(long)]
    examples: bool,
    /// Only this example (may be repeated)
    #[arg(long, value_name = "NAME")]
    example: Vec<String>,
    /// Only the tests, and what is tested
    #[arg(long)]
    tests: bool,
    /// Only this test (may be repeated)
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    /// Only the benches
    #[arg(long)]
    benches: bool,
    /// Only this bench (may be repeated)
    #[arg(long, value_name = "NAME")]
    bench: Vec<String>,
    /// All targets (the default)
    #[arg(long)]
    all_targets: bool,
}

impl Targets {
    /// Those that were named, in cargo's words.
    fn for_cargo(&self) -> Vec<&str> {
        let switches = [
            ("--lib", self.lib),
            ("--bins", self.bins),
            ("--examples", self.examples),
            ("--tests", self.tests),
            ("--benches", self.benches),
        ];
        let named = [
            ("--bin", &self.bin),
            ("--example", &self.example),
            ("--test", &self.test),
            ("--bench", &self.bench),
        ];
        let switches = switches.into_iter().filter(|(_, is_on)| *is_on);
        let named = named
            .into_iter()
            .flat_map(|(flag, names)| names.iter().flat_map(move |name| [flag, name.as_str()]));
        let chosen: Vec<&str> = switches.map(|(flag, _)| flag).chain(named).collect();
        if self.all_targets || chosen.is_empty() {
            return vec!["--all-targets"];
        }
        chosen
    }
}

/// Which server to ask.
#[derive(Debug, Args)]
pub(crate) struct Database {
    /// The server to ask, instead of DATABASE_URL from the environment or .env
    ///
    /// Other users of this machine can see a command line: a password belongs into DATABASE_URL.
    #[arg(long, alias = "url", value_name = "URL", conflicts_with = "dev")]
    pub(crate) database_url: Option<String>,
    /// Start a throw-away server for the time of this command
    #[arg(long)]
    pub(crate) dev: bool,
    /// With --dev: apply the migrations of this folder first, or run its .sql files in the order of their names if they have no versions
    #[arg(long, value_name = "FOLDER", requires = "dev")]
    pub(crate) migrations: Option<PathBuf>,
    /// With --dev: which server to start
    #[arg(long, value_enum, default_value_t, requires = "dev")]
    pub(crate) flavor: DevFlavor,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DevFlavor {
    #[default]
    Mysql,
    Mariadb,
}

impl Selection {
    /// Whether all code of a package is compiled, as far as features decide that.
    pub(crate) fn is_all_of(&self, member: &Member) -> bool {
        self.more.is_empty() && !self.names_targets() && (self.all_features || !member.has_features)
    }

    /// Whether only some targets are compiled: statements of the others are not seen.
    pub(crate) fn names_targets(&self) -> bool {
        self.targets.for_cargo() != ["--all-targets"]
    }

    /// Returns the arguments for `cargo check` that mean the same.
    pub(crate) fn for_cargo(&self) -> Vec<OsString> {
        let mut out: Vec<OsString> = Vec::new();
        if self.package.is_empty() {
            out.push("--workspace".into());
        }
        for (flag, values) in [("--package", &self.package), ("--features", &self.features)] {
            out.extend(
                values
                    .iter()
                    .flat_map(|value| [OsString::from(flag), OsString::from(value)]),
            );
        }
        if let Some(manifest) = &self.manifest_path {
            out.extend([OsString::from("--manifest-path"), manifest.into()]);
        }
        let switches = [
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
        ];
        out.extend(
            switches
                .iter()
                .filter(|(_, on)| *on)
                .map(|(flag, _)| OsString::from(*flag)),
        );
        out.extend(self.targets.for_cargo().iter().map(OsString::from));
        if let Some(triple) = &self.target {
            out.extend([OsString::from("--target"), triple.into()]);
        }
        out.extend(self.more.iter().map(OsString::from));
        out
    }
}

/// Reads the command line, or explains it and ends the process.
pub(crate) fn parse() -> Command {
    Arguments::parse_from(without_cargo_word(std::env::args_os())).command
}

/// All that the command line can be, as the program with its own name has it.
pub(crate) fn definition() -> clap::Command {
    Arguments::command().name(PROGRAM).bin_name(PROGRAM)
}

/// `cargo ark-mysql prepare` arrives as `cargo-ark-mysql ark-mysql prepare`; both that and `cargo-ark-mysql prepare` are meant to work.
fn without_cargo_word(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    words
        .enumerate()
        .filter(|(index, word)| !(*index == 1 && word == "ark-mysql"))
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<Command, clap::Error> {
        let words = line.split(' ').map(OsString::from);
        Arguments::try_parse_from(without_cargo_word(words)).map(|arguments| arguments.command)
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn works_with_and_without_the_word_of_cargo() {
        for line in [
            "cargo-ark-mysql ark-mysql prepare --prune",
            "cargo-ark-mysql prepare --prune",
        ] {
            assert!(
                matches!(
                    command(line),
                    Ok(Command::Prepare(PrepareOptions { prune: true, .. }))
                ),
                "{line}"
            );
        }
    }

    #[test]
    fn hands_the_selection_on_to_cargo() {
        let line = "cargo-ark-mysql check -p a -p b --features x,y --no-default-features --manifest-path a/Cargo.toml --bin a --tests --bin b --target x86_64-pc-windows-gnu -- --locked";
        let Ok(Command::Check(options)) = command(line) else {
            panic!("{line}")
        };
        let expected = "--package a --package b --features x,y --manifest-path a/Cargo.toml --no-default-features \
                        --tests --bin a --bin b --target x86_64-pc-windows-gnu --locked";
        assert_eq!(
            options.selection.for_cargo(),
            expected
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>()
        );
        let Ok(Command::Check(options)) = command("cargo-ark-mysql check") else {
            panic!()
        };
        assert!(!options.selection.names_targets());
        assert_eq!(
            options.selection.for_cargo(),
            ["--workspace", "--all-targets"]
        );
    }

    #[test]
    fn nothing_is_removed_on_behalf_of_targets_that_were_not_compiled() {
        assert!(command("cargo-ark-mysql prepare --prune --all-targets").is_ok());
        assert!(command("cargo-ark-mysql prepare --lib").is_ok());
        for line in ["--prune --lib", "--test a --prune", "--prune --bin=a"] {
            assert!(command(&format!("cargo-ark-mysql prepare {line}")).is_err());
        }
    }

    #[test]
    fn migrations_need_a_server_to_run_on() {
        assert!(command("cargo-ark-mysql prepare --migrations m").is_err());
        assert!(command("cargo-ark-mysql prepare --dev --migrations m").is_ok());
        assert!(command("cargo-ark-mysql prepare --dev --database-url mysql://u@h/d").is_err());
    }
}

//! `cargo run -p tests --bin bars -- [all | B3 B4 …]`: runs bars in the size of the release, and prints what they reached.
//!
//! What this commit has passed is not run again, so that a run can be broken off and taken up. A tree with changes that are not
//! committed is tested too, but nothing of that counts for the commit.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool")]

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use tests::bars::{
    Attempt, BARS, Bar, Kept, SIZE, Scale, Standing, Step, Tree, list, table, tests_of,
};

#[derive(Parser)]
#[command(
    name = "bars",
    about = "Runs the bars of a release and prints what they reached"
)]
struct Arguments {
    /// Which ones, as in `B3 B4`; `all` for all of them. Without any, the table of what this commit has reached.
    bars: Vec<String>,
    /// Lists the bars and the tests that show them.
    #[arg(long)]
    list: bool,
    /// Runs again what this commit has passed.
    #[arg(long)]
    fresh: bool,
    /// The small sizes, to try them.
    #[arg(long)]
    gate: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all that was asked for is reached.
fn run(arguments: &Arguments) -> io::Result<bool> {
    if arguments.list {
        print!("{}", list());
        return Ok(true);
    }
    let (wanted, only_shown) = (wanted(&arguments.bars)?, arguments.bars.is_empty());
    let scale = if arguments.gate {
        Scale::Gate
    } else {
        Scale::Release
    };
    let bench = Bench {
        root: root(),
        folder: folder()?,
        scale,
        fresh: arguments.fresh,
    };
    let tree = Tree::of(&bench.root);
    eprintln!("{}", tree.name());
    if !only_shown {
        for (number, bar) in wanted.iter().enumerate() {
            eprintln!(
                "== {} ({} of {}): {}",
                bar.id,
                number + 1,
                wanted.len(),
                bar.what
            );
            bench.run(bar)?;
        }
    }
    // Where the tree was changed meanwhile, nothing is said about it: each result lies where it belongs.
    let tree = Tree::of(&bench.root);
    let kept: Vec<_> = wanted
        .iter()
        .map(|bar| (*bar, Kept::read(&bench.folder, &tree, bar, scale)))
        .collect();
    println!(
        "{}{}\n",
        tree.name(),
        if arguments.gate {
            ", in the small size: this says nothing about a release"
        } else {
            ""
        }
    );
    print!(
        "{}",
        table(kept.iter().map(|(bar, kept)| (*bar, kept)), &bench.root)
    );
    Ok(kept
        .iter()
        .all(|(bar, kept)| Standing::of(bar, kept, &bench.root) == Standing::Reached))
}

fn wanted(names: &[String]) -> io::Result<Vec<&'static Bar>> {
    if names.is_empty() || names.iter().any(|name| name == "all") {
        return Ok(BARS.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            let known = || BARS.iter().map(|bar| bar.id).collect::<Vec<_>>().join(" ");
            Bar::find(name).ok_or_else(|| {
                io::Error::other(format!(
                    "there is no bar {name}; there are: all {}",
                    known()
                ))
            })
        })
        .collect()
}

/// The repository: this package lies in it.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Beside the folder that this program was built into, wherever that is.
fn folder() -> io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    let target = this.ancestors().nth(2).unwrap_or(Path::new("target"));
    Ok(target.join("bars"))
}

struct Bench {
    root: PathBuf,
    folder: PathBuf,
    scale: Scale,
    fresh: bool,
}

impl Bench {
    fn run(&self, bar: &Bar) -> io::Result<()> {
        let steps = tests_of(bar, &self.root);
        if steps.is_empty() {
            eprintln!("   not built");
        }
        for step in steps {
            let before = Tree::of(&self.root);
            if !self.fresh && Kept::read(&self.folder, &before, bar, self.scale).settled(&step) {
                eprintln!("-- {}: passed by this commit before", step.name());
                continue;
            }
            eprintln!("-- {}", step.name());
            let attempt = Attempt::run(self.command(&step), bar.id, &step)?;
            let after = Tree::of(&self.root);
            let tested = Tree {
                dirty: before.dirty || after != before,
                ..before
            };
            let word = attempt
                .failure
                .clone()
                .unwrap_or_else(|| "passed".to_owned());
            eprintln!("-- {}: {word}, {:.1?}", step.name(), attempt.took);
            Kept::read(&self.folder, &tested, bar, self.scale).keep(&step, attempt)?;
        }
        Ok(())
    }

    fn command(&self, step: &Step) -> Command {
        let size = match self.scale {
            Scale::Gate => "gate",
            Scale::Release => "release",
        };
        let mut command = match step {
            Step::Test(binary, name) => {
                let mut command =
                    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
                command.args([
                    "test",
                    "--quiet",
                    "-p",
                    "tests",
                    "--test",
                    binary,
                    "--",
                    name,
                    "--exact",
                    "--nocapture",
                ]);
                command
            }
            Step::Program(path) => {
                let mut command = Command::new(self.root.join(path));
                command.arg(size);
                command
            }
        };
        command.current_dir(&self.root).env(SIZE, size);
        for setting in ["DATABASE_URL", "ARK_MYSQL_OFFLINE", "ARK_MYSQL_RECORD"] {
            command.env_remove(setting);
        }
        command
    }
}

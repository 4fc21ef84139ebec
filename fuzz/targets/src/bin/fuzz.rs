//! Fuzzes by libFuzzer, with the stable compiler: `cargo run -p fuzz-targets -- all --runs 1000000`.
//!
//! Ends with one line, `B1: 25 targets, 25.0 M executions, 0 crashes`, and with 1 if that is not what it says.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "its product goes to standard output"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use fuzz_targets::seeds::{corpus_file, seeds};
use fuzz_targets::{TARGETS, Target, target};

const USAGE: &str =
    "usage: cargo run -p fuzz-targets -- (all | TARGET…) [--runs N] [--jobs N] [--keep]
  --runs N   executions of each target; 1000000 if not given
  --jobs N   targets at a time; 1 if not given
  --keep     put what was found worth keeping into fuzz/corpus
Needs a C++ compiler, for libFuzzer.";

/// What cargo-fuzz would give, without a sanitizer: there is no unsafe code to be looked after, and stable Rust has none.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// An input hangs after twenty seconds; what takes [`SLOW`] is looked at again, alone; all of them together may take so many MiB.
const LIMITS: [&str; 4] = [
    "-timeout=20",
    "-report_slow_units=1",
    "-rss_limit_mb=256",
    "-max_len=4096",
];

/// An input that takes longer is as bad as a crash. libFuzzer's clock is that of the wall, which on a busy machine says more about the neighbours: so the
/// fastest of [`TRIES`] counts.
const SLOW: u64 = 1000;
const TRIES: usize = 5;

/// More inputs of a target are not kept, nor longer ones.
const KEPT: usize = 100;
const KEPT_BYTES: usize = 512;

struct Wish {
    targets: Vec<Target>,
    runs: u64,
    jobs: usize,
    keep: bool,
}

struct Outcome {
    executions: u64,
    per_second: u64,
    coverage: u64,
    peak: u64,
    crash: Option<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(wish) = wish(&arguments) else {
        eprintln!(
            "{USAGE}\ntargets: {}",
            TARGETS
                .iter()
                .map(|target| target.name)
                .collect::<Vec<_>>()
                .join(" ")
        );
        return ExitCode::from(2);
    };
    match fuzz(&wish) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn wish(arguments: &[String]) -> Option<Wish> {
    let mut wish = Wish {
        targets: Vec::new(),
        runs: 1_000_000,
        jobs: 1,
        keep: false,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match &**argument {
            "--runs" => wish.runs = arguments.next()?.parse().ok()?,
            "--jobs" => wish.jobs = arguments.next()?.parse().ok().filter(|jobs| *jobs > 0)?,
            "--keep" => wish.keep = true,
            "all" => wish.targets = TARGETS.to_vec(),
            name => wish.targets.push(target(name)?),
        }
    }
    (!wish.targets.is_empty()).then_some(wish)
}

fn fuzz(wish: &Wish) -> io::Result<bool> {
    let built = build()?;
    let queue = Mutex::new(wish.targets.iter());
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..wish.jobs {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("nobody panics with it").next();
                    let Some(target) = next else { break };
                    let outcome = run(&built, *target, wish);
                    report(target.name, &outcome);
                    outcomes
                        .lock()
                        .expect("nobody panics with it")
                        .push(outcome);
                }
            });
        }
    });
    let outcomes = outcomes
        .into_inner()
        .expect("nobody panicked")
        .into_iter()
        .collect::<io::Result<Vec<_>>>()?;
    let executions: u64 = outcomes.iter().map(|outcome| outcome.executions).sum();
    let crashes = outcomes
        .iter()
        .filter(|outcome| outcome.crash.is_some())
        .count();
    let complete = outcomes
        .iter()
        .all(|outcome| outcome.executions >= wish.runs);
    println!(
        "B1: {} targets, {}.{} M executions, {crashes} crashes",
        outcomes.len(),
        executions / 1_000_000,
        executions / 100_000 % 10
    );
    Ok(crashes == 0 && complete)
}

fn report(name: &str, outcome: &io::Result<Outcome>) {
    match outcome {
        Ok(outcome) => {
            let Outcome {
                executions,
                per_second,
                coverage,
                peak,
                crash,
            } = outcome;
            println!(
                "{name}: {executions} executions, {per_second}/s, {coverage} places, {peak} MiB at most, {} crashes",
                u8::from(crash.is_some())
            );
            if let Some(crash) = crash {
                println!("{crash}");
            }
        }
        Err(error) => println!("{name}: {error}"),
    }
}

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds all fuzzers; returns the folder of cargo's products.
fn build() -> io::Result<PathBuf> {
    let folder = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder).join("fuzz"),
        None => fuzz_folder().join("target"),
    };
    let host = host()?;
    let status = Command::new("cargo")
        .args([
            "build",
            "--release",
            "--quiet",
            "--target",
            &host,
            "--manifest-path",
        ])
        .arg(fuzz_folder().join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTFLAGS", FLAGS)
        .env_remove("CARGO_INCREMENTAL")
        .status()?;
    if status.success() {
        Ok(folder.join(host).join("release"))
    } else {
        Err(io::Error::other(
            "the fuzzers could not be built: is there a C++ compiler (g++)?",
        ))
    }
}

fn host() -> io::Result<String> {
    let said = Command::new("rustc").arg("-vV").output()?.stdout;
    let said = String::from_utf8_lossy(&said);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| io::Error::other("rustc does not say for which machine it compiles"))
}

fn run(built: &Path, target: Target, wish: &Wish) -> io::Result<Outcome> {
    let place = built.join("inputs").join(target.name);
    let (corpus, crashes) = (place.join("corpus"), place.join("crashes/"));
    fs::create_dir_all(&corpus)?;
    let _ = fs::remove_dir_all(&crashes);
    fs::create_dir_all(&crashes)?;
    for (name, seed) in seeds(target.name) {
        fs::write(corpus.join(name), seed)?;
    }
    let program = built.join(target.name);
    let out = Command::new(&program)
        .args(LIMITS)
        .arg(format!("-runs={}", wish.runs))
        .arg("-print_final_stats=1")
        .arg(format!("-artifact_prefix={}", crashes.display()))
        .arg(&corpus)
        .output()?;
    let said = String::from_utf8_lossy(&out.stderr);
    if wish.keep && out.status.success() {
        keep(&program, target, &place, &corpus)?;
    }
    let crash = if out.status.success() {
        slow(&program, &crashes)?
    } else {
        Some(last_words(&said))
    };
    Ok(Outcome {
        executions: number_behind(&said, "stat::number_of_executed_units:"),
        per_second: number_behind(&said, "stat::average_exec_per_sec:"),
        coverage: number_behind(&said, " cov: "),
        peak: number_behind(&said, "stat::peak_rss_mb:"),
        crash,
    })
}

/// Runs again, alone, what was slow; says so if it still is.
fn slow(program: &Path, crashes: &Path) -> io::Result<Option<String>> {
    for file in fs::read_dir(crashes)? {
        let file = file?.path();
        let mut fastest = u64::MAX;
        for _ in 0..TRIES {
            let out = Command::new(program).args(LIMITS).arg(&file).output()?;
            let said = String::from_utf8_lossy(&out.stderr);
            let took = said.lines().rfind(|line| line.starts_with("Executed "));
            let took =
                took.and_then(|line| line.strip_suffix(" ms")?.rsplit(' ').next()?.parse().ok());
            fastest = fastest.min(took.unwrap_or(u64::MAX));
        }
        if fastest >= SLOW {
            return Ok(Some(format!("{} takes {fastest} ms", file.display())));
        }
        fs::remove_file(file)?;
    }
    Ok(None)
}

/// The number behind the last occurrence of a word.
fn number_behind(said: &str, word: &str) -> u64 {
    let after = said.rsplit_once(word).map_or("", |(_, after)| after);
    after
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

fn last_words(said: &str) -> String {
    let telling = [
        "panicked at",
        "assertion",
        "ERROR: libFuzzer",
        "left:",
        "right:",
        "Test unit written",
        "SUMMARY",
    ];
    let mut lines = said.lines().peekable();
    let mut out = Vec::new();
    while let Some(line) = lines.next() {
        if telling.iter().any(|word| line.contains(word)) {
            out.push(line.trim());
            if line.contains("panicked at") {
                out.extend(lines.peek());
            }
        }
    }
    out.join("\n")
}

/// Writes the smallest inputs that reach what the seeds do not reach into the corpus file, beside those that are there.
fn keep(program: &Path, target: Target, place: &Path, corpus: &Path) -> io::Result<()> {
    let (known, merged) = (place.join("known"), place.join("merged"));
    for folder in [&known, &merged] {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
    }
    let seeds = seeds(target.name);
    for (name, seed) in &seeds {
        fs::write(merged.join(name), seed)?;
    }
    Command::new(program)
        .args(LIMITS)
        .arg("-merge=1")
        .arg(&merged)
        .arg(corpus)
        .output()?;
    let mut found = Vec::new();
    for file in fs::read_dir(&merged)? {
        let bytes = fs::read(file?.path())?;
        let is_kept = seeds
            .iter()
            .any(|(name, seed)| *seed == bytes && name.starts_with("found_"));
        if is_kept || bytes.len() <= KEPT_BYTES && !seeds.iter().any(|(_, seed)| *seed == bytes) {
            found.push(bytes);
        }
    }
    found.sort_by(|one, other| one.len().cmp(&other.len()).then(one.cmp(other)));
    found.truncate(KEPT);
    let line = |bytes: &Vec<u8>| {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("found_{:08x} {digits}\n", hash(bytes))
    };
    let mut lines: Vec<String> = found.iter().map(line).collect();
    lines.sort();
    fs::create_dir_all(fuzz_folder().join("corpus"))?;
    fs::write(corpus_file(target.name), lines.concat())
}

/// FNV-1a: a name that stays.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

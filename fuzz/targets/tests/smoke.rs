//! Every target on every seed, and on mutations of them: the part of the fuzzing that `cargo test` does.
//!
//! `ARK_MYSQL_FUZZ_SEED` repeats a run; `ARK_MYSQL_FUZZ_MUTATIONS` runs so many of each target, however long it takes.

#![expect(
    clippy::print_stdout,
    reason = "a random test prints its seed, and what it did"
)]

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};
use std::{env, fs};

use fuzz_targets::mutate::{Random, mutate};
use fuzz_targets::seeds::seeds;
use fuzz_targets::{TARGETS, Target};

/// Executions of each target beyond its seeds, unless it takes longer than [`LONGEST`]: some of them compute signatures.
const MUTATIONS: u64 = 10_000;
/// All targets together must not keep anybody waiting.
const LONGEST: Duration = Duration::from_millis(1500);

fn setting(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")),
    )
}

fn execute(target: Target, input: &[u8], from: &str, start: u64) {
    if catch_unwind(|| (target.run)(input)).is_err() {
        let digits: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
        panic!(
            "{} broke a promise (ARK_MYSQL_FUZZ_SEED={start}, from {from}); as a line of fuzz/corpus: found {digits}",
            target.name
        );
    }
}

#[test]
fn every_seed_and_its_mutations() {
    let start = setting("ARK_MYSQL_FUZZ_SEED").unwrap_or_else(|| std::process::id().into());
    let asked = setting("ARK_MYSQL_FUZZ_MUTATIONS");
    println!("ARK_MYSQL_FUZZ_SEED={start}");
    let mut executions = 0;
    for (number, &target) in (0..).zip(TARGETS) {
        let began = Instant::now();
        let seeds = seeds(target.name);
        assert!(
            seeds.len() >= 3,
            "{} has {} seeds",
            target.name,
            seeds.len()
        );
        seeds
            .iter()
            .for_each(|(name, seed)| execute(target, seed, name, start));
        let mut random = Random(start ^ (number << 32));
        let mut mutations = 0;
        while mutations < asked.unwrap_or(MUTATIONS)
            && (asked.is_some() || began.elapsed() < LONGEST)
        {
            mutations += 1;
            let (name, seed) = &seeds[random.below(seeds.len())];
            let (_, other) = &seeds[random.below(seeds.len())];
            execute(target, &mutate(&mut random, seed, other), name, start);
        }
        println!(
            "{}: {} seeds and {mutations} mutations in {:.1?}",
            target.name,
            seeds.len(),
            began.elapsed()
        );
        executions += seeds.len() as u64 + mutations;
    }
    println!(
        "B1: {} targets, {executions} executions, 0 crashes",
        TARGETS.len()
    );
}

#[test]
fn a_broken_promise_is_noticed() {
    let target = Target {
        name: "broken",
        run: |input| assert!(input.len() < 3),
    };
    execute(target, b"ab", "nothing", 0);
    let noticed = catch_unwind(|| execute(target, b"abc", "nothing", 7)).unwrap_err();
    let text = noticed.downcast_ref::<String>().unwrap();
    assert!(
        text.contains("ARK_MYSQL_FUZZ_SEED=7") && text.ends_with("found 616263"),
        "{text}"
    );
}

#[test]
fn every_target_has_a_fuzzer_of_its_name() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz_targets");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| {
            file.unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let names: BTreeSet<String> = TARGETS
        .iter()
        .map(|target| target.name.to_owned())
        .collect();
    assert_eq!(files, names);
    let manifest =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).unwrap();
    for name in names {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")),
            "{name} has no [[bin]]"
        );
    }
}

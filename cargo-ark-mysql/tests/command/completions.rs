//! Completions: what a shell is told. bash is asked; the other shells may not be there, so their scripts are read.

use std::process::{Command, Stdio};

use crate::support::{House, Said};

/// What bash offers behind these words, of which the last one is being typed.
fn offered(script: &str, words: &[&str]) -> Vec<String> {
    let ask = r#"
        _cargo() { COMPREPLY=(from-cargo "$@"); }
        eval "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        of() { local word; for word in $1; do [[ $previous == -F ]] && echo "$word"; previous=$word; done; }
        "$(of "$(complete -p "$1")")" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let output = Command::new("bash")
        .args(["--norc", "-c", ask, "bash", script])
        .args(words)
        .output()
        .unwrap();
    let said = Said::of(output);
    assert_eq!(said.status, 0, "{}", said.text);
    said.output.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_both_ways_to_call_it_and_leaves_cargo_its_own() {
    let script = House::new().run("completions bash").output;
    for begin in [&["cargo-ark-mysql"][..], &["cargo", "ark-mysql"]] {
        let after = |words: &[&str]| offered(&script, &[begin, words].concat());
        assert_eq!(after(&["mig"]), ["migrate"]);
        assert_eq!(after(&["dev", "sta"]), ["start", "status"]);
        assert_eq!(after(&["prepare", "--pr"]), ["--prune"]);
        assert_eq!(after(&["check", "--dev", "--flavor", "ma"]), ["mariadb"]);
    }
    assert_eq!(
        offered(&script, &["cargo", "bui"]),
        ["from-cargo", "cargo", "bui", "cargo"]
    );
}

#[test]
fn every_shell_has_a_script_with_all_commands() {
    let house = House::new();
    for (shell, part) in [
        ("zsh", "#compdef cargo-ark-mysql"),
        ("fish", "__fish_seen_subcommand_from ark-mysql"),
        ("elvish", "cargo-ark-mysql;migrate"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let said = house.run(&format!("completions {shell}"));
        said.with(
            0,
            &[
                part,
                "prepare",
                "check",
                "migrate",
                "resolve",
                "dev",
                "completions",
            ],
        );
    }
    house
        .run("completions csh")
        .with(2, &["possible values: bash, elvish, fish, powershell, zsh"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let house = House::new();
    let mut command = house.command("completions fish");
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = piped.spawn().unwrap();
    drop(running.stdout.take());
    let said = Said::of(running.wait_with_output().unwrap());
    assert_eq!((said.status, said.text.as_str()), (0, ""));
}

//! What a shell needs to complete the words of this tool, as `cargo-ark-mysql …` and as `cargo ark-mysql …`.

use std::io::Write;

use clap_complete::Shell;

use crate::Verdict;
use crate::arguments::{PROGRAM, definition};
use crate::failure::Failure;

/// Writes the script of a shell.
pub(crate) fn print(shell: Shell, out: &mut impl Write) -> Result<Verdict, Failure> {
    // clap_complete's script for bash loses the commands of a program with a hyphen in its name; `cargo.bash` says what it is called.
    let name = match shell {
        Shell::Bash => PROGRAM.replace('-', "_"),
        _ => PROGRAM.to_owned(),
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition(), name, &mut script);
    out.write_all(&script)?;
    out.write_all(behind_cargo(shell).as_bytes())?;
    Ok(Verdict::Clean)
}

/// What hands `cargo ark-mysql …` over. zsh needs nothing: cargo's own script asks for a function of this name.
fn behind_cargo(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("cargo.bash"),
        Shell::Fish => include_str!("cargo.fish"),
        _ => "",
    }
}

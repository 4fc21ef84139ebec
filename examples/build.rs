//! Has cargo look for migrations that were added: it sees by itself only when one of those it knows was changed.

#![expect(clippy::print_stdout, reason = "this is how cargo is told")]

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}

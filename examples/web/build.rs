//! Has cargo look for migrations that were added: it sees by itself only when one of those it knows was changed.

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
}

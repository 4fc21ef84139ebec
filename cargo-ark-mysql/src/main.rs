//! The command line of ark-mysql.
fn main() {}

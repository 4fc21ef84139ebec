//! From what is known of a statement to what its row is in Rust.

mod settle;

pub use settle::settle;

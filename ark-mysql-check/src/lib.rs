//! What a checked statement is: reads the SQL, has it described by a server or the cache, infers types, generates code.
//!
//! The stages, each taking what the one before yields:
//!
//! ```text
//! TokenStream ── input ──> Invocation ── sql ──> Sql ── describe ──> Description ── infer ──> Plan ── generate ──> TokenStream
//! ```
//!
//! `derive` is `#[derive(Type)]`, for the user's own types. `diagnostics` words every problem on the way. All stages but `describe` are pure.
//! The macros of `ark-mysql-macros`, `cargo ark-mysql` and the tests share this crate, so nothing is inferred twice.

mod derive;
pub mod describe;
pub mod description;
pub mod diagnostics;
pub mod generate;
pub mod infer;
pub mod input;
mod label_hash;
pub mod migrations;
pub mod record;
mod rust_type;
pub mod settings;
pub mod sql;
pub mod stamp;
pub mod test_attribute;
pub mod verify;

mod expand;

pub use derive::derive_type;
pub use description::Macro;
pub use expand::{expand, expand_with};

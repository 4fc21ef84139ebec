//! All misbehaviours, by where they come.

mod hello;
mod idle;
mod login;
mod prepare;
mod result;
mod rows;
mod secrets;
mod tls;

use std::path::Path;

use crate::case::Case;

/// All of them. `bait`: a file of ours that a server may ask for.
pub(crate) fn all(bait: &Path) -> Vec<Case> {
    [
        hello::cases(),
        tls::cases(),
        login::cases(),
        secrets::cases(),
        result::cases(bait),
        rows::cases(),
        prepare::cases(),
        idle::cases(),
    ]
    .concat()
}

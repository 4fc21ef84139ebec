//! B19: addresses, cache files, names and comments that somebody hostile has written are refused, or are literals in the expansion. No token comes of them.

mod addresses;
mod audit;
mod files;
mod names;
mod servers;

use std::fmt::Display;

/// What becomes of hostile data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    refused: usize,
    literal: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.refused += other.refused;
        self.literal += other.literal;
    }

    fn all(self) -> usize {
        self.refused + self.literal
    }
}

fn reached(what: impl Display) {
    tests::bars::reached("B19", what);
}

#[test]
fn hostile_addresses_are_refused() {
    let count = addresses::all();
    assert!(count >= 60, "{count} addresses");
    reached(format_args!(
        "{count} hostile addresses, all refused, 0 secrets shown"
    ));
}

#[test]
fn hostile_cache_files_are_refused_or_literals() {
    let count = files::all();
    assert!(count.all() >= 60, "{count:?}");
    reached(format_args!(
        "{} hostile cache files: {} refused with one error, {} emitted as literals",
        count.all(),
        count.refused,
        count.literal
    ));
}

#[test]
fn no_token_comes_of_names_comments_and_labels() {
    let count = names::all();
    assert!(count.all() >= 60, "{count:?}");
    reached(format_args!(
        "{} hostile names and labels: {} refused, {} emitted as literals, 0 tokens of data",
        count.all(),
        count.refused,
        count.literal
    ));
}

#[test]
fn no_token_comes_of_what_servers_say() {
    let count = servers::all();
    assert!(count.all() >= 60, "{count:?}");
    reached(format_args!(
        "{} hostile columns, comments and labels of three servers: {} refused, {} emitted as literals, 0 tokens of data",
        count.all(),
        count.refused,
        count.literal
    ));
}

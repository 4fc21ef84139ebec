//! A value that comes back as another one: every SQL type with every Rust type of the table (`value::table::pairs`), read, compared and stored, prepared and as text,
//! on every server. What is to come out is said by SQL literals and by code that shares nothing with the driver's.
//!
//! `ARK_MYSQL_BAR=release` tries more; `ARK_MYSQL_TEST_SEED` brings the values of a failed run back.

mod canon;
mod columns;
mod round;
mod rust;
mod statements;

use std::collections::BTreeSet;

use ark_mysql::__private::Kind;
use ark_mysql::value::table::pairs;
use ark_mysql::{Connection, Result};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tests::Database;
use tests::bars::times;

use crate::canon::Canon;
use crate::columns::{Column, columns};
use crate::round::{Round, Tried, is_compared, name};
use crate::statements::NAMES;

/// Values at the edges and between them, and a NULL.
fn values(column: &Column, runner: &mut TestRunner) -> Vec<Option<Canon>> {
    let mut all: Vec<_> = column.edges.iter().cloned().map(Some).collect();
    for _ in 0..times(6, 300) {
        all.push(Some(column.any.new_tree(runner).unwrap().current()));
    }
    all.push(None);
    all
}

#[expect(
    clippy::print_stderr,
    reason = "the seed is shown with the failure of its test, the figures are what the test is for"
)]
fn say(words: &str) {
    eprintln!("{words}");
}

fn runner() -> TestRunner {
    let given = std::env::var("ARK_MYSQL_TEST_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed: u64 =
        given.unwrap_or_else(|| u64::from(std::time::UNIX_EPOCH.elapsed().unwrap().subsec_nanos()));
    say(&format!("ARK_MYSQL_TEST_SEED={seed}"));
    let bytes = [seed.to_le_bytes(); 4].concat();
    TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &bytes),
    )
}

/// Every pair of the table had a value that went round, where this server has the column, and no other pair.
fn nothing_is_missing(tried: &mut Tried) {
    let all = pairs();
    let names: BTreeSet<String> = (0..NAMES.len()).map(name).collect();
    assert_eq!(
        names,
        all.iter().map(|pair| pair.rust.replace(' ', "")).collect(),
        "the types of the table"
    );
    let kinds: BTreeSet<Kind> = tried.pairs.iter().map(|(kind, ..)| *kind).collect();
    for pair in all.iter().filter(|pair| kinds.contains(&pair.kind)) {
        if (pair.kind, pair.rust) == (Kind::Geometry, "[u8; 16]") {
            continue; // no shape has 16 bytes
        }
        let is = |direction| {
            tried
                .pairs
                .contains(&(pair.kind, pair.rust.replace(' ', ""), direction))
        };
        let went = (is("read"), is("store"), is("compare"));
        if went
            != (
                pair.reads,
                pair.stores,
                pair.compares && is_compared(pair.kind),
            )
        {
            tried
                .wrong
                .push(format!("read, stored, compared: {went:?}, but {pair:?}"));
        }
    }
}

tests::on_every_server! {
    async fn every_pair_of_the_table(database: Database) -> Result<()> {
        let mut runner = runner();
        let mut tried = Tried::default();
        for column in &columns(database.kind()) {
            let values = values(column, &mut runner);
            // A new connection each time: the statements have the same texts for columns of other types.
            let mut conn = Connection::connect(database.url()).await?;
            ark_mysql::query("SET sql_mode = 'ALLOW_INVALID_DATES'").execute(&mut conn).await?;
            let round = Round { conn, flavor: database.flavor(), column, values: &values, tried: &mut tried };
            if let Err(error) = round.run().await {
                tried.wrong.push(format!("{}: {error}", column.sql));
            }
        }
        nothing_is_missing(&mut tried);
        let some: Vec<_> = tried.wrong.iter().take(60).collect();
        assert!(some.is_empty(), "{} wrong: {some:#?}", tried.wrong.len());
        say(&format!("{}: {} triples of an SQL type, a Rust type and a direction, {} values went round", database.kind(), tried.pairs.len(), tried.values));
        Ok(())
    }
}

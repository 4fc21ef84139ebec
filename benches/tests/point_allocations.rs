//! The fear: a query allocates more than its row does.

use std::alloc::System;

use ark_mysql::dev_server::Flavor;
use benches::point::Client;
use benches::raw::RawClient;
use benches::server::Choice;
use benches::test1;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const QUERIES: usize = 1_000;
const ROWS: u32 = 100;
/// Entering the runtime, once for all queries.
const ONCE: usize = 16;

// One test only: the counters are the process's, and tests run side by side.
#[test]
fn a_query_allocates_what_its_row_owns_and_nothing_else() {
    let server = Choice::Dev(Flavor::MySql)
        .open()
        .expect("the dev server starts");
    let url = server.url();
    let mut admin = RawClient::connect(&url).expect("the raw client connects");
    test1::create(&mut admin, ROWS).expect("the table is made");
    let keys: Vec<i32> = test1::keys(ROWS).take(QUERIES).collect();
    for (client, strings) in [
        (Client::Limit, 0),
        (Client::Typed, 1),
        (Client::Pool, 1),
        (Client::Borrowed, 0),
    ] {
        let mut contender = client.connect(&url).expect("it connects");
        contender
            .verify(&keys)
            .expect("all rows are the expected ones");
        let region = Region::new(ALLOCATOR);
        contender.run(&keys).expect("all rows come");
        let change = region.change();
        let count = change.allocations + change.reallocations;
        assert!(
            count <= QUERIES * strings + ONCE,
            "{}: {count} allocations for {QUERIES} queries whose rows own {strings} strings each",
            client.title()
        );
    }
}

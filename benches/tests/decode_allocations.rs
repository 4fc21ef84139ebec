//! The fear: a decoder allocates more than the strings of its row.

use std::alloc::System;

use benches::decode::Workload;
use clap::ValueEnum;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const ROWS: u32 = 100;

// One test only: the counters are the process's, and tests run side by side.
#[test]
fn a_row_allocates_its_strings_and_nothing_else() {
    for workload in Workload::value_variants() {
        let region = Region::new(ALLOCATOR);
        workload
            .drive(ROWS)
            .expect("the recorded row fits its statement");
        let change = region.change();
        let strings = usize::try_from(ROWS * workload.strings()).expect("a small number");
        assert_eq!(change.allocations, strings, "{}", workload.name());
        assert_eq!(change.reallocations, 0, "{}", workload.name());
        assert_eq!(
            change.allocations,
            change.deallocations,
            "{}",
            workload.name()
        );
    }
}

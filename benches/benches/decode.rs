//! Generated decoders on recorded rows: `cargo bench -p benches --bench decode`.

use benches::decode::Workload;
use clap::ValueEnum as _;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Rows of one measured run.
const ROWS: u32 = 1_000;

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Elements(ROWS.into()));
    for workload in Workload::value_variants() {
        group.bench_function(workload.name(), |bencher| {
            bencher.iter(|| {
                workload
                    .drive(ROWS)
                    .expect("the row is of the statement that it was recorded with")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);

//! The protocol's part of a point select, from command to row, on recorded replies and without a socket: `cargo bench -p benches --bench session`.

use std::hint::black_box;

use ark_mysql::__private::{Query, Statement};
use ark_mysql::query_file;
use ark_mysql_proto::row::{RowReader, Source as _};
use benches::session::Recorded;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn session(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("session");
    group.throughput(Throughput::Elements(1));
    let mut recorded = Recorded::new().expect("it was recorded with this protocol");
    group.bench_function("point, its row in place", |bencher| {
        bencher.iter(|| {
            let row = |row: &[u8]| {
                black_box(row);
                Ok(())
            };
            recorded.select(black_box(7), row).expect("one row comes");
        });
    });
    group.bench_function("point, its row decoded", |bencher| {
        bencher.iter(|| {
            let row = |row: &[u8]| decode(query_file!("queries/mixed_14.sql", 1), row);
            recorded.select(black_box(7), row).expect("one row comes");
        });
    });
    group.finish();
}

fn decode<S: Statement, P>(_: Query<S, P>, payload: &[u8]) -> anyhow::Result<()> {
    let mut reader = RowReader::new(payload, S::COLUMNS.len())?;
    black_box(&S::decode(&mut reader)?);
    Ok(reader.finish()?)
}

criterion_group!(benches, session);
criterion_main!(benches);

//! Parameters into COM_STMT_EXECUTE, by the code that the macros call: `cargo bench -p benches --bench encode`.

use std::hint::black_box;

use ark_mysql::__private::{Query, Statement};
use ark_mysql::value::Params;
use ark_mysql::{query, query_file};
use ark_mysql_proto::ParamWriter;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn encode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    let mut bench = |name: &str, types: bool, write: &dyn Fn(&mut Vec<u8>, bool)| {
        let mut out = Vec::new();
        write(&mut out, types);
        group.throughput(Throughput::Bytes(out.len() as u64));
        let sent = if types { "with types" } else { "values" };
        group.bench_function(BenchmarkId::new(name, sent), |bencher| {
            bencher.iter(|| {
                out.clear();
                write(black_box(&mut out), types);
            });
        });
    };
    for types in [false, true] {
        bench("one INT", types, &|out, types| {
            written(
                out,
                types,
                &query_file!("queries/mixed_14.sql", black_box(7)),
            );
        });
        let (body, key) = ("x".repeat(1_024), 7);
        bench("text of 1 KiB and a key", types, &|out, types| {
            let update = query!(
                "UPDATE sbtest1 SET c = ? WHERE id = ?",
                &body,
                black_box(key)
            );
            written(out, types, &update);
        });
    }
    group.finish();
}

fn written<S, P>(out: &mut Vec<u8>, types: bool, query: &Query<S, P>)
where
    S: Statement,
    P: Params<S::Params>,
{
    let mut writer = ParamWriter::new(out, P::TYPES, types);
    let encoded = query.params.encode(&mut writer);
    encoded.expect("SQL has these values");
    writer.finish().expect("all of them were written");
}

criterion_group!(benches, encode);
criterion_main!(benches);

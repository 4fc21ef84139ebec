//! What needs no server, timed by criterion: decoding rows, encoding parameters, a session on recorded bytes, expanding a statement.
//!
//! `benches -- decode` and `benches -- session` count the instructions of the first and the third, which a busy machine does not change.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use ark_mysql_check::describe::describe_with;
use ark_mysql_check::description::DescribeError;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::{Macro, expand_with};
use ark_mysql_proto::params::{EncodeError, LiteralWriter, ParamSink, ParamType, ParamWriter};
use ark_mysql_proto::temporal::{Date, DateTime};
use benches::decode::Workload;
use benches::session::Offline;
use clap::ValueEnum;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use proc_macro2::TokenStream;

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    for workload in Workload::value_variants() {
        group.bench_function(workload.name(), |bencher| {
            bencher.iter_custom(|rows| {
                let rows = u32::try_from(rows).expect("fewer rows than that");
                let start = Instant::now();
                workload.drive(rows).expect("the recorded row fits");
                start.elapsed()
            });
        });
    }
}

/// The types of an INSERT into `test1`.
const TYPES: [ParamType; 14] = {
    let mut types = [ParamType::I32; 14];
    types[10] = ParamType::F32;
    types[11] = ParamType::F64;
    types[12] = ParamType::TEXT;
    types[13] = ParamType::DATETIME;
    types
};

fn row_of_14(sink: &mut impl ParamSink, time: DateTime) -> Result<(), EncodeError> {
    for number in 0..10 {
        sink.i32(black_box(1_000_003 * number))?;
    }
    sink.f32(black_box(0.25))?;
    sink.f64(black_box(0.125))?;
    sink.text(black_box(
        "row 00001234 of the table with fourteen columns, all NOT NULL",
    ))?;
    sink.datetime(black_box(time))
}

fn encode(criterion: &mut Criterion) {
    let date = Date::new(2001, 9, 9).expect("a day");
    let time = DateTime::new(date, 1, 46, 40, 0).expect("a time of day");
    let mut group = criterion.benchmark_group("encode");
    let mut out = Vec::new();
    group.bench_function("one key", |bencher| {
        bencher.iter(|| {
            out.clear();
            let mut writer = ParamWriter::new(&mut out, &[ParamType::I32], false);
            writer.i32(black_box(1234)).expect("it fits");
            writer.finish().expect("all were given");
            black_box(out.len())
        });
    });
    group.bench_function("14 columns, binary", |bencher| {
        bencher.iter(|| {
            out.clear();
            let mut writer = ParamWriter::new(&mut out, &TYPES, false);
            row_of_14(&mut writer, time).expect("they fit");
            writer.finish().expect("all were given");
            black_box(out.len())
        });
    });
    let sql = "INSERT INTO test1 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    group.bench_function("14 columns, literals", |bencher| {
        bencher.iter(|| {
            let mut writer = LiteralWriter::new(sql).expect("it has 14 placeholders");
            row_of_14(&mut writer, time).expect("they fit");
            writer.finish().expect("all were given")
        });
    });
}

fn session(criterion: &mut Criterion) {
    let mut offline = Offline::start().expect("the recording is of this statement");
    let mut group = criterion.benchmark_group("session");
    group.bench_function("point, 14 columns, from EXECUTE to the struct", |bencher| {
        bencher.iter(|| offline.point(black_box(1234)).expect("a row"));
    });
}

/// As in a build: settings and the cache's entry are read anew for each statement.
fn expand(call: TokenStream) -> TokenStream {
    expand_with(Macro::QueryAs, call, |sql, _| {
        let offline = |name: &str| (name == "ARK_MYSQL_OFFLINE").then(|| "1".into());
        let settings = Settings::load(Path::new(env!("CARGO_MANIFEST_DIR")), &offline)
            .map_err(|error| DescribeError::Settings(error.to_string().into()))?;
        describe_with(sql, &settings)
    })
}

fn expansion(criterion: &mut Criterion) {
    let call = format!("Test1, {:?}, key", benches::test1::POINT);
    let parse = || -> TokenStream { call.parse().expect("tokens") };
    let tokens = expand(parse()).to_string();
    assert!(
        !tokens.contains("compile_error"),
        "the statement is not in the cache: {tokens}"
    );
    let mut group = criterion.benchmark_group("expansion");
    group.bench_function("one statement of 14 columns, from the cache", |bencher| {
        bencher.iter_batched(parse, expand, BatchSize::SmallInput);
    });
}

criterion_group!(offline, decode, encode, session, expansion);
criterion_main!(offline);

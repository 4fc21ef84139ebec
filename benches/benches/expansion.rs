//! What a build pays for a statement that the cache describes: `cargo bench -p benches --bench expansion`.

use std::ffi::OsString;
use std::path::Path;

use ark_mysql_check::describe::describe_with;
use ark_mysql_check::description::DescribeError;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::{Macro, expand_with};
use benches_common::test1::POINT;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use proc_macro2::TokenStream;

fn expansion(criterion: &mut Criterion) {
    let call: TokenStream = format!("{POINT:?}, 7").parse().expect("it is a call");
    let typed: TokenStream = format!("Test1, {POINT:?}, 7")
        .parse()
        .expect("it is a call");
    let mut group = criterion.benchmark_group("expansion");
    for (name, which, call) in [
        ("query!", Macro::Query, call),
        ("query_as!", Macro::QueryAs, typed),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || call.clone(),
                |call| expand(which, call),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

/// By the cache of this package, as in a build.
fn expand(which: Macro, call: TokenStream) -> TokenStream {
    expand_with(which, call, |sql, _| {
        let offline = |name: &str| (name == "ARK_MYSQL_OFFLINE").then(|| OsString::from("1"));
        let settings = Settings::load(Path::new(env!("CARGO_MANIFEST_DIR")), &offline)
            .map_err(|error| DescribeError::Settings(error.to_string().into()))?;
        let described = describe_with(sql, &settings);
        assert!(described.is_ok(), "the statement is not in the cache");
        described
    })
}

criterion_group!(benches, expansion);
criterion_main!(benches);

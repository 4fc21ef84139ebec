//! The benchmarks of ark-mysql: workloads as values, and the instruments that measure them.
//!
//! | module | what it measures, or with what |
//! |---|---|
//! | [`point`] | who selects one row by key on one connection |
//! | [`pipeline`] | many such queries in one round trip, beside a raw socket that does the same |
//! | [`arknet`] | one blob by key in arknet's 48 combinations, beside its published table |
//! | [`sysbench`] | sysbench's statements up to 1,000 connections, on two servers, beside the real sysbench |
//! | [`sailzeng`] | the MySQL benchmark of 2005: twelve experiments on engines, commits, APIs and load |
//! | [`beside`] | one row by key, scan, inserts, connecting and blobs, each beside a raw socket |
//! | [`instructions`] | user instructions and allocations of such a query |
//! | [`decode`] | generated decoders on recorded bytes, without a server; a check that can fail |
//! | [`session`] | the whole way of a point query on recorded bytes, without a server; a check that can fail |
//! | [`compile`] | `cargo check` of a crate full of statements, beside the rival's |
//! | [`raw`] | the physical limit: prebuilt bytes, packet framing |
//! | [`callgrind`] | instructions and allocations, as a slope |
//! | `driver` | who waits while ours runs: a runtime, or the thread |
//! | [`placement`] | client and server threads on CPUs |
//! | [`figures`] | medians, spreads, tables |
//! | [`report`] | what was measured, as JSON and charts, and two of them compared |
//! | [`worker`] | a workload in a process of its own, round by round |
//! | [`rival`] | other drivers, in programs of their own |
//! | [`server`], [`test1`] | what is measured on |
//!
//! Absolute figures depend on the machine and on who else uses it: what counts are ratios of neighbours in one run.

#[macro_use]
mod on_table;
pub mod arknet;
pub mod beside;
pub mod callgrind;
pub mod compile;
pub mod decode;
mod driver;
pub mod figures;
pub mod instructions;
pub mod pipeline;
pub mod placement;
pub mod point;
pub mod raw;
pub mod report;
pub mod rival;
pub mod sailzeng;
pub mod server;
pub mod session;
pub mod sysbench;
pub mod test1;
pub mod worker;

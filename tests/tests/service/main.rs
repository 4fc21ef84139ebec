//! What a service relies on, with figures: transactions that run again, deadlines, dropped futures, the pool under fire.
//!
//! Every test prints one line with its figure. `ARK_MYSQL_BAR=release` runs the long versions.

#[path = "../by_hand/mod.rs"]
mod by_hand;
mod commit_cut;
mod deadlines;
mod deadlocks;
mod dropped;
mod pool;
mod support;
mod transactions;

//! What a service relies on, with figures: transactions that run again, deadlines, dropped futures, the pool under fire.
//!
//! Every test prints one line with its figure. `ARK_MYSQL_BAR=release` runs the long versions.

mod commit_cut;
mod deadlocks;
mod support;
mod transactions;

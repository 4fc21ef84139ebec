//! What a service relies on, with figures: transactions that run again, deadlines, dropped futures, the pool under fire.
//!
//! Those of a bar say what they reached; see `tests::bars`.

mod abandoned;
#[path = "../by_hand/mod.rs"]
mod by_hand;
mod commit_cut;
mod deadlines;
mod deadlocks;
mod dropped;
mod failover;
mod half_made;
mod handles;
mod hygiene;
mod locks;
mod operations_in_time;
mod pool;
mod support;
mod transactions;
mod under_fire;

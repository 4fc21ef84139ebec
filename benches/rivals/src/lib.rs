//! What all rivals share. Each program is its driver's part alone, written as its users would at their best: statements prepared once, rows read
//! into a struct, a driver's own types.
//!
//! | module | |
//! |---|---|
//! | [`driver`] | what a driver can do |
//! | [`address`] | where the server is |
//! | [`row`] | the row of fourteen columns |
//! | [`serve`] | turns and rounds, on the word of the benchmarks' command |

pub mod address;
pub mod driver;
mod lanes;
pub mod row;
pub mod serve;
mod turns;

//! From what is known of a statement to what its row is in Rust.

mod against;
mod alias;
mod insert;
mod names;
mod plan;
mod prove;
mod settle;
mod views;

pub use against::{named_tables, wanted_for_origins, wanted_for_params};
pub use insert::{Declared, DeclaredColumn, insert_problems, named_by_insert, wanted_for_insert};
pub use names::field_ident;
pub use plan::{Asked, AskedBy, PlannedColumn, RowPlan, plan};
pub use prove::{TableName, Tables};
pub use settle::{Settled, settle};
pub use views::wanted;

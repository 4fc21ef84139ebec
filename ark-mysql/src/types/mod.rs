//! Types for what SQL has and Rust has not.

mod decimal;
mod geometry;
#[cfg(feature = "json")]
mod json;

/// The version of chrono whose types columns can be read into.
#[cfg(feature = "chrono")]
pub use ::chrono;
pub use ark_mysql_proto::temporal::{Date, DateTime, Time};
pub use decimal::{Decimal, DecimalError};
pub use geometry::Geometry;
#[cfg(feature = "json")]
pub use json::Json;

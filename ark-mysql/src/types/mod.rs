//! Types for what SQL has and Rust has not.

mod decimal;
mod geometry;
#[cfg(feature = "json")]
mod json;

/// The version of bigdecimal whose type columns can be read into.
#[cfg(feature = "bigdecimal")]
pub use ::bigdecimal;
/// The version of chrono whose types columns can be read into.
#[cfg(feature = "chrono")]
pub use ::chrono;
/// The version of jiff whose types columns can be read into.
#[cfg(feature = "jiff")]
pub use ::jiff;
/// The version of rust_decimal whose type columns can be read into.
#[cfg(feature = "rust_decimal")]
pub use ::rust_decimal;
/// The version of time whose types columns can be read into.
#[cfg(feature = "time")]
pub use ::time;
/// The version of uuid whose types columns can be read into.
#[cfg(feature = "uuid")]
pub use ::uuid;
pub use ark_mysql_proto::temporal::{Date, DateTime, Time};
pub use decimal::{Decimal, DecimalError};
pub use geometry::Geometry;
#[cfg(feature = "json")]
pub use json::Json;

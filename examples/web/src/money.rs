//! Amounts of money.

use ark_mysql::types::Decimal;
use serde::{Serialize, Serializer};

/// An exact amount; in JSON a string, since numbers there become floating point in the hands of most clients.
#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
pub(crate) struct Money(Decimal);

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

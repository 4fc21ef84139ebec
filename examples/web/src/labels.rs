//! The labels of ENUM columns. A label that a table has and a type here lacks is a compile error.

use serde::{Deserialize, Serialize};

/// What kind of thing a product is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ark_mysql::Type)]
#[ark_mysql(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    Book,
    Game,
    Music,
    Tool,
}

/// How far an order has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ark_mysql::Type)]
#[ark_mysql(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Open,
    Paid,
    Shipped,
    Cancelled,
}

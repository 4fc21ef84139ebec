//! A small web service over the shop's tables, written as a team would write one with ark-mysql.
//!
//! | file | what it decides |
//! |---|---|
//! | `main` | settings, migrations, the pool, how the service begins and ends |
//! | `router` | which path is answered by which function |
//! | `products`, `customers` | reading and writing single rows |
//! | `orders`, `orders/place` | a transaction that may run again |
//! | `failure` | which error becomes which HTTP status |
//! | `health`, `figures` | what the operators ask for |
//! | `money`, `labels` | types of our own in columns, arguments and JSON |
//!
//! ```sh
//! cargo ark-mysql dev run -- cargo run -p examples-web     # on a throw-away server
//! curl http://127.0.0.1:3000/products
//! cargo test -p examples-web                               # each test calls the router on a database of its own
//! ```
//!
//! It is built from the metadata in `.ark-mysql/`, so it needs no server while it compiles. After a change of its SQL or of the tables:
//!
//! ```sh
//! cargo ark-mysql prepare --package examples-web --dev --migrations examples/migrations --prune
//! ```

mod customers;
mod failure;
pub mod figures;
mod health;
mod labels;
mod money;
mod orders;
mod products;
mod router;

pub use router::{Service, router};

/// The tables, which are part of the program: `main` applies them when the service begins, and every test has them.
pub static MIGRATOR: ark_mysql::migrate::Migrator = ark_mysql::migrate!("../migrations");

/// Compares the database with what every statement of this crate was checked with: `main` asks before it serves, so that a database that somebody
/// changed by hand is one message at the start and not an error of some request at night.
///
/// # Errors
/// `SchemaChanged` with each statement that does not fit, and those of the connection.
pub async fn verify(pool: &ark_mysql::Pool) -> ark_mysql::Result<()> {
    ark_mysql::verify_schema!(pool).await
}

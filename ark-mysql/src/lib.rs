//! A typed query library for MySQL and MariaDB: statements are checked by a real server while your crate compiles.
//!
//! ```ignore
//! use ark_mysql::{Pool, query};
//!
//! let pool = Pool::connect("mysql://app:pw@127.0.0.1:3306/shop").await?;
//! let user = query!("SELECT id, name FROM users WHERE id = ?", id).fetch_one(&pool).await?;
//! println!("{}: {}", user.id, user.name);
//! ```
//!
//! New here? Start with the [`guide`]: the first query, CI without a database, types of your own, migrations, tests, errors, deploying.
//!
//! # Where to find what
//!
//! * a connection, and its settings: [`Connection`], [`ConnectOptions`] ([init statements](ConnectOptions::init_statement),
//!   [attributes](ConnectOptions::attribute)); many of them: [`Pool`]
//! * without a runtime: `block_on` (feature `blocking`, Unix)
//! * statements and their rows: [`Query`] (what `query!` makes), [`Rows`], [`Done`]; anything that can run one: [`Executor`]
//! * many rows by one statement: [`InsertMany`] (what `insert_many!` makes)
//! * statements known only at run time: [`query`](fn@query); several results of a `CALL`: [`fetch_sets`](dynamic::DynamicQuery::fetch_sets); the file of a
//!   `LOAD DATA LOCAL INFILE`: [`local_infile`](dynamic::DynamicQuery::local_infile)
//! * several statements as one: [`Transaction`]; as a closure that runs again after a deadlock: [`Pool::transaction`], as a loop: [`Retry`]
//! * how long a statement may take: [`Query::deadline`] and [`Deadline`]; anything else that is awaited: [`Operation::deadline`]; how a pool stands: [`Pool::metrics`]
//! * the schema, step by step: [`migrate`](mod@migrate), and `migrate!` with the files in the program
//! * whether the schema is still the one that was checked, when the program starts: `verify_schema!`, [`SchemaMismatches`]
//! * tests with a database of their own: [`testing`]
//! * what went wrong: [`Error`], [`ErrorKind`], and whether the statement happened: [`Outcome`]
//!
//! # Cancelling
//!
//! Dropping any future of this crate, at any point, leaves its connection usable: the position of the conversation lives in the
//! connection. The next user reads what is still to come, at most 64 KiB or 50 ms of it; if that is not enough, the connection is
//! closed and says so. A dropped statement may or may not have run.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(all(feature = "blocking", unix))]
mod blocking;
mod bulk;
mod config;
mod connection;
mod deadline;
#[cfg(all(feature = "dev-server", unix))]
pub mod dev_server;
pub mod dynamic;
mod error;
mod executor;
#[cfg(doc)]
pub mod guide;
#[cfg(feature = "migrate")]
pub mod migrate;
mod operation;
mod pipeline;
mod pool;
mod query;
mod rows;
mod script;
#[cfg(all(feature = "macros", feature = "migrate"))]
pub mod testing;
mod time;
mod trace;
mod transaction;
pub mod types;
pub mod value;
mod verify;

#[cfg(all(feature = "blocking", unix))]
pub use blocking::block_on;
pub use bulk::InsertMany;
pub use config::{Compat, ConnectOptions, Endpoint, IntoConnectOptions, TlsMode, Url, UrlError};
pub use connection::Connection;
pub use deadline::Deadline;
pub use dynamic::query;
pub use error::{Error, ErrorKind, Outcome, Result, ServerError};
pub use executor::Executor;
pub use operation::Operation;
pub use pipeline::{All, Collect, Item, One, Optional, Pipeline, Run};
pub use pool::{Acquire, Histogram, Pool, PoolBuilder, PoolConnection, PoolMetrics};
pub use query::{Done, Prepared, Query, Text, Within};
pub use rows::{RowStream, Rows};
pub use transaction::{Isolation, Retry, Transaction, TransactionOptions, UnknownCommit};
pub use value::kind;
pub use verify::{Mismatch, SchemaMismatches};

#[cfg(feature = "macros")]
pub use ark_mysql_macros::{
    Type, insert_many, query, query_as, query_file, query_file_as, query_file_scalar, query_scalar,
    verify_schema,
};
#[cfg(all(feature = "macros", feature = "migrate"))]
pub use ark_mysql_macros::{migrate, test};

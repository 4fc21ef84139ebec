//! What the integration tests share: one server of each kind for a test process, and a fresh database for each test.
//!
//! ```no_run
//! tests::on_every_server! {
//!     async fn a_row_is_a_row(database: tests::Database) -> ark_mysql::Result<()> {
//!         let mut conn = ark_mysql::Connection::connect(database.url()).await?;
//!         // …
//!         Ok(())
//!     }
//! }
//! ```
//!
//! Nothing here skips: a server that cannot be had, or that was stopped, fails the test.

mod account;
mod admin;
pub mod bars;
mod database;
mod servers;
pub mod soundness;
pub mod type_table;

pub use ark_mysql::dev_server::{DevServer, Flavor};

pub use account::Account;
pub use admin::admin;
pub use database::{Database, Transport};
pub use servers::{FLAVORS, Server, server};

/// Waits for a test, but not for ever: a test that hangs fails. Long enough for a busy machine, so that it says nothing about speed.
///
/// # Panics
///
/// After three minutes; where a bar is run in the size of the release, after three hours.
pub async fn in_time<T>(test: impl Future<Output = T>) -> T {
    let long = bars::scale().patience();
    match tokio::time::timeout(long, test).await {
        Ok(done) => done,
        Err(_) => panic!("the test hangs: not done after {long:?}"),
    }
}

/// One test on every server, each with a database of its own: `name::mysql`, `name::mariadb` (the newer one) and `name::mariadb_10`.
///
/// A test that hangs fails; see [`in_time`].
#[macro_export]
macro_rules! on_every_server {
    ($($(#[$meta:meta])* async fn $name:ident($database:ident: $type:ty) $(-> $result:ty)? $body:block)+) => {
        $(mod $name {
            use super::*;

            $(#[$meta])*
            async fn test($database: $type) $(-> $result)? $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn mysql() $(-> $result)? {
                $crate::in_time(test($crate::Database::new($crate::Server::MySql))).await
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn mariadb() $(-> $result)? {
                $crate::in_time(test($crate::Database::new($crate::Server::MariaDb))).await
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn mariadb_10() $(-> $result)? {
                $crate::in_time(test($crate::Database::new($crate::Server::MariaDb10))).await
            }
        })+
    };
}

/// The name from when there were two.
#[doc(hidden)]
#[macro_export]
macro_rules! on_both_servers {
    ($($tests:tt)*) => { $crate::on_every_server! { $($tests)* } };
}

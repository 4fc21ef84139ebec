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

use std::sync::mpsc::RecvTimeoutError;

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

/// The same for a test that needs no runtime: it runs under [`block_on`](ark_mysql::block_on), on a thread of its own.
///
/// # Panics
///
/// As [`in_time`], and when the test does.
pub fn in_time_without_runtime<T, F>(test: impl FnOnce() -> F + Send + 'static) -> T
where
    T: Send + 'static,
    F: Future<Output = T>,
{
    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || sender.send(ark_mysql::block_on(test())));
    let long = bars::scale().patience();
    match receiver.recv_timeout(long) {
        Ok(done) => done,
        Err(RecvTimeoutError::Timeout) => panic!("the test hangs: not done after {long:?}"),
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => unreachable!("it has sent what came of it"),
        },
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

/// The same, and once more without a runtime, under `block_on`: `without_runtime::name::mysql` and so on.
#[macro_export]
macro_rules! on_every_server_either_way {
    ($($(#[$meta:meta])* async fn $name:ident($database:ident: $type:ty) $(-> $result:ty)? $body:block)+) => {
        $crate::on_every_server! { $($(#[$meta])* async fn $name($database: $type) $(-> $result)? $body)+ }
        $crate::without_runtime! { $($(#[$meta])* async fn $name($database: $type) $(-> $result)? $body)+ }
    };
}

/// One test on every server under `block_on`.
#[macro_export]
macro_rules! without_runtime {
    ($($(#[$meta:meta])* async fn $name:ident($database:ident: $type:ty) $(-> $result:ty)? $body:block)+) => {
        mod without_runtime {
            use super::*;
            $(mod $name {
                use super::*;

                $(#[$meta])*
                async fn test($database: $type) $(-> $result)? $body

                #[test]
                fn mysql() $(-> $result)? {
                    $crate::in_time_without_runtime(|| test($crate::Database::new($crate::Server::MySql)))
                }

                #[test]
                fn mariadb() $(-> $result)? {
                    $crate::in_time_without_runtime(|| test($crate::Database::new($crate::Server::MariaDb)))
                }

                #[test]
                fn mariadb_10() $(-> $result)? {
                    $crate::in_time_without_runtime(|| test($crate::Database::new($crate::Server::MariaDb10)))
                }
            })+
        }
    };
}

/// The name from when there were two.
#[doc(hidden)]
#[macro_export]
macro_rules! on_both_servers {
    ($($tests:tt)*) => { $crate::on_every_server! { $($tests)* } };
}

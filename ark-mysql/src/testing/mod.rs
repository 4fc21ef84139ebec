//! Tests with a database of their own: what stands behind `#[ark_mysql::test]` (features `migrate` and `macros`).
//!
//! ```ignore
//! use ark_mysql::{Pool, query_scalar};
//!
//! #[ark_mysql::test(fixtures("users"))]                  // migrations/ is applied, then fixtures/users.sql is run
//! async fn users_are_counted(pool: Pool) -> ark_mysql::Result<()> {
//!     let count = query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&pool).await?;
//!     assert_eq!(count, 2);
//!     Ok(())
//! }
//! ```
//!
//! # What is written
//!
//! | in the attribute | means |
//! |---|---|
//! | nothing | the folder `migrations` beside `Cargo.toml` is applied, if there is one |
//! | `migrations = "folder"` | that folder, whose path begins at that of `Cargo.toml` |
//! | `migrations = false` | an empty database |
//! | `migrator = "crate::MIGRATOR"` | that [`Migrator`](crate::migrate::Migrator), or what dereferences to one (a `LazyLock`): its files; its settings are for `run` |
//! | `fixtures("users", "orders")` | then `fixtures/users.sql` and `fixtures/orders.sql` are run, in this order: beside the source file or beside `Cargo.toml`. A name that ends in `.sql` is a path |
//!
//! The function takes any number of these, and returns nothing or a `Result`; `#[ignore]` and `#[should_panic]` mean what they always do:
//! [`Pool`](crate::Pool) (of five connections), [`Connection`], [`PoolConnection`](crate::PoolConnection), [`ConnectOptions`], [`TestDatabase`].
//! It runs on a tokio runtime of its own with one thread.
//!
//! # Where
//!
//! On the server of `DATABASE_URL` (from the environment, or the `.env` beside `Cargo.toml` or at the root of the workspace), beside whatever is there: nothing is done in the database that it names. Without it,
//! with the feature `dev-server`, on the server of `cargo ark-mysql dev start` if that runs, or else on one that lives as long as the test process.
//!
//! Every database made is called `test_ark_…`; another beginning than `test_` can be given by the variable `ARK_MYSQL_TEST_PREFIX`. So an account needs
//! rights on those alone:
//!
//! ```sql
//! GRANT ALL ON `test\_%`.* TO 'ci'@'%';
//! ```
//!
//! # How
//!
//! Migrations and fixtures are applied once, to a template that is called by a hash of their text and that later runs find again; each test gets a copy.
//! Tests run in parallel. The database is dropped after a success. After a failure or panic it is kept and named in the test's output, with the command that
//! shows it, until that test runs again, for three days at most. What a killed run left is dropped by the next one, which sees by a lock of the server
//! (`GET_LOCK`) that nobody holds it any more; templates that nobody used for a week go the same way.

mod argument;
mod clean;
mod copy;
mod environment;
mod failure;
mod outcome;
mod run;
mod server;
mod settings;
mod template;

#[doc(hidden)]
pub use argument::argument;
pub use argument::{TestArgument, TestDatabase};
pub use outcome::TestOutcome;
#[doc(hidden)]
pub use run::{Case, run};

#[expect(unused_imports, reason = "named in the documentation")]
use crate::{ConnectOptions, Connection};

//! Schema migrations: a folder of `.sql` files, each applied once, in the order of its version (feature `migrate`).
//!
//! ```no_run
//! use ark_mysql::Pool;
//! use ark_mysql::migrate::Migrator;
//!
//! # async fn example() -> ark_mysql::Result<()> {
//! let pool = Pool::connect("mysql://app:secret@127.0.0.1:3306/shop").await?;
//! Migrator::from_folder("migrations")?.run(&pool).await?; // or `ark_mysql::migrate!("migrations")`, which has the files in the program
//! # Ok(())
//! # }
//! ```
//!
//! # Files
//!
//! `<version>_<name>.sql`; the version is a number (`0001`) or a time (`20260131120000`), and each occurs once. What can be undone is a pair:
//! `<version>_<name>.up.sql` and `<version>_<name>.down.sql`. Other files are left alone. A file holds any number of statements; bodies of routines,
//! triggers and events may stand there as they are, or between lines `DELIMITER //` and `DELIMITER ;` as the `mysql` client has them.
//! Behind `SET sql_mode = 'ORACLE'` they are read as MariaDB reads them then.
//! `cargo ark-mysql migrate add NAME` makes an empty one.
//!
//! # What is remembered
//!
//! The table `_ark_mysql_migrations` of the database has a row for each file that was begun: its SHA-256 (line ends do not count), how many of its
//! statements are done, and whether one was begun and not seen to end.
//!
//! These servers commit every DDL statement by itself: no transaction can undo half a file. So every statement that is done is recorded (with it, in one
//! transaction, if it is an INSERT, UPDATE, DELETE or REPLACE). After a failure, mend the statement that failed and run again: the file goes on where it
//! stopped, with the `SET` and `USE` statements in front of that repeated. What is done already must stay in the file as it is.
//! If the connection broke while a statement ran, nobody can know what became of it: then [`Migrator::run`] says so and refuses until
//! [`Migrator::resolve`] (`cargo ark-mysql migrate resolve`) tells.
//!
//! # Who may run
//!
//! One at a time for each database: a lock of the server (`GET_LOCK`), held by a connection of its own, which is given back whatever happens, because it ends
//! with that connection. Who waits longer than [`Migrator::lock_timeout`] gets an error that names the holder. The lock is one server's: in a cluster whose
//! nodes all take writes, send migrations to one node.
//!
//! Each file begins in a fresh session. A statement waits for other users of its table for a minute, not for the server's day or year: see
//! [`Migrator::table_timeout`].
//!
//! # From sqlx
//!
//! Folders of sqlx work as they are. A database that sqlx migrated has its table `_sqlx_migrations`: [`Migrator::adopt_sqlx`] takes over what stands
//! there, after comparing its checksums with the files.

mod apply;
mod checksum;
mod error;
mod files;
mod lock;
mod migrator;
mod progress;
mod session;
mod sqlx;
mod state;
mod table;
mod work;

pub use error::{FailedStatement, MigrateError};
pub use files::{Migration, Script};
pub use migrator::{Migrator, Report};
pub use progress::Progress;
pub use state::{MigrationInfo, State};

/// The table in which every database remembers its migrations.
pub const TABLE: &str = "_ark_mysql_migrations";

/// SHA-256 of a text, as 64 hex digits.
#[cfg(feature = "macros")]
pub(crate) fn checksum_of(text: &str) -> String {
    checksum::of_file(text)
}

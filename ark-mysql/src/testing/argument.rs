//! What a test can ask for.

use crate::config::ConnectOptions;
use crate::connection::Connection;
use crate::error::Error;
use crate::pool::{Pool, PoolConnection};

/// Many tests at once must not use up the server's connections.
const POOL_SIZE: usize = 5;

/// The database of a test.
#[derive(Clone, Debug)]
pub struct TestDatabase {
    pub(super) name: String,
    pub(super) options: ConnectOptions,
}

impl TestDatabase {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How to connect to it.
    pub fn options(&self) -> &ConnectOptions {
        &self.options
    }
}

/// What a function under `#[ark_mysql::test]` can take.
#[diagnostic::on_unimplemented(
    message = "a test cannot take `{Self}`",
    note = "it takes any of `Pool`, `Connection`, `PoolConnection`, `ConnectOptions`, `TestDatabase`, by value"
)]
pub trait TestArgument: Sized {
    /// Makes it for a test.
    ///
    /// # Errors
    /// Those of connecting.
    fn make(database: &TestDatabase) -> impl Future<Output = Result<Self, Error>>;
}

impl TestArgument for TestDatabase {
    async fn make(database: &TestDatabase) -> Result<Self, Error> {
        Ok(database.clone())
    }
}

impl TestArgument for ConnectOptions {
    async fn make(database: &TestDatabase) -> Result<Self, Error> {
        Ok(database.options.clone())
    }
}

impl TestArgument for Connection {
    async fn make(database: &TestDatabase) -> Result<Self, Error> {
        Self::connect(&database.options).await
    }
}

impl TestArgument for Pool {
    async fn make(database: &TestDatabase) -> Result<Self, Error> {
        Self::builder()
            .max_connections(POOL_SIZE)
            .connect_lazy(&database.options)
    }
}

impl TestArgument for PoolConnection {
    async fn make(database: &TestDatabase) -> Result<Self, Error> {
        Pool::make(database).await?.acquire().await
    }
}

/// For the attribute: an argument, or the end of the test.
///
/// # Panics
/// Where it cannot be made.
#[doc(hidden)]
pub async fn argument<A: TestArgument>(database: &TestDatabase) -> A {
    match A::make(database).await {
        Ok(argument) => argument,
        Err(error) => panic!(
            "cannot connect to the test database {}: {error}",
            database.name
        ),
    }
}

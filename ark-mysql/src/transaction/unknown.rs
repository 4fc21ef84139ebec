use crate::connection::Connection;
use crate::error::Error;
use crate::executor::Executor;

/// What is needed to find out about a COMMIT that was sent and not answered: see
/// [`Error::unknown_commit`](crate::Error::unknown_commit).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCommit {
    connection_id: u32,
    server: Option<Box<str>>,
    server_version: Box<str>,
    last_gtid: Option<Box<str>>,
}

impl UnknownCommit {
    pub(crate) fn of(connection: &Connection) -> Self {
        Self {
            connection_id: connection.id(),
            server: connection
                .endpoint()
                .map(|endpoint| endpoint.to_string().into()),
            server_version: connection.server_version().into(),
            last_gtid: connection.last_gtid().map(Box::from),
        }
    }

    /// The number that the connection had at the server: as in its process list, logs and binary log.
    pub fn connection_id(&self) -> u32 {
        self.connection_id
    }

    /// Where the COMMIT went: the host and port, or the socket, of the address.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// The GTID of what was committed last on that connection before: the transaction in question, if it took place, comes after it. Where the
    /// server reports them: see [`Connection::last_gtid`].
    pub fn last_gtid(&self) -> Option<&str> {
        self.last_gtid.as_deref()
    }

    /// The version of the server that got the COMMIT.
    pub fn server_version(&self) -> &str {
        &self.server_version
    }

    /// Whether the server has done with that connection: then what the database holds is the truth about the transaction, while
    /// before it may still be about to commit. Ask the same server, as the same user.
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn is_settled(&self, on: impl Executor) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM information_schema.processlist WHERE id = ?";
        let row = crate::query(sql)
            .bind(self.connection_id)
            .fetch_one(on)
            .await?;
        Ok(row.get::<i64>(0)? == 0)
    }
}

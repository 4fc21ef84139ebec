/// What went wrong, as one word to match on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A URL or an option is not valid, or options contradict each other.
    Configuration,
    /// No connection could be made: name resolution, refused, unreachable, the server turned us away before the login.
    Connect,
    /// TLS was required and could not be had, or the certificate was not accepted.
    Tls,
    /// The server, or our own policy about secrets, refused the login.
    Authentication,
    /// The server answered the statement with an error: see [`Error::server`](super::Error::server).
    Server,
    /// The statement was ended by `KILL QUERY` (1317). A transaction goes on without it.
    Interrupted,
    /// The server takes no writes (1290, 1792, 1836): it is a replica, or has become one. A pool opens new connections then, by
    /// the name that it was given. A write in a transaction that was begun as read-only is `Server`.
    ReadOnly,
    /// `fetch_one` found no row.
    RowNotFound,
    /// The columns that came are not those that the statement was checked with; or `verify_schema!` found such statements.
    SchemaChanged,
    /// A column that was checked to be NOT NULL held a NULL: the schema has changed since, or an alias such as `name!` says too much.
    UnexpectedNull,
    /// A value of a row could not become the Rust type asked for.
    Decode,
    /// A parameter cannot be sent: out of the range of the SQL type, too many, too long.
    Encode,
    /// The command is larger than the server or the `max_send` setting allows; it was not sent.
    TooLarge,
    /// The link broke while the connection was in use; or the server said that it ends the connection (1927, 3169) or itself (1053).
    ConnectionLost,
    /// The connection was closed earlier: by an error, by a cancelled query with too much left to read, or by `close`.
    ConnectionClosed,
    /// The server sent something that makes no sense; the connection was closed.
    Protocol,
    /// The session settings (utf8mb4, time zone) were refused; the connection was closed.
    SessionSetup,
    /// A deadline passed.
    Timeout,
    /// No connection of the pool became free in time, or too many were waiting already.
    PoolTimeout,
    /// The pool was closed.
    PoolClosed,
    /// The server ended the transaction: deadlock, lock wait, implicit commit. Nothing more runs through this object.
    TransactionEnded,
    /// `COMMIT` was sent and no answer came: the transaction may or may not have been committed.
    CommitOutcomeUnknown,
    /// A migration failed, or could not begin: the [`source`](std::error::Error::source) is a `MigrateError`.
    Migration,
    /// `LOAD DATA LOCAL INFILE`: the server asked for a file that was not given with the statement, or the reader that was given failed.
    LocalInfile,
    /// This server or this setting does not support what was asked.
    Unsupported,
    /// An error of your own, handed through `for_each` by [`Error::other`](super::Error::other).
    Other,
}

impl ErrorKind {
    /// The first words of the message.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Configuration => "the settings are not valid",
            Self::Connect => "cannot connect",
            Self::Tls => "cannot secure the connection by TLS",
            Self::Authentication => "the login was refused",
            Self::Server => "the server refused the statement",
            Self::Interrupted => "the statement was interrupted",
            Self::ReadOnly => "the server takes no writes",
            Self::RowNotFound => "no row was found",
            Self::SchemaChanged => "the schema is not the one that was checked",
            Self::UnexpectedNull => "a NULL came in a NOT NULL column",
            Self::Decode => "a value does not fit its Rust type",
            Self::Encode => "a parameter cannot be sent",
            Self::TooLarge => "the command is too large",
            Self::ConnectionLost => "the connection to the server was lost",
            Self::ConnectionClosed => "the connection is closed",
            Self::Protocol => "the server sent something that makes no sense",
            Self::SessionSetup => "the server refused the session settings",
            Self::Timeout => "the deadline passed",
            Self::PoolTimeout => "no connection of the pool became free in time",
            Self::PoolClosed => "the pool is closed",
            Self::TransactionEnded => "the server has ended this transaction",
            Self::CommitOutcomeUnknown => "it is unknown whether the transaction was committed",
            Self::Migration => "the database was not migrated",
            Self::LocalInfile => "a local file could not be sent",
            Self::Unsupported => "not supported",
            Self::Other => "stopped by the caller",
        }
    }
}

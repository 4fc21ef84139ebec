use crate::Summary;

/// The handle of a prepared statement: valid on its connection, until it is closed or the session reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementId(u32);

impl StatementId {
    /// MariaDB: the statement prepared last on this connection, so that PREPARE and EXECUTE can travel together.
    pub const LAST_PREPARED: Self = Self(u32::MAX);

    /// Takes the number that the server gave.
    pub const fn new(id: u32) -> Self {
        Self(id)
    }

    /// The number that the server gave.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// What a reply consists of. The bytes belonging to an event are borrowed by [`Session::payload`](crate::Session::payload).
///
/// ```text
/// PREPARE            Prepared (ParamDefinitions)? (ColumnDefinitions)? PreparedEnd
/// QUERY, EXECUTE     ( ResultSet (ColumnDefinitions)? Row* ResultSetEnd | Done )+     the last one without status.more_results()
/// PING, RESET …      Done
/// ```
/// `Failed` may come in place of any of them, and ends the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A statement was prepared.
    Prepared {
        /// Its handle.
        id: StatementId,
        /// How many parameters it has.
        params: u16,
        /// How many columns its rows will have; 0 if it gives none, or if the server does not know yet (`CALL`).
        columns: u16,
    },
    /// The parameters' definitions. Payload: the packets with their 4-byte headers, to be read with [`definitions`](super::definitions).
    ParamDefinitions {
        /// How many.
        count: u16,
    },
    /// Rows will come.
    ResultSet {
        /// How many columns they have.
        columns: u16,
        /// False: MariaDB left the definitions out, because the last ones that it sent for this statement still hold.
        definitions: bool,
    },
    /// The columns' definitions. Payload: the packets with their 4-byte headers, to be compared as bytes or read with [`definitions`](super::definitions).
    ColumnDefinitions {
        /// How many.
        count: u16,
    },
    /// The reply to PREPARE is over.
    PreparedEnd,
    /// A row. Payload: the row packet.
    Row,
    /// The rows of one result are over.
    ResultSetEnd(Summary),
    /// A statement without rows, or a command, was carried out.
    Done(Summary),
    /// The server answered with an error: [`Session::server_error`](crate::Session::server_error). The reply is over, the session is not.
    Failed,
    /// The server asked for the file that the query came with: [`Session::send_file`](crate::Session::send_file) and
    /// [`end_file`](crate::Session::end_file). An error or the statement's end follows.
    FileWanted,
    /// The server asked for a local file. It was refused; an error or the statement's end follows.
    LocalInfile,
}

use std::fmt;

/// The server's status flags, as sent with the last OK or end-of-rows packet.
///
/// See [`SERVER_STATUS_flags_enum`](https://dev.mysql.com/doc/dev/mysql-server/latest/mysql__com_8h.html).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Status(u16);

impl Status {
    const IN_TRANSACTION: u16 = 0x0001;
    const AUTOCOMMIT: u16 = 0x0002;
    const MORE_RESULTS: u16 = 0x0008;
    const CURSOR_EXISTS: u16 = 0x0040;
    const LAST_ROW_SENT: u16 = 0x0080;
    const NO_BACKSLASH_ESCAPES: u16 = 0x0200;
    const METADATA_CHANGED: u16 = 0x0400;
    const OUT_PARAMETERS: u16 = 0x1000;
    const IN_READ_ONLY_TRANSACTION: u16 = 0x2000;
    const SESSION_STATE_CHANGED: u16 = 0x4000;

    /// Takes the flags as they stand on the wire.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The flags as they stand on the wire.
    pub const fn bits(self) -> u16 {
        self.0
    }

    const fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    /// A transaction is open. With `autocommit=0` this is set by the first statement that touches a table.
    pub const fn in_transaction(self) -> bool {
        self.has(Self::IN_TRANSACTION)
    }

    /// The open transaction is read-only.
    pub const fn in_read_only_transaction(self) -> bool {
        self.has(Self::IN_READ_ONLY_TRANSACTION)
    }

    /// Statements outside a transaction commit by themselves.
    pub const fn autocommit(self) -> bool {
        self.has(Self::AUTOCOMMIT)
    }

    /// Another result of the same command follows.
    pub const fn more_results(self) -> bool {
        self.has(Self::MORE_RESULTS)
    }

    /// The rows wait in a server-side cursor.
    pub const fn cursor_exists(self) -> bool {
        self.has(Self::CURSOR_EXISTS)
    }

    /// The cursor has no more rows.
    pub const fn last_row_sent(self) -> bool {
        self.has(Self::LAST_ROW_SENT)
    }

    /// A backslash in a string literal stands for itself (`sql_mode` has `NO_BACKSLASH_ESCAPES`).
    pub const fn no_backslash_escapes(self) -> bool {
        self.has(Self::NO_BACKSLASH_ESCAPES)
    }

    /// The result that ends here holds the values of `OUT` parameters.
    pub const fn out_parameters(self) -> bool {
        self.has(Self::OUT_PARAMETERS)
    }

    /// The number of columns of a prepared statement has changed since it was prepared.
    pub const fn metadata_changed(self) -> bool {
        self.has(Self::METADATA_CHANGED)
    }

    /// The packet carried session tracking data.
    pub(crate) const fn session_state_changed(self) -> bool {
        self.has(Self::SESSION_STATE_CHANGED)
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Status({:#06x})", self.0)
    }
}

/// What an OK or end-of-rows packet says about the statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows changed, or found: as the server counts them for this statement.
    pub affected_rows: u64,
    /// The first generated `AUTO_INCREMENT` value, or 0.
    pub last_insert_id: u64,
    /// The status flags after the statement.
    pub status: Status,
    /// How many warnings `SHOW WARNINGS` would list.
    pub warnings: u16,
}

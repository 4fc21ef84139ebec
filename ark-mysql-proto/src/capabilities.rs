use std::fmt;

/// Which family a server belongs to. They speak one protocol with different extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavor {
    /// Oracle MySQL, Percona Server.
    MySql,
    /// MariaDB: told by capability bit 0 being clear, because the version string is anybody's guess.
    MariaDb,
}

/// The capability flags: the 32 common ones, and above them MariaDB's 32 extended ones.
///
/// See [capabilities flags](https://dev.mysql.com/doc/dev/mysql-server/latest/group__group__cs__capabilities__flags.html)
/// and [MariaDB's](https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection#capabilities).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(u64);

impl Capabilities {
    /// MySQL sets this bit; MariaDB leaves it clear and only reads extended capabilities from clients which do so too.
    pub const MYSQL: Self = Self(1);
    /// Column flags have two bytes.
    pub const LONG_FLAG: Self = Self(1 << 2);
    /// The login names a database.
    pub const CONNECT_WITH_DB: Self = Self(1 << 3);
    /// `LOAD DATA LOCAL` is allowed to ask the client for files. Sent by option.
    pub const LOCAL_FILES: Self = Self(1 << 7);
    /// The 4.1 protocol: the only one spoken here.
    pub const PROTOCOL_41: Self = Self(1 << 9);
    /// The connection can be encrypted.
    pub const TLS: Self = Self(1 << 11);
    /// Status flags tell about transactions.
    pub const TRANSACTIONS: Self = Self(1 << 13);
    /// The scramble is 20 bytes long.
    pub const SECURE_CONNECTION: Self = Self(1 << 15);
    /// Several statements in one query. Never sent.
    pub const MULTI_STATEMENTS: Self = Self(1 << 16);
    /// Several results to one query: `CALL`.
    pub const MULTI_RESULTS: Self = Self(1 << 17);
    /// Several results to one execution.
    pub const PS_MULTI_RESULTS: Self = Self(1 << 18);
    /// Authentication plugins have names.
    pub const PLUGIN_AUTH: Self = Self(1 << 19);
    /// The login carries attributes for `performance_schema`.
    pub const CONNECT_ATTRS: Self = Self(1 << 20);
    /// The authentication answer may be longer than 255 bytes.
    pub const PLUGIN_AUTH_LENENC: Self = Self(1 << 21);
    /// OK packets carry changes of the session's state.
    pub const SESSION_TRACK: Self = Self(1 << 23);
    /// Rows end with an OK packet, and definitions with nothing, instead of EOF packets.
    pub const DEPRECATE_EOF: Self = Self(1 << 24);
    /// MariaDB: `COM_STMT_BULK_EXECUTE`.
    pub const MARIADB_BULK: Self = Self(1 << (32 + 2));
    /// MariaDB: definitions name JSON, UUID, INET and geometry types.
    pub const MARIADB_EXTENDED_METADATA: Self = Self(1 << (32 + 3));
    /// MariaDB: an execution leaves out definitions which it has sent before.
    pub const MARIADB_CACHE_METADATA: Self = Self(1 << (32 + 4));

    /// Takes the common flags and MariaDB's extended ones.
    pub(crate) const fn new(common: u32, extended: u32) -> Self {
        let [a, b, c, d] = common.to_le_bytes();
        let [e, f, g, h] = extended.to_le_bytes();
        Self(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    /// The common flags.
    pub(crate) const fn common(self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.0.to_le_bytes();
        [a, b, c, d]
    }

    /// MariaDB's extended flags.
    pub(crate) const fn extended(self) -> [u8; 4] {
        let [.., a, b, c, d] = self.0.to_le_bytes();
        [a, b, c, d]
    }

    /// Whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn or_if(self, condition: bool, other: Self) -> Self {
        if condition { self.or(other) } else { self }
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capabilities({:#018x})", self.0)
    }
}

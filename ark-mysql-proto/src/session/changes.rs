/// What the server reported about the session's state, collected over all replies since it was last asked for.
///
/// Only what the server is told to track is reported: by default the schema and a few variables, the character sets among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes(u8);

impl Changes {
    pub(crate) const SCHEMA: Self = Self(1);
    pub(crate) const VARIABLES: Self = Self(2);
    pub(crate) const STATE: Self = Self(4);
    pub(crate) const FOREIGN_CHARSET: Self = Self(8);

    /// The default database was set or changed.
    pub const fn schema(self) -> bool {
        self.has(Self::SCHEMA)
    }

    /// A system variable was set.
    pub const fn variables(self) -> bool {
        self.has(Self::VARIABLES)
    }

    /// Something that a reset would undo was done (needs `session_track_state_change=ON`).
    pub const fn state(self) -> bool {
        self.has(Self::STATE)
    }

    /// `character_set_client`, `_connection` or `_results` was set to something else than utf8mb4: strings are not what they seem from here on.
    pub const fn foreign_charset(self) -> bool {
        self.has(Self::FOREIGN_CHARSET)
    }

    /// Nothing was reported.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

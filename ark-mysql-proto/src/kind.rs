//! The SQL types that the library tells apart: a closed list, shared by driver, checker and cache.

use std::fmt;

/// How a kind's values stand in a binary row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// One byte, signed.
    I8,
    /// One byte, unsigned.
    U8,
    /// Two bytes, signed.
    I16,
    /// Two bytes, unsigned (YEAR too).
    U16,
    /// Four bytes, signed (MEDIUMINT too).
    I32,
    /// Four bytes, unsigned.
    U32,
    /// Eight bytes, signed.
    I64,
    /// Eight bytes, unsigned.
    U64,
    /// Four bytes, IEEE 754.
    F32,
    /// Eight bytes, IEEE 754.
    F64,
    /// A length-encoded string of ASCII digits, sign and point.
    Decimal,
    /// A length-encoded string of UTF-8.
    Text,
    /// A length-encoded string of anything.
    Bytes,
    /// A length-encoded big-endian integer of up to eight bytes.
    Bit,
    /// One length byte (0, 4, 7 or 11), then year, month, day, hour, minute, second, microseconds.
    DateTime,
    /// One length byte (0, 8 or 12), then sign, days, hours, minutes, seconds, microseconds.
    Time,
    /// Always NULL: no bytes.
    Null,
}

macro_rules! kinds {
    ($($name:ident $sql:literal $wire:ident,)*) => {
        /// An SQL type, as far as decoding and typing need to know it. Lengths, precisions and collations are not part of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $(#[doc = concat!("`", $sql, "`")] $name,)*
        }

        impl Kind {
            /// Every kind, in the order of the list.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// The type as one would write it in SQL: `BIGINT UNSIGNED`. Several types where servers send them alike: `CHAR/VARCHAR/TEXT`.
            pub const fn sql_name(self) -> &'static str {
                match self { $(Kind::$name => $sql,)* }
            }

            /// The name of the zero-sized type in `ark_mysql::kind`; it is also the name in the offline cache.
            pub const fn zst(self) -> &'static str {
                match self { $(Kind::$name => stringify!($name),)* }
            }

            /// How its values stand in a binary row.
            pub const fn wire(self) -> Wire {
                match self { $(Kind::$name => Wire::$wire,)* }
            }

            /// Reads the name written by [`zst`](Self::zst); `None` for everything that is not on the list.
            pub fn from_cache_name(name: &str) -> Option<Kind> {
                match name { $(stringify!($name) => Some(Kind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    TinyInt "TINYINT" I8,
    TinyIntUnsigned "TINYINT UNSIGNED" U8,
    Bool "BOOL" I8,
    SmallInt "SMALLINT" I16,
    SmallIntUnsigned "SMALLINT UNSIGNED" U16,
    MediumInt "MEDIUMINT" I32,
    MediumIntUnsigned "MEDIUMINT UNSIGNED" U32,
    Int "INT" I32,
    IntUnsigned "INT UNSIGNED" U32,
    BigInt "BIGINT" I64,
    BigIntUnsigned "BIGINT UNSIGNED" U64,
    Float "FLOAT" F32,
    Double "DOUBLE" F64,
    Decimal "DECIMAL" Decimal,
    Text "CHAR/VARCHAR/TEXT" Text,
    Bytes "BINARY/VARBINARY/BLOB" Bytes,
    Date "DATE" DateTime,
    DateTime "DATETIME" DateTime,
    Timestamp "TIMESTAMP" DateTime,
    Time "TIME" Time,
    Year "YEAR" U16,
    Bit1 "BIT(1)" Bit,
    Bit "BIT" Bit,
    Json "JSON" Text,
    Enum "ENUM" Text,
    Set "SET" Text,
    Geometry "GEOMETRY" Bytes,
    Vector "VECTOR" Bytes,
    Uuid "UUID" Text,
    Inet4 "INET4" Text,
    Inet6 "INET6" Text,
    Null "NULL" Null,
}

impl Kind {
    /// Whether it holds integers of some width; YEAR and BIT are not meant.
    pub const fn is_integer(self) -> bool {
        matches!(
            self,
            Self::TinyInt
                | Self::TinyIntUnsigned
                | Self::Bool
                | Self::SmallInt
                | Self::SmallIntUnsigned
                | Self::MediumInt
                | Self::MediumIntUnsigned
                | Self::Int
                | Self::IntUnsigned
                | Self::BigInt
                | Self::BigIntUnsigned
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sql_name())
    }
}

/// A type code in a column definition that is not on the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownType {
    /// The code as sent.
    pub code: u8,
}

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the server sent a column of the unknown type {}: CAST it to a type that is known",
            self.code
        )
    }
}

impl std::error::Error for UnknownType {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_names_round_trip_and_nothing_else_is_accepted() {
        for &kind in Kind::ALL {
            assert_eq!(Kind::from_cache_name(kind.zst()), Some(kind));
        }
        assert_eq!(Kind::from_cache_name("bigint"), None);
        assert_eq!(Kind::from_cache_name("BigInt "), None);
    }
}

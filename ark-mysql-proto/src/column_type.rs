//! The one-byte type codes of column definitions and parameters, and what `Kind` makes of them.
//!
//! <https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html>

use crate::kind::{Kind, UnknownType};
use crate::packet::column::ColumnDefinition;

/// The type code of a column or a parameter on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColumnType(pub u8);

#[expect(missing_docs, reason = "the names are those of the manual")]
impl ColumnType {
    pub const DECIMAL: Self = Self(0);
    pub const TINY: Self = Self(1);
    pub const SHORT: Self = Self(2);
    pub const LONG: Self = Self(3);
    pub const FLOAT: Self = Self(4);
    pub const DOUBLE: Self = Self(5);
    pub const NULL: Self = Self(6);
    pub const TIMESTAMP: Self = Self(7);
    pub const LONGLONG: Self = Self(8);
    pub const INT24: Self = Self(9);
    pub const DATE: Self = Self(10);
    pub const TIME: Self = Self(11);
    pub const DATETIME: Self = Self(12);
    pub const YEAR: Self = Self(13);
    pub const VARCHAR: Self = Self(15);
    pub const BIT: Self = Self(16);
    pub const VECTOR: Self = Self(242);
    pub const JSON: Self = Self(245);
    pub const NEWDECIMAL: Self = Self(246);
    pub const ENUM: Self = Self(247);
    pub const SET: Self = Self(248);
    pub const TINY_BLOB: Self = Self(249);
    pub const MEDIUM_BLOB: Self = Self(250);
    pub const LONG_BLOB: Self = Self(251);
    pub const BLOB: Self = Self(252);
    pub const VAR_STRING: Self = Self(253);
    pub const STRING: Self = Self(254);
    pub const GEOMETRY: Self = Self(255);
}

/// The flag bits of a column definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColumnFlags(pub u16);

impl ColumnFlags {
    const NOT_NULL: u16 = 1;
    const PRIMARY_KEY: u16 = 1 << 1;
    const UNSIGNED: u16 = 1 << 5;
    const ZEROFILL: u16 = 1 << 6;
    const ENUM: u16 = 1 << 8;
    const AUTO_INCREMENT: u16 = 1 << 9;
    const SET: u16 = 1 << 11;
    const NO_DEFAULT: u16 = 1 << 12;

    const fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    /// The server promises that no NULL comes. Not always true: see `ark-mysql-check`'s inference.
    pub const fn not_null(self) -> bool {
        self.has(Self::NOT_NULL)
    }

    /// Part of the primary key.
    pub const fn primary_key(self) -> bool {
        self.has(Self::PRIMARY_KEY)
    }

    /// UNSIGNED; MariaDB also sets it on TIMESTAMP, UUID and INET columns, where it means nothing.
    pub const fn unsigned(self) -> bool {
        self.has(Self::UNSIGNED)
    }

    /// ZEROFILL, which makes the column UNSIGNED too.
    pub const fn zerofill(self) -> bool {
        self.has(Self::ZEROFILL)
    }

    /// An ENUM column (sent with the type of a string).
    pub const fn is_enum(self) -> bool {
        self.has(Self::ENUM)
    }

    /// A SET column (sent with the type of a string).
    pub const fn is_set(self) -> bool {
        self.has(Self::SET)
    }

    /// AUTO_INCREMENT: an INSERT may leave it out or give NULL.
    pub const fn auto_increment(self) -> bool {
        self.has(Self::AUTO_INCREMENT)
    }

    /// NOT NULL without a default: an INSERT has to name it.
    pub const fn no_default(self) -> bool {
        self.has(Self::NO_DEFAULT)
    }
}

/// The pseudo character set of everything that is not text.
const BINARY_CHARSET: u16 = 63;

impl Kind {
    /// What a definition says that its column is.
    ///
    /// # Errors
    /// A type code that no server of this century sends in a result.
    pub fn of(definition: &ColumnDefinition<'_>) -> Result<Kind, UnknownType> {
        let flags = definition.flags;
        Ok(match definition.column_type {
            // BOOL is TINYINT(1): a display width of 1 is all that remains of it.
            ColumnType::TINY if definition.length == 1 && !flags.unsigned() => Kind::Bool,
            ColumnType::TINY => signed_or(flags, Kind::TinyInt, Kind::TinyIntUnsigned),
            ColumnType::SHORT => signed_or(flags, Kind::SmallInt, Kind::SmallIntUnsigned),
            ColumnType::INT24 => signed_or(flags, Kind::MediumInt, Kind::MediumIntUnsigned),
            ColumnType::LONG => signed_or(flags, Kind::Int, Kind::IntUnsigned),
            ColumnType::LONGLONG => signed_or(flags, Kind::BigInt, Kind::BigIntUnsigned),
            ColumnType::FLOAT => Kind::Float,
            ColumnType::DOUBLE => Kind::Double,
            ColumnType::DECIMAL | ColumnType::NEWDECIMAL => Kind::Decimal,
            ColumnType::NULL => Kind::Null,
            ColumnType::DATE => Kind::Date,
            ColumnType::TIME => Kind::Time,
            ColumnType::DATETIME => Kind::DateTime,
            ColumnType::TIMESTAMP => Kind::Timestamp,
            ColumnType::YEAR => Kind::Year,
            ColumnType::BIT if definition.length == 1 => Kind::Bit1,
            ColumnType::BIT => Kind::Bit,
            ColumnType::JSON => Kind::Json,
            ColumnType::GEOMETRY => Kind::Geometry,
            ColumnType::VECTOR => Kind::Vector,
            ColumnType::ENUM => Kind::Enum,
            ColumnType::SET => Kind::Set,
            ColumnType::VARCHAR
            | ColumnType::VAR_STRING
            | ColumnType::STRING
            | ColumnType::TINY_BLOB
            | ColumnType::MEDIUM_BLOB
            | ColumnType::LONG_BLOB
            | ColumnType::BLOB => string_kind(definition),
            ColumnType(code) => return Err(UnknownType { code }),
        })
    }
}

fn signed_or(flags: ColumnFlags, signed: Kind, unsigned: Kind) -> Kind {
    if flags.unsigned() { unsigned } else { signed }
}

/// Strings of all sorts: ENUM and SET by flag, MariaDB's own types by their extended names, then text or bytes by
/// character set 63 alone (the BINARY flag is also set for `_bin` collations).
fn string_kind(definition: &ColumnDefinition<'_>) -> Kind {
    if definition.flags.is_enum() {
        return Kind::Enum;
    }
    if definition.flags.is_set() {
        return Kind::Set;
    }
    match (definition.extended_type, definition.extended_format) {
        (Some("uuid"), _) => Kind::Uuid,
        (Some("inet4"), _) => Kind::Inet4,
        (Some("inet6"), _) => Kind::Inet6,
        (_, Some("json")) => Kind::Json,
        _ if definition.charset == BINARY_CHARSET => Kind::Bytes,
        _ => Kind::Text,
    }
}

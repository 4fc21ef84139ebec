//! The SQL types as Rust types: zero-sized, so that the compiler can check what fits what.
//!
//! Generated code names them (`NotNull<kind::BigInt>`), error messages show them.

use crate::types;

/// A kind: knows the Rust type that its values become unless another one is asked for.
pub trait SqlType {
    /// That type, for columns that are never NULL.
    type Rust;
}

macro_rules! kinds {
    ($($name:ident $sql:literal $rust:ty,)*) => {
        $(
            #[doc = $sql]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $name;

            impl SqlType for $name {
                type Rust = $rust;
            }
        )*

        /// Fails to compile when a kind is missing here, or too many.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

// Without their features the columns are still readable: by our own types, and as text.
#[cfg(feature = "chrono")]
type DefaultDate = chrono::NaiveDate;
#[cfg(feature = "chrono")]
type DefaultDateTime = chrono::NaiveDateTime;
#[cfg(feature = "chrono")]
type DefaultTimestamp = chrono::DateTime<chrono::Utc>;
#[cfg(not(feature = "chrono"))]
type DefaultDate = types::Date;
#[cfg(not(feature = "chrono"))]
type DefaultDateTime = types::DateTime;
#[cfg(not(feature = "chrono"))]
type DefaultTimestamp = types::DateTime;
#[cfg(feature = "json")]
type DefaultJson = serde_json::Value;
#[cfg(not(feature = "json"))]
type DefaultJson = String;

kinds! {
    TinyInt "`TINYINT`" i8,
    TinyIntUnsigned "`TINYINT UNSIGNED`" u8,
    Bool "`BOOL`, which is `TINYINT(1)`" bool,
    SmallInt "`SMALLINT`" i16,
    SmallIntUnsigned "`SMALLINT UNSIGNED`" u16,
    MediumInt "`MEDIUMINT`" i32,
    MediumIntUnsigned "`MEDIUMINT UNSIGNED`" u32,
    Int "`INT`" i32,
    IntUnsigned "`INT UNSIGNED`" u32,
    BigInt "`BIGINT`, and every computed integer" i64,
    BigIntUnsigned "`BIGINT UNSIGNED`" u64,
    Float "`FLOAT`" f32,
    Double "`DOUBLE`" f64,
    Decimal "`DECIMAL`" types::Decimal,
    Text "`CHAR`, `VARCHAR`, `TEXT` of any size" String,
    Bytes "`BINARY`, `VARBINARY`, `BLOB` of any size" Vec<u8>,
    Date "`DATE`" DefaultDate,
    DateTime "`DATETIME`" DefaultDateTime,
    Timestamp "`TIMESTAMP`" DefaultTimestamp,
    Time "`TIME`" types::Time,
    Year "`YEAR`" u16,
    Bit1 "`BIT(1)`" bool,
    Bit "`BIT(2)` to `BIT(64)`" u64,
    Json "`JSON`" DefaultJson,
    Enum "`ENUM`" String,
    Set "`SET`" String,
    Geometry "`GEOMETRY`, `POINT` and the like" types::Geometry,
    Vector "`VECTOR`" Vec<f32>,
    Uuid "MariaDB's `UUID`" String,
    Inet4 "MariaDB's `INET4`" String,
    Inet6 "MariaDB's `INET6`" String,
    Null "`NULL`, of no other type" String,
}

/// The kind of a parameter that the server did not type: every value that can be sent fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Any;

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_one_for_each_kind_of_the_wire() {
        let wire: Vec<_> = ark_mysql_proto::Kind::ALL
            .iter()
            .map(|kind| kind.zst())
            .collect();
        assert_eq!(super::NAMES, wire);
    }
}

//! The SQL types as Rust types: zero-sized, so that the compiler can check what fits what.
//!
//! Generated code names them (`NotNull<kind::BigInt>`), error messages show them.

macro_rules! kinds {
    ($($name:ident $sql:literal,)*) => {
        $(
            #[doc = $sql]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $name;

            impl super::TakesNull for $name {}
            impl<V> super::labels::TakesVariants<V> for $name {}
        )*

        /// Fails to compile when a kind is missing here, or too many.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    TinyInt "`TINYINT`",
    TinyIntUnsigned "`TINYINT UNSIGNED`",
    Bool "`BOOL`, which is `TINYINT(1)`",
    SmallInt "`SMALLINT`",
    SmallIntUnsigned "`SMALLINT UNSIGNED`",
    MediumInt "`MEDIUMINT`",
    MediumIntUnsigned "`MEDIUMINT UNSIGNED`",
    Int "`INT`",
    IntUnsigned "`INT UNSIGNED`",
    BigInt "`BIGINT`, and every computed integer",
    BigIntUnsigned "`BIGINT UNSIGNED`",
    Float "`FLOAT`",
    Double "`DOUBLE`",
    Decimal "`DECIMAL`",
    Text "`CHAR`, `VARCHAR`, `TEXT` of any size",
    Bytes "`BINARY`, `VARBINARY`, `BLOB` of any size",
    Date "`DATE`",
    DateTime "`DATETIME`",
    Timestamp "`TIMESTAMP`",
    Time "`TIME`",
    Year "`YEAR`",
    Bit1 "`BIT(1)`",
    Bit "`BIT(2)` to `BIT(64)`",
    Json "`JSON`",
    Enum "`ENUM`",
    Set "`SET`",
    Geometry "`GEOMETRY`, `POINT` and the like",
    Vector "`VECTOR`",
    Uuid "MariaDB's `UUID`",
    Inet4 "MariaDB's `INET4`",
    Inet6 "MariaDB's `INET6`",
    Null "`NULL`, of no other type",
}

/// The kind of a parameter of which nothing is known: every value that can be sent fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Any;

impl super::TakesNull for Any {}
impl<V> super::labels::TakesVariants<V> for Any {}

/// The kind of a parameter of LIMIT and OFFSET: an unsigned integer. (MariaDB reads a negative one as no limit at all.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit;

impl<V> super::labels::TakesVariants<V> for Limit {}

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

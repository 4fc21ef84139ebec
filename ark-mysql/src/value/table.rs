//! Which Rust type goes with which SQL type, asked of the compiler: the documentation's table cannot differ from what compiles.

use std::marker::PhantomData;

use super::{Column, Encode, Kind, NotNull, kind};

/// A Rust type and an SQL type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The SQL type.
    pub kind: Kind,
    /// The Rust type as people write it.
    pub rust: &'static str,
    /// It reads columns of this type.
    pub reads: bool,
    /// It can be compared with them.
    pub compares: bool,
    /// It can be stored in them.
    pub stores: bool,
}

struct Probe<T: ?Sized, K>(PhantomData<K>, PhantomData<T>);

/// What holds if nothing better does: an inherent constant is found before that of a trait.
trait Otherwise {
    const READS: bool = false;
    const SENDS: bool = false;
}

impl<T: ?Sized, K> Otherwise for Probe<T, K> {}

// Of `'static` rows, so that types that borrow are among them.
impl<T: Column<'static, NotNull<K>>, K> Probe<Reads<T>, K> {
    const READS: bool = true;
}

impl<T: Encode<K> + ?Sized, K> Probe<T, K> {
    const SENDS: bool = true;
}

struct Reads<T>(PhantomData<T>);

macro_rules! pairs {
    ([$($kind:ident)*] $types:tt) => {{
        [$(pairs!(@types $kind $types)),*].concat()
    }};
    (@types $kind:ident [$($rust:ty),*]) => {
        vec![$(Pair {
            kind: Kind::$kind,
            rust: stringify!($rust),
            reads: <Probe<Reads<$rust>, kind::$kind>>::READS,
            compares: <Probe<$rust, kind::$kind>>::SENDS,
            stores: <Probe<$rust, NotNull<kind::$kind>>>::SENDS,
        }),*]
    };
}

/// Every SQL type with every Rust type that is not behind a feature, and with those of the features that are on, in a fixed order.
#[must_use]
pub fn pairs() -> Vec<Pair> {
    let mut all = of_std();
    all.extend(of_our_own());
    all.extend(of_features());
    all.sort_by_key(|pair| pair.kind);
    all
}

/// The kinds that the table has.
macro_rules! with_kinds {
    ($types:tt) => {
        pairs! {
            [TinyInt TinyIntUnsigned Bool SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned
                Float Double Decimal Text Bytes Date DateTime Timestamp Time Year Bit1 Bit Json Enum Set Geometry Vector Uuid Inet4 Inet6]
            $types
        }
    };
}

fn of_std() -> Vec<Pair> {
    use std::borrow::Cow;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    use std::sync::Arc;
    with_kinds! {
        [bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, String, &'static str, Cow<'static, str>, Box<str>, Arc<str>,
            Vec<u8>, &'static [u8], Cow<'static, [u8]>, Box<[u8]>, Arc<[u8]>, [u8; 16], Vec<f32>, Ipv4Addr, Ipv6Addr, IpAddr]
    }
}

fn of_our_own() -> Vec<Pair> {
    use crate::types::{Date, DateTime, Decimal, Geometry, Time};
    with_kinds! { [Decimal, Date, DateTime, Time, Geometry] }
}

fn of_features() -> Vec<Pair> {
    let all: Vec<Vec<Pair>> = vec![
        #[cfg(feature = "bigdecimal")]
        with_kinds! { [bigdecimal::BigDecimal] },
        #[cfg(feature = "chrono")]
        {
            use chrono::Utc;
            with_kinds! { [chrono::NaiveDate, chrono::NaiveDateTime, chrono::DateTime<Utc>, chrono::TimeDelta, chrono::NaiveTime] }
        },
        #[cfg(feature = "jiff")]
        with_kinds! { [jiff::civil::Date, jiff::civil::DateTime, jiff::Timestamp, jiff::ZonedDateTime, jiff::SignedDuration, jiff::civil::Time] },
        #[cfg(feature = "json")]
        {
            use crate::types::Json;
            /// A type of somebody's, as far as JSON is concerned.
            type T = Vec<u8>;
            with_kinds! { [serde_json::Value, Json<T>] }
        },
        #[cfg(feature = "rust_decimal")]
        with_kinds! { [rust_decimal::Decimal] },
        #[cfg(feature = "time")]
        with_kinds! { [time::Date, time::PrimitiveDateTime, time::OffsetDateTime, time::Duration, time::Time] },
        #[cfg(feature = "uuid")]
        with_kinds! { [uuid::Uuid, uuid::fmt::Hyphenated, uuid::fmt::Simple] },
    ];
    all.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(kind: Kind, rust: &str) -> (bool, bool, bool) {
        let pair = pairs()
            .into_iter()
            .find(|pair| pair.kind == kind && pair.rust == rust)
            .expect("a pair of the table");
        (pair.reads, pair.compares, pair.stores)
    }

    #[test]
    fn the_table_is_what_compiles() {
        assert_eq!(pair(Kind::Int, "i32"), (true, true, true));
        assert_eq!(pair(Kind::Int, "i64"), (true, true, false));
        assert_eq!(pair(Kind::Int, "u8"), (false, true, true));
        assert_eq!(pair(Kind::Int, "String"), (false, false, false));
        assert_eq!(pair(Kind::Decimal, "f64"), (false, true, false));
        assert_eq!(pair(Kind::Json, "String"), (true, true, true));
        assert_eq!(pair(Kind::Date, "String"), (false, false, false));
        assert_eq!(pair(Kind::Text, "&'static str"), (true, true, true));
        assert_eq!(pair(Kind::Inet4, "Ipv4Addr"), (true, true, true));
        assert_eq!(pair(Kind::Inet6, "Ipv4Addr"), (false, false, false));
    }

    /// What comes out of a column goes back in, for every type but those that read more than one kind by widening.
    #[test]
    fn what_is_the_default_for_reading_can_be_stored() {
        let defaults = [
            (Kind::TinyInt, "i8"),
            (Kind::TinyIntUnsigned, "u8"),
            (Kind::Bool, "bool"),
            (Kind::SmallInt, "i16"),
            (Kind::SmallIntUnsigned, "u16"),
            (Kind::MediumInt, "i32"),
            (Kind::MediumIntUnsigned, "u32"),
            (Kind::Int, "i32"),
            (Kind::IntUnsigned, "u32"),
            (Kind::BigInt, "i64"),
            (Kind::BigIntUnsigned, "u64"),
            (Kind::Float, "f32"),
            (Kind::Double, "f64"),
            (Kind::Decimal, "Decimal"),
            (Kind::Text, "String"),
            (Kind::Bytes, "Vec<u8>"),
            (Kind::Time, "Time"),
            (Kind::Year, "u16"),
            (Kind::Bit1, "bool"),
            (Kind::Bit, "u64"),
            (Kind::Enum, "String"),
            (Kind::Set, "String"),
            (Kind::Geometry, "Geometry"),
            (Kind::Vector, "Vec<f32>"),
            (Kind::Uuid, "String"),
            (Kind::Inet4, "Ipv4Addr"),
            (Kind::Inet6, "Ipv6Addr"),
        ];
        for (kind, rust) in defaults {
            assert_eq!(pair(kind, rust), (true, true, true), "{kind} {rust}");
        }
    }
}

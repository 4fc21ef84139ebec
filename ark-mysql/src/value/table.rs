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

impl<T: for<'r> Column<'r, NotNull<K>>, K> Probe<Reads<T>, K> {
    const READS: bool = true;
}

impl<T: Encode<K>, K> Probe<T, K> {
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

/// Every SQL type with every Rust type of the library's own and the standard library's, in a fixed order.
#[must_use]
pub fn pairs() -> Vec<Pair> {
    use crate::types::{Date, DateTime, Decimal, Geometry, Time};
    pairs! {
        [TinyInt TinyIntUnsigned Bool SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned
            Float Double Decimal Text Bytes Date DateTime Timestamp Time Year Bit1 Bit Json Enum Set Geometry Vector Uuid Inet4 Inet6]
        [bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, Decimal, String, Vec<u8>, [u8; 16], Date, DateTime, Time, Geometry, Vec<f32>]
    }
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
        ];
        for (kind, rust) in defaults {
            assert_eq!(pair(kind, rust), (true, true, true), "{kind} {rust}");
        }
    }
}

//! The columns of a row that is a struct of ours, as one type: what `own_row!` need not write out for each column of each statement.
//!
//! A column is `NotNull` or `Nullable` of a kind; several are a tuple, whose parts may be tuples again. Values are read, copied, compared and shown here.

use std::fmt::{Debug, DebugStruct};
use std::slice::Iter;

use super::kind;
use super::{Column, ColumnSpec, DecodeError, Kind, NotNull, Nullable, Source};

/// A kind with the type that its columns become where nobody asks for another one.
pub trait OwnKind: Sized + 'static {
    /// That type.
    type Rust: Clone + Debug + PartialEq + 'static + for<'r> Column<'r, NotNull<Self>>;
    /// The kind as a value.
    const KIND: Kind;
}

/// Columns that become values of types of ours.
pub trait OwnColumns: 'static {
    /// The values.
    type Owned;
    /// References to them, where they stand in a row's struct.
    type Parts<'a>;
    /// What they are.
    const TOLD: Columns;

    /// How many columns they are.
    const WIDTH: usize;

    /// Reads their values; `first` is the number of the first column.
    ///
    /// # Errors
    /// Names the first column that does not fit.
    fn read<'r, S: Source<'r>>(row: &mut S, first: usize) -> Result<Self::Owned, DecodeError>;

    /// Clones what is in a row.
    fn cloned(parts: Self::Parts<'_>) -> Self::Owned;

    /// Compares two rows.
    fn same(one: Self::Parts<'_>, other: Self::Parts<'_>) -> bool;

    /// Shows each as a field that is called by the next name.
    fn show(parts: Self::Parts<'_>, names: &mut Iter<'_, &str>, out: &mut DebugStruct<'_, '_>);
}

/// What columns are, as a constant.
#[derive(Clone, Copy, Debug)]
pub enum Columns {
    /// One: its kind, and whether NULL can come.
    One(Kind, bool),
    /// Several.
    Several(&'static [Columns]),
}

impl Columns {
    /// One of them by its number; if there are not so many: by how much.
    const fn at(self, index: usize) -> Result<(Kind, bool), usize> {
        match self {
            Self::One(kind, nullable) if index == 0 => Ok((kind, nullable)),
            Self::One(..) => Err(index - 1),
            Self::Several(parts) => {
                let (mut parts, mut index) = (parts, index);
                while let [part, rest @ ..] = parts {
                    match part.at(index) {
                        Ok(found) => return Ok(found),
                        Err(left) => index = left,
                    }
                    parts = rest;
                }
                Err(index)
            }
        }
    }

    /// Bits for those that cannot be NULL, as they stand in the head of a row: bit i + 2 for column i. Rows of ours have no more than 126 columns.
    const fn not_null(self, first: usize) -> (u128, usize) {
        match self {
            Self::One(_, nullable) => {
                let bit = if nullable { 0 } else { 1 << (first + 2) };
                (bit, first + 1)
            }
            Self::Several(parts) => {
                let (mut parts, mut bits, mut next) = (parts, 0, first);
                while let [part, rest @ ..] = parts {
                    let (more, behind) = part.not_null(next);
                    bits |= more;
                    next = behind;
                    parts = rest;
                }
                (bits, next)
            }
        }
    }
}

/// The columns of a statement with these names; `named`: see [`ColumnSpec::named`].
#[must_use]
pub const fn column_specs<C: OwnColumns, const N: usize>(
    names: [&'static str; N],
    named: bool,
) -> [ColumnSpec; N] {
    let none = ColumnSpec {
        name: "",
        kind: Kind::Null,
        nullable: true,
        named,
    };
    let mut specs = [none; N];
    let (mut names, mut out) = (names.as_slice(), specs.as_mut_slice());
    let mut index = 0;
    while let ([name, more_names @ ..], [spec, more @ ..]) = (names, out) {
        spec.name = name;
        if let Ok((kind, nullable)) = C::TOLD.at(index) {
            spec.kind = kind;
            spec.nullable = nullable;
        }
        (names, out) = (more_names, more);
        index += 1;
    }
    specs
}

/// The bytes of a row's head that must be 0, up to the last column.
pub(super) struct Mask<C>(C);

impl<C: OwnColumns> Mask<C> {
    const BITS: (u128, usize) = C::TOLD.not_null(0);
    const ALL: &'static [u8] = &Self::BITS.0.to_le_bytes();
    /// Nothing where every column may be NULL.
    pub(super) const BYTES: &'static [u8] = match Self::BITS {
        (0, _) => &[],
        (_, columns) => Self::ALL.split_at((columns + 9) / 8).0,
    };
}

/// One column.
macro_rules! column {
    ($null:ident $nullable:literal $rust:ty) => {
        impl<K: OwnKind> OwnColumns for $null<K> {
            type Owned = $rust;
            type Parts<'a> = &'a $rust;
            const TOLD: Columns = Columns::One(K::KIND, $nullable);
            const WIDTH: usize = 1;

            #[inline(always)]
            fn read<'r, S: Source<'r>>(
                row: &mut S,
                first: usize,
            ) -> Result<Self::Owned, DecodeError> {
                <$rust as Column<'r, $null<K>>>::decode(row, first)
            }

            #[inline]
            fn cloned(part: &Self::Owned) -> Self::Owned {
                part.clone()
            }

            #[inline]
            fn same(one: &Self::Owned, other: &Self::Owned) -> bool {
                one == other
            }

            fn show(part: &Self::Owned, names: &mut Iter<'_, &str>, out: &mut DebugStruct<'_, '_>) {
                out.field(names.next().unwrap_or(&"_"), part);
            }
        }
    };
}

column!(NotNull false K::Rust);
column!(Nullable true Option<K::Rust>);

/// Tuples of up to 16.
macro_rules! tuples {
    (@each $done:tt) => {};
    (@each [$($done:tt)*] $part:ident $one:ident $other:ident, $($rest:tt)*) => {
        tuples!(@tuple $($done)* $part $one $other);
        tuples!(@each [$($done)* $part $one $other] $($rest)*);
    };
    (@tuple $($part:ident $one:ident $other:ident)+) => {
        impl<$($part: OwnColumns),+> OwnColumns for ($($part,)+) {
            type Owned = ($($part::Owned,)+);
            type Parts<'a> = ($($part::Parts<'a>,)+);
            const TOLD: Columns = Columns::Several(&[$($part::TOLD),+]);
            const WIDTH: usize = 0 $(+ $part::WIDTH)+;

            #[inline(always)]
            fn read<'r, S: Source<'r>>(row: &mut S, first: usize) -> Result<Self::Owned, DecodeError> {
                let mut next = first;
                Ok(($({
                    next += $part::WIDTH;
                    $part::read(row, next - $part::WIDTH)?
                },)+))
            }

            #[inline]
            fn cloned(($($one,)+): Self::Parts<'_>) -> Self::Owned {
                ($($part::cloned($one),)+)
            }

            #[inline]
            fn same(($($one,)+): Self::Parts<'_>, ($($other,)+): Self::Parts<'_>) -> bool {
                true $(&& $part::same($one, $other))+
            }

            fn show(($($one,)+): Self::Parts<'_>, names: &mut Iter<'_, &str>, out: &mut DebugStruct<'_, '_>) {
                $($part::show($one, names, out);)+
            }
        }
    };
}

tuples!(@each []
    A a1 a2, B b1 b2, C c1 c2, D d1 d2, E e1 e2, F f1 f2, G g1 g2, H h1 h2,
    I i1 i2, J j1 j2, K k1 k2, L l1 l2, M m1 m2, N n1 n2, O o1 o2, P p1 p2,
);

macro_rules! kinds {
    ($($kind:ident $rust:ty,)*) => {
        $(impl OwnKind for kind::$kind {
            type Rust = $rust;
            const KIND: Kind = Kind::$kind;
        })*
    };
}

kinds! {
    TinyInt i8,
    TinyIntUnsigned u8,
    Bool bool,
    Bit1 bool,
    SmallInt i16,
    SmallIntUnsigned u16,
    Year u16,
    MediumInt i32,
    Int i32,
    MediumIntUnsigned u32,
    IntUnsigned u32,
    BigInt i64,
    BigIntUnsigned u64,
    Bit u64,
    Float f32,
    Double f64,
    Decimal crate::types::Decimal,
    Bytes Vec<u8>,
    Time crate::types::Time,
    Geometry crate::types::Geometry,
    Vector Vec<f32>,
    Inet4 std::net::Ipv4Addr,
    Inet6 std::net::Ipv6Addr,
    Text String,
    Enum String,
    Set String,
    Uuid String,
    Null String,
}

#[cfg(feature = "chrono")]
kinds! {
    Date chrono::NaiveDate,
    DateTime chrono::NaiveDateTime,
    Timestamp chrono::DateTime<chrono::Utc>,
}

#[cfg(feature = "json")]
kinds! {
    Json serde_json::Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    type Wide = (
        (NotNull<kind::BigInt>, Nullable<kind::Text>),
        (NotNull<kind::Int>, NotNull<kind::Bool>),
    );

    #[test]
    fn columns_are_told_in_their_order() {
        let specs = column_specs::<Wide, 4>(["a", "b", "c", "d"], true);
        let told = specs.map(|spec| (spec.name, spec.kind, spec.nullable, spec.named));
        assert_eq!(
            told,
            [
                ("a", Kind::BigInt, false, true),
                ("b", Kind::Text, true, true),
                ("c", Kind::Int, false, true),
                ("d", Kind::Bool, false, true),
            ]
        );
    }

    #[test]
    fn the_mask_has_a_bit_for_each_that_is_not_null() {
        assert_eq!(Mask::<Wide>::BYTES, [0b0011_0100]);
        assert!(Mask::<(Nullable<kind::Int>,)>::BYTES.is_empty());
        type Seven = (
            Nullable<kind::Int>,
            NotNull<kind::Int>,
            NotNull<kind::Int>,
            NotNull<kind::Int>,
            NotNull<kind::Int>,
            NotNull<kind::Int>,
            NotNull<kind::Int>,
        );
        assert_eq!(Mask::<Seven>::BYTES, [0b1111_1000, 1]);
        assert_eq!(
            Mask::<(Seven, Nullable<kind::Int>)>::BYTES,
            [0b1111_1000, 1]
        );
    }
}

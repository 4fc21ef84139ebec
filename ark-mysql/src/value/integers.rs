//! Integers: read by the width of the column, widened without loss; sent by the width of the Rust type, and stored where nothing is lost.

use super::{decode, encode};

/// A kind, how the row has it, and the types that hold all of its values.
macro_rules! integers {
    ($($kind:ident $read:ident: $($rust:ident)*;)*) => {
        $($(decode!($rust: $kind: |row, index| row.$read(index).map(Self::from));)*)*
    };
}

integers! {
    TinyInt i8: i8 i16 i32 i64;
    Bool i8: i8 i16 i32 i64;
    TinyIntUnsigned u8: u8 u16 u32 u64 i16 i32 i64;
    SmallInt i16: i16 i32 i64;
    SmallIntUnsigned u16: u16 u32 u64 i32 i64;
    MediumInt i32: i32 i64;
    MediumIntUnsigned u32: u32 u64 i64;
    Int i32: i32 i64;
    IntUnsigned u32: u32 u64 i64;
    BigInt i64: i64;
    BigIntUnsigned u64: u64;
    Year u16: u16 u32 u64 i32 i64;
}

/// A type, the kinds that hold all of its values (and those that it is the default for), and the others that it is compared with. Every
/// integer can be compared with every number.
macro_rules! send {
    ($($rust:ident $wire:ident: $($stored:ident)*, compared $($compared:ident)*;)*) => {
        $(encode!($rust as $wire for Any $($stored)*, compared $($compared)*: |value, out| out.$rust(*value));)*
    };
}

// MEDIUMINT and YEAR are narrower than any Rust type that reads them: what is too large for them the server refuses.
send! {
    i8 I8: TinyInt Bool SmallInt MediumInt Int BigInt Float Double Decimal,
        compared TinyIntUnsigned SmallIntUnsigned MediumIntUnsigned IntUnsigned BigIntUnsigned Year Bit1 Bit;
    i16 I16: SmallInt MediumInt Int BigInt Year Float Double Decimal,
        compared TinyInt Bool TinyIntUnsigned SmallIntUnsigned MediumIntUnsigned IntUnsigned BigIntUnsigned Bit1 Bit;
    i32 I32: MediumInt Int BigInt Year Double Decimal,
        compared TinyInt Bool TinyIntUnsigned SmallInt SmallIntUnsigned MediumIntUnsigned IntUnsigned BigIntUnsigned Float Bit1 Bit;
    i64 I64: BigInt Decimal,
        compared TinyInt Bool TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigIntUnsigned
            Year Float Double Bit1 Bit;
    u8 U8: TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Bit1 Bit
            Float Double Decimal,
        compared TinyInt Bool Year Limit;
    u16 U16: SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Year Bit1 Bit Float Double Decimal,
        compared TinyInt Bool TinyIntUnsigned SmallInt Limit;
    u32 U32: MediumIntUnsigned IntUnsigned BigInt BigIntUnsigned Bit1 Bit Double Decimal,
        compared TinyInt Bool TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt Int Year Float Limit;
    u64 U64: BigIntUnsigned Bit1 Bit Decimal,
        compared TinyInt Bool TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt Year
            Float Double Limit;
}

// BIT comes as a string of at most eight bytes, most significant first.
decode!(u64: Bit1 Bit: |row, index| super::boolean::bits(row.bytes(index)?, index));

/// An integer of any column: for enums that are numbers.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer(pub i128);

macro_rules! any_integer {
    ($($kind:ident $read:ident,)*) => {
        $(decode!(Integer: $kind: |row, index| row.$read(index).map(|number| Self(number.into())));)*
    };
}

any_integer! {
    TinyInt i8,
    Bool i8,
    TinyIntUnsigned u8,
    SmallInt i16,
    SmallIntUnsigned u16,
    MediumInt i32,
    MediumIntUnsigned u32,
    Int i32,
    IntUnsigned u32,
    BigInt i64,
    BigIntUnsigned u64,
    Year u16,
}

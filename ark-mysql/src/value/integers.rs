//! Integers: read by the width of the column, widened without loss; sent by the width of the Rust type.

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

macro_rules! send {
    ($($rust:ident $wire:ident;)*) => {
        $(encode!(
            $rust as $wire for Any
                TinyInt TinyIntUnsigned Bool SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned
                Int IntUnsigned BigInt BigIntUnsigned Year Bit1 Bit Float Double Decimal:
            |value, out| out.$rust(*value)
        );)*
    };
}

send! {
    i8 I8;
    i16 I16;
    i32 I32;
    i64 I64;
    u8 U8;
    u16 U16;
    u32 U32;
    u64 U64;
}

// BIT comes as a string of at most eight bytes, most significant first.
decode!(u64: Bit1 Bit: |row, index| super::boolean::bits(row.bytes(index)?, index));

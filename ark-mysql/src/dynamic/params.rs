//! Values that wait to be sent with a statement whose parameters are only known at run time.

use ark_mysql_proto::params::{EncodeError, EncodeErrorKind, ParamSink, ParamType};

use crate::error::{Error, ErrorKind, Outcome};
use crate::types::{Date, DateTime, Time};
use crate::value::Encode;
use crate::value::kind::Any;

/// The values bound so far, with their types.
#[derive(Default)]
pub(super) struct Bound {
    types: Vec<ParamType>,
    values: Vec<Param>,
    failed: Option<EncodeError>,
}

/// A value as its [`Encode`] handed it over.
enum Param {
    Null,
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    Text(String),
    Bytes(Vec<u8>),
    Decimal(String),
    Date(Date),
    DateTime(DateTime),
    Time(Time),
}

impl Bound {
    pub(super) fn push<V: Encode<Any>>(&mut self, value: &V) {
        self.types.push(V::TYPE);
        if let Err(error) = value.encode(self) {
            self.failed.get_or_insert(error);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub(super) fn types(&self) -> &[ParamType] {
        &self.types
    }

    /// The first value that could not be taken.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The same where they go to a prepared statement: the protocol counts parameters in 16 bits.
    pub(super) fn check_prepared(&self) -> Result<(), Error> {
        self.check()?;
        match u16::try_from(self.types.len()) {
            Ok(_) => Ok(()),
            Err(_) => Err(self.too_many()),
        }
    }

    #[cold]
    fn too_many(&self) -> Error {
        let detail = format!(
            "a prepared statement has at most 65535 parameters, and {} values were bound",
            self.types.len()
        );
        Error::new(ErrorKind::Encode, Outcome::NotSent, detail).with_advice(
            "send the rows in several statements, or as one JSON array that JSON_TABLE reads",
        )
    }

    pub(super) fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        self.values.iter().try_for_each(|value| value.encode(out))
    }

    /// Refuses what could not be sent anyway before it is copied.
    fn fits(&self, length: usize) -> Result<(), EncodeError> {
        EncodeErrorKind::of_length(length).map_err(|kind| self.error(kind))
    }

    fn keep(&mut self, value: Param) -> Result<(), EncodeError> {
        self.values.push(value);
        Ok(())
    }
}

impl Param {
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        match self {
            Self::Null => out.null(),
            Self::I8(value) => out.i8(*value),
            Self::I16(value) => out.i16(*value),
            Self::I32(value) => out.i32(*value),
            Self::I64(value) => out.i64(*value),
            Self::U8(value) => out.u8(*value),
            Self::U16(value) => out.u16(*value),
            Self::U32(value) => out.u32(*value),
            Self::U64(value) => out.u64(*value),
            Self::F32(value) => out.f32(*value),
            Self::F64(value) => out.f64(*value),
            Self::Text(value) => out.text(value),
            Self::Bytes(value) => out.bytes(value),
            Self::Decimal(value) => out.decimal(value),
            Self::Date(value) => out.date(*value),
            Self::DateTime(value) => out.datetime(*value),
            Self::Time(value) => out.time(*value),
        }
    }
}

macro_rules! keep {
    ($($method:ident($type:ty) $variant:ident,)*) => {
        $(fn $method(&mut self, value: $type) -> Result<(), EncodeError> {
            self.keep(Param::$variant(value.into()))
        })*
    };
}

impl ParamSink for Bound {
    fn null(&mut self) -> Result<(), EncodeError> {
        self.keep(Param::Null)
    }

    keep! {
        i8(i8) I8,
        i16(i16) I16,
        i32(i32) I32,
        i64(i64) I64,
        u8(u8) U8,
        u16(u16) U16,
        u32(u32) U32,
        u64(u64) U64,
        f32(f32) F32,
        f64(f64) F64,
        date(Date) Date,
        datetime(DateTime) DateTime,
        time(Time) Time,
    }

    fn text(&mut self, value: &str) -> Result<(), EncodeError> {
        self.fits(value.len())?;
        self.keep(Param::Text(value.to_owned()))
    }

    fn bytes(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        self.fits(value.len())?;
        self.keep(Param::Bytes(value.to_vec()))
    }

    fn decimal(&mut self, value: &str) -> Result<(), EncodeError> {
        self.fits(value.len())?;
        self.keep(Param::Decimal(value.to_owned()))
    }

    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        kind.at(self.values.len())
    }
}

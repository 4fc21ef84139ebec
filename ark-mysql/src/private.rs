//! What generated code names. Nothing in here is for people, and all of it may change in any release.

pub use crate::__own_row as own_row;
pub use crate::bulk::InsertMany;
pub use crate::query::{Prepared, Query, checked};
pub use crate::types::{Date, DateTime, Decimal, Geometry, Time};
pub use crate::value::kind::{self, Any};
pub use crate::value::labels::{
    Label, Labelled, Labels, Probe, TagOfLabelled, TagOfOther, TakesVariants, Variant, labels_fit,
    labels_of, labels_of_set, push_label, unknown_label,
};
pub use crate::value::{
    Chain, Column, ColumnSpec, Each, Effect, Element, Encode, Integer, ListPlace, NotNull,
    Nullable, One, Own, OwnRow, Owned, OwnedRows, Params, Parts, Repeats, ReturnsRows, Statement,
    StatementKey, Takes, TakesNull, Told, checked_rows, clone_row, column_specs, debug_row,
    depends_on, each, same_rows, spread,
};
pub use crate::verify::{
    Checked, CheckedColumn, CheckedCrate, CheckedInsert, CheckedParam, CheckedSession, Origin,
    verify_schema,
};
pub use ark_mysql_proto::{DecodeError, EncodeError, Kind, ParamSink, ParamType, Source};
pub use std::borrow::{Cow, ToOwned};
pub use std::boxed::Box;
pub use std::clone::Clone;
pub use std::cmp::PartialEq;
pub use std::fmt::{Debug, Error as FmtError, Formatter};
pub use std::net::{Ipv4Addr, Ipv6Addr};
pub use std::option::Option;
pub use std::primitive::{bool, f32, f64, i8, i16, i32, i64, str, u8, u16, u32, u64, usize};
pub use std::rc::Rc;
pub use std::result::Result;
pub use std::string::String;
pub use std::sync::Arc;
pub use std::vec::Vec;

#[cfg(feature = "chrono")]
pub use chrono::{DateTime as ChronoDateTime, NaiveDate, NaiveDateTime, Utc};
#[cfg(feature = "json")]
pub use serde_json::Value as JsonValue;

//! The labels of a type as types: whether a column has each of them is asked by traits of generated code.
//!
//! Arguments have types that a macro cannot name, so no constant can compare their labels, as `fit` does for what is read. So a derived type
//! is sent to those kinds that take its variants: every kind of this crate does, and the kind that generated code makes of one column's
//! labels takes those that the column has.

use crate::value::{NotNull, Nullable};

/// A kind that takes these variants: `(First, (Second, ()))`.
pub trait TakesVariants<V> {}

impl<V, K> TakesVariants<V> for NotNull<K> {}
impl<V, K> TakesVariants<V> for Nullable<K> {}

/// A variant or a flag.
pub trait Variant {
    /// Its [`Label`].
    type Label;
}

/// A label by the hash of its text, which the macros know of columns and of types.
#[derive(Clone, Copy, Debug)]
pub struct Label<const HASH: u64>;

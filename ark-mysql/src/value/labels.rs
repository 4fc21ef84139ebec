//! Types with labels: what the derived ones have in common.

mod fit;
mod variants;

use std::cell::Cell;

use ark_mysql_proto::{DecodeError, DecodeErrorKind};

pub use fit::{Probe, TagOfLabelled, TagOfOther, labels_fit, labels_of};
pub use variants::{Label, TakesVariants, Variant};

/// A type that stands for labels, derived.
#[doc(hidden)]
pub trait Labelled {
    /// Which.
    const LABELS: Labels;
}

/// What a derived type knows.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The type's name, for messages.
    pub rust: &'static str,
    /// Its labels, in their order.
    pub labels: &'static [&'static str],
    /// Whether it has a place for labels that it does not know.
    pub takes_others: bool,
}

impl<T: Labelled> Labelled for Option<T> {
    const LABELS: Labels = T::LABELS;
}

thread_local! {
    /// The labels that the last text was none of. An error of decoding has four bytes, so that rows are fast; whoever words it runs
    /// right behind, on the same thread.
    static KNOWN: Cell<&'static [&'static str]> = const { Cell::new(&[]) };
}

/// The error of a text that is no label of its type.
#[doc(hidden)]
#[cold]
pub fn unknown_label(index: usize, known: &'static [&'static str]) -> DecodeError {
    KNOWN.set(known);
    DecodeErrorKind::UnknownLabel.at(index)
}

/// The labels that the error at hand is about; none if its type is not a derived one.
pub(crate) fn known() -> &'static [&'static str] {
    KNOWN.take()
}

/// The labels in the text of a SET: the empty text has none.
#[doc(hidden)]
pub fn labels_of_set(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|label| !label.is_empty())
}

/// Adds a label to the text of a SET.
#[doc(hidden)]
pub fn push_label(set: &mut String, label: &str) {
    if !set.is_empty() {
        set.push(',');
    }
    set.push_str(label);
}

//! Whether a type knows the labels of its column: asked while the crate compiles, in constants of generated code.
//!
//! A macro sees the column's labels and not the type, the compiler sees both. So the comparison runs in the compiler, and what it finds is
//! the message of a panic there.

use std::marker::PhantomData;

use super::{Labelled, Labels};

/// Stands for a value of which only the type matters.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized> Probe<T> {
    /// Of a value's type.
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

/// What is known of a type: nothing, or its labels.
pub trait Tag {
    /// Its labels.
    const LABELS: Option<Labels>;
}

/// A type that has labels.
#[derive(Debug)]
pub struct Has<T>(PhantomData<T>);

/// One that has none, or of which they are not known.
#[derive(Debug)]
pub struct HasNot;

impl<T: Labelled> Tag for Has<T> {
    const LABELS: Option<Labels> = Some(T::LABELS);
}

impl Tag for HasNot {
    const LABELS: Option<Labels> = None;
}

/// Called as `(&probe).tag()`: this one is found first, where its bound holds.
pub trait TagOfLabelled {
    /// The tag.
    type Tag: Tag;
    /// Never called.
    fn tag(&self) -> Self::Tag;
}

impl<T: Labelled> TagOfLabelled for Probe<T> {
    type Tag = Has<T>;
    fn tag(&self) -> Has<T> {
        Has(PhantomData)
    }
}

/// And this one otherwise.
pub trait TagOfOther {
    /// Never called.
    fn tag(&self) -> HasNot {
        HasNot
    }
}

impl<T: ?Sized> TagOfOther for &Probe<T> {}

/// The labels of the type that a closure, which is never called, gives the tag of.
pub const fn labels_of<V, K: Tag>(_: fn(&V) -> K) -> Option<Labels> {
    K::LABELS
}

/// Insists that a type knows every label that the column can have, if it has labels at all.
///
/// # Panics
/// It does not, and has no place for others: in the compiler, with a message for people.
#[track_caller]
pub const fn labels_fit(column: &str, labels: &[&str], of: Option<Labels>) {
    let Some(of) = of else { return };
    if of.takes_others {
        return;
    }
    let mut at = 0;
    while at < labels.len() {
        if !has(of.labels, labels[at]) {
            unknown(column, labels, &of, at);
        }
        at += 1;
    }
}

#[track_caller]
const fn unknown(column: &str, labels: &[&str], of: &Labels, first: usize) -> ! {
    let mut text = Text::new();
    text.push("column ");
    text.quote(column);
    text.push(" can be ");
    text.quote(labels[first]);
    let mut at = first + 1;
    while at < labels.len() {
        if !has(of.labels, labels[at]) {
            text.push(", ");
            text.quote(labels[at]);
        }
        at += 1;
    }
    text.push(", which ");
    text.quote(of.rust);
    text.push(" does not know");
    if let Some(nearest) = nearest(labels[first], of.labels, labels) {
        text.push(": did you mean that by its ");
        text.quote(nearest);
        text.push("?");
    } else {
        text.push(".");
    }
    text.push(" Labels that come later go into a place for others, marked #[ark_mysql(other)]");
    text.panic()
}

const fn has(labels: &[&str], label: &str) -> bool {
    let mut at = 0;
    while at < labels.len() {
        if same(labels[at].as_bytes(), label.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The one of `known` that is closest to a label, is close enough to be a slip, and means none of the `taken` ones.
const fn nearest<'k>(label: &str, known: &[&'k str], taken: &[&str]) -> Option<&'k str> {
    let mut best = None;
    let mut least = label.len() / 3 + 2;
    let mut at = 0;
    while at < known.len() {
        let distance = distance(label.as_bytes(), known[at].as_bytes());
        if distance < least && !has(taken, known[at]) {
            least = distance;
            best = Some(known[at]);
        }
        at += 1;
    }
    best
}

/// Longer labels are compared as far as this.
const COMPARED: usize = 64;

/// Edits of one byte that turn one label into the other; ASCII case does not count.
const fn distance(one: &[u8], other: &[u8]) -> usize {
    let (rows, columns) = (shorter(one.len()), shorter(other.len()));
    let mut row = [0; COMPARED + 1];
    let mut column = 0;
    while column <= columns {
        row[column] = column;
        column += 1;
    }
    let mut at = 0;
    while at < rows {
        let mut diagonal = row[0];
        row[0] = at + 1;
        column = 0;
        while column < columns {
            let above = row[column + 1];
            let differs = !one[at].eq_ignore_ascii_case(&other[column]);
            let mut cell = diagonal + differs as usize;
            cell = if above + 1 < cell { above + 1 } else { cell };
            cell = if row[column] + 1 < cell {
                row[column] + 1
            } else {
                cell
            };
            row[column + 1] = cell;
            diagonal = above;
            column += 1;
        }
        at += 1;
    }
    row[columns]
}

const fn shorter(length: usize) -> usize {
    if length < COMPARED { length } else { COMPARED }
}

/// A text that grows in the compiler. What does not fit is left out.
struct Text {
    bytes: [u8; 2048],
    length: usize,
}

impl Text {
    const fn new() -> Self {
        Self {
            bytes: [0; 2048],
            length: 0,
        }
    }

    const fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        if self.length + text.len() > self.bytes.len() {
            return;
        }
        let mut at = 0;
        while at < text.len() {
            self.bytes[self.length + at] = text[at];
            at += 1;
        }
        self.length += text.len();
    }

    const fn quote(&mut self, text: &str) {
        self.push("`");
        self.push(text);
        self.push("`");
    }

    #[track_caller]
    const fn panic(&self) -> ! {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the type does not know every label of its column"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: Labels = Labels {
        rust: "State",
        labels: &["open", "send", "in_review"],
        takes_others: false,
    };

    fn told(labels: &'static [&'static str], of: Labels) -> String {
        let panic = std::panic::catch_unwind(|| labels_fit("orders.state", labels, Some(of)));
        panic.map_or_else(
            |panic| panic.downcast_ref::<String>().cloned().unwrap_or_default(),
            |()| String::new(),
        )
    }

    #[test]
    fn every_label_of_the_column_must_be_known() {
        assert_eq!(told(&["open", "send"], STATE), "");
        let lenient = Labels {
            takes_others: true,
            ..STATE
        };
        assert_eq!(told(&["shipped"], lenient), "");
        assert_eq!(
            told(&["open", "sent", "zzz"], STATE),
            "column `orders.state` can be `sent`, `zzz`, which `State` does not know: did you mean that by its `send`? \
             Labels that come later go into a place for others, marked #[ark_mysql(other)]"
        );
        assert!(!told(&["zzz"], STATE).contains("did you mean"));
        // What stands for a label of the column is no slip for another.
        assert!(!told(&["sent", "send"], STATE).contains("did you mean"));
    }

    #[test]
    fn distances_are_edits() {
        assert_eq!(distance(b"kitten", b"Sitting"), 3);
        assert_eq!(distance(b"", b"abc"), 3);
        assert_eq!(distance(&[b'a'; 100], &[b'a'; 90]), 0);
    }
}

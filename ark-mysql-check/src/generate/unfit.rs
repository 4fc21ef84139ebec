//! What rustc says when an argument does not fit what its parameter stands against.

use super::fits::{Parameter, column, without_braces};
use super::types::default_name;
use crate::description::{Against, Kind, Usage};

/// The attribute with what rustc says when a type does not fit, as text.
pub(super) fn words(parameter: &Parameter<'_>) -> String {
    let Some(against) = parameter.against() else {
        return String::new();
    };
    let plain = without_braces;
    let (number, name) = (plain(parameter.number()), plain(parameter.name()));
    let gives = gives(against);
    let (message, label) = match against.usage {
        Usage::Compared => (
            format!("{number} stands against {name}: `{{Self}}` cannot be compared with it"),
            format!("give {gives}"),
        ),
        Usage::Stored { .. } => (
            format!("{number} goes into {name}, which does not hold every `{{Self}}`"),
            format!("give {gives}"),
        ),
        Usage::Limit => (
            format!("{number} is a LIMIT, which takes an unsigned integer and no `{{Self}}`"),
            "give a `u64`, `u32`, `u16` or `u8`".to_owned(),
        ),
        Usage::Argument => (
            format!(
                "{number} is {} for what it is given to, and `{{Self}}` is something else",
                class(against.kind)
            ),
            format!("give {gives}"),
        ),
        Usage::Selected => (
            format!(
                "{number} is a column of the result, which is text as long as the SQL does not say that it is a `{{Self}}`"
            ),
            "say what it is: `CAST(? AS SIGNED)`, or whatever it is".to_owned(),
        ),
    };
    let drawing = plain(format!(
        "it stands here in the SQL:\n{}",
        parameter.drawing()
    ));
    let list = parameter.list().map(plain);
    let notes = list
        .into_iter()
        .chain(notes(against))
        .chain(escape(against));
    let mut words = format!(
        "#[diagnostic::on_unimplemented(message = {message:?}, label = {label:?}, note = {drawing:?}"
    );
    notes.for_each(|note| words.push_str(&format!(", note = {note:?}")));
    words + ")]"
}

/// What all values are that do as well.
fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Bytes => "bytes",
        _ => "a number",
    }
}

/// The Rust types, the default first.
fn gives(against: &Against) -> String {
    let is_value = matches!(against.usage, Usage::Compared | Usage::Argument);
    let number = is_value && against.kind.is_integer();
    match against.kind {
        Kind::Text | Kind::Enum | Kind::Set => "text: a `&str` or a `String`".to_owned(),
        Kind::Uuid => "a `uuid::Uuid` (feature `uuid`), or text".to_owned(),
        Kind::Inet4 => "a `std::net::Ipv4Addr`, or text".to_owned(),
        Kind::Inet6 => "a `std::net::Ipv6Addr`, or text".to_owned(),
        Kind::Bytes => "bytes: a `&[u8]` or a `Vec<u8>`".to_owned(),
        Kind::Json => "a `serde_json::Value`, an `ark_mysql::types::Json<T>`, or text".to_owned(),
        _ if number && column(against).is_none() => "a number".to_owned(),
        Kind::Bool => "a `bool`, or an integer".to_owned(),
        other => {
            let name = default_name(other);
            let article = match name.starts_with(['i', 'f', 'a']) {
                true => "an",
                false => "a",
            };
            let more = if number { ", or another integer" } else { "" };
            format!("{article} `{name}`{more}")
        }
    }
}

/// How other types become one that fits.
fn notes(against: &Against) -> Vec<String> {
    let no_null = against.usage == (Usage::Stored { nullable: false });
    let no_null = no_null.then(|| "the column is NOT NULL, so it takes no `Option`".to_owned());
    conversion(against).into_iter().chain(no_null).collect()
}

fn conversion(against: &Against) -> Option<String> {
    let rust = default_name(against.kind);
    let of_text = format!("of text: `text.parse::<{rust}>()?`");
    let words = match (against.kind, against.usage) {
        (_, Usage::Limit) => "of a `usize` or a signed integer: `u64::try_from(n)?`".to_owned(),
        (_, Usage::Selected) => {
            "`AS SIGNED`, `UNSIGNED`, `DOUBLE`, `DECIMAL(20, 4)`, `DATE`, `DATETIME(6)`, `TIME(6)`, `BINARY`; of an `Option` of text `AS CHAR`"
                .to_owned()
        }
        (kind, Usage::Stored { .. }) if kind.is_integer() => {
            format!(
                "of a wider integer, or one with another sign: `{rust}::try_from(n)?`; {of_text}"
            )
        }
        (kind, _) if kind.is_integer() => of_text,
        (Kind::Float | Kind::Double, _) => format!("of an integer: `n as {rust}`; {of_text}"),
        (Kind::Decimal, _) => format!("integers fit too; a float is not exact; {of_text}"),
        (Kind::Date | Kind::DateTime | Kind::Timestamp, _) => of_text,
        (Kind::Text | Kind::Enum | Kind::Set, _) => {
            "of a number or a date: `value.to_string()`; of bytes: `std::str::from_utf8(bytes)?`"
                .to_owned()
        }
        (Kind::Bytes, _) => "of text: `text.as_bytes()`".to_owned(),
        _ => return None,
    };
    Some(words)
}

/// What to write where another type is meant.
fn escape(against: &Against) -> Option<String> {
    let words = "another type on purpose: write `CAST(? AS CHAR)`, or whatever it is; the argument of a CAST is not checked";
    let may = !matches!(against.usage, Usage::Limit | Usage::Selected);
    may.then(|| words.to_owned())
}

//! Rust types: the default for each SQL type, and those that the user named.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use super::text;
use crate::description::Kind;
use crate::input::Target;

/// The type that a column of this kind becomes when nothing else is asked for.
pub(super) fn default_text(kind: Kind) -> &'static str {
    match kind {
        Kind::TinyInt => "ark::i8",
        Kind::TinyIntUnsigned => "ark::u8",
        Kind::Bool | Kind::Bit1 => "ark::bool",
        Kind::SmallInt => "ark::i16",
        Kind::SmallIntUnsigned | Kind::Year => "ark::u16",
        Kind::MediumInt | Kind::Int => "ark::i32",
        Kind::MediumIntUnsigned | Kind::IntUnsigned => "ark::u32",
        Kind::BigInt => "ark::i64",
        Kind::BigIntUnsigned | Kind::Bit => "ark::u64",
        Kind::Float => "ark::f32",
        Kind::Double => "ark::f64",
        Kind::Decimal => "ark::Decimal",
        Kind::Bytes => "ark::Vec<ark::u8>",
        Kind::Date => "ark::NaiveDate",
        Kind::DateTime => "ark::NaiveDateTime",
        Kind::Timestamp => "ark::ChronoDateTime<ark::Utc>",
        Kind::Time => "ark::Time",
        Kind::Json => "ark::JsonValue",
        Kind::Geometry => "ark::Geometry",
        Kind::Vector => "ark::Vec<ark::f32>",
        Kind::Inet4 => "ark::Ipv4Addr",
        Kind::Inet6 => "ark::Ipv6Addr",
        // Text, ENUM, SET, and MariaDB's UUID: `uuid::Uuid` is there with a feature only, and features choose no types.
        _ => "ark::String",
    }
}

/// The same as tokens.
pub(super) fn default_type(kind: Kind) -> TokenStream {
    text::tokens(default_text(kind))
}

/// The same type as people write it, for messages and for the documentation's table.
#[must_use]
pub fn default_name(kind: Kind) -> &'static str {
    match kind {
        Kind::TinyInt => "i8",
        Kind::TinyIntUnsigned => "u8",
        Kind::Bool | Kind::Bit1 => "bool",
        Kind::SmallInt => "i16",
        Kind::SmallIntUnsigned | Kind::Year => "u16",
        Kind::MediumInt | Kind::Int => "i32",
        Kind::MediumIntUnsigned | Kind::IntUnsigned => "u32",
        Kind::BigInt => "i64",
        Kind::BigIntUnsigned | Kind::Bit => "u64",
        Kind::Float => "f32",
        Kind::Double => "f64",
        Kind::Decimal => "ark_mysql::types::Decimal",
        Kind::Bytes => "Vec<u8>",
        Kind::Date => "chrono::NaiveDate",
        Kind::DateTime => "chrono::NaiveDateTime",
        Kind::Timestamp => "chrono::DateTime<Utc>",
        Kind::Time => "ark_mysql::types::Time",
        Kind::Json => "serde_json::Value",
        Kind::Geometry => "ark_mysql::types::Geometry",
        Kind::Vector => "Vec<f32>",
        Kind::Inet4 => "std::net::Ipv4Addr",
        Kind::Inet6 => "std::net::Ipv6Addr",
        _ => "String",
    }
}

/// Whether a row becomes one value rather than a struct with a field for each column.
pub fn is_one_value(target: &Target, columns: usize) -> bool {
    match target {
        Target::Row => false,
        Target::Scalar => true,
        Target::Type(tokens) => match last_name(tokens) {
            None => true,
            Some(name) => {
                ALWAYS_VALUES.contains(&name.as_str())
                    || (columns == 1 && VALUES.contains(&name.as_str()))
            }
        },
    }
}

/// Types of the standard library that no row can be.
const ALWAYS_VALUES: &[&str] = &[
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool", "String", "Option",
    "Vec", "Box", "Cow", "Arc", "Rc", "str",
];

/// Types that a single column can be; somebody's struct may have the same name, and then it has other columns too.
const VALUES: &[&str] = &[
    "Decimal",
    "Time",
    "Date",
    "DateTime",
    "NaiveDate",
    "NaiveDateTime",
    "NaiveTime",
    "TimeDelta",
    "Value",
    "Json",
    "Geometry",
    "Uuid",
    "Ipv4Addr",
    "Ipv6Addr",
    "IpAddr",
    "OffsetDateTime",
    "PrimitiveDateTime",
    "Timestamp",
    "Zoned",
];

/// The last name of a path such as `a::b<C>`; `None` for references, arrays, tuples.
fn last_name(tokens: &TokenStream) -> Option<String> {
    let mut name = None;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => name = Some(ident.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            TokenTree::Punct(punct) if punct.as_char() == '<' && name.is_some() => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                return last_name(&group.stream());
            }
            _ => return None,
        }
    }
    name
}

/// A type that the user named, with `'r` for every lifetime that was left open; and whether there was one.
pub(super) fn with_row_lifetime(tokens: TokenStream) -> (TokenStream, bool) {
    let mut changed = false;
    let mut output: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let span = punct.span();
                output.push(punct.into());
                if !matches!(tokens.peek(), Some(TokenTree::Punct(quote)) if quote.as_char() == '\'')
                {
                    output.extend(row_lifetime(span));
                    changed = true;
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                let open = matches!(tokens.peek(), Some(TokenTree::Ident(name)) if name == "_");
                if open {
                    tokens.next();
                    output.extend(row_lifetime(punct.span()));
                    changed = true;
                } else {
                    output.push(punct.into());
                }
            }
            TokenTree::Group(group) => {
                let (inner, inner_changed) = with_row_lifetime(group.stream());
                changed |= inner_changed;
                let mut copy = Group::new(group.delimiter(), inner);
                copy.set_span(group.span());
                output.push(copy.into());
            }
            other => output.push(other),
        }
    }
    (output.into_iter().collect(), changed)
}

fn row_lifetime(span: Span) -> [TokenTree; 2] {
    let span = Span::mixed_site().located_at(span);
    let mut quote = Punct::new('\'', Spacing::Joint);
    quote.set_span(span);
    [quote.into(), Ident::new("r", span).into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_value(tokens: &str, columns: usize) -> bool {
        is_one_value(&Target::Type(tokens.parse().unwrap()), columns)
    }

    #[test]
    fn values_are_told_from_rows() {
        for value in [
            "i64",
            "&str",
            "&'r [u8]",
            "Option<User>",
            "std::vec::Vec<u8>",
            "[u8; 16]",
            "(i64,)",
            "chrono::NaiveDate",
            "Json<User>",
        ] {
            assert!(one_value(value, 1), "{value}");
        }
        for row in ["User", "UserRef<'_>", "crate::Row<Vec<u8>>", "Page<i64>"] {
            assert!(!one_value(row, 1), "{row}");
        }
        assert!(!one_value("my::Time", 2));
        assert!(one_value("String", 2));
    }

    #[test]
    fn open_lifetimes_become_that_of_the_row() {
        let with = |tokens: &str| {
            let (tokens, changed) = with_row_lifetime(tokens.parse().unwrap());
            (tokens.to_string().replace(' ', ""), changed)
        };
        assert_eq!(with("UserRef<'_>"), ("UserRef<'r>".to_owned(), true));
        assert_eq!(with("&str"), ("&'rstr".to_owned(), true));
        assert_eq!(with("Option<&[u8]>"), ("Option<&'r[u8]>".to_owned(), true));
        assert_eq!(with("&'static str"), ("&'staticstr".to_owned(), false));
        assert_eq!(with("User"), ("User".to_owned(), false));
    }
}

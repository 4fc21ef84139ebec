//! Literals without a type: `1` for a BIGINT UNSIGNED is a `u64`, and `300` for a TINYINT is a mistake.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use super::fits::Parameter;
use crate::description::{Kind, Usage};

/// The literal with the type of what it stands against; `None` where it stays as it is: it is no such literal, or nothing is known.
///
/// # Errors
/// It is out of range: the message.
pub(super) fn typed(
    value: &TokenStream,
    place: &Parameter<'_>,
) -> Result<Option<TokenStream>, String> {
    let Some(against) = place.against() else {
        return Ok(None);
    };
    // Where a type of the user's is wanted a number is none.
    if place.rust().is_some() {
        return Ok(None);
    }
    let Some(literal) = Literal::read(value) else {
        return Ok(None);
    };
    let (suffix, range) = match against.usage {
        Usage::Limit => ("u64", Some(0..=i128::from(u64::MAX))),
        Usage::Compared | Usage::Stored { .. } | Usage::Argument | Usage::Selected => {
            match of_kind(against.kind, &literal) {
                Some(found) => found,
                None => return Ok(None),
            }
        }
    };
    match (literal.number, range) {
        (Some(number), Some(range)) if !range.contains(&number) => {
            let (low, high) = (range.start(), range.end());
            Err(format!(
                "`{number}` is out of the range of {}, which is {low} to {high}\n{}",
                place.name(),
                place.drawing()
            ))
        }
        // Rust has no float of other digits.
        (None, Some(_)) => Ok(None),
        _ => Ok(literal.with(suffix)),
    }
}

/// The suffix of the kind's type, and the range of its values if it holds integers.
fn of_kind(kind: Kind, literal: &Literal) -> Option<(&'static str, Option<RangeInclusive<i128>>)> {
    let range = integers(kind);
    Some(match kind {
        Kind::TinyInt | Kind::Bool => ("i8", range),
        Kind::TinyIntUnsigned => ("u8", range),
        Kind::SmallInt => ("i16", range),
        Kind::SmallIntUnsigned | Kind::Year => ("u16", range),
        Kind::MediumInt | Kind::Int => ("i32", range),
        Kind::MediumIntUnsigned | Kind::IntUnsigned => ("u32", range),
        Kind::BigInt => ("i64", range),
        Kind::BigIntUnsigned | Kind::Bit1 | Kind::Bit => ("u64", range),
        Kind::Float if literal.is_decimal => ("f32", None),
        Kind::Double if literal.is_decimal => ("f64", None),
        Kind::Decimal if literal.number.is_some() => {
            ("i64", Some(i64::MIN.into()..=i64::MAX.into()))
        }
        _ => return None,
    })
}

fn integers(kind: Kind) -> Option<RangeInclusive<i128>> {
    let signed = |bits: u32| -(1_i128 << (bits - 1))..=(1 << (bits - 1)) - 1;
    let unsigned = |bits: u32| 0..=(1_i128 << bits) - 1;
    Some(match kind {
        Kind::TinyInt | Kind::Bool => signed(8),
        Kind::TinyIntUnsigned => unsigned(8),
        Kind::SmallInt => signed(16),
        Kind::SmallIntUnsigned => unsigned(16),
        Kind::MediumInt => signed(24),
        Kind::MediumIntUnsigned => unsigned(24),
        Kind::Int => signed(32),
        Kind::IntUnsigned => unsigned(32),
        Kind::BigInt => signed(64),
        Kind::BigIntUnsigned | Kind::Bit => unsigned(64),
        Kind::Bit1 => unsigned(1),
        Kind::Year => 0..=2155,
        _ => return None,
    })
}

/// A number without a type, perhaps behind a minus.
struct Literal {
    minus: Option<TokenTree>,
    text: String,
    span: Span,
    /// The value of an integer.
    number: Option<i128>,
    /// Not hexadecimal and the like, which no float is.
    is_decimal: bool,
}

impl Literal {
    fn read(value: &TokenStream) -> Option<Self> {
        let tokens: Vec<TokenTree> = value.clone().into_iter().collect();
        let (minus, literal) = match tokens.as_slice() {
            // What came into a macro of the user's as `$value:expr`.
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
                return Self::read(&group.stream());
            }
            [TokenTree::Literal(literal)] => (None, literal),
            [TokenTree::Punct(minus), TokenTree::Literal(literal)] if minus.as_char() == '-' => {
                (Some(minus.clone().into()), literal)
            }
            _ => return None,
        };
        let text = literal.to_string();
        let digits = text.replace('_', "");
        let radix = |prefix: &str, radix: u32| {
            digits
                .strip_prefix(prefix)
                .and_then(|digits| i128::from_str_radix(digits, radix).ok())
        };
        let hexadecimal = radix("0x", 16)
            .or_else(|| radix("0o", 8))
            .or_else(|| radix("0b", 2));
        let is_decimal = hexadecimal.is_none();
        let number = hexadecimal.or_else(|| digits.parse().ok());
        // What has a suffix is neither.
        let is_float =
            digits.starts_with(|char: char| char.is_ascii_digit()) && digits.parse::<f64>().is_ok();
        (number.is_some() || is_float).then(|| Self {
            number: number.map(|number| if minus.is_some() { -number } else { number }),
            minus,
            text,
            span: literal.span(),
            is_decimal,
        })
    }

    fn with(self, suffix: &str) -> Option<TokenStream> {
        let mut literal: proc_macro2::Literal = format!("{}{suffix}", self.text).parse().ok()?;
        literal.set_span(self.span);
        Some(
            self.minus
                .into_iter()
                .chain([TokenTree::from(literal)])
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Group;

    use super::super::fits::Params;
    use super::*;
    use crate::description::{Against, DescribedParam, Types};
    use crate::sql::Sql;

    fn literal(text: &str, kind: Kind) -> String {
        argument(text.parse().unwrap(), kind)
    }

    fn argument(value: TokenStream, kind: Kind) -> String {
        let against = Against {
            kind,
            usage: Usage::Compared,
            table: Some("t".to_owned()),
            column: Some("c".to_owned()),
            labels: Vec::new(),
        };
        let params = [DescribedParam {
            against: Some(against),
        }];
        let sql = Sql::parse("SELECT 1 FROM t WHERE c = ?").unwrap();
        let types = Types::default();
        let params = Params {
            all: &params,
            types: &types,
            sql: &sql,
        };
        let place = params.parameter(0);
        match typed(&value, &place) {
            Ok(Some(tokens)) => tokens.to_string().replace(' ', ""),
            Ok(None) => "as it is".to_owned(),
            Err(message) => message.lines().next().unwrap_or_default().to_owned(),
        }
    }

    #[test]
    fn literals_take_the_type_of_what_they_stand_against() {
        for (text, kind, typed) in [
            ("1", Kind::BigIntUnsigned, "1u64"),
            ("1_000", Kind::SmallInt, "1_000i16"),
            ("-1", Kind::TinyInt, "-1i8"),
            ("0xff", Kind::IntUnsigned, "0xffu32"),
            ("1", Kind::Double, "1f64"),
            ("1.5", Kind::Float, "1.5f32"),
            ("0x10", Kind::Double, "as it is"),
            ("5_000_000_000", Kind::Decimal, "5_000_000_000i64"),
            ("1u8", Kind::BigInt, "as it is"),
            ("1.5", Kind::Int, "as it is"),
            ("1", Kind::Text, "as it is"),
            ("\"1\"", Kind::Int, "as it is"),
            ("one", Kind::Int, "as it is"),
            ("1 + 1", Kind::Int, "as it is"),
        ] {
            assert_eq!(literal(text, kind), typed, "{text} for {kind}");
        }
    }

    #[test]
    fn literals_that_came_through_a_macro_are_literals() {
        let through = |text: &str| -> TokenStream {
            let group = Group::new(Delimiter::None, text.parse().unwrap());
            TokenTree::from(group).into()
        };
        assert_eq!(argument(through("1"), Kind::BigIntUnsigned), "1u64");
        assert_eq!(argument(through("-1"), Kind::TinyInt), "-1i8");
        assert_eq!(argument(through("one"), Kind::Int), "as it is");
        assert!(argument(through("300"), Kind::TinyInt).starts_with("`300` is out of the range"));
    }

    #[test]
    fn literals_out_of_range_are_mistakes() {
        let message = "`300` is out of the range of `t.c`, a TINYINT, which is -128 to 127";
        assert_eq!(literal("300", Kind::TinyInt), message);
        let message =
            "`-1` is out of the range of `t.c`, an INT UNSIGNED, which is 0 to 4294967295";
        assert_eq!(literal("-1", Kind::IntUnsigned), message);
        assert_eq!(literal("-128", Kind::TinyInt), "-128i8");
        assert_eq!(
            literal("18446744073709551615", Kind::BigIntUnsigned),
            "18446744073709551615u64"
        );
    }
}

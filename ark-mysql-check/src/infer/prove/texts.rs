//! Text: which literals are good for every value, and what may be bytes.

use super::scope::Scope;
use super::{Fact, Prover, functions};
use crate::description::Kind;
use crate::sql::tree::{Call, Expression};

/// A longer result may be longer than a packet, and then it is NULL.
const LONGEST: u32 = 9999;
const OFTENEST: u32 = 99;

/// Whether nothing in these arguments can make it NULL but a NULL.
pub(super) fn are_good(call: &Call, first: Fact) -> bool {
    let arguments = call.arguments.as_slice();
    match call.name.as_str() {
        // Text that is none of the character set is NULL.
        "CHAR" => call.target.is_none(),
        // They are NULL for the empty string.
        "BIN" | "OCT" => functions::is_integer(first.kind),
        "CONV" => functions::is_integer(first.kind) && arguments.iter().skip(1).all(is_base),
        // One way of encryption wants a vector as well.
        "AES_ENCRYPT" => arguments.len() == 2,
        "ELT" => {
            matches!(arguments, [which, texts @ ..] if u32::try_from(texts.len()).is_ok_and(|most| is_within(which, most)))
        }
        "LPAD" | "RPAD" => is_padded(arguments),
        "RANDOM_BYTES" => arguments.iter().all(|bytes| is_within(bytes, 1024)),
        "REGEXP_INSTR" | "REGEXP_LIKE" | "REGEXP_REPLACE" => {
            matches!(arguments.get(1), Some(Expression::Literal(_)))
        }
        "REPEAT" => is_repeated(arguments),
        "SPACE" => arguments
            .last()
            .is_some_and(|times| is_within(times, LONGEST)),
        "SHA2" => arguments.get(1).is_some_and(is_width_of_sha2),
        "FROM_BASE64" => is_call_of(arguments, &["TO_BASE64"]),
        "UNHEX" => is_hexadecimal(arguments),
        _ => false,
    }
}

fn is_within(literal: &Expression, most: u32) -> bool {
    let number = match literal {
        Expression::Literal(text) => text.parse().ok(),
        _ => None,
    };
    number.is_some_and(|number| (1..=most).contains(&number))
}

/// Text that is written there may be repeated more often than any text.
fn is_repeated(arguments: &[Expression]) -> bool {
    match arguments {
        [Expression::Literal(text), times] if text.len() < 10 => is_within(times, LONGEST),
        [_, times] => is_within(times, OFTENEST),
        _ => false,
    }
}

fn is_base(literal: &Expression) -> bool {
    is_within(literal, 36) && !is_within(literal, 1)
}

/// MariaDB gives NULL where there is nothing to pad with.
fn is_padded(arguments: &[Expression]) -> bool {
    match arguments {
        [_, length, Expression::Literal(with)] => {
            is_within(length, LONGEST) && with.starts_with('\'') && with != "''"
        }
        _ => false,
    }
}

fn is_width_of_sha2(bits: &Expression) -> bool {
    matches!(bits, Expression::Literal(bits) if ["224", "256", "384", "512"].contains(&bits.as_str()))
}

fn is_call_of(arguments: &[Expression], names: &[&str]) -> bool {
    matches!(arguments, [Expression::Call(call)] if names.contains(&call.name.as_str()))
}

/// What gives hexadecimal digits, and as people take the dashes out of a UUID.
fn is_hexadecimal(arguments: &[Expression]) -> bool {
    let without_dashes = match arguments {
        [Expression::Call(call)] if call.name == "REPLACE" => match call.arguments.as_slice() {
            [
                uuid,
                Expression::Literal(dash),
                Expression::Literal(nothing),
            ] => {
                is_call_of(std::slice::from_ref(uuid), &["UUID"])
                    && dash == "'-'"
                    && nothing == "''"
            }
            _ => false,
        },
        _ => false,
    };
    without_dashes || is_call_of(arguments, &["HEX", "MD5", "SHA", "SHA1", "SHA2"])
}

/// Functions that make bytes of anything.
const MAKE_BYTES: &[&str] = &[
    "AES_DECRYPT",
    "AES_ENCRYPT",
    "BINARY",
    "CHAR",
    "CHR",
    "COMPRESS",
    "FROM_BASE64",
    "INET6_ATON",
    "LOAD_FILE",
    "RANDOM_BYTES",
    "UNCOMPRESS",
    "UNHEX",
    "UUID_TO_BIN",
    "WEIGHT_STRING",
];

/// Functions that make text of bytes, too.
const MAKE_TEXT: &[&str] = &[
    "BIN_TO_UUID",
    "COUNT",
    "HEX",
    "JSON_VALID",
    "LENGTH",
    "MD5",
    "SHA",
    "SHA1",
    "SHA2",
    "TO_BASE64",
];

impl Prover<'_> {
    /// Whether none of the arguments is bytes that MariaDB calls text: of a column of text and bytes that are none, one of which is the value, it calls
    /// both text, and whoever looks at the characters makes NULL of the bytes.
    pub(super) fn are_as_called(&self, call: &Call, facts: &[Fact], scope: &Scope<'_>) -> bool {
        let mut arguments = call.arguments.iter().zip(facts);
        arguments.all(|(argument, fact)| match argument {
            // Alone they are what they are.
            Expression::Parameter(_) => true,
            Expression::Column(..) => fact.kind.is_some(),
            mixed => !self.may_be_bytes(mixed, scope),
        })
    }

    /// Whether it may be bytes, which need not be text. What is not known may be.
    pub(super) fn may_be_bytes(&self, expression: &Expression, scope: &Scope<'_>) -> bool {
        let any = |parts: &[&Expression]| parts.iter().any(|part| self.may_be_bytes(part, scope));
        match expression {
            Expression::Column(..) => match self.fact(expression, scope).kind {
                Some(Kind::Bytes | Kind::Bit | Kind::Bit1 | Kind::Geometry | Kind::Vector) => true,
                kind => kind.is_none(),
            },
            Expression::Literal(text) => is_of_bytes(text),
            Expression::Call(call) => match call.name.as_str() {
                name if MAKE_TEXT.contains(&name) => false,
                name if MAKE_BYTES.contains(&name) => true,
                "CAST" | "CONVERT" => {
                    matches!(call.target.as_deref(), None | Some("BINARY" | "USING"))
                }
                name if functions::rule(name) == functions::Rule::Unknown => true,
                _ => any(&call.arguments.iter().collect::<Vec<_>>()),
            },
            Expression::Case { results, .. } => any(&results.iter().collect::<Vec<_>>()),
            Expression::Null
            | Expression::Comparison(_)
            | Expression::Among(_)
            | Expression::AmongRows(..)
            | Expression::Pattern(_)
            | Expression::Regexp(_)
            | Expression::And(_)
            | Expression::Or(_)
            | Expression::Test(_)
            | Expression::IsSomething(_)
            | Expression::Exists(_) => false,
            Expression::Strict(_) | Expression::Division(_) => any(&expression.parts()),
            _ => true,
        }
    }
}

/// X'ff', 0xff, b'1', _binary'…'.
fn is_of_bytes(literal: &str) -> bool {
    ["X'", "B'", "0X", "0B", "_BINARY"]
        .iter()
        .any(|start| literal.to_ascii_uppercase().starts_with(start))
}

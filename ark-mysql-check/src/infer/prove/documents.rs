//! Functions of JSON. Of what is no JSON MariaDB makes NULL, and says of one of them that it never does.

use super::Fact;
use super::call::only_if;
use crate::description::{Kind, Why};
use crate::sql::tree::{Call, Expression};

/// Called NOT NULL by MariaDB, and NULL for text that is no JSON, or for what is no text.
pub(in crate::infer) const MISJUDGED: [&str; 2] = ["JSON_DEPTH", "JSON_QUOTE"];

pub(super) fn of_documents(call: &Call, facts: &[Fact], strict: Fact) -> Fact {
    let is_json = |fact: &Fact| fact.kind == Some(Kind::Json);
    let first = facts.first().copied().unwrap_or(Fact::NEVER);
    let paths = |from, step| call.arguments.iter().skip(from).step_by(step).all(is_path);
    let known = match call.name.as_str() {
        "JSON_UNQUOTE" => is_json(&first) || first.kind == Some(Kind::Text),
        "JSON_CONTAINS" | "JSON_MERGE_PATCH" | "JSON_MERGE_PRESERVE" | "JSON_OVERLAPS" => {
            facts.iter().all(is_json) && facts.len() > 1
        }
        "JSON_CONTAINS_PATH" => is_json(&first) && paths(2, 1) && is_one_or_all(call),
        "JSON_INSERT" | "JSON_REPLACE" | "JSON_SET" => {
            // What is put in may be NULL.
            return only_if(
                is_json(&first) && paths(1, 2),
                first.without_kind(),
                Why::Function,
            );
        }
        "JSON_REMOVE" => is_json(&first) && paths(1, 1),
        "JSON_QUOTE" => first.kind == Some(Kind::Text),
        _ => is_json(&first) && facts.len() == 1,
    };
    match known {
        false if MISJUDGED.contains(&call.name.as_str()) => Fact::maybe(Why::NotBelieved),
        known => only_if(known, strict, Why::Function),
    }
}

fn is_one_or_all(call: &Call) -> bool {
    matches!(call.arguments.get(1), Some(Expression::Literal(which)) if ["'one'", "'all'"].contains(&which.as_str()))
}

/// `'$.a.b'`, `'$[0]'`: a path that every server understands.
fn is_path(literal: &Expression) -> bool {
    let Expression::Literal(text) = literal else {
        return false;
    };
    let steps = text
        .strip_prefix("'$")
        .and_then(|rest| rest.strip_suffix('\''));
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_place = |steps: &str| {
        steps
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|place| place.len() < 5 && place.parse::<u16>().is_ok())
    };
    steps.is_some_and(|steps| {
        steps.is_empty()
            || is_place(steps)
            || steps
                .strip_prefix('.')
                .is_some_and(|names| names.split('.').all(is_name))
    })
}

//! Functions of JSON. Of what is no JSON MariaDB makes NULL, and says of some of them that it never does: `functions::MISJUDGED`.

use super::call::only_if;
use super::scope::Scope;
use super::{Fact, Prover, functions};
use crate::description::{Kind, Why};
use crate::sql::tree::{Call, Expression};

impl Prover<'_> {
    pub(super) fn of_documents(
        &self,
        call: &Call,
        facts: &[Fact],
        strict: Fact,
        scope: &Scope<'_>,
    ) -> Fact {
        let is_json = |fact: &Fact| fact.kind == Some(Kind::Json);
        let first = facts.first().copied().unwrap_or(Fact::NEVER);
        let paths = |from, step| call.arguments.iter().skip(from).step_by(step).all(is_path);
        let known = match call.name.as_str() {
            "JSON_UNQUOTE" => is_json(&first) || first.kind == Some(Kind::Text),
            // A third argument of JSON_CONTAINS is a path, which may lead nowhere.
            "JSON_CONTAINS" | "JSON_OVERLAPS" => facts.iter().all(is_json) && facts.len() == 2,
            "JSON_MERGE_PATCH" => facts.iter().all(is_json) && facts.len() > 1,
            // An object and an array become one array, which may be too deep for MariaDB.
            "JSON_MERGE_PRESERVE" => false,
            "JSON_CONTAINS_PATH" => is_json(&first) && paths(2, 1) && is_one_or_all(call),
            "JSON_INSERT" | "JSON_REPLACE" | "JSON_SET" => {
                let known = is_json(&first) && paths(1, 2) && !self.deepens(call, scope);
                // What is put in may be NULL.
                return only_if(known, first.without_kind(), Why::Function);
            }
            "JSON_REMOVE" => is_json(&first) && paths(1, 1),
            "JSON_QUOTE" => first.kind == Some(Kind::Text),
            _ => is_json(&first) && facts.len() == 1,
        };
        only_if(known, strict, Why::Function)
    }

    /// Whether a document may become deeper than it was: what is deeper than 32 is NULL on MariaDB.
    fn deepens(&self, call: &Call, scope: &Scope<'_>) -> bool {
        // To put something behind a scalar or an object makes an array of both.
        let wraps = |path: &Expression| call.name != "JSON_REPLACE" && is_place_of_array(path);
        call.arguments.iter().skip(1).step_by(2).any(wraps)
            || call
                .arguments
                .iter()
                .skip(2)
                .step_by(2)
                .any(|put| self.may_be_document(put, scope))
    }

    /// Whether it may be JSON, which is put in as what it is, and not as text. What is not known may be.
    fn may_be_document(&self, expression: &Expression, scope: &Scope<'_>) -> bool {
        let any = |parts: &[&Expression]| {
            let mut parts = parts.iter();
            parts.any(|part| self.may_be_document(part, scope))
        };
        match expression {
            Expression::Column(..) => {
                let kind = self.fact(expression, scope).kind;
                kind.is_none_or(|kind| kind == Kind::Json)
            }
            Expression::Call(call) => match call.name.as_str() {
                "CAST" | "CONVERT" => call.target.as_deref() == Some("JSON"),
                name if name.starts_with("JSON_") => true,
                name if functions::rule(name) == functions::Rule::Unknown => true,
                _ => any(&call.arguments.iter().collect::<Vec<_>>()),
            },
            Expression::Case { results, .. } => any(&results.iter().collect::<Vec<_>>()),
            Expression::Null
            | Expression::Literal(_)
            | Expression::Parameter(_)
            | Expression::Comparison(_)
            | Expression::Test(_)
            | Expression::IsSomething(_)
            | Expression::Exists(_) => false,
            Expression::Strict(_) | Expression::Division(_) => any(&expression.parts()),
            _ => true,
        }
    }
}

/// Whether a CAST makes JSON of every value, or an error.
pub(super) fn becomes_json(kind: Option<Kind>) -> bool {
    functions::takes_everything(kind)
        || functions::is_moment(kind)
        || matches!(kind, Some(Kind::Json | Kind::Time | Kind::Year))
}

fn is_one_or_all(call: &Call) -> bool {
    matches!(call.arguments.get(1), Some(Expression::Literal(which)) if ["'one'", "'all'"].contains(&which.as_str()))
}

/// `'$[1]'`: a place that only arrays have. The first is that of anything.
fn is_place_of_array(path: &Expression) -> bool {
    matches!(path, Expression::Literal(path) if path.contains('[') && path != "'$[0]'")
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

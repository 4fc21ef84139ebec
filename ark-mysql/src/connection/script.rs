//! Scripts of SQL statements.

use ark_mysql_proto::params::ParamType;

use super::execute::Call;
use super::link::Link;
use crate::error::{Error, Outcome};
use crate::trace;
use crate::value::StatementKey;

pub(super) async fn run(link: &mut Link, script: &str) -> Result<(), Error> {
    for (number, (line, sql)) in statements(script).into_iter().enumerate() {
        run_one(link, sql).await.map_err(|error| {
            let outcome = if number > 0 && error.outcome() != Outcome::Unknown {
                Outcome::Partial
            } else {
                error.outcome()
            };
            error
                .with_outcome(outcome)
                .at(format!("line {line} of the script"))
        })?;
    }
    Ok(())
}

async fn run_one(link: &mut Link, sql: &str) -> Result<(), Error> {
    const NO_PARAMS: &[ParamType] = &[];
    let digest = trace::digest(sql);
    let key = StatementKey::new(digest, NO_PARAMS);
    let call = Call {
        key,
        digest,
        sql,
        checked: None,
        types: NO_PARAMS,
        columns: None,
        dirties: true,
        limit: None,
    };
    let mut reply = link.send_text(&call).await?;
    while link.next_row(&mut reply).await? {}
    Ok(())
}

/// The statements of a script, each with the line that it begins on. Ones that hold nothing but blanks and comments are left out.
fn statements(script: &str) -> Vec<(usize, &str)> {
    let (mut found, mut begin, mut at) = (Vec::new(), 0, 0);
    while let Some(length) = token(script.get(at..).unwrap_or_default()) {
        if script.get(at..).is_some_and(|rest| rest.starts_with(';')) {
            found.extend(
                script
                    .get(begin..at)
                    .and_then(|sql| statement(script, begin, sql)),
            );
            begin = at + 1;
        }
        at += length;
    }
    found.extend(
        script
            .get(begin..)
            .and_then(|sql| statement(script, begin, sql)),
    );
    found
}

fn statement<'s>(script: &'s str, begin: usize, sql: &'s str) -> Option<(usize, &'s str)> {
    let blank = blank_prefix(sql);
    let body = sql.get(blank..)?.trim_end();
    let line = script.get(..begin + blank)?.matches('\n').count() + 1;
    (!body.is_empty()).then_some((line, body))
}

/// How many bytes of blanks and comments `sql` begins with. Comments that the server executes (`/*! … */`) are none.
fn blank_prefix(sql: &str) -> usize {
    let mut at = 0;
    while let Some(rest) = sql.get(at..) {
        let space = rest.len() - rest.trim_start().len();
        let executed = rest.starts_with("/*!") || rest.starts_with("/*M!");
        let comment = if executed { None } else { comment(rest) };
        match (space, comment) {
            (0, None) => break,
            (0, Some(length)) => at += length,
            (space, _) => at += space,
        }
    }
    at
}

/// The length of what `sql` begins with: a quoted thing, a comment or a character. None at the end.
fn token(sql: &str) -> Option<usize> {
    let first = sql.chars().next()?;
    let length = match first {
        '\'' | '"' | '`' => quoted(sql, first),
        _ => comment(sql).unwrap_or(first.len_utf8()),
    };
    Some(length)
}

/// To the closing quote, or to the end: then the server will say what is wrong with it.
fn quoted(sql: &str, quote: char) -> usize {
    let mut characters = sql.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote != '`' => drop(characters.next()),
            _ if character == quote => return at + 1, // a doubled quote reads as two quoted things
            _ => {}
        }
    }
    sql.len()
}

fn comment(sql: &str) -> Option<usize> {
    let to_line_end = || sql.find('\n').unwrap_or(sql.len());
    let dashes = sql
        .strip_prefix("--")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    if sql.starts_with('#') || dashes {
        return Some(to_line_end());
    }
    sql.starts_with("/*").then(|| {
        sql.get(2..)
            .and_then(|body| body.find("*/"))
            .map_or(sql.len(), |end| end + 4)
    })
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn semicolons_in_quotes_and_comments_do_not_split() {
        let script =
            "SELECT ';', \"a;\\\";\", `b;`; -- no; not here\n/* nor; here */ SELECT 1 # ; \n;;\n";
        let found = statements(script);
        assert_eq!(
            found,
            [(1, "SELECT ';', \"a;\\\";\", `b;`"), (2, "SELECT 1 # ;")]
        );
    }

    #[test]
    fn comments_alone_are_no_statement_but_executed_ones_are() {
        assert_eq!(statements("-- a\n/* b */ # c"), []);
        assert_eq!(
            statements("/*!40101 SET @a = 1 */;"),
            [(1, "/*!40101 SET @a = 1 */")]
        );
    }

    #[test]
    fn what_never_ends_is_sent_whole() {
        assert_eq!(statements("SELECT 'a; b"), [(1, "SELECT 'a; b")]);
        assert_eq!(
            statements("é;SELECT 'é''é;'"),
            [(1, "é"), (1, "SELECT 'é''é;'")]
        );
    }
}

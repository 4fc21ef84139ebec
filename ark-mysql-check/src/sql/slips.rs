//! What people write out of habits from elsewhere: servers would refuse it with words that do not help.

use super::lexer::{Flaw, FlawKind, Kind, Token};
use super::tokens::Tokens;

/// Finds the first slip.
pub(super) fn refuse(sql: &str, tokens: &[Token]) -> Result<(), Flaw> {
    let has_placeholders = tokens
        .iter()
        .any(|token| matches!(token.kind, Kind::Question | Kind::Named));
    let flaw = |kind, token: &Token| {
        Err(Flaw {
            kind,
            at: token.start,
        })
    };
    if let Some(token) = second_statement(sql, tokens) {
        return flaw(FlawKind::TwoStatements, token);
    }
    if let Some(token) = tokens.windows(3).find_map(interpolation) {
        return flaw(FlawKind::Interpolation, token);
    }
    match tokens.iter().find(|token| is_dollar_number(sql, token)) {
        Some(token) if !has_placeholders => flaw(FlawKind::DollarPlaceholder, token),
        _ => Ok(()),
    }
}

/// Bodies of routines, triggers and events have semicolons of their own.
fn second_statement<'a>(sql: &str, tokens: &'a [Token]) -> Option<&'a Token> {
    let words = Tokens::new(sql, tokens);
    if words.is_any(0, &["CREATE", "ALTER", "BEGIN", "DECLARE"]) {
        return None;
    }
    let end = tokens
        .iter()
        .position(|token| token.kind == Kind::Mark(b';'))?;
    tokens
        .iter()
        .skip(end)
        .find(|token| token.kind != Kind::Mark(b';'))
}

/// `{name}`. What ODBC writes in braces has more in them: `{d '2024-02-29'}`, `{fn NOW()}`.
fn interpolation(tokens: &[Token]) -> Option<&Token> {
    match tokens {
        [open, name, close] => (open.kind == Kind::Mark(b'{')
            && name.kind == Kind::Word
            && close.kind == Kind::Mark(b'}'))
        .then_some(open),
        _ => None,
    }
}

/// `$1`. It could be a name, so it counts only where nothing else is a placeholder.
fn is_dollar_number(sql: &str, token: &Token) -> bool {
    let text = sql.get(token.start..token.end).unwrap_or_default();
    let number = text.strip_prefix('$').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::sql::{FlawKind, Sql};

    fn flaw(sql: &str) -> Option<(FlawKind, usize)> {
        Sql::parse(sql).err().map(|flaw| (flaw.kind, flaw.at))
    }

    #[test]
    fn a_second_statement_is_refused_and_a_last_semicolon_is_not() {
        assert_eq!(
            flaw("DELETE FROM a; DELETE FROM b"),
            Some((FlawKind::TwoStatements, 15))
        );
        assert_eq!(flaw("DELETE FROM a;; -- end\n"), None);
        assert_eq!(flaw("SELECT ';', \"; x\" /* ; y */ FROM a"), None);
        assert_eq!(
            flaw("CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END"),
            None
        );
    }

    #[test]
    fn interpolation_is_refused_and_odbc_is_not() {
        assert_eq!(
            flaw("SELECT * FROM a WHERE id = {id}"),
            Some((FlawKind::Interpolation, 27))
        );
        for fine in [
            "SELECT {d '2024-02-29'}",
            "SELECT {fn NOW()}",
            "SELECT '{id}'",
            "SELECT JSON_VALUE(a, '$.{x}') FROM a",
        ] {
            assert_eq!(flaw(fine), None, "{fine}");
        }
    }

    #[test]
    fn numbered_placeholders_are_refused_where_they_must_be_ones() {
        assert_eq!(
            flaw("SELECT * FROM a WHERE id = $1"),
            Some((FlawKind::DollarPlaceholder, 27))
        );
        assert_eq!(flaw("SELECT $1 FROM a WHERE id = ?"), None);
        assert_eq!(flaw("SELECT a$1, $x FROM a"), None);
    }
}

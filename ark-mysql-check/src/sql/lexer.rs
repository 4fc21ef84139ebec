//! Bytes to tokens, by the rules that MySQL and MariaDB share. Comments vanish, except that the inside of `/*! … */` counts.
//!
//! Positions are byte offsets; every token starts and ends on a character boundary, because all that ends a token is ASCII.

/// One token: what it is and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, a name, or a number that begins like one.
    Word,
    /// A name in backticks.
    Quoted,
    /// A string in single or double quotes. (With ANSI_QUOTES the latter are names.)
    Text,
    Number,
    /// `?`
    Question,
    /// `:name`
    Named,
    /// `@name`
    UserVariable,
    /// `@@name`
    SystemVariable,
    /// `:=`
    Assign,
    /// Any other character.
    Mark(u8),
}

/// Why a text cannot be a statement, and where (a byte offset).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What is wrong.
    pub kind: FlawKind,
    /// The byte where it begins.
    pub at: usize,
}

/// What is wrong with the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// A string without its closing quote.
    OpenString,
    /// A name without its closing backtick.
    OpenName,
    /// A comment without its `*/`.
    OpenComment,
    /// `?` and `:name` in one statement.
    MixedPlaceholders,
    /// Nothing but blanks and comments.
    Empty,
    /// More behind a semicolon.
    TwoStatements,
    /// `{name}`
    Interpolation,
    /// `$1`
    DollarPlaceholder,
}

pub(super) fn lex(sql: &str) -> Result<Vec<Token>, Flaw> {
    let mut lexer = Lexer {
        bytes: sql.as_bytes(),
        at: 0,
        in_executed_comment: false,
    };
    let mut tokens = Vec::with_capacity(sql.len() / 5);
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    in_executed_comment: bool,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Token>, Flaw> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(first) = self.peek(0) else {
            return Ok(None);
        };
        let kind = match first {
            b'\'' | b'"' => self.string(first)?,
            b'`' => self.name()?,
            b'?' => self.take(1, Kind::Question),
            b':' => self.colon(),
            b'@' => self.variable()?,
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            _ if is_word(first) => self.word(),
            _ => self.take(1, Kind::Mark(first)),
        };
        Ok(Some(Token {
            kind,
            start,
            end: self.at,
        }))
    }

    fn skip_blanks(&mut self) -> Result<(), Flaw> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'#' => self.skip_line(),
                b'-' if self.starts_dash_comment() => self.skip_line(),
                b'/' if self.peek(1) == Some(b'*') => self.comment()?,
                b'*' if self.in_executed_comment && self.peek(1) == Some(b'/') => {
                    self.in_executed_comment = false;
                    self.at += 2;
                }
                _ if byte.is_ascii_whitespace() || byte.is_ascii_control() => self.at += 1,
                _ => break,
            }
        }
        Ok(())
    }

    /// `--` begins a comment only before a blank, so that `5--1` stays arithmetic.
    fn starts_dash_comment(&self) -> bool {
        self.peek(1) == Some(b'-')
            && self
                .peek(2)
                .is_none_or(|next| next.is_ascii_whitespace() || next.is_ascii_control())
    }

    fn skip_line(&mut self) {
        self.at = self.find(self.at, b"\n").unwrap_or(self.bytes.len());
    }

    fn comment(&mut self) -> Result<(), Flaw> {
        let executed = self.rest().starts_with(b"/*!") || self.rest().starts_with(b"/*M!");
        // One inside of another is code, too, and both end at the first `*/`: so both families count.
        if executed {
            self.in_executed_comment = true;
            self.at = self
                .find(self.at, b"!")
                .map_or(self.bytes.len(), |mark| mark + 1);
            while self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) {
                self.at += 1;
            }
            // Without its end the server would complain about something else entirely.
            return match self.find(self.at, b"*/") {
                Some(_) => Ok(()),
                None => Err(Flaw {
                    kind: FlawKind::OpenComment,
                    at: self.at,
                }),
            };
        }
        match self.find(self.at + 2, b"*/") {
            Some(end) => {
                self.at = end + 2;
                Ok(())
            }
            None => Err(Flaw {
                kind: FlawKind::OpenComment,
                at: self.at,
            }),
        }
    }

    fn string(&mut self, quote: u8) -> Result<Kind, Flaw> {
        let flaw = Flaw {
            kind: FlawKind::OpenString,
            at: self.at,
        };
        self.at += 1;
        loop {
            match self.peek(0).ok_or(flaw)? {
                b'\\' => self.at += 2,
                byte if byte == quote && self.peek(1) == Some(quote) => self.at += 2,
                byte if byte == quote => return Ok(self.take(1, Kind::Text)),
                _ => self.at += 1,
            }
        }
    }

    fn name(&mut self) -> Result<Kind, Flaw> {
        let flaw = Flaw {
            kind: FlawKind::OpenName,
            at: self.at,
        };
        self.at += 1;
        loop {
            match self.peek(0).ok_or(flaw)? {
                b'`' if self.peek(1) == Some(b'`') => self.at += 2,
                b'`' => return Ok(self.take(1, Kind::Quoted)),
                _ => self.at += 1,
            }
        }
    }

    fn colon(&mut self) -> Kind {
        let doubled = self.at > 0 && self.bytes.get(self.at - 1) == Some(&b':');
        match self.peek(1) {
            Some(b'=') => self.take(2, Kind::Assign),
            Some(next) if !doubled && (next.is_ascii_alphabetic() || next == b'_') => {
                self.at += 1;
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Kind::Named
            }
            _ => self.take(1, Kind::Mark(b':')),
        }
    }

    fn variable(&mut self) -> Result<Kind, Flaw> {
        let kind = if self.peek(1) == Some(b'@') {
            Kind::SystemVariable
        } else {
            Kind::UserVariable
        };
        self.at += if kind == Kind::SystemVariable { 2 } else { 1 };
        match self.peek(0) {
            Some(quote @ (b'\'' | b'"')) => self.string(quote)?,
            Some(b'`') => self.name()?,
            _ => self.skip_while(|byte| is_word(byte) || byte == b'.'),
        };
        Ok(kind)
    }

    /// `12`, `1.5`, `.5`, `1e-3`, `0xFF`; and names such as `2nd`, which MySQL allows.
    fn number(&mut self) -> Kind {
        let start = self.at;
        self.skip_while(is_word);
        let digits = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
        if self.bytes.get(start..self.at).is_some_and(digits) && self.peek(0) == Some(b'.') {
            self.at += 1;
            self.skip_while(is_word);
        }
        if self.ends_in_exponent(start)
            && matches!(self.peek(0), Some(b'+' | b'-'))
            && self.peek(1).is_some_and(|next| next.is_ascii_digit())
        {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        Kind::Number
    }

    /// `1.5e`, and not the name `2ne`, nor `0xFE`: what stands behind those is an operator, or a comment.
    fn ends_in_exponent(&self, start: usize) -> bool {
        let read = self.bytes.get(start..self.at).unwrap_or_default();
        let digits = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        matches!(read, [number @ .., b'e' | b'E'] if number.iter().all(digits))
    }

    fn word(&mut self) -> Kind {
        self.skip_while(is_word);
        Kind::Word
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> Kind {
        while self.peek(0).is_some_and(&wanted) {
            self.at += 1;
        }
        Kind::Word
    }

    fn take(&mut self, bytes: usize, kind: Kind) -> Kind {
        self.at += bytes;
        kind
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn find(&self, from: usize, needle: &[u8]) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        rest.windows(needle.len())
            .position(|window| window == needle)
            .map(|found| from + found)
    }
}

/// All of a name: everything beyond ASCII may be part of one.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(sql: &str) -> Vec<(Kind, &str)> {
        lex(sql)
            .unwrap()
            .iter()
            .map(|token| (token.kind, &sql[token.start..token.end]))
            .collect()
    }

    #[test]
    fn strings_end_where_the_server_ends_them() {
        assert_eq!(kinds(r"'a''b'"), [(Kind::Text, r"'a''b'")]);
        assert_eq!(
            kinds(r"'a\'b?' ?"),
            [(Kind::Text, r"'a\'b?'"), (Kind::Question, "?")]
        );
        assert_eq!(
            kinds(r#""a""b\"?" ?"#),
            [(Kind::Text, r#""a""b\"?""#), (Kind::Question, "?")]
        );
        assert_eq!(
            kinds("`a``?` ?"),
            [(Kind::Quoted, "`a``?`"), (Kind::Question, "?")]
        );
    }

    #[test]
    fn comments_vanish_but_executed_ones_count() {
        assert_eq!(
            kinds("5--1"),
            [
                (Kind::Number, "5"),
                (Kind::Mark(b'-'), "-"),
                (Kind::Mark(b'-'), "-"),
                (Kind::Number, "1")
            ]
        );
        assert_eq!(
            kinds("a -- ?\n# ?\n/* ? */ /*+ ? */ b"),
            [(Kind::Word, "a"), (Kind::Word, "b")]
        );
        assert_eq!(
            kinds("/*!50000 ? */ /*M! x */"),
            [(Kind::Question, "?"), (Kind::Word, "x")]
        );
    }

    #[test]
    fn numbers_names_and_variables() {
        assert_eq!(kinds("1.5e-3"), [(Kind::Number, "1.5e-3")]);
        assert_eq!(kinds("t.5"), [(Kind::Word, "t"), (Kind::Number, ".5")]);
        // The fuzzer found names that swallowed the first sign of a comment.
        for name in ["4$WE", "0xFE", "1e", "2.5e"] {
            assert_eq!(kinds(&format!("{name}-- ?")), [(Kind::Number, name)]);
        }
        assert_eq!(
            kinds("@a @@x.y @`b c`"),
            [
                (Kind::UserVariable, "@a"),
                (Kind::SystemVariable, "@@x.y"),
                (Kind::UserVariable, "@`b c`")
            ]
        );
        assert_eq!(kinds("größe"), [(Kind::Word, "größe")]);
    }

    #[test]
    fn what_never_ends_is_named_where_it_begins() {
        for (sql, kind, at) in [
            ("a 'b", FlawKind::OpenString, 2),
            ("a 'b\\", FlawKind::OpenString, 2),
            ("`b", FlawKind::OpenName, 0),
            ("a /* b", FlawKind::OpenComment, 2),
        ] {
            assert_eq!(lex(sql).unwrap_err(), Flaw { kind, at }, "{sql}");
        }
    }

    /// Every text of a small hostile alphabet: no panic, and tokens that lie on character boundaries in order.
    #[test]
    fn no_text_panics() {
        let alphabet = [
            "'", "\"", "`", "\\", "?", ":", "=", "@", "-", " ", "\n", "#", "/", "*", "!", "M", "1",
            ".", "e", "ä", "(", ")", ",", "LEFT", "SELECT",
        ];
        let mut state = 7u64;
        for _ in 0..40_000 {
            let mut sql = String::new();
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            for step in 0..(state >> 60) {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407 + step);
                sql.push_str(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            if let Ok(tokens) = lex(&sql) {
                let mut last = 0;
                for token in tokens {
                    assert!(
                        token.start >= last && sql.get(token.start..token.end).is_some(),
                        "{sql:?}"
                    );
                    last = token.end;
                }
            }
            _ = crate::sql::Sql::parse(&sql);
        }
    }
}

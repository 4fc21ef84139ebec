//! The lines of `ark-mysql.toml`: sections, `key = "value"`, comments. That is all the TOML that its settings need, so that the macros carry no TOML parser.

/// One line that says something, in front of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// `[types.columns]`
    Section(String),
    /// `key = "value"`; a key in quotes is the same key.
    Setting {
        key: String,
        value: String,
        /// Where the value begins, in characters from 1.
        value_at: usize,
    },
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// In characters from 1.
    pub(super) column: usize,
    pub(super) problem: String,
}

const SHAPE: &str = "expected `key = \"value\"`";

/// Reads a line: what it says and where that begins, in characters from 1. `None` for an empty line or a comment.
pub(super) fn read(line: &str) -> Result<Option<(Line, usize)>, Flaw> {
    let mut rest = Rest { line, at: 0 };
    rest.skip_space();
    let start = rest.column();
    let read = match rest.first() {
        None | Some('#') => return Ok(None),
        Some('[') => rest.section(),
        Some(_) => rest.setting(),
    }?;
    rest.skip_space();
    match rest.first() {
        None | Some('#') => Ok(Some((read, start))),
        Some(_) => Err(rest.flaw("there is more on this line than one setting")),
    }
}

struct Rest<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Rest<'l> {
    fn text(&self) -> &'l str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn first(&self) -> Option<char> {
        self.text().chars().next()
    }

    fn column(&self) -> usize {
        let before = self.line.get(..self.at).unwrap_or_default();
        before.chars().count() + 1
    }

    fn flaw(&self, problem: impl Into<String>) -> Flaw {
        Flaw {
            column: self.column(),
            problem: problem.into(),
        }
    }

    fn skip_space(&mut self) {
        self.at += self.text().len() - self.text().trim_start().len();
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.text().starts_with(mark);
        if found {
            self.at += mark.len_utf8();
        }
        found
    }

    fn section(&mut self) -> Result<Line, Flaw> {
        self.eat('[');
        self.skip_space();
        let name = self.key()?;
        self.skip_space();
        match self.eat(']') {
            true => Ok(Line::Section(name)),
            false => Err(self.flaw(
                "expected `]`: a section is one name in brackets, such as `[types.columns]`",
            )),
        }
    }

    fn setting(&mut self) -> Result<Line, Flaw> {
        let key = self.key()?;
        self.skip_space();
        if !self.eat('=') {
            return Err(self.flaw(SHAPE));
        }
        self.skip_space();
        let value_at = self.column();
        if !matches!(self.first(), Some('"' | '\'')) {
            return Err(self.flaw(SHAPE));
        }
        let value = self.quoted()?;
        Ok(Line::Setting {
            key,
            value,
            value_at,
        })
    }

    /// Names with dots between them, each bare or in quotes.
    fn key(&mut self) -> Result<String, Flaw> {
        let mut key = self.name()?;
        loop {
            let end = self.at;
            self.skip_space();
            if !self.eat('.') {
                self.at = end;
                return Ok(key);
            }
            self.skip_space();
            key.push('.');
            key.push_str(&self.name()?);
        }
    }

    fn name(&mut self) -> Result<String, Flaw> {
        if matches!(self.first(), Some('"' | '\'')) {
            return self.quoted();
        }
        let is_bare = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_');
        let text = self.text();
        let length = text.find(|char| !is_bare(char)).unwrap_or(text.len());
        let key = text.get(..length).unwrap_or_default();
        if key.is_empty() {
            return Err(self.flaw(SHAPE));
        }
        self.at += length;
        Ok(key.to_owned())
    }

    fn quoted(&mut self) -> Result<String, Flaw> {
        let quote = self.first().unwrap_or('"');
        let opens = self.flaw("the quote is never closed");
        self.eat(quote);
        let (value, _) = self.text().split_once(quote).ok_or(opens)?;
        if let Some(at) = value.find('\\') {
            self.at += at;
            return Err(self.flaw("there are no escapes in this file: write the character itself"));
        }
        self.at += value.len() + quote.len_utf8();
        Ok(value.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(key: &str, value: &str, value_at: usize) -> Option<Line> {
        Some(Line::Setting {
            key: key.to_owned(),
            value: value.to_owned(),
            value_at,
        })
    }

    fn line(text: &str) -> Option<Line> {
        read(text).unwrap().map(|(line, _)| line)
    }

    #[test]
    fn lines_are_read() {
        assert_eq!(line(""), None);
        assert_eq!(line("  # nothing"), None);
        assert_eq!(line("a-b = \"c\" # d"), setting("a-b", "c", 7));
        assert_eq!(line("users.id='X'"), setting("users.id", "X", 10));
        for key in [
            "\"users\".id",
            "users.\"id\"",
            "'users' . 'id'",
            "\"users.id\"",
        ] {
            assert_eq!(
                line(&format!("{key}='X'")),
                setting("users.id", "X", key.len() + 2),
                "{key}"
            );
        }
        assert_eq!(
            line("\"tinyint(1)\" = \"i8\""),
            setting("tinyint(1)", "i8", 16)
        );
    }

    #[test]
    fn sections_are_read() {
        let section = Some(Line::Section("types.columns".to_owned()));
        assert_eq!(line("[types.columns]"), section);
        assert_eq!(line(" [ types.columns ] # x"), section);
    }

    #[test]
    fn flaws_have_their_place() {
        let flaw = |text: &str| {
            let flaw = read(text).unwrap_err();
            format!("{}: {}", flaw.column, flaw.problem)
        };
        assert_eq!(flaw("a"), "2: expected `key = \"value\"`");
        assert_eq!(flaw("a = b"), "5: expected `key = \"value\"`");
        assert_eq!(flaw("  a = \"b"), "7: the quote is never closed");
        assert_eq!(
            flaw("a = \"b\" c"),
            "9: there is more on this line than one setting"
        );
        assert_eq!(
            flaw("a = \"b\\n\""),
            "7: there are no escapes in this file: write the character itself"
        );
        assert!(flaw("[[a]]").starts_with("2: expected"));
        assert!(flaw("[a").starts_with("3: expected `]`"));
    }
}

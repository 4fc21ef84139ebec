//! The part of JSON that cache files and records are made of: no fractions, no negative numbers, no repeated keys, little depth.
//!
//! A general parser would be five more packages in every build of every user, and would not refuse a repeated key.

use std::fmt::Write as _;

/// Cache files have three levels; hostile ones have more.
const MAX_DEPTH: usize = 8;

/// A value that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(u64),
    String(String),
    List(Vec<Value>),
    /// In the order of the text; no key stands twice.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads a whole text.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text };
        let value = reader.value(0).and_then(|value| {
            reader.skip_blanks();
            if reader.rest.is_empty() {
                Ok(value)
            } else {
                Err("something follows the end")
            }
        });
        value.map_err(|problem| {
            let read = text.len() - reader.rest.len();
            let line = 1 + text
                .bytes()
                .take(read)
                .filter(|byte| *byte == b'\n')
                .count();
            format!("{problem}, line {line}")
        })
    }

    /// Returns the value of a key of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(pairs) = self else {
            return None;
        };
        pairs
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(is) = self {
            Some(*is)
        } else {
            None
        }
    }

    pub(crate) fn as_u64(&self) -> Option<u64> {
        if let Self::Number(number) = self {
            Some(*number)
        } else {
            None
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self {
            Some(list)
        } else {
            None
        }
    }
}

/// Writes a string with its quotes.
///
/// Besides what JSON demands, everything that could hide from a reviewer's eye is escaped: direction marks, invisible characters.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' || hides(c) => push_escape(&mut out, c),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn push_escape(out: &mut String, c: char) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

fn hides(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

type Read<T> = Result<T, &'static str>;

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Read<Value> {
        if depth > MAX_DEPTH {
            return Err("it is nested too deeply");
        }
        self.skip_blanks();
        match self.rest.chars().next() {
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some('"') => self.string().map(Value::String),
            Some('0'..='9') => self.number(),
            _ if self.eat("null") => Ok(Value::Null),
            _ if self.eat("true") => Ok(Value::Bool(true)),
            _ if self.eat("false") => Ok(Value::Bool(false)),
            _ => Err("a value is missing"),
        }
    }

    fn object(&mut self, depth: usize) -> Read<Value> {
        let mut pairs: Vec<(String, Value)> = Vec::new();
        self.eat("{");
        while self.another("}", pairs.is_empty())? {
            self.skip_blanks();
            let key = self.string()?;
            self.skip_blanks();
            if !self.eat(":") {
                return Err("a colon is missing");
            }
            if pairs.iter().any(|(known, _)| *known == key) {
                return Err("a key stands twice");
            }
            pairs.push((key, self.value(depth + 1)?));
        }
        Ok(Value::Object(pairs))
    }

    fn list(&mut self, depth: usize) -> Read<Value> {
        let mut items = Vec::new();
        self.eat("[");
        while self.another("]", items.is_empty())? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::List(items))
    }

    /// Reads what stands between items: the end (false), or the comma in front of another one.
    fn another(&mut self, end: &str, is_first: bool) -> Read<bool> {
        self.skip_blanks();
        if self.eat(end) {
            return Ok(false);
        }
        if is_first || self.eat(",") {
            Ok(true)
        } else {
            Err("a comma is missing")
        }
    }

    fn number(&mut self) -> Read<Value> {
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let digits = self.take(end);
        if digits.len() > 1 && digits.starts_with('0') {
            return Err("a number begins with 0");
        }
        digits
            .parse()
            .map(Value::Number)
            .map_err(|_| "a number is too large")
    }

    fn string(&mut self) -> Read<String> {
        if !self.eat("\"") {
            return Err("a string is missing");
        }
        let mut out = String::new();
        loop {
            let end = self
                .rest
                .find(|c: char| matches!(c, '"' | '\\') || c < ' ')
                .unwrap_or(self.rest.len());
            out.push_str(self.take(end));
            if self.eat("\"") {
                return Ok(out);
            }
            if !self.eat("\\") {
                return Err("a string is never closed");
            }
            out.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Read<char> {
        const ESCAPES: [(&str, char); 8] = [
            ("\"", '"'),
            ("\\", '\\'),
            ("/", '/'),
            ("n", '\n'),
            ("r", '\r'),
            ("t", '\t'),
            ("b", '\u{8}'),
            ("f", '\u{c}'),
        ];
        if self.eat("u") {
            return self.unicode();
        }
        let found = ESCAPES.iter().find(|(name, _)| self.eat(name));
        found
            .map(|(_, c)| *c)
            .ok_or("there is an unknown escape in a string")
    }

    fn unicode(&mut self) -> Read<char> {
        const WRONG: &str = "there is half a character in a string";
        let first = self.unit()?;
        let second = if (0xd800..0xdc00).contains(&first) {
            if !self.eat("\\u") {
                return Err(WRONG);
            }
            Some(self.unit()?)
        } else {
            None
        };
        let mut decoded = char::decode_utf16([first].into_iter().chain(second));
        match (decoded.next(), decoded.next()) {
            (Some(Ok(c)), None) => Ok(c),
            _ => Err(WRONG),
        }
    }

    fn unit(&mut self) -> Read<u16> {
        let digits = self
            .rest
            .get(..4)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let unit = digits
            .and_then(|digits| u16::from_str_radix(digits, 16).ok())
            .ok_or("\\u needs four digits")?;
        self.take(4);
        Ok(unit)
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let after = self.rest.strip_prefix(wanted);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Takes bytes up to a place that was found in the rest.
    fn take(&mut self, end: usize) -> &str {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_value() {
        let value = Value::parse(" {\"a\": [null, true, false, 0, 18446744073709551615], \"b\" : \"x\\u00e9\\ud83d\\ude00\\n\\/\"}\r\n").unwrap();
        let list = [
            Value::Null,
            Value::Bool(true),
            Value::Bool(false),
            Value::Number(0),
            Value::Number(u64::MAX),
        ];
        assert_eq!(value.get("a").and_then(Value::as_list), Some(&list[..]));
        assert_eq!(value.get("b").and_then(Value::as_str), Some("xé😀\n/"));
        assert_eq!(value.get("c"), None);
        assert_eq!(Value::parse("[]"), Ok(Value::List(vec![])));
        assert_eq!(Value::parse("{}"), Ok(Value::Object(vec![])));
    }

    #[test]
    fn every_character_comes_back() {
        let all: String = ('\0'..='\u{3000}')
            .chain(['\u{202e}', '\u{feff}', '\u{e0041}', '\u{10ffff}'])
            .collect();
        assert_eq!(Value::parse(&quoted(&all)), Ok(Value::String(all)));
    }

    #[test]
    fn refuses_what_is_no_json_and_what_is_too_much() {
        let deep = "[".repeat(100_000);
        let bad = [
            "",
            " ",
            "nul",
            "[1",
            "[1,",
            "[1,]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u+123\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"a\nb\"",
            "01",
            "-1",
            "1.5",
            "1e3",
            "18446744073709551616",
            "1 1",
            "[]]",
            "{\"a\":1,\"a\":1}",
            "{\"a\":1,\"\\u0061\":1}",
            &deep,
        ];
        for text in bad {
            assert!(
                Value::parse(text).is_err(),
                "{}",
                text.get(..20).unwrap_or(text)
            );
        }
    }

    #[test]
    fn names_the_line() {
        assert_eq!(
            Value::parse("{\n\"a\": 1\n\"b\": 2}"),
            Err("a comma is missing, line 3".to_owned())
        );
    }
}

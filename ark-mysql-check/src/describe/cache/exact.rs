//! Reads an entry that stands to the byte as it was written: as good as every one does, and macros are built without optimisation.
//!
//! It walks along the text that [`Entry::to_json`] would give, so there is nothing to compare afterwards. Whatever looks different in any way
//! (white space, an escape, a letter beyond ASCII, labels, a length near a limit) is left to [`Entry::parse`], which also says what is wrong.

use super::entry::{Entry, FORMAT, MAX_COLUMNS, MAX_NAME_BYTES, MAX_PARAMS};
use crate::description::{
    Against, DescribedColumn, DescribedParam, Description, Family, Kind, Usage, Why,
};

/// The entry, if the text is what writing it gives.
pub(super) fn read(text: &str) -> Option<Entry> {
    let mut rest = Rest(text);
    rest.want("{\n  \"format\": ")?;
    rest.want(&FORMAT.to_string())?;
    rest.want(",\n")?;
    let family = family(&mut rest)?;
    rest.want("  \"sql\": ")?;
    let sql = rest.string()?.to_owned();
    rest.want(",\n  \"columns\": [")?;
    let columns = columns(&mut rest)?;
    rest.want("  \"params\": [")?;
    let params = params(&mut rest)?;
    rest.want("]\n}\n")?;
    let fits = columns.len() <= MAX_COLUMNS && params.len() <= MAX_PARAMS;
    (fits && rest.0.is_empty()).then_some(Entry {
        sql,
        description: Description {
            family,
            columns,
            params,
        },
    })
}

fn family(rest: &mut Rest<'_>) -> Option<Option<Family>> {
    if !rest.eat("  \"family\": ") {
        return Some(None);
    }
    let family = match rest.string()? {
        "mysql" => Family::MySql,
        "mariadb" => Family::MariaDb,
        _ => return None,
    };
    rest.want(",\n")?;
    Some(Some(family))
}

fn columns(rest: &mut Rest<'_>) -> Option<Vec<DescribedColumn>> {
    let mut columns = Vec::new();
    if rest.eat("],\n") {
        return Some(columns);
    }
    rest.want("\n    ")?;
    loop {
        columns.push(column(rest)?);
        if !rest.eat(",\n    ") {
            rest.want("\n  ],\n")?;
            return Some(columns);
        }
    }
}

fn column(rest: &mut Rest<'_>) -> Option<DescribedColumn> {
    rest.want("{\"name\": ")?;
    let name = rest.name()?;
    rest.want(", \"kind\": ")?;
    let kind = rest.kind()?;
    let nullable = rest.nullable()?;
    let why = why(rest)?;
    let (table, column) = (
        rest.optional(", \"table\": ")?,
        rest.optional(", \"column\": ")?,
    );
    rest.want("}")?;
    Some(DescribedColumn {
        name,
        kind,
        nullable,
        why,
        table,
        column,
        labels: Vec::new(),
    })
}

fn why(rest: &mut Rest<'_>) -> Option<Option<Why>> {
    if !rest.eat(", \"why\": ") {
        return Some(None);
    }
    let name = rest.string()?;
    let known = Why::KEPT.into_iter().find(|(kept, _)| *kept == name);
    known.map(|(_, why)| Some(why))
}

/// Each on a line of its own, if anything is known of one.
fn params(rest: &mut Rest<'_>) -> Option<Vec<DescribedParam>> {
    let known = rest.eat("\n    ");
    let between = if known { ",\n    " } else { ", " };
    let mut params = Vec::new();
    if !known && rest.0.starts_with(']') {
        return Some(params);
    }
    loop {
        params.push(param(rest)?);
        if !rest.eat(between) {
            break;
        }
    }
    if known {
        rest.want("\n  ")?;
    }
    let is_known = params.iter().any(|param| param.against.is_some());
    (is_known == known).then_some(params)
}

fn param(rest: &mut Rest<'_>) -> Option<DescribedParam> {
    if rest.eat("null") {
        return Some(DescribedParam { against: None });
    }
    rest.want("{\"kind\": ")?;
    let kind = rest.kind()?;
    rest.want(", \"use\": ")?;
    let usage = match rest.string()? {
        "compared" => Usage::Compared,
        "limit" => Usage::Limit,
        "selected" => Usage::Selected,
        "argument" => Usage::Argument,
        "stored" => Usage::Stored {
            nullable: rest.nullable()?,
        },
        _ => return None,
    };
    let (table, column) = (
        rest.optional(", \"table\": ")?,
        rest.optional(", \"column\": ")?,
    );
    rest.want("}")?;
    Some(DescribedParam {
        against: Some(Against {
            kind,
            usage,
            table,
            column,
            labels: Vec::new(),
        }),
    })
}

/// What is still to be read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn eat(&mut self, wanted: &str) -> bool {
        match self.0.strip_prefix(wanted) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn want(&mut self, wanted: &str) -> Option<()> {
        self.eat(wanted).then_some(())
    }

    /// A string that stands between its quotes as it is.
    fn string(&mut self) -> Option<&'a str> {
        let (text, rest) = self.0.strip_prefix('"')?.split_once('"')?;
        self.0 = rest;
        let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'\\';
        text.bytes().all(plain).then_some(text)
    }

    fn name(&mut self) -> Option<String> {
        let name = self.string()?;
        (name.len() <= MAX_NAME_BYTES).then(|| name.to_owned())
    }

    fn kind(&mut self) -> Option<Kind> {
        Kind::from_cache_name(self.string()?)
    }

    fn nullable(&mut self) -> Option<bool> {
        self.want(", \"nullable\": ")?;
        match self.eat("true") {
            true => Some(true),
            false => self.want("false").map(|()| false),
        }
    }

    /// A name behind a key that may be missing.
    fn optional(&mut self, key: &str) -> Option<Option<String>> {
        match self.eat(key) {
            true => self.name().map(Some),
            false => Some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, read};

    const TEXT: &str = "{\n  \"format\": 1,\n  \"family\": \"mariadb\",\n  \"sql\": \"SELECT a, b FROM t WHERE a = ? AND ?\",\n  \"columns\": [\n    \
        {\"name\": \"a\", \"kind\": \"BigIntUnsigned\", \"nullable\": false, \"table\": \"t\", \"column\": \"a\"},\n    \
        {\"name\": \"b!\", \"kind\": \"Text\", \"nullable\": true, \"why\": \"declared\"}\n  ],\n  \"params\": [\n    \
        {\"kind\": \"Int\", \"use\": \"stored\", \"nullable\": true, \"table\": \"t\", \"column\": \"a\"},\n    null\n  ]\n}\n";

    #[test]
    fn what_was_written_is_read_without_the_long_way() {
        for text in [
            TEXT,
            "{\n  \"format\": 1,\n  \"sql\": \"DO ?, ?\",\n  \"columns\": [],\n  \"params\": [null, null]\n}\n",
            "{\n  \"format\": 1,\n  \"sql\": \"DO 1\",\n  \"columns\": [],\n  \"params\": []\n}\n",
        ] {
            let entry = read(text).expect(text);
            assert_eq!(entry.to_json(), text);
            assert_eq!(Entry::parse(text), Ok(entry));
        }
    }

    /// Whatever is done to a text: what is read is what writing it gives, so both ways agree.
    #[test]
    fn nothing_else_is_read_so() {
        let others = [
            "", " ", "\n", "\"", "\\", ",", "}", "null", "\u{202e}", "\u{1}", "é", "true",
        ];
        let mut read_all_the_same = 0;
        for at in 0..TEXT.len() {
            for width in [0, 1, 5] {
                for other in others {
                    let end = (at + width).min(TEXT.len());
                    let text = format!("{}{other}{}", &TEXT[..at], &TEXT[end..]);
                    if let Some(entry) = read(&text) {
                        assert_eq!(entry.to_json(), text);
                        assert_eq!(Entry::parse(&text), Ok(entry));
                        read_all_the_same += 1;
                    }
                }
            }
        }
        assert!(read_all_the_same > 100, "{read_all_the_same}");
    }
}

//! Reads `ark-mysql.toml`.
//!
//! | module | what it decides |
//! |---|---|
//! | `lines` | what a line says |
//! | `types` | which columns and SQL types can be given a Rust type, and which types those can be |

mod lines;
mod types;

use std::fmt;
use std::path::{Path, PathBuf};

use self::lines::{Flaw, Line};
use self::types::Wrong;
use super::nearest::nearest;
use crate::description::{RustType, Types};

/// What `ark-mysql.toml` says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigFile {
    /// `when-unreachable`
    pub when_unreachable: WhenUnreachable,
    /// `[types.columns]` and `[types.sql]`
    pub types: Types,
}

/// What a build does when there is a `DATABASE_URL` and nobody answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenUnreachable {
    /// It fails and names both ways out. The default: a macro cannot warn, and stale descriptions must not pass silently.
    #[default]
    Error,
    /// It takes the committed cache.
    Cache,
}

/// A line of `ark-mysql.toml` that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFileError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// What is wrong and what to write instead.
    pub problem: String,
}

impl fmt::Display for ConfigFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        write!(f, "{file}:{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for ConfigFileError {}

/// Every key in front of the first section. A setting is added here and in [`Reader::set`].
const KEYS: &[&str] = &["when-unreachable"];

/// Every section.
const SECTIONS: &[&str] = &["types.columns", "types.sql"];

impl ConfigFile {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// A line that is no `key = value`, an unknown or repeated key or section, a value that the key does not take.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::default();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let place = |Flaw { column, problem }| ConfigFileError {
                file: file.to_owned(),
                line,
                column,
                problem,
            };
            reader.line(text, line).map_err(place)?;
        }
        Ok(reader.config)
    }
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    config: ConfigFile,
    section: String,
    /// Sections, and keys with their sections in front.
    seen: Vec<(String, String)>,
}

impl Reader {
    fn line(&mut self, text: &str, line: usize) -> Result<(), Flaw> {
        match lines::read(text)? {
            None => Ok(()),
            Some((Line::Section(name), column)) => {
                self.begin(name).map_err(|problem| Flaw { column, problem })
            }
            Some((
                Line::Setting {
                    key,
                    value,
                    value_at,
                },
                column,
            )) => {
                let wrong = |wrong| match wrong {
                    Wrong::Key(problem) => Flaw { column, problem },
                    Wrong::Value(problem) => Flaw {
                        column: value_at,
                        problem,
                    },
                };
                self.once(&key)
                    .map_err(|problem| wrong(Wrong::Key(problem)))?;
                self.set(&key, value, line).map_err(wrong)
            }
        }
    }

    fn begin(&mut self, section: String) -> Result<(), String> {
        if !SECTIONS.contains(&section.as_str()) {
            return Err(unknown("section", &section, SECTIONS));
        }
        self.section = section;
        self.once("")
    }

    fn once(&mut self, key: &str) -> Result<(), String> {
        // Columns and types are found without regard to case.
        let this = (self.section.clone(), key.to_ascii_lowercase());
        if self.seen.contains(&this) {
            return Err(match key {
                "" => format!("the section `[{}]` is there twice", self.section),
                key => format!("`{key}` is set twice"),
            });
        }
        self.seen.push(this);
        Ok(())
    }

    fn set(&mut self, key: &str, value: String, line: usize) -> Result<(), Wrong> {
        let types = &mut self.config.types;
        let rust = |rust| RustType { rust, line };
        match (self.section.as_str(), key) {
            ("types.columns", column) => types::add_column(types, column, rust(value)),
            ("types.sql", name) => types::add_sql(types, name, rust(value)),
            (_, "when-unreachable") => {
                self.config.when_unreachable = when_unreachable(&value).map_err(Wrong::Value)?;
                Ok(())
            }
            (_, other) => Err(Wrong::Key(unknown("setting", other, KEYS))),
        }
    }
}

fn when_unreachable(value: &str) -> Result<WhenUnreachable, String> {
    match value {
        "error" => Ok(WhenUnreachable::Error),
        "cache" => Ok(WhenUnreachable::Cache),
        _ => Err("`when-unreachable` is \"error\" (the default) or \"cache\"".to_owned()),
    }
}

fn unknown(what: &str, key: &str, known: &[&str]) -> String {
    match nearest(key, known) {
        Some(known) => format!("unknown {what} `{key}`: did you mean `{known}`?"),
        None => format!("unknown {what} `{key}`: known are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Kind;

    fn parse(text: &str) -> Result<ConfigFile, String> {
        ConfigFile::parse(text, Path::new("ark-mysql.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_the_setting_and_comments() {
        let config = parse("# how we build\n\nwhen-unreachable = \"cache\" # laptops\n").unwrap();
        assert_eq!(config.when_unreachable, WhenUnreachable::Cache);
        assert_eq!(
            parse("when-unreachable = 'error'").unwrap(),
            ConfigFile::default()
        );
        assert_eq!(parse("").unwrap(), ConfigFile::default());
    }

    #[test]
    fn names_the_line_and_the_nearest_key() {
        let error = parse("\nwhen-unreachabel = \"cache\"").unwrap_err();
        assert_eq!(
            error,
            "ark-mysql.toml:2:1: unknown setting `when-unreachabel`: did you mean `when-unreachable`?"
        );
        assert!(
            parse("colour = \"red\"")
                .unwrap_err()
                .contains("known are when-unreachable")
        );
        assert!(
            parse("when-unreachable = \"no\"")
                .unwrap_err()
                .contains("\"error\" (the default) or \"cache\"")
        );
        assert!(
            parse("when-unreachable = cache")
                .unwrap_err()
                .contains("expected `key = \"value\"`")
        );
        assert!(
            parse("when-unreachable = \"cache")
                .unwrap_err()
                .contains("never closed")
        );
        assert_eq!(
            parse("[types.colums]").unwrap_err(),
            "ark-mysql.toml:1:1: unknown section `types.colums`: did you mean `types.columns`?"
        );
        assert!(
            parse("when-unreachable = \"cache\"\nwhen-unreachable = \"cache\"")
                .unwrap_err()
                .contains("set twice")
        );
    }

    #[test]
    fn types_of_columns_and_of_sql() {
        let config = parse(
            "when-unreachable = \"cache\"\n[types.columns]\n\"users.id\" = \"crate::UserId\"\nOrders.ID = 'crate::OrderId'\n\n\
             [types.sql]\ndecimal = \"rust_decimal::Decimal\"\n\"tinyint(1)\" = \"i8\"\n\"BIGINT UNSIGNED\" = \"u128\"\n",
        );
        let types = config.unwrap().types;
        let rust = |found: Option<&RustType>| found.map(|found| (found.rust.clone(), found.line));
        let is = |rust: &str, line| Some((rust.to_owned(), line));
        assert_eq!(rust(types.column("Users", "ID")), is("crate::UserId", 3));
        assert_eq!(rust(types.column("orders", "id")), is("crate::OrderId", 4));
        assert_eq!(rust(types.column("orders", "user_id")), None);
        assert_eq!(
            rust(types.kind(Kind::Decimal)),
            is("rust_decimal::Decimal", 7)
        );
        assert_eq!(rust(types.kind(Kind::Bool)), is("i8", 8));
        assert_eq!(rust(types.kind(Kind::BigIntUnsigned)), is("u128", 9));
        assert_eq!(rust(types.kind(Kind::TinyInt)), None);
    }

    #[test]
    fn mistakes_in_types_are_told_with_their_places() {
        let wrong =
            |section: &str, line: &str| parse(&format!("[types.{section}]\n{line}")).unwrap_err();
        for (section, line, told) in [
            (
                "columns",
                "id = \"crate::UserId\"",
                ":2:1: `id` is no column: write `table.column`",
            ),
            (
                "columns",
                "shop.users.id = \"crate::UserId\"",
                ":2:1: `shop.users.id` is no column: write `table.column`, without a database",
            ),
            (
                "columns",
                "users.id = \"crate::User Id\"",
                ":2:12: `crate::User Id` is not a Rust type: write its path, such as `crate::UserId`",
            ),
            (
                "columns",
                "users.id = \"Option<u8>\"",
                ":2:12: leave out the `Option`",
            ),
            ("columns", "users.name = \"&str\"", ":2:14: `&str` borrows"),
            (
                "columns",
                "users.id = \"u8\"\nUSERS.ID = \"u8\"",
                ":3:1: `USERS.ID` is set twice",
            ),
            (
                "columns",
                "[types.columns]",
                ":2:1: the section `[types.columns]` is there twice",
            ),
            (
                "sql",
                "decmal = \"f64\"",
                ":2:1: unknown SQL type `decmal`: did you mean `decimal`?",
            ),
            (
                "sql",
                "\"varchar(20)\" = \"crate::Name\"",
                ":2:1: `varchar(20)` is one type with others here: write `text`",
            ),
            ("sql", "bool = \"i8\"", "write `tinyint(1)`"),
            (
                "sql",
                "money = \"i8\"",
                "unknown SQL type `money`: known are tinyint, ",
            ),
            (
                "sql",
                "when-unreachable = \"cache\"",
                ":2:1: unknown SQL type `when-unreachable`",
            ),
        ] {
            let found = wrong(section, line);
            assert!(found.contains(told), "{line}: {found}");
        }
    }
}

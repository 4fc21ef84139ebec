//! Reads `ark-mysql.toml`: the few lines of TOML that its settings need, so that the macros carry no TOML parser.

use std::fmt;
use std::path::{Path, PathBuf};

use super::nearest::nearest;

/// What `ark-mysql.toml` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConfigFile {
    /// `when-unreachable`
    pub when_unreachable: WhenUnreachable,
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
    /// What is wrong and what to write instead.
    pub problem: String,
}

impl fmt::Display for ConfigFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.problem)
    }
}

impl std::error::Error for ConfigFileError {}

/// Every key there is. A setting is added here and in [`ConfigFile::set`].
const KEYS: &[&str] = &["when-unreachable"];

impl ConfigFile {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// A line that is no `key = value`, an unknown or repeated key, a value that the key does not take.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigFileError> {
        let mut config = Self::default();
        let mut seen = Vec::new();
        for (index, line) in text
            .strip_prefix('\u{feff}')
            .unwrap_or(text)
            .lines()
            .enumerate()
        {
            let fail = |problem: String| ConfigFileError {
                file: file.to_owned(),
                line: index + 1,
                problem,
            };
            let Some((key, value)) =
                key_and_value(line).map_err(|problem| fail(problem.to_owned()))?
            else {
                continue;
            };
            if seen.contains(&key) {
                return Err(fail(format!("`{key}` is set twice")));
            }
            config.set(key, &value).map_err(fail)?;
            seen.push(key);
        }
        Ok(config)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "when-unreachable" => self.when_unreachable = when_unreachable(value)?,
            unknown => return Err(unknown_key(unknown)),
        }
        Ok(())
    }
}

fn when_unreachable(value: &str) -> Result<WhenUnreachable, String> {
    match value {
        "error" => Ok(WhenUnreachable::Error),
        "cache" => Ok(WhenUnreachable::Cache),
        _ => Err("`when-unreachable` is \"error\" (the default) or \"cache\"".to_owned()),
    }
}

fn unknown_key(key: &str) -> String {
    match nearest(key, KEYS) {
        Some(known) => format!("unknown setting `{key}`: did you mean `{known}`?"),
        None => format!("unknown setting `{key}`: known are {}", KEYS.join(", ")),
    }
}

/// One line: `None` for an empty line or a comment.
fn key_and_value(line: &str) -> Result<Option<(&str, String)>, &'static str> {
    const SHAPE: &str = "expected `key = \"value\"`";
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if line.starts_with('[') {
        return Err("there are no sections in this file: write `key = \"value\"`");
    }
    let (key, rest) = line.split_once('=').ok_or(SHAPE)?;
    let key = key.trim();
    let rest = rest.trim_start();
    let quote = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))
        .ok_or(SHAPE)?;
    let (value, after) = rest
        .trim_start_matches(quote)
        .split_once(quote)
        .ok_or("the quote is never closed")?;
    let after = after.trim_start();
    let plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if !plain || value.contains('\\') || !(after.is_empty() || after.starts_with('#')) {
        return Err(SHAPE);
    }
    Ok(Some((key, value.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "ark-mysql.toml:2: unknown setting `when-unreachabel`: did you mean `when-unreachable`?"
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
        assert!(parse("[types]").unwrap_err().contains("no sections"));
        assert!(
            parse("when-unreachable = \"cache\"\nwhen-unreachable = \"cache\"")
                .unwrap_err()
                .contains("set twice")
        );
    }
}

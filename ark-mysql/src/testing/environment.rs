//! What the environment and `.env` say about tests.

use std::env;
use std::fs;
use std::path::Path;

/// What every database of tests begins with.
const PREFIX: &str = "ARK_MYSQL_TEST_PREFIX";
const USUAL_PREFIX: &str = "test_";
/// A name has 64 characters at most, and we add up to 44.
const LONGEST_PREFIX: usize = 20;

/// Where tests run.
#[derive(Clone, Debug)]
pub(super) struct Where {
    pub(super) url: Option<String>,
    pub(super) prefix: Result<String, String>,
}

impl Where {
    /// For the crate in this folder.
    pub(super) fn of(manifest_dir: &str) -> Self {
        let url = env::var("DATABASE_URL")
            .ok()
            .or_else(|| from_files(Path::new(manifest_dir), "DATABASE_URL"));
        let prefix = env::var(PREFIX).unwrap_or_else(|_| USUAL_PREFIX.to_owned());
        Self {
            url: url.filter(|url| !url.is_empty()),
            prefix: check(prefix),
        }
    }
}

fn check(prefix: String) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if prefix.len() <= LONGEST_PREFIX && prefix.chars().all(fits) {
        return Ok(prefix);
    }
    Err(format!(
        "{PREFIX} is what the names of test databases begin with: at most {LONGEST_PREFIX} lower-case letters, digits and underscores"
    ))
}

/// From the `.env` beside `Cargo.toml`, or from the one of a folder above.
fn from_files(manifest_dir: &Path, name: &str) -> Option<String> {
    manifest_dir
        .ancestors()
        .filter_map(|folder| fs::read_to_string(folder.join(".env")).ok())
        .find_map(|text| assigned(&text, name))
}

/// The simple lines that addresses are written in: `NAME=value`, with or without `export` and quotes.
fn assigned(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let value = line
            .strip_prefix(name)?
            .trim_start()
            .strip_prefix('=')?
            .trim();
        let quoted = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
        Some(
            quoted('"')
                .or_else(|| quoted('\''))
                .unwrap_or(value)
                .to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_dotenv_are_read() {
        let text = "# DATABASE_URL=no\nOTHER=1\nexport DATABASE_URL = 'mysql://u@h/d?a=b'\n";
        assert_eq!(assigned(text, "DATABASE_URL").unwrap(), "mysql://u@h/d?a=b");
        assert_eq!(
            assigned("DATABASE_URL=x # no comment", "DATABASE_URL").unwrap(),
            "x # no comment"
        );
        assert_eq!(assigned("DATABASE_URLS=x", "DATABASE_URL"), None);
    }

    #[test]
    fn prefixes_are_checked() {
        assert!(check("ci_7_".to_owned()).is_ok());
        for bad in ["Test_", "a-b", "a`b", "a_very_long_prefix_indeed"] {
            assert!(check(bad.to_owned()).is_err(), "{bad}");
        }
    }
}

//! What the environment and `.env` say about tests.

use std::env;

use super::settings::{self, Found};

/// What every database of tests begins with.
const PREFIX: &str = "ARK_MYSQL_TEST_PREFIX";
const USUAL_PREFIX: &str = "test_";
/// A name has 64 characters at most, and we add up to 44.
const LONGEST_PREFIX: usize = 20;

/// Where tests run.
#[derive(Clone, Debug)]
pub(super) struct Where {
    pub(super) url: Result<Option<Found>, String>,
    pub(super) prefix: Result<String, String>,
}

impl Where {
    /// For a crate whose settings are in these folders.
    pub(super) fn of(folders: &[&str]) -> Self {
        let url = settings::find(folders, "DATABASE_URL");
        let prefix = env::var(PREFIX).unwrap_or_else(|_| USUAL_PREFIX.to_owned());
        Self {
            url: url.map(|url| url.filter(|url| !url.value.is_empty())),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_checked() {
        assert!(check("ci_7_".to_owned()).is_ok());
        for bad in ["Test_", "a-b", "a`b", "a_very_long_prefix_indeed"] {
            assert!(check(bad.to_owned()).is_err(), "{bad}");
        }
    }
}

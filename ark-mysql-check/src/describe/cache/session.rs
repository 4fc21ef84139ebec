//! The grammar of `session.json`: what was set at the server, as far as it changes what statements mean.
//!
//! ```json
//! {
//!   "format": 1,
//!   "sql_mode": ["ANSI_QUOTES", "STRICT"],
//!   "lower_case_table_names": 0
//! }
//! ```
//! Read as strictly as entries are. With the default settings of either family there is no such file.

use ark_mysql_proto::sql_mode;

use super::insignificant::same_tokens;
use crate::describe::json::{Value, quoted};

/// The name of the file.
pub(super) const FILE: &str = "session.json";

const FORMAT: u64 = 1;

/// What was set at a server, as far as it changes what statements mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSettings {
    /// Those of [`sql_mode::MEANINGFUL`] that were on, in their order.
    pub sql_mode: Vec<&'static str>,
    /// `lower_case_table_names`: 0 (names differ by case), 1 or 2.
    pub lower_case_table_names: u8,
}

/// What servers of both families have by default on Linux.
impl Default for SessionSettings {
    fn default() -> Self {
        Self {
            sql_mode: vec!["STRICT"],
            lower_case_table_names: 0,
        }
    }
}

impl SessionSettings {
    /// Writes the file's text.
    pub fn to_json(&self) -> String {
        let modes: Vec<String> = self.sql_mode.iter().map(|mode| quoted(mode)).collect();
        format!(
            "{{\n  \"format\": {FORMAT},\n  \"sql_mode\": [{}],\n  \"lower_case_table_names\": {}\n}}\n",
            modes.join(", "),
            self.lower_case_table_names
        )
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// Says what is wrong, as the rest of a sentence about the file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = Value::parse(text).map_err(|error| format!("it cannot be read ({error})"))?;
        if value.get("format").and_then(Value::as_u64) != Some(FORMAT) {
            return Err("it is not of the format that this version of ark-mysql reads".to_owned());
        }
        let modes = value.get("sql_mode").and_then(Value::as_list);
        let modes = modes.ok_or("\"sql_mode\" is missing or no list")?;
        let case = value.get("lower_case_table_names").and_then(Value::as_u64);
        let settings = Self {
            sql_mode: modes
                .iter()
                .map(|mode| known(mode).ok_or("it names a mode that does not exist"))
                .collect::<Result<_, _>>()?,
            lower_case_table_names: case
                .and_then(|case| u8::try_from(case).ok())
                .filter(|case| *case <= 2)
                .ok_or("\"lower_case_table_names\" is missing or none of 0, 1, 2")?,
        };
        if !same_tokens(text, &settings.to_json())
            || !settings.sql_mode.is_sorted_by(|one, next| one < next)
        {
            return Err("it has something that does not belong there".to_owned());
        }
        Ok(settings)
    }
}

fn known(mode: &Value) -> Option<&'static str> {
    let mode = mode.as_str()?;
    let mut modes = sql_mode::MEANINGFUL.iter().copied();
    modes.find(|known| *known == mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let settings = SessionSettings {
            sql_mode: vec!["ANSI_QUOTES", "STRICT"],
            lower_case_table_names: 1,
        };
        let text = settings.to_json();
        assert_eq!(SessionSettings::parse(&text), Ok(settings));
        for (from, to, what) in [
            ("\"STRICT\"", "\"x\"", "a mode that does not exist"),
            (
                "\"STRICT\"",
                "\"ANSI_QUOTES\", \"ANSI_QUOTES\"",
                "does not belong",
            ),
            (": 1\n}", ": 3\n}", "none of 0, 1, 2"),
            (": 1\n}", ": 1, \"x\": 1\n}", "does not belong"),
            ("\"format\": 1", "\"format\": 2", "format"),
        ] {
            let error = SessionSettings::parse(&text.replace(from, to));
            let error = error.map_or_else(|error| error, |_| String::new());
            assert!(error.contains(what), "{to}: {error}");
        }
    }
}

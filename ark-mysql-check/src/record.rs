//! What expansions leave behind for `cargo ark-mysql`: under `ARK_MYSQL_RECORD=<folder>` every call writes one file there.
//!
//! This is how the tool sees statements that only rustc can see (inside `macro_rules!`, built by `concat!`, behind `cfg`)
//! without reading or touching a source file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::describe::cache::{Entry, replace};
use crate::describe::json::{Value, quoted};
use crate::description::{Description, Place};

/// Who described a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A server, at the time of the expansion.
    Server,
    /// The cache.
    Cache,
}

/// One expansion: where it stands, what it asked, what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where the call stands.
    pub place: Place,
    /// The SQL as sent.
    pub sql: String,
    /// Who was asked.
    pub by: By,
    /// What the statement is, or why that is not known.
    pub outcome: Result<Description, String>,
}

impl Record {
    /// Writes the record into `folder` under a name of its own.
    ///
    /// # Errors
    /// The system refuses.
    pub fn leave(&self, folder: &Path) -> io::Result<()> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let name = format!("{:032x}.json", u128::from_le_bytes(random));
        replace(&folder.join(name), &self.to_json())
    }

    /// Reads every record of a folder, sorted by package, file, line and SQL; the same call compiled for several targets counts once.
    ///
    /// # Errors
    /// The system refuses, or a file is no record.
    pub fn collect(folder: &Path) -> io::Result<Vec<Self>> {
        let mut records = Vec::new();
        for item in fs::read_dir(folder)? {
            let path = item?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                let record = Self::parse(&fs::read_to_string(&path)?);
                records.push(
                    record.ok_or_else(|| {
                        io::Error::other(format!("{} is no record", path.display()))
                    })?,
                );
            }
        }
        records.sort_by(|one, other| one.sort_key().cmp(&other.sort_key()));
        records.dedup();
        Ok(records)
    }

    fn sort_key(&self) -> (&Path, &str, usize, &str, bool) {
        (
            &self.place.manifest_dir,
            &self.place.file,
            self.place.line,
            &self.sql,
            self.outcome.is_err(),
        )
    }

    fn to_json(&self) -> String {
        let (key, text) = match &self.outcome {
            Ok(description) => {
                let entry = Entry {
                    sql: self.sql.clone(),
                    description: description.clone(),
                };
                ("entry", entry.to_json())
            }
            Err(message) => ("error", message.clone()),
        };
        let by = match self.by {
            By::Server => "server",
            By::Cache => "cache",
        };
        let strings = [
            ("manifest_dir", &*self.place.manifest_dir.to_string_lossy()),
            ("package", &self.place.package),
            ("file", &self.place.file),
            ("sql", &self.sql),
            ("by", by),
            (key, &text),
        ];
        let pairs = strings.map(|(key, value)| format!("{}: {}", quoted(key), quoted(value)));
        format!("{{\"line\": {}, {}}}\n", self.place.line, pairs.join(", "))
    }

    fn parse(text: &str) -> Option<Self> {
        let value: Value = Value::parse(text).ok()?;
        let string = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let outcome = match string("error") {
            Some(message) => Err(message),
            None => Ok(Entry::parse(&string("entry")?).ok()?.description),
        };
        Some(Self {
            place: Place {
                manifest_dir: PathBuf::from(string("manifest_dir")?),
                package: string("package")?,
                file: string("file")?,
                line: usize::try_from(value.get("line")?.as_u64()?).ok()?,
            },
            sql: string("sql")?,
            by: match string("by")?.as_str() {
                "server" => By::Server,
                "cache" => By::Cache,
                _ => return None,
            },
            outcome,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::scratch::Scratch;

    fn record(line: usize, outcome: Result<Description, String>) -> Record {
        let place = Place {
            manifest_dir: PathBuf::from("/app"),
            package: "app".to_owned(),
            file: "src/main.rs".to_owned(),
            line,
        };
        Record {
            place,
            sql: "SELECT \"1\"\n".to_owned(),
            by: By::Server,
            outcome,
        }
    }

    #[test]
    fn records_come_back_sorted_and_once() {
        let scratch = Scratch::new("record");
        let empty = Description {
            family: None,
            columns: vec![],
            params: vec![],
        };
        let (first, second) = (
            record(2, Err("no such table".to_owned())),
            record(10, Ok(empty)),
        );
        for record in [&second, &first, &second] {
            record.leave(scratch.path()).unwrap();
        }
        assert_eq!(
            Record::collect(scratch.path()).unwrap(),
            vec![first, second]
        );
    }

    #[test]
    fn a_file_that_is_no_record_is_named() {
        let scratch = Scratch::new("record-bad");
        scratch.write("x.json", "{}");
        let error = Record::collect(scratch.path()).unwrap_err().to_string();
        assert!(error.contains("x.json is no record"), "{error}");
    }
}

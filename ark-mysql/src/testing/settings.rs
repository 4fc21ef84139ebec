//! Variables from the environment or `.env`, as the macros find them. Which folders those are in was found out when the test was compiled.

use std::env;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use ark_mysql_proto::dotenv::parse;

/// A variable, and where it was found.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: String,
    /// For messages.
    pub(super) origin: String,
}

/// What is found may be a password.
impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// A variable of the environment, or else of the first `.env` in these folders that has it.
///
/// The error names file and line, and never a value.
pub(super) fn find(folders: &[&str], name: &str) -> Result<Option<Found>, String> {
    match env::var(name) {
        Ok(value) => {
            let origin = "from the environment".to_owned();
            return Ok(Some(Found { value, origin }));
        }
        Err(env::VarError::NotUnicode(_)) => {
            return Err(format!("the environment variable {name} is not UTF-8"));
        }
        Err(env::VarError::NotPresent) => {}
    }
    from_files(folders, name)
}

fn from_files(folders: &[&str], name: &str) -> Result<Option<Found>, String> {
    for folder in folders {
        let file = Path::new(folder).join(".env");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("cannot read {}: {error}", file.display())),
        };
        let assignments = parse(&text, &file).map_err(|error| error.to_string())?;
        let mut assignments = assignments.into_iter();
        if let Some(found) = assignments.find(|assignment| assignment.key == name) {
            let origin = format!("from {}:{}", file.display(), found.line);
            let value = found.value;
            return Ok(Some(Found { value, origin }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "DATABASE_URL";

    #[test]
    fn the_crates_own_file_comes_before_that_of_the_workspace() {
        let root = env::temp_dir().join(format!("ark-mysql-dotenv-{}", std::process::id()));
        let member = root.join("member");
        fs::create_dir_all(&member).unwrap();
        let folders = [member.to_str().unwrap(), root.to_str().unwrap()];
        let found = || {
            from_files(&folders, NAME).map(|found| found.map(|found| (found.value, found.origin)))
        };
        assert_eq!(found(), Ok(None));
        fs::write(root.join(".env"), "DATABASE_URL=\"a\" # of all\n").unwrap();
        let origin = format!("from {}:1", root.join(".env").display());
        assert_eq!(found(), Ok(Some(("a".to_owned(), origin))));
        fs::write(member.join(".env"), "export DATABASE_URL=b # mine\n").unwrap();
        assert_eq!(found().unwrap().unwrap().0, "b");
        fs::write(
            member.join(".env"),
            "\nDATABASE_URL mysql://root:secret@h\n",
        )
        .unwrap();
        let error = from_files(&folders, NAME).unwrap_err();
        assert!(error.ends_with(".env:2: expected KEY=VALUE"), "{error}");
        fs::remove_dir_all(&root).unwrap();
    }
}

//! Where the statements of a crate stand: looked up in its sources, for messages only.
//!
//! The cache does not say, so that moving a line changes no file of it. Calls are found by their names and read as far as their first string
//! literal; what is put together otherwise is not found.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::cache_file;
use crate::describe::cache::file_name;
use crate::input::string_literal;
use crate::sql::Sql;

const FOLDERS: [&str; 4] = ["src", "tests", "examples", "benches"];

/// Calls that have SQL, and those that name a file with it.
const CALLS: [&str; 4] = ["query", "query_as", "query_scalar", "insert_many"];
const CALLS_OF_FILES: [&str; 3] = ["query_file", "query_file_as", "query_file_scalar"];

/// No source is larger, and no folder deeper: whatever is, is not looked at.
const MAX_BYTES: u64 = 4 << 20;
const MAX_DEPTH: usize = 32;

/// In front of the SQL stand a path and a type.
const MAX_HEAD: usize = 1000;

/// Places by the name of the cache file.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<String, Vec<String>>);

impl Places {
    pub(super) fn find(manifest_dir: &Path) -> Self {
        let mut places = Self::default();
        for folder in FOLDERS {
            for file in sources(&manifest_dir.join(folder), MAX_DEPTH) {
                places.read(&file, manifest_dir);
            }
        }
        places
    }

    /// `src/main.rs:12`, or `src/main.rs:12 (and 2 more)`; the cache file of a statement that was not found.
    pub(super) fn of(&self, sql: &str) -> String {
        match self.0.get(&file_name(sql)).map(Vec::as_slice) {
            Some([first]) => first.clone(),
            Some([first, more @ ..]) => format!("{first} (and {} more)", more.len()),
            Some([]) | None => cache_file(sql),
        }
    }

    fn read(&mut self, file: &Path, manifest_dir: &Path) {
        let Some(text) = read(file) else { return };
        let shown = file.strip_prefix(manifest_dir).unwrap_or(file);
        let shown = shown.display().to_string().replace('\\', "/");
        let (mut line, mut counted) = (1, 0);
        for (at, _) in text.match_indices('!') {
            let Some(sql) = sql_of_call(&text, at, file, manifest_dir) else {
                continue;
            };
            line += text
                .get(counted..at)
                .map_or(0, |passed| passed.matches('\n').count());
            counted = at;
            let Ok(sql) = Sql::parse(&sql) else { continue };
            let places = self.0.entry(file_name(sql.text())).or_default();
            places.push(format!("{shown}:{line}"));
        }
    }
}

/// The SQL of the call whose `!` is at a place.
fn sql_of_call(text: &str, at: usize, file: &Path, manifest_dir: &Path) -> Option<String> {
    let (before, behind) = text.split_at_checked(at)?;
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let name = before.get(before.trim_end_matches(is_word).len()..)?;
    let of_file = CALLS_OF_FILES.contains(&name);
    if !of_file && !CALLS.contains(&name) {
        return None;
    }
    let inside = behind
        .strip_prefix('!')?
        .trim_start()
        .strip_prefix(['(', '[', '{'])?;
    let (head, literal) = first_literal(inside)?;
    let value = string_literal(literal)?;
    if head.contains("concat") {
        return None;
    }
    match (of_file, head.contains("include_str")) {
        (true, _) => read(&manifest_dir.join(value)),
        (false, true) => read(&file.parent()?.join(value)),
        (false, false) => Some(value),
    }
}

/// The first string literal, and what stands in front of it.
fn first_literal(text: &str) -> Option<(&str, &str)> {
    let quote = text.find('"').filter(|quote| *quote < MAX_HEAD)?;
    let head = text.get(..quote)?;
    let bare = head.trim_end_matches('#');
    let hashes = head.len() - bare.len();
    if let Some(head) = bare.strip_suffix('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        let body = text.get(quote + 1..)?;
        let end = quote + 1 + body.find(&end)? + end.len();
        return Some((head, text.get(head.len()..end)?));
    }
    let mut escaped = false;
    let closing = text.get(quote + 1..)?.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    Some((head, text.get(quote..quote + closing + 2)?))
}

/// The `.rs` files of a folder and of those in it, sorted. Links are not followed.
fn sources(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(items) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in items.flatten() {
        let (path, Ok(kind)) = (item.path(), item.file_type()) else {
            continue;
        };
        if kind.is_dir() && depth > 0 {
            found.extend(sources(&path, depth - 1));
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// `None` for whatever cannot be read: it only means that a place stays unknown.
fn read(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::scratch::Scratch;

    #[test]
    fn calls_are_found_as_people_write_them() {
        let scratch = Scratch::new("places");
        let source = r###"
fn f() {
    query!("SELECT 1");
    let users = ark_mysql::query_as!(
        User<'_>,
        r#"SELECT "2""#
    );
    query_scalar! { crate = my::db, "SELECT \"3\" WHERE a = :a", a };
    query_file!("queries/four.sql");
    query!(include_str!("five.sql"));
    query!(concat!("SELECT ", "6"));
    query!("SELECT 1");
    println!("SELECT 7");
}
"###;
        fs::create_dir_all(scratch.path().join("src/deep")).unwrap();
        fs::create_dir_all(scratch.path().join("queries")).unwrap();
        scratch.write("src/deep/a.rs", source);
        scratch.write("src/deep/five.sql", "SELECT 5");
        scratch.write("queries/four.sql", "SELECT 4");
        let places = Places::find(scratch.path());
        for (sql, place) in [
            ("SELECT 1", "src/deep/a.rs:3 (and 1 more)"),
            ("SELECT \"2\"", "src/deep/a.rs:4"),
            ("SELECT \"3\" WHERE a = ?", "src/deep/a.rs:8"),
            ("SELECT 4", "src/deep/a.rs:9"),
            ("SELECT 5", "src/deep/a.rs:10"),
        ] {
            assert_eq!(places.of(sql), place, "{sql}");
        }
        for sql in ["SELECT 6", "SELECT 7"] {
            assert_eq!(places.of(sql), cache_file(sql));
        }
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let scratch = Scratch::new("places-none");
        assert_eq!(
            Places::find(scratch.path()).of("SELECT 1"),
            cache_file("SELECT 1")
        );
        assert_eq!(first_literal("a, b)"), None);
        assert_eq!(first_literal("\"open"), None);
        assert_eq!(first_literal("r#\"open\""), None);
    }
}

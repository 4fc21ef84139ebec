//! The files that a repository may bring along: cache entries and settings.

use std::path::Path;

use ark_mysql_check::describe::cache::Entry;
use ark_mysql_check::settings::ConfigFile;

/// An entry that is accepted is what our writer writes, but for white space; so nothing in it is overlooked. A message never quotes much of the file.
pub fn cache_json(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match Entry::parse(text) {
        Ok(entry) => {
            let written = entry.to_json();
            assert_eq!(Entry::parse(&written).as_ref(), Ok(&entry));
            let bare = |text: &str| {
                text.chars()
                    .filter(|c| !c.is_ascii_whitespace())
                    .collect::<String>()
            };
            assert_eq!(bare(text), bare(&written));
            let hidden =
                |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!written.contains(hidden), "nothing hides from a reviewer");
        }
        Err(error) => assert!(error.len() < 300, "{error}"),
    }
}

/// A settings file means something, or the message names a line that there is.
pub fn settings(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    if let Err(error) = ConfigFile::parse(text, Path::new("ark-mysql.toml")) {
        assert!(error.line >= 1 && error.line <= text.lines().count());
        assert!(error.problem.len() < 1000 + 4 * text.len());
    }
}

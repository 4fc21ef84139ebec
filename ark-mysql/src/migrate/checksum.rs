//! What tells whether a file is still the same.

use sha2::{Digest as _, Sha256, Sha384};

/// SHA-256 of a file, as 64 hex digits. Line ends and a byte order mark do not count: editors and version control change them.
pub(super) fn of_file(text: &str) -> String {
    hex(&Sha256::digest(unified(text)))
}

/// SHA-256 of the first statements of a file.
pub(super) fn of_statements<'s>(statements: impl Iterator<Item = &'s str>) -> String {
    let mut hash = Sha256::new();
    for sql in statements {
        hash.update(unified(sql));
        hash.update([0]);
    }
    hex(&hash.finalize())
}

/// Whether sqlx could have computed this of the file: it takes SHA-384 of the bytes as they are.
pub(super) fn is_of_sqlx(checksum: &[u8], text: &str) -> bool {
    let unix = unified(text);
    let windows = unix.replace('\n', "\r\n");
    [text, &unix, &windows]
        .iter()
        .any(|text| Sha384::digest(text)[..] == *checksum)
}

fn unified(text: &str) -> String {
    text.strip_prefix('\u{feff}')
        .unwrap_or(text)
        .replace("\r\n", "\n")
        .replace('\r', "\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_do_not_count_and_everything_else_does() {
        let unix = of_file("a\nb\n");
        assert_eq!(unix, of_file("a\r\nb\r\n"));
        assert_eq!(unix, of_file("\u{feff}a\rb\r"));
        assert_ne!(unix, of_file("a\nb"));
        assert_ne!(unix, of_file("a\nB\n"));
        assert_eq!(
            of_file(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn statements_cannot_be_shifted() {
        let of = |list: &[&str]| of_statements(list.iter().copied());
        assert_ne!(of(&["ab"]), of(&["a", "b"]));
        assert_eq!(of(&["a\r\nb"]), of(&["a\nb"]));
    }

    #[test]
    fn checksums_of_sqlx_are_known_whatever_the_line_ends() {
        let checksum = Sha384::digest("a\r\nb");
        assert!(is_of_sqlx(&checksum, "a\nb"));
        assert!(is_of_sqlx(&checksum, "a\r\nb"));
        assert!(!is_of_sqlx(&checksum, "a\nc"));
    }
}

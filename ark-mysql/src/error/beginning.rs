//! The part of an SQL text that may stand in a message: its first words, and no value.

/// More would bury the rest of the message.
const CHARACTERS: usize = 60;

/// Up to the first string or number: people write values into SQL, and a message goes into logs.
#[cold]
pub(crate) fn beginning(sql: &str) -> Box<str> {
    let mut shown = String::new();
    let mut before = ' ';
    for (count, char) in sql.split_whitespace().flat_map(spaced).skip(1).enumerate() {
        let in_word = before.is_alphanumeric() || matches!(before, '_' | '$');
        let begins_value = matches!(char, '\'' | '"') || char.is_ascii_digit() && !in_word;
        if count == CHARACTERS || begins_value {
            shown.push('…');
            break;
        }
        shown.push(char);
        before = char;
    }
    shown.into_boxed_str()
}

fn spaced(word: &str) -> impl Iterator<Item = char> {
    std::iter::once(' ').chain(word.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_and_values_are_not() {
        for (sql, shown) in [
            (
                "SELECT a1, `b`\n  FROM t_1 WHERE c = ?",
                "SELECT a1, `b` FROM t_1 WHERE c = ?",
            ),
            ("SET PASSWORD = 's3cret'", "SET PASSWORD = …"),
            ("SET PASSWORD = \"s3cret\"", "SET PASSWORD = …"),
            (
                "SELECT * FROM t WHERE pin=1234",
                "SELECT * FROM t WHERE pin=…",
            ),
            ("SELECT x'1234'", "SELECT x…"),
            ("", ""),
        ] {
            assert_eq!(&*beginning(sql), shown);
        }
        let long = beginning(&"word ".repeat(50));
        assert_eq!(long.chars().count(), CHARACTERS + 1);
        assert!(long.ends_with('…'));
    }
}

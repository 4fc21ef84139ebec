//! Compares JSON texts but for white space.

/// Returns whether two JSON texts are the same but for white space between their tokens: a formatter or Git may have been at work.
pub(super) fn same_tokens(one: &str, other: &str) -> bool {
    // As good as always they are the same to the byte, and macros are built without optimisation.
    one == other || significant(one).eq(significant(other))
}

fn significant(text: &str) -> impl Iterator<Item = u8> + '_ {
    let mut in_string = false;
    let mut escaped = false;
    text.bytes().filter(move |&byte| {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            return true;
        }
        in_string = byte == b'"';
        !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
    })
}

#[cfg(test)]
mod tests {
    use super::same_tokens;

    #[test]
    fn only_white_space_outside_of_strings_is_nothing() {
        assert!(same_tokens("{\"a b\": [1]}\n", "{\r\n\t\"a b\":[ 1 ] }"));
        assert!(!same_tokens("{\"a b\": 1}", "{\"ab\": 1}"));
        assert!(!same_tokens("{\"a\\\" \": 1}", "{\"a\\\"\": 1}"));
        assert!(!same_tokens("{}", "{},"));
    }
}

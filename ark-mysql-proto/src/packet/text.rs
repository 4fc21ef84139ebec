/// Makes a peer's bytes fit to be shown: at most `limit` bytes of valid UTF-8 without control characters, so that a hostile
/// server can neither fill a log nor drive a terminal.
pub(crate) fn presentable(bytes: &[u8], limit: usize) -> String {
    let (bounded, cut) = match bytes.split_at_checked(limit) {
        Some((bounded, rest)) => (bounded, !rest.is_empty()),
        None => (bytes, false),
    };
    let mut text: String = String::from_utf8_lossy(bounded)
        .chars()
        .map(|c| {
            if c.is_control() && !matches!(c, '\n' | '\r' | '\t') {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    if cut {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::presentable;

    #[test]
    fn hostile_text_is_tamed() {
        assert_eq!(
            presentable(b"near 'x'\n\x1b[2J\xff", 100),
            "near 'x'\n\u{fffd}[2J\u{fffd}"
        );
        assert_eq!(presentable(b"abcdef", 3), "abc…");
        assert_eq!(presentable(b"abc", 3), "abc");
    }
}

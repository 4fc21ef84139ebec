/// Makes a peer's bytes fit to be shown: valid UTF-8 of at most `limit` bytes, without control characters and without marks that turn the
/// direction of writing, so that a hostile server can neither fill a log, nor drive a terminal, nor make one text look like another.
/// (What is no UTF-8 becomes three bytes each.)
pub(crate) fn presentable(bytes: &[u8], limit: usize) -> String {
    let (bounded, cut) = match bytes.split_at_checked(limit) {
        Some((bounded, rest)) => (bounded, !rest.is_empty()),
        None => (bytes, false),
    };
    let mut text: String = String::from_utf8_lossy(bounded)
        .chars()
        .map(|c| {
            if is_harmless(c) {
                c
            } else {
                char::REPLACEMENT_CHARACTER
            }
        })
        .collect();
    if cut {
        text.push('…');
    }
    text
}

fn is_harmless(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        c => !c.is_control(),
    }
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
        assert_eq!(
            presentable("ok\r\u{202e}evil\u{2066}".as_bytes(), 100),
            "ok\u{fffd}\u{fffd}evil\u{fffd}"
        );
        assert_eq!(presentable(b"abcdef", 3), "abc…");
        assert_eq!(presentable(b"abc", 3), "abc");
    }
}

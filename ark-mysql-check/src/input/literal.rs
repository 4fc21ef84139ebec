//! What a string literal says: proc macros are handed its source.

/// The value of a string literal; `None` for other literals.
pub(crate) fn string(source: &str) -> Option<String> {
    if let Some(raw) = source.strip_prefix('r') {
        let hashes = raw.bytes().take_while(|&byte| byte == b'#').count();
        let body = raw.get(hashes..)?.strip_prefix('"')?;
        let end = body.len().checked_sub(hashes + 1)?;
        return Some(newlines(body.get(..end)?));
    }
    let body = source.strip_prefix('"')?.strip_suffix('"')?;
    unescape(&newlines(body))
}

/// The value of a literal as `concat!` writes it: strings, characters, numbers.
pub(super) fn shown(source: &str) -> Option<String> {
    match source.as_bytes().first()? {
        b'"' | b'r' => string(source),
        b'\'' => unescape(source.strip_prefix('\'')?.strip_suffix('\'')?),
        b'0'..=b'9' => Some(source.chars().filter(|&digit| digit != '_').collect()),
        _ => None,
    }
}

/// Rust reads CR LF in a literal as LF.
fn newlines(body: &str) -> String {
    body.replace("\r\n", "\n")
}

fn unescape(body: &str) -> Option<String> {
    let mut value = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('\\') {
        value.push_str(before);
        let escape = after.chars().next()?;
        let behind = after.get(escape.len_utf8()..)?;
        rest = match escape {
            '\n' => behind.trim_start_matches([' ', '\t', '\n', '\r']),
            'x' => {
                value.push(char::from(u8::from_str_radix(behind.get(..2)?, 16).ok()?));
                behind.get(2..)?
            }
            'u' => {
                let (digits, behind) = behind.strip_prefix('{')?.split_once('}')?;
                value.push(char::from_u32(
                    u32::from_str_radix(&digits.replace('_', ""), 16).ok()?,
                )?);
                behind
            }
            simple => {
                value.push(simple_escape(simple)?);
                behind
            }
        };
    }
    value.push_str(rest);
    Some(value)
}

fn simple_escape(escape: char) -> Option<char> {
    Some(match escape {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        '\\' | '\'' | '"' => escape,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_mean_what_rust_says() {
        for (source, value) in [
            (r#""a""#, "a"),
            (r##"r#"a"b\n"#"##, "a\"b\\n"),
            (r#"r"\""#, "\\"),
            (
                r#""a\n\t\\\"\'\0\x41\u{1F600}\u{0_41}""#,
                "a\n\t\\\"'\0A😀A",
            ),
            ("\"a\\\n     b\"", "ab"),
            ("\"a\r\nb\"", "a\nb"),
        ] {
            assert_eq!(string(source).as_deref(), Some(value), "{source}");
        }
        for other in ["b\"a\"", "c\"a\"", "1", "'a'", "\"a\"x", "br\"a\""] {
            assert_eq!(string(other), None, "{other}");
        }
    }

    #[test]
    fn concat_takes_numbers_and_characters_too() {
        assert_eq!(shown("1_000").as_deref(), Some("1000"));
        assert_eq!(shown(r"'\n'").as_deref(), Some("\n"));
        assert_eq!(shown("b\"a\""), None);
    }
}

//! Database addresses.

use std::str::FromStr;

use ark_mysql_proto::url::Url;

/// Stand where the password stands: nothing that is shown may tell which of them it was.
const PASSWORDS: [&str; 2] = ["correct-horse-battery", "another-steed-charger"];

/// An address that can be read is the same after it was written; no message and no `Debug` shows the password, wherever the mistake is.
pub fn url(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match Url::from_str(text) {
        Ok(url) => {
            let written = url.to_url();
            assert_eq!(Url::from_str(&written).as_ref(), Ok(&url), "{written}");
            assert!(!url.user.is_empty());
        }
        Err(error) => assert!(error.to_string().len() < 2000 + 4 * text.len()),
    }
    // Around a password anything may be wrong.
    let cut = data.iter().position(|byte| *byte == b'|').unwrap_or(0);
    let (Some(user), Some(rest)) = (text.get(..cut), text.get(cut + 1..)) else {
        return;
    };
    if rest.contains('@') || user.contains(['@', '?']) {
        return;
    }
    let [one, other] = PASSWORDS.map(|password| {
        match Url::from_str(&format!("mysql://{user}:{password}@{rest}")) {
            Ok(url) => format!("{url:?}"),
            Err(error) => format!("{error}"),
        }
    });
    assert_eq!(one, other);
}

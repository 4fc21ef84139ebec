//! The forms in which a secret may show up.

use base64::Engine;

/// All of them. In base64 the middle is looked for, by each of the three ways in which it can lie.
pub(crate) fn forms(password: &str) -> Vec<(&'static str, String)> {
    let hex = |upper: bool| {
        password
            .bytes()
            .map(|byte| {
                if upper {
                    format!("{byte:02X}")
                } else {
                    format!("{byte:02x}")
                }
            })
            .collect::<String>()
    };
    let mut forms = vec![
        ("as it is", password.to_owned()),
        ("in hex", hex(false)),
        ("in hex", hex(true)),
        ("URL-coded", url_coded(password)),
        (
            "as a list of bytes",
            format!("{:?}", password.as_bytes())
                .trim_matches(['[', ']'])
                .to_owned(),
        ),
        (
            "in Debug's quotes",
            format!("{password:?}").trim_matches('"').to_owned(),
        ),
    ];
    for before in 0..3 {
        let coded = base64(&[&vec![b'x'; before][..], password.as_bytes()].concat());
        let middle = coded.trim_end_matches('=');
        // The letters at both ends depend on what stands beside it.
        let middle = &middle[before.min(1) * 4..middle.len() - 2];
        forms.push(("in base64", middle.to_owned()));
    }
    forms
}

pub(crate) fn url_coded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

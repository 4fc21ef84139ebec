//! What to write instead of an option that does not exist.

use super::UrlOption;

/// Options of other drivers, and where their purpose went.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (
        &["charset", "collation", "characterencoding"],
        "connections always use utf8mb4: leave it out",
    ),
    (
        &["timezone", "time-zone", "servertimezone", "loc"],
        "connections always use the time zone +00:00: leave it out",
    ),
    (
        &[
            "usessl",
            "require-ssl",
            "sslmode",
            "tls",
            "ssl",
            "verify-ca",
            "verify-identity",
            "tls-mode",
        ],
        "use ssl-mode (disabled, preferred, required, verify-ca or verify-identity)",
    ),
    (
        &["sslcert", "tls-cert", "clientcert", "sslkey", "tls-key"],
        "use ssl-cert and ssl-key",
    ),
    (
        &["kill", "kill-query", "killquery", "cancel-query"],
        "use kill-abandoned",
    ),
    (&["sslrootcert", "ca", "tls-ca"], "use ssl-ca"),
    (
        &[
            "user", "username", "password", "pass", "host", "port", "database", "dbname", "db",
        ],
        "write it as mysql://user:password@host:port/database",
    ),
    (&["unix-socket", "unixsocket", "unix"], "use socket"),
    (&["timeout", "connecttimeout"], "use connect-timeout"),
    (
        &["allowpublickeyretrieval", "get-server-public-key"],
        "the server's key is fetched on loopback only; elsewhere use TLS or server-public-key=/file.pem",
    ),
    (
        &[
            "pool-size",
            "pool-max",
            "poolsize",
            "connection-limit",
            "max-pool-size",
        ],
        "use max-connections",
    ),
    (&["pool-timeout"], "use acquire-timeout"),
];

/// Returns what to do about an unknown key.
pub(super) fn hint(key: &str) -> String {
    let key: String = key
        .chars()
        .take(40)
        .map(|character| {
            if character == '_' {
                '-'
            } else {
                character.to_ascii_lowercase()
            }
        })
        .collect();
    if let Some(option) = nearest(&key) {
        return format!("did you mean `{}`?", option.key());
    }
    if let Some((_, advice)) = ELSEWHERE
        .iter()
        .find(|(keys, _)| keys.contains(&key.as_str()))
    {
        return (*advice).to_owned();
    }
    format!(
        "the options are {}",
        UrlOption::ALL.map(UrlOption::key).join(", ")
    )
}

/// A quarter of the letters may be wrong: one in `socket`, three in `connect-timeout`.
fn nearest(key: &str) -> Option<UrlOption> {
    let scored = UrlOption::ALL
        .into_iter()
        .map(|option| (distance(key, option.key()), option));
    let (distance, option) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= option.key().len() / 4).then_some(option)
}

/// Levenshtein's distance, by rows.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, a) in left.bytes().enumerate() {
        let mut diagonal = above;
        let mut last = above + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(right.bytes()) {
            let cost = (diagonal + usize::from(a != b))
                .min(*cell + 1)
                .min(last + 1);
            diagonal = std::mem::replace(cell, cost);
            last = cost;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or(left.len())
}

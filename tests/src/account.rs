use crate::{Database, Transport};

/// An account with a password, and its addresses. Dropped with its database.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its name; it may come from any host.
    pub name: String,
    /// In plain text: it is a test.
    pub password: String,
    urls: [(Transport, String); 3],
}

impl Account {
    pub(crate) fn new(name: String, password: &str, database: &Database) -> Self {
        let user = format!("mysql://{name}:{}@", escaped(password));
        let url = |transport| {
            (
                transport,
                database.url_by(transport).replace("mysql://root@", &user),
            )
        };
        Self {
            urls: Transport::ALL.map(url),
            name,
            password: password.to_owned(),
        }
    }

    /// The address of the database for this account.
    #[must_use]
    pub fn url_by(&self, transport: Transport) -> &str {
        let [(_, tcp), (_, tls), (_, socket)] = &self.urls;
        match transport {
            Transport::Tcp => tcp,
            Transport::Tls => tls,
            Transport::Socket => socket,
        }
    }

    /// All addresses of the database for this account.
    pub fn urls(&self) -> impl Iterator<Item = (Transport, &str)> {
        self.urls
            .iter()
            .map(|(transport, url)| (*transport, url.as_str()))
    }
}

fn escaped(password: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    password
        .bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

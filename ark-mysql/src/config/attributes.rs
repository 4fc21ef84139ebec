//! Connection attributes: who this is, for the administrator who looks at the server's list of connections.

use super::{ConnectOptions, invalid};
use crate::error::Error;

/// `performance_schema` holds no longer names.
const NAME_LIMIT: usize = 32;
/// Nor longer values.
const VALUE_LIMIT: usize = 1024;
/// All names and values together. A stock MySQL shows 512 bytes of a connection's (`performance_schema_session_connect_attrs_size`), and some
/// proxies take no large logins.
const TOTAL_LIMIT: usize = 4096;

impl ConnectOptions {
    /// Adds a connection attribute, seen in the server's `performance_schema.session_connect_attrs`; one of the same name is replaced. No place for secrets.
    ///
    /// The driver's own are `_client_name`, `_client_version`, `_os`, `_pid` and `_platform`: names that begin with `_` are reserved. A name has at most
    /// 32 characters, a value 1024 bytes, all together 4096 bytes; more is a `Configuration` error when the connection is made. MySQL shows
    /// the first 512 bytes unless its `performance_schema_session_connect_attrs_size` says otherwise; MariaDB shows them where its performance schema is on.
    pub fn attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        self.attributes.retain(|(known, _)| *known != name);
        self.attributes.push((name, value.into()));
        self
    }

    /// Says which program this is: the attribute `program_name`, which MySQL's own clients send too.
    pub fn program_name(self, name: impl Into<String>) -> Self {
        self.attribute("program_name", name)
    }

    /// All attributes, as they are sent.
    pub(crate) fn sent_attributes(&self) -> Vec<(String, String)> {
        let own = [
            ("_client_name", "ark-mysql".to_owned()),
            ("_client_version", env!("CARGO_PKG_VERSION").to_owned()),
            ("_os", std::env::consts::OS.to_owned()),
            // Of now, not of when the options were made: a process may have forked since.
            ("_pid", std::process::id().to_string()),
            ("_platform", std::env::consts::ARCH.to_owned()),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value));
        own.into_iter().chain(self.attributes.clone()).collect()
    }

    pub(super) fn check_attributes(&self) -> Result<(), Error> {
        let wrong = |name: &str, what: &str| {
            let shown: String = name.chars().take(NAME_LIMIT).collect();
            Err(
                invalid(format!("the connection attribute {shown:?} {what}")).with_advice(
                    "attributes are for an administrator to read: keep them few and short",
                ),
            )
        };
        let mut total = 0;
        for (name, value) in &self.attributes {
            if name.is_empty() || name.chars().count() > NAME_LIMIT {
                return wrong(name, "must have a name of 1 to 32 characters");
            }
            if name.starts_with('_') {
                return wrong(name, "has a name with `_` in front: those are the driver's");
            }
            if value.len() > VALUE_LIMIT {
                return wrong(name, "has a value of more than 1024 bytes");
            }
            total += name.len() + value.len();
            if total > TOTAL_LIMIT {
                return wrong(name, "makes more than 4096 bytes of all attributes");
            }
        }
        Ok(())
    }
}

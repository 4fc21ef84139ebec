//! What both sides can do and this side wants.

use super::{Handshake, TlsRequest};
use crate::packet::greeting::Greeting;
use crate::{Capabilities, HandshakeError};

impl Handshake {
    /// What both sides can do and this side wants.
    pub(super) fn capabilities(&self, greeting: &Greeting) -> Result<Capabilities, HandshakeError> {
        let offered = greeting.capabilities;
        for (needed, missing) in [
            (Capabilities::PROTOCOL_41, "4.1 protocol"),
            (
                Capabilities::SECURE_CONNECTION,
                "authentication with a 20 byte scramble",
            ),
        ] {
            if !offered.contains(needed) {
                return Err(HandshakeError::UnsupportedServer { missing });
            }
        }
        let tls = match (self.options.tls, offered.contains(Capabilities::TLS)) {
            (TlsRequest::Never, _) | (TlsRequest::IfOffered, false) => false,
            (TlsRequest::IfOffered | TlsRequest::Require, true) => true,
            (TlsRequest::Require, false) => return Err(HandshakeError::TlsUnavailable),
        };
        let wanted = WANTED
            .or_if(tls, Capabilities::TLS)
            .or_if(
                self.options.database.is_some(),
                Capabilities::CONNECT_WITH_DB,
            )
            .or_if(self.options.local_infile, Capabilities::LOCAL_FILES)
            .or_if(
                self.options.mariadb_extended_metadata,
                Capabilities::MARIADB_EXTENDED_METADATA,
            )
            .or_if(
                self.options.mariadb_cache_metadata,
                Capabilities::MARIADB_CACHE_METADATA,
            );
        Ok(offered.and(wanted))
    }
}

/// MULTI_STATEMENTS is not here, and never will be; LOCAL_FILES is asked for by an option.
const WANTED: Capabilities = Capabilities::MYSQL
    .or(Capabilities::LONG_FLAG)
    .or(Capabilities::PROTOCOL_41)
    .or(Capabilities::TRANSACTIONS)
    .or(Capabilities::SECURE_CONNECTION)
    .or(Capabilities::MULTI_RESULTS)
    .or(Capabilities::PS_MULTI_RESULTS)
    .or(Capabilities::PLUGIN_AUTH)
    .or(Capabilities::CONNECT_ATTRS)
    .or(Capabilities::PLUGIN_AUTH_LENENC)
    .or(Capabilities::SESSION_TRACK)
    .or(Capabilities::DEPRECATE_EOF)
    .or(Capabilities::MARIADB_BULK);

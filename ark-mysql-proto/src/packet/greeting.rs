//! [The initial handshake packet](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_handshake_v10.html),
//! [at MariaDB](https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection#initial-handshake-packet).

use super::text::presentable;
use crate::auth::Nonce;
use crate::wire::Reader;
use crate::{Capabilities, Flavor, ProtocolError};

const PROTOCOL_VERSION: u8 = 10;
/// Real ones have some thirty bytes.
const VERSION_LIMIT: usize = 255;
/// MariaDB says this in front of its version, for clients which would not believe in a 10.
const MARIADB_PREFIX: &str = "5.5.5-";

/// What the server says first.
pub(crate) struct Greeting {
    pub(crate) version: String,
    pub(crate) connection_id: u32,
    pub(crate) nonce: Nonce,
    pub(crate) capabilities: Capabilities,
    /// The authentication plugin that the server would use; empty if it does not say.
    pub(crate) plugin: Vec<u8>,
}

impl Greeting {
    /// MariaDB is told by capability bit 0 being clear, never by the version string.
    pub(crate) fn flavor(&self) -> Flavor {
        if self.capabilities.contains(Capabilities::MYSQL) {
            Flavor::MySql
        } else {
            Flavor::MariaDb
        }
    }
}

/// Reads the packet.
pub(crate) fn parse(payload: &[u8]) -> Result<Greeting, ProtocolError> {
    let mut reader = Reader::new("greeting", payload);
    if reader.u8("protocol version")? != PROTOCOL_VERSION {
        return Err(ProtocolError::Unexpected {
            expected: "a greeting of protocol version 10",
            first: payload.first().copied(),
        });
    }
    let version = presentable(reader.until_zero("server version")?, VERSION_LIMIT);
    let connection_id = reader.u32("connection id")?;
    let nonce_head: [u8; 8] = reader.array("scramble")?;
    reader.u8("filler")?;
    let low = reader.u16("capabilities")?;
    reader.u8("character set")?;
    reader.u16("status")?;
    let high = reader.u16("capabilities")?;
    reader.u8("scramble length")?;
    reader.bytes(6, "reserved bytes")?;
    let extended = reader.u32("extended capabilities")?;
    let common = u32::from(low) | u32::from(high) << 16;
    let extended = if common & 1 == 0 { extended } else { 0 };
    let nonce = nonce(nonce_head, &mut reader)?;
    let capabilities = Capabilities::new(common, extended);
    let plugin = if capabilities.contains(Capabilities::PLUGIN_AUTH) {
        plugin(&mut reader)?
    } else {
        Vec::new()
    };
    reader.finish()?;
    let version = version
        .strip_prefix(MARIADB_PREFIX)
        .map(str::to_owned)
        .unwrap_or(version);
    Ok(Greeting {
        version,
        connection_id,
        nonce,
        capabilities,
        plugin,
    })
}

/// The scramble comes in two parts of 8 and 12 bytes, the second with a zero behind it. (The length byte, 21, says nothing more.)
fn nonce(head: [u8; 8], reader: &mut Reader<'_>) -> Result<Nonce, ProtocolError> {
    let tail: [u8; 12] = reader.array("scramble")?;
    if reader.u8("scramble")? != 0 {
        return Err(reader.invalid("scramble"));
    }
    Nonce::new(&[&head[..], &tail[..]].concat()).ok_or_else(|| reader.invalid("scramble"))
}

/// Some old servers forget the zero at the end.
fn plugin(reader: &mut Reader<'_>) -> Result<Vec<u8>, ProtocolError> {
    let terminated = reader.clone().until_zero("authentication plugin").is_ok();
    if terminated {
        reader
            .until_zero("authentication plugin")
            .map(<[u8]>::to_vec)
    } else {
        Ok(reader.rest().to_vec())
    }
}

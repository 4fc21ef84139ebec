//! [Handshake response](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_handshake_response.html).

use super::ssl_request;
use crate::Capabilities;
use crate::wire::Writer;

/// Who wants in, and how.
pub(crate) struct Login<'a> {
    pub(crate) capabilities: Capabilities,
    /// Without a zero byte.
    pub(crate) user: &'a [u8],
    /// The plugin's first answer.
    pub(crate) answer: &'a [u8],
    /// Without a zero byte.
    pub(crate) database: Option<&'a [u8]>,
    pub(crate) plugin: &'a [u8],
    pub(crate) attributes: &'a [(String, String)],
}

impl Login<'_> {
    /// Writes the packet. What is written follows from the capabilities.
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        ssl_request::write(writer, self.capabilities);
        writer.zero_terminated(self.user);
        // An answer has at most 250 bytes here: its length is one byte, with PLUGIN_AUTH_LENENC and without.
        writer.lenenc_bytes(self.answer);
        if let Some(database) = self.database {
            writer.zero_terminated(database);
        }
        if self.capabilities.contains(Capabilities::PLUGIN_AUTH) {
            writer.zero_terminated(self.plugin);
        }
        if self.capabilities.contains(Capabilities::CONNECT_ATTRS) {
            write_attributes(self.attributes, writer);
        }
    }
}

pub(super) fn write_attributes(attributes: &[(String, String)], writer: &mut Writer<'_>) {
    let mut pairs = Vec::new();
    let mut inner = Writer::new(&mut pairs);
    for (name, value) in attributes {
        inner
            .lenenc_bytes(name.as_bytes())
            .lenenc_bytes(value.as_bytes());
    }
    writer.lenenc_bytes(&pairs);
}

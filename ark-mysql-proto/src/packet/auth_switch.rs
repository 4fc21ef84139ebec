//! [Authentication switch request](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_auth_switch_request.html).

use crate::ProtocolError;
use crate::wire::Reader;

/// The first byte.
pub(crate) const HEADER: u8 = 0xfe;

/// The server wants another plugin than the one announced.
pub(crate) struct AuthSwitch<'a> {
    pub(crate) plugin: &'a [u8],
    /// The plugin's challenge, as sent: some have a zero behind it.
    pub(crate) data: &'a [u8],
}

/// Reads the packet. A single byte is the request of ancient servers for the ancient plugin, which has no challenge.
pub(crate) fn parse(payload: &[u8]) -> Result<AuthSwitch<'_>, ProtocolError> {
    let mut reader = Reader::new("authentication switch", payload);
    reader.u8("header")?;
    if reader.is_empty() {
        return Ok(AuthSwitch {
            plugin: b"mysql_old_password",
            data: &[],
        });
    }
    Ok(AuthSwitch {
        plugin: reader.until_zero("plugin")?,
        data: reader.rest(),
    })
}

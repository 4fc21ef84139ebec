//! [SSL request](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_ssl_request.html):
//! the fixed head of the login, sent alone, before the connection is encrypted.

use crate::Capabilities;
use crate::wire::Writer;

/// utf8mb4 with the one collation id that every server knows: 255 is latin1 on MariaDB 10.
pub(crate) const CHARSET: u8 = 45;
/// Says that long packets are welcome. Servers do not act on it.
const MAX_PACKET: u32 = 1 << 30;

/// Writes the packet; a login begins with the same 32 bytes. MariaDB's extended capabilities stand in the last four, which are zero at MySQL.
pub(crate) fn write(writer: &mut Writer<'_>, capabilities: Capabilities) {
    writer
        .bytes(&capabilities.common())
        .u32(MAX_PACKET)
        .u8(CHARSET)
        .zeros(19)
        .bytes(&capabilities.extended());
}

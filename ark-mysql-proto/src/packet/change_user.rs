//! [COM_CHANGE_USER](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_change_user.html).

use super::login::{self, Login};
use super::ssl_request::CHARSET;
use crate::Capabilities;
use crate::wire::Writer;

const COMMAND: u8 = 0x11;

/// Writes the packet. The answer has at most 255 bytes.
pub(crate) fn write(login: &Login<'_>, writer: &mut Writer<'_>) {
    writer.u8(COMMAND).zero_terminated(login.user);
    writer.u8(u8::try_from(login.answer.len()).unwrap_or_default());
    writer.bytes(login.answer);
    writer.zero_terminated(login.database.unwrap_or_default());
    writer.u8(CHARSET).u8(0); // two bytes here, unlike in a login
    writer.zero_terminated(login.plugin);
    if login.capabilities.contains(Capabilities::CONNECT_ATTRS) {
        login::write_attributes(login.attributes, writer);
    }
}

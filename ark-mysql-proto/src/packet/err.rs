//! [ERR packet](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_err_packet.html).

use super::text::presentable;
use crate::wire::Reader;
use crate::{ProtocolError, ServerError};

/// Servers cut their messages at 512 bytes; some leeway, but no more.
const MESSAGE_LIMIT: usize = 4096;

/// Reads the packet. The SQLSTATE is missing where the server fails before it knows the client's capabilities.
pub(crate) fn parse(payload: &[u8]) -> Result<ServerError, ProtocolError> {
    let mut reader = Reader::new("ERR", payload);
    if reader.u8("header")? != 0xff {
        return Err(ProtocolError::Unexpected {
            expected: "an error",
            first: payload.first().copied(),
        });
    }
    let code = reader.u16("code")?;
    let sql_state = match reader.peek() {
        Some(b'#') => {
            reader.u8("SQLSTATE marker")?;
            state(reader.array("SQLSTATE")?)
        }
        Some(_) | None => state(*b"HY000"),
    };
    Ok(ServerError {
        code,
        sql_state,
        message: presentable(reader.rest(), MESSAGE_LIMIT),
    })
}

/// A SQLSTATE is letters and digits; anything else is shown as `?`.
fn state(bytes: [u8; 5]) -> String {
    bytes
        .iter()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(*byte)
            } else {
                '?'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_and_without_state() {
        let error = parse(b"\xff\x84\x04#08S01Got packets out of order").unwrap();
        assert_eq!(
            (error.code, &*error.sql_state, &*error.message),
            (1156, "08S01", "Got packets out of order")
        );
        let error = parse(b"\xff\x10\x04Too many connections").unwrap();
        assert_eq!(
            (error.code, &*error.sql_state, &*error.message),
            (1040, "HY000", "Too many connections")
        );
    }

    #[test]
    fn hostile_text_is_bounded() {
        let mut bytes = b"\xff\x10\x04#\x1b\0\xff\"'".to_vec();
        // miri takes minutes for as much as a server may send.
        bytes.resize(if cfg!(miri) { 1 << 13 } else { 1 << 20 }, b'x');
        let error = parse(&bytes).unwrap();
        assert_eq!(error.sql_state, "?????");
        assert!(error.message.len() < MESSAGE_LIMIT + 8);
    }

    #[test]
    fn truncated() {
        for bytes in [&b""[..], b"\xff", b"\xff\x10", b"\xff\x10\x04#HY00"] {
            assert!(parse(bytes).is_err(), "{bytes:?}");
        }
    }
}

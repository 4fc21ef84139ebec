//! [COM_STMT_PREPARE_OK](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_prepare.html).

use crate::ProtocolError;
use crate::session::StatementId;
use crate::wire::Reader;

/// A statement was prepared; definitions follow.
pub(crate) struct PrepareOk {
    pub(crate) id: StatementId,
    pub(crate) columns: u16,
    pub(crate) params: u16,
}

/// Reads the packet.
pub(crate) fn parse(payload: &[u8]) -> Result<PrepareOk, ProtocolError> {
    let mut reader = Reader::new("PREPARE OK", payload);
    reader.u8("header")?;
    let id = StatementId::new(reader.u32("statement id")?);
    let columns = reader.u16("column count")?;
    let params = reader.u16("parameter count")?;
    reader.u8("filler")?;
    reader.u16("warning count")?;
    reader.finish()?;
    Ok(PrepareOk {
        id,
        columns,
        params,
    })
}

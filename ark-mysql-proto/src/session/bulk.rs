//! [COM_STMT_BULK_EXECUTE](https://mariadb.com/docs/server/reference/clientserver-protocol/3-binary-protocol-prepared-statements/com_stmt_bulk_execute).

use super::stage::Expected;
use super::{Session, StatementId};
use crate::params::Batch;
use crate::{CommandError, ParamType};

const COM_STMT_BULK_EXECUTE: u8 = 0xfa;
/// The types stand in front of the rows. They are two bytes each, so they are never left out.
const SEND_TYPES: [u8; 2] = 128_u16.to_le_bytes();

impl Session {
    /// Runs a prepared statement once for each of the first `rows` rows of a batch [with indicators](Batch::with_indicators): on MariaDB, where
    /// [`Capabilities::MARIADB_BULK`](crate::Capabilities::MARIADB_BULK) was agreed on.
    ///
    /// # Errors
    /// The command is longer than the limit, or the session broke earlier. Nothing was queued.
    pub fn bulk_execute(
        &mut self,
        id: StatementId,
        types: &[ParamType],
        batch: &Batch,
        rows: usize,
    ) -> Result<(), CommandError> {
        let values = batch.values(rows);
        self.ready(values.len() + types.len() * 2 + 7)?;
        let out = self.outbox.begin();
        let [a, b, c, d] = id.get().to_le_bytes();
        let [e, f] = SEND_TYPES;
        out.extend_from_slice(&[COM_STMT_BULK_EXECUTE, a, b, c, d, e, f]);
        for kind in types {
            out.extend_from_slice(&kind.code().to_le_bytes());
        }
        out.extend_from_slice(values);
        self.finish(Expected::BinaryResult)
    }
}

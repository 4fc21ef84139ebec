//! [COM_STMT_EXECUTE](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_execute.html).

use super::stage::Expected;
use super::{Session, StatementId};
use crate::{CommandError, EncodeError, ParamType, ParamWriter};

const COM_STMT_EXECUTE: u8 = 0x17;
/// All rows at once, no cursor.
const NO_CURSOR: u8 = 0;
/// Always one; the field never got a meaning.
const ITERATIONS: [u8; 4] = 1_u32.to_le_bytes();

impl Session {
    /// Runs a prepared statement; its rows come in binary. `values` writes one value for each of `types`; the types themselves travel only with
    /// `send_types`, which the first execution of a statement needs, and each that changes them.
    ///
    /// # Errors
    /// A value cannot be written, the command is longer than the limit, or the session broke earlier. Nothing was queued.
    pub fn execute(
        &mut self,
        id: StatementId,
        types: &[ParamType],
        send_types: bool,
        values: impl FnOnce(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    ) -> Result<(), CommandError> {
        self.ready(0)?;
        let out = self.outbox.begin();
        let [a, b, c, d] = id.get().to_le_bytes();
        out.extend_from_slice(&[COM_STMT_EXECUTE, a, b, c, d, NO_CURSOR]);
        out.extend_from_slice(&ITERATIONS);
        let mut writer = ParamWriter::new(out, types, send_types);
        values(&mut writer)?;
        writer.finish()?;
        self.finish(Expected::BinaryResult)
    }
}

//! A row that is larger than is accepted: refused where its beginning says so, before memory is taken for it.

use ark_mysql_proto::ProtocolError;
use ark_mysql_proto::column_type::ColumnType;
use ark_mysql_proto::session::definitions;

use super::{Expected, Link};
use crate::error::Error;

impl Link {
    /// Looks at the beginning of a row that takes more than one frame. One whose lengths say less than what comes is refused later, by its size.
    #[cold]
    pub(super) fn refuse_giant(&mut self) -> Result<(), Error> {
        let types = self.types_of_current();
        let Some(row) = self.session.begun_row() else {
            return Ok(());
        };
        let limit = self.session.max_receive();
        match usize::try_from(row.least(&types)) {
            Ok(least) if least <= limit => Ok(()),
            _ => Err(self.broken(ProtocolError::TooLarge { limit })),
        }
    }

    /// The types of the columns whose rows come, of a prepared statement. What cannot be told stands at the end.
    fn types_of_current(&mut self) -> Vec<ColumnType> {
        let Some(Expected::Execute(slot)) = self.expected.front() else {
            return Vec::new();
        };
        let entry = self.statements.entry(*slot);
        let raw = entry.map_or(&[][..], |entry| entry.definitions.raw());
        definitions(raw, false)
            .map_while(Result::ok)
            .map(|definition| definition.column_type)
            .collect()
    }
}

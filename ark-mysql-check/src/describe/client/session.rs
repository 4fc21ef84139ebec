//! What is set at the server, as far as it changes what statements mean.

use ark_mysql_proto::row::{DecodeError, Source, TextRow};
use ark_mysql_proto::{Event, sql_mode};

use super::{Client, ClientError, SET_UP, STATEMENT_TIMEOUT, Trouble};
use crate::describe::cache::SessionSettings;
use crate::description::Doubts;
use std::time::Instant;

pub(super) const QUERY: &str = "SELECT @@sql_mode, CAST(@@lower_case_table_names AS SIGNED)";

impl Client {
    /// Asks for the settings of this session, which is set up as that of a statement.
    pub(in super::super) fn session_settings(&mut self) -> Result<SessionSettings, ClientError> {
        self.ask_session().map_err(ClientError::from)
    }

    fn ask_session(&mut self) -> Result<SessionSettings, Trouble> {
        self.deadline = Instant::now() + STATEMENT_TIMEOUT;
        self.session.query(SET_UP)?;
        self.session.query(QUERY)?;
        self.drain_reply()?;
        self.read_session(read)
    }

    /// What came for [`QUERY`].
    pub(super) fn read_session<T>(
        &mut self,
        read: fn(&[u8]) -> Result<T, DecodeError>,
    ) -> Result<T, Trouble> {
        let mut settings = None;
        loop {
            match self.next_event()? {
                Event::Row => settings = Some(read(self.session.payload()).map_err(odd)?),
                Event::Done(_) | Event::ResultSetEnd(_) => {
                    let none = || Trouble::Conversation("the settings have no row".to_owned());
                    return settings.ok_or_else(none);
                }
                Event::Failed => return Err(Trouble::failed(self.session.server_error())),
                _ => {}
            }
        }
    }
}

fn odd(error: DecodeError) -> Trouble {
    Trouble::Conversation(format!("the settings of the session: {error}"))
}

/// What the modes make doubtful.
pub(super) fn doubts(payload: &[u8]) -> Result<Doubts, DecodeError> {
    TextRow::new(payload).str(0).map(Doubts::of)
}

fn read(payload: &[u8]) -> Result<SessionSettings, DecodeError> {
    let mut row = TextRow::new(payload);
    let sql_mode = sql_mode::meaningful(row.str(0)?);
    let case = row.i64(1)?;
    row.finish()?;
    Ok(SessionSettings {
        sql_mode,
        // 0 where names differ by case, as it is where nothing else is known.
        lower_case_table_names: u8::try_from(case).unwrap_or_default(),
    })
}

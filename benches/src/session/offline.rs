//! A point query without any socket: what the session and the decoder do with the recorded bytes, and nothing else.

use anyhow::{Context, Result, bail, ensure};
use ark_mysql::__private::{Query, Statement};
use ark_mysql::query_as;
use ark_mysql_proto::params::{ParamSink, ParamType};
use ark_mysql_proto::row::{RowReader, Source};
use ark_mysql_proto::{Event, Handshake, Session, StatementId, Step};

use super::peer::{EXECUTE, OK, PREPARE, greeting, packet, place_of_key};
use crate::raw::login;
use crate::test1::Test1;

/// A session that is logged in and has prepared the statement.
pub struct Offline {
    session: Session,
    statement: StatementId,
    /// As they came with the first execution; those of all others are compared with them.
    definitions: Vec<u8>,
    columns: u16,
    reply: Vec<u8>,
    /// Where the key stands in the reply.
    key: usize,
}

impl Offline {
    /// Logs in, prepares, and executes once.
    ///
    /// # Errors
    /// The recording is none of this statement.
    pub fn start() -> Result<Self> {
        let mut session = logged_in()?;
        session.prepare(crate::test1::POINT)?;
        let statement = prepared(&mut session)?;
        let mut offline = Self {
            session,
            statement,
            definitions: Vec::new(),
            columns: 0,
            reply: EXECUTE.to_vec(),
            key: place_of_key(EXECUTE).context("the recording has no row")?,
        };
        offline.query(1, true)?;
        Ok(offline)
    }

    /// The row with that key.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn point(&mut self, key: i32) -> Result<Test1> {
        self.query(key, false)
    }

    fn query(&mut self, key: i32, first: bool) -> Result<Test1> {
        let place = self.reply.get_mut(self.key..);
        let place = place.and_then(<[u8]>::first_chunk_mut);
        *place.context("the recording is cut off")? = key.to_le_bytes();
        self.session
            .execute(self.statement, &[ParamType::I32], first, |sink| {
                sink.i32(key)
            })?;
        sent(&mut self.session);
        received(&mut self.session, &self.reply);
        self.row()
    }

    fn row(&mut self) -> Result<Test1> {
        let statement = query_as!(
            Test1,
            "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 WHERE f1 = ?",
            1
        );
        let mut row = None;
        loop {
            let event = self
                .session
                .poll_knowing(&self.definitions, self.columns)?
                .context("the recorded reply is cut off")?;
            match event {
                Event::ResultSet { .. } => {}
                Event::ColumnDefinitions { count } => {
                    self.definitions = self.session.payload().to_vec();
                    self.columns = count;
                }
                Event::Row => row = Some(decode(&statement, self.session.payload())?),
                Event::ResultSetEnd(_) => return row.context("no row came"),
                other => bail!("{other:?} came"),
            }
        }
    }
}

fn decode<S: for<'r> Statement<Row<'r> = Test1>, P>(
    _: &Query<S, P>,
    payload: &[u8],
) -> Result<Test1> {
    let mut reader = RowReader::new(payload, S::COLUMNS.len())?;
    let row = S::decode(&mut reader)?;
    reader.finish()?;
    Ok(row)
}

fn logged_in() -> Result<Session> {
    let url = "mysql://bench@127.0.0.1/test?ssl-mode=disabled".parse()?;
    let mut handshake = Handshake::new(login::options(&url));
    let mut replies = [packet(0, &greeting()), packet(2, &OK)].into_iter();
    loop {
        let step = handshake.poll()?;
        let count = handshake.outgoing().len();
        handshake.sent(count);
        match step {
            Step::Read => {
                let reply = replies.next().context("the login wants more")?;
                let place = handshake.read_buffer().get_mut(..reply.len());
                place.context("no room")?.copy_from_slice(&reply);
                handshake.received(reply.len());
            }
            Step::StartTls => bail!("nobody offered TLS"),
            Step::Ready => return Ok(handshake.into_session()?),
        }
    }
}

fn prepared(session: &mut Session) -> Result<StatementId> {
    sent(session);
    received(session, PREPARE);
    let mut statement = None;
    loop {
        match session.poll()?.context("the recording is cut off")? {
            Event::Prepared { id, params, .. } => {
                ensure!(params == 1, "another statement was recorded");
                statement = Some(id);
            }
            Event::PreparedEnd => return statement.context("nothing was prepared"),
            _ => {}
        }
    }
}

/// As if it had been written.
fn sent(session: &mut Session) {
    let count = session.outgoing().len();
    session.sent(count);
}

fn received(session: &mut Session, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let buffer = session.read_buffer();
        let count = buffer.len().min(bytes.len());
        let (now, later) = bytes.split_at(count);
        buffer
            .iter_mut()
            .zip(now)
            .for_each(|(place, byte)| *place = *byte);
        session.received(count);
        bytes = later;
    }
}

#[cfg(test)]
mod tests {
    use super::Offline;
    use crate::test1::Test1;

    #[test]
    fn the_recorded_row_is_read_with_the_key_that_was_asked_for() {
        let mut offline = Offline::start().expect("it logs in");
        for key in [1234, 7] {
            let row = offline.point(key).expect("a row");
            let recorded = Test1::expected(1234);
            assert_eq!(
                row,
                Test1 {
                    f1: key,
                    ..recorded
                }
            );
        }
    }
}

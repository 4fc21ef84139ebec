//! The protocol alone: a session that is fed recorded replies, without socket and runtime.

use anyhow::{Context, Result, bail, ensure};
use ark_mysql_proto::{
    Channel, Event, Handshake, HandshakeOptions, ParamSink as _, ParamType, Secret, Session,
    StatementId, Step, TlsRequest,
};

use super::peer::{EXECUTE, OK, PREPARE, greeting, packet};

/// Logged in, with the statement of the point workload prepared.
pub struct Recorded {
    session: Session,
    statement: StatementId,
    /// The columns' definitions, as they came the first time.
    known: Vec<u8>,
    columns: u16,
}

impl Recorded {
    /// Reads login, PREPARE and a first EXECUTE.
    ///
    /// # Errors
    /// The recording is none of this protocol.
    pub fn new() -> Result<Self> {
        let mut session = logged_in()?;
        let statement = prepared(&mut session)?;
        let mut recorded = Self {
            session,
            statement,
            known: Vec::new(),
            columns: 0,
        };
        recorded.first()?;
        Ok(recorded)
    }

    /// One point select: writes the command, reads the reply, gives its row to `each`.
    ///
    /// # Errors
    /// The reply is not that of one row.
    #[inline]
    pub fn select(&mut self, key: i32, each: impl FnOnce(&[u8]) -> Result<()>) -> Result<()> {
        self.send(key, false)?;
        let head = self.session.poll_knowing(&self.known, self.columns)?;
        let same = Some(Event::ResultSet {
            columns: self.columns,
            definitions: false,
        });
        ensure!(head == same, "{head:?} came, not the same definitions");
        ensure!(self.session.take_row(), "no row came");
        each(self.session.payload())?;
        self.session.take_end().context("more than one row came")?;
        Ok(())
    }

    fn first(&mut self) -> Result<()> {
        self.send(1, true)?;
        loop {
            match self.session.poll()?.context("the recording is cut")? {
                Event::ColumnDefinitions { count } => {
                    self.columns = count;
                    self.known = self.session.payload().to_vec();
                }
                Event::ResultSetEnd(_) => return Ok(()),
                _ => {}
            }
        }
    }

    fn send(&mut self, key: i32, types: bool) -> Result<()> {
        let session = &mut self.session;
        session.execute(self.statement, &[ParamType::I32], types, |out| out.i32(key))?;
        let sent = session.outgoing().len();
        session.sent(sent);
        feed(session, EXECUTE)
    }
}

fn feed(session: &mut Session, bytes: &[u8]) -> Result<()> {
    let room = session.read_buffer().get_mut(..bytes.len());
    room.context("no room")?.copy_from_slice(bytes);
    session.received(bytes.len());
    Ok(())
}

fn prepared(session: &mut Session) -> Result<StatementId> {
    session.prepare("SELECT")?; // whatever it says, the answer is the recorded one
    let sent = session.outgoing().len();
    session.sent(sent);
    feed(session, PREPARE)?;
    let mut statement = None;
    loop {
        match session.poll()?.context("the recording is cut")? {
            Event::Prepared { id, .. } => statement = Some(id),
            Event::PreparedEnd => return statement.context("no statement was prepared"),
            _ => {}
        }
    }
}

fn logged_in() -> Result<Session> {
    let mut handshake = Handshake::new(options());
    let mut replies = [packet(0, &greeting()), packet(2, &OK)].into_iter();
    loop {
        let step = handshake.poll()?;
        let sent = handshake.outgoing().len();
        handshake.sent(sent);
        match step {
            Step::Read => {
                let reply = replies.next().context("it wants more than was recorded")?;
                let room = handshake.read_buffer().get_mut(..reply.len());
                room.context("no room")?.copy_from_slice(&reply);
                handshake.received(reply.len());
            }
            Step::StartTls => bail!("nobody asked for TLS"),
            Step::Ready => return Ok(handshake.into_session()?),
        }
    }
}

fn options() -> HandshakeOptions {
    HandshakeOptions {
        user: "bench".to_owned(),
        password: Secret::new(Vec::new()),
        database: None,
        tls: TlsRequest::Never,
        channel: Channel::Loopback,
        attributes: Vec::new(),
        max_receive: 1 << 30,
        max_send: 1 << 30,
        mariadb_extended_metadata: false,
        mariadb_cache_metadata: false,
        random: |bytes| getrandom::fill(bytes).is_ok(),
        server_public_key: None,
        require_verified: false,
        clear_text_password: false,
        local_infile: false,
    }
}

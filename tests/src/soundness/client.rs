//! A blocking conversation that shows what the driver hides: definitions and rows as they came.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ark_mysql_proto::{
    Channel, EncodeError, Event, Handshake, HandshakeOptions, ParamType, ParamWriter, Secret,
    ServerError, Session, StatementId, Step, TlsRequest,
};

use super::value::Value;

/// The servers stop statements after two seconds; longer silence means that one hangs.
const PATIENCE: Duration = Duration::from_secs(20);
/// More rows say nothing new.
const MOST_ROWS: usize = 300;

pub(super) struct Client {
    stream: TcpStream,
    session: Session,
}

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refused: the connection is as good as before.
    Refused(ServerError),
    /// The connection is gone, and perhaps the server with it.
    Lost(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(out),
            Self::Lost(why) => out.write_str(why),
        }
    }
}

/// A prepared statement.
pub(super) struct Prepared {
    pub(super) id: StatementId,
    pub(super) params: usize,
    /// The NOT_NULL flag of each column.
    pub(super) not_null: Vec<bool>,
}

/// What EXECUTE gave, as it came.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) definitions: Vec<u8>,
    pub(super) rows: Vec<Vec<u8>>,
    /// An error that ended the rows.
    pub(super) error: Option<ServerError>,
}

impl Client {
    pub(super) fn connect(port: u16, database: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(("127.0.0.1", port)).map_err(lost)?;
        stream.set_nodelay(true).map_err(lost)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(lost)?;
        let session = log_in(&stream, database)?;
        Ok(Self { stream, session })
    }

    /// Runs a statement without looking at its result.
    pub(super) fn run(&mut self, sql: &str) -> Result<(), Failure> {
        self.session.query(sql).map_err(lost)?;
        loop {
            match self.event()? {
                Event::Done(end) | Event::ResultSetEnd(end) if !end.status.more_results() => {
                    return Ok(());
                }
                Event::Failed => return Err(Failure::Refused(self.session.server_error())),
                _ => {}
            }
        }
    }

    pub(super) fn prepare(&mut self, sql: &str) -> Result<Prepared, Failure> {
        self.session.prepare(sql).map_err(lost)?;
        let mut prepared = None;
        let mut not_null = Vec::new();
        loop {
            match self.event()? {
                Event::Prepared { id, params, .. } => prepared = Some((id, usize::from(params))),
                Event::ColumnDefinitions { .. } => {
                    for definition in ark_mysql_proto::definitions(self.session.payload(), false) {
                        not_null.push(definition.map_err(lost)?.flags.not_null());
                    }
                }
                Event::PreparedEnd => break,
                Event::Failed => return Err(Failure::Refused(self.session.server_error())),
                _ => {}
            }
        }
        let (id, params) = prepared.ok_or_else(|| lost("a reply without its head"))?;
        Ok(Prepared {
            id,
            params,
            not_null,
        })
    }

    pub(super) fn close(&mut self, prepared: Prepared) {
        self.session.close_statement(prepared.id);
    }

    pub(super) fn execute(
        &mut self,
        prepared: &Prepared,
        values: &[Value],
    ) -> Result<Rows, Failure> {
        let types: Vec<ParamType> = values.iter().map(Value::wire_type).collect();
        let write = |out: &mut ParamWriter<'_>| -> Result<(), EncodeError> {
            values.iter().try_for_each(|value| value.write(out))
        };
        self.session
            .execute(prepared.id, &types, true, write)
            .map_err(lost)?;
        let mut rows = Rows::default();
        loop {
            match self.event()? {
                Event::ColumnDefinitions { .. } => {
                    rows.definitions = self.session.payload().to_vec();
                }
                Event::Row if rows.rows.len() < MOST_ROWS => {
                    rows.rows.push(self.session.payload().to_vec());
                }
                Event::Done(end) | Event::ResultSetEnd(end) if !end.status.more_results() => {
                    return Ok(rows);
                }
                Event::Failed => {
                    rows.error = Some(self.session.server_error());
                    return Ok(rows);
                }
                _ => {}
            }
        }
    }

    fn event(&mut self) -> Result<Event, Failure> {
        let started = Instant::now();
        loop {
            if let Some(event) = self.session.poll().map_err(lost)? {
                return Ok(event);
            }
            while !self.session.outgoing().is_empty() {
                let count = self.stream.write(self.session.outgoing()).map_err(lost)?;
                self.session.sent(count);
            }
            let count = self.stream.read(self.session.read_buffer()).map_err(lost)?;
            if count == 0 || started.elapsed() > PATIENCE {
                return Err(lost("the connection was closed"));
            }
            self.session.received(count);
        }
    }
}

fn log_in(mut stream: &TcpStream, database: &str) -> Result<Session, Failure> {
    let mut handshake = Handshake::new(HandshakeOptions {
        user: "root".to_owned(),
        password: Secret::new(Vec::new()),
        database: Some(database.to_owned()),
        tls: TlsRequest::Never,
        channel: Channel::Loopback,
        attributes: Vec::new(),
        max_receive: 1 << 26,
        max_send: 1 << 26,
        mariadb_extended_metadata: false,
        mariadb_cache_metadata: false,
        random: |_| false,
        server_public_key: None,
        require_verified: false,
        clear_text_password: false,
        local_infile: false,
    });
    loop {
        let step = handshake.poll().map_err(lost)?;
        while !handshake.outgoing().is_empty() {
            let count = stream.write(handshake.outgoing()).map_err(lost)?;
            handshake.sent(count);
        }
        match step {
            Step::Ready => return handshake.into_session().map_err(lost),
            Step::StartTls => return Err(lost("TLS was not asked for")),
            Step::Read => match stream.read(handshake.read_buffer()) {
                Ok(0) => return Err(lost("closed in the handshake")),
                Ok(count) => handshake.received(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(lost(error)),
            },
        }
    }
}

fn lost(why: impl ToString) -> Failure {
    Failure::Lost(why.to_string())
}

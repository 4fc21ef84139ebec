//! The physical limit: a client that sends prebuilt bytes over a socket and follows nothing but packet framing.
//!
//! It decodes no row and checks no definition, so no driver can be faster by more than chance; what a driver costs is its distance
//! from here. The login is the only part that it borrows from the library.

mod framing;
mod login;
mod on_tokio;
mod reply;
mod stream;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use ark_mysql_proto::url::{Endpoint, Url};

use self::framing::Framing;
pub use self::on_tokio::RawOnTokio;
use self::reply::Follower;
pub use self::reply::{Reply, one_row};
use self::stream::Stream;

/// A logged-in connection over TCP; with TLS where the address wants its server verified.
pub struct RawClient {
    stream: Stream,
    framing: Framing,
    connection_id: u32,
    /// MariaDB's metadata cache was negotiated: a result set then says whether its definitions follow.
    cached_metadata: bool,
    mariadb: bool,
}

/// What PREPARE answered.
#[derive(Clone, Copy, Debug)]
pub struct RawStatement {
    /// The server's handle.
    pub id: u32,
}

impl RawClient {
    /// Connects and logs in as the address says.
    ///
    /// # Errors
    /// Fails for a unix socket, a host that cannot be reached and a refused login.
    pub fn connect(url: &str) -> Result<Self> {
        let url: Url = url.parse()?;
        let Endpoint::Tcp { host, port } = &url.endpoint else {
            bail!("the raw client needs a TCP address, such as mysql://root@127.0.0.1:3306/test");
        };
        let stream = TcpStream::connect((host.as_str(), *port))
            .with_context(|| format!("no server answers at {}", url.endpoint))?;
        stream.set_nodelay(true)?;
        let (stream, session) = login::login(stream, host, &url)?;
        Ok(Self {
            framing: Framing::new(),
            connection_id: session.connection_id,
            cached_metadata: session.cached_metadata,
            mariadb: session.mariadb,
            stream,
        })
    }

    /// The server's number for this connection.
    pub fn connection_id(&self) -> u32 {
        self.connection_id
    }

    /// Whether the server is a MariaDB.
    pub fn is_mariadb(&self) -> bool {
        self.mariadb
    }

    /// Runs SQL text and returns how many rows came.
    ///
    /// # Errors
    /// Fails with the server's words when it refuses, and when the connection breaks.
    pub fn query(&mut self, sql: &str) -> Result<Reply> {
        self.execute(&command(0x03, sql.as_bytes()))
            .with_context(|| format!("in {}", sql.chars().take(80).collect::<String>()))
    }

    /// Runs a script of statements, each ended by `;` at the end of a line.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn script(&mut self, script: &str) -> Result<()> {
        for statement in script
            .split(";\n")
            .map(str::trim)
            .filter(|sql| !sql.is_empty())
        {
            self.query(statement)?;
        }
        Ok(())
    }

    /// Prepares a statement.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn prepare(&mut self, sql: &str) -> Result<RawStatement> {
        self.stream.write_all(&command(0x16, sql.as_bytes()))?;
        self.framing.restart();
        let first = self.packet()?;
        let head = self.framing.bytes(&first);
        ensure!(
            head.first() == Some(&0),
            "PREPARE of {sql} was refused: {}",
            reply::server_error(head)
        );
        let [
            _,
            a,
            b,
            c,
            d,
            columns,
            columns_high,
            params,
            params_high,
            ..,
        ] = *head
        else {
            bail!("the reply to PREPARE is too short");
        };
        let follow =
            u16::from_le_bytes([columns, columns_high]) + u16::from_le_bytes([params, params_high]);
        for _ in 0..follow {
            self.packet()?;
        }
        Ok(RawStatement {
            id: u32::from_le_bytes([a, b, c, d]),
        })
    }

    /// Sends one command, header included, and reads to the end of its reply.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn execute(&mut self, command: &[u8]) -> Result<Reply> {
        self.stream.write_all(command)?;
        self.framing.restart();
        let mut follower = Follower::new(self.cached_metadata);
        loop {
            self.read()?;
            if let Some(reply) = follower.advance(&mut self.framing)? {
                return Ok(reply);
            }
        }
    }

    /// Sends `count` commands as one write, headers included, and reads to the end of their replies. Returns how many rows came.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn pipeline(&mut self, commands: &[u8], count: usize) -> Result<u64> {
        self.stream.write_all(commands)?;
        self.framing.restart();
        let mut rows = 0;
        for _ in 0..count {
            let mut follower = Follower::new(self.cached_metadata);
            rows += loop {
                match follower.advance(&mut self.framing)? {
                    Some(reply) => break reply.rows,
                    None => self.read()?,
                }
            };
        }
        Ok(rows)
    }

    /// Says goodbye; the server closes.
    ///
    /// # Errors
    /// The connection is broken already.
    pub fn quit(mut self) -> Result<()> {
        Ok(self.stream.write_all(&command(0x01, &[]))?)
    }

    fn packet(&mut self) -> Result<Range<usize>> {
        loop {
            match self.framing.packet() {
                Some(packet) => return Ok(packet),
                None => self.read()?,
            }
        }
    }

    fn read(&mut self) -> Result<()> {
        let count = self.stream.read(self.framing.room())?;
        Ok(self.framing.received(count)?)
    }

    /// All bytes of the last reply, which must have been a short one.
    pub fn last_reply(&self) -> &[u8] {
        self.framing.received_bytes()
    }

    /// The payload of the last row of the last reply.
    pub fn row(&self, reply: &Reply) -> &[u8] {
        self.framing.bytes(&reply.last_row)
    }
}

impl RawStatement {
    /// COM_STMT_EXECUTE with one BIGINT, header included; as [`execution_of_int`](Self::execution_of_int).
    pub fn execution_of_bigint(self, send_type: bool, value: i64) -> Vec<u8> {
        const TYPE_LONGLONG: [u8; 2] = [8, 0];
        let mut body = self.id.to_le_bytes().to_vec();
        body.extend([0, 1, 0, 0, 0, 0, send_type.into()]);
        body.extend(TYPE_LONGLONG.into_iter().filter(|_| send_type));
        body.extend(value.to_le_bytes());
        command(0x17, &body)
    }

    /// COM_STMT_EXECUTE with one INT, header included. The server must be told the type once and remembers it.
    pub fn execution_of_int(self, send_type: bool, value: i32) -> Vec<u8> {
        const TYPE_LONG: [u8; 2] = [3, 0];
        let mut body = self.id.to_le_bytes().to_vec();
        body.extend([0, 1, 0, 0, 0]); // no cursor, one iteration
        body.push(0); // nothing is NULL
        body.push(send_type.into());
        body.extend(TYPE_LONG.into_iter().filter(|_| send_type));
        body.extend(value.to_le_bytes());
        command(0x17, &body)
    }
}

/// A command packet with its header. Everything sent here fits one packet.
fn command(code: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 1).unwrap_or(u32::MAX);
    debug_assert!(
        length < 0xff_ffff,
        "a command of {length} bytes does not fit one packet"
    );
    let [a, b, c, _] = length.to_le_bytes();
    let mut packet = vec![a, b, c, 0, code];
    packet.extend_from_slice(body);
    packet
}

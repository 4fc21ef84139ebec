//! The same client on an asynchronous runtime: what the runtime alone costs, before any driver does anything.

use anyhow::{Result, bail, ensure};
use ark_mysql_proto::url::{Endpoint, Url};
use ark_mysql_proto::{Handshake, Step};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::framing::Framing;
use super::login::{LoggedIn, options};
use super::reply::{Follower, Reply};
use super::stream::Stream;
use super::{RawClient, command};

/// A [`RawClient`] that waits by tokio.
pub struct RawOnTokio {
    stream: TcpStream,
    framing: Framing,
    cached_metadata: bool,
}

impl RawOnTokio {
    /// Connects over TCP and logs in, without TLS.
    ///
    /// # Errors
    /// As [`RawClient::connect`].
    pub async fn connect(url: &str) -> Result<Self> {
        let url: Url = url.parse()?;
        let Endpoint::Tcp { host, port } = &url.endpoint else {
            bail!("the raw client needs a TCP address");
        };
        let mut stream = TcpStream::connect((host.as_str(), *port)).await?;
        stream.set_nodelay(true)?;
        let mut handshake = Handshake::new(options(&url));
        loop {
            let step = handshake.poll()?;
            let sent = handshake.outgoing().len();
            stream.write_all(handshake.outgoing()).await?;
            handshake.sent(sent);
            match step {
                Step::Read => {
                    let count = stream.read(handshake.read_buffer()).await?;
                    ensure!(count > 0, "the server closed the connection");
                    handshake.received(count);
                }
                Step::StartTls => bail!("this one speaks no TLS"),
                Step::Ready => break,
            }
        }
        Ok(Self {
            stream,
            framing: Framing::new(),
            cached_metadata: LoggedIn::of(handshake)?.cached_metadata,
        })
    }

    /// Says goodbye; the server closes.
    ///
    /// # Errors
    /// As [`RawClient::quit`].
    pub async fn quit(mut self) -> Result<()> {
        Ok(self.stream.write_all(&command(0x01, &[])).await?)
    }

    /// Takes over a logged-in connection. Must be called on a runtime.
    ///
    /// # Errors
    /// Fails when the runtime does not take the socket.
    pub fn new(client: RawClient) -> Result<Self> {
        let RawClient {
            stream,
            framing,
            cached_metadata,
            ..
        } = client;
        let Stream::Plain(stream) = stream else {
            bail!("this one speaks no TLS");
        };
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream)?,
            framing,
            cached_metadata,
        })
    }

    /// Sends one command, header included, and reads to the end of its reply.
    ///
    /// # Errors
    /// As [`RawClient::execute`].
    pub async fn execute(&mut self, command: &[u8]) -> Result<Reply> {
        self.stream.write_all(command).await?;
        self.framing.restart();
        let mut follower = Follower::new(self.cached_metadata);
        loop {
            let count = self.stream.read(self.framing.room()).await?;
            self.framing.received(count)?;
            if let Some(reply) = follower.advance(&mut self.framing)? {
                return Ok(reply);
            }
        }
    }
    /// As [`RawClient::row`].
    pub fn row(&self, reply: &Reply) -> &[u8] {
        self.framing.bytes(&reply.last_row)
    }
}

//! The same client on an asynchronous runtime: what the runtime alone costs, before any driver does anything.

use anyhow::{Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::RawClient;
use super::framing::Framing;
use super::reply::{Follower, Reply};
use super::stream::Stream;

/// A [`RawClient`] that waits by tokio.
pub struct RawOnTokio {
    stream: TcpStream,
    framing: Framing,
    cached_metadata: bool,
}

impl RawOnTokio {
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
}

//! A server that behaves up to one point.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::case::{Act, At, Case, Doing, Link};
use crate::packets::{self, DAY, END, ID, NAME, OK, SPAN, SUM, TLS, frame};

/// Listens on a port of its own, and is gone with the value.
pub(crate) struct Server {
    pub(crate) port: u16,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    /// What clients said, behind TLS.
    heard: Mutex<Vec<u8>>,
    done: Notify,
}

impl Server {
    pub(crate) async fn new(case: &Case, link: Link, tls: TlsAcceptor) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let (case, other) = (case.clone(), Arc::clone(&shared));
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (case, shared, tls) = (case.clone(), Arc::clone(&other), tls.clone());
                tokio::spawn(async move {
                    // It ends when the client hangs up.
                    let _ended = Peer {
                        line: Box::new(socket),
                        shared,
                        sequence: 0,
                    }
                    .serve(&case, link, tls)
                    .await;
                });
            }
        });
        Self { port, shared, task }
    }

    pub(crate) fn heard(&self) -> Vec<u8> {
        self.shared.heard.lock().unwrap().clone()
    }

    /// Waits until the server has done all that the case says.
    pub(crate) async fn done(&self) {
        self.shared.done.notified().await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

struct Peer {
    line: Box<dyn Duplex>,
    shared: Arc<Shared>,
    /// Of the next packet that is sent.
    sequence: u8,
}

const LOGIN: u8 = 0xff;
const QUERY: u8 = 0x03;
const PREPARE: u8 = 0x16;
const EXECUTE: u8 = 0x17;
const PING: u8 = 0x0e;

impl Peer {
    async fn serve(mut self, case: &Case, link: Link, tls: TlsAcceptor) -> std::io::Result<()> {
        if case.at == At::Greeting {
            return self.misbehave(&case.acts).await;
        }
        let mut hello = case.hello.clone();
        if link == Link::Tls {
            hello.capabilities |= TLS;
        }
        self.send(&hello.bytes()).await?;
        if link == Link::Tls {
            self.read().await?;
            if case.at == At::Tls {
                return self.misbehave(&case.acts).await;
            }
            let sequence = self.sequence;
            self = Self {
                line: Box::new(tls.accept(self.line).await?),
                sequence,
                ..self
            };
        }
        self.read().await?;
        if case.at == At::Login {
            self.misbehave(&case.acts).await?;
        } else {
            self.send(&OK).await?;
        }
        self.commands(case).await
    }

    async fn commands(&mut self, case: &Case) -> std::io::Result<()> {
        let (mut statements, mut executed) = (0, 0);
        loop {
            let command = self.read().await?;
            let at = match command.first().copied().unwrap_or(LOGIN) {
                QUERY if command.get(1..).is_some_and(|sql| sql.starts_with(b"SET ")) => None,
                QUERY => Some(At::Text),
                PREPARE => Some(At::Prepare),
                EXECUTE => Some(At::Execute),
                PING => None,
                _ => continue, // CLOSE, QUIT: no answer
            };
            // Where the first execution goes well, the later ones are the case's.
            let first_is_good = matches!(case.doing, Doing::Twice | Doing::Two);
            let good = first_is_good && executed == 0 && case.at != At::Prepare
                || first_is_good && statements == 0;
            if at == Some(case.at) && !good {
                return self.misbehave(&case.acts).await;
            }
            match at {
                None => self.send(&OK).await?,
                Some(At::Prepare) => {
                    statements += 1;
                    for packet in packets::prepared(statements, 0, columns(case.doing)) {
                        self.send(&packet).await?;
                    }
                }
                Some(at) => {
                    executed += 1;
                    self.rows(case.doing, at).await?;
                    if case.at == At::Idle {
                        return self.misbehave(&case.acts).await;
                    }
                }
            }
        }
    }

    /// A good result of one row.
    async fn rows(&mut self, doing: Doing, at: At) -> std::io::Result<()> {
        for packet in packets::head(columns(doing)) {
            self.send(&packet).await?;
        }
        let row = match at {
            At::Text => packets::row(&[b"1", b"one"]),
            _ => packets::binary(&[&[1, 0, 0, 0], b"\x03one"]),
        };
        self.send(&row).await?;
        self.send(&END).await
    }

    async fn misbehave(&mut self, acts: &[Act]) -> std::io::Result<()> {
        for act in acts {
            match act {
                Act::Packet(payload) => self.send(payload).await?,
                Act::Raw(bytes) => self.line.write_all(bytes).await?,
                Act::Read => drop(self.read().await?),
                Act::GoOn => return Ok(()),
                Act::Close => {
                    self.line.shutdown().await?;
                    self.shared.done.notify_one();
                    return Ok(());
                }
                Act::Forever(payload) => loop {
                    self.send(payload).await?;
                },
                Act::FrameForever => self.frames().await?,
                Act::RawForever(bytes) => loop {
                    self.line.write_all(bytes).await?;
                },
            }
        }
        self.line.flush().await?;
        self.shared.done.notify_one();
        while !self.read_some().await?.is_empty() {}
        Ok(())
    }

    async fn frames(&mut self) -> std::io::Result<()> {
        const FULL: usize = 0xff_ffff;
        let zeros = vec![0; 1 << 16];
        loop {
            self.line
                .write_all(&[0xff, 0xff, 0xff, self.sequence])
                .await?;
            self.sequence = self.sequence.wrapping_add(1);
            let mut left = FULL;
            while left > 0 {
                let count = left.min(zeros.len());
                self.line.write_all(&zeros[..count]).await?;
                left -= count;
            }
        }
    }

    async fn send(&mut self, payload: &[u8]) -> std::io::Result<()> {
        let bytes = frame(self.sequence, payload);
        self.sequence = self.sequence.wrapping_add(1);
        self.line.write_all(&bytes).await?;
        self.line.flush().await
    }

    /// The next packet; the answer's sequence number follows from it.
    async fn read(&mut self) -> std::io::Result<Vec<u8>> {
        let mut header = [0; 4];
        self.line.read_exact(&mut header).await?;
        let [a, b, c, sequence] = header;
        let mut payload = vec![0; usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16];
        self.line.read_exact(&mut payload).await?;
        self.sequence = sequence.wrapping_add(1);
        let mut heard = self.shared.heard.lock().unwrap();
        heard.extend_from_slice(&header);
        heard.extend_from_slice(&payload);
        Ok(payload)
    }

    async fn read_some(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; 4096];
        let count = self.line.read(&mut bytes).await?;
        bytes.truncate(count);
        self.shared.heard.lock().unwrap().extend_from_slice(&bytes);
        Ok(bytes)
    }
}

fn columns(doing: Doing) -> &'static [packets::Column] {
    match doing {
        Doing::Day => &[DAY],
        Doing::Span => &[SPAN],
        Doing::Sum => &[SUM],
        _ => &[ID, NAME],
    }
}

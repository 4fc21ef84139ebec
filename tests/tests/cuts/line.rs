//! A line to a server that ends, or falls silent, after a given byte.

#![allow(dead_code, reason = "every test file takes what it needs")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

/// Whose bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Client,
    Server,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Client, Self::Server];

    fn index(self) -> usize {
        match self {
            Self::Client => 0,
            Self::Server => 1,
        }
    }
}

/// What happens instead of the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// An orderly end, as of a process that exits.
    Fin,
    /// A reset, as of a firewall or a machine that came up again.
    Rst,
    /// Nothing, for ever: the other side is still there as far as TCP can tell.
    Silence,
    /// This, and then nothing.
    Lie(&'static [u8]),
}

/// So many bytes of one side pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) side: Side,
    pub(crate) after: u64,
    pub(crate) how: How,
}

/// One connection through the line.
#[derive(Default)]
pub(crate) struct Wire {
    plan: Mutex<Option<Plan>>,
    passed: [AtomicU64; 2],
    /// How much the server had said each time when the client began to speak.
    turns: Mutex<Vec<u64>>,
    struck: OnceLock<Instant>,
}

impl Wire {
    /// Bytes that passed, of the client and of the server.
    pub(crate) fn passed(&self) -> [u64; 2] {
        [Side::Client, Side::Server].map(|side| self.passed[side.index()].load(Ordering::SeqCst))
    }

    pub(crate) fn turns(&self) -> Vec<u64> {
        self.turns.lock().unwrap().clone()
    }

    /// What becomes of it.
    pub(crate) fn strike(&self, plan: Plan) {
        *self.plan.lock().unwrap() = Some(plan);
    }

    /// When it was cut, if it was.
    pub(crate) fn struck(&self) -> Option<Instant> {
        self.struck.get().copied()
    }

    /// How many of these bytes may pass, and what happens then.
    fn allow(&self, side: Side, count: usize) -> (usize, Option<How>) {
        let passed = &self.passed[side.index()];
        let so_far = passed.load(Ordering::SeqCst);
        if side == Side::Client {
            let [_, said] = self.passed();
            let mut turns = self.turns.lock().unwrap();
            if turns.last() != Some(&said) {
                turns.push(said);
            }
        }
        let mut allowed = count;
        let mut strike = None;
        if let Some(plan) = *self.plan.lock().unwrap()
            && plan.side == side
        {
            let left = usize::try_from(plan.after.saturating_sub(so_far)).unwrap();
            if left < count {
                (allowed, strike) = (left, Some(plan.how));
            }
        }
        passed.fetch_add(u64::try_from(allowed).unwrap(), Ordering::SeqCst);
        (allowed, strike)
    }
}

/// Listens on a port of its own; all of it is gone with the value.
pub(crate) struct Line {
    port: u16,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    next: Mutex<Option<Plan>>,
    wires: Mutex<Vec<Arc<Wire>>>,
    listening: Notify,
}

impl Shared {
    async fn accept(self: Arc<Self>, listener: TcpListener, server: u16) {
        self.listening.notified().await;
        let mut connections = JoinSet::new();
        while let Ok((client, _)) = listener.accept().await {
            while connections.try_join_next().is_some() {}
            let wire = Arc::new(Wire::default());
            *wire.plan.lock().unwrap() = self.next.lock().unwrap().take();
            self.wires.lock().unwrap().push(Arc::clone(&wire));
            connections.spawn(serve(client, server, wire));
        }
    }
}

impl Line {
    /// To the server at this port.
    pub(crate) async fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let line = Self::on(listener, server);
        line.listen();
        line
    }

    /// The same, where nobody is taken from the listener's queue yet.
    pub(crate) fn on(listener: TcpListener, server: u16) -> Self {
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::<Shared>::default();
        let task = tokio::spawn(Arc::clone(&shared).accept(listener, server));
        Self { port, shared, task }
    }

    /// Takes connections from now on.
    pub(crate) fn listen(&self) {
        self.shared.listening.notify_one();
    }

    /// The same address by way of this line.
    pub(crate) fn url(&self, direct: &str, server: u16) -> String {
        let (from, to) = (format!(":{server}/"), format!(":{}/", self.port));
        assert!(direct.contains(&from), "{direct}");
        direct.replace(&from, &to)
    }

    /// What becomes of the next connection; those after it are left alone.
    pub(crate) fn plan(&self, plan: Option<Plan>) {
        *self.shared.next.lock().unwrap() = plan;
    }

    /// All connections there are, whatever they have said, are struck at the next byte of this side.
    pub(crate) fn strike(&self, side: Side, how: How) {
        for wire in self.shared.wires.lock().unwrap().iter() {
            *wire.plan.lock().unwrap() = Some(Plan {
                side,
                after: 0,
                how,
            });
        }
    }

    /// The first connection since the last time that this was asked.
    pub(crate) fn take_wire(&self) -> Option<Arc<Wire>> {
        std::mem::take(&mut *self.shared.wires.lock().unwrap())
            .into_iter()
            .next()
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut client: TcpStream, server: u16, wire: Arc<Wire>) {
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", server)).await else {
        return;
    };
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    server.set_zero_linger().unwrap(); // thousands of these in a minute would use all ports up otherwise
    let (mut from_client, mut from_server) = ([0; 16 << 10], [0; 16 << 10]);
    loop {
        let (side, bytes) = tokio::select! {
            count = client.read(&mut from_client) => (Side::Client, &from_client[..count.unwrap_or(0)]),
            count = server.read(&mut from_server) => (Side::Server, &from_server[..count.unwrap_or(0)]),
        };
        if bytes.is_empty() {
            return;
        }
        let (allowed, strike) = wire.allow(side, bytes.len());
        let to = match side {
            Side::Client => &mut server,
            Side::Server => &mut client,
        };
        let sent = to.write_all(&bytes[..allowed]).await;
        if let Some(how) = strike {
            let _ = wire.struck.set(Instant::now());
            return end(client, server, how).await;
        }
        if sent.is_err() {
            return;
        }
    }
}

/// Longer than any test waits for an answer.
const LONG: Duration = Duration::from_secs(60);

async fn end(mut client: TcpStream, server: TcpStream, how: How) {
    match how {
        How::Rst => client.set_zero_linger().unwrap(),
        How::Fin => {
            drop(server);
            let _ = client.shutdown().await;
            // What comes is read: a socket that is closed with something unread in it sends a reset.
            swallow(&mut client).await;
        }
        How::Silence => swallow(&mut client).await,
        How::Lie(words) => {
            let _ = client.write_all(words).await;
            swallow(&mut client).await;
        }
    }
}

async fn swallow(client: &mut TcpStream) {
    let mut buffer = [0; 4096];
    let all = async { while client.read(&mut buffer).await.is_ok_and(|count| count > 0) {} };
    let _ = timeout(LONG, all).await;
}

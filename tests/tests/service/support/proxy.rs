//! Goes between driver and server: hands bytes on in pieces, and cuts the line at a given point.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{Database, DevServer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Listens on a port of its own, and is gone with the value.
pub(crate) struct Proxy {
    port: u16,
    control: Arc<Control>,
    task: JoinHandle<()>,
}

/// Where the line is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The client's next bytes come here and no further.
    BeforeServer,
    /// The client's next bytes are handed on; of the server's answer nothing is.
    BeforeAnswer,
    /// The client's next bytes come here, and then there is silence.
    Silence,
}

#[derive(Default)]
struct Control {
    /// Bytes handed on at a time; 0: all.
    piece: AtomicUsize,
    cut: Mutex<Option<Cut>>,
    /// The client has looked at what came so far.
    turn: Notify,
    now: Notify,
    open: AtomicUsize,
    /// New lines are taken, and nothing is said on them.
    mute: AtomicBool,
    /// Bytes from clients.
    sent: AtomicUsize,
    closed: Notify,
}

impl Proxy {
    pub(crate) async fn new(database: &Database) -> Self {
        Self::before(database.server()).await
    }

    pub(crate) async fn before(server: &DevServer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = server.port();
        let control = Arc::new(Control::default());
        let shared = Arc::clone(&control);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, server, Arc::clone(&shared)));
            }
        });
        Self {
            port,
            control,
            task,
        }
    }

    /// The same address by way of this proxy.
    pub(crate) fn url(&self, direct: &str, server: &DevServer) -> String {
        let (from, to) = (format!(":{}", server.port()), format!(":{}", self.port));
        assert!(direct.contains(&from), "{direct}");
        direct.replace(&from, &to)
    }

    /// Hands on so many bytes at a time; 0: all.
    pub(crate) fn in_pieces_of(&self, bytes: usize) {
        self.control.piece.store(bytes, Ordering::SeqCst);
    }

    /// Lets the server's next piece pass; without this it passes after a moment.
    pub(crate) fn turn(&self) {
        self.control.turn.notify_one();
    }

    /// From now on whoever connects hears nothing; those who are connected go on.
    pub(crate) fn mute_new_ones(&self) {
        self.control.mute.store(true, Ordering::SeqCst);
    }

    /// How many bytes clients have sent so far.
    pub(crate) fn sent(&self) -> usize {
        self.control.sent.load(Ordering::SeqCst)
    }

    /// Cuts at the client's next bytes.
    pub(crate) fn cut(&self, cut: Cut) {
        *self.control.cut.lock().unwrap() = Some(cut);
    }

    /// Cuts all lines now, and waits until that is done.
    pub(crate) async fn cut_now(&self) {
        while self.control.open.load(Ordering::SeqCst) > 0 {
            let closed = self.control.closed.notified();
            self.control.now.notify_waiters();
            let _ = timeout(Duration::from_millis(5), closed).await;
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(client: TcpStream, server: u16, control: Arc<Control>) {
    if control.mute.load(Ordering::SeqCst) {
        let _nothing_comes = std::future::pending::<()>().await;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else {
        return;
    };
    control.open.fetch_add(1, Ordering::SeqCst);
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    {
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        let cut = Mutex::new(None);
        tokio::select! {
            _ = hand_on(from_client, to_server, &control, false, |control| {
                let ordered = control.cut.lock().unwrap().take();
                *cut.lock().unwrap() = ordered;
                ordered.filter(|cut| *cut != Cut::BeforeAnswer)
            }) => {}
            _ = hand_on(from_server, to_client, &control, true, |_| cut.lock().unwrap().take()) => {}
            () = control.now.notified() => {}
        }
    }
    control.open.fetch_sub(1, Ordering::SeqCst);
    control.closed.notify_waiters();
}

/// So many pieces of what comes at once are handed on step by step; the rest goes as it is.
const STEPS: usize = 300;
/// How long a piece waits for the one before it to be looked at.
const MOMENT: Duration = Duration::from_millis(3);

/// Ends when one side ends, or at a cut.
async fn hand_on(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    control: &Control,
    in_step: bool,
    cut: impl Fn(&Control) -> Option<Cut>,
) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut buffer).await?;
        if !in_step {
            control.sent.fetch_add(count, Ordering::SeqCst);
        }
        match cut(control) {
            Some(Cut::Silence) => return std::future::pending().await,
            Some(Cut::BeforeServer | Cut::BeforeAnswer) => return Ok(()),
            None if count == 0 => return Ok(()),
            None => {}
        }
        let mut rest = &buffer[..count];
        let mut pieces = 0;
        while !rest.is_empty() {
            let piece = match control.piece.load(Ordering::SeqCst) {
                piece if piece > 0 && pieces < STEPS => piece.min(rest.len()),
                _ => rest.len(),
            };
            let (bytes, others) = rest.split_at(piece);
            to.write_all(bytes).await?;
            rest = others;
            pieces += 1;
            if !rest.is_empty() && in_step {
                let _or_not = timeout(MOMENT, control.turn.notified()).await;
            }
        }
    }
}

//! A middleman between the driver and its real server, who hands bytes on in pieces, stops, hangs up, or lies.

use std::sync::{Arc, Mutex, MutexGuard};
use std::{future, io};

use tests::Database;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Listens on a port of its own, and is gone with the value.
pub(crate) struct Middleman {
    port: u16,
    rules: Arc<Mutex<Rules>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Rules {
    /// Hand on at most so many bytes at a time.
    piece: Option<usize>,
    /// So many more bytes of the server's pass.
    from_server: Option<usize>,
    /// So many more bytes of the client's pass.
    from_client: Option<usize>,
    /// Behind the last byte that passes: hang up, or only be silent.
    hang_up: bool,
    /// What is said instead of the server's next words.
    lie: Option<Vec<u8>>,
    /// Replaces what the server says next by something of the same length.
    renamed: Option<(&'static [u8], &'static [u8])>,
    /// All that the client said.
    heard: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq)]
enum From {
    Server,
    Client,
}

impl Middleman {
    /// Goes between, and is honest at first.
    pub(crate) async fn new(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = database.server().port();
        let rules = Arc::new(Mutex::new(Rules::default()));
        let shared = Arc::clone(&rules);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, server, Arc::clone(&shared)));
            }
        });
        Self { port, rules, task }
    }

    /// The address of the database by way of this middleman, without TLS.
    pub(crate) fn url(&self, database: &Database) -> String {
        format!(
            "mysql://root@127.0.0.1:{}/{}?ssl-mode=disabled",
            self.port,
            database.name()
        )
    }

    /// The same with TLS, certificate and IP name verified.
    pub(crate) fn tls_url(&self, database: &Database) -> String {
        let server = format!(":{}/", database.server().port());
        database
            .tls_url()
            .replace(&server, &format!(":{}/", self.port))
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Hands on so many bytes at a time from now on.
    pub(crate) fn in_pieces_of(&self, bytes: usize) {
        self.rules().piece = Some(bytes);
    }

    /// Hangs up after so many more bytes of the server's.
    pub(crate) fn hang_up_after(&self, bytes: usize) {
        let mut rules = self.rules();
        rules.from_server = Some(bytes);
        rules.hang_up = true;
    }

    /// Hangs up after so many more bytes of the client's.
    pub(crate) fn hang_up_after_client(&self, bytes: usize) {
        let mut rules = self.rules();
        rules.from_client = Some(bytes);
        rules.hang_up = true;
    }

    /// Says nothing any more after so many more bytes of the server's.
    pub(crate) fn be_silent_after(&self, bytes: usize) {
        let mut rules = self.rules();
        rules.from_server = Some(bytes);
        rules.hang_up = false;
    }

    /// Says this instead of the server's next words.
    pub(crate) fn lie(&self, words: impl Into<Vec<u8>>) {
        self.rules().lie = Some(words.into());
    }

    /// Replaces one name by another of the same length where the server says it next, and only there.
    pub(crate) fn rename(&self, from: &'static str, to: &'static str) {
        assert_eq!(from.len(), to.len());
        self.rules().renamed = Some((from.as_bytes(), to.as_bytes()));
    }

    /// Is honest again.
    pub(crate) fn reform(&self) {
        let mut rules = self.rules();
        let heard = std::mem::take(&mut rules.heard);
        *rules = Rules {
            heard,
            ..Rules::default()
        };
    }

    /// Forgets what the client said.
    pub(crate) fn forget(&self) {
        self.rules().heard.clear();
    }

    /// Whether the client ever said this.
    pub(crate) fn heard(&self, words: &[u8]) -> bool {
        self.rules()
            .heard
            .windows(words.len())
            .any(|window| window == words)
    }

    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap()
    }
}

impl Drop for Middleman {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(client: TcpStream, server: u16, rules: Arc<Mutex<Rules>>) {
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else {
        return;
    };
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    // Whoever ends first takes both sockets along.
    tokio::select! {
        _ = hand_on(from_client, to_server, From::Client, &rules) => {}
        _ = hand_on(from_server, to_client, From::Server, &rules) => {}
    }
}

async fn hand_on(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    who: From,
    rules: &Mutex<Rules>,
) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        let words = rules.lock().unwrap().hear(who, &buffer[..count]);
        let mut rest = words.as_slice();
        while !rest.is_empty() {
            let (passes, ends) = rules.lock().unwrap().allow(who, rest.len());
            to.write_all(&rest[..passes]).await?;
            rest = &rest[passes..];
            match ends {
                Some(true) => return Ok(()),
                Some(false) => future::pending().await,
                None => tokio::task::yield_now().await,
            }
        }
    }
}

impl Rules {
    fn hear(&mut self, who: From, words: &[u8]) -> Vec<u8> {
        if who == From::Client {
            self.heard.extend_from_slice(words);
            return words.to_vec();
        }
        let mut words = self.lie.take().unwrap_or_else(|| words.to_vec());
        if let Some((from, to)) = self.renamed
            && let Some(at) = words.windows(from.len()).position(|window| window == from)
        {
            words[at..at + to.len()].copy_from_slice(to);
            self.renamed = None;
        }
        words
    }

    /// How many bytes pass, and whether that is the end: by hanging up (true) or in silence (false).
    fn allow(&mut self, who: From, count: usize) -> (usize, Option<bool>) {
        let budget = if who == From::Server {
            &mut self.from_server
        } else {
            &mut self.from_client
        };
        let passes = count.min(self.piece.unwrap_or(usize::MAX));
        let Some(left) = budget else {
            return (passes, None);
        };
        let passes = passes.min(*left);
        *left -= passes;
        (passes, (*left == 0).then_some(self.hang_up))
    }
}

//! A pool and the addresses behind a name, with peers that follow a script: no real server can be moved about like that.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use super::Pool;
use crate::connection::connect::names;
use crate::connection::tests::script::*;
use crate::dynamic::query;
use crate::error::{Error, ErrorKind, Outcome};

/// A server that lets everybody in.
struct Peer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    read_only: Arc<AtomicBool>,
    pings: Arc<AtomicUsize>,
}

const PING: u8 = 0x0e;
const LOST: u16 = 3169;
const READ_ONLY: u16 = 1836;

impl Peer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let this = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            read_only: Arc::default(),
            pings: Arc::default(),
        };
        let (connections, read_only) = (this.connections.clone(), this.read_only.clone());
        let pings = this.pings.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve_pool(socket, read_only.clone(), pings.clone()));
            }
        });
        this
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn serve_pool(mut socket: TcpStream, read_only: Arc<AtomicBool>, pings: Arc<AtomicUsize>) {
    log_in(&mut socket).await;
    let mut last = Vec::new();
    while let Some(command) = read_command(&mut socket).await {
        let reply = match command[0] {
            CLOSE | QUIT => continue,
            // The pool's own question: nobody minds that it is not answered.
            QUERY if command.starts_with(b"\x03SELECT") => err(1105),
            PREPARE => {
                last = command;
                prepared(1)
            }
            EXECUTE if read_only.load(Ordering::SeqCst) => err(READ_ONLY),
            EXECUTE if last.ends_with(b"killed") => err(LOST),
            EXECUTE => rows(5),
            PING => {
                pings.fetch_add(1, Ordering::SeqCst);
                vec![ok()]
            }
            _ => vec![ok()],
        };
        if socket.write_all(&wire(1, &reply)).await.is_err() {
            return;
        }
    }
}

async fn number(pool: &Pool) -> Result<i64, Error> {
    query("SELECT n").fetch_one(pool).await?.get(0)
}

fn pool_of_three(name: &str) -> Pool {
    let url = format!("mysql://app@{name}/d?ssl-mode=disabled");
    let pool = Pool::builder().max_connections(3).connect_lazy(url);
    pool.unwrap()
}

/// Three connections lie idle.
async fn fill(pool: &Pool) {
    let all = tokio::join!(pool.acquire(), pool.acquire(), pool.acquire());
    drop((all.0.unwrap(), all.1.unwrap(), all.2.unwrap()));
    let began = Instant::now();
    while pool.idle() < 3 {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{:?}",
            pool.metrics()
        );
        sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_name_is_looked_up_for_each_connection_and_those_to_an_old_writer_go() {
    const NAME: &str = "writer.test";
    let (old, new) = (Peer::start().await, Peer::start().await);
    names::point(NAME, &[old.address]);
    let pool = pool_of_three(NAME);
    fill(&pool).await;
    let held = pool.acquire().await.unwrap();
    names::point(NAME, &[new.address]);
    // Nobody has reason to leave the old one yet.
    assert_eq!(number(&pool).await.unwrap(), 5);
    assert_eq!((old.connections(), new.connections()), (3, 0));
    old.read_only.store(true, Ordering::SeqCst);
    let error = number(&pool).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::ReadOnly, Outcome::Rejected),
        "{error}"
    );
    assert_eq!(
        pool.size(),
        1,
        "what lay idle is gone: {:?}",
        pool.metrics()
    );
    drop(held);
    assert_eq!(pool.size(), 0, "and what was lent, once it is back");
    fill(&pool).await;
    assert_eq!(number(&pool).await.unwrap(), 5);
    assert_eq!((old.connections(), new.connections()), (3, 3));
}

#[tokio::test]
async fn the_end_of_one_connection_has_the_others_asked() {
    const NAME: &str = "ending.test";
    let peer = Peer::start().await;
    names::point(NAME, &[peer.address]);
    let pool = pool_of_three(NAME);
    fill(&pool).await;
    let before = peer.pings.load(Ordering::SeqCst);
    let error = query("SELECT killed").fetch_one(&pool).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::ConnectionLost, Outcome::Rejected),
        "{error}"
    );
    assert_eq!(error.server().unwrap().code, LOST);
    assert_eq!(pool.size(), 2, "{:?}", pool.metrics());
    drop((pool.acquire().await.unwrap(), pool.acquire().await.unwrap()));
    assert_eq!(
        peer.pings.load(Ordering::SeqCst),
        before + 2,
        "one sign of life of each"
    );
    drop((pool.acquire().await.unwrap(), pool.acquire().await.unwrap()));
    assert_eq!(
        (peer.pings.load(Ordering::SeqCst), peer.connections()),
        (before + 2, 3)
    );
}

/// One address refuses, one says nothing, the third one answers.
#[tokio::test]
async fn all_addresses_of_a_name_are_tried() {
    const NAME: &str = "many.test";
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = closed.local_addr().unwrap();
    drop(closed);
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let full = socket.listen(0).unwrap();
    let silent = full.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(stream) = timeout(Duration::from_millis(100), TcpStream::connect(silent)).await {
        queue.push(stream.unwrap());
    }
    let peer = Peer::start().await;
    for addresses in [
        [refused, silent, peer.address],
        [silent, refused, peer.address],
        [silent, peer.address, refused],
    ] {
        names::point(NAME, &addresses);
        let pool = pool_of_three(NAME);
        let lease = pool.acquire().deadline(Duration::from_secs(20)).await;
        drop(lease.unwrap());
        assert_eq!(pool.metrics().open_failures, 0);
    }
    assert_eq!(peer.connections(), 3);
    names::point(NAME, &[refused, refused]);
    let error = number(&pool_of_three(NAME)).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::Connect, Outcome::NotSent),
        "{error}"
    );
    assert!(
        error.to_string().contains("nobody listens there"),
        "{error}"
    );
}

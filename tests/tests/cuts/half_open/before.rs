//! Before there is a socket: the name is looked up, and the server's machine does not answer.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use ark_mysql::Result;
use tests::{Database, Transport};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

use super::{Ended, ended, pool, recovers};
use crate::line::Line;

/// A name server that does not answer: nobody is free to ask it.
pub(super) async fn looking_up(database: &Database) -> Result<Ended> {
    // Another way to write 127.0.0.1, which is for the system's resolver to find out.
    let url = database
        .url_by(Transport::Tcp)
        .replace("127.0.0.1", "0x7f000001");
    let asked = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .build()
            .unwrap();
        runtime.block_on(async {
            let pool = pool(&url)?;
            let (free, busy) = mpsc::channel::<()>();
            let blocked = tokio::task::spawn_blocking(move || busy.recv());
            let ended = ended("dns", pool.acquire()).await;
            drop(free);
            let _ = blocked.await.unwrap();
            recovers(&pool).await?;
            Ok(ended)
        })
    };
    tokio::task::spawn_blocking(asked).await.unwrap()
}

/// A server whose queue is full: the kernel drops what asks for more.
pub(super) async fn dialing(database: &Database) -> Result<Ended> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let listener = socket.listen(0).unwrap();
    let (full, _queue) = fill_up(&listener).await;
    assert!(full, "its queue does not fill up");
    let line = Line::on(listener, database.server().port());
    let pool = pool(&line.url(&database.url_by(Transport::Tcp), database.server().port()))?;
    let ended = ended("syn", pool.acquire()).await;
    line.listen();
    recovers(&pool).await?;
    Ok(ended)
}

async fn fill_up(listener: &TcpListener) -> (bool, Vec<TcpStream>) {
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    for _ in 0..64 {
        match timeout(Duration::from_millis(100), TcpStream::connect(address)).await {
            Ok(stream) => queue.push(stream.unwrap()),
            Err(_) => return (true, queue),
        }
    }
    (false, queue)
}

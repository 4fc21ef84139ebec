//! A server that follows a script.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::Connection;

/// Packets of one reply; they are numbered from 1.
pub(crate) type Reply = Vec<Vec<u8>>;

pub(crate) fn ok() -> Vec<u8> {
    vec![0, 0, 0, 2, 0, 0, 0]
}

/// OK, and a transaction is open.
pub(crate) fn ok_in_transaction() -> Vec<u8> {
    vec![0, 0, 0, 3, 0, 0, 0]
}

pub(crate) fn end() -> Vec<u8> {
    vec![0xfe, 0, 0, 2, 0, 0, 0]
}

pub(crate) fn err(code: u16) -> Reply {
    let [low, high] = code.to_le_bytes();
    let mut body = vec![0xff, low, high];
    body.extend(b"#HY000scripted");
    vec![body]
}

pub(crate) fn column(name: &str) -> Vec<u8> {
    let mut body = b"\x03def\0\0\0".to_vec();
    body.push(u8::try_from(name.len()).unwrap());
    body.extend(name.as_bytes());
    body.extend([0, 12, 63, 0, 20, 0, 0, 0, 8, 1, 0, 0, 0, 0]);
    body
}

pub(crate) fn prepared(id: u8) -> Reply {
    vec![vec![0, id, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], column("n")]
}

pub(crate) fn row(value: u8) -> Vec<u8> {
    vec![0, 0, value, 0, 0, 0, 0, 0, 0, 0]
}

pub(crate) fn rows(value: u8) -> Reply {
    vec![vec![1], column("n"), row(value), end()]
}

pub(crate) fn wire(first: u8, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (sequence, body) in (first..).zip(packets) {
        out.extend([u8::try_from(body.len()).unwrap(), 0, 0, sequence]);
        out.extend(body);
    }
    out
}

/// Lets anybody in, answers each command by the next reply, then hangs up. Returns the first bytes of the commands.
pub(crate) async fn serve(mut socket: TcpStream, replies: Vec<Reply>) -> Vec<u8> {
    log_in(&mut socket).await;
    let mut commands = Vec::new();
    let mut replies = replies.into_iter();
    while let Some(command) = read_command(&mut socket).await {
        commands.push(command[0]);
        if command[0] == CLOSE || command[0] == QUIT {
            continue;
        }
        let Some(reply) = replies.next() else { break };
        socket.write_all(&wire(1, &reply)).await.unwrap();
    }
    commands
}

pub(crate) async fn log_in(socket: &mut TcpStream) {
    let mut greeting = b"\x0a9.7.4\0\x07\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15".to_vec();
    greeting.extend([0; 10]);
    greeting.extend(b"ijklmnopqrst\0mysql_native_password\0");
    socket.write_all(&wire(0, &[greeting])).await.unwrap();
    read_command(socket).await.unwrap();
    socket.write_all(&wire(2, &[ok()])).await.unwrap();
}

pub(crate) async fn read_command(socket: &mut TcpStream) -> Option<Vec<u8>> {
    let mut header = [0; 4];
    socket.read_exact(&mut header).await.ok()?;
    let mut body = vec![0; usize::from(header[0]) | usize::from(header[1]) << 8];
    socket.read_exact(&mut body).await.ok()?;
    Some(body)
}

pub(crate) const QUIT: u8 = 1;
pub(crate) const QUERY: u8 = 3;
pub(crate) const PREPARE: u8 = 0x16;
pub(crate) const EXECUTE: u8 = 0x17;
pub(crate) const CLOSE: u8 = 0x19;

/// A connection to such a server; the session settings are accepted.
pub(crate) async fn meet(replies: Vec<Reply>) -> (Connection, JoinHandle<Vec<u8>>) {
    let replies = [vec![vec![ok()]], replies].concat();
    meet_exactly(replies).await
}

pub(crate) async fn meet_exactly(replies: Vec<Reply>) -> (Connection, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        serve(socket, replies).await
    });
    let url = format!("mysql://app@127.0.0.1:{port}/d?ssl-mode=disabled");
    (Connection::connect(url).await.unwrap(), server)
}

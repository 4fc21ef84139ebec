//! A connection against a server that follows a script: what real servers do too rarely to wait for it.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::Connection;
use crate::dynamic::query;
use crate::error::{Error, ErrorKind, Outcome};

/// Packets of one reply; they are numbered from 1.
type Reply = Vec<Vec<u8>>;

fn ok() -> Vec<u8> {
    vec![0, 0, 0, 2, 0, 0, 0]
}

fn end() -> Vec<u8> {
    vec![0xfe, 0, 0, 2, 0, 0, 0]
}

fn err(code: u16) -> Reply {
    let [low, high] = code.to_le_bytes();
    let mut body = vec![0xff, low, high];
    body.extend(b"#HY000scripted");
    vec![body]
}

fn column(name: &str) -> Vec<u8> {
    let mut body = b"\x03def\0\0\0".to_vec();
    body.push(u8::try_from(name.len()).unwrap());
    body.extend(name.as_bytes());
    body.extend([0, 12, 63, 0, 20, 0, 0, 0, 8, 1, 0, 0, 0, 0]);
    body
}

fn prepared(id: u8) -> Reply {
    vec![vec![0, id, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], column("n")]
}

fn row(value: u8) -> Vec<u8> {
    vec![0, 0, value, 0, 0, 0, 0, 0, 0, 0]
}

fn rows(value: u8) -> Reply {
    vec![vec![1], column("n"), row(value), end()]
}

fn wire(first: u8, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (sequence, body) in (first..).zip(packets) {
        out.extend([u8::try_from(body.len()).unwrap(), 0, 0, sequence]);
        out.extend(body);
    }
    out
}

/// Lets anybody in, answers each command by the next reply, then hangs up. Returns the first bytes of the commands.
async fn serve(mut socket: TcpStream, replies: Vec<Reply>) -> Vec<u8> {
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

async fn log_in(socket: &mut TcpStream) {
    let mut greeting = b"\x0a9.7.4\0\x07\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15".to_vec();
    greeting.extend([0; 10]);
    greeting.extend(b"ijklmnopqrst\0mysql_native_password\0");
    socket.write_all(&wire(0, &[greeting])).await.unwrap();
    read_command(socket).await.unwrap();
    socket.write_all(&wire(2, &[ok()])).await.unwrap();
}

async fn read_command(socket: &mut TcpStream) -> Option<Vec<u8>> {
    let mut header = [0; 4];
    socket.read_exact(&mut header).await.ok()?;
    let mut body = vec![0; usize::from(header[0]) | usize::from(header[1]) << 8];
    socket.read_exact(&mut body).await.ok()?;
    Some(body)
}

const QUIT: u8 = 1;
const QUERY: u8 = 3;
const PREPARE: u8 = 0x16;
const EXECUTE: u8 = 0x17;
const CLOSE: u8 = 0x19;

/// A connection to such a server; the session settings are accepted.
async fn meet(replies: Vec<Reply>) -> (Connection, JoinHandle<Vec<u8>>) {
    let replies = [vec![vec![ok()]], replies].concat();
    meet_exactly(replies).await
}

async fn meet_exactly(replies: Vec<Reply>) -> (Connection, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        serve(socket, replies).await
    });
    let url = format!("mysql://app@127.0.0.1:{port}/d?ssl-mode=disabled");
    (Connection::connect(url).await.unwrap(), server)
}

async fn number(conn: &mut Connection) -> Result<i64, Error> {
    query("SELECT n").fetch_one(conn).await?.get(0)
}

#[tokio::test]
async fn a_handle_that_the_server_lost_is_prepared_again_once() {
    for code in [1243, 1615] {
        let replies = vec![
            prepared(1),
            rows(5),
            err(code),
            prepared(2),
            rows(6),
            err(code),
            prepared(3),
            err(code),
        ];
        let (mut conn, server) = meet(replies).await;
        assert_eq!(number(&mut conn).await.unwrap(), 5);
        assert_eq!(number(&mut conn).await.unwrap(), 6);
        let error = number(&mut conn).await.unwrap_err();
        assert_eq!(error.server().unwrap().code, code);
        assert_eq!(error.outcome(), Outcome::Rejected);
        drop(conn);
        let commands = server.await.unwrap();
        let once = [
            QUERY, PREPARE, EXECUTE, EXECUTE, CLOSE, PREPARE, EXECUTE, EXECUTE, CLOSE, PREPARE,
            EXECUTE, QUIT,
        ];
        assert_eq!(commands, once);
    }
}

#[tokio::test]
async fn a_server_without_room_for_statements_gets_some_back() {
    let (mut conn, server) =
        meet(vec![prepared(1), rows(1), err(1461), prepared(2), rows(2)]).await;
    assert_eq!(number(&mut conn).await.unwrap(), 1);
    let row = query("SELECT m").fetch_one(&mut conn).await.unwrap();
    assert_eq!(row.get::<i64>("n").unwrap(), 2);
    assert_eq!(conn.cached_statements(), 1);
    drop(conn);
    assert_eq!(
        server.await.unwrap(),
        [
            QUERY, PREPARE, EXECUTE, PREPARE, CLOSE, PREPARE, EXECUTE, QUIT
        ]
    );
}

#[tokio::test]
async fn refused_session_settings_make_the_connection_unfit() {
    let (mut conn, _server) = meet_exactly(vec![err(1193), prepared(1), rows(1)]).await;
    let error = number(&mut conn).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::SessionSetup, Outcome::NotSent)
    );
    assert_eq!(
        number(&mut conn).await.unwrap_err().kind(),
        ErrorKind::ConnectionClosed
    );
}

#[tokio::test]
async fn a_result_that_breaks_off_is_an_error_and_no_short_result() {
    let (mut conn, _server) = meet(vec![prepared(1), vec![vec![1], column("n"), row(1)]]).await;
    let all = query("SELECT n").fetch_all(&mut conn);
    let (all, ()) = tokio::join!(all, async {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        _server.abort();
    });
    let error = all.unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::ConnectionLost, Outcome::Unknown),
        "{error}"
    );
}

#[tokio::test]
async fn an_error_in_place_of_a_row_ends_the_result() {
    let broken = [vec![vec![1], column("n"), row(1)], err(1317)].concat();
    let (mut conn, _server) = meet(vec![prepared(1), broken, rows(9)]).await;
    let error = query("SELECT n").fetch_all(&mut conn).await.unwrap_err();
    assert_eq!(error.server().unwrap().code, 1317);
    assert_eq!(number(&mut conn).await.unwrap(), 9);
}

#[tokio::test]
async fn nonsense_closes_the_connection() {
    for nonsense in [
        vec![vec![]],
        vec![vec![0xfb, 1]],
        vec![vec![1], vec![7, 7, 7]],
        vec![vec![1], column("n"), vec![0xfe; 9]],
    ] {
        let (mut conn, _server) = meet(vec![prepared(1), nonsense, rows(9)]).await;
        let error = tokio::time::timeout(std::time::Duration::from_secs(2), number(&mut conn))
            .await
            .expect("no hang")
            .unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::Protocol | ErrorKind::ConnectionLost | ErrorKind::Decode
            ),
            "{error}"
        );
    }
}

#[tokio::test]
async fn results_behind_the_first_are_read_and_ignored() {
    let more = vec![0xfe, 0, 0, 10, 0, 0, 0];
    let call = vec![
        vec![1],
        column("n"),
        row(3),
        more,
        vec![1],
        column("other"),
        row(4),
        vec![0xfe, 0, 0, 10, 0, 0, 0],
        ok(),
    ];
    let (mut conn, _server) = meet(vec![prepared(1), call, rows(9)]).await;
    assert_eq!(
        query("SELECT n").fetch_all(&mut conn).await.unwrap().len(),
        1
    );
    assert_eq!(number(&mut conn).await.unwrap(), 9);
}

/// A server that answers before it has read the whole command: each side must read while it cannot write.
#[tokio::test]
async fn replies_are_read_while_the_command_is_still_being_written() {
    const SIZE: usize = 12_000_000; // more than any socket buffer holds
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        log_in(&mut socket).await;
        let mut blob = column("n");
        let place = blob.len() - 6;
        blob[place..place + 2].copy_from_slice(&[252, 0]);
        let prepared = vec![0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0];
        let limit = vec![vec![1], column("n"), b"\x0a1073741824".to_vec(), end()];
        for reply in [vec![ok()], vec![prepared, column("?"), blob.clone()], limit] {
            read_command(&mut socket).await.unwrap();
            socket.write_all(&wire(1, &reply)).await.unwrap();
        }
        let mut header = [0; 4];
        socket.read_exact(&mut header).await.unwrap();
        let mut reply = wire(1, &[vec![1], blob]);
        for sequence in 3..253 {
            let mut row = vec![0; 60_000];
            row[2..5].copy_from_slice(&[0xfc, 0x5b, 0xea]); // 59,995 bytes follow
            reply.extend([0x60, 0xea, 0, sequence]);
            reply.extend(row);
        }
        reply.extend(wire(253, &[end()]));
        socket.write_all(&reply).await.unwrap();
        let mut rest =
            vec![
                0;
                usize::from(header[0]) | usize::from(header[1]) << 8 | usize::from(header[2]) << 16
            ];
        socket.read_exact(&mut rest).await.unwrap();
        rest.len()
    });
    let url = format!("mysql://app@127.0.0.1:{port}/d?ssl-mode=disabled");
    let mut conn = Connection::connect(url).await.unwrap();
    let both = async {
        let rows = query("SELECT ?")
            .bind(vec![7_u8; SIZE])
            .fetch_all(&mut conn)
            .await
            .unwrap();
        conn.close().await.unwrap(); // what is left of the command is written before the goodbye
        (rows.len(), server.await.unwrap())
    };
    let (rows, read) = tokio::time::timeout(std::time::Duration::from_secs(20), both)
        .await
        .expect("both sides write and nobody reads");
    assert_eq!(rows, 250);
    assert!(read > SIZE);
}

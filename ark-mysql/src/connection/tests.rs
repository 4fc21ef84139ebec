//! A connection against a server that follows a script: what real servers do too rarely to wait for it.

mod ends;
pub(crate) mod script;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use self::script::*;
use super::Connection;
use crate::dynamic::query;
use crate::error::{Error, ErrorKind, Outcome};

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

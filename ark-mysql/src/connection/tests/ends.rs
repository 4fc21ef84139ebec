//! How transactions, connections and files end when the server does not want what it usually wants.

use super::script::*;
use super::*;

/// The server has not undone it, so nothing else may run there.
#[tokio::test]
async fn a_refused_rollback_closes_the_connection() {
    for way in ["dropped", "awaited", "savepoint"] {
        let replies = vec![
            vec![ok_in_transaction()],
            vec![ok_in_transaction()],
            err(1105),
            prepared(1),
            rows(1),
        ];
        let (mut conn, server) = meet(replies).await;
        let error = ended(&mut conn, way).await;
        assert_eq!(
            (error.kind(), error.outcome()),
            (ErrorKind::SessionSetup, Outcome::NotSent),
            "{way}: {error}"
        );
        assert_eq!(error.server().unwrap().code, 1105, "{way}");
        let error = number(&mut conn).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.outcome()),
            (ErrorKind::ConnectionClosed, Outcome::NotSent),
            "{way}: {error}"
        );
        drop(conn);
        let commands = server.await.unwrap();
        assert_eq!(commands, [QUERY; 4], "{way}");
    }
}

/// Begins a transaction and a savepoint, and ends them; the error that comes of it.
async fn ended(conn: &mut Connection, way: &str) -> Error {
    let mut tx = conn.begin().await.unwrap();
    let inner = tx.savepoint().await.unwrap();
    match way {
        "savepoint" => return inner.rollback().await.unwrap_err(),
        "awaited" => {
            drop(inner);
            return tx.rollback().await.unwrap_err();
        }
        _ => {}
    }
    drop(inner);
    drop(tx);
    number(conn).await.unwrap_err()
}

/// A savepoint that is gone already is as good as one that was rolled back to.
#[tokio::test]
async fn a_savepoint_that_is_not_there_any_more_harms_nobody() {
    let gone = err(1305);
    let replies = vec![
        vec![ok_in_transaction()],
        vec![ok_in_transaction()],
        gone,
        vec![ok_in_transaction()], // whether the transaction is still there
        vec![ok()],
    ];
    let (mut conn, _server) = meet(replies).await;
    let mut tx = conn.begin().await.unwrap();
    tx.savepoint().await.unwrap().rollback().await.unwrap();
    tx.commit().await.unwrap();
}

/// Shutdown, killed (MariaDB), killed (MySQL): the server ends it, whatever it says afterwards.
#[tokio::test]
async fn an_error_that_ends_the_connection_closes_it() {
    for code in [1053, 1927, 3169] {
        let (mut conn, _server) = meet(vec![prepared(1), err(code), rows(1)]).await;
        let error = number(&mut conn).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.outcome()),
            (ErrorKind::ConnectionLost, Outcome::Rejected),
            "{error}"
        );
        assert_eq!(error.server().unwrap().code, code);
        assert!(error.is_transient() && conn.is_closed());
        let error = number(&mut conn).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.outcome()),
            (ErrorKind::ConnectionClosed, Outcome::NotSent)
        );
    }
}

const CHUNK: usize = 64 << 10;

/// A server that gives up in the middle of the file, and one that still reads it.
#[tokio::test]
async fn an_error_in_the_middle_of_a_local_file() {
    for reads_on in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            log_in(&mut socket).await;
            read_command(&mut socket).await.unwrap();
            socket.write_all(&wire(1, &[ok()])).await.unwrap();
            read_command(&mut socket).await.unwrap();
            let wanted = b"\xfbfile".to_vec();
            socket.write_all(&wire(1, &[wanted])).await.unwrap();
            read_frame(&mut socket).await;
            socket.write_all(&wire(3, &err(1366))).await.unwrap();
            match reads_on {
                true => drop(socket.read_to_end(&mut Vec::new()).await),
                false => std::future::pending().await,
            }
        });
        let url = format!("mysql://app@127.0.0.1:{port}/d?ssl-mode=disabled");
        let options: crate::ConnectOptions = url.parse().unwrap();
        let mut conn = Connection::connect(options.local_infile(true))
            .await
            .unwrap();
        let file = vec![b'x'; CHUNK * 400]; // more than the buffers of two sockets
        let loading = query("LOAD DATA LOCAL INFILE 'x' INTO TABLE t")
            .local_infile(&file[..])
            .execute(&mut conn);
        let error = tokio::time::timeout(std::time::Duration::from_secs(20), loading)
            .await
            .expect("both sides wait")
            .unwrap_err();
        assert_eq!(
            (error.kind(), error.outcome()),
            (ErrorKind::ConnectionLost, Outcome::Unknown),
            "{error}"
        );
        assert_eq!(error.server().unwrap().code, 1366, "{error}");
        let error = number(&mut conn).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.outcome()),
            (ErrorKind::ConnectionClosed, Outcome::NotSent)
        );
        server.abort();
    }
}

/// One packet, however long.
async fn read_frame(socket: &mut tokio::net::TcpStream) {
    let mut header = [0; 4];
    socket.read_exact(&mut header).await.unwrap();
    let [a, b, c, _] = header.map(usize::from);
    socket
        .read_exact(&mut vec![0; a | b << 8 | c << 16])
        .await
        .unwrap();
}

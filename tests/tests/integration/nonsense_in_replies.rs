//! A reply that makes no sense: an error that says so, no wrong rows, no memory, nothing that hangs.

use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Result, query};
use tests::{Database, on_every_server};
use tokio::time::timeout;

use crate::support::{Middleman, Random, open};

fn packet(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..3], &[sequence], payload].concat()
}

on_every_server! {
    async fn is_an_error_and_the_end_of_the_connection(database: Database) -> Result<()> {
        open(&database).await?;
        let many = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
        let lies: Vec<(&str, Vec<u8>)> = vec![
            ("nothing at all in a packet", packet(1, &[])),
            ("a sequence number out of order", packet(9, &[0, 0, 0, 2, 0, 0, 0])),
            ("an OK of one byte", packet(1, &[0])),
            ("an error of one byte", packet(1, &[0xff])),
            ("2^60 columns", packet(1, &many)),
            ("60 000 columns", packet(1, &[0xfc, 0x60, 0xea])),
            ("a NULL for a count", packet(1, &[0xfb, 0xfb])),
            ("0xff for a count in an integer", packet(1, &[0xfd])),
            ("a column definition of nonsense", [packet(1, &[1]), packet(2, b"nonsense")].concat()),
            ("rows before columns", [packet(1, &[1]), packet(2, &[0xfe, 0, 0, 2, 0, 0, 0])].concat()),
            ("text", b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
        ];
        let middleman = Middleman::new(&database).await;
        for (what, lie) in lies {
            for prepared in [false, true] {
                middleman.reform();
                let mut conn = Connection::connect(middleman.url(&database)).await?;
                conn.ping().await?;
                let users = async |conn: &mut Connection| query!("SELECT id, name FROM users ORDER BY id").fetch_all(conn).await;
                if prepared {
                    assert_eq!(users(&mut conn).await?.len(), 3);
                }
                middleman.lie(lie.clone());
                match timeout(Duration::from_secs(3), users(&mut conn)).await {
                    Err(_) => {} // more bytes were promised than sent: waiting for them is right
                    Ok(Ok(rows)) => panic!("{what}: {rows:?}"),
                    Ok(Err(error)) => {
                        let expected = [ErrorKind::Protocol, ErrorKind::Server, ErrorKind::ConnectionLost, ErrorKind::SchemaChanged, ErrorKind::TooLarge, ErrorKind::Decode];
                        assert!(expected.contains(&error.kind()), "{what}: {:?} {error}", error.kind());
                        if error.kind() == ErrorKind::Protocol {
                            assert!(conn.is_closed(), "{what}");
                        }
                    }
                }
                if conn.is_closed() {
                    assert_eq!(conn.ping().await.unwrap_err().kind(), ErrorKind::ConnectionClosed, "{what}");
                }
            }
        }
        Ok(())
    }

    async fn of_every_kind_at_random(database: Database) -> Result<()> {
        open(&database).await?;
        let mut random = Random::new();
        let middleman = Middleman::new(&database).await;
        for _ in 0..150 {
            middleman.reform();
            let mut conn = Connection::connect(middleman.url(&database)).await?;
            conn.ping().await?;
            let mut lie = Vec::new();
            for sequence in 1..u8::try_from(2 + random.below(4)).unwrap() {
                let payload: Vec<u8> = (0..random.below(40)).map(|_| (random.next() >> 56) as u8 & if random.below(2) == 0 { 0xff } else { 3 }).collect();
                lie.extend(packet(sequence, &payload));
            }
            middleman.lie(lie.clone());
            let text = random.below(2) == 0;
            let users = query!("SELECT id, name FROM users ORDER BY id");
            let fetched = async { if text { users.text().fetch_all(&mut conn).await } else { users.fetch_all(&mut conn).await } };
            if let Ok(Ok(rows)) = timeout(Duration::from_millis(200), fetched).await {
                panic!("{lie:?} became {rows:?}");
            }
        }
        Ok(())
    }
}

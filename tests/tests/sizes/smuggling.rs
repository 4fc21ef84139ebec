//! B13: values whose length wraps where somebody counts in 32 bits, and more parameters than 16 bits can count. A driver that sends the bytes of
//! such a value behind a length that wrapped lets whoever chose the value write commands of his own.
//!
//! The values are real: pages of zeros that nobody wrote to cost no memory, as long as nobody copies them either.

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result, query};
use tests::bars::{Scale, reached, scale};
use tests::{Database, on_every_server};

use crate::by_hand::{run, statement};
use crate::process::Memory;

statement!(Read Length(data): "SELECT LENGTH(?) AS n" => Lengths { n: Option<i64> = BigInt Nullable });

const LENGTHS: [usize; 6] = [
    1 << 30,
    (1 << 31) + 3,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    (1 << 32) + 250,
];
/// Bytes of memory, far below the least of them.
const MOST: u64 = 32 << 20;
const PARAMETERS: usize = 65_536;

/// Every way in which a value gets to the server.
async fn send(way: usize, conn: &mut Connection, value: &[u8]) -> Result<()> {
    match way {
        0 => run!(Length, value).fetch_one(conn).await.map(drop),
        1 => run!(Length, value).text().fetch_one(conn).await.map(drop),
        2 => query("SELECT LENGTH(?)")
            .bind(value)
            .fetch_one(conn)
            .await
            .map(drop),
        3 => {
            let (small, large) = conn
                .pipeline((run!(Length, &b"12"[..]).one(), run!(Length, value).one()))
                .await?;
            assert_eq!(small?.n, Some(2));
            large.map(drop)
        }
        _ => {
            let statements = [run!(Length, value), run!(Length, value)];
            conn.execute_many(statements)
                .await?
                .into_iter()
                .try_for_each(|result| result.map(drop))
        }
    }
}

const WAYS: usize = 5;
/// In this one something else is sent beside it.
const PIPELINE: usize = 3;

/// How many bytes the server has had from this connection.
async fn received(conn: &mut Connection) -> Result<u64> {
    let row = query("SHOW SESSION STATUS LIKE 'Bytes_received'")
        .fetch_one(conn)
        .await?;
    Ok(row.get::<String>(1)?.parse().unwrap())
}

fn refused(what: &str, result: Result<()>) -> Error {
    let error = result.expect_err(what);
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::Encode, Outcome::NotSent),
        "{what}: {error}"
    );
    error
}

on_every_server! {
    async fn is_refused_before_a_byte_is_written(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        // All that is sent once has been sent: both statements are prepared.
        for way in 0..WAYS {
            send(way, &mut conn, b"123").await?;
        }
        received(&mut conn).await?;
        let (one, two) = (received(&mut conn).await?, received(&mut conn).await?);
        let question = two - one;
        let zeros = vec![0_u8; LENGTHS[LENGTHS.len() - 1]];
        let before_all = Memory::of_this_process();
        let mut tried = 0;
        for length in LENGTHS {
            for way in (0..WAYS).filter(|way| *way != PIPELINE) {
                let before = received(&mut conn).await?;
                let error = refused(&format!("{length} bytes by way {way}"), send(way, &mut conn, &zeros[..length]).await);
                assert!(error.to_string().contains("parameter 1 is longer than 1 GiB"), "{error}");
                assert_eq!(received(&mut conn).await? - before, question, "{length} bytes by way {way}: something was sent");
                assert_eq!(run!(Length, &b"1234"[..]).fetch_one(&mut conn).await?.n, Some(4), "{length} bytes by way {way}");
                tried += 1;
            }
            refused("in a pipeline", send(PIPELINE, &mut conn, &zeros[..length]).await);
            assert_eq!(run!(Length, &b"1234"[..]).fetch_one(&mut conn).await?.n, Some(4));
            tried += 1;
        }
        if scale() == Scale::Release {
            let text = String::from_utf8(zeros).unwrap();
            refused("4 GiB of text", query("SELECT LENGTH(?)").bind(&*text).fetch_one(&mut conn).await.map(drop));
            tried += 1;
        }
        // Only there the process does nothing else.
        let grown = Memory::of_this_process().peak.saturating_sub(before_all.peak);
        assert!(scale() == Scale::Gate || grown <= MOST, "{grown} bytes");
        let before = received(&mut conn).await?;
        for count in [PARAMETERS, PARAMETERS + 1, 2 * PARAMETERS + 1] {
            let sql = format!("SELECT ?{}", "+?".repeat(count - 1));
            let all = (0..count).fold(query(sql), |query, _| query.bind(1));
            refused("many parameters", all.fetch_one(&mut conn).await.map(drop));
            tried += 1;
        }
        assert_eq!(received(&mut conn).await? - before, question, "something was sent");
        assert_eq!(run!(Length, &b"1234"[..]).fetch_one(&mut conn).await?.n, Some(4));
        reached("B13", format_args!("{}: {tried} of {tried} refused with 0 bytes sent, real values of up to 2^32+250 bytes and up to 131,073 parameters, RSS +{:.1} MiB, the connection answers after each", database.flavor(), grown as f64 / 1_048_576.0));
        Ok(())
    }
}

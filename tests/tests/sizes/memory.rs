//! B12: how much memory it takes to read more than anybody has, to send much, and to be told of something too large.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Result};
use tests::bars::{reached, times};
use tests::{Database, Server, Transport, on_every_server};
use tokio::time::{sleep, timeout};

use crate::by_hand::{run, statement};
use crate::line::{How, Line, Side, Wire};
use crate::process::{MIB, Memory, alone, say, work};

// Nothing of it is stored, neither here nor there: the server makes the rows while they are read, 32,768 of 1 KiB for each unit.
statement!(Read Stream(units): "SELECT a.n + b.n * 8 + c.n * 64 + d.n * 512 + e.n * 4096 + f.n * 32768 + g.n * 262144 AS id, REPEAT('x', 1008) AS data FROM octal a, octal b, octal c, octal d, octal e, octal f, octal g WHERE f.n + g.n * 8 < ?" => Piece { id: Option<i64> = BigInt Nullable, data: Option<String> = Text Nullable });
statement!(Read One(): "SELECT n FROM octal WHERE n = 1" => Octal { n: i32 = Int NotNull });
statement!(Read Length(data): "SELECT LENGTH(?) AS length" => Measured { length: Option<i64> = BigInt Nullable });

statement!(Read Cell(length): "SELECT n, REPEAT('x', ?) AS data FROM octal WHERE n = 1" => Large { n: i32 = Int NotNull, data: Option<String> = Text Nullable });

const SCHEMA: &str = "CREATE TABLE octal (n INT NOT NULL PRIMARY KEY); INSERT INTO octal VALUES (0), (1), (2), (3), (4), (5), (6), (7)";
const ROWS: i64 = 32_768;
/// What a process may grow by while it streams.
const GROWTH: u64 = 32 * MIB;

/// Reads all rows of so many units, each looked at.
async fn stream(conn: &mut Connection, units: i64) -> Result<()> {
    let (mut count, mut sum) = (0, 0);
    let mut rows = run!(Stream, units).fetch(conn);
    while let Some(row) = rows.next().await? {
        assert!(row.data.is_some_and(|data| data.len() == 1008));
        (count, sum) = (count + 1, sum + row.id.unwrap());
    }
    let expected = ROWS * units;
    assert_eq!((count, sum), (expected, expected * (expected - 1) / 2));
    Ok(())
}

/// What the processes of these tests do; not a test by itself.
#[tokio::test]
async fn worker() -> Result<()> {
    let Some(words) = work() else { return Ok(()) };
    let [what, url, number] = &words[..] else {
        panic!("{words:?}")
    };
    let mut conn = Connection::connect(url.parse::<ConnectOptions>()?.max_send(100 << 20)).await?;
    run!(One).fetch_one(&mut conn).await?;
    let number: i64 = number.parse().unwrap();
    match &**what {
        "stream" => {
            let idle = Memory::of_this_process();
            stream(&mut conn, number).await?;
            let peak = Memory::of_this_process().peak;
            say(peak.saturating_sub(idle.now));
        }
        "send" => {
            let value = vec![7_u8; usize::try_from(number).unwrap()];
            let idle = Memory::of_this_process();
            assert_eq!(
                run!(Length, value).fetch_one(&mut conn).await?.length,
                Some(number)
            );
            run!(One).fetch_one(&mut conn).await?;
            let after = Memory::of_this_process();
            say(format_args!(
                "{} {}",
                after.peak - idle.now,
                after.now.saturating_sub(idle.now)
            ));
        }
        "receive" | "receive as text" => {
            let idle = Memory::of_this_process();
            let error = match &**what {
                "receive" => run!(Cell, number).fetch_one(&mut conn).await.map(drop),
                _ => run!(Cell, number)
                    .text()
                    .fetch_one(&mut conn)
                    .await
                    .map(drop),
            };
            let error = error.unwrap_err();
            assert!(error.to_string().contains("max_receive"), "{error}");
            assert!(conn.is_closed());
            say(Memory::of_this_process().peak - idle.now);
        }
        "lie" => lied_to(url).await?,
        _ => panic!("{what}"),
    }
    Ok(())
}

on_every_server! {
    async fn two_gib_streamed(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let units = times(2, 64);
        let mut figures = Vec::new();
        for transport in [Transport::Tcp, Transport::Tls] {
            let began = Instant::now();
            let grown = alone("memory::worker", &["stream", &database.url_by(transport), &units.to_string()]).await;
            let grown: u64 = grown.parse().unwrap();
            assert!(grown <= GROWTH, "{transport:?}: {} MiB", grown / MIB);
            figures.push(format!("{transport:?} +{:.1} MiB in {:.1?}", grown as f64 / MIB as f64, began.elapsed()));
        }
        reached("B12", format_args!("{}: {} MiB streamed, each row right: {}", database.kind(), units * 32, figures.join(", ")));
        Ok(())
    }

    async fn much_is_sent(database: Database) -> Result<()> {
        database.run(SCHEMA);
        database.run("SET GLOBAL max_allowed_packet = 134217728");
        let size = 64 << 20;
        let mut figures = Vec::new();
        for transport in [Transport::Tcp, Transport::Tls] {
            let said = alone("memory::worker", &["send", &database.url_by(transport), &size.to_string()]).await;
            let (peak, left) = said.split_once(' ').unwrap();
            let (peak, left): (u64, u64) = (peak.parse().unwrap(), left.parse().unwrap());
            // The command is one copy of the value, and what grows by doubling may be twice as large for a moment.
            assert!(peak <= 2 * size + GROWTH, "{transport:?}: {} MiB", peak / MIB);
            assert!(left <= GROWTH, "{transport:?}: {} MiB are kept", left / MIB);
            figures.push(format!("{transport:?} +{} MiB, +{} MiB afterwards", peak / MIB, left / MIB));
        }
        reached("B12", format_args!("{}: a value of 64 MiB sent: {}", database.kind(), figures.join(", ")));
        Ok(())
    }

    async fn slow_reader(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let line = Line::to(database.server().port()).await;
        let url = line.url(&database.url_by(Transport::Tcp), database.server().port());
        let mut conn = Connection::connect(url).await?;
        let wire = line.take_wire().expect("it connected");
        let units = 4;
        let mut rows = run!(Stream, units).fetch(&mut conn);
        for _ in 0..100 {
            assert!(rows.next().await?.is_some());
        }
        let held = until_it_stands_still(&wire).await;
        // What lies in the buffers of three sockets and in ours.
        let total = u64::try_from(ROWS * units).unwrap() * 1024;
        assert!(held < total / 2, "{} of {} MiB came, and nobody read them", held / MIB, total / MIB);
        let mut count = 100;
        while let Some(row) = rows.next().await? {
            assert!(row.data.is_some_and(|data| data.len() == 1008));
            count += 1;
        }
        assert_eq!(count, ROWS * units);
        reached("B12", format_args!("{}: a reader that stops after 100 rows holds the server back at {:.1} of {} MiB, and gets all of them later", database.kind(), held as f64 / MIB as f64, total / MIB));
        Ok(())
    }
}

/// The bytes of the server that have passed once no more do.
async fn until_it_stands_still(wire: &Arc<Wire>) -> u64 {
    let mut before = 0;
    loop {
        sleep(Duration::from_millis(500)).await;
        let [_, now] = wire.passed();
        if now == before {
            return now;
        }
        before = now;
    }
}

/// A cell of 1 GiB: that a server really sends, and that somebody only speaks of.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn announced_cell() -> Result<()> {
    let starting = || {
        Server::MariaDb
            .builder()
            .argument("--max-allowed-packet=1G")
            .start()
            .unwrap()
    };
    let server = tokio::task::spawn_blocking(starting).await.unwrap();
    let url = format!("{}?ssl-mode=disabled", server.url());
    Connection::connect(&*url).await?.run_script(SCHEMA).await?;
    let size = (1 << 30) - 1000;
    let mut sent = 0;
    for what in ["receive", "receive as text"] {
        let grown = alone("memory::worker", &[what, &url, &size.to_string()]).await;
        let grown: u64 = grown.parse().unwrap();
        assert!(grown <= GROWTH, "{what}: {} MiB", grown / MIB);
        sent = sent.max(grown);
    }
    let announced: u64 = alone("memory::worker", &["lie", &url, "0"])
        .await
        .parse()
        .unwrap();
    assert!(announced <= GROWTH, "{} MiB", announced / MIB);
    reached(
        "B12",
        format_args!(
            "a cell of 1 GiB: +{:.1} MiB and refused where it is sent, +{:.1} MiB where it is only announced",
            sent as f64 / MIB as f64,
            announced as f64 / MIB as f64
        ),
    );
    Ok(())
}

/// What stands in front of a value: its length in eight bytes.
const GIB: [u8; 9] = [0xfe, 0, 0, 0, 0x40, 0, 0, 0, 0];

/// Replies to a text query with one column of bytes, each with a cell of 1 GiB that never comes.
fn lies() -> Vec<(&'static str, Vec<u8>)> {
    let column = [
        &[3][..],
        b"def",
        &[0, 0, 0, 1],
        b"n",
        &[0, 12, 63, 0],
        &[0xff; 4],
        &[0xfc, 0, 0, 0, 0, 0],
    ]
    .concat();
    let head = [
        packet(1, &[1]),
        packet(2, &column),
        packet(3, &[0xfe, 0, 0, 2, 0]),
    ]
    .concat();
    let without_eof = [packet(1, &[1]), packet(2, &column)].concat();
    let mut lies = Vec::new();
    for (head, next) in [(head, 4), (without_eof, 3)] {
        let whole = packet(next, &GIB);
        let begun = [&[0xff, 0xff, 0xff, next][..], &GIB, &[b'x'; 1000]].concat();
        lies.push(("in a packet that ends there", [&head[..], &whole].concat()));
        lies.push((
            "in a packet that does not end",
            [&head[..], &begun].concat(),
        ));
    }
    lies
}

fn packet(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..3], &[sequence], payload].concat()
}

async fn lied_to(url: &str) -> Result<()> {
    let server = url
        .split(':')
        .nth(2)
        .and_then(|rest| rest.split('/').next())
        .unwrap();
    let server: u16 = server.parse().unwrap();
    let idle = Memory::of_this_process();
    for (what, lie) in lies() {
        let line = Line::to(server).await;
        let mut conn = Connection::connect(line.url(url, server)).await?;
        conn.ping().await?;
        line.strike(Side::Server, How::Lie(lie.leak()));
        let asking = run!(One).text().fetch_all(&mut conn);
        match timeout(Duration::from_secs(2), asking).await {
            // More was promised than came: to wait for it is right.
            Err(_) => {}
            Ok(result) => {
                let error = result.expect_err(what);
                assert!(
                    matches!(
                        error.kind(),
                        ErrorKind::Protocol | ErrorKind::Decode | ErrorKind::SchemaChanged
                    ),
                    "{what}: {error}"
                );
            }
        }
    }
    let peak = Memory::of_this_process().peak;
    say(peak - idle.now);
    Ok(())
}

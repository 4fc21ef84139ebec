//! B11: values at the lengths where their encoding changes, there and back, as first and as last column and parameter.

use std::time::Instant;

use ark_mysql::{ConnectOptions, Connection, Result};
use tests::bars::{Scale, reached, scale};
use tests::{Database, Server, on_every_server};

use crate::by_hand::{run, statement};

statement!(Read First(data, add): "SELECT CAST(? AS BINARY) AS data, n + ? AS id FROM (SELECT 7 AS n UNION ALL SELECT 8) AS two" => DataFirst { data: Option<Vec<u8>> = Bytes Nullable, id: Option<i64> = BigInt Nullable });
statement!(Read Last(add, data): "SELECT n + ? AS id, CAST(? AS BINARY) AS data FROM (SELECT 7 AS n UNION ALL SELECT 8) AS two" => DataLast { id: Option<i64> = BigInt Nullable, data: Option<Vec<u8>> = Bytes Nullable });

/// Twice 64 MiB and more: bytes travel as hexadecimal digits in text.
const ALLOWED: usize = 160 << 20;
const FULL: usize = 1 << 24;

/// Where the length of a length changes.
const SMALL: [usize; 9] = [0, 1, 250, 251, 252, 65_535, 65_536, 65_537, 1 << 20];

/// Where a payload fills a packet, whatever else is in it: a row, a command in binary, and one in hexadecimal digits.
fn around_a_packet(wide: bool) -> Vec<usize> {
    let least = if wide { 32 } else { 6 };
    let mut sizes: Vec<usize> = (FULL - least..=FULL + 1).collect();
    if wide {
        sizes.extend(FULL / 2 - 24..=FULL / 2);
    }
    sizes
}

fn sizes(kind: Server) -> Vec<usize> {
    let mut sizes = SMALL.to_vec();
    match (scale(), kind) {
        (Scale::Gate, Server::MySql) => sizes.extend(around_a_packet(false)),
        (Scale::Gate, Server::MariaDb | Server::MariaDb10) => {}
        (Scale::Release, _) => {
            sizes.extend(around_a_packet(true));
            sizes.extend([1 << 25, (1 << 26) - 1]);
        }
    }
    sizes
}

/// Whether as text. The digits of many megabytes take seconds in a build that is not optimised.
fn protocols(size: usize) -> &'static [bool] {
    match scale() {
        Scale::Gate if size > FULL / 2 && size != FULL => &[false],
        Scale::Gate | Scale::Release => &[false, true],
    }
}

/// Bytes that differ from place to place, and from one period to the next.
fn pattern(count: usize) -> Vec<u8> {
    (0..251u8).cycle().take(count).collect()
}

/// Both rows as they were sent for.
fn is_whole(what: &str, value: &[u8], mut rows: Vec<(Option<Vec<u8>>, Option<i64>)>) {
    rows.sort_by_key(|(_, id)| *id);
    let ids: Vec<_> = rows.iter().map(|(_, id)| *id).collect();
    assert_eq!(ids, [Some(107), Some(108)], "{what}");
    for (data, _) in rows {
        assert!(
            data.is_some_and(|data| data == value),
            "{what}: other bytes"
        );
    }
}

async fn there_and_back(conn: &mut Connection, value: &[u8], text: bool) -> Result<()> {
    let what = |place| format!("{} bytes, {place}, text: {text}", value.len());
    let first = run!(First, value, 100);
    let rows = match text {
        true => first.text().fetch_all(&mut *conn).await?,
        false => first.fetch_all(&mut *conn).await?,
    };
    is_whole(
        &what("first"),
        value,
        rows.into_iter().map(|row| (row.data, row.id)).collect(),
    );
    let last = run!(Last, 100, value);
    let rows = match text {
        true => last.text().fetch_all(conn).await?,
        false => last.fetch_all(conn).await?,
    };
    is_whole(
        &what("last"),
        value,
        rows.into_iter().map(|row| (row.data, row.id)).collect(),
    );
    Ok(())
}

on_every_server! {
    async fn byte_exact(database: Database) -> Result<()> {
        let (kind, began) = (database.kind(), Instant::now());
        let starting = move || kind.builder().argument(format!("--max-allowed-packet={ALLOWED}")).start().unwrap();
        let server = tokio::task::spawn_blocking(starting).await.unwrap();
        let options: ConnectOptions = format!("{}?ssl-mode=disabled", server.url()).parse()?;
        let mut conn = Connection::connect(options.max_send(ALLOWED).max_receive(ALLOWED)).await?;
        let sizes = sizes(kind);
        let largest = sizes.iter().max().copied().unwrap_or_default();
        let value = pattern(largest);
        for size in &sizes {
            for text in protocols(*size) {
                there_and_back(&mut conn, &value[..*size], *text).await?;
            }
        }
        reached("B11", format_args!("{kind}: {} sizes up to {largest} bytes, first and last, text and binary, there and back: byte-exact, 0 rows missing, in {:.1?}", sizes.len(), began.elapsed()));
        Ok(())
    }
}

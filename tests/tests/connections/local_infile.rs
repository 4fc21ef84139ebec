//! LOAD DATA LOCAL INFILE: from the reader given with that one statement, and never otherwise.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Result, query};
use tests::{Database, Transport, on_both_servers};
use tokio::io::{AsyncRead, ReadBuf};

use crate::middleman::Middleman;
use crate::{fails, one};

const LOAD: &str = "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t (id, name)";

fn allowed(url: &str) -> Result<ConnectOptions> {
    Ok(url.parse::<ConnectOptions>()?.local_infile(true))
}

async fn open(database: &Database, options: ConnectOptions) -> Result<Connection> {
    database.run("SET GLOBAL local_infile = 1; CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, name VARCHAR(200)) ENGINE=InnoDB CHARACTER SET utf8mb4; DELETE FROM t");
    Connection::connect(options).await
}

async fn count(conn: &mut Connection) -> Result<i64> {
    one(conn, "SELECT COUNT(*) FROM t").await
}

/// Lines of these numbers.
fn lines(numbers: std::ops::Range<u32>) -> Vec<u8> {
    let line = |number| format!("{number}\tä{number}{}\n", "x".repeat(90));
    numbers.map(line).collect::<String>().into_bytes()
}

/// Gives pieces of a size, then ends as it is told.
struct Reader {
    rest: Vec<u8>,
    piece: usize,
    end: End,
    /// Waits before each piece.
    turn: bool,
}

enum End {
    File,
    Error,
    Never,
}

impl AsyncRead for Reader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.turn = !self.turn;
        if self.turn {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let count = self.piece.min(self.rest.len()).min(out.remaining());
        if count == 0 {
            return match self.end {
                End::File => Poll::Ready(Ok(())),
                End::Error => Poll::Ready(Err(io::Error::other("the disk is on fire"))),
                End::Never => Poll::Pending,
            };
        }
        let rest = self.rest.split_off(count);
        out.put_slice(&self.rest);
        self.rest = rest;
        Poll::Ready(Ok(()))
    }
}

fn reader(rest: Vec<u8>, piece: usize, end: End) -> Reader {
    let turn = false;
    Reader {
        rest,
        piece,
        end,
        turn,
    }
}

on_both_servers! {
    async fn comes_from_the_reader_and_no_file(database: Database) -> Result<()> {
        for transport in Transport::ALL {
            let mut conn = open(&database, allowed(&database.url_by(transport))?).await?;
            let done = query(LOAD).local_infile(&b"1\tAnn\n2\tB\xc3\xb6b\n"[..]).execute(&mut conn).await?;
            assert_eq!(done.rows_affected(), 2, "{transport:?}");
            assert_eq!(one::<String>(&mut conn, "SELECT name FROM t WHERE id = 2").await?, "Böb");
            // Many pieces: sequence numbers go round and round.
            let done = query(LOAD).local_infile(reader(lines(10..20_010), 1000, End::File)).execute(&mut conn).await?;
            assert_eq!(done.rows_affected(), 20_000, "{transport:?}");
            let done = query(LOAD).local_infile(reader(lines(30_000..90_000), usize::MAX, End::File)).execute(&mut conn).await?;
            assert_eq!(done.rows_affected(), 60_000, "{transport:?}");
            let done = query(LOAD).local_infile(tokio::io::empty()).execute(&mut conn).await?;
            assert_eq!(done.rows_affected(), 0);
            assert_eq!(count(&mut conn).await?, 80_002);
        }
        Ok(())
    }

    async fn values_may_be_bound(database: Database) -> Result<()> {
        let mut conn = open(&database, allowed(&database.url())?).await?;
        let sql = "LOAD DATA LOCAL INFILE 'x' INTO TABLE t (id) SET name = ?";
        query(sql).bind("é'\\").local_infile(&b"1\n2\n"[..]).execute(&mut conn).await?;
        assert_eq!(one::<String>(&mut conn, "SELECT name FROM t WHERE id = 1").await?, "é'\\");
        Ok(())
    }

    async fn is_off_unless_it_is_switched_on(database: Database) -> Result<()> {
        let mut conn = open(&database, database.url().parse()?).await?;
        let loaded = query(LOAD).local_infile(&b"1\tAnn\n"[..]).execute(&mut conn).await;
        let error = fails(loaded, ErrorKind::LocalInfile, Outcome::NotSent);
        assert!(error.to_string().contains("ConnectOptions::local_infile(true)"), "{error}");
        fails(query(LOAD).execute(&mut conn).await, ErrorKind::Server, Outcome::Rejected);
        assert_eq!(count(&mut conn).await?, 0);
        Ok(())
    }

    async fn a_server_that_asks_without_a_reader_gets_nothing(database: Database) -> Result<()> {
        let mut conn = open(&database, allowed(&database.url())?).await?;
        for _ in 0..2 {
            let error = fails(query(LOAD).execute(&mut conn).await, ErrorKind::LocalInfile, Outcome::Done);
            assert!(error.to_string().contains("got an empty one"), "{error}");
            assert_eq!(count(&mut conn).await?, 0);
        }
        let script = conn.run_script(LOAD).await;
        fails(script, ErrorKind::LocalInfile, Outcome::Done);
        // It was given with one statement, and not with the next.
        query(LOAD).local_infile(&b"1\tAnn\n"[..]).execute(&mut conn).await?;
        fails(query(LOAD).execute(&mut conn).await, ErrorKind::LocalInfile, Outcome::Done);
        assert_eq!(count(&mut conn).await?, 1);
        Ok(())
    }

    /// Case 65, with the option on.
    async fn a_server_that_asks_in_answer_to_a_select_gets_nothing(database: Database) -> Result<()> {
        open(&database, database.url().parse()?).await?;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "the secret of this file").unwrap();
        let path = file.path().to_str().unwrap();
        let request = [&[u8::try_from(path.len()).unwrap() + 1, 0, 0, 1, 0xfb], path.as_bytes()].concat();
        for text in [true, false] {
            let middleman = Middleman::new(&database).await;
            let mut conn = Connection::connect(allowed(&middleman.url(&database))?).await?;
            assert_eq!(one::<i64>(&mut conn, "SELECT 1").await?, 1);
            query("DO 1").execute(&mut conn).await?;
            middleman.lie(request.clone());
            middleman.forget();
            let asked = match text {
                true => query("SELECT 1").execute(&mut conn).await.map(drop),
                false => query("SELECT 1").fetch_all(&mut conn).await.map(drop),
            };
            let error = asked.expect_err("nobody asked for a file");
            assert!(!middleman.heard(b"the secret"), "text {text}: {error}");
            assert!(middleman.heard(&[0, 0, 0, 2]), "an empty packet: {error}");
        }
        Ok(())
    }

    async fn a_reader_that_fails_keeps_the_connection_in_step(database: Database) -> Result<()> {
        let mut conn = open(&database, allowed(&database.url())?).await?;
        for sent in [0..0, 0..3, 10..10_000] {
            let mut tx = conn.begin().await?;
            let failing = reader(lines(sent.clone()), 5000, End::Error);
            let loaded = query(LOAD).local_infile(failing).execute(&mut tx).await;
            let error = fails(loaded, ErrorKind::LocalInfile, Outcome::Partial);
            assert!(error.to_string().contains("the disk is on fire"), "{error}");
            assert!(std::error::Error::source(&error).is_some());
            tx.rollback().await?;
            assert_eq!(count(&mut conn).await?, 0, "{sent:?}");
        }
        Ok(())
    }

    async fn an_error_of_the_servers_keeps_it_too(database: Database) -> Result<()> {
        let mut conn = open(&database, allowed(&database.url())?).await?;
        // The server cannot load a line in the middle, and reads on to the end.
        let twice = [lines(0..100), b"not a number\tx\n".to_vec(), lines(200..60_000)].concat();
        let loaded = query("LOAD DATA LOCAL INFILE 'x' INTO TABLE t (@id, name) SET id = IF(@id = 'not a number', (SELECT 1 UNION SELECT 2), @id)");
        let loaded = loaded.local_infile(reader(twice, 5000, End::File)).execute(&mut conn).await;
        fails(loaded, ErrorKind::Server, Outcome::Rejected);
        assert_eq!(count(&mut conn).await?, 0);
        // It does not ask at all.
        let never = reader(Vec::new(), 1, End::Never);
        let loaded = query("LOAD DATA LOCAL INFILE 'x' INTO TABLE nowhere").local_infile(never).execute(&mut conn).await;
        fails(loaded, ErrorKind::Server, Outcome::Rejected);
        let never = reader(Vec::new(), 1, End::Never);
        query("DELETE FROM t").local_infile(never).execute(&mut conn).await?;
        assert_eq!(count(&mut conn).await?, 0);
        Ok(())
    }

    async fn nothing_stays_of_one_that_is_dropped(database: Database) -> Result<()> {
        for late in [true, false] {
            let mut conn = open(&database, allowed(&database.url())?).await?;
            let load = query(LOAD).local_infile(reader(lines(0..5000), 1000, End::Never));
            if late {
                let loaded = load.deadline(Duration::from_millis(700)).execute(&mut conn).await;
                let error = loaded.expect_err("the reader never ends");
                assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
            } else {
                let loaded = tokio::time::timeout(Duration::from_millis(700), load.execute(&mut conn)).await;
                loaded.expect_err("the reader never ends");
            }
            let after = count(&mut conn).await;
            fails(after, ErrorKind::ConnectionClosed, Outcome::NotSent);
            let id = conn.id();
            drop(conn);
            let mut other = Connection::connect(database.url()).await?;
            while one::<i64>(&mut other, &format!("SELECT COUNT(*) FROM information_schema.processlist WHERE id = {id}")).await? > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert_eq!(count(&mut other).await?, 0, "late {late}");
        }
        Ok(())
    }

    async fn runs_on_a_task(database: Database) -> Result<()> {
        let mut conn = open(&database, allowed(&database.url())?).await?;
        let task = tokio::spawn(async move {
            query(LOAD).local_infile(&b"1\tAnn\n"[..]).execute(&mut conn).await?;
            let mut sets = query("SELECT 1").fetch_sets(&mut conn).await?;
            sets.next().await.map(|set| set.is_some())
        });
        assert!(task.await.unwrap()?);
        Ok(())
    }
}

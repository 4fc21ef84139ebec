//! B2: a server that means harm, or is none. Whatever it does, there is an error that says so, soon; nothing panics, no memory is lost, no file
//! is opened, and no secret leaves.

#[path = "../by_hand/mod.rs"]
mod by_hand;
mod case;
mod cases;
mod certificates;
mod client;
#[path = "../canary/encoding.rs"]
mod encoding;
mod packets;
mod server;
mod watch;

use std::time::{Duration, Instant};

use ark_mysql::{ConnectOptions, ErrorKind, TlsMode};
use tests::bars::{Scale, reached, scale};

use crate::case::{Case, Link, Sent};
use crate::certificates::Authority;
use crate::server::Server;

/// This machine, by an address that is not literally loopback: nothing is softened.
const HOST: &str = "0.0.0.0";
/// Two passwords of one length: what they make different on the wire was derived from them.
const PASSWORDS: [&str; 2] = ["cRVuk7-pa:ss*word", "Zb4m0Q-ot+her#wor"];
const MEMORY: usize = 32 << 10;

/// What one run came to.
struct Run {
    heard: Vec<u8>,
    took: Duration,
    peak: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_is_an_error() {
    watch::count_panics();
    let (bait, authority) = (watch::Bait::new(), Authority::new());
    let only = std::env::var("ARK_MYSQL_TEST_CASE").ok();
    let cases: Vec<Case> = cases::all(bait.path())
        .into_iter()
        .filter(|case| only.as_ref().is_none_or(|only| case.name.contains(only)))
        .collect();
    let mut wrong = Vec::new();
    let (mut runs, mut slowest, mut peak) = (0, Duration::ZERO, 0);
    let before = (watch::resident(), watch::open_files());
    for case in &cases {
        for &link in case.links {
            match tried(case, link, &authority).await {
                Err(why) => wrong.push(format!("{} ({link:?}): {why}", case.name)),
                Ok(run) => {
                    runs += 1;
                    (slowest, peak) = (
                        slowest.max(run.took.saturating_sub(case.patience_spent())),
                        peak.max(run.peak),
                    );
                }
            }
            if bait.is_taken() {
                wrong.push(format!("{} ({link:?}): a file was opened", case.name));
            }
        }
    }
    let grown = watch::resident().saturating_sub(before.0);
    assert!(
        wrong.is_empty(),
        "{} of {} cases:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    assert_eq!(watch::panics(), 0, "something panicked");
    assert_eq!(watch::open_files(), before.1, "files were left open");
    assert!(grown <= MEMORY, "the process has grown by {grown} KiB");
    reached(
        "B2",
        format_args!(
            "{} cases, {runs} by TCP and by TLS, those before the login done with two passwords: all typed errors, {slowest:.1?} at most beyond a deadline, 0 panics, RSS +{:.1} MiB at the end and +{:.1} MiB at most, 0 files opened, 0 secret bytes",
            cases.len(),
            grown as f64 / 1024.0,
            peak as f64 / 1024.0
        ),
    );
}

impl Case {
    /// The time that the case itself wants to pass.
    fn patience_spent(&self) -> Duration {
        if self.fails.contains(&ErrorKind::Timeout) {
            self.patience
        } else {
            Duration::ZERO
        }
    }
}

/// With both passwords, where that makes no difference.
async fn tried(case: &Case, link: Link, authority: &Authority) -> Result<Run, String> {
    let first = run(case, link, authority, PASSWORDS[0]).await?;
    if case.sent != Sent::Nothing {
        return Ok(first);
    }
    let second = run(case, link, authority, PASSWORDS[1]).await?;
    if first.heard != second.heard {
        return Err(format!(
            "what was sent depends on the password:\n{:02x?}\n{:02x?}",
            first.heard, second.heard
        ));
    }
    Ok(Run {
        took: first.took.max(second.took),
        peak: first.peak.max(second.peak),
        ..first
    })
}

async fn run(
    case: &Case,
    link: Link,
    authority: &Authority,
    password: &'static str,
) -> Result<Run, String> {
    let server = Server::new(case, link, authority.acceptors[&case.certificate].clone()).await;
    let options = (case.options)(options(case, link, authority, password, server.port));
    watch::forget_peak();
    let (before, began) = (watch::resident(), Instant::now());
    let behaved = client::behave(case, &server, options);
    let (conn, outcome) = tokio::time::timeout(Duration::from_secs(30), behaved)
        .await
        .map_err(|_| "it hangs".to_owned())?;
    let (took, peak) = (began.elapsed(), watch::peak().saturating_sub(before));
    judged(case, &outcome, password)?;
    if let (Some(mut conn), Err(error)) = (conn, &outcome) {
        still_sound(&mut conn, error).await?;
    }
    let heard = server.heard();
    if let Some(form) = seen(&heard, password) {
        return Err(format!("the password was sent, {form}"));
    }
    if peak > MEMORY {
        return Err(format!("it took {peak} KiB"));
    }
    let most = match scale() {
        Scale::Release => Duration::from_secs(2),
        Scale::Gate => Duration::from_secs(20), // says that it ends, on a busy machine
    };
    if took > most + case.patience_spent() {
        return Err(format!("it took {took:?}"));
    }
    Ok(Run { heard, took, peak })
}

fn options(
    case: &Case,
    link: Link,
    authority: &Authority,
    password: &str,
    port: u16,
) -> ConnectOptions {
    let options = ConnectOptions::new("app")
        .password(password)
        .host(HOST)
        .port(port)
        .connect_timeout(case.patience);
    match link {
        Link::Plain => options.tls_mode(TlsMode::Disabled),
        Link::Tls if case.verified => options
            .tls_mode(TlsMode::VerifyIdentity)
            .ssl_ca_pem(&authority.pem),
        Link::Tls => options.tls_mode(TlsMode::Required),
    }
}

/// The kind is one of the case's, and the message is fit to be shown.
fn judged(case: &Case, outcome: &ark_mysql::Result<()>, password: &str) -> Result<(), String> {
    let error = match outcome {
        Ok(()) if case.fails.is_empty() => return Ok(()),
        Ok(()) => return Err("no error".to_owned()),
        Err(error) => error,
    };
    if !case.fails.contains(&error.kind()) {
        return Err(format!(
            "{:?} instead of {:?}: {error}",
            error.kind(),
            case.fails
        ));
    }
    let shown = format!("{error}\n{error:?}");
    if let Some(form) = seen(shown.as_bytes(), password) {
        return Err(format!("the error shows the password, {form}: {shown}"));
    }
    if error.to_string().chars().any(|letter| {
        letter.is_control() && !matches!(letter, '\n' | '\t')
            || ('\u{202a}'..='\u{202e}').contains(&letter)
    }) {
        return Err(format!("the message has control characters: {error:?}"));
    }
    // 4 KiB of the server's, of which each byte may have become three, and our own.
    if error.to_string().len() > 16 << 10 {
        return Err(format!("the message has {} bytes", error.to_string().len()));
    }
    Ok(())
}

/// After nonsense the connection is closed, and says so.
async fn still_sound(
    conn: &mut ark_mysql::Connection,
    error: &ark_mysql::Error,
) -> Result<(), String> {
    let nonsense = matches!(
        error.kind(),
        ErrorKind::Protocol | ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed
    );
    if nonsense && !conn.is_closed() {
        return Err(format!("the connection is still open after: {error}"));
    }
    if conn.is_closed() {
        let next = conn.ping().await.err().map(|error| error.kind());
        if next != Some(ErrorKind::ConnectionClosed) {
            return Err(format!("the closed connection says {next:?}"));
        }
    }
    Ok(())
}

/// How the password stands in these bytes, if it does: as it is, or in one of the usual codes.
fn seen(bytes: &[u8], password: &str) -> Option<&'static str> {
    encoding::forms(password)
        .into_iter()
        .find_map(|(name, form)| {
            let found = bytes
                .windows(form.len())
                .any(|window| window == form.as_bytes());
            found.then_some(name)
        })
}

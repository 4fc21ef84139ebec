//! The service: migrates, serves, and ends without breaking anybody's transaction.
//!
//! `DATABASE_URL` says where the database is, `LISTEN` where to listen (`127.0.0.1:3000` unless set).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use ark_mysql::Pool;
use examples_web::{MIGRATOR, Service, figures, router, verify};
use tokio::net::TcpListener;
use tokio::signal::ctrl_c;
use tokio::signal::unix::{SignalKind, signal};

/// A request that finds no connection in this time is answered by 503: its client has not given up yet, and may ask another instance.
const ACQUIRE: Duration = Duration::from_secs(2);
/// How long connections may be busy after the last request was answered.
const GOODBYE: Duration = Duration::from_secs(10);

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("web: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let url = env::var("DATABASE_URL").map_err(
        |_| "set DATABASE_URL, or run it by `cargo ark-mysql dev run -- cargo run -p examples-web`",
    )?;
    let listen = env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:3000".to_owned());

    let figures = figures::install()?; // before the pool, which takes its handles when it is made
    let pool = Pool::builder()
        .name("shop")
        .max_connections(10)
        .acquire_timeout(ACQUIRE)
        .connect(&url)
        .await?;
    // Several instances may start at once: one migrates, the others wait for it.
    let report = MIGRATOR.run(&pool).await?;
    tracing::info!(applied = report.files.len(), "the database is up to date");
    verify(&pool).await?;

    let listener = TcpListener::bind(&listen).await?;
    println!("listens on http://{}", listener.local_addr()?);
    let service = Service {
        pool: pool.clone(),
        figures,
    };
    axum::serve(listener, router(service))
        .with_graceful_shutdown(told_to_stop()?)
        .await?;
    // All requests are answered. What tasks of our own still do with connections may end, too.
    let broken = pool.close_within(GOODBYE).await;
    tracing::info!(broken, "stopped");
    Ok(())
}

/// Ready when somebody presses Ctrl-C, or the service manager says that it is time.
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    })
}

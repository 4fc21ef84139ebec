//! A server that is killed, and comes back with its data at the same address.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tests::{DevServer, Server};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

pub(crate) struct Mortal {
    kind: Server,
    data: TempDir,
    port: u16,
    running: Option<DevServer>,
}

impl Mortal {
    pub(crate) async fn start(kind: Server) -> Self {
        let mut this = Self {
            kind,
            data: TempDir::new().unwrap(),
            port: free_port(),
            running: None,
        };
        this.rise().await;
        this
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!(
            "mysql://root@127.0.0.1:{}/{database}?ssl-mode=disabled",
            self.port
        )
    }

    /// By SIGKILL: nothing is written down that was not, and nobody is told.
    pub(crate) async fn kill(&mut self) {
        let server = self.running.take().expect("it runs");
        let pid = server.socket().with_file_name("pid");
        let pid = std::fs::read_to_string(pid).unwrap();
        let kill = Command::new("kill")
            .args(["-9", pid.trim()])
            .status()
            .unwrap();
        assert!(kill.success());
        while Path::new("/proc").join(pid.trim()).exists() {
            sleep(Duration::from_millis(2)).await;
        }
        spawn_blocking(move || drop(server)).await.unwrap();
    }

    /// Recovers from its logs.
    pub(crate) async fn rise(&mut self) {
        let builder = self
            .kind
            .builder()
            .keep(self.data.path().join("data"))
            .port(self.port)
            // What a dev server does without, because nobody misses its data.
            .argument("--innodb-flush-log-at-trx-commit=1")
            .argument("--innodb-doublewrite=1")
            .argument("--innodb-flush-method=fsync");
        let began = Instant::now();
        let server = loop {
            let builder = builder.clone();
            match spawn_blocking(move || builder.start()).await.unwrap() {
                Ok(server) => break server,
                // The port may be in use by a connection of the one that was killed.
                Err(error) => assert!(began.elapsed() < Duration::from_secs(60), "{error}"),
            }
        };
        self.running = Some(server);
    }
}

/// None of those that the system gives to connections: one that is opened while nobody listens could get this very port, and would
/// talk to itself.
fn free_port() -> u16 {
    static NEXT: Mutex<Option<u16>> = Mutex::new(None);
    let mut next = NEXT.lock().unwrap();
    let first = next.unwrap_or(15_000 + u16::try_from(std::process::id() % 15_000).unwrap());
    let ports = (first..30_000).chain(15_000..first);
    let mut free = ports.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    let port = free.next().expect("a free port");
    *next = Some(port + 1); // the next server of this process must not get it before this one listens
    port
}

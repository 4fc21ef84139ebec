//! Sits between the driver and a real server, changes the plugin that the greeting names, and remembers what the driver said.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tests::Database;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::task::JoinHandle;

/// Listens on a port and on a socket; is gone with the value.
pub(crate) struct Between {
    pub(crate) port: u16,
    pub(crate) socket: PathBuf,
    shared: Arc<Mutex<Shared>>,
    tasks: [JoinHandle<()>; 2],
    _folder: tempfile::TempDir,
}

#[derive(Default)]
struct Shared {
    greeting: String,
    heard: Vec<u8>,
}

impl Between {
    pub(crate) async fn new(database: &Database) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let shared = Arc::new(Mutex::new(Shared::default()));
        let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = tcp.local_addr().unwrap().port();
        let unix = UnixListener::bind(&socket).unwrap();
        let (server, of_tcp) = (database.server().port(), Arc::clone(&shared));
        let tcp = tokio::spawn(async move {
            while let Ok((client, _)) = tcp.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                tokio::spawn(serve(client, server, Arc::clone(&of_tcp)));
            }
        });
        let (server, of_unix) = (database.server().socket().to_owned(), Arc::clone(&shared));
        let unix = tokio::spawn(async move {
            while let Ok((client, _)) = unix.accept().await {
                let server = UnixStream::connect(&server).await.unwrap();
                tokio::spawn(serve(client, server, Arc::clone(&of_unix)));
            }
        });
        Self {
            port,
            socket,
            shared,
            tasks: [tcp, unix],
            _folder: folder,
        }
    }

    /// From now on the greeting names this plugin, and nothing was heard.
    pub(crate) fn greet_with(&self, plugin: &str) {
        let mut shared = self.shared.lock().unwrap();
        plugin.clone_into(&mut shared.greeting);
        shared.heard.clear();
    }

    /// All that the driver said since.
    pub(crate) fn heard(&self) -> Vec<u8> {
        self.shared.lock().unwrap().heard.clone()
    }
}

impl Drop for Between {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    mut client: S,
    mut server: S,
    shared: Arc<Mutex<Shared>>,
) {
    let Ok(mut greeting) = read_packet(&mut server).await else {
        return;
    };
    rename(&mut greeting, &shared.lock().unwrap().greeting);
    if client.write_all(&greeting).await.is_err() {
        return;
    }
    let mut from_client = [0; 16 << 10];
    let mut from_server = [0; 16 << 10];
    loop {
        tokio::select! {
            read = client.read(&mut from_client) => match read {
                Ok(count @ 1..) => {
                    shared.lock().unwrap().heard.extend_from_slice(&from_client[..count]);
                    if server.write_all(&from_client[..count]).await.is_err() { return }
                }
                _ => return,
            },
            read = server.read(&mut from_server) => match read {
                Ok(count @ 1..) => if client.write_all(&from_server[..count]).await.is_err() { return },
                _ => return,
            },
        }
    }
}

/// A packet with its header.
pub(crate) async fn read_packet<S: AsyncRead + Unpin>(stream: &mut S) -> std::io::Result<Vec<u8>> {
    let mut packet = vec![0; 4];
    stream.read_exact(&mut packet).await?;
    let length =
        usize::from(packet[0]) | usize::from(packet[1]) << 8 | usize::from(packet[2]) << 16;
    packet.resize(4 + length, 0);
    stream.read_exact(&mut packet[4..]).await?;
    Ok(packet)
}

/// The plugin's name is the last thing in a greeting, between two zeros.
fn rename(greeting: &mut Vec<u8>, plugin: &str) {
    greeting.pop();
    let start = greeting.iter().rposition(|byte| *byte == 0).unwrap() + 1;
    greeting.truncate(start);
    greeting.extend(plugin.as_bytes());
    greeting.push(0);
    greeting[0] = u8::try_from(greeting.len() - 4).unwrap();
}

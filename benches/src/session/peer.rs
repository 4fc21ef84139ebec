//! A server that gives recorded answers: every client's statement is the same, and so are the rows, but for the key.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use anyhow::{Context, Result};

/// What MySQL 9.7 answered to PREPARE and EXECUTE of the point workload, packet headers included.
pub(super) const PREPARE: &[u8] = include_bytes!("../../recorded/point.prepare");
pub(super) const EXECUTE: &[u8] = include_bytes!("../../recorded/point.execute");

/// The key stands behind the row's first byte and the NULL bits of its 14 columns.
const BEFORE_KEY: usize = 3;
const HEADER: usize = 4;

/// It serves until the program ends.
pub(super) struct Peer {
    port: u16,
}

impl Peer {
    pub(super) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that hangs up ends its own thread only.
                thread::spawn(move || drop(serve(stream)));
            }
        });
        Ok(Self { port })
    }

    pub(super) fn url(&self) -> String {
        format!(
            "mysql://bench@127.0.0.1:{}/test?ssl-mode=disabled",
            self.port
        )
    }
}

fn serve(mut stream: TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    stream.write_all(&packet(0, &greeting()))?;
    command(&mut stream)?;
    stream.write_all(&packet(2, &OK))?;
    let mut reply = EXECUTE.to_vec();
    let key = place_of_key(&reply).context("the recording has no row")?;
    loop {
        let command = command(&mut stream)?;
        match command.first() {
            Some(0x16) => stream.write_all(PREPARE)?,
            Some(0x17) => {
                let wanted: &[u8; 4] =
                    command.last_chunk().context("an execution without a key")?;
                if let Some(place) = reply.get_mut(key..).and_then(<[u8]>::first_chunk_mut) {
                    *place = *wanted;
                }
                stream.write_all(&reply)?;
            }
            Some(0x01) | None => return Ok(()),
            Some(0x19) => {} // CLOSE has no reply
            Some(_) => stream.write_all(&packet(1, &OK))?,
        }
    }
}

/// Where the key of the only row stands: in the last packet but one.
fn place_of_key(reply: &[u8]) -> Option<usize> {
    let (mut at, mut row) = (0, None);
    loop {
        let [a, b, c, _] = *reply.get(at..)?.first_chunk::<HEADER>()?;
        let next = at + HEADER + u32::from_le_bytes([a, b, c, 0]) as usize;
        if next == reply.len() {
            return row;
        }
        row = Some(at + HEADER + BEFORE_KEY);
        at = next;
    }
}

/// Autocommit, nothing else to tell.
pub(super) const OK: [u8; 7] = [0, 0, 0, 2, 0, 0, 0];

/// Of a server that lets in whoever says `mysql_native_password`.
pub(super) fn greeting() -> Vec<u8> {
    let mut greeting = b"\x0a9.7.4\0\x07\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15".to_vec();
    greeting.extend([0; 10]);
    greeting.extend(b"ijklmnopqrst\0mysql_native_password\0");
    greeting
}

pub(super) fn packet(sequence: u8, body: &[u8]) -> Vec<u8> {
    let length = u8::try_from(body.len()).unwrap_or(u8::MAX); // all of ours are short
    let mut packet = vec![length, 0, 0, sequence];
    packet.extend_from_slice(body);
    packet
}

fn command(stream: &mut TcpStream) -> Result<Vec<u8>> {
    let mut header = [0; HEADER];
    stream.read_exact(&mut header)?;
    let [a, b, c, _] = header;
    let mut body = vec![0; u32::from_le_bytes([a, b, c, 0]) as usize];
    stream.read_exact(&mut body)?;
    Ok(body)
}

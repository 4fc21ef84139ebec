//! Talks to a real server over a blocking socket and writes the conversation down as a script for `tests/conversations.rs`.
//!
//! ```text
//! record (SOCKET | HOST:PORT) OPTIONS [mask=HEX:HEX]… -- COMMAND [+ COMMAND]…
//! ```
//! Each COMMAND is an argument of its own; `+` before one sends it together with the one before it. `mask` replaces bytes in the server's greeting.
//! It is also the shortest driver that there can be: see `flush` and `fill`.

#![expect(clippy::print_stdout, reason = "its product goes to standard output")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;

use support::player::{Player, Side};
use support::{hex, unhex};

trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

struct Recorder {
    stream: Box<dyn Stream>,
    player: Player,
    masks: Vec<(Vec<u8>, Vec<u8>)>,
    /// Bytes of the server that are not a whole packet yet, and of the client.
    from_server: Vec<u8>,
    from_client: Vec<u8>,
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut parts = arguments.splitn(2, |word| word == "--");
    let (setup, commands) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let [address, options @ ..] = setup else {
        panic!("usage: record ADDRESS OPTIONS -- COMMANDS")
    };
    let masks = options
        .iter()
        .filter_map(|word| word.strip_prefix("mask=")?.split_once(':'));
    let masks = masks.map(|(from, to)| (unhex(from), unhex(to))).collect();
    let options: Vec<&str> = options
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with("mask="))
        .collect();
    println!("options {}", options.join(" "));
    let mut recorder = Recorder {
        stream: connect(address)?,
        player: Player::new(&options.join(" ")),
        masks,
        from_server: Vec::new(),
        from_client: Vec::new(),
    };
    while let Side::Handshake(_) = recorder.player.side {
        recorder.turn()?;
    }
    let mut commands = commands.iter().peekable();
    while let Some(command) = commands.next() {
        println!("> {command}");
        recorder.player.act(command);
        while commands.next_if(|word| *word == "+").is_some() {
            let command = commands.next().expect("a command follows the +");
            println!("> {command}");
            recorder.player.act(command);
        }
        recorder.flush()?;
        while matches!(&recorder.player.side, Side::Session(session) if session.pending() > 0) {
            recorder.turn()?;
        }
    }
    Ok(())
}

fn connect(address: &str) -> io::Result<Box<dyn Stream>> {
    Ok(if address.starts_with('/') {
        Box::new(UnixStream::connect(address)?)
    } else {
        Box::new(TcpStream::connect(address)?)
    })
}

impl Recorder {
    fn turn(&mut self) -> io::Result<()> {
        self.flush()?;
        self.fill()
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = self.player.outgoing().to_vec();
        self.stream.write_all(&bytes)?;
        self.player.sent(bytes.len());
        self.from_client.extend(bytes);
        packets(&mut self.from_client, |sequence, payload| {
            println!("C{sequence} {}", hex(payload))
        });
        Ok(())
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let n = self.stream.read(&mut buffer)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = buffer[..n].to_vec();
        for (from, to) in std::mem::take(&mut self.masks) {
            let at = bytes
                .windows(from.len())
                .position(|window| window == from)
                .expect("the mask fits");
            bytes[at..at + to.len()].copy_from_slice(&to);
        }
        self.from_server.extend(&bytes);
        packets(&mut self.from_server, |sequence, payload| {
            println!("S{sequence} {}", hex(payload))
        });
        self.player.deliver(&bytes, usize::MAX);
        self.player
            .events
            .drain(..)
            .for_each(|event| println!("= {event}"));
        Ok(())
    }
}

/// Takes the whole packets off the front.
fn packets(bytes: &mut Vec<u8>, mut each: impl FnMut(u8, &[u8])) {
    while let Some(([a, b, c, sequence], rest)) = bytes.split_first_chunk::<4>() {
        let length = usize::from(*a) | usize::from(*b) << 8 | usize::from(*c) << 16;
        let Some(payload) = rest.get(..length) else {
            break;
        };
        each(*sequence, payload);
        bytes.drain(..4 + length);
    }
}

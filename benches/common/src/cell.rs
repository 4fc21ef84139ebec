//! A cell of arknet's table: what is asked for, and how.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// How the server is reached.
    pub transport: Transport,
    /// How the statement is sent.
    pub mode: Mode,
    /// Bytes of the blob.
    pub payload: u32,
    /// Connections, each with a thread and a runtime of its own.
    pub connections: u32,
    /// Queries that a connection has begun and not ended.
    pub in_flight: u32,
}

/// How the server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transport {
    /// Loopback, in the clear.
    Tcp,
    /// Loopback, the certificate's chain and the address in it verified.
    Tls,
}

/// How the statement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// `COM_QUERY`.
    Text,
    /// `COM_STMT_EXECUTE`.
    Prepared,
}

/// Bytes of the blobs.
pub const PAYLOADS: [u32; 3] = [1024, 4096, 16_384];

impl Cell {
    /// All 48, in the order of the table.
    pub fn all() -> Vec<Self> {
        let mut cells = Vec::new();
        for payload in PAYLOADS {
            for connections in [1, 4] {
                for in_flight in [1, 16] {
                    for transport in [Transport::Tcp, Transport::Tls] {
                        for mode in [Mode::Text, Mode::Prepared] {
                            cells.push(Self {
                                transport,
                                mode,
                                payload,
                                connections,
                                in_flight,
                            });
                        }
                    }
                }
            }
        }
        cells
    }

    /// Which cells are drawn together.
    pub fn group(&self) -> String {
        format!("{} bytes", thousands(self.payload))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            transport,
            mode,
            connections,
            in_flight,
            ..
        } = self;
        let s = if *connections == 1 { "" } else { "s" };
        write!(
            f,
            "{transport:?} {mode:?}, {connections} connection{s}, {in_flight} in flight"
        )
    }
}

/// With the thousands set apart.
fn thousands(number: u32) -> String {
    match (number / 1000, number % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::Pool;
use crate::connection::Connection;
use crate::error::Error;

/// A connection borrowed from a [`Pool`]. It goes back when this is dropped, inside or outside of a runtime.
pub struct PoolConnection {
    /// None only while it is dropped.
    connection: Option<Connection>,
    /// What the pool knows of it stands there.
    place: usize,
    pool: Pool,
    /// A borrower has it, and not the pool itself.
    pub(super) granted: bool,
    /// A task of the pool's own has tried to end what runs on it.
    pub(super) tidied: bool,
}

const HELD: &str = "the connection is taken out by `drop` alone";

impl PoolConnection {
    #[inline]
    pub(super) fn new(connection: Connection, place: usize, pool: Pool) -> Self {
        Self {
            connection: Some(connection),
            place,
            pool,
            granted: false,
            tidied: false,
        }
    }

    /// Brings a used connection into the state of a new one; nothing of a borrower's runs before that is confirmed. If this is
    /// dropped the connection goes back, as far as it has come.
    ///
    /// # Errors
    /// It is closed.
    pub(super) async fn refresh(&mut self) -> Result<(), Error> {
        let suspect = self.pool.0.state().take_suspicion(self.place);
        if !self.looks_alive() {
            self.see_alive()?;
        }
        if self.is_dirty() {
            self.reset().await?;
            self.pool.0.state().meter.reset();
        } else {
            self.settle().await?;
        }
        match suspect || self.tidied {
            true => self.ping().await,
            false => Ok(()),
        }
    }

    /// Takes it out, to hand it on.
    pub(super) fn dissolve(mut self) -> Option<(Connection, usize)> {
        let connection = self.connection.take()?;
        Some((connection, self.place))
    }
}

impl Deref for PoolConnection {
    type Target = Connection;

    #[inline]
    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect(HELD)
    }
}

impl DerefMut for PoolConnection {
    #[inline]
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect(HELD)
    }
}

impl Drop for PoolConnection {
    #[inline]
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let way = Way {
                granted: self.granted,
                tidied: self.tidied,
            };
            self.pool.0.take_back(connection, self.place, way);
        }
    }
}

/// How a connection comes back.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) granted: bool,
    pub(super) tidied: bool,
}

impl fmt::Debug for PoolConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PoolConnection").field(&**self).finish()
    }
}

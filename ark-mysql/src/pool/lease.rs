use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use super::Pool;
use super::state::Idle;
use crate::connection::Connection;

/// A connection borrowed from a [`Pool`]. It goes back when this is dropped, inside or outside of a runtime.
pub struct PoolConnection {
    /// None only while it is dropped.
    connection: Option<Connection>,
    born: Instant,
    rest: Duration,
    /// Where the pool has noted that it is lent.
    place: usize,
    pool: Pool,
    /// Given back after the connection, because fields are dropped after `drop` has run.
    _permit: OwnedSemaphorePermit,
}

const HELD: &str = "the connection is taken out by `drop` alone";

impl PoolConnection {
    pub(super) fn new(idle: Idle, place: usize, pool: Pool, permit: OwnedSemaphorePermit) -> Self {
        Self {
            connection: Some(idle.connection),
            born: idle.born,
            rest: idle.rest,
            place,
            pool,
            _permit: permit,
        }
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
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.pool
                .0
                .take_back(connection, self.born, self.rest, self.place);
        }
    }
}

impl fmt::Debug for PoolConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PoolConnection").field(&**self).finish()
    }
}

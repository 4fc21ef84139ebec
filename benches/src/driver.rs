//! Who waits while ours runs.

use std::future::Future;

use anyhow::Result;
use tokio::runtime::{Builder, Runtime};

/// A runtime of its own, or nothing but the thread.
pub(crate) enum Driver {
    Runtime(Runtime),
    /// By `ark_mysql::block_on`.
    Thread,
}

impl Driver {
    /// On a runtime.
    pub(crate) fn runtime() -> Result<Self> {
        runtime().map(Self::Runtime)
    }

    #[inline]
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        match self {
            Self::Runtime(runtime) => runtime.block_on(future),
            Self::Thread => ark_mysql::block_on(future),
        }
    }
}

/// One thread, all of it.
pub(crate) fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

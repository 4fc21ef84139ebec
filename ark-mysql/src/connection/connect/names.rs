//! Names that only tests know: what a name server says can be changed here.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{LazyLock, Mutex, MutexGuard};

static NAMES: LazyLock<Mutex<HashMap<String, Vec<SocketAddr>>>> = LazyLock::new(Mutex::default);

/// From now on this name has these addresses.
pub(crate) fn point(name: &str, addresses: &[SocketAddr]) {
    names().insert(name.to_owned(), addresses.to_vec());
}

pub(super) fn addresses(name: &str) -> Option<Vec<SocketAddr>> {
    names().get(name).cloned()
}

fn names() -> MutexGuard<'static, HashMap<String, Vec<SocketAddr>>> {
    NAMES.lock().unwrap()
}

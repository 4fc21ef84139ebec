//! Keeps one connection per crate and address for the life of the process, so that a statement costs one round trip.
//!
//! Locks: the list is locked only to find a slot; a slot is locked while its server answers, so two crates in one language server
//! do not wait for each other.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::client::{Answer, Client, ClientError, Refused, Trouble};
use crate::infer::TableName;
use crate::settings::DatabaseUrl;

/// Two hundred statements must not wait two hundred times for a server that is not there; a language server, which lives on, must
/// notice when it is back.
const REMEMBER_FAILURE: Duration = Duration::from_secs(5);

/// More crates and addresses than one process meets; the oldest go first.
const MOST_SLOTS: usize = 16;

static SLOTS: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

/// What is asked for beside the statement.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'w> {
    /// The list of views.
    pub(super) views: bool,
    /// Which tables' columns the answer asks for.
    pub(super) tables: &'w dyn Fn(&Answer) -> Vec<TableName>,
    /// The tables of the statement, where a column is unknown.
    pub(super) named: &'w [TableName],
    /// The table whose declaration is needed.
    pub(super) declared: Option<&'w TableName>,
}

struct Slot {
    manifest_dir: PathBuf,
    url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
enum State {
    #[default]
    Closed,
    Open(Box<Client>),
    Failed(ClientError, Instant),
}

/// Has a statement described, and the tables that its answer asks for, over the connection kept for this crate and address; makes one where there is none.
///
/// A connection that has gone away since is replaced once, quietly: nothing but PREPARE was ever sent on it.
pub(super) fn ask(
    manifest_dir: &Path,
    url: &DatabaseUrl,
    sql: &str,
    wanted: Wanted<'_>,
) -> Result<Answer, ClientError> {
    let state = slot(manifest_dir, url);
    let mut state = lock(&state);
    match mem::take(&mut *state) {
        State::Open(client) => match ask_open(&mut state, client, sql, wanted) {
            Err(Trouble::Lost(_)) => ask_fresh(&mut state, url, sql, wanted),
            answered => answered.map_err(ClientError::from),
        },
        State::Failed(error, at) if at.elapsed() < REMEMBER_FAILURE => {
            *state = State::Failed(error.clone(), at);
            Err(error)
        }
        State::Failed(..) | State::Closed => ask_fresh(&mut state, url, sql, wanted),
    }
}

fn ask_fresh(
    state: &mut State,
    url: &DatabaseUrl,
    sql: &str,
    wanted: Wanted<'_>,
) -> Result<Answer, ClientError> {
    let answered = match Client::connect(url.url()) {
        Ok(client) => ask_open(state, Box::new(client), sql, wanted).map_err(ClientError::from),
        Err(error) => Err(error),
    };
    if let (Err(error), State::Closed) = (&answered, &*state) {
        *state = State::Failed(error.clone(), Instant::now());
    }
    answered
}

/// Keeps the connection if the conversation is where it should be afterwards.
fn ask_open(
    state: &mut State,
    mut client: Box<Client>,
    sql: &str,
    wanted: Wanted<'_>,
) -> Result<Answer, Trouble> {
    let answered = client.describe(sql, wanted.views).and_then(|mut answer| {
        answer.tables = client.tables((wanted.tables)(&answer))?;
        if let Some(table) = wanted.declared {
            answer.declared = client.declared(table.clone())?;
        }
        Ok(answer)
    });
    let answered = answered.map_err(|trouble| match trouble {
        Trouble::Statement(Refused { error, .. }) => {
            let nearest = client.nearest(&error, wanted.named.to_vec());
            Trouble::Statement(Refused { error, nearest })
        }
        other => other,
    });
    if matches!(answered, Ok(_) | Err(Trouble::Statement(_))) {
        *state = State::Open(client);
    }
    answered
}

fn slot(manifest_dir: &Path, url: &DatabaseUrl) -> Arc<Mutex<State>> {
    let mut slots = lock(&SLOTS);
    let found = slots
        .iter()
        .find(|slot| slot.manifest_dir == manifest_dir && slot.url == url.expose());
    if let Some(slot) = found {
        return Arc::clone(&slot.state);
    }
    if slots.len() >= MOST_SLOTS {
        slots.remove(0);
    }
    let state = Arc::default();
    slots.push(Slot {
        manifest_dir: manifest_dir.to_owned(),
        url: url.expose().to_owned(),
        state: Arc::clone(&state),
    });
    state
}

/// A panic elsewhere leaves a slot `Closed` at worst: it may be used on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

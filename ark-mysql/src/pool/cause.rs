//! What an error says when no connection could be had: who has them, and what went wrong last.

use std::fmt::Write as _;

use super::state::{Slot, State};
use super::{Pool, Shared};
use crate::error::{Error, ErrorKind, Outcome};

/// So many holders are named.
const SHOWN: usize = 3;

const ADVICE: &str =
    "hold connections for shorter, raise max_connections or acquire_timeout, or shed load";

impl Pool {
    /// The deadline of a statement has passed before it had a connection.
    #[cold]
    pub(crate) fn with_cause(&self, error: Error) -> Error {
        error.more(&self.0.describe()).with_advice(ADVICE)
    }
}

impl Shared {
    #[cold]
    pub(super) fn no_connection(&self, what: &str) -> Error {
        let detail = format!("{what}: {}", self.describe());
        Error::new(ErrorKind::PoolTimeout, Outcome::NotSent, detail).with_advice(ADVICE)
    }

    fn describe(&self) -> String {
        self.state().describe(self.settings.max_connections)
    }
}

impl State {
    fn describe(&self, most: usize) -> String {
        let (lent, idle, waiting) = (self.lent(), self.idle(), self.waiters.len());
        let mut text = format!(
            "{lent} of {most} are lent, {idle} idle, {} being opened, {waiting} tasks wait",
            self.opening
        );
        let mut holders: Vec<&Slot> = self
            .slots
            .iter()
            .flatten()
            .filter(|slot| slot.lent)
            .collect();
        holders.sort_by_key(|slot| slot.since);
        for (number, slot) in holders.iter().take(SHOWN).enumerate() {
            let lead = if number == 0 { "; held longest:" } else { "," };
            let held = slot.since.elapsed();
            let _to_a_string = write!(text, "{lead} connection {} for {held:.1?}", slot.id);
        }
        if let Some((when, failure)) = &self.last_failure {
            let ago = when.elapsed();
            let _to_a_string = write!(
                text,
                "; the last attempt to connect failed {ago:.1?} ago: {failure}"
            );
        }
        text
    }
}

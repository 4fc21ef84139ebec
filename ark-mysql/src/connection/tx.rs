//! What is known of the transaction on this connection: from the server's status flags, never from what was asked for.

use ark_mysql_proto::Status;

use crate::error::{Error, ErrorKind, Outcome};

/// At most one transaction object exists for a connection, because it borrows or owns it.
#[derive(Debug, Default)]
pub(crate) struct TxState {
    /// A transaction object is out, and this is how it stands.
    phase: Phase,
    /// A transaction object was dropped: roll back before anything else runs.
    rollback_due: Option<Rollback>,
    in_transaction: bool,
    /// It was begun as one, and not by the server's own choice.
    read_only: bool,
    /// What went wrong first in the transaction object that is out.
    failure: Option<Failure>,
}

/// What a failure means for running the transaction again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// The server undid all of it: a deadlock, or a row that changed meanwhile.
    Undone,
    /// A statement was undone for now: a lock wait timeout, a server that takes no writes. Running the next statement means going on.
    Waited,
    /// The link broke before what failed had left: the server undoes the rest.
    NotSent,
    /// The link broke, and what failed may have happened.
    Unsure,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// No transaction object.
    #[default]
    None,
    /// It is open, as far as is known.
    Open,
    /// An error came after which only the server knows.
    Doubtful,
    /// The server has ended it.
    Ended(Ending),
}

/// Why the server ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Deadlock,
    /// A statement that commits (DDL), or a COMMIT or ROLLBACK sent as a statement.
    Statement,
    /// A statement that failed took the transaction with it.
    Failure,
}

/// How far back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rollback {
    /// The whole transaction.
    All,
    /// To the savepoint of this depth.
    To(u32),
}

impl TxState {
    pub(super) fn note_status(&mut self, status: Status) {
        self.in_transaction = status.in_transaction();
        self.read_only = status.in_read_only_transaction();
        if status.in_transaction() {
            if self.phase == Phase::Doubtful {
                self.phase = Phase::Open;
            }
            return;
        }
        self.phase = match self.phase {
            Phase::Open => Phase::Ended(Ending::Statement),
            Phase::Doubtful => Phase::Ended(Ending::Failure),
            phase => phase,
        };
    }

    /// Errors carry no status flags. After a deadlock the transaction is gone; after a lock wait that depends on the server's
    /// settings, DDL commits before it fails, and so on: for all others the server is asked.
    pub(super) fn note_error(&mut self, code: u16) {
        if self.phase != Phase::Open {
            return;
        }
        match code {
            1213 => {
                self.phase = Phase::Ended(Ending::Deadlock);
                self.failure.get_or_insert(Failure::Undone);
            }
            // MariaDB's snapshot isolation: a row was changed after the transaction had begun to read. It undoes all of it.
            1020 => {
                self.phase = Phase::Doubtful;
                self.failure.get_or_insert(Failure::Undone);
            }
            1205 | 1290 | 1836 => {
                self.phase = Phase::Doubtful;
                self.failure.get_or_insert(Failure::Waited);
            }
            _ => self.phase = Phase::Doubtful,
        }
    }

    /// The link broke while a statement ran.
    pub(super) fn note_lost(&mut self, outcome: Outcome) {
        let failure = match outcome {
            Outcome::NotSent => Failure::NotSent,
            _ => Failure::Unsure,
        };
        self.failure.get_or_insert(failure);
    }

    /// The server ends the connection, and said so: it undoes the transaction.
    pub(super) fn note_undone(&mut self) {
        self.failure.get_or_insert(Failure::Undone);
    }

    /// Whether the transaction was begun as read-only.
    pub(super) fn is_read_only(&self) -> bool {
        self.in_transaction && self.read_only
    }

    /// A statement begins: whoever sends it has got over a lock wait timeout.
    #[inline]
    pub(super) fn goes_on(&mut self) {
        if self.failure == Some(Failure::Waited) {
            self.failure = None;
        }
    }

    /// Whether all of the transaction is undone, or will be once it is rolled back, for a reason that may be gone the next time.
    pub(super) fn may_run_again(&self) -> bool {
        match self.failure {
            Some(Failure::Undone | Failure::Waited | Failure::NotSent) => true,
            Some(Failure::Unsure) | None => false,
        }
    }

    /// Whether a statement in it was left without an answer. It was undone, unless it was one that commits.
    pub(super) fn may_have_happened(&self) -> bool {
        self.failure == Some(Failure::Unsure)
    }

    pub(super) fn opened(&mut self) {
        self.failure = None;
        self.phase = Phase::Open;
        self.rollback_due = None;
    }

    pub(super) fn closed(&mut self) {
        self.phase = Phase::None;
        self.rollback_due = None;
    }

    pub(super) fn abandon(&mut self, rollback: Rollback) {
        let earlier = self.rollback_due.unwrap_or(rollback);
        self.rollback_due = Some(rollback.min(earlier));
        if rollback == Rollback::All {
            self.phase = Phase::None;
        }
    }

    /// Nothing has to be done about it before the next command.
    pub(super) fn is_settled(&self) -> bool {
        self.rollback_due.is_none() && self.phase != Phase::Doubtful
    }

    pub(super) fn rollback_due(&self) -> Option<Rollback> {
        self.rollback_due
    }

    /// The rollback that is due; it is the caller's now.
    pub(super) fn take_rollback(&mut self) -> Option<Rollback> {
        let rollback = self.rollback_due.take()?;
        let gone = matches!(self.phase, Phase::Ended(_)) && rollback != Rollback::All;
        (!gone).then_some(rollback)
    }

    pub(super) fn is_doubtful(&self) -> bool {
        self.phase == Phase::Doubtful
    }

    /// Whether the server said last that a transaction is open.
    pub(super) fn in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// Fails when the transaction object that is out has nothing behind it any more.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Phase::Ended(ending) = self.phase else {
            return Ok(());
        };
        let (detail, advice) = match ending {
            Ending::Deadlock => (
                "it was rolled back because of a deadlock",
                "run it again from its beginning",
            ),
            Ending::Failure => (
                "a statement in it failed and took it along: a lock wait timeout that rolls all back, or DDL, which commits before it fails",
                "run it again from its beginning, and keep DDL out of transactions",
            ),
            Ending::Statement => (
                "a statement in it ended it: DDL commits implicitly, and so do COMMIT, ROLLBACK and others sent as statements",
                "keep such statements out of transactions",
            ),
        };
        Err(Error::new(ErrorKind::TransactionEnded, Outcome::NotSent, detail).with_advice(advice))
    }
}

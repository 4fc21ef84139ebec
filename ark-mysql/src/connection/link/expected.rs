use std::collections::VecDeque;

use crate::connection::statements::Slot;

/// What a reply still to come belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The session settings. If they fail, the connection is not fit for use.
    Setup,
    /// The init statement of this number. If it fails, the connection is not fit for use.
    Init(usize),
    /// COM_STMT_PREPARE of the statement in this slot.
    Prepare(Slot),
    /// COM_STMT_EXECUTE of the statement in this slot.
    Execute(Slot),
    /// COM_RESET_CONNECTION. If it fails, the connection is not fit for use.
    Reset,
    /// What sets the server's own limit of time. If it fails there is none.
    Limit,
    /// What a pool asks of a session. If it fails nobody knows.
    Facts,
    /// ROLLBACK of a transaction that was dropped. If it fails, the connection is not fit for use.
    Rollback,
    /// COM_QUERY, COM_PING: nothing to remember.
    Command,
}

/// Whether the statement of this slot has replies to come.
pub(super) fn in_use(expected: &VecDeque<Expected>, slot: Slot) -> bool {
    expected.iter().any(|expected| matches!(expected, Expected::Prepare(used) | Expected::Execute(used) if *used == slot))
}

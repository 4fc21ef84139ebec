//! `#[ark_mysql::test]`.
//!
//! The tests in `cases` are run by those in `by_hand`: this program runs itself once more, on each server, with the settings of a user.

mod by_hand;
mod cases;

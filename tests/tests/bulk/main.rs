//! `insert_many!`: all rows, once, in order; or none, and the error says which one it was.

mod counts;
mod failures;
mod kinds;
mod limits;
mod support;

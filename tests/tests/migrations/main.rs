//! Migrations on real servers: what is applied, what is remembered, and what is said when it goes wrong.

mod embedded;
mod failures;
mod files_that_changed;
mod locks;
mod reverting;
mod sqlx;
mod support;
mod what_files_may_hold;

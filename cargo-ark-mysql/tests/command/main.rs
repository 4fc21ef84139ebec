//! The tool as people meet it: its words, its exit statuses, what it leaves behind. On real servers.

mod cache;
mod completions;
mod dev;
mod migrate;
mod project;
mod rechecks;
mod sizes;
mod support;

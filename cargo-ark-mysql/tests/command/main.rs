//! The tool as people meet it: its words, its exit statuses, what it leaves behind. On real servers.

mod completions;
mod dev;
mod migrate;
mod rechecks;
mod support;

//! What could go wrong between a program and its server: one module for each fear, each test on MySQL 9.7, MariaDB 11.8 and MariaDB 10.11.
//!
//! No test passes without a server, and none without having talked to it.

mod alter_between_executions;
mod cold_password_cache;
mod dead_idle_connection;
mod dropped_futures;
mod every_way_to_fetch;
mod every_way_to_write_it;
mod killed;
mod language_server;
mod lists_of_any_length;
mod malformed_addresses;
mod no_server_there;
mod nonsense_in_replies;
mod null_where_none_was_expected;
mod packets_of_16_mib;
mod rows_left_unread;
mod rows_of_returning;
mod schema_changed;
mod secrets_shown;
mod server_wants_our_files;
mod shared_connections;
mod support;
mod too_many_statements;
mod transactions_half_done;
mod types_of_ones_own;
mod types_round_trip;
mod while_compiling;
mod widths_that_change;
mod wrong_login;

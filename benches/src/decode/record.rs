//! Rows as a server sends them, kept in the repository.

use std::fs;
use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;

use super::Workload;
use crate::raw::{RawClient, one_row};
use crate::test1;

/// The key of the recorded row.
pub(super) const KEY: i32 = 1234;

/// Records one row of every workload into the source tree.
///
/// # Errors
/// Fails when the server does, or the files cannot be written.
pub fn record(url: &str) -> Result<String> {
    let mut client = RawClient::connect(url)?;
    test1::create(&mut client, test1::ROWS)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for workload in Workload::value_variants() {
        let sql = fs::read_to_string(root.join(format!("queries/{}.sql", workload.name())))?;
        let statement = client.prepare(&sql)?;
        let reply = client.execute(&statement.execution_of_int(true, KEY))?;
        one_row(&reply)?;
        fs::write(
            root.join(format!("recorded/{}.row", workload.name())),
            client.row(&reply),
        )?;
    }
    let statement = client.prepare(test1::POINT)?;
    fs::write(root.join("recorded/point.prepare"), client.last_reply())?;
    one_row(&client.execute(&statement.execution_of_int(true, KEY))?)?;
    fs::write(root.join("recorded/point.execute"), client.last_reply())?;
    Ok("recorded".to_owned())
}

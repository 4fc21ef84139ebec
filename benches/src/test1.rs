//! The table of most workloads: fourteen columns, all NOT NULL, about 120 bytes a row, as in the MySQL benchmark of 2005.

use anyhow::Result;
pub use benches_common::test1::{POINT, ROWS, SCAN, Test1, keys};

use crate::raw::RawClient;

/// Rows that one INSERT carries while the table is filled.
const ROWS_AN_INSERT: usize = 500;

/// Makes the tables of the benchmarks afresh and fills `test1`.
///
/// # Errors
/// Fails when the server refuses a statement.
pub fn create(client: &mut RawClient, rows: u32) -> Result<()> {
    client.query("DROP TABLE IF EXISTS test1")?;
    client.script(include_str!("../schema.sql"))?;
    let keys: Vec<i32> = (1..=i32::try_from(rows)?).collect();
    for chunk in keys.chunks(ROWS_AN_INSERT) {
        let values: Vec<String> = chunk
            .iter()
            .map(|key| Test1::expected(*key).literal())
            .collect();
        client.query(&format!("INSERT INTO test1 VALUES {}", values.join(",")))?;
    }
    Ok(())
}

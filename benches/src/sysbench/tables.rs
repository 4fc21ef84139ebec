//! Rows whose every value follows from table and id, so that a wrong one shows.

use anyhow::Result;

use crate::raw::RawClient;

/// Some 100 KB.
const ROWS_AN_INSERT: u32 = 500;

/// Makes the tables and fills them anew.
pub(super) fn create(client: &mut RawClient, tables: u32, rows: u32) -> Result<()> {
    for table in 1..=tables {
        client.query(&format!("DROP TABLE IF EXISTS sbtest{table}"))?;
    }
    client.script(include_str!("../../sbtest.sql"))?;
    for table in 1..=tables {
        for first in (1..=rows).step_by(ROWS_AN_INSERT as usize) {
            let last = rows.min(first + ROWS_AN_INSERT - 1);
            let values: Vec<String> = (first..=last).map(|id| literal(table, id)).collect();
            client.query(&format!(
                "INSERT INTO sbtest{table} VALUES {}",
                values.join(",")
            ))?;
        }
    }
    Ok(())
}

fn literal(table: u32, id: u32) -> String {
    let k = id.wrapping_mul(31) % 100_000;
    format!("({id},{k},'{}','{}')", c(table, id), pad(id))
}

/// The column `c`: ten groups of eleven digits, as sysbench writes them.
pub(super) fn c(table: u32, id: u32) -> String {
    groups(10, u64::from(id) * 10 + u64::from(table % 10))
}

/// The column `pad`: five such groups.
pub(super) fn pad(id: u32) -> String {
    groups(5, id.into())
}

/// `count` groups out of one number.
pub(super) fn groups(count: u64, seed: u64) -> String {
    let group = |step: u64| format!("{:011}", (seed * 7919 + step * 1_000_003) % 100_000_000_000);
    let groups: Vec<String> = (0..count).map(group).collect();
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::{c, pad};

    #[test]
    fn columns_have_the_length_of_sysbenchs() {
        assert_eq!((c(1, 1).len(), pad(1).len()), (119, 59));
        assert_ne!(c(1, 1), c(2, 1));
    }
}

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
    format!(
        "({id},{k},'{}','{}')",
        c(table, id).as_str(),
        pad(id).as_str()
    )
}

/// The column `c`: ten groups of eleven digits, as sysbench writes them.
pub(super) fn c(table: u32, id: u32) -> Groups<C> {
    Groups::of(u64::from(id) * 10 + u64::from(table % 10))
}

/// The column `pad`: five such groups.
pub(super) fn pad(id: u32) -> Groups<PAD> {
    Groups::of(id.into())
}

/// Bytes of the column `c`.
pub(super) const C: usize = 119;
/// Bytes of the column `pad`.
pub(super) const PAD: usize = 59;

/// Groups of eleven digits out of one number, written where they stand: the client's work is to be the library's, not this.
pub(super) struct Groups<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Groups<BYTES> {
    pub(super) fn of(seed: u64) -> Self {
        let mut bytes = [b'-'; BYTES];
        for (step, group) in (0..).zip(bytes.chunks_mut(12)) {
            let mut rest = (seed * 7919 + step * 1_000_003) % 100_000_000_000;
            for digit in group.iter_mut().take(11).rev() {
                *digit = DIGITS.get((rest % 10) as usize).copied().unwrap_or(b'?');
                rest /= 10;
            }
        }
        Self(bytes)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default() // digits and dashes
    }
}

const DIGITS: [u8; 10] = *b"0123456789";

#[cfg(test)]
mod tests {
    use super::{c, pad};

    #[test]
    fn columns_have_the_length_of_sysbenchs() {
        assert_eq!(
            pad(1).as_str(),
            "00000007919-00001007922-00002007925-00003007928-00004007931"
        );
        assert!(c(1, 1).as_str().starts_with("00000087109-00001087112-"));
        assert_ne!(c(1, 1).as_str(), c(2, 1).as_str());
    }
}

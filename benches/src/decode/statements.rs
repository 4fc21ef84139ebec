//! The statements, checked like everybody's, and their decoders on recorded bytes.

use std::hint::black_box;

use anyhow::{Context, Result};
use ark_mysql::__private::{Query, Statement};
use ark_mysql::query_file;
use ark_mysql_proto::row::{RowReader, Source};

use super::Workload;
use super::record::KEY;

pub(super) fn drive(workload: Workload, rows: u32) -> Result<()> {
    macro_rules! run {
        ($sql:literal, $row:literal) => {
            decode(query_file!($sql, KEY), include_bytes!($row), rows)
        };
    }
    match workload {
        Workload::Ints1 => run!("queries/ints_1.sql", "../../recorded/ints_1.row"),
        Workload::Ints14 => run!("queries/ints_14.sql", "../../recorded/ints_14.row"),
        Workload::Ints100 => run!("queries/ints_100.sql", "../../recorded/ints_100.row"),
        Workload::Mixed14 => run!("queries/mixed_14.sql", "../../recorded/mixed_14.row"),
        Workload::Mixed100 => run!("queries/mixed_100.sql", "../../recorded/mixed_100.row"),
    }
}

fn decode<S: Statement, P>(_: Query<S, P>, payload: &[u8], rows: u32) -> Result<()> {
    for _ in 0..rows {
        let mut reader = RowReader::new(black_box(payload), S::COLUMNS.len())?;
        let row = S::decode(&mut reader)?;
        reader
            .finish()
            .context("the recorded row has more bytes than its statement reads")?;
        black_box(&row);
    }
    Ok(())
}

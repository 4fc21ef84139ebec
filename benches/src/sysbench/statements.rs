//! Sysbench's statements, checked, one of each for every table.

use anyhow::{Result, ensure};
use ark_mysql::{Connection, query, query_scalar};

use super::tables;

macro_rules! select {
    ($n:literal, $id:expr, $on:expr) => {
        query_scalar!(concat!("SELECT c FROM sbtest", $n, " WHERE id = ?"), $id)
            .fetch_one($on)
            .await?
    };
}

macro_rules! update_c {
    ($n:literal, $c:expr, $id:expr, $on:expr) => {
        query!(
            concat!("UPDATE sbtest", $n, " SET c = ? WHERE id = ?"),
            $c,
            $id
        )
        .execute($on)
        .await?
    };
}

macro_rules! update_k {
    ($n:literal, $id:expr, $on:expr) => {
        query!(
            concat!("UPDATE sbtest", $n, " SET k = k + 1 WHERE id = ?"),
            $id
        )
        .execute($on)
        .await?
    };
}

macro_rules! delete {
    ($n:literal, $id:expr, $on:expr) => {
        query!(concat!("DELETE FROM sbtest", $n, " WHERE id = ?"), $id)
            .execute($on)
            .await?
    };
}

macro_rules! insert {
    ($n:literal, $id:expr, $k:expr, $c:expr, $pad:expr, $on:expr) => {
        query!(
            concat!(
                "INSERT INTO sbtest",
                $n,
                " (id, k, c, pad) VALUES (?, ?, ?, ?)"
            ),
            $id,
            $k,
            $c,
            $pad
        )
        .execute($on)
        .await?
    };
}

/// A key: which table, which row.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub(super) table: u32,
    pub(super) id: u32,
}

impl Key {
    fn id(self) -> i32 {
        i32::try_from(self.id).unwrap_or(i32::MAX)
    }
}

/// Selects the row as it was filled in.
pub(super) async fn read(connection: &mut Connection, key: Key) -> Result<()> {
    let c: String = on_table!(key.table, select!(key.id(), &mut *connection));
    ensure!(
        c == tables::c(key.table, key.id).as_str(),
        "another row came than the one with id {}",
        key.id
    );
    Ok(())
}

/// Writes another text.
pub(super) async fn update_non_index(
    connection: &mut Connection,
    key: Key,
    text: &str,
) -> Result<()> {
    let done = on_table!(key.table, update_c!(text, key.id(), &mut *connection));
    ensure!(
        done.rows_affected() == 1,
        "{} rows were changed, not one, for id {}",
        done.rows_affected(),
        key.id
    );
    Ok(())
}

/// One transaction. The rows are those of the keys: to read, to update, to replace.
pub(super) async fn mixed(
    connection: &mut Connection,
    keys: [Key; 3],
    text: &str,
) -> Result<(), ark_mysql::Error> {
    let [read, update, replace] = keys;
    let k = i32::try_from(replace.id % 100_000).unwrap_or(0);
    let mut transaction = connection.begin().await?;
    let c: String = on_table!(read.table, select!(read.id(), &mut transaction));
    debug_assert_eq!(c.len(), text.len());
    on_table!(update.table, update_k!(update.id(), &mut transaction));
    on_table!(replace.table, delete!(replace.id(), &mut transaction));
    let pad = tables::pad(replace.id);
    let pad = pad.as_str();
    on_table!(
        replace.table,
        insert!(replace.id(), k, text, pad, &mut transaction)
    );
    transaction.commit().await
}

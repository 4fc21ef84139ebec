//! The statements, checked, one of each for every table, on whatever can run one, prepared or as text.

use anyhow::{Result, ensure};
use ark_mysql::{Executor, query, query_as};

use crate::test1::Test1;

macro_rules! select {
    ($n:literal, $text:expr, $id:expr, $on:expr) => {{
        let query = query_as!(
            Test1,
            concat!(
                "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM sail",
                $n,
                " WHERE f1 = ?"
            ),
            $id
        );
        match $text {
            true => query.text().fetch_one($on).await?,
            false => query.fetch_one($on).await?,
        }
    }};
}

macro_rules! look {
    ($n:literal, $id:expr, $on:expr) => {
        query_as!(
            Test1,
            concat!(
                "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM sail",
                $n,
                " WHERE f1 = ?"
            ),
            $id
        )
        .fetch_optional($on)
        .await?
    };
}

macro_rules! insert {
    ($n:literal, $text:expr, $row:expr, $on:expr) => {{
        let Test1 { f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 } = $row;
        let query = query!(
            concat!(
                "INSERT INTO sail",
                $n,
                " (f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            ),
            f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14
        );
        match $text {
            true => query.text().execute($on).await?,
            false => query.execute($on).await?,
        }
    }};
}

macro_rules! update {
    ($n:literal, $text:expr, $row:expr, $on:expr) => {{
        let Test1 {
            f1,
            f2,
            f3,
            f12,
            f13,
            ..
        } = $row;
        let query = query!(
            concat!(
                "UPDATE sail",
                $n,
                " SET f2 = ?, f3 = ?, f12 = ?, f13 = ? WHERE f1 = ?"
            ),
            f2,
            f3,
            f12,
            f13,
            f1
        );
        match $text {
            true => query.text().execute($on).await?,
            false => query.execute($on).await?,
        }
    }};
}

macro_rules! delete {
    ($n:literal, $text:expr, $id:expr, $on:expr) => {{
        let query = query!(concat!("DELETE FROM sail", $n, " WHERE f1 = ?"), $id);
        match $text {
            true => query.text().execute($on).await?,
            false => query.execute($on).await?,
        }
    }};
}

/// A row of a table, and how its statement is sent.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) table: u32,
    pub(super) key: i32,
    pub(super) text: bool,
}

impl Place {
    /// Selects the row as it was filled in.
    pub(super) async fn select(self, on: impl Executor) -> Result<()> {
        let row: Test1 = on_table!(self.table, select!(self.text, self.key, on));
        ensure!(
            row == Test1::expected(self.key),
            "another row came for key {}: {row:?}",
            self.key
        );
        Ok(())
    }

    /// The same, whatever an update made of it.
    pub(super) async fn select_any(self, on: impl Executor) -> Result<()> {
        let row: Test1 = on_table!(self.table, select!(self.text, self.key, on));
        ensure!(row.f1 == self.key, "another row came for key {}", self.key);
        Ok(())
    }

    pub(super) async fn insert(self, on: impl Executor) -> Result<()> {
        let row = &Test1::expected(self.key);
        let done = on_table!(self.table, insert!(self.text, row, on));
        self.one("inserted", done.rows_affected())
    }

    /// Sets four columns to what follows from `number`; a row that had them already would not count as changed.
    pub(super) async fn update(self, number: i32, on: impl Executor) -> Result<()> {
        let row = &Test1 {
            f1: self.key,
            ..Test1::expected(self.key.wrapping_add(number))
        };
        let done = on_table!(self.table, update!(self.text, row, on));
        self.one("updated", done.rows_affected())
    }

    pub(super) async fn delete(self, on: impl Executor) -> Result<()> {
        let done = on_table!(self.table, delete!(self.text, self.key, on));
        self.one("deleted", done.rows_affected())
    }

    /// Selects the row, if it is there.
    pub(super) async fn look(self, on: impl Executor) -> Result<()> {
        let row: Option<Test1> = on_table!(self.table, look!(self.key, on));
        ensure!(
            row.is_none_or(|row| row.f1 == self.key),
            "another row came for key {}",
            self.key
        );
        Ok(())
    }

    /// Updates the row, if it is there.
    pub(super) async fn touch(self, number: i32, on: impl Executor) -> Result<()> {
        let row = &Test1 {
            f1: self.key,
            ..Test1::expected(self.key.wrapping_add(number))
        };
        on_table!(self.table, update!(false, row, on));
        Ok(())
    }

    fn one(self, what: &str, rows: u64) -> Result<()> {
        ensure!(rows == 1, "{rows} rows were {what} for key {}", self.key);
        Ok(())
    }
}

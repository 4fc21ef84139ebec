//! The statements, checked, one of each for every table, prepared; for the first two as text too.

use anyhow::{Result, ensure};
use ark_mysql::{Connection, query, query_as};

use crate::test1::Test1;

macro_rules! select {
    ($n:literal, $id:expr) => {
        query_as!(
            Test1,
            concat!(
                "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM sail",
                $n,
                " WHERE f1 = ?"
            ),
            $id
        )
    };
}

macro_rules! insert {
    ($n:literal, $row:expr) => {
        query!(
            concat!(
                "INSERT INTO sail",
                $n,
                " (f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            ),
            $row.f1, $row.f2, $row.f3, $row.f4, $row.f5, $row.f6, $row.f7, $row.f8, $row.f9, $row.f10, $row.f11, $row.f12,
            $row.f13, $row.f14
        )
    };
}

macro_rules! update {
    ($n:literal, $row:expr) => {
        query!(
            concat!(
                "UPDATE sail",
                $n,
                " SET f2 = ?, f3 = ?, f12 = ?, f13 = ? WHERE f1 = ?"
            ),
            $row.f2,
            $row.f3,
            $row.f12,
            $row.f13,
            $row.f1
        )
    };
}

macro_rules! delete {
    ($n:literal, $id:expr) => {
        query!(concat!("DELETE FROM sail", $n, " WHERE f1 = ?"), $id)
    };
}

/// The first row, if there is one.
macro_rules! row {
    ($n:literal, $id:expr, $on:expr) => {
        select!($n, $id).fetch_optional($on).await?
    };
}

macro_rules! row_by_text {
    ($n:literal, $id:expr, $on:expr) => {
        select!($n, $id).text().fetch_optional($on).await?
    };
}

/// How many rows it changed; so for each of the three.
macro_rules! insert_prepared {
    ($n:literal, $values:expr, $on:expr) => {
        insert!($n, $values).execute($on).await?.rows_affected()
    };
}

macro_rules! insert_by_text {
    ($n:literal, $values:expr, $on:expr) => {
        insert!($n, $values)
            .text()
            .execute($on)
            .await?
            .rows_affected()
    };
}

macro_rules! update_prepared {
    ($n:literal, $values:expr, $on:expr) => {
        update!($n, $values).execute($on).await?.rows_affected()
    };
}

macro_rules! update_by_text {
    ($n:literal, $values:expr, $on:expr) => {
        update!($n, $values)
            .text()
            .execute($on)
            .await?
            .rows_affected()
    };
}

macro_rules! delete_prepared {
    ($n:literal, $values:expr, $on:expr) => {
        delete!($n, $values).execute($on).await?.rows_affected()
    };
}

macro_rules! delete_by_text {
    ($n:literal, $values:expr, $on:expr) => {
        delete!($n, $values)
            .text()
            .execute($on)
            .await?
            .rows_affected()
    };
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
    pub(super) async fn select(self, on: &mut Connection) -> Result<()> {
        let row = self.row(on).await?;
        ensure!(
            row.as_ref() == Some(&Test1::expected(self.key)),
            "another row came for key {}: {row:?}",
            self.key
        );
        Ok(())
    }

    /// The same, whatever an update made of it, if it is there.
    pub(super) async fn look(self, on: &mut Connection) -> Result<()> {
        let row = self.row(on).await?;
        ensure!(
            row.is_none_or(|row| row.f1 == self.key),
            "another row came for key {}",
            self.key
        );
        Ok(())
    }

    pub(super) async fn insert(self, on: &mut Connection) -> Result<()> {
        let row = &Test1::expected(self.key);
        let rows = if self.text {
            on_first_table!(self.table, insert_by_text!(row, on))
        } else {
            on_table!(self.table, insert_prepared!(row, on))
        };
        self.one("inserted", rows)
    }

    /// Sets four columns to what follows from `number`; a row that had them already would not count as changed.
    pub(super) async fn update(self, number: i32, on: &mut Connection) -> Result<()> {
        let rows = self.touch(number, on).await?;
        self.one("updated", rows)
    }

    /// The same, if the row is there; how many were.
    pub(super) async fn touch(self, number: i32, on: &mut Connection) -> Result<u64> {
        let row = &Test1 {
            f1: self.key,
            ..Test1::expected(self.key.wrapping_add(number))
        };
        Ok(if self.text {
            on_first_table!(self.table, update_by_text!(row, on))
        } else {
            on_table!(self.table, update_prepared!(row, on))
        })
    }

    pub(super) async fn delete(self, on: &mut Connection) -> Result<()> {
        let rows = if self.text {
            on_first_table!(self.table, delete_by_text!(self.key, on))
        } else {
            on_table!(self.table, delete_prepared!(self.key, on))
        };
        self.one("deleted", rows)
    }

    async fn row(self, on: &mut Connection) -> Result<Option<Test1>> {
        Ok(if self.text {
            on_first_table!(self.table, row_by_text!(self.key, on))
        } else {
            on_table!(self.table, row!(self.key, on))
        })
    }

    fn one(self, what: &str, rows: u64) -> Result<()> {
        ensure!(rows == 1, "{rows} rows were {what} for key {}", self.key);
        Ok(())
    }
}

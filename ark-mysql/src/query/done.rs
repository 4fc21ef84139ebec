use ark_mysql_proto::Summary;

/// What a statement without rows did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    rows_affected: u64,
    last_insert_id: u64,
    warnings: u16,
}

impl Done {
    /// How many rows were inserted, deleted or changed.
    ///
    /// An UPDATE counts the rows that it *changed*, as these servers do unless asked otherwise: a row that already had the new values
    /// is found but not counted. (sqlx and Connector/J ask for rows found.) An INSERT … ON DUPLICATE KEY UPDATE counts 1 for a row
    /// inserted, 2 for one changed, 0 for one left as it was. Of a statement with RETURNING MariaDB says 0: fetch its rows and count them.
    pub fn rows_affected(&self) -> u64 {
        self.rows_affected
    }

    /// The first AUTO_INCREMENT value that the statement made; 0 if it made none.
    pub fn last_insert_id(&self) -> u64 {
        self.last_insert_id
    }

    /// How many warnings `SHOW WARNINGS` would list.
    pub fn warnings(&self) -> u16 {
        self.warnings
    }
}

impl Done {
    /// Adds what one more statement did; the first id stays.
    pub(crate) fn add(&mut self, summary: Summary) {
        self.rows_affected = self.rows_affected.saturating_add(summary.affected_rows);
        if self.last_insert_id == 0 {
            self.last_insert_id = summary.last_insert_id;
        }
        self.warnings = self.warnings.saturating_add(summary.warnings);
    }
}

impl From<Summary> for Done {
    fn from(summary: Summary) -> Self {
        let Summary {
            affected_rows,
            last_insert_id,
            warnings,
            ..
        } = summary;
        Self {
            rows_affected: affected_rows,
            last_insert_id,
            warnings,
        }
    }
}

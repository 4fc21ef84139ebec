use ark_mysql_proto::Summary;

/// What a statement without rows did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    rows_affected: u64,
    last_insert_id: u64,
    warnings: u16,
}

impl Done {
    /// How many rows were inserted, deleted or changed; an UPDATE counts the rows that it found or changed as the server's
    /// `CLIENT_FOUND_ROWS` setting says.
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

//! The column definitions that the server sent last for a statement, and what comparing them with the expected ones gave.

use std::ptr;

use ark_mysql_proto::ColumnDefinition;
use ark_mysql_proto::session::definitions;

use crate::error::{Error, ErrorKind, Outcome};
use crate::value::{ColumnSpec, Difference, Layout, Plan, compare};

/// Definitions as they came, packet headers included: equal ones are equal bytes, so knowing them again is one memcmp.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    raw: Vec<u8>,
    count: u16,
    /// What `raw` was compared with, and the result.
    verified: Option<(&'static [ColumnSpec], Fit)>,
}

/// How rows become the rows that the generated code reads.
#[derive(Debug)]
pub(crate) enum Fit {
    /// They are.
    Exact,
    /// By this plan.
    Adapt(Plan),
}

impl Remembered {
    /// Takes definitions that have just come.
    pub(crate) fn remember(&mut self, raw: &[u8], count: u16) {
        if self.raw != raw || self.count != count {
            self.raw.clear();
            self.raw.extend_from_slice(raw);
            self.count = count;
            self.verified = None;
        }
    }

    pub(crate) fn count(&self) -> u16 {
        self.count
    }

    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The plan, if rows need one.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        match &self.verified {
            Some((_, Fit::Adapt(plan))) => Some(plan),
            Some((_, Fit::Exact)) | None => None,
        }
    }

    /// Compares the definitions with the expected ones, unless that was done before. Tells whether rows need a plan.
    ///
    /// # Errors
    /// `SchemaChanged`, listing every column that differs.
    #[inline]
    pub(crate) fn verify(&mut self, expected: &'static [ColumnSpec]) -> Result<bool, Error> {
        match &self.verified {
            Some((known, fit)) if ptr::eq(*known, expected) => Ok(matches!(fit, Fit::Adapt(_))),
            _ => self.compare(expected),
        }
    }

    #[cold]
    fn compare(&mut self, expected: &'static [ColumnSpec]) -> Result<bool, Error> {
        self.verified = None;
        let fit = fit(expected, &self.raw)?;
        let adapts = matches!(fit, Fit::Adapt(_));
        self.verified = Some((expected, fit));
        Ok(adapts)
    }
}

/// Compares raw definitions with the expected columns.
///
/// # Errors
/// `SchemaChanged`, listing every column that differs.
pub(crate) fn fit(expected: &'static [ColumnSpec], raw: &[u8]) -> Result<Fit, Error> {
    let mut foreign = None;
    let columns = definitions(raw, false).inspect(|definition| {
        if let Ok(definition) = definition {
            foreign = foreign.take().or_else(|| foreign_text(definition));
        }
    });
    let layout = compare(expected, columns)?;
    if let Some(error) = foreign {
        return Err(error);
    }
    match layout {
        Layout::Exact => Ok(Fit::Exact),
        Layout::Adapt(plan) => Ok(Fit::Adapt(plan)),
        Layout::Changed(differences) => {
            let list: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let is_computed = |difference: &Difference| {
                matches!(difference, Difference::Type { computed: true, .. })
            };
            Err(match differences.iter().all(is_computed) {
                true => computed_otherwise(list.join("; ")),
                false => schema_changed(list.join("; ")),
            })
        }
    }
}

/// Nothing differs but the types of expressions: servers take those of `?` and `IF(…, ?, ?)` from the values.
#[cold]
fn computed_otherwise(detail: String) -> Error {
    Error::new(ErrorKind::SchemaChanged, Outcome::Done, detail).with_advice(
        "it is no column of a table: if its type is that of a parameter, write which one it is to have, as in `CAST(? AS SIGNED)`; \
         if a table has changed, build the program again with the present schema (`cargo ark-mysql prepare`)",
    )
}

/// The error for a column whose text is not UTF-8.
pub(crate) fn foreign_text(column: &ColumnDefinition<'_>) -> Option<Error> {
    column.is_foreign_text().then(|| {
        left_utf8(format!(
            "the text of column `{}` comes in another character set than utf8mb4 (collation {})",
            column.name, column.charset
        ))
    })
}

/// Something made the server send text in another character set, in the middle of a statement.
#[cold]
pub(crate) fn left_utf8(detail: String) -> Error {
    Error::new(ErrorKind::Decode, Outcome::Done, detail).with_advice(
        "a SET NAMES or a routine has changed character_set_results; it is set back for the next statement. Leave the session in utf8mb4",
    )
}

/// The statement ran, but what it returns is not what the code was built for.
#[cold]
pub(crate) fn schema_changed(detail: String) -> Error {
    Error::new(ErrorKind::SchemaChanged, Outcome::Done, detail)
        .with_advice("build the program again with the present schema (`cargo ark-mysql prepare`), or undo the change of the table")
}

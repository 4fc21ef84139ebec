//! Holds what a statement gave against what was promised.

use ark_mysql::value::{ColumnSpec, Difference, Layout, compare};
use ark_mysql_check::description::{DescribedColumn, Description};
use ark_mysql_check::sql::Sql;
use ark_mysql_proto::{DecodeError, Kind, RowReader, Source, Wire};

use super::client::Rows;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// A column that was called NOT NULL was NULL.
    Null {
        /// Its position, from 0.
        column: usize,
    },
    /// A kind that does not hold what came.
    Kind {
        /// What differs, or what could not be read.
        what: String,
    },
}

/// The columns of a description, for the driver. They are never freed: a test process ends.
pub(super) fn specs(description: &Description, sql: &Sql) -> &'static [ColumnSpec] {
    let named = sql.names_columns();
    let spec = |column: &DescribedColumn| ColumnSpec {
        name: String::leak(column.name.clone()),
        kind: column.kind,
        nullable: column.nullable,
        named,
    };
    Vec::leak(description.columns.iter().map(spec).collect())
}

/// Which columns held a NULL, and what was broken.
pub(super) fn judge(specs: &'static [ColumnSpec], rows: &Rows) -> (Vec<bool>, Vec<Breach>) {
    let mut nulls = vec![false; specs.len()];
    let mut breaches = Vec::new();
    if rows.definitions.is_empty() {
        return (nulls, breaches);
    }
    let definitions = ark_mysql_proto::definitions(&rows.definitions, false);
    let plan = match compare(specs, definitions) {
        Ok(Layout::Exact) => None,
        Ok(Layout::Adapt(plan)) => Some(plan),
        Ok(Layout::Changed(differences)) => return (nulls, vec![changed(&differences)]),
        Err(error) => {
            return (
                nulls,
                vec![Breach::Kind {
                    what: error.to_string(),
                }],
            );
        }
    };
    let mut rewritten = Vec::new();
    for row in &rows.rows {
        let row = match &plan {
            None => Ok(row),
            Some(plan) => plan.rewrite(row, &mut rewritten).map(|()| &rewritten),
        };
        if let Err(error) = row.and_then(|row| read(specs, row, &mut nulls)) {
            breaches.push(Breach::Kind {
                what: error.to_string(),
            });
            break;
        }
    }
    let broken = specs
        .iter()
        .zip(&nulls)
        .enumerate()
        .filter(|(_, (spec, null))| !spec.nullable && **null);
    breaches.extend(broken.map(|(column, _)| Breach::Null { column }));
    (nulls, breaches)
}

/// How many columns came under another name than that of their alias. The driver forgives it to expressions that the statement names.
pub(super) fn renamed(specs: &[ColumnSpec], rows: &Rows) -> usize {
    let definitions = ark_mysql_proto::definitions(&rows.definitions, false);
    let names = definitions.zip(specs).filter_map(|(definition, spec)| {
        let name = definition.ok()?.name;
        Some(!spec.name.contains('?') && !spec.name.eq_ignore_ascii_case(name))
    });
    names.filter(|renamed| *renamed).count()
}

fn changed(differences: &[Difference]) -> Breach {
    let texts: Vec<String> = differences.iter().map(ToString::to_string).collect();
    Breach::Kind {
        what: texts.join("; "),
    }
}

fn read(specs: &[ColumnSpec], row: &[u8], nulls: &mut [bool]) -> Result<(), DecodeError> {
    let mut reader = RowReader::new(row, specs.len())?;
    for (index, (spec, null)) in specs.iter().zip(nulls).enumerate() {
        if reader.is_null(index) {
            *null = true;
        } else {
            value(spec.kind, &mut reader, index)?;
        }
    }
    reader.finish()
}

fn value(kind: Kind, row: &mut RowReader<'_>, index: usize) -> Result<(), DecodeError> {
    match kind.wire() {
        Wire::I8 => row.i8(index).map(drop),
        Wire::U8 => row.u8(index).map(drop),
        Wire::I16 => row.i16(index).map(drop),
        Wire::U16 => row.u16(index).map(drop),
        Wire::I32 => row.i32(index).map(drop),
        Wire::U32 => row.u32(index).map(drop),
        Wire::I64 => row.i64(index).map(drop),
        Wire::U64 => row.u64(index).map(drop),
        Wire::F32 => row.f32(index).map(drop),
        Wire::F64 => row.f64(index).map(drop),
        Wire::Decimal | Wire::Text => row.str(index).map(drop),
        Wire::Bytes | Wire::Bit => row.bytes(index).map(drop),
        Wire::DateTime => row.datetime(index).map(drop),
        Wire::Time => row.time(index).map(drop),
        Wire::Null => row.bytes(index).map(drop),
    }
}

use std::time::Duration;

use ark_mysql_proto::ParamType;

use crate::connection::{Call, Sql};
use crate::value::{Effect, Repeats, StatementKey};

/// More placeholders than this no server takes (error 1390).
const PLACEHOLDERS: usize = 65_535;
/// More rows than this in one statement make nothing faster.
const ROWS: usize = 512;
/// The text of a statement with its rows stays below this.
const TEXT: usize = 256 << 10;

/// The statement with a number of rows.
pub(super) struct Piece {
    rows: usize,
    key: StatementKey,
    sql: String,
    types: Vec<ParamType>,
}

/// The most rows of a statement: a power of two.
pub(super) fn most_rows<S: Repeats>(width: usize) -> usize {
    let (start, end) = S::ROW;
    let by_count = PLACEHOLDERS / width.max(1);
    let by_text = TEXT.saturating_sub(S::SQL.len()) / (end.saturating_sub(start) + 1);
    let most = by_count.min(by_text).clamp(1, ROWS);
    1 << most.ilog2()
}

impl Piece {
    pub(super) fn new<S: Repeats>(rows: usize, types: &[ParamType]) -> Self {
        let types = types.repeat(rows);
        // Another text is another statement, and the cache looks at the text as well.
        let spread = u128::try_from(rows).unwrap_or_default();
        let digest = S::DIGEST.wrapping_add(spread.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self {
            rows,
            key: StatementKey::new(digest, &types),
            sql: repeated::<S>(rows),
            types,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn call<S: Repeats>(&self, limit: Option<Duration>) -> Call<'_> {
        Call {
            key: self.key,
            sql: Sql::AtRunTime(&self.sql),
            types: &self.types,
            ..single::<S>(&[], limit)
        }
    }
}

/// The statement as it stands.
pub(super) fn single<S: Repeats>(
    types: &'static [ParamType],
    limit: Option<Duration>,
) -> Call<'static> {
    Call {
        key: StatementKey::new(S::DIGEST, types),
        digest: S::DIGEST,
        sql: Sql::Checked(S::SQL),
        types,
        columns: None,
        dirties: !matches!(S::EFFECT, Effect::Read | Effect::Write),
        limit,
    }
}

/// The SQL with its row so many times.
fn repeated<S: Repeats>(rows: usize) -> String {
    let (start, end) = S::ROW;
    let row = S::SQL.get(start..end).unwrap_or_default();
    let further = rows.saturating_sub(1);
    let mut sql = String::with_capacity(S::SQL.len() + further * (row.len() + 1));
    sql.push_str(S::SQL.get(..end).unwrap_or_default());
    for _ in 0..further {
        sql.push(',');
        sql.push_str(row);
    }
    sql.push_str(S::SQL.get(end..).unwrap_or_default());
    sql
}

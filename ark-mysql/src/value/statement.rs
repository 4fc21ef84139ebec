use ark_mysql_proto::{DecodeError, Kind, ParamType, Source};

/// One checked statement: what `query!` generates, one private type for each call.
pub trait Statement: Send + Sync + 'static {
    /// What a row becomes; it may borrow from the row.
    type Row<'r>;
    /// The kinds of the parameters: a tuple of [`kind`](super::kind)s, or a [`Chain`](super::Chain).
    type Params;
    /// What the four below say, in one item: each one costs rustc time in every build, and a crate has many statements.
    const TOLD: Told = Told {
        sql: "",
        digest: 0,
        columns: &[],
        effect: Effect::Session,
    };
    /// The statement as sent, with `?` for its parameters.
    const SQL: &'static str = Self::TOLD.sql;
    /// The first 16 bytes of the SHA-256 of [`SQL`](Self::SQL), as a big-endian number.
    const DIGEST: u128 = Self::TOLD.digest;
    /// The columns that it was checked with.
    const COLUMNS: &'static [ColumnSpec] = Self::TOLD.columns;
    /// What it can leave behind.
    const EFFECT: Effect = Self::TOLD.effect;
    /// The lists among its parameters.
    const LISTS: &'static [ListPlace] = &[];

    /// Makes a row of the next values, all of [`COLUMNS`](Self::COLUMNS) in their order.
    ///
    /// # Errors
    /// Names the first column that does not fit.
    fn decode<'r, R: Source<'r>>(row: &mut R) -> Result<Self::Row<'r>, DecodeError>;
}

/// What is known of a statement before it runs.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// [`Statement::SQL`].
    pub sql: &'static str,
    /// [`Statement::DIGEST`].
    pub digest: u128,
    /// [`Statement::COLUMNS`].
    pub columns: &'static [ColumnSpec],
    /// [`Statement::EFFECT`].
    pub effect: Effect,
}

/// Takes what only has to be named, so that rustc and cargo see what an expansion depends on: variables, and files.
pub const fn depends_on(_: [Option<&str>; 2], _: &[&[u8]]) {}

/// A statement that returns rows. INSERT, UPDATE and their like do not: they are run with `execute`.
#[diagnostic::on_unimplemented(
    message = "this statement returns no rows",
    label = "no rows come of this",
    note = "run it with `execute`: what comes back tells the number of rows that it changed, and the id that it gave",
    note = "where rows come all the same (CALL, EXPLAIN, some SHOW), the server tells nothing of them before: `ark_mysql::query(sql)` reads any"
)]
pub trait ReturnsRows: Statement {}

/// A statement whose rows own what is in them. Rows that borrow, as with `&str`, are there for one call of the closure of `for_each` only.
#[diagnostic::on_unimplemented(
    message = "the rows of this statement borrow from the connection",
    label = "these rows are gone when the next one comes",
    note = "walk over them with `for_each`; or let them own what is in them: `String` for `&str`, `Vec<u8>` for `&[u8]`"
)]
pub trait OwnedRows: Statement {}

/// A statement that inserts one row by VALUES and can insert many: what `insert_many!` generates.
pub trait Repeats: Statement {
    /// Where its row stands in [`SQL`](Statement::SQL), with the parentheses: from the first byte to behind the last one. All placeholders stand in it.
    const ROW: (usize, usize);
}

/// What the generated decoder of one column expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// The name on the wire: overrides in the alias (`id!`) are part of it.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// Whether NULL was thought possible.
    pub nullable: bool,
    /// Whether the statement says itself which column it is, as `SELECT *` does not: then nothing that happens to a table changes its name.
    pub named: bool,
}

/// Where a list stands in a statement as it was checked, with one element: `?`, or `(?, ?)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    /// The byte where that element begins.
    pub at: usize,
    /// How many bytes it has.
    pub length: usize,
    /// How many placeholders it has.
    pub width: usize,
    /// Where all of `column IN (?)` begins and ends; `(0, 0)` where that is not known.
    pub predicate: (usize, usize),
    /// Whether it is NOT IN.
    pub negated: bool,
}

/// What a statement can leave behind in its session and its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing: a SELECT without variables, locks or stored routines.
    Read,
    /// Rows: INSERT, UPDATE, DELETE, REPLACE, without variables, locks or stored routines.
    Write,
    /// Something in the session: variables, locks, transactions, temporary tables, or whatever a routine does.
    Session,
    /// Other tables than before.
    Ddl,
}

/// Which prepared statement a call needs: the SQL, and the types of the values bound to it, because MySQL reads a statement by the types of its first execution.
///
/// A constant of each call, so that finding a prepared statement hashes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementKey {
    digest: u128,
    types: u64,
}

impl StatementKey {
    /// From [`Statement::DIGEST`] and [`Params::TYPES`](super::Params::TYPES).
    pub const fn new(digest: u128, types: &[ParamType]) -> Self {
        // FNV-1a, two bytes at a time.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut rest = types;
        while let [first, tail @ ..] = rest {
            hash = (hash ^ first.code() as u64).wrapping_mul(0x0000_0100_0000_01b3);
            rest = tail;
        }
        Self {
            digest,
            types: hash,
        }
    }

    /// The key of the same statement with lists of these lengths. For up to six lists no two keys are the same.
    pub(crate) fn with_lists(self, counts: &[usize]) -> Self {
        let counts = counts.iter().fold(1u128, |all, &count| {
            all.rotate_left(17) ^ u128::try_from(count).unwrap_or(u128::MAX)
        });
        Self {
            digest: self.digest ^ counts,
            types: self.types,
        }
    }

    /// The digest of the SQL.
    pub const fn digest(self) -> u128 {
        self.digest
    }
}

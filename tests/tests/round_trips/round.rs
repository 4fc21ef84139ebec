//! One column: its values written by SQL, then read, stored and compared by every Rust type.

use std::collections::BTreeSet;

use ark_mysql::__private::Kind;
use ark_mysql::{Connection, Result};
use tests::Flavor;

use crate::canon::Canon;
use crate::columns::Column;
use crate::statements::{self, Got, NAMES};

/// What was tried.
#[derive(Default)]
pub(crate) struct Tried {
    /// Kind, Rust type and direction, with a value that went round.
    pub(crate) pairs: BTreeSet<(Kind, String, &'static str)>,
    pub(crate) values: usize,
    /// What did not go as it should.
    pub(crate) wrong: Vec<String>,
}

/// A type as the table calls it, without the blanks that rustc puts into it on its way through macros.
pub(crate) fn name(at: usize) -> String {
    NAMES[at].replace(' ', "")
}

impl Tried {
    fn expect(&mut self, right: bool, words: impl FnOnce() -> String) {
        if !right {
            self.wrong.push(words());
        }
    }

    fn count(&mut self, kind: Kind, at: usize, direction: &'static str) {
        self.pairs.insert((kind, name(at), direction));
        self.values += 1;
    }
}

/// JSON and shapes are not compared by `=`: MySQL compares JSON with text by its own rules, and shapes by the boxes around them.
pub(crate) fn is_compared(kind: Kind) -> bool {
    !matches!(kind, Kind::Json | Kind::Geometry | Kind::Vector)
}

/// Whether a text of six digits may stand for it: the servers print no more of a FLOAT.
fn nearly(kind: Kind, text: bool, got: &str, expected: &str) -> bool {
    let (Ok(got), Ok(expected)) = (got.parse::<f64>(), expected.parse::<f64>()) else {
        return false;
    };
    kind == Kind::Float && text && (got - expected).abs() <= expected.abs() * 5.1e-6
}

/// How the server tells that two columns hold the same, to the byte.
fn same(kind: Kind, flavor: Flavor, left: &str, right: &str) -> String {
    match kind {
        Kind::Text | Kind::Enum | Kind::Set | Kind::Bytes | Kind::Geometry | Kind::Vector => {
            format!("HEX({left}) <=> HEX({right})")
        }
        Kind::Json if flavor == Flavor::MariaDb => format!("HEX({left}) <=> HEX({right})"),
        _ => format!("{left} <=> {right}"),
    }
}

/// One column with its values; `None` is NULL.
pub(crate) struct Round<'a> {
    pub(crate) conn: Connection,
    pub(crate) flavor: Flavor,
    pub(crate) column: &'a Column,
    pub(crate) values: &'a [Option<Canon>],
    pub(crate) tried: &'a mut Tried,
}

impl Round<'_> {
    /// All three ways.
    pub(crate) async fn run(mut self) -> Result<()> {
        self.make().await?;
        self.read().await?;
        self.store().await?;
        if is_compared(self.column.kind) {
            self.compare().await;
        }
        Ok(())
    }

    async fn make(&mut self) -> Result<()> {
        let sql = &self.column.sql;
        let places: String = (0..NAMES.len())
            .map(|at| format!("w{at} {sql} NULL, "))
            .collect();
        let mut script = format!(
            "DROP TABLE IF EXISTS c, w; CREATE TABLE c (id INT UNSIGNED NOT NULL PRIMARY KEY, v {sql} NULL) CHARACTER SET utf8mb4; \
             CREATE TABLE w ({places}id INT UNSIGNED NOT NULL PRIMARY KEY) CHARACTER SET utf8mb4;"
        );
        for (id, value) in self.values.iter().enumerate() {
            let literal = value.as_ref().map_or("NULL".to_owned(), Canon::literal);
            script.push_str(&format!("INSERT INTO c VALUES ({id}, {literal});"));
        }
        self.conn.run_script(&script).await
    }

    /// What SQL wrote is read, by each type that reads the column.
    async fn read(&mut self) -> Result<()> {
        for text in [false, true] {
            let rows = statements::read_all(self.column.kind, &mut self.conn, text).await?;
            assert_eq!(rows.len(), self.values.len());
            for (row, value) in rows.iter().zip(self.values) {
                let expected = value.as_ref().map(statements::read);
                for (at, got) in row.iter().enumerate() {
                    let expected = expected.as_ref().map(|expected| expected[at].as_deref());
                    self.judge(at, got, expected, text);
                }
            }
        }
        Ok(())
    }

    /// `expected`: `None` is NULL, and a `None` in it that the type cannot hold the value.
    fn judge(&mut self, at: usize, got: &Got, expected: Option<Option<&str>>, text: bool) {
        let kind = self.column.kind;
        let right = match (got, expected) {
            (Got::NotRead, _) | (Got::Null, None) | (Got::Refused(_), Some(None)) => true,
            (Got::Value(got), Some(Some(expected))) => {
                got == expected || nearly(kind, text, got, expected)
            }
            _ => false,
        };
        let sql = &self.column.sql;
        self.tried.expect(right, || {
            format!(
                "{sql} as {}, text: {text}: {got:?}, not {expected:?}",
                NAMES[at]
            )
        });
        if matches!(got, Got::Value(_)) {
            self.tried.count(kind, at, "read");
        }
    }

    /// What each type sends is what SQL wrote, by the server's own judgement.
    async fn store(&mut self) -> Result<()> {
        let kind = self.column.kind;
        for (id, value) in (0_u32..).zip(self.values) {
            for (text, id) in [(false, 2 * id), (true, 2 * id + 1)] {
                if let Err(error) =
                    statements::store(kind, &mut self.conn, id, value.as_ref(), text).await
                {
                    self.tried.wrong.push(format!(
                        "{} of {value:?}, text: {text}: {error}",
                        self.column.sql
                    ));
                }
            }
        }
        let judged = (0..NAMES.len()).map(|at| {
            format!(
                "IF(w{at} IS NULL, 2, {})",
                same(kind, self.flavor, &format!("w{at}"), "v")
            )
        });
        let judged = judged.collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT w.id, {judged} FROM w JOIN c ON c.id = w.id DIV 2 ORDER BY w.id");
        for row in ark_mysql::query(sql).fetch_all(&mut self.conn).await? {
            let number: usize = row.get(0)?;
            for at in 0..NAMES.len() {
                self.judge_stored(at, number, row.get(at + 1)?);
            }
        }
        Ok(())
    }

    fn judge_stored(&mut self, at: usize, number: usize, got: i64) {
        let (kind, value) = (self.column.kind, &self.values[number / 2]);
        let is_sent = statements::sends(kind).0[at]
            && value
                .as_ref()
                .is_some_and(|value| statements::sent(value)[at]);
        let right = got == if is_sent { 1 } else { 2 };
        let sql = &self.column.sql;
        self.tried.expect(right, || {
            format!(
                "{sql} from {}, text: {}: {got} of {value:?}",
                NAMES[at],
                number % 2
            )
        });
        if is_sent {
            self.tried.count(kind, at, "store");
        }
    }

    /// A value is equal to itself, whichever type sends it.
    async fn compare(&mut self) {
        let kind = self.column.kind;
        for (id, value) in (0_u32..).zip(self.values) {
            for text in [false, true] {
                match statements::compare(kind, &mut self.conn, id, value.as_ref(), text).await {
                    Ok(equal) => self.judge_compared(value.as_ref(), text, &equal),
                    Err(error) => self.tried.wrong.push(format!(
                        "{} with {value:?}, text: {text}: {error}",
                        self.column.sql
                    )),
                }
            }
        }
    }

    fn judge_compared(&mut self, value: Option<&Canon>, text: bool, equal: &[Option<i64>]) {
        let kind = self.column.kind;
        let sent = value.map(statements::sent);
        for (at, got) in equal.iter().enumerate() {
            let is_sent =
                statements::sends(kind).1[at] && sent.as_ref().is_some_and(|sent| sent[at]);
            let sql = &self.column.sql;
            self.tried.expect(*got == is_sent.then_some(1), || {
                format!(
                    "{sql} with {}, text: {text}: {got:?} of {value:?}",
                    NAMES[at]
                )
            });
            if is_sent {
                self.tried.count(kind, at, "compare");
            }
        }
    }
}

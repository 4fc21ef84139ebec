//! What a run found, and how to see it again.

use std::collections::BTreeMap;
use std::fmt;

use ark_mysql_check::description::Why;

use super::judge::Breach;
use crate::Server;

/// One broken promise, with all that it takes to see it again.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Seed of the round: `ARK_MYSQL_TEST_SEED` for one round of the same statements.
    pub seed: u64,
    /// The statement.
    pub sql: String,
    /// What was broken.
    pub breach: Breach,
    /// The selected expression, where it is known.
    pub item: String,
    /// Tables, views and rows.
    pub script: String,
}

/// More of them are rarely of another kind.
const SHOWN: usize = 4;
const EXAMPLES: usize = 40;

/// How many columns were called nullable although no NULL was seen in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needless {
    /// By the server's flag alone.
    pub by_flag: usize,
    /// By us.
    pub by_us: usize,
}

/// The counts of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The server.
    pub kind: Server,
    /// Statements that were described, and ran on at least one data set.
    pub statements: usize,
    /// Statements that the server refused to prepare.
    pub refused: usize,
    /// Executions that ended in an error of the server.
    pub failed: usize,
    /// Statements that ended the server, or hung.
    pub crashes: Vec<String>,
    /// Columns of the statements that gave rows.
    pub columns: usize,
    /// Of these the ones in which no NULL was seen.
    pub never_null: usize,
    /// Of these the ones called nullable.
    pub needless: Needless,
    /// The same by what the selected expression begins with.
    pub classes: BTreeMap<String, Needless>,
    /// Of those called nullable the ones for which neither the SQL nor the tables give a reason.
    pub avoidable: Needless,
    /// Our reasons.
    pub reasons: BTreeMap<String, usize>,
    /// What was selected there.
    pub examples: Vec<String>,
    /// Kinds that changed with the values bound, which nobody can know before.
    pub changed_by_params: usize,
    /// JSON of MariaDB's that is made of bytes and is no text, which is an error where it is read.
    pub json_of_bytes: usize,
    /// Servers give columns that are the same but for their aliases one name, that of one of them: the driver forgives it.
    pub renamed: usize,
    /// The statements that did it.
    pub renamed_in: Vec<String>,
    /// Broken promises.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(kind: Server) -> Self {
        Self {
            kind,
            statements: 0,
            refused: 0,
            failed: 0,
            crashes: Vec::new(),
            columns: 0,
            never_null: 0,
            needless: Needless::default(),
            classes: BTreeMap::new(),
            avoidable: Needless::default(),
            reasons: BTreeMap::new(),
            examples: Vec::new(),
            changed_by_params: 0,
            json_of_bytes: 0,
            renamed: 0,
            renamed_in: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// `nullable` with the reason, if we say so; `seen` if a NULL was.
    pub(super) fn count(
        &mut self,
        item: &str,
        flag_nullable: bool,
        nullable: Option<Why>,
        seen: bool,
    ) {
        self.columns += 1;
        if seen {
            return;
        }
        self.never_null += 1;
        if flag_nullable && nullable.is_none_or(|why| !is_in_the_sql(why)) {
            self.avoidable.by_flag += 1;
        }
        if let Some(why) = nullable {
            *self.reasons.entry(format!("{why:?}")).or_default() += 1;
            if !is_in_the_sql(why) {
                self.avoidable.by_us += 1;
                self.examples.push(format!("{why:?}: {item}"));
            }
        }
        let class = self.classes.entry(beginning(item)).or_default();
        for needless in [class, &mut self.needless] {
            needless.by_flag += usize::from(flag_nullable);
            needless.by_us += usize::from(nullable.is_some());
        }
    }
}

/// Whether other rows or parameters would make the column NULL: that none of our rows did is chance.
fn is_in_the_sql(why: Why) -> bool {
    !matches!(why, Why::NotBelieved | Why::NotUnderstood)
}

/// `SUM(…)`, `a column`, `{…} / …`.
fn beginning(item: &str) -> String {
    let word: String = item
        .chars()
        .take_while(|character| character.is_alphanumeric() || *character == '_')
        .collect();
    let over = if item.contains(" OVER ") { " OVER" } else { "" };
    match item.get(word.len()..).and_then(|rest| rest.chars().next()) {
        Some('(') if !word.is_empty() => format!("{word}(){over}"),
        Some('.') => "column or arithmetic".to_owned(),
        _ if item.starts_with("(SELECT") => "(SELECT)".to_owned(),
        _ if item.starts_with('(') => "(…)".to_owned(),
        _ if item.is_empty() => "set operation".to_owned(),
        _ => word,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent =
            |part: usize| format!("{part} ({:.1} %)", 100.0 * ratio(part, self.never_null));
        writeln!(
            out,
            "{}: {} statements, {} refused, {} executions failed, {} crashes; {} columns, {} without a NULL",
            self.kind,
            self.statements,
            self.refused,
            self.failed,
            self.crashes.len(),
            self.columns,
            self.never_null
        )?;
        writeln!(
            out,
            "  of these called nullable: {} by the server's flag alone, {} by us; {} kinds changed by parameters, {} texts of JSON that were none, {} expressions under another name; {} promises broken",
            percent(self.needless.by_flag),
            percent(self.needless.by_us),
            self.changed_by_params,
            self.json_of_bytes,
            self.renamed,
            self.findings.len()
        )?;
        writeln!(
            out,
            "  without a reason in the SQL or the tables: {} by the flag, {} by us; reasons: {:?}",
            percent(self.avoidable.by_flag),
            percent(self.avoidable.by_us),
            self.reasons
        )?;
        let mut classes: Vec<_> = self
            .classes
            .iter()
            .filter(|(_, count)| count.by_flag + count.by_us > 0)
            .collect();
        classes.sort_by_key(|(_, count)| std::cmp::Reverse((count.by_us, count.by_flag)));
        for (class, count) in classes.iter().take(8) {
            writeln!(
                out,
                "    {class}: {} by the flag, {} by us",
                count.by_flag, count.by_us
            )?;
        }
        for example in self.examples.iter().take(EXAMPLES) {
            writeln!(out, "    {example}")?;
        }
        for sql in self.renamed_in.iter().take(3) {
            writeln!(out, "  under another name: {sql}")?;
        }
        for sql in self.crashes.iter().take(3) {
            writeln!(out, "  ended the server: {sql}")?;
        }
        for finding in self.findings.iter().take(SHOWN) {
            writeln!(
                out,
                "  ARK_MYSQL_TEST_SEED={}: {:?} ({})\n{}\n{};",
                finding.seed, finding.breach, finding.item, finding.script, finding.sql
            )?;
        }
        Ok(())
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    number(part) / number(whole.max(1))
}

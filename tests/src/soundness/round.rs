//! One schema, many statements, several data sets.

use ark_mysql::dev_server::Flavor;
use ark_mysql::value::ColumnSpec;
use ark_mysql_check::description::Why;
use ark_mysql_check::sql::Sql;

use super::Describe;
use super::client::{Client, Failure};
use super::judge::{self, Breach};
use super::random::Random;
use super::report::{Finding, Report};
use super::schema::{self, Data, Relation};
use super::server::{Database, Server};
use super::statement::{Statement, Statements};
use super::value::Value;

/// Statements for one schema.
pub(super) const STATEMENTS: usize = 250;

/// A statement with its description and what was seen of it.
struct Subject {
    statement: Statement,
    specs: &'static [ColumnSpec],
    reasons: Vec<Why>,
    /// The server's NOT_NULL flags.
    flags: Vec<bool>,
    nulls: Vec<bool>,
    rows: usize,
    ran: bool,
    dead: bool,
}

struct Round<'r> {
    seed: u64,
    random: Random,
    tables: Vec<Relation>,
    /// CREATE TABLE and CREATE VIEW.
    schema: Vec<String>,
    sql_mode: &'static str,
    server: &'r mut Server,
    report: &'r mut Report,
}

pub(super) fn run(
    server: &mut Server,
    seed: u64,
    wanted: usize,
    describe: Describe<'_>,
    report: &mut Report,
) {
    let mut random = Random::new(seed);
    let tables = schema::tables(&mut random);
    let schema = tables.iter().map(Relation::create).collect();
    let sql_mode = if seed.is_multiple_of(3) {
        "''"
    } else {
        "DEFAULT"
    };
    let mut round = Round {
        seed,
        random,
        tables,
        schema,
        sql_mode,
        server,
        report,
    };
    let Ok(mut database) = round.database() else {
        return round.server.restart();
    };
    let relations = round.with_views(&mut database);
    let mut subjects = round.subjects(&mut database, relations, wanted, describe);
    for data in Data::ALL {
        round.run_all(&mut database, data, &mut subjects);
    }
    round.count(&subjects);
    // One database less; a server that is gone takes all of them along.
    let _ = database
        .client
        .run(&format!("DROP DATABASE {}", database.name));
}

impl Round<'_> {
    fn database(&mut self) -> Result<Database, Failure> {
        let mut database = self.server.database(self.sql_mode)?;
        for sql in &self.schema {
            database.client.run(sql)?;
        }
        Ok(database)
    }

    fn statements(&mut self, relations: Vec<Relation>) -> Statements<'_> {
        Statements::new(
            &mut self.random,
            relations,
            self.server.flavor() == Flavor::MySql,
        )
    }

    fn with_views(&mut self, database: &mut Database) -> Vec<Relation> {
        let mut relations = self.tables.clone();
        for number in 0..6 {
            let (sql, view) = self
                .statements(relations.clone())
                .view(&format!("v{number}"));
            if database.client.run(&sql).is_ok() {
                self.schema.push(sql);
                relations.push(view);
            }
        }
        relations
    }

    fn subjects(
        &mut self,
        database: &mut Database,
        relations: Vec<Relation>,
        wanted: usize,
        describe: Describe<'_>,
    ) -> Vec<Subject> {
        let mut subjects = Vec::new();
        // Servers refuse a part of the statements; a schema for which they refuse nearly all is given up.
        for _ in 0..wanted * 4 {
            if subjects.len() == wanted {
                break;
            }
            let statement = self.statements(relations.clone()).next();
            match subject(database, statement, describe) {
                Some(subject) => subjects.push(subject),
                None => self.report.refused += 1,
            }
        }
        subjects
    }

    fn run_all(&mut self, database: &mut Database, data: Data, subjects: &mut [Subject]) {
        let mut inserts = Vec::new();
        let empty = self.random.below(self.tables.len());
        for (index, table) in self.tables.iter().enumerate() {
            inserts.extend(table.insert(data, index == empty, &mut self.random));
        }
        if self.load(&mut database.client, &inserts).is_err() {
            return;
        }
        for subject in subjects.iter_mut().filter(|subject| !subject.dead) {
            let types = &subject.statement.params;
            let values: Vec<Value> = types
                .iter()
                .map(|class| Value::random(*class, true, &mut self.random))
                .collect();
            if let Err(Failure::Lost(_)) =
                self.run_one(&mut database.client, subject, &values, &inserts)
            {
                subject.dead = true;
                self.report.crashes.push(subject.statement.sql.clone());
                self.server.restart();
                match self.database() {
                    Ok(again) => *database = again,
                    Err(_) => return,
                }
                if self.load(&mut database.client, &inserts).is_err() {
                    return;
                }
            }
        }
    }

    fn load(&mut self, client: &mut Client, inserts: &[String]) -> Result<(), Failure> {
        client.run("SET SESSION sql_mode = ''")?;
        for table in &self.tables {
            client.run(&format!("DELETE FROM {}", table.name))?;
        }
        inserts.iter().try_for_each(|insert| client.run(insert))?;
        client.run(&format!("SET SESSION sql_mode = {}", self.sql_mode))
    }

    fn run_one(
        &mut self,
        client: &mut Client,
        subject: &mut Subject,
        values: &[Value],
        inserts: &[String],
    ) -> Result<(), Failure> {
        let prepared = match client.prepare(&subject.statement.sql) {
            Ok(prepared) => prepared,
            Err(Failure::Refused(_)) => {
                self.report.failed += 1;
                return Ok(());
            }
            Err(lost) => return Err(lost),
        };
        let rows = client.execute(&prepared, values)?;
        client.close(prepared);
        self.report.failed += usize::from(rows.error.is_some());
        subject.ran |= rows.error.is_none();
        subject.rows += rows.rows.len();
        let (nulls, breaches) = judge::judge(subject.specs, &rows);
        let renamed = judge::renamed(subject.specs, &rows);
        if renamed > 0 {
            self.report.renamed += renamed;
            self.report.renamed_in.push(subject.statement.sql.clone());
        }
        subject
            .nulls
            .iter_mut()
            .zip(nulls)
            .for_each(|(seen, null)| *seen |= null);
        for breach in breaches {
            self.find(subject, breach, inserts);
        }
        Ok(())
    }

    fn find(&mut self, subject: &mut Subject, breach: Breach, inserts: &[String]) {
        if matches!(breach, Breach::Kind { .. })
            && subject.statement.selects_params
            && !subject.statement.params.is_empty()
        {
            self.report.changed_by_params += 1;
            return;
        }
        if self.is_json_made_of_bytes(subject, &breach) {
            self.report.json_of_bytes += 1;
            return;
        }
        subject.dead = true;
        let item = match &breach {
            Breach::Null { column } => subject
                .statement
                .items
                .get(*column)
                .cloned()
                .unwrap_or_default(),
            Breach::Kind { .. } => String::new(),
        };
        let script = self
            .schema
            .iter()
            .chain(inserts)
            .map(|sql| format!("{sql};"))
            .collect::<Vec<_>>()
            .join("\n");
        self.report.findings.push(Finding {
            seed: self.seed,
            sql: subject.statement.sql.clone(),
            breach,
            item,
            script,
        });
    }

    /// MariaDB puts bytes into JSON as they are, and sends that as text: whoever reads it is told so, and nobody can know before.
    fn is_json_made_of_bytes(&self, subject: &Subject, breach: &Breach) -> bool {
        let is_no_text =
            matches!(breach, Breach::Kind { what } if what.contains("is not valid UTF-8"));
        let makes_json = self
            .schema
            .iter()
            .chain([&subject.statement.sql])
            .any(|sql| sql.contains("JSON_"));
        is_no_text && makes_json && self.server.flavor() == Flavor::MariaDb
    }

    fn count(&mut self, subjects: &[Subject]) {
        for subject in subjects {
            self.report.statements += usize::from(subject.ran);
            if subject.rows == 0 {
                continue;
            }
            for (index, (spec, seen)) in subject.specs.iter().zip(&subject.nulls).enumerate() {
                let item = subject
                    .statement
                    .items
                    .get(index)
                    .map_or("", String::as_str);
                let flag = subject.flags.get(index).copied().unwrap_or(false);
                let why = subject
                    .reasons
                    .get(index)
                    .copied()
                    .unwrap_or(Why::NotUnderstood);
                self.report
                    .count(item, !flag, spec.nullable.then_some(why), *seen);
            }
        }
    }
}

/// Describes it, and asks the server alone.
fn subject(
    database: &mut Database,
    statement: Statement,
    describe: Describe<'_>,
) -> Option<Subject> {
    let sql = Sql::parse(&statement.sql).expect("random statements have closed quotes");
    let described = describe(&sql, &database.settings).ok()?;
    let prepared = database.client.prepare(&statement.sql).ok()?;
    let flags = prepared.not_null.clone();
    assert_eq!(prepared.params, statement.params.len(), "{}", statement.sql);
    database.client.close(prepared);
    let specs = judge::specs(&described.description, &sql);
    Some(Subject {
        nulls: vec![false; specs.len()],
        statement,
        specs,
        reasons: described.reasons,
        flags,
        rows: 0,
        ran: false,
        dead: false,
    })
}

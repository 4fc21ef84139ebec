//! What checked statements cost while a crate compiles: here and with the rival.

mod expansion;
mod generate;
mod project;

use std::path::{Path, PathBuf};

use anyhow::Result;

pub use self::generate::Driver;
pub use self::project::{Mode, Project, Took};
use crate::figures::{Samples, table};
use crate::raw::RawClient;

/// The parameters.
#[derive(Clone, Debug)]
pub struct Compile {
    /// Statements in the crate.
    pub statements: usize,
    /// Rounds of incremental checks; in each of them every driver and mode has its turn.
    pub rounds: u32,
    /// Rounds of checks from nothing; 0 leaves them out.
    pub fresh_rounds: u32,
    /// Where the crates are generated and built; `None`: in the target folder.
    pub folder: Option<PathBuf>,
}

const DRIVERS: [Driver; 2] = [Driver::Ark, Driver::Sqlx];
const MODES: [Mode; 2] = [Mode::Live, Mode::Offline];
/// Statements of the small application that is checked from nothing.
const SMALL: usize = 5;

/// What every incremental check took, by driver and mode.
#[derive(Default)]
struct Incremental {
    checks: [[Figures; 2]; 2],
    /// Live less offline, of neighbouring runs.
    difference: [Figures; 2],
    /// Of the crate without macros, and this library offline less that, of the same round.
    plain: Figures,
    macros: Figures,
}

/// Several measurements, by the clock and by the processors.
#[derive(Default)]
struct Figures {
    wall: Samples,
    busy: Samples,
}

impl Figures {
    fn push(&mut self, took: Took) {
        self.wall.push(took.wall);
        self.busy.push(took.busy);
    }

    /// Median and spread of both.
    fn words(&self) -> String {
        format!("{} | {}", spread(&self.wall), spread(&self.busy))
    }
}

fn spread(samples: &Samples) -> String {
    format!(
        "{:.2} ({:.2}-{:.2})",
        samples.median(),
        samples.min(),
        samples.max()
    )
}

/// What one took more than another.
fn less(more: Took, less: Took) -> Took {
    Took {
        wall: more.wall - less.wall,
        busy: more.busy - less.busy,
    }
}

impl Compile {
    /// Generates the crates, runs everything in turns and returns the report. `progress` hears what is going on.
    ///
    /// # Errors
    /// Fails when a crate does not compile.
    pub fn measure(&self, url: &str, mut progress: impl FnMut(&str)) -> Result<String> {
        let folder = self.folder.clone().unwrap_or_else(project::default_folder);
        let mut client = RawClient::connect(url)?;
        generate::schema().try_for_each(|sql| client.query(&sql).map(drop))?;
        let (mut large, mut small) = (Vec::new(), Vec::new());
        for driver in DRIVERS {
            progress(&format!(
                "{}: building what {} statements need",
                driver.title(),
                self.statements
            ));
            large.push(prepared(
                driver,
                self.statements,
                &folder.join(driver.macros_package()),
                url,
            )?);
            small.push(Project::create(
                driver,
                SMALL,
                folder.join(format!("{}-small", driver.macros_package())),
                url,
            )?);
        }
        progress("the same crate without macros");
        let plain = prepared(
            Driver::Nobody,
            self.statements,
            &folder.join(Driver::Nobody.macros_package()),
            url,
        )?;
        plain.check_after_touch(Mode::Offline)?;
        let incremental = self.incremental(&large, &plain, &mut progress)?;
        let fresh = self.fresh(&small, &large, &mut progress)?;
        self.report(&large, &incremental, &fresh)
    }

    fn incremental(
        &self,
        projects: &[Project],
        plain: &Project,
        progress: &mut impl FnMut(&str),
    ) -> Result<Incremental> {
        let mut all = Incremental::default();
        for round in 1..=self.rounds {
            progress(&format!(
                "incremental check, round {round} of {}",
                self.rounds
            ));
            for (project, (checks, difference)) in projects
                .iter()
                .zip(all.checks.iter_mut().zip(&mut all.difference))
            {
                let mut pair = [Took::default(); 2];
                for ((mode, figures), took) in MODES.into_iter().zip(checks).zip(&mut pair) {
                    // The first check after a change of mode also pays for the change.
                    project.check_after_touch(mode)?;
                    *took = project.check_after_touch(mode)?;
                    figures.push(*took);
                }
                let [live, offline] = pair;
                difference.push(less(live, offline));
                if project.driver == Driver::Ark {
                    plain.check_after_touch(Mode::Offline)?;
                    let without = plain.check_after_touch(Mode::Offline)?;
                    all.plain.push(without);
                    all.macros.push(less(offline, without));
                }
            }
        }
        Ok(all)
    }

    fn fresh(
        &self,
        small: &[Project],
        large: &[Project],
        progress: &mut impl FnMut(&str),
    ) -> Result<[Figures; 2]> {
        let mut all = <[Figures; 2]>::default();
        for (project, answers) in small.iter().zip(large) {
            project.adopt_answers(answers)?;
        }
        for round in 1..=self.fresh_rounds {
            progress(&format!(
                "check from nothing, round {round} of {}",
                self.fresh_rounds
            ));
            for (project, figures) in small.iter().zip(&mut all) {
                figures.push(project.check_from_nothing(Mode::Offline)?);
            }
        }
        Ok(all)
    }

    fn report(
        &self,
        projects: &[Project],
        incremental: &Incremental,
        fresh: &[Figures; 2],
    ) -> Result<String> {
        let statements = self.statements as f64;
        let mut rows = vec![vec!["clock | processors, median (min-max)".to_owned()]];
        rows.push(vec![format!(
            "cargo check after touching one file of {statements} statements, live, s"
        )]);
        rows.push(vec!["… offline, s".to_owned()]);
        rows.push(vec!["… live less offline, ms a statement".to_owned()]);
        rows.push(vec!["… the same crate without macros, s".to_owned()]);
        rows.push(vec!["… offline less that, s".to_owned()]);
        let built = match cfg!(debug_assertions) {
            true => "without optimisation, as macros of a dev build are",
            false => "optimised",
        };
        rows.push(vec![format!(
            "expansion of a statement from the cache ({built}), ms"
        )]);
        rows.push(vec![format!(
            "cargo check of {SMALL} statements from nothing, offline, s"
        )]);
        rows.push(vec!["packages under the macros".to_owned()]);
        let columns = projects
            .iter()
            .zip(&incremental.checks)
            .zip(incremental.difference.iter().zip(fresh));
        for ((project, [live, offline]), (difference, fresh)) in columns {
            let [plain, macros, expansion] = match project.driver {
                Driver::Ark => [
                    incremental.plain.words(),
                    incremental.macros.words(),
                    format!("{:.3}", expansion::milliseconds(project, self.statements)?),
                ],
                Driver::Sqlx | Driver::Nobody => ["", "", ""].map(str::to_owned),
            };
            let cells = [
                project.driver.title().to_owned(),
                live.words(),
                offline.words(),
                format!(
                    "{:.2} | {:.2}",
                    difference.wall.median() * 1000.0 / statements,
                    difference.busy.median() * 1000.0 / statements
                ),
                plain,
                macros,
                expansion,
                fresh.words(),
                project.packages_under_macros()?.to_string(),
            ];
            rows.iter_mut()
                .zip(cells)
                .for_each(|(row, cell)| row.push(cell));
        }
        Ok(table(&rows))
    }
}

fn prepared(driver: Driver, statements: usize, folder: &Path, url: &str) -> Result<Project> {
    let project = Project::create(driver, statements, folder.to_path_buf(), url)?;
    project.prepare()?;
    Ok(project)
}

//! `cargo ark-mysql migrate …`: the library's migrations, for people and scripts.

mod add;
pub(crate) mod arguments;
mod place;
mod show;

use std::io::Write;

use ark_mysql::migrate::{MigrateError, Migrator, Progress, State};
use ark_mysql_check::stamp;

use crate::Verdict;
use crate::failure::Failure;
use arguments::{Done, Info, MigrateCommand, Resolve, Revert, Run, Target, Validate};
use place::{Place, folder};

pub(crate) fn run(command: &MigrateCommand, out: &mut impl Write) -> Result<Verdict, Failure> {
    let done = match command {
        MigrateCommand::Add(options) => return add::run(options, out),
        MigrateCommand::Run(options) => apply(options, out),
        MigrateCommand::Revert(options) => revert(options, out),
        MigrateCommand::Info(options) => info(options, out),
        MigrateCommand::Validate(options) => validate(options, out),
        MigrateCommand::Resolve(options) => resolve(options, out),
    };
    match done {
        Ok(verdict) => Ok(verdict),
        Err(Trouble::Failure(failure)) => Err(failure),
        Err(Trouble::Migrate(error)) => judge(error),
    }
}

/// What stops a command.
enum Trouble {
    Failure(Failure),
    Migrate(MigrateError),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<MigrateError> for Trouble {
    fn from(error: MigrateError) -> Self {
        Self::Migrate(error)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// Something that was found out is 1, something that could not be found out is 2.
fn judge(error: MigrateError) -> Result<Verdict, Failure> {
    match error {
        MigrateError::Unreadable { .. }
        | MigrateError::Database { .. }
        | MigrateError::NoDatabase => Err(error.into()),
        error => {
            if matches!(error, MigrateError::Failed(_)) {
                // Behind the name of the file that was begun.
                let _ = writeln!(std::io::stdout());
            }
            // Standard error is gone: there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            Ok(Verdict::Findings)
        }
    }
}

fn apply(options: &Run, out: &mut impl Write) -> Result<Verdict, Trouble> {
    let migrator = migrator(&folder(&options.source.source)?)?
        .allow_out_of_order(options.allow_out_of_order)
        .ignore_missing(options.ignore_missing)
        .adopt_sqlx(options.adopt_sqlx)
        .create_database(options.create_database)
        .lock_timeout(options.lock_timeout)
        .table_timeout(options.table_timeout)
        .on_progress(tell);
    let place = Place::find(&options.target)?;
    let last = options.target_version.unwrap_or(u64::MAX);
    if options.dry_run {
        return dry_run(&migrator, &place, last, out);
    }
    writeln!(out, "Migrating {}", place.described)?;
    let done = place.block_on(migrator.run_to(place.url(), last));
    renew(&place)?;
    let report = done?;
    if report.adopted > 0 {
        writeln!(out, "{} taken over from sqlx", count(report.adopted))?;
    }
    match report.files.len() {
        0 => writeln!(out, "Nothing to do: all is applied")?,
        files => writeln!(out, "{} applied in {:.1?}", count(files), report.elapsed)?,
    }
    Ok(Verdict::Clean)
}

/// A failure in the middle has changed the schema, too.
fn renew(place: &Place) -> Result<(), Failure> {
    if place.is_throw_away() {
        return Ok(());
    }
    stamp::renew(place.address()).map_err(|error| {
        Failure::new(format!(
            "the schema stamp could not be written ({error}): `cargo check` will not see that the schema has changed until the sources do"
        ))
    })
}

fn dry_run(
    migrator: &Migrator,
    place: &Place,
    last: u64,
    out: &mut impl Write,
) -> Result<Verdict, Trouble> {
    let infos = place.block_on(migrator.info(place.url()))?;
    let pending = infos.iter().filter(|info| {
        !matches!(info.state, State::Applied | State::Missing | State::Changed)
            && info.version <= last
    });
    let mut any = false;
    for info in pending {
        any = true;
        writeln!(
            out,
            "would apply {}: {}",
            info.file,
            show::words(&info.state)
        )?;
    }
    if !any {
        writeln!(out, "Nothing to do: all is applied")?;
    }
    Ok(Verdict::Clean)
}

fn revert(options: &Revert, out: &mut impl Write) -> Result<Verdict, Trouble> {
    let migrator = migrator(&folder(&options.source.source)?)?.on_progress(tell);
    let place = prepared(&options.target, &migrator)?;
    writeln!(out, "Undoing on {}", place.described)?;
    let done = match options.target_version {
        None => place.block_on(migrator.revert(place.url())),
        Some(version) => place.block_on(migrator.revert_to(place.url(), version)),
    };
    renew(&place)?;
    match done?.files.len() {
        0 => writeln!(out, "Nothing to undo")?,
        files => writeln!(out, "{} undone", count(files))?,
    }
    Ok(Verdict::Clean)
}

fn info(options: &Info, out: &mut impl Write) -> Result<Verdict, Trouble> {
    let migrator = migrator(&folder(&options.source.source)?)?;
    let place = prepared(&options.target, &migrator)?;
    let infos = place.block_on(migrator.info(place.url()))?;
    if options.json {
        show::json(&infos, out)?;
    } else {
        writeln!(out, "{}", place.described)?;
        show::table(&infos, out)?;
    }
    Ok(Verdict::Clean)
}

fn validate(options: &Validate, out: &mut impl Write) -> Result<Verdict, Trouble> {
    let migrator = migrator(&folder(&options.source.source)?)?;
    let files = migrator.migrations()?.len();
    let Some(place) = Place::find_if_any(&options.target)? else {
        writeln!(
            out,
            "{}: the files make sense (set DATABASE_URL, or give --url or --dev, to have them compared with a database)",
            count(files)
        )?;
        return Ok(Verdict::Clean);
    };
    if place.is_throw_away() {
        place.block_on(migrator.run(place.url()))?;
    }
    place.block_on(migrator.validate(place.url()))?;
    writeln!(out, "{}: they fit {}", count(files), place.described)?;
    Ok(Verdict::Clean)
}

fn resolve(options: &Resolve, out: &mut impl Write) -> Result<Verdict, Trouble> {
    let migrator = migrator(&folder(&options.source.source)?)?;
    let place = Place::find(&options.target)?;
    let done = match options.done {
        Done::All => None,
        Done::First(statements) => Some(statements),
    };
    place.block_on(migrator.resolve(place.url(), options.version, done))?;
    writeln!(out, "Recorded on {}", place.described)?;
    Ok(Verdict::Clean)
}

/// A throw-away server has nothing to look at or to undo until everything is applied.
fn prepared(target: &Target, migrator: &Migrator) -> Result<Place, Trouble> {
    let place = Place::find(target)?;
    if place.is_throw_away() {
        place.block_on(migrator.run(place.url()))?;
    }
    Ok(place)
}

fn migrator(folder: &std::path::Path) -> Result<Migrator, Trouble> {
    let migrator = Migrator::from_folder(folder)?;
    if migrator.migrations()?.is_empty() {
        return Err(Failure::new(format!(
            "there is no migration in {}: `cargo ark-mysql migrate add NAME` makes one (<version>_<name>.sql)",
            folder.display()
        ))
        .into());
    }
    Ok(migrator)
}

fn count(files: usize) -> String {
    match files {
        1 => "1 migration".to_owned(),
        files => format!("{files} migrations"),
    }
}

fn tell(progress: Progress<'_>) {
    let mut out = std::io::stdout();
    // Standard output is gone: the work goes on all the same.
    let _ = match progress {
        Progress::Waiting { holder, .. } => writeln!(
            out,
            "  waiting for another migration of this database (connection {})",
            holder.map_or("unknown".to_owned(), |id| id.to_string())
        ),
        Progress::Begin { file, done: 0, .. } => write!(out, "  {file} …"),
        Progress::Begin {
            file,
            done,
            statements,
        } => write!(out, "  {file}, behind statement {done} of {statements} …"),
        Progress::End { elapsed, .. } => writeln!(out, " {elapsed:.1?}"),
        _ => Ok(()),
    };
    let _ = out.flush();
}

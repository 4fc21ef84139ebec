//! `cargo ark-mysql dev …`: a server in the background, for all days but those of tests.

pub(crate) mod arguments;
mod shell;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use ark_mysql::Connection;
use ark_mysql::dev_server::{Background, DevServer, Flavor};
use ark_mysql::migrate::Migrator;
use ark_mysql_check::settings::{DATABASE_URL, OFFLINE};

use crate::Verdict;
use crate::arguments::DevFlavor;
use crate::failure::Failure;
use arguments::{DevCommand, Run, Stop, Where, Which};

/// A server that was told to end has this long.
const PATIENCE: Duration = Duration::from_secs(30);
/// A server's own limit.
const LONGEST_NAME: usize = 64;

const FLAVORS: [Flavor; 2] = [Flavor::MySql, Flavor::MariaDb];

pub(crate) fn run(command: &DevCommand, out: &mut impl Write) -> Result<Verdict, Failure> {
    match command {
        DevCommand::Start(which) => start(which, out),
        DevCommand::Stop(options) => stop(options, out),
        DevCommand::Status => status(out),
        DevCommand::Url(place) => {
            let running = find(place)?;
            writeln!(out, "{}", running.url_for(&database(place)?))?;
            Ok(Verdict::Clean)
        }
        DevCommand::Shell(place) => {
            let running = find(place)?;
            let database = database(place)?;
            create(&running, &database)?;
            shell::open(&running, &database)
        }
        DevCommand::Run(options) => run_command(options),
    }
}

/// What goes behind "set DATABASE_URL …".
pub(crate) fn advice() -> &'static str {
    match Background::find_any() {
        Some(_) => ", or to the dev server that runs: DATABASE_URL=$(cargo ark-mysql dev url)",
        None => "; `cargo ark-mysql dev start` starts one",
    }
}

fn start(which: &Which, out: &mut impl Write) -> Result<Verdict, Failure> {
    let flavor = flavor(which.flavor);
    let ran = Background::find(flavor).is_some();
    let running = Background::start(flavor)?;
    let database = workspace_name()?;
    create(&running, &database)?;
    let verb = if ran { "runs already" } else { "runs" };
    writeln!(
        out,
        "{flavor} {} {verb}, with the database {database}",
        running.version()
    )?;
    writeln!(
        out,
        "  in a shell: export {DATABASE_URL}={}",
        running.url_for(&database)
    )?;
    writeln!(
        out,
        "  for good:   put {DATABASE_URL}={} into .env",
        running.url_for(&database)
    )?;
    Ok(Verdict::Clean)
}

fn stop(options: &Stop, out: &mut impl Write) -> Result<Verdict, Failure> {
    let wanted = match options.flavor {
        Some(one) => vec![flavor(one)],
        None => FLAVORS.to_vec(),
    };
    let mut any = false;
    for flavor in wanted {
        if let Some(running) = Background::find(flavor) {
            shut_down(&running)?;
            any = true;
            writeln!(out, "{flavor} is stopped")?;
        }
        if options.remove_data && Background::data(flavor)?.exists() {
            Background::remove_data(flavor)?;
            any = true;
            writeln!(out, "the data of {flavor} is removed")?;
        }
    }
    if !any {
        writeln!(out, "no dev server runs")?;
    }
    Ok(Verdict::Clean)
}

/// By SQL: whoever answers there is the server, which the number of a process is not for ever. It answers no more long before it is done with
/// its data; the file with its number is what it removes last.
fn shut_down(running: &Background) -> Result<(), Failure> {
    let pid_file = block_on(async {
        let mut connection = Connection::connect(running.socket_url_for("")).await?;
        let pid_file = ark_mysql::query("SELECT @@pid_file").fetch_one(&mut connection);
        let pid_file: String = pid_file.await?.get(0)?;
        connection.run_script("SHUTDOWN").await?;
        Ok::<_, ark_mysql::Error>(PathBuf::from(pid_file))
    })??;
    let begun = Instant::now();
    while Background::find(running.flavor()).is_some() || pid_file.exists() {
        if begun.elapsed() > PATIENCE {
            return Err(Failure::new(format!(
                "the server was told to end and still runs after {} s: look at its processes ({})",
                PATIENCE.as_secs(),
                running.flavor()
            )));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn status(out: &mut impl Write) -> Result<Verdict, Failure> {
    let mut any = false;
    for flavor in FLAVORS {
        let Some(running) = Background::find(flavor) else {
            continue;
        };
        any = true;
        writeln!(
            out,
            "{flavor} {}: {}\n  socket {}\n  data   {}",
            running.version(),
            running.url_for(&workspace_name()?),
            running.socket().display(),
            Background::data(flavor)?.display()
        )?;
    }
    if any {
        return Ok(Verdict::Clean);
    }
    writeln!(
        out,
        "no dev server runs: `cargo ark-mysql dev start` starts one"
    )?;
    Ok(Verdict::Findings)
}

fn find(place: &Where) -> Result<Background, Failure> {
    let found = match place.flavor {
        Some(one) => Background::find(flavor(one)),
        None => Background::find_any(),
    };
    found.ok_or_else(|| {
        Failure::new("no dev server runs: `cargo ark-mysql dev start` starts one".to_owned())
    })
}

/// The command's exit status is ours.
fn run_command(options: &Run) -> Result<Verdict, Failure> {
    let migrator = options
        .migrations
        .as_deref()
        .map(Migrator::from_folder)
        .transpose()?;
    let database = database(&options.place)?;
    let throw_away;
    let url = match find(&options.place) {
        Ok(running) => {
            create(&running, &database)?;
            running.url_for(&database)
        }
        Err(_) => {
            let builder = DevServer::builder();
            throw_away = match options.place.flavor {
                Some(one) => builder.flavor(flavor(one)).start()?,
                None => builder.start()?,
            };
            let url = throw_away.url_for(&database);
            create_by(&throw_away.url(), &database)?;
            url
        }
    };
    if let Some(migrator) = migrator {
        block_on(migrator.run(&url))??;
    }
    let [program, arguments @ ..] = options.command.as_slice() else {
        return Ok(Verdict::Clean);
    };
    let status = Command::new(program)
        .args(arguments)
        .env(DATABASE_URL, &url)
        .env_remove(OFFLINE)
        .status();
    let status = status.map_err(|error| {
        Failure::new(format!(
            "cannot run {}: {error}",
            Path::new(program).display()
        ))
    })?;
    Ok(verdict(status))
}

fn verdict(status: ExitStatus) -> Verdict {
    match status.code() {
        Some(0) => Verdict::Clean,
        Some(code) => Verdict::Code(u8::try_from(code).unwrap_or(1)),
        None => Verdict::Findings,
    }
}

fn flavor(flavor: DevFlavor) -> Flavor {
    match flavor {
        DevFlavor::Mysql => Flavor::MySql,
        DevFlavor::Mariadb => Flavor::MariaDb,
    }
}

fn database(place: &Where) -> Result<String, Failure> {
    place.database.as_deref().map_or_else(workspace_name, |name| {
        if name == named(name) {
            return Ok(name.to_owned());
        }
        Err(Failure::new(format!(
            "`{name}` is no name for a database here: write at most {LONGEST_NAME} letters, digits and underscores"
        )))
    })
}

/// The workspace's folder, in letters that need no quotes.
fn workspace_name() -> Result<String, Failure> {
    let here = std::env::current_dir()?;
    let root = here
        .ancestors()
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .last();
    let name = root
        .unwrap_or(&here)
        .file_name()
        .and_then(|name| name.to_str());
    let name = named(name.unwrap_or_default());
    Ok(if name.is_empty() {
        "test".to_owned()
    } else {
        name
    })
}

fn named(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(plain).take(LONGEST_NAME).collect()
}

fn create(running: &Background, database: &str) -> Result<(), Failure> {
    create_by(&running.url_for(""), database)
}

fn create_by(url: &str, database: &str) -> Result<(), Failure> {
    let sql = format!("CREATE DATABASE IF NOT EXISTS `{database}` CHARACTER SET utf8mb4");
    block_on(async {
        let mut connection = Connection::connect(url).await?;
        connection.run_script(&sql).await
    })??;
    Ok(())
}

fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(future))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_make_names_that_need_no_quotes() {
        assert_eq!(named("my-shop 2"), "my_shop_2");
        assert_eq!(named("größe"), "gr__e");
        assert_eq!(named(&"x".repeat(80)).len(), 64);
    }
}

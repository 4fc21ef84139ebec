//! Filled data folders, one for each program version, made once and copied for every start: filling one takes seconds.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::DevServerError;
use super::program::{Program, SYSTEM_TABLES, with_path};
use super::{Flavor, cache, process, progress};

/// Raise it when the making below changes: old templates are then left alone.
const REVISION: u32 = 1;

/// The folder in a template that is copied.
const DATA: &str = "data";

/// The stock account is root@localhost, which a machine that cannot look 127.0.0.1 up would not be.
const MYSQL_ACCOUNTS: &str = "CREATE DATABASE IF NOT EXISTS test;\nCREATE USER 'root'@'127.0.0.1';\nGRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;\n";
const MARIADB_ACCOUNTS: &str = "CREATE DATABASE IF NOT EXISTS test;\n\
    DELETE FROM mysql.global_priv WHERE User = '' OR User = 'root' AND Host <> 'localhost';\n\
    INSERT INTO mysql.global_priv SELECT '127.0.0.1', User, Priv FROM mysql.global_priv WHERE Host = 'localhost' AND User = 'root';\n";

/// The SQL of MariaDB's own installer, in its order, by the part of the name that never changed.
const MARIADB_SQL: [&str; 6] = [
    "system_tables",
    "performance_tables",
    "system_tables_data",
    "fill_help_tables",
    "maria_add_gis_sp_bootstrap",
    "sys_schema",
];

/// These decide the format of the files, so that each value needs a template of its own.
const FORMAT_OPTIONS: [&str; 2] = ["lower-case-table-names", "innodb-page-size"];

/// A data folder to copy, for this program and those of the `arguments` that decide its format.
pub(super) fn ensure(program: &Program, arguments: &[OsString]) -> Result<PathBuf, DevServerError> {
    let format: Vec<&str> = arguments
        .iter()
        .filter_map(|argument| argument.to_str())
        .filter(|argument| decides_format(argument))
        .collect();
    let name = format!(
        "{}-{}-{}{}-r{REVISION}",
        program.flavor.word(),
        program.version,
        std::env::consts::ARCH,
        format.concat()
    );
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-+.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let template = cache::folder()?.join("templates").join(name);
    cache::once(&template, |folder| {
        progress(&format!(
            "filling a data folder for {} {} (once)",
            program.flavor, program.version
        ));
        make(program, &format, folder)
    })?;
    Ok(template.join(DATA))
}

fn decides_format(argument: &str) -> bool {
    let name = argument
        .trim_start_matches('-')
        .split('=')
        .next()
        .unwrap_or_default()
        .replace('_', "-");
    FORMAT_OPTIONS.contains(&name.as_str())
}

fn make(program: &Program, format: &[&str], folder: &Path) -> Result<(), DevServerError> {
    let data = folder.join(DATA);
    fs::create_dir(&data).map_err(DevServerError::file("creating the folder", &data))?;
    let (sql, log) = (folder.join("first.sql"), folder.join("log"));
    let mut words = program.command();
    words.push(with_path("--datadir=", &data));
    words.extend(process::settings(program.flavor, &data));
    words.extend(format.iter().map(OsString::from));
    match program.flavor {
        Flavor::MySql => {
            write(&sql, MYSQL_ACCOUNTS.as_bytes())?;
            words.extend([
                "--initialize-insecure".into(),
                with_path("--init-file=", &sql),
            ]);
        }
        Flavor::MariaDb => {
            write(&sql, &bootstrap(program)?)?;
            words.push("--bootstrap".into());
        }
    }
    run(program, &words, &sql, &log)?;
    remove_volatile(&data);
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), DevServerError> {
    fs::write(path, bytes).map_err(DevServerError::file("writing", path))
}

/// What `mariadb-install-db` would feed to the server: it is a shell script full of paths, and not always there.
fn bootstrap(program: &Program) -> Result<Vec<u8>, DevServerError> {
    let missing = || DevServerError::BadProgram {
        program: program.file.clone(),
        reason: format!(
            "its share folder with {} was not found",
            SYSTEM_TABLES.join(" or ")
        ),
    };
    let share = program.share().ok_or_else(missing)?;
    let mut sql = b"create database mysql;\nuse mysql;\n".to_vec();
    for name in MARIADB_SQL {
        let names = [
            format!("mariadb_{name}.sql"),
            format!("mysql_{name}.sql"),
            format!("{name}.sql"),
        ];
        if let Some(path) = names
            .iter()
            .map(|name| share.join(name))
            .find(|path| path.is_file())
        {
            sql.extend(fs::read(&path).map_err(DevServerError::file("reading", &path))?);
        }
    }
    sql.extend_from_slice(MARIADB_ACCOUNTS.as_bytes());
    Ok(sql)
}

fn run(
    program: &Program,
    words: &[OsString],
    input: &Path,
    log: &Path,
) -> Result<(), DevServerError> {
    let open = |path: &Path| File::open(path).map_err(DevServerError::file("opening", path));
    let create = |path: &Path| File::create(path).map_err(DevServerError::file("creating", path));
    let (out, input) = (create(log)?, open(input)?);
    let errors = out
        .try_clone()
        .map_err(DevServerError::file("opening", log))?;
    let [first, rest @ ..] = words else {
        return Ok(());
    };
    let status = Command::new(first)
        .args(rest)
        .env_remove("LD_PRELOAD")
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(out))
        .stderr(Stdio::from(errors))
        .status()
        .map_err(DevServerError::file("running", &program.file))?;
    if status.success() {
        return Ok(());
    }
    Err(DevServerError::Initialise {
        program: program.file.clone(),
        log: process::tail(log),
    })
}

/// The server's identity, which every copy must choose anew, and spare log files, which are only bytes to copy.
fn remove_volatile(folder: &Path) {
    let _ = fs::remove_file(folder.join("auto.cnf"));
    for entry in fs::read_dir(folder.join("#innodb_redo"))
        .into_iter()
        .flatten()
        .flatten()
    {
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.ends_with("_tmp"))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

//! The offline cache: `<crate>/.ark-mysql/<16 hex of SHA-256 of the SQL>.json`, committed, one file a statement.
//!
//! Beside them `session.json` says what was set at the server, where that is unusual and changes the meaning of statements: for `verify_schema!`.
//!
//! It is data, never code: `entry` holds the closed grammar that is all a file may say. Files come from pull requests
//! of strangers, so reading refuses whatever `cargo ark-mysql prepare` would not have written.

mod entry;
mod exact;
mod insignificant;
mod session;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

pub use entry::Entry;
pub use session::SessionSettings;

use crate::description::Description;

/// The cache folder's name beside a crate's manifest.
pub const FOLDER: &str = ".ark-mysql";

/// A statement of a thousand columns with long names stays far below; a larger file is no description.
const MAX_ENTRY_BYTES: u64 = 1 << 20;

/// The cache of one crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// What [`Cache::write`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// There was no such entry, or a different one.
    Changed,
    /// The entry was there, to the byte.
    Unchanged,
}

/// A cache file that cannot be used or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheError {
    /// The file or folder.
    pub file: PathBuf,
    /// What is wrong with it.
    pub problem: CacheProblem,
}

/// What is wrong with a cache file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheProblem {
    /// Its content is not what `cargo ark-mysql prepare` writes.
    Damaged(String),
    /// Git left its markers in it.
    Conflict,
    /// It describes another statement than the one its name stands for.
    OtherStatement,
    /// It is a link, a folder or a device.
    NotAFile,
    /// The system refused.
    Io(String),
    /// A server described something that an entry cannot hold.
    CannotHold(String),
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str = "it was tampered with or damaged: run `cargo ark-mysql prepare` and review the difference";
        let file = self.file.display();
        match &self.problem {
            CacheProblem::Damaged(what) => write!(f, "cache file {file}: {what}; {AGAIN}"),
            CacheProblem::Conflict => write!(
                f,
                "cache file {file}: it has merge conflict markers: run `cargo ark-mysql prepare`, or keep either side"
            ),
            CacheProblem::OtherStatement => write!(
                f,
                "cache file {file}: it describes another statement; {AGAIN}"
            ),
            CacheProblem::NotAFile => {
                write!(f, "cache file {file}: it is not a plain file; {AGAIN}")
            }
            CacheProblem::Io(what) => write!(f, "cache file {file}: {what}"),
            CacheProblem::CannotHold(what) => write!(f, "cache file {file}: cannot hold {what}"),
        }
    }
}

impl std::error::Error for CacheError {}

/// Returns the file name of a statement's entry: 16 hexadecimal digits of the SHA-256 of its SQL, and `.json`.
pub fn file_name(sql: &str) -> String {
    let digest = Sha256::digest(sql.as_bytes());
    let mut name = String::with_capacity(21);
    for byte in digest.iter().take(8) {
        name.push_str(&format!("{byte:02x}"));
    }
    name + ".json"
}

impl Cache {
    /// Names the cache of the crate in `manifest_dir`; looks at nothing.
    pub fn of(manifest_dir: &Path) -> Self {
        Self {
            folder: manifest_dir.join(FOLDER),
        }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns where a statement's entry is, or would be.
    pub fn path(&self, sql: &str) -> PathBuf {
        self.folder.join(file_name(sql))
    }

    /// Reads a statement's entry; `None` when there is none.
    ///
    /// # Errors
    /// A file that is there and cannot be trusted to the letter.
    pub fn read(&self, sql: &str) -> Result<Option<Description>, CacheError> {
        Self::read_at(self.path(sql), sql)
    }

    /// The same where its path is known.
    pub(super) fn read_at(path: PathBuf, sql: &str) -> Result<Option<Description>, CacheError> {
        match read_entry(&path)? {
            Some(entry) if entry.sql == sql => Ok(Some(entry.description)),
            Some(_) => Err(CacheError {
                file: path,
                problem: CacheProblem::OtherStatement,
            }),
            None => Ok(None),
        }
    }

    /// Writes a statement's entry, unless it is there to the byte already. Readers see the old file or the new one, never a part.
    ///
    /// # Errors
    /// The folder is a link, the system refuses, or the description is beyond what an entry may hold.
    pub fn write(&self, sql: &str, description: &Description) -> Result<Written, CacheError> {
        let path = self.path(sql);
        let text = Entry {
            sql: sql.to_owned(),
            description: description.clone(),
        }
        .to_json();
        Entry::parse(&text).map_err(|problem| cannot_hold(&path, problem))?;
        if text.len() as u64 > MAX_ENTRY_BYTES {
            return Err(cannot_hold(&path, "more than 1 MiB".to_owned()));
        }
        self.put(&path, &text)
    }

    /// Returns what was set at the server that described the crate's statements; what is usual where there is no such file.
    ///
    /// # Errors
    /// A file that is there and cannot be trusted to the letter.
    pub fn session(&self) -> Result<SessionSettings, CacheError> {
        let path = self.session_path();
        let Some(text) = read_plain(&path)? else {
            return Ok(SessionSettings::default());
        };
        SessionSettings::parse(&text).map_err(|what| unfit(&path, &text, what))
    }

    /// Notes what was set at the server: by a file where that is not what is usual.
    ///
    /// # Errors
    /// The folder is a link, or the system refuses.
    pub fn write_session(&self, settings: &SessionSettings) -> Result<Written, CacheError> {
        let path = self.session_path();
        if *settings != SessionSettings::default() {
            return self.put(&path, &settings.to_json());
        }
        match fs::symlink_metadata(&path) {
            Ok(_) => self.remove(&path).map(|()| Written::Changed),
            Err(_) => Ok(Written::Unchanged),
        }
    }

    /// Returns the file of [`Cache::session`].
    pub fn session_path(&self) -> PathBuf {
        self.folder.join(session::FILE)
    }

    fn put(&self, path: &Path, text: &str) -> Result<Written, CacheError> {
        // Git may have made the line ends those of Windows.
        let is_same = |before: &str| before.replace("\r\n", "\n") == text;
        if matches!(read_plain(path), Ok(Some(before)) if is_same(&before)) {
            return Ok(Written::Unchanged);
        }
        self.make_folder()?;
        replace(path, text).map_err(|error| io_error(path, &error))?;
        Ok(Written::Changed)
    }

    /// Removes an entry that [`Cache::files`] named.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(&self, file: &Path) -> Result<(), CacheError> {
        fs::remove_file(file).map_err(|error| io_error(file, &error))
    }

    /// Returns every file of the folder whose name is that of an entry, sorted; nothing when there is no folder.
    ///
    /// # Errors
    /// The folder is a link or cannot be listed.
    pub fn files(&self) -> Result<Vec<PathBuf>, CacheError> {
        if !self.folder_is_there()? {
            return Ok(Vec::new());
        }
        let failed = |error: io::Error| io_error(&self.folder, &error);
        let mut files = Vec::new();
        for item in fs::read_dir(&self.folder).map_err(failed)? {
            let path = item.map_err(failed)?.path();
            if path
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(is_entry_name)
            {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Reads every entry, in the order of the files' names; nothing when there is no folder.
    ///
    /// # Errors
    /// The first file that cannot be trusted to the letter.
    pub fn entries(&self) -> Result<Vec<Entry>, CacheError> {
        let mut entries = Vec::new();
        for file in self.files()? {
            // One that has gone in between is none.
            let Some(entry) = read_entry(&file)? else {
                continue;
            };
            if self.path(&entry.sql) != file {
                return Err(CacheError {
                    file,
                    problem: CacheProblem::OtherStatement,
                });
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    fn folder_is_there(&self) -> Result<bool, CacheError> {
        match fs::symlink_metadata(&self.folder) {
            Ok(metadata) if metadata.is_dir() => Ok(true),
            Ok(_) => Err(CacheError {
                file: self.folder.clone(),
                problem: CacheProblem::NotAFile,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(io_error(&self.folder, &error)),
        }
    }

    fn make_folder(&self) -> Result<(), CacheError> {
        if self.folder_is_there()? {
            return Ok(());
        }
        fs::create_dir(&self.folder).map_err(|error| io_error(&self.folder, &error))
    }
}

/// Reads the entry in a file, whatever its name is; `None` when there is no such file.
///
/// # Errors
/// A file that is there and cannot be trusted to the letter.
pub fn read_entry(file: &Path) -> Result<Option<Entry>, CacheError> {
    let Some(text) = read_plain(file)? else {
        return Ok(None);
    };
    match Entry::parse(&text) {
        Ok(entry) => Ok(Some(entry)),
        Err(what) => Err(unfit(file, &text, what)),
    }
}

fn unfit(file: &Path, text: &str, what: String) -> CacheError {
    CacheError {
        file: file.to_owned(),
        problem: if has_conflict(text) {
            CacheProblem::Conflict
        } else {
            CacheProblem::Damaged(what)
        },
    }
}

/// Two branches that describe one statement in two ways end like this.
fn has_conflict(text: &str) -> bool {
    ["<<<<<<< ", ">>>>>>> "]
        .iter()
        .all(|marker| text.lines().any(|line| line.starts_with(marker)))
}

/// Links are refused, and whatever could block or never end (pipes, devices); sizes are bounded before anything is parsed.
fn read_plain(file: &Path) -> Result<Option<String>, CacheError> {
    let fail = |problem| CacheError {
        file: file.to_owned(),
        problem,
    };
    let announced = match fs::symlink_metadata(file) {
        Ok(metadata) if metadata.is_file() => metadata.len().min(MAX_ENTRY_BYTES),
        Ok(_) => return Err(fail(CacheProblem::NotAFile)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error(file, &error)),
    };
    // One byte more, so that the end is seen in the first read: `take` hides the size from `read_to_end`.
    let mut bytes = Vec::with_capacity(usize::try_from(announced).unwrap_or(0) + 1);
    let open = File::open(file).map_err(|error| io_error(file, &error))?;
    open.take(MAX_ENTRY_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| io_error(file, &error))?;
    if bytes.len() as u64 > MAX_ENTRY_BYTES {
        return Err(fail(CacheProblem::Damaged(
            "it is larger than 1 MiB".to_owned(),
        )));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| fail(CacheProblem::Damaged("it is not UTF-8".to_owned())))
}

/// Writes to a name of its own and renames: two builds may do the same at the same time.
pub(crate) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let temporary = file.with_extension(format!("{:016x}.tmp", u64::from_le_bytes(random)));
    let written = File::create_new(&temporary).and_then(|mut open| {
        readable(&open)?;
        open.write_all(text.as_bytes())
    });
    let done = written.and_then(|()| fs::rename(&temporary, file));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Whatever the umask of the one who writes: the files are committed, and nothing in them is secret.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> io::Result<()> {
    Ok(())
}

fn is_entry_name(name: &str) -> bool {
    name.strip_suffix(".json").is_some_and(|stem| {
        stem.len() == 16 && stem.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn io_error(file: &Path, error: &io::Error) -> CacheError {
    CacheError {
        file: file.to_owned(),
        problem: CacheProblem::Io(error.to_string()),
    }
}

fn cannot_hold(file: &Path, what: String) -> CacheError {
    CacheError {
        file: file.to_owned(),
        problem: CacheProblem::CannotHold(what),
    }
}

#[cfg(test)]
mod tests;

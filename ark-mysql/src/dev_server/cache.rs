//! The user's cache folder: things made once, by whichever process comes first, and used by all.

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::error::DevServerError;
use super::progress;

/// The folder of ark-mysql in the user's cache folder. It need not exist.
pub(super) fn folder() -> Result<PathBuf, DevServerError> {
    let absolute = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| {
        absolute("HOME").map(|home| {
            home.join(if cfg!(target_os = "macos") {
                "Library/Caches"
            } else {
                ".cache"
            })
        })
    });
    base.map(|base| base.join("ark-mysql"))
        .ok_or(DevServerError::NoCacheFolder)
}

/// Makes `target` unless it exists: `make` fills a folder beside it, which then gets its name. Nobody ever sees half of it.
///
/// A lock lets others wait instead of doing the same work; where the file system has no locks, the first rename wins.
pub(super) fn once(
    target: &Path,
    make: impl FnOnce(&Path) -> Result<(), DevServerError>,
) -> Result<(), DevServerError> {
    let (Some(parent), Some(name)) = (
        target.parent(),
        target.file_name().and_then(|name| name.to_str()),
    ) else {
        return Err(DevServerError::NoCacheFolder);
    };
    if target.exists() {
        return Ok(());
    }
    fs::create_dir_all(parent).map_err(DevServerError::file("creating the folder", parent))?;
    let lock = lock(&parent.join(format!("{name}.lock")))?;
    if target.exists() {
        return Ok(());
    }
    let prefix = format!(".{name}.");
    if lock.is_some() {
        remove_leftovers(parent, &prefix);
    }
    let fresh = tempfile::Builder::new()
        .prefix(&prefix)
        .tempdir_in(parent)
        .map_err(DevServerError::file("creating a folder in", parent))?;
    make(fresh.path())?;
    match fs::rename(fresh.path(), target) {
        Err(_) if target.exists() => Ok(()),
        done => done.map_err(DevServerError::file("renaming into place", target)),
    }
}

/// `None` where the file system knows no locks.
fn lock(path: &Path) -> Result<Option<File>, DevServerError> {
    let file = File::create(path).map_err(DevServerError::file("creating the lock file", path))?;
    match file.try_lock() {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {
            progress("waiting for another process that is making the same thing")
        }
        Err(TryLockError::Error(_)) => return Ok(None),
    }
    Ok(file.lock().is_ok().then_some(file))
}

/// What a process left that was killed in the middle. Only the holder of the lock may call this.
fn remove_leftovers(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(prefix))
        {
            // Left where it is if it cannot be removed: it costs space and nothing else.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Copies a folder with everything in it. `fs::copy` shares the blocks where the file system can.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), DevServerError> {
    fs::create_dir_all(to).map_err(DevServerError::file("creating the folder", to))?;
    for entry in fs::read_dir(from).map_err(DevServerError::file("reading the folder", from))? {
        let source = entry
            .map_err(DevServerError::file("reading the folder", from))?
            .path();
        let Some(name) = source.file_name() else {
            continue;
        };
        let target = to.join(name);
        if source.is_dir() {
            copy(&source, &target)?;
        } else {
            fs::copy(&source, &target).map_err(DevServerError::file("copying to", &target))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn many_makers_make_it_once() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("thing");
        let made = AtomicUsize::new(0);
        let make = |folder: &Path| {
            made.fetch_add(1, Ordering::Relaxed);
            thread::sleep(std::time::Duration::from_millis(20));
            fs::write(folder.join("file"), "whole").map_err(DevServerError::file("writing", folder))
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| once(&target, make).unwrap());
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!(fs::read_to_string(target.join("file")).unwrap(), "whole");
    }

    #[test]
    fn a_failed_attempt_leaves_nothing_and_the_next_one_clears_up() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("thing");
        fs::create_dir(parent.path().join(".thing.killed")).unwrap();
        assert!(once(&target, |_| Err(DevServerError::NoCacheFolder)).is_err());
        let left: Vec<_> = fs::read_dir(parent.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["thing.lock"]);
    }

    #[test]
    fn a_copy_has_the_whole_tree() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c"), "deep").unwrap();
        copy(&folder.path().join("a"), &folder.path().join("copy")).unwrap();
        assert_eq!(
            fs::read_to_string(folder.path().join("copy/b/c")).unwrap(),
            "deep"
        );
    }
}

//! What the process itself can tell: its memory, its open files, its panics.

use std::collections::BTreeSet;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, panic};

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Counts panics from now on, in all threads.
pub(crate) fn count_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        usual(info);
    }));
}

pub(crate) fn panics() -> usize {
    PANICS.load(Ordering::SeqCst)
}

/// The largest size of the process since [`forget_peak`], in KiB.
pub(crate) fn peak() -> usize {
    status("VmHWM:")
}

/// The size of the process, in KiB.
pub(crate) fn resident() -> usize {
    status("VmRSS:")
}

pub(crate) fn forget_peak() {
    fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn status(field: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The regular files that are open.
pub(crate) fn open_files() -> BTreeSet<PathBuf> {
    let links = fs::read_dir("/proc/self/fd").unwrap();
    let targets = links.filter_map(|link| fs::read_link(link.unwrap().path()).ok());
    targets.filter(|path| path.is_file()).collect()
}

/// A file that tells whether anybody opened it: a pipe with a name. Opening it for reading waits for a writer, so nobody who did so has gone on.
pub(crate) struct Bait {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Bait {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bait");
        let made = std::process::Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap();
        assert!(made.success());
        Self {
            _folder: folder,
            path,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether somebody reads it, or waits to.
    pub(crate) fn is_taken(&self) -> bool {
        const NONBLOCK: i32 = 0o4000;
        match fs::OpenOptions::new()
            .write(true)
            .custom_flags(NONBLOCK)
            .open(&self.path)
        {
            Ok(_) => true,
            Err(error) => {
                // ENXIO: nobody has the other end.
                assert_eq!(error.raw_os_error(), Some(6), "{error}");
                false
            }
        }
    }
}

//! The shell that ends a server when nobody needs it any more, whatever became of us.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::error::DevServerError;
use super::process::POLL;

const SCRIPT: &str = include_str!("watch.sh");

/// The script kills the server after five seconds; then it removes the folder.
const STOP: Duration = Duration::from_secs(8);

/// The server and its folder, both of which end with this value, and with this process.
#[derive(Debug)]
pub(super) struct Watcher {
    script: Child,
    folder: TempDir,
    /// The server and its folder are to outlive this value.
    detached: bool,
}

impl Watcher {
    /// Watches over `folder` from now on; the server waits for [`Watcher::start`].
    pub(super) fn spawn(
        folder: TempDir,
        server: &[OsString],
        kept: bool,
    ) -> Result<Self, DevServerError> {
        let script = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "watch"])
            .arg(folder.path())
            .arg(if kept { "1" } else { "0" })
            .args(server)
            .env_remove("LD_PRELOAD") // a profiler or another allocator is meant for the program under test
            .current_dir("/")
            .process_group(0) // the terminal's Ctrl-C is for our process; the script hears of it by the pipe
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(DevServerError::file("running", Path::new("/bin/sh")))?;
        Ok(Self {
            script,
            folder,
            detached: false,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn start(&self) {
        self.say("start\n");
    }

    /// The server, its folder and the script live on until the server is told to end.
    pub(super) fn detach(&mut self) {
        self.say("stay\n");
        self.detached = true;
        self.folder.disable_cleanup(true);
    }

    pub(super) fn say(&self, line: &str) {
        if let Some(mut pipe) = self.script.stdin.as_ref() {
            // A script that is gone has nothing left to do; who waits for the server finds out.
            let _ = pipe.write_all(line.as_bytes());
        }
    }

    pub(super) fn wait_for_the_end(&mut self) {
        drop(self.script.stdin.take());
        let begun = Instant::now();
        while matches!(self.script.try_wait(), Ok(None)) && begun.elapsed() < STOP {
            thread::sleep(POLL);
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if !self.detached {
            self.wait_for_the_end();
        }
    }
}

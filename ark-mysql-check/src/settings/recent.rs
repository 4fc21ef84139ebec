//! Settings that were read a moment ago are those of the next statement, too: a crate asks for them once a statement, and each time costs a dozen system calls.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{DATABASE_URL, Environment, OFFLINE, RECORD, Settings, SettingsError};

/// How long files may have changed without being read again. Nobody saves a file and looks at what came of it in less; and a build, which expands a statement in a
/// third of a millisecond, reads them for one in a hundred.
const MOMENT: Duration = Duration::from_millis(30);

static LAST: Mutex<Option<Last>> = Mutex::new(None);

struct Last {
    of: Asked,
    at: Instant,
    settings: Settings,
}

/// All that settings depend on but files: several crates with environments of their own may live in one process.
#[derive(PartialEq, Eq)]
struct Asked {
    manifest_dir: PathBuf,
    variables: [Option<OsString>; 3],
}

/// The settings of a crate, as [`Settings::load`] gives them now, or gave them not more than a moment ago.
///
/// # Errors
/// As [`Settings::load`]; those are never kept.
pub(crate) fn settings(
    manifest_dir: &Path,
    environment: Environment<'_>,
) -> Result<Settings, SettingsError> {
    let asked = Asked {
        manifest_dir: manifest_dir.to_owned(),
        variables: [DATABASE_URL, OFFLINE, RECORD].map(environment),
    };
    // What another thread left when it panicked is as good as any.
    let mut last = LAST.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let known = last.as_ref();
    let known = known.filter(|last| last.of == asked && last.at.elapsed() < MOMENT);
    if let Some(Last { settings, .. }) = known {
        return Ok(settings.clone());
    }
    // The moment begins before files are looked at.
    let at = Instant::now();
    let settings = Settings::load(manifest_dir, environment)?;
    *last = Some(Last {
        of: asked,
        at,
        settings: settings.clone(),
    });
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread::sleep;

    use super::*;
    use crate::settings::Source;
    use crate::settings::scratch::Scratch;

    fn is_offline(folder: &Path, value: Option<&str>) -> bool {
        let variable = |name: &str| value.filter(|_| name == OFFLINE).map(OsString::from);
        let settings = settings(folder, &variable).unwrap();
        matches!(settings.source, Source::Offline)
    }

    #[test]
    fn what_changed_is_seen_after_a_moment_and_another_crate_or_variable_at_once() {
        let (one, other) = (Scratch::new("one"), Scratch::new("other"));
        let file = one.path().join(".env");
        fs::write(&file, "ARK_MYSQL_OFFLINE=1").unwrap();
        assert!(is_offline(one.path(), None));
        assert!(!is_offline(other.path(), None));
        assert!(is_offline(one.path(), None));
        assert!(!is_offline(one.path(), Some("0")));
        assert!(is_offline(one.path(), None));
        fs::write(&file, "ARK_MYSQL_OFFLINE=0").unwrap();
        sleep(MOMENT);
        assert!(!is_offline(one.path(), None));
    }

    #[test]
    fn mistakes_are_not_kept() {
        let folder = Scratch::new("mistakes");
        let file = folder.path().join(".env");
        fs::write(&file, "ARK_MYSQL_OFFLINE=maybe").unwrap();
        assert!(settings(folder.path(), &|_| None).is_err());
        fs::write(&file, "ARK_MYSQL_OFFLINE=1").unwrap();
        assert!(is_offline(folder.path(), None));
    }
}

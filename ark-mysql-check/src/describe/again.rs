//! Says the same thing once: where no statement of a crate can be checked, two hundred copies of one message help nobody.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::description::{Place, Words};

/// A build meets its statements one right after the other. A language server lives on, and after a pause nobody remembers.
const REMEMBER: Duration = Duration::from_secs(5);

static TOLD: Mutex<BTreeMap<(PathBuf, String), Told>> = Mutex::new(BTreeMap::new());

struct Told {
    file: String,
    line: usize,
    last: Instant,
}

/// The whole message where its cause is met for the first time, else a line that says where to read it.
pub(crate) fn words(words: &Words, place: &Place) -> String {
    let Some(again) = &words.again else {
        return words.whole.clone();
    };
    let now = Instant::now();
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.retain(|_, told| now.duration_since(told.last) < REMEMBER);
    let first = told
        .entry((place.manifest_dir.clone(), again.clone()))
        .or_insert_with(|| Told {
            file: place.file.clone(),
            line: place.line,
            last: now,
        });
    first.last = now;
    // The same place once more is the same call, expanded again.
    if (&first.file, first.line) == (&place.file, place.line) {
        return words.whole.clone();
    }
    format!("{again} (see the error at {}:{})", first.file, first.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: usize, manifest_dir: &str) -> Place {
        Place {
            manifest_dir: PathBuf::from(manifest_dir),
            package: "app".to_owned(),
            file: "src/main.rs".to_owned(),
            line,
        }
    }

    #[test]
    fn a_cause_is_told_once_a_crate() {
        let down = Words {
            whole: "no server\n= help: start it".to_owned(),
            again: Some("not checked either".to_owned()),
        };
        assert_eq!(words(&down, &at(3, "/again/app")), down.whole);
        assert_eq!(
            words(&down, &at(9, "/again/app")),
            "not checked either (see the error at src/main.rs:3)"
        );
        assert_eq!(words(&down, &at(3, "/again/app")), down.whole);
        assert_eq!(words(&down, &at(9, "/again/lib")), down.whole);
        let other = Words::from("damaged".to_owned());
        for line in [3, 9] {
            assert_eq!(words(&other, &at(line, "/again/app")), "damaged");
        }
    }
}

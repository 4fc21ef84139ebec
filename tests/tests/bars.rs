//! A bar counts where its tests were run, passed, and said what they reached; nothing less, and for no other commit.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tests::bars::{Attempt, BARS, Bar, Kept, Scale, Shown, Standing, Step, Tree, table};

/// What the tests below run by name. The suite itself leaves them out.
mod fixture {
    use tests::bars::reached;

    #[test]
    #[ignore = "run by name by other tests"]
    fn says_what_it_reached() {
        reached("B0", "7 of 7 | 0 wrong");
    }

    #[test]
    #[ignore = "run by name by other tests"]
    fn says_it_and_fails() {
        reached("B0", "7 of 7");
        panic!("but not the eighth");
    }

    #[test]
    #[ignore = "run by name by other tests"]
    fn says_nothing() {}

    #[test]
    #[ignore = "run by name by other tests"]
    fn speaks_of_another_bar() {
        reached("B00", "7 of 7");
    }

    #[test]
    #[ignore = "run by name by other tests"]
    fn ends_the_process() {
        reached("B0", "7 of 7");
        std::process::exit(0);
    }
}

/// Runs one of them as the command does, in this very binary.
fn attempt(name: &str, arguments: &[&str]) -> Attempt {
    let name = format!("fixture::{name}");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([&name, "--exact", "--nocapture"])
        .args(arguments);
    Attempt::run(command, "B0", &Step::Test("bars", name)).unwrap()
}

const RUN: &[&str] = &["--ignored"];

#[test]
fn a_test_that_says_what_it_reached_counts() {
    let attempt = attempt("says_what_it_reached", RUN);
    assert_eq!(
        (attempt.figures, attempt.failure),
        (vec!["7 of 7 | 0 wrong".to_owned()], None)
    );
}

#[test]
fn nothing_else_does() {
    for (name, arguments, why) in [
        ("says_it_and_fails", RUN, "it failed"),
        ("says_nothing", RUN, "it did not say what it reached"),
        (
            "speaks_of_another_bar",
            RUN,
            "it did not say what it reached",
        ),
        ("ends_the_process", RUN, "nobody can tell that it was run"),
        ("that_vanished", RUN, "no test of this name was run"),
        ("says_what_it_reached", &[], "no test of this name was run"),
        // A name that only begins like one.
        ("says", RUN, "no test of this name was run"),
    ] {
        assert_eq!(
            attempt(name, arguments).failure.as_deref(),
            Some(why),
            "{name} {arguments:?}"
        );
    }
}

#[test]
fn a_binary_that_vanished_fails() {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args([
        "test",
        "--quiet",
        "-p",
        "tests",
        "--test",
        "that-vanished",
        "--",
        "x",
        "--exact",
    ]);
    let attempt =
        Attempt::run(command, "B0", &Step::Test("that-vanished", "x".to_owned())).unwrap();
    assert_eq!(attempt.failure.as_deref(), Some("it failed"));
}

#[test]
fn a_program_prints_its_lines() {
    let run = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Attempt::run(command, "B0", &Step::Program("sh")).unwrap()
    };
    let good = run("echo hello; echo 'B0: 3 targets'; echo 'B0: 4 more'");
    assert_eq!(
        (good.figures, good.failure),
        (vec!["3 targets".to_owned(), "4 more".to_owned()], None)
    );
    assert_eq!(
        run("echo hello").failure.as_deref(),
        Some("it did not say what it reached")
    );
    assert_eq!(
        run("echo 'B0: 3 targets'; false").failure.as_deref(),
        Some("it failed")
    );
}

fn passed() -> Attempt {
    Attempt {
        figures: vec!["all | right".to_owned()],
        failure: None,
        took: Duration::from_millis(1500),
    }
}

const BAR: Bar = Bar {
    id: "B0",
    what: "try",
    reach: "all right",
    shown: &[
        Shown::Test("bars", "tried::mysql"),
        Shown::Test("bars", "tried::mariadb"),
    ],
};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn tree(commit: &str, dirty: bool) -> Tree {
    Tree {
        commit: commit.to_owned(),
        dirty,
    }
}

#[test]
fn what_a_commit_passed_is_kept_for_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let read = |tree: &Tree, scale| Kept::read(folder.path(), tree, &BAR, scale);
    let [first, second] = <[Step; 2]>::try_from(BAR.steps()).unwrap();
    let (clean, dirty) = (tree("a1", false), tree("a1", true));
    read(&clean, Scale::Release).keep(&first, passed()).unwrap();
    assert!(read(&clean, Scale::Release).settled(&first));
    assert_eq!(
        read(&clean, Scale::Release).attempt(&first),
        Some(&passed())
    );
    assert!(
        !read(&clean, Scale::Release).settled(&second),
        "the other server has not"
    );
    assert!(!read(&clean, Scale::Gate).settled(&first));
    assert!(!read(&dirty, Scale::Release).settled(&first));
    assert!(!read(&tree("b2", false), Scale::Release).settled(&first));
    // What is dirty is kept to be shown, and is run every time.
    read(&dirty, Scale::Release).keep(&first, passed()).unwrap();
    assert!(read(&dirty, Scale::Release).attempt(&first).is_some());
    assert!(!read(&dirty, Scale::Release).settled(&first));
    // A failure is run again.
    let failed = Attempt {
        failure: Some("it failed".to_owned()),
        ..passed()
    };
    read(&clean, Scale::Release).keep(&second, failed).unwrap();
    assert!(read(&clean, Scale::Release).settled(&first));
    assert!(!read(&clean, Scale::Release).settled(&second));
}

#[test]
fn a_file_that_is_broken_counts_as_none() {
    let folder = tempfile::tempdir().unwrap();
    let (clean, step) = (tree("a1", false), &BAR.steps()[0]);
    Kept::read(folder.path(), &clean, &BAR, Scale::Release)
        .keep(step, passed())
        .unwrap();
    let path = folder.path().join("a1/B0.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    for broken in [
        "",
        "[]",
        &whole[..whole.len() - 5],
        &whole.replace("seconds", "minutes"),
    ] {
        std::fs::write(&path, broken).unwrap();
        assert!(
            !Kept::read(folder.path(), &clean, &BAR, Scale::Release).settled(step),
            "{broken}"
        );
    }
}

#[test]
fn a_bar_is_reached_where_all_that_shows_it_passed() {
    let folder = tempfile::tempdir().unwrap();
    let mut kept = Kept::read(folder.path(), &tree("a1", false), &BAR, Scale::Release);
    let steps = BAR.steps();
    assert_eq!(Standing::of(&BAR, &kept, root()), Standing::Open);
    assert_eq!(Standing::of(&BAR, &kept, folder.path()), Standing::NotBuilt);
    kept.keep(&steps[0], passed()).unwrap();
    assert_eq!(Standing::of(&BAR, &kept, root()), Standing::Open);
    kept.keep(&steps[1], passed()).unwrap();
    assert_eq!(Standing::of(&BAR, &kept, root()), Standing::Reached);
    assert_eq!(
        table([(&BAR, &kept)], root()).lines().last(),
        Some("| B0 | try | all right | all \\| right<br>all \\| right | reached | 3.0 s |")
    );
    kept.keep(
        &steps[1],
        Attempt {
            failure: Some("it failed".to_owned()),
            ..passed()
        },
    )
    .unwrap();
    assert_eq!(Standing::of(&BAR, &kept, root()), Standing::Failed);
    let table = table([(&BAR, &kept)], root());
    assert!(
        table.contains("bars tried::mariadb: it failed | FAILED |"),
        "{table}"
    );
}

#[test]
fn every_bar_has_a_number_of_its_own_and_something_that_shows_it() {
    let mut seen = std::collections::BTreeSet::new();
    for bar in BARS {
        assert!(seen.insert(bar.id), "{} twice", bar.id);
        assert!(std::ptr::eq(
            Bar::find(&bar.id.to_lowercase()).unwrap(),
            bar
        ));
        assert!(!bar.shown.is_empty(), "{}: nothing shows it", bar.id);
    }
}

#[test]
fn changes_that_are_not_committed_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Tree::of(folder.path()).dirty, "no repository");
    let git = |arguments: &[&str]| {
        let who = [
            "-c",
            "user.name=somebody",
            "-c",
            "user.email=somebody@example.org",
        ];
        let output = Command::new("git")
            .current_dir(folder.path())
            .args(who)
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "-q"]);
    std::fs::write(folder.path().join("file"), "one").unwrap();
    git(&["add", "file"]);
    git(&["commit", "-q", "-m", "one"]);
    let clean = Tree::of(folder.path());
    assert_eq!((clean.dirty, clean.commit.len()), (false, 40), "{clean:?}");
    std::fs::write(folder.path().join("file"), "two").unwrap();
    assert_eq!(
        Tree::of(folder.path()),
        Tree {
            dirty: true,
            ..clean.clone()
        }
    );
    git(&["commit", "-q", "-a", "-m", "two"]);
    assert_ne!(Tree::of(folder.path()), clean);
    std::fs::write(folder.path().join("another"), "").unwrap();
    assert!(Tree::of(folder.path()).dirty);
}

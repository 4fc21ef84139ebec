//! The table that people read.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::{BARS, Bar, Kept, Step};

/// How a bar stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// All that shows it passed.
    Reached,
    /// Something failed.
    Failed,
    /// Something was not run yet.
    Open,
    /// What shows it does not exist yet.
    NotBuilt,
}

impl Standing {
    /// By what is kept of it, in the repository at this root.
    #[must_use]
    pub fn of(bar: &Bar, kept: &Kept, root: &Path) -> Self {
        let steps = bar.steps();
        let any = |test: &dyn Fn(&Step) -> bool| steps.iter().any(test);
        if any(&|step| kept.attempt(step).is_some_and(|attempt| !attempt.passed())) {
            Self::Failed
        } else if steps.is_empty() || any(&|step| !is_built(step, root)) {
            Self::NotBuilt
        } else if any(&|step| kept.attempt(step).is_none()) {
            Self::Open
        } else {
            Self::Reached
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Failed => "FAILED",
            Self::Open => "not run",
            Self::NotBuilt => "not built",
        }
    }
}

fn is_built(step: &Step, root: &Path) -> bool {
    step.sources().iter().any(|path| root.join(path).exists())
}

/// All bars with what they ask for, one a line.
#[must_use]
pub fn list() -> String {
    BARS.iter().fold(String::new(), |mut text, bar| {
        let _infallible = writeln!(text, "{:4} {}: {}", bar.id, bar.what, bar.reach);
        for step in bar.steps() {
            let _infallible = writeln!(text, "         {}", step.name());
        }
        text
    })
}

/// The runs of a bar that are built, so that they can be tried.
#[must_use]
pub fn tests_of(bar: &Bar, root: &Path) -> Vec<Step> {
    bar.steps()
        .into_iter()
        .filter(|step| is_built(step, root))
        .collect()
}

/// The table as Markdown: each bar with the figures that its tests said.
#[must_use]
pub fn table<'a>(bars: impl IntoIterator<Item = (&'a Bar, &'a Kept)>, root: &Path) -> String {
    let mut text = String::from(
        "| id | test | figure to reach | reached | | time |\n|---|---|---|---|---|---|\n",
    );
    for (bar, kept) in bars {
        let steps = bar.steps();
        let lines: Vec<String> = steps.iter().flat_map(|step| lines(step, kept)).collect();
        let took: Duration = steps
            .iter()
            .filter_map(|step| kept.attempt(step))
            .map(|attempt| attempt.took)
            .sum();
        let standing = Standing::of(bar, kept, root).word();
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {standing} | {} |",
            bar.id,
            cell(bar.what),
            cell(bar.reach),
            lines
                .iter()
                .map(|line| cell(line))
                .collect::<Vec<_>>()
                .join("<br>"),
            duration(took),
        );
    }
    text
}

fn lines(step: &Step, kept: &Kept) -> Vec<String> {
    let Some(attempt) = kept.attempt(step) else {
        return Vec::new();
    };
    let mut lines = attempt.figures.clone();
    if let Some(why) = &attempt.failure {
        lines.push(format!("{}: {why}", step.name()));
    }
    lines
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn duration(took: Duration) -> String {
    match took.as_secs() {
        0 if took.is_zero() => String::new(),
        0..100 => format!("{:.1} s", took.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

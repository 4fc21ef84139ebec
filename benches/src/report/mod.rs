//! What a workload measured, as a value: written as JSON beside its table and charts, read again to be compared.

mod chart;
mod compare;
mod environment;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Deserializer, Serialize};

pub use self::compare::compare;
pub use self::environment::{Environment, ServerFacts};
use self::text::short;
use crate::figures::Samples;

/// One run of one workload.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The command that made it, such as `arknet`.
    pub workload: String,
    /// How it was measured, in a sentence.
    pub method: String,
    /// Where.
    pub environment: Environment,
    /// Everything that was measured.
    pub cells: Vec<Measured>,
    /// Ratios and sentences that stand under the table.
    pub findings: Vec<Finding>,
}

/// One combination of parameters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Which ones are drawn together, such as `1,024 bytes`.
    pub group: String,
    /// Its parameters in words; with the group it is unique in a report.
    pub label: String,
    /// Its figures.
    pub measures: Vec<Measure>,
    /// What the server counted meanwhile, where it was asked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, i64>,
}

/// One figure, with all its rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// What is measured, such as `queries/s`.
    pub name: String,
    /// The middle round.
    #[serde(deserialize_with = "number")]
    pub median: f64,
    /// The least.
    #[serde(deserialize_with = "number")]
    pub min: f64,
    /// The greatest.
    #[serde(deserialize_with = "number")]
    pub max: f64,
    /// Every round, in order.
    #[serde(deserialize_with = "numbers")]
    pub rounds: Vec<f64>,
    /// The published figure of another machine and another client; `None` where there is none.
    pub published: Option<f64>,
}

/// A ratio within the run beside the same ratio of the published figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What is divided by what.
    pub what: String,
    /// Theirs; `None` where nothing was published.
    pub published: Option<f64>,
    /// Ours; `None` where it was not measured.
    pub ours: Option<f64>,
    /// What theirs says, or what ours means.
    pub note: String,
}

/// JSON has no word for what is no number, such as a ratio to nothing: `null` stands for it.
fn number<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<f64, D::Error> {
    Option::deserialize(from).map(|number| number.unwrap_or(f64::NAN))
}

fn numbers<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<f64>, D::Error> {
    let numbers: Vec<Option<f64>> = Vec::deserialize(from)?;
    Ok(numbers
        .into_iter()
        .map(|number| number.unwrap_or(f64::NAN))
        .collect())
}

impl Measure {
    /// A figure by its rounds.
    pub fn new(name: &str, rounds: Vec<f64>, published: Option<f64>) -> Self {
        let samples: Samples = rounds.iter().copied().collect();
        Self {
            name: name.to_owned(),
            median: samples.median(),
            min: samples.min(),
            max: samples.max(),
            rounds,
            published,
        }
    }
}

impl Measured {
    /// The figure of that name.
    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }

    /// Group and label: what makes it unique.
    pub fn name(&self) -> String {
        format!("{}, {}", self.group, self.label)
    }
}

impl Report {
    /// Writes `WORKLOAD.json` and a chart for each group and each of the `charted` measures into a folder, which is made if it is not
    /// there. Says what was written.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn save(&self, folder: &Path, charted: &[&str]) -> Result<String> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let json = folder.join(format!("{}.json", self.workload));
        fs::write(&json, serde_json::to_string_pretty(self)? + "\n")
            .with_context(|| format!("cannot write {}", json.display()))?;
        let charts = chart::of(self, charted);
        let count = charts.len();
        for (name, svg) in charts {
            fs::write(folder.join(name), svg)?;
        }
        Ok(format!(
            "written: {} and {count} charts beside it",
            json.display()
        ))
    }

    /// Reads one that was saved.
    ///
    /// # Errors
    /// There is no such file, or it is no report.
    pub fn load(file: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} is no report of these benchmarks", file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_to_nothing_is_written_and_read() {
        let measure = Measure::new("ours / theirs", vec![1.0, f64::INFINITY, f64::NAN], None);
        let text = serde_json::to_string(&measure).unwrap();
        let read: Measure = serde_json::from_str(&text).unwrap();
        assert_eq!(read.rounds.len(), 3, "{text}");
        assert!(read.rounds[0] == 1.0 && read.rounds[1].is_nan(), "{text}");
    }
}

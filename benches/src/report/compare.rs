//! Two reports side by side.

use super::{Measured, Report, short};
use crate::figures::table;

/// Every figure of both reports with the second's ratio to the first, under what differs between the places they were made in. Figures that only
/// one of them has are named at the end.
///
/// Two runs are not neighbours: on a busy machine a ratio here says less than one within a run.
pub fn compare(first: &Report, second: &Report) -> String {
    let mut text = environments(first, second);
    let heads = [
        "cell",
        "figure",
        "A",
        "A min-max",
        "B",
        "B min-max",
        "B / A",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    let mut alone = Vec::new();
    for a in &first.cells {
        match find(second, a) {
            Some(b) => rows.extend(lines(a, b)),
            None => alone.push(format!("only in A: {}", a.name())),
        }
    }
    let unmatched = |cell: &&Measured| find(first, cell).is_none();
    for cell in second.cells.iter().filter(unmatched) {
        alone.push(format!("only in B: {}", cell.name()));
    }
    text += &table(&rows);
    for line in alone {
        text += &line;
        text.push('\n');
    }
    text
}

fn find<'r>(report: &'r Report, cell: &Measured) -> Option<&'r Measured> {
    let same = |other: &&Measured| other.group == cell.group && other.label == cell.label;
    report.cells.iter().find(same)
}

fn lines(a: &Measured, b: &Measured) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for one in &a.measures {
        let Some(other) = b.measure(&one.name) else {
            continue;
        };
        rows.push(vec![
            a.name(),
            one.name.clone(),
            short(one.median),
            format!("{}-{}", short(one.min), short(one.max)),
            short(other.median),
            format!("{}-{}", short(other.min), short(other.max)),
            format!("{:.3}", other.median / one.median),
        ]);
    }
    rows
}

fn environments(first: &Report, second: &Report) -> String {
    let (a, b) = (first.environment.lines(), second.environment.lines());
    let mut rows = vec![["", "A", "B"].map(str::to_owned).to_vec()];
    if first.workload != second.workload {
        rows.push(vec![
            "workload".to_owned(),
            first.workload.clone(),
            second.workload.clone(),
        ]);
    }
    let value = |lines: &[(String, String)], name: &str| {
        let found = lines.iter().find(|(other, _)| other == name);
        found.map_or_else(|| "-".to_owned(), |(_, value)| value.clone())
    };
    for (name, one) in &a {
        let other = value(&b, name);
        if *one != other {
            rows.push(vec![name.clone(), one.clone(), other]);
        }
    }
    for (name, other) in &b {
        if value(&a, name) == "-" {
            rows.push(vec![name.clone(), "-".to_owned(), other.clone()]);
        }
    }
    table(&rows) + "\n"
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::report::{Environment, Measure, Measured, Report};

    fn report(label: &str, value: f64) -> Report {
        Report {
            workload: "arknet".to_owned(),
            method: String::new(),
            environment: Environment::new(Vec::new()),
            cells: vec![Measured {
                group: "1,024 bytes".to_owned(),
                label: label.to_owned(),
                measures: vec![Measure::new("queries/s", vec![value], None)],
                counters: Default::default(),
            }],
            findings: Vec::new(),
        }
    }

    #[test]
    fn the_same_cell_is_set_side_by_side_and_others_are_named() {
        let (a, b) = (report("one", 1000.0), report("one", 1500.0));
        assert!(compare(&a, &b).contains("1.500"), "{}", compare(&a, &b));
        let other = compare(&a, &report("two", 1.0));
        assert!(other.contains("only in A: 1,024 bytes, one"), "{other}");
        assert!(other.contains("only in B: 1,024 bytes, two"), "{other}");
    }
}

//! A report as people read it.

use super::{Measured, Report};
use crate::figures::{grouped, table};

impl Report {
    /// A table for each group: the median of each figure, the least and the greatest round of the first one, the published figure in brackets.
    /// Then the ratios.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.method, self.environment.line());
        let mut rest = &*self.cells;
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|cell| cell.group == first.group);
            let (group, others) = rest.split_at(same.count());
            text += &group_text(group, first);
            rest = others;
        }
        text + &self.findings_text()
    }

    fn findings_text(&self) -> String {
        if self.findings.is_empty() {
            return String::new();
        }
        let heads = ["", "published", "ours", ""];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        for finding in &self.findings {
            rows.push(vec![
                finding.what.clone(),
                ratio(finding.published),
                ratio(finding.ours),
                finding.note.clone(),
            ]);
        }
        format!("\n{}", table(&rows))
    }
}

fn group_text(group: &[Measured], first: &Measured) -> String {
    let names: Vec<&str> = first.measures.iter().map(|one| &*one.name).collect();
    let was_published = |name: &str| {
        let of = |cell: &Measured| cell.measure(name)?.published;
        group.iter().any(|cell| of(cell).is_some())
    };
    let mut head = vec![first.group.clone()];
    for (number, name) in names.iter().enumerate() {
        head.push((*name).to_owned());
        head.extend((number == 0).then(|| "min-max".to_owned()));
        head.extend(was_published(name).then(|| "[published]".to_owned()));
    }
    let mut rows = vec![head];
    for cell in group {
        let mut cells = vec![cell.label.clone()];
        for (number, name) in names.iter().enumerate() {
            let measure = cell.measure(name);
            cells.push(short_or_dash(measure.map(|one| one.median)));
            let spread = measure.map_or_else(String::new, |one| {
                format!("{}-{}", short(one.min), short(one.max))
            });
            cells.extend((number == 0).then_some(spread));
            let published = short_or_dash(measure.and_then(|one| one.published));
            cells.extend(was_published(name).then(|| format!("[{published}]")));
        }
        rows.push(cells);
    }
    format!("\n{}{}", table(&rows), counters(group))
}

/// What the server counted, a line a cell: the largest, all are in the JSON.
fn counters(group: &[Measured]) -> String {
    let mut text = String::new();
    for cell in group.iter().filter(|cell| !cell.counters.is_empty()) {
        let mut counters: Vec<_> = cell.counters.iter().collect();
        counters.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let shown = counters.iter().take(SHOWN);
        let shown: Vec<_> = shown
            .map(|(name, count)| format!("{name} {count:+}"))
            .collect();
        text += &format!("  {}: {}\n", cell.label, shown.join(", "));
    }
    text
}

/// Counters in the table.
const SHOWN: usize = 6;

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}"))
}

/// A number as short as it may be read: three places below ten, one below a thousand, none above.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        size if size.is_nan() => "-".to_owned(),
        size if size < 10.0 => format!("{value:.3}"),
        size if size < 1000.0 => format!("{value:.1}"),
        _ => grouped(value),
    }
}

fn short_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), short)
}

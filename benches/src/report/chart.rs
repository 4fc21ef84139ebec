//! Bars of medians with whiskers from the least to the greatest round, as SVG.

use std::fmt::Write;

use super::{Measure, Measured, Report, short};

/// Of the bars and their figures.
const BARS: f64 = 570.0;
/// Room for the labels where they are short.
const LABELS: f64 = 330.0;
/// What a letter takes at most, by and large.
const LETTER: f64 = 6.7;
/// Room behind the longest whisker, for the figure.
const FIGURES: f64 = 100.0;
const HEAD: f64 = 72.0;
const ROW: f64 = 26.0;
const BAR: f64 = 16.0;
const FOOT: f64 = 34.0;
/// Of bars by their label's first word, so that what belongs together is seen.
const COLOURS: [&str; 8] = [
    "#3b6ea5", "#c9803b", "#5b8f5b", "#8a5a9e", "#b0483f", "#4f9ea0", "#a08a2e", "#777777",
];

/// A file name and its content for each group and measure.
pub(super) fn of(report: &Report, charted: &[&str]) -> Vec<(String, String)> {
    let mut groups: Vec<&str> = Vec::new();
    for cell in &report.cells {
        if !groups.contains(&&*cell.group) {
            groups.push(&cell.group);
        }
    }
    let mut charts = Vec::new();
    for group in groups {
        for name in charted {
            let bars: Vec<_> = report
                .cells
                .iter()
                .filter(|cell| cell.group == group)
                .filter_map(|cell| Some((cell, cell.measure(name)?)))
                .collect();
            if !bars.is_empty() {
                let file = file_name(&[&report.workload, group, name]);
                charts.push((file, draw(report, group, name, &bars)));
            }
        }
    }
    charts
}

fn file_name(words: &[&str]) -> String {
    let mut name = words.join("-").to_lowercase();
    name.retain(|letter| letter != ',');
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    name.replace(|letter| !plain(letter), "-") + ".svg"
}

fn draw(report: &Report, group: &str, name: &str, bars: &[(&Measured, &Measure)]) -> String {
    let most = bars.iter().map(|(_, bar)| bar.max).fold(0.0, f64::max);
    let scale = Scale::new(most, room(bars.iter().map(|(cell, _)| &*cell.label)));
    let width = scale.left + BARS;
    let height = HEAD + ROW * bars.len() as f64 + FOOT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text(
        &mut svg,
        (12.0, 22.0),
        "font-size=\"16\" font-weight=\"bold\"",
        &format!("{}: {name}, {group}", report.workload),
    );
    let environment = report.environment.line();
    let (first, second) = environment
        .split_once("; kernel")
        .unwrap_or((&environment, ""));
    text(&mut svg, (12.0, 40.0), "fill=\"#555\"", first);
    text(
        &mut svg,
        (12.0, 56.0),
        "fill=\"#555\"",
        &format!("kernel{second}"),
    );
    scale.axis(&mut svg, height - FOOT);
    let colours = colours(bars);
    for (row, ((cell, bar), colour)) in bars.iter().zip(colours).enumerate() {
        let top = HEAD + ROW * row as f64 + (ROW - BAR) / 2.0;
        text(
            &mut svg,
            (scale.left - 10.0, top + 12.0),
            "text-anchor=\"end\"",
            &cell.label,
        );
        draw_bar(&mut svg, &scale, bar, top, colour);
    }
    svg + "</svg>\n"
}

fn draw_bar(svg: &mut String, scale: &Scale, bar: &Measure, top: f64, colour: &str) {
    let (low, high) = (scale.x(bar.min), scale.x(bar.max));
    let left = scale.left;
    let width = scale.x(bar.median) - left;
    let middle = top + BAR / 2.0;
    _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\" fill-opacity=\"0.75\"/>"
    );
    let mut line = |x1: f64, y1: f64, x2: f64, y2: f64| {
        _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#222\"/>"
        );
    };
    line(low, middle, high, middle);
    line(low, middle - 4.0, low, middle + 4.0);
    line(high, middle - 4.0, high, middle + 4.0);
    text(svg, (high + 8.0, top + 12.0), "", &short(bar.median));
}

fn colours(bars: &[(&Measured, &Measure)]) -> Vec<&'static str> {
    let first = |cell: &Measured| cell.label.split([' ', ',']).next().unwrap_or("").to_owned();
    let mut words: Vec<String> = Vec::new();
    let mut colours = Vec::new();
    for (cell, _) in bars {
        let word = first(cell);
        let place = words.iter().position(|other| *other == word);
        let place = place.unwrap_or_else(|| {
            words.push(word);
            words.len() - 1
        });
        colours.push(
            COLOURS
                .get(place % COLOURS.len())
                .copied()
                .unwrap_or("#777"),
        );
    }
    colours
}

/// For the longest label.
fn room<'l>(labels: impl Iterator<Item = &'l str>) -> f64 {
    let letters = labels.map(|label| label.chars().count()).max();
    let letters = u32::try_from(letters.unwrap_or(0)).unwrap_or(u32::MAX);
    LABELS.max(f64::from(letters) * LETTER + 20.0)
}

/// From zero to a round number that nothing exceeds.
struct Scale {
    /// Where zero is.
    left: f64,
    step: f64,
    most: f64,
}

impl Scale {
    fn new(most: f64, left: f64) -> Self {
        let most = if most > 0.0 { most } else { 1.0 };
        let power = 10_f64.powf((most / 5.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps
            .into_iter()
            .find(|step| most / step <= 5.0)
            .unwrap_or(power * 10.0);
        Self {
            left,
            step,
            most: (most / step).ceil() * step,
        }
    }

    fn x(&self, value: f64) -> f64 {
        self.left + (BARS - FIGURES) * (value / self.most).clamp(0.0, 1.0)
    }

    fn axis(&self, svg: &mut String, bottom: f64) {
        let mut value = 0.0;
        while value <= self.most * 1.001 {
            let x = self.x(value);
            _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{HEAD}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#ddd\"/>"
            );
            let label = if value == 0.0 {
                "0".to_owned()
            } else {
                short(value)
            };
            text(
                svg,
                (x, bottom + 16.0),
                "text-anchor=\"middle\" fill=\"#555\"",
                &label,
            );
            value += self.step;
        }
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), style: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{words}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::{LABELS, LETTER, Scale, file_name, room};

    #[test]
    fn the_scale_ends_at_a_round_number_above_all_bars() {
        for most in [0.7, 9.0, 12_345.0, 50_000.0, 99.0] {
            let scale = Scale::new(most, LABELS);
            assert!(
                scale.most >= most && scale.most <= most * 2.0,
                "{most}: {}",
                scale.most
            );
        }
    }

    #[test]
    fn the_longest_label_is_not_cut() {
        let long = "SelectPk MyIsam, flush 0, PrepareOnce, Tcp, 100 ReadWrite every 10ms";
        let needed = 68.0 * LETTER;
        assert!(long.len() == 68 && room(["short", long].into_iter()) > needed);
        assert_eq!(room(["short"].into_iter()), LABELS);
    }

    #[test]
    fn file_names_are_plain() {
        assert_eq!(
            file_name(&["arknet", "1,024 bytes", "queries/s"]),
            "arknet-1024-bytes-queries-s.svg"
        );
    }
}

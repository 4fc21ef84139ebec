//! Medians, spreads and how they are printed.

use std::time::Duration;

/// Several measurements of one thing.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds one.
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
        self.0.sort_by(f64::total_cmp);
    }

    /// The middle one, or the mean of the middle two; NaN of none.
    pub fn median(&self) -> f64 {
        let middle = self.0.len() / 2;
        let at = |index: usize| self.0.get(index).copied().unwrap_or(f64::NAN);
        if self.0.len() % 2 == 1 {
            at(middle)
        } else {
            f64::midpoint(at(middle.wrapping_sub(1)), at(middle))
        }
    }

    /// The least one; NaN of none.
    pub fn min(&self) -> f64 {
        self.0.first().copied().unwrap_or(f64::NAN)
    }

    /// The greatest one; NaN of none.
    pub fn max(&self) -> f64 {
        self.0.last().copied().unwrap_or(f64::NAN)
    }
}

impl FromIterator<f64> for Samples {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut samples = Self::default();
        values.into_iter().for_each(|value| samples.push(value));
        samples
    }
}

/// How many of `count` things a second.
pub fn rate(count: u32, took: Duration) -> f64 {
    f64::from(count) / took.as_secs_f64()
}

/// A whole number with thousands separated, as people read it.
pub fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = if value < 0.0 {
        String::from("-")
    } else {
        String::new()
    };
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Lines up cells: the first column to the left, all others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text += &if column == 0 {
                format!("{cell:<width$}")
            } else {
                format!("  {cell:>width$}")
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Samples, grouped, table};

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        let samples: Samples = [4.0, 1.0, 3.0, 2.0].into_iter().collect();
        assert!((samples.median() - 2.5).abs() < 1e-9);
        assert!((samples.min() - 1.0).abs() < 1e-9 && (samples.max() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(
            [0.0, 999.0, 1000.0, 1234567.4, -1000.0].map(grouped),
            ["0", "999", "1,000", "1,234,567", "-1,000"]
        );
    }

    #[test]
    fn cells_line_up() {
        let rows = [
            vec!["a".into(), "10".into()],
            vec!["bcd".into(), "5".into()],
        ];
        assert_eq!(table(&rows), "a    10\nbcd   5\n");
    }
}

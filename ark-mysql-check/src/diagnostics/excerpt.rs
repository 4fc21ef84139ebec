//! Draws the SQL with carets under a place, as rustc draws source code.

use std::fmt::Write as _;
use std::ops::Range;

/// Longer lines are cut around the place.
const WIDTH: usize = 110;
/// More lines with a place than this are not drawn.
const LINES: usize = 6;

/// Draws the lines that hold `places` (byte ranges), or the first ones if there are none.
///
/// ```text
///   |
/// 2 | FROM usrs
///   |      ^^^^
/// ```
pub fn excerpt(sql: &str, places: impl IntoIterator<Item = Range<usize>>) -> String {
    let places: Vec<Range<usize>> = places.into_iter().collect();
    let places = places.as_slice();
    let lines = lines(sql);
    let wanted: Vec<&Line<'_>> = lines
        .iter()
        .filter(|line| places.is_empty() || line.holds_any(places))
        .take(LINES)
        .collect();
    let gutter = wanted
        .iter()
        .map(|line| line.number)
        .max()
        .unwrap_or(1)
        .to_string()
        .len();
    let mut drawing = format!("{:gutter$} |", "");
    for line in wanted {
        let (text, carets) = line.window(places);
        _ = write!(drawing, "\n{:gutter$} | {text}", line.number);
        if !carets.is_empty() {
            _ = write!(drawing, "\n{:gutter$} | {carets}", "");
        }
    }
    drawing
}

struct Line<'a> {
    number: usize,
    start: usize,
    text: &'a str,
}

fn lines(sql: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, text) in sql.split('\n').enumerate() {
        lines.push(Line {
            number: index + 1,
            start,
            text: text.trim_end_matches('\r'),
        });
        start += text.len() + 1;
    }
    lines
}

impl Line<'_> {
    fn holds(&self, place: &Range<usize>) -> bool {
        (self.start..=self.start + self.text.len()).contains(&place.start)
    }

    fn holds_any(&self, places: &[Range<usize>]) -> bool {
        places.iter().any(|place| self.holds(place))
    }

    /// The same where nothing is to be cut and each byte is a character: as good as every statement with parameters wants that, and macros are not optimised.
    fn whole(&self, place: &Range<usize>) -> Option<(String, String)> {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
        let from = place.start - self.start;
        let to = place.end.min(self.start + self.text.len()) - self.start;
        let fits = self.text.len() <= WIDTH && from < to && self.text.bytes().all(is_plain);
        fits.then(|| {
            let carets = " ".repeat(from) + &"^".repeat(to - from);
            (self.text.trim_end().to_owned(), carets)
        })
    }

    /// The text and the carets below it, one for each character, cut to the width around the first place.
    fn window(&self, places: &[Range<usize>]) -> (String, String) {
        let mut places: Vec<&Range<usize>> =
            places.iter().filter(|place| self.holds(place)).collect();
        if let [place] = places.as_slice()
            && let Some(window) = self.whole(place)
        {
            return window;
        }
        places.sort_by_key(|place| place.start);
        let at_end = places
            .iter()
            .any(|place| place.start >= self.start + self.text.len());
        let mut cells: Vec<(char, bool)> = self
            .text
            .char_indices()
            .map(|(offset, char)| {
                let marked = places
                    .iter()
                    .any(|place| place.contains(&(self.start + offset)));
                (if char.is_control() { ' ' } else { char }, marked)
            })
            .collect();
        if at_end {
            cells.push((' ', true));
        }
        let first = cells.iter().position(|&(_, marked)| marked).unwrap_or(0);
        cut(&cells, first)
    }
}

fn cut(cells: &[(char, bool)], first: usize) -> (String, String) {
    let from = if cells.len() > WIDTH {
        first.saturating_sub(WIDTH / 3).min(cells.len() - WIDTH)
    } else {
        0
    };
    let shown = || cells.iter().skip(from).take(WIDTH);
    let before = if from > 0 { "…" } else { "" };
    let after = if from + WIDTH < cells.len() {
        "…"
    } else {
        ""
    };
    let text: String = shown().map(|&(char, _)| char).collect();
    let carets: String = shown()
        .map(|&(_, marked)| if marked { '^' } else { ' ' })
        .collect();
    let indent = if from > 0 { " " } else { "" };
    (
        format!("{before}{}{after}", text.trim_end()),
        format!("{indent}{carets}").trim_end().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_the_place() {
        let sql = "SELECT id\nFROM usrs\nWHERE ä = ü";
        assert_eq!(
            excerpt(sql, Some(15..19)),
            "  |\n2 | FROM usrs\n  |      ^^^^"
        );
        assert_eq!(
            excerpt(sql, Some(31..33)),
            "  |\n3 | WHERE ä = ü\n  |           ^"
        );
    }

    /// A letter of two bytes makes the same line take the other way.
    #[test]
    fn both_ways_draw_the_same() {
        for (from, to) in [(2, 3), (3, 4), (3, 3), (5, 7), (8, 9)] {
            let plain = excerpt("ae ? xy ?", Some(from..to));
            let other = excerpt("aé ? xy ?", Some(from + 1..to + 1));
            assert_eq!(other.replace('é', "e"), plain, "{from}..{to}");
        }
        assert_eq!(excerpt("a ? ", Some(2..9)), "  |\n1 | a ?\n  |   ^^");
        assert_eq!(excerpt("é ? ", Some(3..9)), "  |\n1 | é ?\n  |   ^^");
    }

    #[test]
    fn the_end_can_be_a_place() {
        assert_eq!(
            excerpt("SELECT", Some(6..6)),
            "  |\n1 | SELECT\n  |       ^"
        );
        assert_eq!(excerpt("", Some(0..1)), "  |\n1 | \n  | ^");
    }

    #[test]
    fn several_places_on_a_line() {
        assert_eq!(excerpt("a ? ?", [2..3, 4..5]), "  |\n1 | a ? ?\n  |   ^ ^");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let sql = format!("{} HERE {}", "x".repeat(500), "y".repeat(500));
        let drawing = excerpt(&sql, Some(501..505));
        assert!(
            drawing.lines().all(|line| line.chars().count() < 130),
            "{drawing}"
        );
        let caret = drawing.lines().last().unwrap().find('^').unwrap();
        let line: Vec<char> = drawing.lines().nth(1).unwrap().chars().collect();
        assert_eq!(line[caret..caret + 4].iter().collect::<String>(), "HERE");
    }

    #[test]
    fn without_a_place_the_beginning_is_shown() {
        assert_eq!(excerpt("a\nb", None), "  |\n1 | a\n2 | b");
    }
}

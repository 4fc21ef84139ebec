//! Finds the name that was probably meant.

/// The one of `known` that is closest to `given`, if it is close enough to be a slip.
pub(crate) fn nearest<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
    let limit = (given.chars().count() / 3).max(1);
    known
        .iter()
        .map(|name| (distance(given, name), *name))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, name)| name)
}

/// Edits of one character that turn `a` into `b`; letters in another order count as one.
fn distance(a: &str, b: &str) -> usize {
    if a != b && sorted(a) == sorted(b) {
        return 1;
    }
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.chars()) {
            let above = *cell;
            *cell = (diagonal + usize::from(!x.eq_ignore_ascii_case(&y)))
                .min(above + 1)
                .min(left + 1);
            left = *cell;
            diagonal = above;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

fn sorted(text: &str) -> Vec<char> {
    let mut chars: Vec<char> = text.to_lowercase().chars().collect();
    chars.sort_unstable();
    chars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits_and_rejects_strangers() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("nmae", "name"), 1);
        assert_eq!(
            nearest("when_unreachable", &["when-unreachable"]),
            Some("when-unreachable")
        );
        assert_eq!(nearest("colour", &["when-unreachable"]), None);
    }
}

//! `rename_all`: names of variants and fields as labels, by the rules that people know from serde.

/// The rules, as they are written.
pub(super) const RULES: &[&str] = &[
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

/// The label for a name; `None` for a rule that does not exist. Words begin at capitals and behind underscores.
pub(super) fn apply(rule: &str, name: &str) -> Option<String> {
    let words = words(name);
    let joined = |by: &str, case: fn(&str) -> String| {
        let words: Vec<String> = words.iter().map(|word| case(word)).collect();
        words.join(by)
    };
    Some(match rule {
        "lowercase" => joined("", lower),
        "UPPERCASE" => joined("", upper),
        "PascalCase" => joined("", capital),
        "camelCase" => {
            let all = joined("", capital);
            let first = words.first().map_or(0, String::len);
            match all.split_at_checked(first) {
                Some((first, rest)) => lower(first) + rest,
                None => all,
            }
        }
        "snake_case" => joined("_", lower),
        "SCREAMING_SNAKE_CASE" => joined("_", upper),
        "kebab-case" => joined("-", lower),
        "SCREAMING-KEBAB-CASE" => joined("-", upper),
        _ => return None,
    })
}

/// `HttpPort` and `http_port` are `Http`, `Port` and `http`, `port`. Every capital begins a word, as with serde: `HTTP` has four.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    for char in name.chars() {
        if char == '_' {
            begins = true;
            continue;
        }
        match words.last_mut() {
            Some(word) if !begins && !char.is_uppercase() => word.push(char),
            _ => words.push(char.to_string()),
        }
        begins = false;
    }
    words
}

fn lower(word: &str) -> String {
    word.to_lowercase()
}

fn upper(word: &str) -> String {
    word.to_uppercase()
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + &chars.as_str().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_labels() {
        for (rule, pascal, snake) in [
            ("lowercase", "inreview", "inreview"),
            ("UPPERCASE", "INREVIEW", "INREVIEW"),
            ("PascalCase", "InReview", "InReview"),
            ("camelCase", "inReview", "inReview"),
            ("snake_case", "in_review", "in_review"),
            ("SCREAMING_SNAKE_CASE", "IN_REVIEW", "IN_REVIEW"),
            ("kebab-case", "in-review", "in-review"),
            ("SCREAMING-KEBAB-CASE", "IN-REVIEW", "IN-REVIEW"),
        ] {
            assert!(RULES.contains(&rule));
            assert_eq!(apply(rule, "InReview").as_deref(), Some(pascal));
            assert_eq!(apply(rule, "in_review").as_deref(), Some(snake));
        }
        assert_eq!(apply("snake_case", "Größe2").as_deref(), Some("größe2"));
        assert_eq!(apply("snakecase", "A"), None);
    }
}

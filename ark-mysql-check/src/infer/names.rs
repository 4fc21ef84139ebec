//! Which column names can be fields, and under which identifier.

/// The identifier for a column's name: keywords become raw ones. `None` if no identifier is spelled like that.
pub fn field_ident(name: &str) -> Option<String> {
    let mut chars = name.chars();
    let first = chars.next()?;
    let is_ident = (first == '_' || unicode_ident::is_xid_start(first))
        && chars.all(unicode_ident::is_xid_continue);
    if !is_ident || ["_", "self", "Self", "super", "crate"].contains(&name) {
        return None;
    }
    Some(if KEYWORDS.contains(&name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    })
}

/// An alias that would do: `COUNT(id)` becomes `count_id`.
pub(super) fn suggestion(name: &str, index: usize) -> String {
    let mut words = String::new();
    for char in name.chars() {
        if unicode_ident::is_xid_continue(char) && char != '_' {
            words.extend(char.to_lowercase());
        } else if !words.is_empty() && !words.ends_with('_') {
            words.push('_');
        }
    }
    let words = words.trim_end_matches('_');
    match field_ident(words) {
        Some(_) if words.len() <= 40 => words.to_owned(),
        _ => format!("column_{}", index + 1),
    }
}

/// The keywords of every edition, those in reserve included.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_or_nothing() {
        for (name, ident) in [
            ("id", "id"),
            ("type", "r#type"),
            ("gen", "r#gen"),
            ("größe", "größe"),
            ("_x", "_x"),
            ("ID", "ID"),
        ] {
            assert_eq!(field_ident(name).as_deref(), Some(ident));
        }
        for name in [
            "",
            "_",
            "self",
            "Self",
            "crate",
            "2nd",
            "a-b",
            "COUNT(id)",
            "?",
            "a b",
        ] {
            assert_eq!(field_ident(name), None, "{name}");
        }
    }

    #[test]
    fn suggestions_are_identifiers() {
        assert_eq!(suggestion("COUNT(id)", 0), "count_id");
        assert_eq!(suggestion("a-b", 0), "a_b");
        assert_eq!(suggestion("2nd", 3), "column_4");
        assert_eq!(suggestion("?", 0), "column_1");
    }
}

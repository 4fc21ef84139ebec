//! Overrides in a column's alias: `name!`, `name?`, `name: Type`, `name!: Type`, `name?: Type`.

/// An alias, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alias<'a> {
    pub(super) name: &'a str,
    /// What `!` and `?` say about NULL.
    pub(super) nullable: Option<bool>,
    /// The Rust type as written; `_` is whatever it would be if nobody had said anything.
    pub(super) rust: Option<&'a str>,
}

pub(super) fn read(wire: &str) -> Alias<'_> {
    let (head, rust) = match split_type(wire) {
        Some((head, rust)) if !rust.trim().is_empty() => (head, Some(rust.trim())),
        _ => (wire, None),
    };
    let head = head.trim();
    let forced = [('!', false), ('?', true)]
        .into_iter()
        .find_map(|(mark, nullable)| Some((head.strip_suffix(mark)?, nullable)));
    match forced {
        Some((name, nullable)) if !name.is_empty() => Alias {
            name: name.trim_end(),
            nullable: Some(nullable),
            rust,
        },
        _ => Alias {
            name: head,
            nullable: None,
            rust,
        },
    }
}

/// At the first single colon: `a::b` alone is no type.
fn split_type(wire: &str) -> Option<(&str, &str)> {
    let (head, rest) = wire.split_once(':')?;
    (!rest.starts_with(':')).then_some((head, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_taken_apart() {
        let alias = |name, nullable, rust| Alias {
            name,
            nullable,
            rust,
        };
        assert_eq!(read("id"), alias("id", None, None));
        assert_eq!(read("id!"), alias("id", Some(false), None));
        assert_eq!(read("id?"), alias("id", Some(true), None));
        assert_eq!(
            read("id!:"),
            alias("id!:", None, None),
            "not the half of it"
        );
        assert_eq!(read("id: UserId"), alias("id", None, Some("UserId")));
        assert_eq!(
            read("id!: crate::UserId<u8>"),
            alias("id", Some(false), Some("crate::UserId<u8>"))
        );
        assert_eq!(read("id?:T"), alias("id", Some(true), Some("T")));
        assert_eq!(read("id!: _"), alias("id", Some(false), Some("_")));
        assert_eq!(read("!"), alias("!", None, None));
        assert_eq!(read("?"), alias("?", None, None));
        assert_eq!(read("a::b"), alias("a::b", None, None));
    }
}

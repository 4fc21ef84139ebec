//! Which parts of `sql_mode` change what a statement means: the checker records them, the driver compares them.

/// The modes that change how SQL is read, what types expressions have, or which values are taken. Of those that only refuse more or fewer
/// statements (ONLY_FULL_GROUP_BY) PREPARE tells; others differ between the families of servers by default and concern single values.
///
/// `STRICT` stands for STRICT_TRANS_TABLES or STRICT_ALL_TABLES.
pub const MEANINGFUL: &[&str] = &[
    "ANSI_QUOTES",
    "EMPTY_STRING_IS_NULL",
    "HIGH_NOT_PRECEDENCE",
    "IGNORE_SPACE",
    "NO_AUTO_VALUE_ON_ZERO",
    "NO_BACKSLASH_ESCAPES",
    "NO_UNSIGNED_SUBTRACTION",
    "ORACLE",
    "PAD_CHAR_TO_FULL_LENGTH",
    "PIPES_AS_CONCAT",
    "REAL_AS_FLOAT",
    "SIMULTANEOUS_ASSIGNMENT",
    "STRICT",
    "TIME_TRUNCATE_FRACTIONAL",
];

/// Those of [`MEANINGFUL`] that are on, in its order. `sql_mode` is the variable as a server words it.
pub fn meaningful(sql_mode: &str) -> Vec<&'static str> {
    let modes: Vec<&str> = sql_mode
        .split(',')
        .map(|mode| match mode.trim() {
            "STRICT_TRANS_TABLES" | "STRICT_ALL_TABLES" => "STRICT",
            other => other,
        })
        .collect();
    MEANINGFUL
        .iter()
        .copied()
        .filter(|mode| modes.contains(mode))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_the_families_mean_the_same() {
        let mysql = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";
        let mariadb = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION";
        assert_eq!(meaningful(mysql), ["STRICT"]);
        assert_eq!(meaningful(mariadb), ["STRICT"]);
        assert_eq!(
            meaningful("REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,ANSI"),
            ["ANSI_QUOTES", "PIPES_AS_CONCAT", "REAL_AS_FLOAT"]
        );
        assert!(meaningful("").is_empty());
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(MEANINGFUL.is_sorted());
    }
}

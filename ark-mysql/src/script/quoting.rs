//! What a session's `sql_mode` says of quotes and of bodies, and which statements of a script change it.

use super::lexer::{Reading, Token, token};

/// How quotes and bodies are read: where a string, and where a statement ends depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quoting {
    /// A backslash in a string is one.
    pub(super) no_backslash_escapes: bool,
    /// What stands in `"` is a name, in which a backslash is one.
    pub(super) ansi_quotes: bool,
    /// Bodies of routines are written as for Oracle.
    pub(super) oracle: bool,
}

/// `ANSI` and MariaDB's modes that are called by other databases bring ANSI_QUOTES with them.
const ANSI_QUOTES: &[&str] = &[
    "ANSI_QUOTES",
    "ANSI",
    "DB2",
    "MAXDB",
    "MSSQL",
    "ORACLE",
    "POSTGRESQL",
];

impl Quoting {
    /// Reads it from the variable `sql_mode`, or from whatever else names modes.
    pub(crate) fn of(sql_mode: &str) -> Self {
        let mut quoting = Self::default();
        for word in sql_mode.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            let is = |mode: &&str| word.eq_ignore_ascii_case(mode);
            quoting.no_backslash_escapes |= is(&"NO_BACKSLASH_ESCAPES");
            quoting.ansi_quotes |= ANSI_QUOTES.iter().any(is);
            quoting.oracle |= is(&"ORACLE");
        }
        quoting
    }

    /// Whether a script could be read differently by another `sql_mode`: only a backslash is, and the body of a routine.
    pub(crate) fn matters_to(sql: &str) -> bool {
        sql.contains('\\') || may_have_body(sql)
    }

    /// Whether a statement is read in the same way by another one.
    #[cfg(feature = "migrate")]
    pub(crate) fn reads_like(self, other: Self, sql: &str) -> bool {
        let oracle = other.oracle;
        (Self { oracle, ..self } == other || !sql.contains('\\'))
            && (self.oracle == oracle || !may_have_body(sql))
    }

    /// How quotes are read behind a statement, as far as its text tells; `initial` is how they were at first, which is what a script saves and restores.
    pub(crate) fn after(self, sql: &str, initial: Self) -> Self {
        if !mentions_mode(sql) {
            return self;
        }
        let mut quoting = self;
        let mut is_session = true;
        for assignment in assignments(sql, self) {
            let Some((target, value)) = assignment.split_once('=') else {
                continue;
            };
            let target = Target::of(target);
            if !target.has_scope_of_its_own {
                is_session = target.is_session.unwrap_or(is_session);
            }
            if target.is_mode && target.is_session.unwrap_or(is_session) {
                quoting = quoting.assigned(value, initial);
            }
        }
        quoting
    }

    fn assigned(self, value: &str, initial: Self) -> Self {
        let value = value.to_ascii_uppercase();
        let base = if value.contains("@@GLOBAL") || value.trim() == "DEFAULT" {
            initial
        } else if value.contains("@@") {
            self
        } else if value.contains('@') {
            initial
        } else {
            Self::default()
        };
        let named = Self::of(&value);
        let removes = value.contains("REPLACE");
        let join = |base: bool, named: bool| {
            if removes {
                base && !named
            } else {
                base || named
            }
        };
        Self {
            no_backslash_escapes: join(base.no_backslash_escapes, named.no_backslash_escapes),
            ansi_quotes: join(base.ansi_quotes, named.ansi_quotes),
            oracle: join(base.oracle, named.oracle),
        }
    }
}

/// Whether a statement may change the session's `sql_mode`.
pub(crate) fn mentions_mode(sql: &str) -> bool {
    mentions(sql, "sql_mode")
}

/// A body has one of them, whoever reads it.
fn may_have_body(sql: &str) -> bool {
    mentions(sql, "begin") || mentions(sql, "package")
}

fn mentions(sql: &str, name: &str) -> bool {
    sql.as_bytes()
        .windows(name.len())
        .any(|window| window.eq_ignore_ascii_case(name.as_bytes()))
}

/// What stands on the left of an assignment.
struct Target {
    is_mode: bool,
    /// `SESSION x` also holds for the assignments behind it, `@@session.x` does not. None: nothing is said.
    is_session: Option<bool>,
    has_scope_of_its_own: bool,
}

impl Target {
    fn of(text: &str) -> Self {
        let text = text.to_ascii_uppercase();
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_system = text.contains("@@");
        Self {
            is_mode: words.last() == Some(&"SQL_MODE") && (is_system || !text.contains('@')),
            is_session: words.iter().find_map(|word| match *word {
                "SESSION" | "LOCAL" => Some(true),
                "GLOBAL" | "PERSIST" | "PERSIST_ONLY" => Some(false),
                _ => None,
            }),
            has_scope_of_its_own: is_system,
        }
    }
}

/// The assignments of a SET, without comments; none of any other statement.
fn assignments(sql: &str, quoting: Quoting) -> Vec<String> {
    let mut reading = Reading {
        delimiter: ";",
        quoting,
        executed: false,
    };
    let mut found = vec![String::new()];
    let (mut rest, mut depth, mut words) = (sql, 0_u32, 0);
    while let Some((token, length)) = token(rest, reading) {
        let (text, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = behind;
        match token {
            Token::Opened => reading.executed = true,
            Token::Closed => reading.executed = false,
            Token::Symbol('(') => depth = depth.saturating_add(1),
            Token::Symbol(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Token::Word(word) = token {
            words += 1;
            let is = |expected| word.eq_ignore_ascii_case(expected);
            match words {
                1 if is("set") => continue,
                // MariaDB's settings for one statement alone.
                2 if is("statement") => return Vec::new(),
                1 => return Vec::new(),
                _ => {}
            }
        }
        match (token, found.last_mut()) {
            (Token::Symbol(','), _) if depth == 0 => found.push(String::new()),
            (Token::Blank | Token::Comment | Token::Opened | Token::Closed, Some(last)) => {
                last.push(' ');
            }
            (_, Some(last)) => last.push_str(text),
            (_, None) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKSLASH: Quoting = Quoting {
        no_backslash_escapes: true,
        ansi_quotes: false,
        oracle: false,
    };
    const ANSI: Quoting = Quoting {
        no_backslash_escapes: false,
        ansi_quotes: true,
        oracle: false,
    };
    const ORACLE: Quoting = Quoting {
        oracle: true,
        ..ANSI
    };
    const USUAL: Quoting = Quoting {
        no_backslash_escapes: false,
        ansi_quotes: false,
        oracle: false,
    };

    #[test]
    fn statements_that_set_the_mode_are_followed() {
        for (before, sql, after) in [
            (USUAL, "SET sql_mode = 'NO_BACKSLASH_ESCAPES'", BACKSLASH),
            (
                USUAL,
                "set names utf8mb4, @a = 'x,y', session SQL_MODE='ansi'",
                ANSI,
            ),
            (USUAL, "SET @@sql_mode := ANSI_QUOTES", ANSI),
            (USUAL, "SET @@session.`sql_mode` = 'ORACLE'", ORACLE),
            (
                ORACLE,
                "SET sql_mode = REPLACE(@@sql_mode, 'ORACLE', '')",
                USUAL,
            ),
            (ORACLE, "SET sql_mode = CONCAT(@@sql_mode, ',ANSI')", ORACLE),
            (
                ANSI,
                "SET LOCAL sql_mode = CONCAT(REPLACE(@@sql_mode, 'ANSI_QUOTES', ''), '')",
                USUAL,
            ),
            (
                ANSI,
                "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')",
                ANSI,
            ),
            (BACKSLASH, "SET sql_mode = ''", USUAL),
            (BACKSLASH, "SET sql_mode = DEFAULT", USUAL),
            (
                BACKSLASH,
                "/*!40101 SET SQL_MODE = IFNULL(@OLD_SQL_MODE, '') */",
                USUAL,
            ),
            (
                USUAL,
                "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_BACKSLASH_ESCAPES' */",
                BACKSLASH,
            ),
        ] {
            assert_eq!(before.after(sql, USUAL), after, "{sql}");
        }
    }

    #[test]
    fn what_leaves_the_session_as_it_is_is_not_followed() {
        for sql in [
            "SET GLOBAL sql_mode = 'ANSI'",
            "SET GLOBAL max_connections = 9, sql_mode = 'ANSI'",
            "SET @@global.sql_mode = 'ANSI'",
            "SET PERSIST sql_mode = 'ANSI'",
            "SET @sql_mode = 'ANSI'",
            "SET @a = 'sql_mode = ANSI'",
            "SET STATEMENT sql_mode = 'ANSI' FOR SELECT 1",
            "SELECT 'SET sql_mode = ANSI'",
            "UPDATE modes SET sql_mode = 'ANSI'",
            "-- SET sql_mode = 'ANSI'\nSELECT 1",
        ] {
            assert_eq!(USUAL.after(sql, USUAL), USUAL, "{sql}");
        }
    }
}

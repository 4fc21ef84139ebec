//! Hostile names, comments and labels in the tables of servers, described by those.

use ark_mysql_check::describe::describe_with;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;
use tests::{Database, Server, admin};

use crate::Count;
use crate::audit::{expanded, judge};
use crate::names::HOSTILE;

pub(crate) fn all() -> Count {
    let mut count = Count::default();
    for server in Server::ALL {
        let database = Database::new(server);
        for text in HOSTILE.iter().filter(|text| is_name(text)) {
            count.add(of_a_table(&database, text, text));
            count.add(of_a_table(&database, "harmless", text));
        }
    }
    count
}

/// What servers take for the name of a column.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.ends_with(char::is_whitespace)
        && !text.contains('\0')
        && text.chars().all(|char| u32::from(char) <= 0xffff)
}

/// Beside a regular table, whose name is as long so that places in the SQL are the same: one with the text for the name of a column, its comment, its default, its label, and the table's comment.
fn of_a_table(database: &Database, column: &str, text: &str) -> Count {
    let quoted = format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"));
    let name = format!("`{}`", column.replace('`', "``"));
    let made = admin(
        &database.url(),
        &format!(
            "DROP TABLE IF EXISTS hostile, regular; \
             CREATE TABLE regular (harmless INT NOT NULL, lbl ENUM('on', 'off') NOT NULL DEFAULT 'on', b INT NULL); \
             CREATE TABLE hostile ({name} INT NOT NULL COMMENT {quoted}, lbl ENUM({quoted}, 'off') NOT NULL DEFAULT {quoted}, b INT NULL) COMMENT {quoted}"
        ),
    );
    // No table of any server has such a name.
    if made.is_err() {
        return Count::default();
    }
    let hostile = expansion(database, "hostile");
    let harmless = expansion(database, "regular").expect("a regular table");
    match hostile {
        None => Count {
            refused: 1,
            literal: 0,
        },
        Some(hostile) => judge(
            &format!("{text:?} on {}", database.kind()),
            hostile,
            harmless,
            &[(column, "harmless")],
        ),
    }
}

fn expansion(database: &Database, table: &str) -> Option<proc_macro2::TokenStream> {
    let sql = format!("SELECT * FROM {table} WHERE b = ?");
    let url = database.url();
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings::load(folder.path(), &|name| {
        (name == "DATABASE_URL").then(|| url.clone().into())
    })
    .expect("an address");
    let described = describe_with(&Sql::parse(&sql).expect("SQL"), &settings).ok()?;
    Some(expanded(&format!("{sql:?}, b"), &described.description))
}

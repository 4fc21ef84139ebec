//! Every login method on every way to a real server, whatever its greeting names: exactly the ways that may carry it lead in. The other half, what servers that
//! ask for more than they should get to see, is `ark-mysql-proto/tests/logins.rs`.

#![expect(clippy::print_stdout, reason = "the tables are what the tests show")]

mod between;
mod change_user;
mod impostor;
mod table;
mod ways;

use ark_mysql::{Connection, Result};
use tests::{Account, Database, Flavor};

/// A login method: an account with it, and whether its first login needs a cold cache.
struct Method {
    name: &'static str,
    account: Account,
    cold: bool,
    key: Option<String>,
}

impl Method {
    fn new(name: &'static str, database: &Database, password: &str, how: &str) -> Self {
        let account = database.account_identified(password, how);
        Self {
            name,
            account,
            cold: true,
            key: None,
        }
    }
}

const PASSWORD: &str = "Pa55word";

fn mariadb() -> Database {
    let database = Database::new(Flavor::MariaDb);
    for (name, library) in [("ed25519", "auth_ed25519"), ("parsec", "auth_parsec")] {
        database.run(&format!(
            "INSTALL PLUGIN IF NOT EXISTS {name} SONAME '{library}'"
        ));
    }
    database
}

fn account(database: &Database, plugin: &str, password: &str) -> Account {
    let how = match database.flavor() {
        Flavor::MySql => format!("WITH {plugin} BY '{password}'"),
        Flavor::MariaDb => format!("VIA {plugin} USING PASSWORD('{password}')"),
    };
    database.account_identified(password, &how)
}

async fn who(conn: &mut Connection) -> Result<String> {
    let user: String = ark_mysql::query("SELECT CURRENT_USER()")
        .fetch_one(conn)
        .await?
        .get(0)?;
    Ok(user.trim_end_matches("@%").to_owned())
}

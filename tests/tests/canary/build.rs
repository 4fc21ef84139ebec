//! The checker, whose messages are compile errors: in the logs of every CI.

use std::ffi::OsString;
use std::path::PathBuf;

use ark_mysql_check::describe::{describe_with, greet};
use ark_mysql_check::settings::{DatabaseUrl, Origin, Settings, Source, WhenUnreachable};
use ark_mysql_check::sql::Sql;
use tests::{Database, Server};

use crate::encoding::url_coded;
use crate::{Canary, show, show_error};

pub(crate) fn all(canary: &Canary) {
    let password = url_coded(&canary.whole());
    settings(canary, &password);
    unreachable(&password);
    for server in Server::ALL {
        let database = Database::new(server);
        database.run("CREATE TABLE t (id INT NOT NULL)");
        let account = database.account(&canary.whole());
        for transport in tests::Transport::ALL {
            let right = account.url_by(transport);
            for address in [
                right.to_owned(),
                right.replace(password.as_str(), &format!("{password}x")),
                right.replace(&account.name, "nobody"),
                right.replace(database.name(), "nowhere"),
            ] {
                described(&address);
            }
        }
    }
}

/// Nobody there, or somebody else.
fn unreachable(password: &str) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let nonsense = std::thread::spawn(move || {
        for socket in listener.incoming().take(3) {
            let _gone = std::io::Write::write_all(
                &mut socket.unwrap(),
                b"HTTP/1.1 400 Bad Request\r\n\r\n",
            );
        }
    });
    for address in [
        format!("mysql://app:{password}@127.0.0.1:1/shop"),
        format!("mysql://app:{password}@no-such-host.invalid/shop"),
        format!("mysql://app:{password}@localhost/shop?socket=/nowhere/mysqld.sock"),
        format!("mysql://app:{password}@192.0.2.1/shop?ssl-mode=verify-identity"),
        format!("mysql://app:{password}@127.0.0.1:{port}/shop?ssl-mode=disabled"),
    ] {
        described(&address);
    }
    drop(nonsense); // whether all three came is of no interest
}

fn described(address: &str) {
    let url = match DatabaseUrl::parse(address.to_owned(), Origin::Environment) {
        Ok(url) => url,
        Err(error) => return show_error(&error),
    };
    show("shown", format_args!("{url:?}"));
    if let Err(error) = greet(&url) {
        show("shown", format_args!("{error} {error:?}"));
    }
    let settings = Settings {
        manifest_dir: PathBuf::from("canary"),
        source: Source::Server(Box::new(url)),
        when_unreachable: WhenUnreachable::Error,
        types: ark_mysql_check::description::Types::default(),
        config_file: None,
        record: None,
    };
    show("shown", format_args!("{settings:?}"));
    for sql in ["SELECT id FROM t", "SELECT nothing FROM t", "SELECT"] {
        let sql = Sql::parse(sql).unwrap();
        match describe_with(&sql, &settings) {
            Ok(described) => show("shown", format_args!("{described:?}")),
            Err(error) => show("shown", format_args!("{error} {error:?}")),
        }
    }
}

/// From the environment, from `.env`, and by mistake in other settings.
fn settings(canary: &Canary, password: &str) {
    let raw = canary.whole();
    let folder = tempfile::tempdir().unwrap();
    let load = |name: &'static str, value: String| {
        let loaded = Settings::load(folder.path(), &|asked| {
            (asked == name).then(|| OsString::from(&value))
        });
        match loaded {
            Ok(settings) => show("shown", format_args!("{settings:?}")),
            Err(error) => show("shown", format_args!("{error} {error:?}")),
        }
    };
    for password in [password, &raw] {
        for value in [
            format!("mysql://app:{password}@localhost/shop"),
            format!("postgres://app:{password}@localhost/shop"),
            password.to_owned(),
        ] {
            load("DATABASE_URL", value);
        }
        load("ARK_MYSQL_OFFLINE", password.to_owned());
        for line in [
            format!("DATABASE_URL=mysql://app:{password}@localhost/shop"),
            format!("DATABASE_URL='mysql://app:{password}"),
            format!("DATABASE_URL mysql://app:{password}@x/y"),
            format!("DATABASE_URL=\"{password}\" x"),
        ] {
            std::fs::write(folder.path().join(".env"), &line).unwrap();
            load("NOTHING", String::new());
        }
        std::fs::remove_file(folder.path().join(".env")).unwrap();
    }
}

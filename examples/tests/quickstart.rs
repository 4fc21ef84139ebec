//! The quickstart is what people see first: it must work on both servers, and say plainly why it does not.

use std::process::{Command, Output};

use ark_mysql::dev_server::{DevServer, Flavor};

fn quickstart(url: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quickstart"));
    match url {
        Some(url) => command.env("DATABASE_URL", url),
        None => command.env_remove("DATABASE_URL"),
    };
    command.output().unwrap()
}

fn shown(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8(text).unwrap()
}

fn assert_tells_everything(output: &Output) {
    let text = shown(output);
    assert!(output.status.success(), "{text}");
    for part in [
        "Inserted 4745 rows",
        "Customer 40: Frances Murphy",
        "birthday   1972-05-25",
        "Claude Fontaine      2026-09-21 00:49     219.00",
        "Peter Quinn          nothing yet",
        "Second-Hand Songbook     music    46 pieces    3813.40",
        "and 315 orders are open",
        "Streamed 2995 order lines: 4820 pieces, 241 lines",
        "is now shipped (1 row changed)",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn it_brings_a_server_of_its_own() {
    assert_tells_everything(&quickstart(None));
}

#[test]
fn it_works_in_a_database_that_is_given_and_does_not_touch_tables_that_are_there() {
    for flavor in [Flavor::MySql, Flavor::MariaDb] {
        let server = DevServer::builder().flavor(flavor).start().unwrap();
        assert_tells_everything(&quickstart(Some(&server.url())));
        let again = quickstart(Some(&server.url()));
        assert_eq!(again.status.code(), Some(1));
        let text = shown(&again);
        assert!(
            text.contains("Applied 0 migrations") && text.contains("Duplicate entry"),
            "{text}"
        );
        // Tables that somebody else made are told by name, and nothing is done to them.
        let other = quickstart(Some(&server.url_for("mine")));
        let text = shown(&other);
        assert!(text.contains("Unknown database 'mine'"), "{text}");
    }
}

#[test]
fn a_closed_port_is_one_message() {
    let output = quickstart(Some("mysql://root:s3cret@127.0.0.1:1/test"));
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        text.contains("127.0.0.1:1") && !text.contains("s3cret"),
        "{text}"
    );
}

//! The program itself: it migrates when it begins, and answers what it was asked before it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use ark_mysql::dev_server::{DevServer, Flavor};

#[test]
fn it_migrates_serves_and_stops_when_it_is_told_to() {
    for flavor in [Flavor::MySql, Flavor::MariaDb] {
        let server = DevServer::builder().flavor(flavor).start().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_web"))
            .env("DATABASE_URL", server.url())
            .env("LISTEN", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listens on http://")
            .unwrap_or_else(|| panic!("{line:?}"));

        let mut client = TcpStream::connect(address).unwrap();
        client
            .write_all(b"GET /health HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");

        let told = Command::new("kill")
            .arg(program.id().to_string())
            .status()
            .unwrap();
        assert!(told.success());
        let ended = program.wait_with_output().unwrap();
        let log = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.success() && log.contains("applied=3"), "{log}");
        assert!(log.contains("stopped broken=0"), "{log}");
    }
}

#[test]
fn without_an_address_it_says_what_to_do() {
    let output = Command::new(env!("CARGO_BIN_EXE_web"))
        .env_remove("DATABASE_URL")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.starts_with("web: set DATABASE_URL") && text.lines().count() == 1,
        "{text}"
    );
}

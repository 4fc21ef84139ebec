//! The client of the server's makers where there is one, else one that does the least: reads statements, shows rows.

use std::io::{self, BufRead, IsTerminal as _, Write};
use std::process::Command;

use ark_mysql::Connection;
use ark_mysql::dev_server::{Background, Flavor};
use ark_mysql::dynamic::{DynamicRow, Value};

use super::{block_on, verdict};
use crate::Verdict;
use crate::failure::Failure;

pub(super) fn open(running: &Background, database: &str) -> Result<Verdict, Failure> {
    let clients = match running.flavor() {
        Flavor::MySql => ["mysql", "mariadb"],
        Flavor::MariaDb => ["mariadb", "mysql"],
    };
    for client in clients {
        let mut command = Command::new(client);
        let socket = format!("--socket={}", running.socket().display());
        command.args([socket.as_str(), "--user=root", database]);
        match command.status() {
            Ok(status) => return Ok(verdict(status)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::new(format!("cannot run {client}: {error}"))),
        }
    }
    block_on(converse(&running.socket_url_for(database)))?
}

/// Statements end with `;` at the end of a line. The first that fails ends a script, not a conversation.
async fn converse(url: &str) -> Result<Verdict, Failure> {
    let (input, mut out) = (io::stdin(), io::stdout());
    let by_hand = input.is_terminal();
    if by_hand {
        writeln!(
            out,
            "neither mysql nor mariadb is installed, so this is a small client: statements end with ; and the end of input ends it"
        )?;
    }
    let mut connection = Connection::connect(url).await?;
    let mut statement = String::new();
    loop {
        if by_hand {
            write!(out, "{}", if statement.is_empty() { "> " } else { "  " })?;
            out.flush()?;
        }
        let read = input.lock().read_line(&mut statement)?;
        let ended = statement.trim_end().ends_with(';') || read == 0;
        if ended && !statement.trim().is_empty() {
            let sql = std::mem::take(&mut statement);
            match ark_mysql::query(sql.trim().trim_end_matches(';'))
                .fetch_all(&mut connection)
                .await
            {
                Ok(rows) => show(&rows, &mut out)?,
                Err(error) if by_hand => writeln!(out, "{error}")?,
                Err(error) => return Err(error.into()),
            }
        }
        if read == 0 {
            return Ok(Verdict::Clean);
        }
    }
}

/// Tabs between columns, as the client does it for programs.
fn show(rows: &[DynamicRow], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let names: Vec<&str> = first.columns().iter().map(|column| column.name()).collect();
    writeln!(out, "{}", names.join("\t"))?;
    for row in rows {
        let values: Vec<String> = row.values().iter().map(shown).collect();
        writeln!(out, "{}", values.join("\t"))?;
    }
    Ok(())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Double(value) => value.to_string(),
        Value::Decimal(text) | Value::Text(text) => text.escape_debug().to_string(),
        Value::Bytes(bytes) => bytes
            .iter()
            .fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}")),
        Value::Date(value) => value.to_string(),
        Value::DateTime(value) => value.to_string(),
        Value::Time(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

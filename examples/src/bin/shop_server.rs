//! A throw-away server with the shop's tables, for working on the examples: it waits until its input ends (Ctrl-D, Ctrl-C).
//!
//! ```sh
//! cargo run -p examples --bin shop-server
//! ```
//!
//! With the address that it prints in `DATABASE_URL`, `cargo ark-mysql prepare` makes the metadata in `.ark-mysql/` anew.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::io::{self, Read as _};

use ark_mysql::Connection;
use ark_mysql::dev_server::DevServer;
use examples::MIGRATIONS;

fn main() -> Result<(), Box<dyn Error>> {
    let server = DevServer::start()?;
    create_tables(&server.url())?;
    println!("export DATABASE_URL={}", server.url());
    println!("cargo ark-mysql prepare");
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn create_tables(url: &str) -> Result<(), ark_mysql::Error> {
    let mut conn = Connection::connect(url).await?;
    for script in MIGRATIONS {
        conn.run_script(script).await?;
    }
    Ok(())
}

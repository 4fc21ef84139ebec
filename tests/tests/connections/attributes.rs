//! Connection attributes, as the server shows them to its administrator.

use std::collections::BTreeMap;

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Result, query};
use tests::{DevServer, FLAVORS};

use crate::fails;

async fn shown(conn: &mut Connection) -> Result<BTreeMap<String, Option<String>>> {
    let sql = "SELECT attr_name, attr_value FROM performance_schema.session_connect_attrs WHERE processlist_id = CONNECTION_ID()";
    let rows = query(sql).fetch_all(conn).await?;
    rows.iter()
        .map(|row| Ok((row.get(0)?, row.get(1)?)))
        .collect()
}

#[tokio::test]
async fn are_seen_in_the_performance_schema_of_both_servers() -> Result<()> {
    for flavor in FLAVORS {
        let server = DevServer::builder()
            .flavor(flavor)
            .argument("--performance-schema=ON");
        let server = server.start().unwrap();
        let options = server.url().parse::<ConnectOptions>()?;
        let options = options
            .program_name("billing")
            .attribute("stage", "old")
            .attribute("stage", "blue, größer");
        let mut conn = Connection::connect(options).await?;
        let attributes = shown(&mut conn).await?;
        let pid = std::process::id().to_string();
        for (name, value) in [
            ("_client_name", "ark-mysql"),
            ("_client_version", env!("CARGO_PKG_VERSION")),
            ("_os", std::env::consts::OS),
            ("_pid", pid.as_str()),
            ("_platform", std::env::consts::ARCH),
            ("program_name", "billing"),
            ("stage", "blue, größer"),
        ] {
            let found = attributes.get(name).cloned().flatten();
            assert_eq!(
                found.as_deref(),
                Some(value),
                "{flavor} {name}: {attributes:?}"
            );
        }
        assert_eq!(attributes.len(), 7, "{flavor}: {attributes:?}");
    }
    Ok(())
}

#[tokio::test]
async fn too_many_or_too_long_ones_are_told_before_anything_is_sent() {
    let plain = || ConnectOptions::new("nobody").host("no-such-host.invalid");
    let many = (0..5).fold(plain(), |options, number| {
        options.attribute(format!("n{number}"), "x".repeat(1000))
    });
    for (options, words) in [
        (plain().attribute("", "x"), "1 to 32 characters"),
        (plain().attribute("n".repeat(33), "x"), "1 to 32 characters"),
        (plain().attribute("_pid", "1"), "the driver's"),
        (plain().program_name("x".repeat(1025)), "1024 bytes"),
        (many, "4096 bytes"),
    ] {
        let connected = Connection::connect(options).await.map(drop);
        let error = fails(connected, ErrorKind::Configuration, Outcome::NotSent);
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
}

//! A database with migrations and fixtures in it, made once for each content and copied for each test.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::argument::TestDatabase;
use super::copy::Plan;
use super::failure::Failure;
use super::run::Case;
use super::server::Server;
use crate::connection::Connection;
use crate::dynamic::query;
use crate::migrate::{Migration, Migrator, checksum_of};

/// The table that marks a template as whole.
pub(super) const MARK: &str = "_ark_mysql_template";
/// Raise it when the making below changes: old templates are then left to the cleaning.
const REVISION: u32 = 1;
/// Others may be making the same template, with hundreds of migrations on a slow server.
const PATIENCE_SECONDS: u32 = 600;

type Plans = Mutex<BTreeMap<String, Arc<OnceCell<Plan>>>>;

/// A new database for this test.
pub(super) async fn database(server: &Server, case: &Case) -> Result<TestDatabase, Failure> {
    server.drop_kept(case.name).await;
    let name = server.name_for(case.name);
    let migrations = match case.migrator {
        Some(migrator) => migrator().freshest().map_err(Failure::at("migrations"))?,
        None => Vec::new(),
    };
    let options = server.options_for(&name);
    if migrations.is_empty() && case.fixtures.is_empty() {
        create(&mut server.connect().await?, &name).await?;
        return Ok(TestDatabase { name, options });
    }
    let plan = plan(server, case, migrations).await?;
    let plan = plan
        .get()
        .ok_or_else(|| Failure("there is no template".to_owned()))?;
    let copied = plan.copy(&mut server.connect().await?, &name).await;
    if copied.is_err() {
        // The error matters more than what is left.
        let _ = server.drop_database(&name).await;
    }
    copied?;
    Ok(TestDatabase { name, options })
}

/// The plan for copying the template of these migrations and fixtures, which is made if need be: once in this process at a time.
async fn plan(
    server: &Server,
    case: &Case,
    migrations: Vec<Migration>,
) -> Result<Arc<OnceCell<Plan>>, Failure> {
    static PLANS: Plans = Mutex::new(BTreeMap::new());
    let mut connection = server.connect().await?;
    let hash = hash(connection.server_version(), &migrations, case.fixtures);
    let cell = {
        let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(plans.entry(hash.clone()).or_default())
    };
    let making = async {
        let name = format!("{}{hash}", beginning(&server.prefix));
        take_lock(&mut connection, &hash).await?;
        if !is_whole(&mut connection, &name).await? {
            let made = make(server, &mut connection, &name, migrations, case.fixtures).await;
            if made.is_err() {
                // The error matters more than what is left.
                let _ = server.drop_database(&name).await;
            }
            made?;
        }
        Plan::read(&mut connection, &name).await
    };
    cell.get_or_try_init(|| Box::pin(making)).await?;
    Ok(cell)
}

/// What templates begin with.
pub(super) fn beginning(prefix: &str) -> String {
    format!("{prefix}ark_tpl_")
}

/// The name of the lock under which a template is made and looked at.
pub(super) fn lock_of(hash: &str) -> String {
    format!("'ark_mysql_template.{hash}'")
}

fn hash(version: &str, migrations: &[Migration], fixtures: &[(&str, &str)]) -> String {
    let mut text = format!("{REVISION}\0{version}\0");
    for migration in migrations {
        text += &format!("{}\0{}\0", migration.up().file(), migration.up().sql());
    }
    for (name, sql) in fixtures {
        text += &format!("{name}\0{sql}\0");
    }
    checksum_of(&text).chars().take(16).collect()
}

/// It ends with the connection.
async fn take_lock(connection: &mut Connection, hash: &str) -> Result<(), Failure> {
    let failed = || Failure::at("waiting for others who make the same template");
    let sql = format!("SELECT GET_LOCK({}, {PATIENCE_SECONDS})", lock_of(hash));
    let row = query(sql).fetch_one(connection).await.map_err(failed())?;
    match row.get::<Option<i64>>(0).map_err(failed())? {
        Some(1) => Ok(()),
        _ => Err(Failure(format!(
            "somebody else has been making the same template for {PATIENCE_SECONDS} s: look at the server's SHOW PROCESSLIST"
        ))),
    }
}

/// Whether the template is there, and says that it is used.
async fn is_whole(connection: &mut Connection, name: &str) -> Result<bool, Failure> {
    let sql = format!("UPDATE `{name}`.{MARK} SET used_at = UTC_TIMESTAMP()");
    match connection.run_text(&sql).await {
        Ok(()) => Ok(true),
        // No such database, no such table.
        Err(error)
            if error
                .server()
                .is_some_and(|error| matches!(error.code, 1049 | 1146)) =>
        {
            Ok(false)
        }
        Err(error) => Err(Failure::at("looking for the template")(denied(error))),
    }
}

async fn make(
    server: &Server,
    connection: &mut Connection,
    name: &str,
    migrations: Vec<Migration>,
    fixtures: &[(&str, &str)],
) -> Result<(), Failure> {
    let drop = format!("DROP DATABASE IF EXISTS `{name}`");
    let dropped = connection.run_text(&drop).await;
    dropped.map_err(|error| Failure::at("dropping half a template")(denied(error)))?;
    create(connection, name).await?;
    let options = server.options_for(name);
    if !migrations.is_empty() {
        let run = Migrator::of(migrations).run(&options).await;
        run.map_err(Failure::at("applying the migrations"))?;
    }
    for (fixture, sql) in fixtures {
        let what = format!("the fixture {fixture}");
        let failed = || Failure::at(&what);
        let mut session = Connection::connect(&options).await.map_err(failed())?;
        session.run_script(sql).await.map_err(failed())?;
    }
    let mark = format!(
        "CREATE TABLE `{name}`.{MARK} (used_at DATETIME NOT NULL COMMENT 'UTC');
         INSERT INTO `{name}`.{MARK} VALUES (UTC_TIMESTAMP())"
    );
    let marked = connection.run_script(&mark).await;
    marked.map_err(Failure::at("marking the template as whole"))
}

async fn create(connection: &mut Connection, name: &str) -> Result<(), Failure> {
    let sql = format!("CREATE DATABASE `{name}` CHARACTER SET utf8mb4");
    let created = connection.run_text(&sql).await;
    created.map_err(|error| Failure::at("creating the database")(denied(error)))
}

/// Says what right is missing.
fn denied(error: crate::error::Error) -> String {
    let advice = match error.server().map(|server| server.code) {
        Some(1044 | 1142) => {
            "; the account needs rights on the databases of tests: GRANT ALL ON `test\\_%`.* TO …, or their beginning is another one: ARK_MYSQL_TEST_PREFIX"
        }
        _ => "",
    };
    format!("{error}{advice}")
}

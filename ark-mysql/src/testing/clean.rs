//! Drops what runs left that are no more.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

use super::server::{KEPT, lock_of};
use super::template::{self, MARK};
use crate::connection::Connection;
use crate::dynamic::query;
use crate::error::Error;

/// How long a database is kept whose test does not run again.
const KEPT_SECONDS: u64 = 3 * 24 * 60 * 60;
/// How long a template is kept that no run uses.
const TEMPLATE_DAYS: u32 = 7;

/// Returns the databases that are kept. What goes wrong here keeps no test from running: the next run tries again.
pub(super) async fn clean(connection: &mut Connection, prefix: &str) -> Vec<String> {
    let kept = runs(connection, prefix).await.unwrap_or_default();
    let _ = templates(connection, prefix).await;
    kept
}

async fn runs(connection: &mut Connection, prefix: &str) -> Result<Vec<String>, Error> {
    let mut by_run: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names(connection, prefix).await? {
        if let Some(run) = run_of(&name, prefix) {
            by_run.entry(run.to_owned()).or_default().push(name);
        }
    }
    let marked = marked(connection, prefix, KEPT).await?;
    let mut kept = Vec::new();
    for (run, names) in by_run {
        if !is_free(connection, &lock_of(&run)).await? {
            continue;
        }
        for name in names {
            if marked.contains(&name) && !is_old(&run) {
                kept.push(name);
            } else {
                drop_database(connection, &name).await?;
            }
        }
    }
    Ok(kept)
}

async fn templates(connection: &mut Connection, prefix: &str) -> Result<(), Error> {
    let begin = template::beginning(prefix);
    let marked = marked(connection, prefix, MARK).await?;
    for name in names(connection, prefix).await? {
        let Some(hash) = name.strip_prefix(&begin) else {
            continue;
        };
        // Who makes it, or is about to copy it, holds its lock.
        if !is_free(connection, &template::lock_of(hash)).await? {
            continue;
        }
        if !marked.contains(&name) || is_unused(connection, &name).await? {
            drop_database(connection, &name).await?;
        }
    }
    Ok(())
}

async fn names(connection: &mut Connection, prefix: &str) -> Result<Vec<String>, Error> {
    let sql = "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE LEFT(SCHEMA_NAME, ?) = ?";
    let begin = format!("{prefix}ark_");
    let length = u32::try_from(begin.len()).unwrap_or_default();
    let rows = query(sql)
        .bind(length)
        .bind(begin)
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// The databases that have a certain table.
async fn marked(
    connection: &mut Connection,
    prefix: &str,
    table: &str,
) -> Result<BTreeSet<String>, Error> {
    let sql = "SELECT TABLE_SCHEMA FROM information_schema.TABLES WHERE TABLE_NAME = ? AND LEFT(TABLE_SCHEMA, ?) = ?";
    let length = u32::try_from(prefix.len()).unwrap_or_default();
    let rows = query(sql)
        .bind(table)
        .bind(length)
        .bind(prefix)
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| row.get(0)).collect()
}

async fn is_unused(connection: &mut Connection, name: &str) -> Result<bool, Error> {
    let sql = format!(
        "SELECT COALESCE(MAX(used_at) < UTC_TIMESTAMP() - INTERVAL {TEMPLATE_DAYS} DAY, 1) FROM `{name}`.{MARK}"
    );
    query(sql).fetch_one(connection).await?.get(0)
}

async fn is_free(connection: &mut Connection, lock: &str) -> Result<bool, Error> {
    let sql = format!("SELECT IS_FREE_LOCK({lock})");
    let row = query(sql).fetch_one(connection).await?;
    Ok(row.get::<Option<i64>>(0)? == Some(1))
}

async fn drop_database(connection: &mut Connection, name: &str) -> Result<(), Error> {
    connection
        .run_text(&format!("DROP DATABASE IF EXISTS `{name}`"))
        .await
}

/// `test_ark_<16 hex digits>_…`
fn run_of<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let (run, _) = name
        .strip_prefix(prefix)?
        .strip_prefix("ark_")?
        .split_once('_')?;
    (run.len() == 16 && run.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(run)
}

/// Whether a run began so long ago that nobody looks at what it kept.
fn is_old(run: &str) -> bool {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let began = run
        .get(..8)
        .and_then(|digits| u64::from_str_radix(digits, 16).ok());
    began.is_none_or(|began| began + KEPT_SECONDS < now.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_runs_are_names_of_runs() {
        assert_eq!(
            run_of("test_ark_0123456789abcdef_00112233_4", "test_"),
            Some("0123456789abcdef")
        );
        for other in [
            "test_ark_tpl_0123456789abcdef",
            "test_ark_0123_0",
            "shop",
            "test_shop_0123456789abcdef_1_2",
        ] {
            assert_eq!(run_of(other, "test_"), None, "{other}");
        }
        assert!(is_old("0000000100000000") && !is_old("ffffffff00000000"));
    }
}

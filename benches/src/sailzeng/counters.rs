//! What the server counted during a run (experiment C12).

use std::collections::BTreeMap;

use anyhow::Result;
use ark_mysql::Connection;

const NAMES: [&str; 4] = [
    "Created_tmp_disk_tables",
    "Opened_tables",
    "Slow_queries",
    "Innodb_os_log_fsyncs",
];
const PREFIXES: [&str; 4] = ["Com_", "Qcache_", "Table_locks_", "Threads_"];

pub(super) type Counters = BTreeMap<String, i64>;

/// As they stand.
pub(super) async fn read(connection: &mut Connection) -> Result<Counters> {
    let mut counters = Counters::new();
    let rows = ark_mysql::query("SHOW GLOBAL STATUS")
        .fetch_all(connection)
        .await?;
    for row in rows {
        let name: String = row.get(0)?;
        let wanted = NAMES.contains(&&*name) || PREFIXES.iter().any(|one| name.starts_with(one));
        if !wanted {
            continue;
        }
        let value: String = row.get(1)?;
        if let Ok(value) = value.parse() {
            counters.insert(name, value);
        }
    }
    Ok(counters)
}

/// What was added; what did not change is left out.
pub(super) fn difference(before: &Counters, after: &Counters) -> Counters {
    let added = |(name, after): (&String, &i64)| {
        let added = after - before.get(name).copied().unwrap_or(0);
        (added != 0).then(|| (name.clone(), added))
    };
    after.iter().filter_map(added).collect()
}

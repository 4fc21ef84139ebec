//! What could go wrong with values written into the statement: one that melts into the word beside it, one that is another number than the parameter.

use ark_mysql::types::Decimal;
use ark_mysql::value::{Encode, kind};
use ark_mysql::{Connection, Result, query};
use ark_mysql_proto::params::LiteralWriter;
use tests::Database;

/// The statement with its value as a literal.
fn spliced(sql: &str, value: &impl Encode<kind::Any>) -> String {
    let mut writer = LiteralWriter::new(sql).unwrap();
    value.encode(&mut writer).unwrap();
    writer.finish().unwrap()
}

async fn same<V: Encode<kind::Any> + Clone>(
    conn: &mut Connection,
    sql: &str,
    value: V,
) -> Result<()> {
    let text = spliced(sql, &value);
    let bound = query(sql).bind(value).fetch_one(&mut *conn).await?;
    let written = query(&*text)
        .fetch_one(&mut *conn)
        .await
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(bound.values(), written.values(), "{text}");
    Ok(())
}

tests::on_both_servers! {
    async fn beside_words(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        // A server takes no `?` that a letter follows.
        for sql in ["SELECT 1 LIMIT?", "SELECT 1 WHERE 1 OR?", "SELECT 1=?", "SELECT(?)", "SELECT 2-?*3"] {
            same(&mut conn, sql, 7_i64).await?;
        }
        for sql in ["SELECT?", "SELECT?'x'", "SELECT?\"x\"", "SELECT?`x`"] {
            same(&mut conn, sql, 7_i64).await?;
            same(&mut conn, sql, "x'y").await?;
            same(&mut conn, sql, -2.5_f64).await?;
            same(&mut conn, sql, "-2.50".parse::<Decimal>().unwrap()).await?;
            same(&mut conn, sql, "7".parse::<Decimal>().unwrap()).await?;
        }
        Ok(())
    }

    async fn decimals_of_all_lengths(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        for digits in [1, 18, 19, 20, 21, 64, 65] {
            for sign in ["", "-"] {
                let number: Decimal = format!("{sign}{}", "9".repeat(digits)).parse().unwrap();
                same(&mut conn, "SELECT ?", number).await?;
            }
        }
        Ok(())
    }
}

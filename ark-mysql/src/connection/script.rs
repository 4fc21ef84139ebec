//! Runs the statements of a script.

use std::pin::pin;

use ark_mysql_proto::params::ParamType;

use super::execute::{Call, Sql};
use super::link::Link;
use crate::deadline::Clock;
use crate::error::{Error, Outcome};
use crate::script::{Quoting, statements};
use crate::trace;
use crate::value::StatementKey;

pub(super) async fn run(link: &mut Link, script: &str, clock: Clock) -> Result<(), Error> {
    // Only then does the sql_mode decide where a string ends.
    let quoting = if Quoting::matters_to(script) {
        quoting(link, clock).await?
    } else {
        Quoting::default()
    };
    for (number, statement) in statements(script, quoting).into_iter().enumerate() {
        let result = {
            let running = pin!(run_one(&mut *link, statement.sql));
            clock.run(running).await
        };
        let result = match result {
            Some(result) => result,
            None => Err(clock.end(link, "a statement").await),
        };
        result.map_err(|error| {
            let outcome = if number > 0 && error.outcome() != Outcome::Unknown {
                Outcome::Partial
            } else {
                error.outcome()
            };
            error
                .with_outcome(outcome)
                .at(format!("line {} of the script", statement.line))
        })?;
    }
    Ok(())
}

/// How the session reads quotes. Whatever goes wrong with the question, nothing of the script was sent.
async fn quoting(link: &mut Link, clock: Clock) -> Result<Quoting, Error> {
    let mut sql_mode = Vec::new();
    let asked = {
        let asking = pin!(each_row(&mut *link, "SELECT @@sql_mode", |row| {
            sql_mode.extend(row)
        }));
        clock.run(asking).await
    };
    match asked {
        Some(Ok(())) => Ok(Quoting::of(&String::from_utf8_lossy(&sql_mode))),
        Some(Err(error)) => Err(error.with_outcome(Outcome::NotSent)),
        None => {
            let what = "the session's sql_mode";
            let _of_the_question = clock.end(link, what).await;
            Err(clock.too_late(&format!("{what} was not told"), Outcome::NotSent))
        }
    }
}

pub(super) async fn run_one(link: &mut Link, sql: &str) -> Result<(), Error> {
    each_row(link, sql, |_| {}).await
}

async fn each_row(link: &mut Link, sql: &str, mut take: impl FnMut(&[u8])) -> Result<(), Error> {
    const NO_PARAMS: &[ParamType] = &[];
    let digest = trace::digest(sql);
    let key = StatementKey::new(digest, NO_PARAMS);
    let call = Call {
        key,
        digest,
        sql: Sql::AtRunTime(sql),
        types: NO_PARAMS,
        columns: None,
        dirties: true,
        limit: None,
    };
    let mut reply = link.send_text(&call).await?;
    while link.next_row(&mut reply).await? {
        take(link.row(&reply)?);
    }
    Ok(())
}

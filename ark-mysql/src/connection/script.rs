//! Runs the statements of a script.

use ark_mysql_proto::params::ParamType;

use super::execute::Call;
use super::link::Link;
use crate::error::{Error, Outcome};
use crate::script::statements;
use crate::trace;
use crate::value::StatementKey;

pub(super) async fn run(link: &mut Link, script: &str) -> Result<(), Error> {
    for (number, statement) in statements(script).into_iter().enumerate() {
        run_one(link, statement.sql).await.map_err(|error| {
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

pub(super) async fn run_one(link: &mut Link, sql: &str) -> Result<(), Error> {
    const NO_PARAMS: &[ParamType] = &[];
    let digest = trace::digest(sql);
    let key = StatementKey::new(digest, NO_PARAMS);
    let call = Call {
        key,
        digest,
        sql,
        checked: None,
        types: NO_PARAMS,
        columns: None,
        dirties: true,
        limit: None,
    };
    let mut reply = link.send_text(&call).await?;
    while link.next_row(&mut reply).await? {}
    Ok(())
}

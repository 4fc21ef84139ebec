//! What one expansion costs where the cache describes the statement: reading the call, settings and entry, inferring, generating.

use std::time::Instant;

use anyhow::{Result, ensure};
use ark_mysql_check::describe::describe_with;
use ark_mysql_check::description::DescribeError;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::{Macro, expand_with};

use super::generate::statement;
use super::project::Project;
use crate::figures::Samples;

const ROUNDS: usize = 5;

/// The median of all statements of a prepared crate.
pub(super) fn milliseconds(project: &Project, statements: usize) -> Result<f64> {
    let mut samples = Samples::default();
    for number in (0..statements).cycle().take(statements * ROUNDS) {
        let (sql, arguments) = statement(number);
        let call = format!("{sql:?}, {arguments}").parse();
        let call = call.map_err(|_| anyhow::anyhow!("statement {number} is no call"))?;
        let mut described = false;
        let begun = Instant::now();
        let tokens = expand_with(Macro::Query, call, |sql, _| {
            // Read anew for each statement, as in a build.
            let offline = |name: &str| (name == "ARK_MYSQL_OFFLINE").then(|| "1".into());
            let settings = Settings::load(project.folder(), &offline)
                .map_err(|error| DescribeError::Settings(error.to_string().into()))?;
            let answer = describe_with(sql, &settings);
            described = answer.is_ok();
            answer
        });
        samples.push(begun.elapsed().as_secs_f64() * 1000.0);
        ensure!(
            described && !tokens.is_empty(),
            "statement {number} is not in the cache"
        );
    }
    Ok(samples.median())
}

//! Any number of statements without rows.

use super::flight::{Flight, Launched, MOST};
use crate::connection::Link;
use crate::error::Error;
use crate::query::{Done, Query, call};
use crate::value::{Params, Statement};

pub(super) async fn run<S, P>(
    link: &mut Link,
    mut statements: impl Iterator<Item = Query<S, P>>,
) -> Result<Vec<Result<Done, Error>>, Error>
where
    S: Statement,
    P: Params<S::Params>,
{
    let mut flight = Flight::new(link, MOST).await?;
    let call = call::<S, P>(None);
    flight.prepare(std::iter::once(call)).await?;
    // Results by their numbers: one that is refused is known before those that fly.
    let mut results: Vec<Option<Result<Done, Error>>> = Vec::new();
    let mut waiting = None;
    loop {
        while flight.has_room()
            && let Some(query) = waiting.take().or_else(|| statements.next())
        {
            match flight
                .launch(results.len(), &call, |out| query.params.encode(out))
                .await
            {
                Launched::Yes => results.push(None),
                Launched::Refused(error) => results.push(Some(Err(error))),
                Launched::Later => {
                    waiting = Some(query);
                    break;
                }
            }
        }
        let Some((number, result)) = flight.land(|_, _, _| Ok(())).await else {
            return Ok(results.into_iter().flatten().collect());
        };
        if let Some(place) = results.get_mut(number) {
            *place = Some(result.map(Done::from));
        }
    }
}

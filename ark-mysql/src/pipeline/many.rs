//! Any number of statements without rows.

use std::pin::pin;

use ark_mysql_proto::Summary;

use super::flight::{Flight, Ground, Launched, MOST};
use crate::connection::{Call, Link, Reply};
use crate::deadline::Clock;
use crate::error::{Error, Outcome};
use crate::query::{Done, Lists, Query, call};
use crate::value::{Params, Statement};

pub(super) async fn run<S, P>(
    link: &mut Link,
    mut statements: impl Iterator<Item = Query<S, P>>,
    clock: Clock,
) -> Result<Vec<Result<Done, Error>>, Error>
where
    S: Statement,
    P: Params<S::Params>,
{
    let mut flight = Flight::new(link, MOST, clock).await?;
    let mut ends = Ends(Vec::new());
    let mut waiting = None;
    let result = {
        let flying = pin!(fly(&mut flight, &mut statements, &mut ends, &mut waiting));
        clock.run(flying).await
    };
    match result {
        Some(result) => result?,
        None => {
            flight.late(&mut ends).await;
            let not_sent = || Err(clock.too_late("it was not sent", Outcome::NotSent));
            let rest = waiting.into_iter().chain(statements);
            ends.0.extend(rest.map(|_| Some(not_sent())));
        }
    }
    Ok(ends.0.into_iter().flatten().collect())
}

/// `waiting` is the one that is next and was not launched.
async fn fly<S, P>(
    flight: &mut Flight<'_>,
    statements: &mut impl Iterator<Item = Query<S, P>>,
    ends: &mut Ends,
    waiting: &mut Option<Query<S, P>>,
) -> Result<(), Error>
where
    S: Statement,
    P: Params<S::Params>,
{
    let call = call::<S, P>(None);
    if !P::LISTS {
        flight.prepare(|ahead| ahead.add(&call)).await?;
    }
    loop {
        while flight.has_room() {
            if waiting.is_none() {
                *waiting = statements.next();
            }
            let Some(query) = &*waiting else { break };
            let number = ends.0.len();
            let launched = if P::LISTS {
                Box::pin(launch_with_lists(flight, number, call, query)).await
            } else {
                flight
                    .launch(number, &call, |out| query.params.encode(out))
                    .await
            };
            match launched {
                Launched::Yes => ends.0.push(None),
                Launched::Refused(error) => ends.0.push(Some(Err(error))),
                Launched::Later => break,
            }
            *waiting = None;
        }
        if !flight.land(ends).await {
            return Ok(());
        }
    }
}

/// Each with lists of its own lengths: what is not prepared yet waits until nothing flies.
async fn launch_with_lists<S, P>(
    flight: &mut Flight<'_>,
    number: usize,
    call: Call<'static>,
    query: &Query<S, P>,
) -> Launched
where
    S: Statement,
    P: Params<S::Params>,
{
    let lists = match Lists::of::<S, P>(&query.params) {
        Ok(lists) => lists,
        Err(error) => return Launched::Refused(error),
    };
    let with = lists.with::<S>();
    let call = lists.call(call, &with);
    flight
        .launch(number, &call, |out| lists.encode(&query.params, out))
        .await
}

/// Results by their numbers: one that is refused is known before those that fly.
struct Ends(Vec<Option<Result<Done, Error>>>);

impl Ground for Ends {
    fn row(&mut self, _: usize, _: &mut Link, _: &Reply) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self, number: usize, end: Result<Summary, Error>) {
        if let Some(place) = self.0.get_mut(number) {
            *place = Some(end.map(Done::from));
        }
    }
}

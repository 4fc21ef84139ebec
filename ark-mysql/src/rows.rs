//! Rows one by one.

use std::fmt;
use std::future::{Future, poll_fn};
use std::marker::PhantomData;
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::connection::Reply;
use crate::deadline::Clock;
use crate::error::Error;
use crate::executor::{Executor, Lease};
use crate::query::{Mode, Query, decode, start};
use crate::time::Timer;
use crate::value::{Params, Statement};

/// The rows of a statement, as they come from the server.
///
/// Dropping it, or a future of it, at any time is safe. What is left of the result is read by the connection's next user, if it is
/// short; otherwise the connection closes.
pub struct Rows<'e, S, M, L> {
    state: State<'e, L>,
    statement: PhantomData<fn() -> (S, M)>,
}

/// Boxed, because it is awaited across calls of `next` and has no name.
type Starting<'e, L> = Pin<Box<dyn Future<Output = Result<Running<L>, Error>> + Send + 'e>>;
/// The end of a statement whose time has passed.
type Expiring<'e> = Pin<Box<dyn Future<Output = Error> + Send + 'e>>;
struct Running<L> {
    lease: L,
    reply: Reply,
    clock: Clock,
    timer: Option<Timer>,
}

enum State<'e, L> {
    Starting(Starting<'e, L>),
    Running(Running<L>),
    Expiring(Expiring<'e>),
    Over,
}

impl<'e, S, M, L> Rows<'e, S, M, L>
where
    S: Statement,
    M: Mode,
    L: Lease + 'e,
{
    pub(crate) fn new<E, P>(executor: E, query: Query<S, P, M>) -> Self
    where
        E: Executor<Lease = L> + 'e,
        P: Params<S::Params> + Send + Sync + 'e,
    {
        let Query { params, mode, .. } = query;
        let starting = async move {
            let clock = Clock::start(mode.deadline());
            let mut lease = executor.lease_by(clock).await?;
            let mut reply = Reply::unsent();
            let link = lease.connection().link();
            let result = {
                let starting = pin!(start::<S, P, M>(link, &mut reply, &params, mode, true));
                clock.run(starting).await
            };
            let link = lease.connection().link();
            clock.settle(link, result, S::DIGEST).await?;
            let timer = clock.timer();
            Ok(Running {
                lease,
                reply,
                clock,
                timer,
            })
        };
        Self {
            state: State::Starting(Box::pin(starting)),
            statement: PhantomData,
        }
    }

    /// Returns the next row; `None` after the last one.
    ///
    /// # Errors
    /// All that can happen to a statement. After an error there are no more rows.
    pub async fn next<T>(&mut self) -> Result<Option<T>, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        let there = match self.is_at_row() {
            true => Ok(true),
            false => poll_fn(|context| self.poll_row(context)).await,
        };
        self.take(there)
    }

    /// Makes a [`Stream`] of it.
    pub fn into_stream(self) -> RowStream<'e, S, M, L> {
        RowStream(self)
    }

    /// Takes the row that is there. It is decoded here and not where it is waited for: a row in a `Poll` would be moved twice more.
    #[inline]
    fn take<T>(&mut self, there: Result<bool, Error>) -> Result<Option<T>, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        let row = match (there, &mut self.state) {
            (Ok(true), State::Running(Running { lease, reply, .. })) => {
                decode::<S, M>(lease.connection().link(), reply).map(Some)
            }
            (Ok(_), _) => Ok(None),
            (Err(error), _) => Err(error),
        };
        if !matches!(row, Ok(Some(_))) {
            self.state = State::Over; // gives the connection back
        }
        row
    }

    /// Moves to the next row if it has come already: nothing has to be waited for, and no time can have passed.
    #[inline]
    fn is_at_row(&mut self) -> bool {
        match &mut self.state {
            State::Running(Running {
                lease,
                reply,
                timer: None,
                ..
            }) => lease.connection().link().take_row(reply),
            _ => false,
        }
    }

    /// Whether there is another row. It stands in the connection's buffer.
    fn poll_row(&mut self, context: &mut Context<'_>) -> Poll<Result<bool, Error>> {
        if let State::Starting(starting) = &mut self.state {
            match ready!(starting.as_mut().poll(context)) {
                Ok(running) => self.state = State::Running(running),
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        if let State::Running(running) = &mut self.state
            && let Some(timer) = &mut running.timer
            && Pin::new(timer).poll(context).is_ready()
        {
            self.expire();
        }
        match &mut self.state {
            State::Running(Running {
                lease,
                reply,
                clock,
                ..
            }) => {
                let row = ready!(lease.connection().link().poll_row(context, reply));
                Poll::Ready(row.map_err(|error| clock.judge(error)))
            }
            State::Expiring(expiring) => expiring.as_mut().poll(context).map(Err),
            State::Starting(_) | State::Over => Poll::Ready(Ok(false)),
        }
    }

    #[cold]
    fn expire(&mut self) {
        if let State::Running(running) = mem::replace(&mut self.state, State::Over) {
            self.state = State::Expiring(Box::pin(async move {
                let Running {
                    mut lease, clock, ..
                } = running;
                clock.expire(lease.connection().link(), S::DIGEST).await
            }));
        }
    }
}

/// [`Rows`] as a [`Stream`] of `Result<Row, Error>`.
pub struct RowStream<'e, S, M, L>(Rows<'e, S, M, L>);

impl<'e, S, M, L, T> Stream for RowStream<'e, S, M, L>
where
    S: for<'r> Statement<Row<'r> = T>,
    M: Mode,
    L: Lease + Unpin + 'e,
{
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let there = ready!(self.0.poll_row(context));
        Poll::Ready(self.0.take(there).transpose())
    }
}

impl<S, M, L> fmt::Debug for Rows<'_, S, M, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.state {
            State::Starting(_) => "not begun",
            State::Running(_) => "running",
            State::Expiring(_) => "too late",
            State::Over => "over",
        };
        f.debug_struct("Rows")
            .field("state", &state)
            .finish_non_exhaustive()
    }
}

impl<S, M, L> fmt::Debug for RowStream<'_, S, M, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RowStream").field(&self.0).finish()
    }
}

//! Many statements, one round trip.
//!
//! | file | what it decides |
//! |---|---|
//! | `item` | what is wanted of one statement's rows |
//! | `tuple` | up to twelve items as one tuple, or any number of the same kind, and their results |
//! | `many` | any number of statements without rows |
//! | `flight` | what may be sent ahead, and in which order replies are read |

mod flight;
mod item;
mod many;
mod tuple;

pub use self::item::{All, Collect, Item, One, Optional, Run};
pub use self::tuple::Pipeline;
use crate::connection::Connection;
use crate::error::Error;
use crate::operation::Operation;
use crate::query::{Done, Query};
use crate::value::{Params, Statement};

/// # Pipelines
///
/// Statements travel ahead of the replies to those before them. They run one after the other, each on its own: an error in one does not
/// stop the next, and there is no transaction around them. Where one must not run without the other, use a
/// [`Transaction`](crate::Transaction), which has no pipelines for this reason: after a deadlock what was sent ahead would run outside
/// of it.
impl Connection {
    /// Runs up to twelve different statements in one round trip, or any number of items of one statement (an array or a vector). Statements that this connection does not know yet are prepared in one round trip
    /// before that.
    ///
    /// ```ignore
    /// let (user, orders) = conn.pipeline((
    ///     query!("SELECT id, name FROM users WHERE id = ?", id).one(),
    ///     query!("SELECT id, total FROM orders WHERE user = ?", id).all(),
    /// )).await?;
    /// let (user, orders) = (user?, orders?);
    /// ```
    ///
    /// Each item has its own result. Replies are read while later statements are still being written, so large parameters do not block.
    /// By `compat=proxy` the statements are sent one by one.
    ///
    /// # Errors
    /// The connection is of no use, and nothing was sent. Everything else that goes wrong is the result of the item that it happened to.
    ///
    /// # Deadlines
    /// With a [`deadline`](Operation::deadline) the items that were not answered in time have the error `Timeout`, each with its own outcome:
    /// `NotSent`, or `Unknown` once a byte of it has left. The others have their results.
    ///
    /// # Cancelling
    /// As for a single statement: what was sent may have run; what is still to come is read by the connection's next user, or the
    /// connection is closed.
    pub fn pipeline<'c, T: Pipeline + 'c>(&'c mut self, items: T) -> Operation<'c, T::Output> {
        Operation::new(move |clock| items.run(self, clock))
    }

    /// Runs statements whose rows, if they have any, are of no interest, up to 64 of them ahead of their replies; usually one statement with
    /// the values of many rows:
    ///
    /// ```ignore
    /// conn.execute_many(users.iter().map(|user| query!("UPDATE users SET seen = ? WHERE id = ?", now, user.id))).await?;
    /// ```
    ///
    /// The results come in the order of the statements, each its own. The iterator is asked for a statement when it can be sent.
    ///
    /// # Errors
    /// As [`pipeline`](Self::pipeline).
    pub fn execute_many<'c, S, P, I>(
        &'c mut self,
        statements: I,
    ) -> Operation<'c, Vec<Result<Done, Error>>>
    where
        S: Statement,
        P: Params<S::Params> + Send + Sync + 'c,
        I: IntoIterator<Item = Query<S, P>>,
        I::IntoIter: Send + 'c,
    {
        let statements = statements.into_iter();
        Operation::new(move |clock| many::run(self.begin_operation(), statements, clock))
    }
}

//! Up to twelve items as one tuple, or any number of the same kind, and their results.

use std::future::Future;

use super::flight;
use super::item::{Anyone, Collect, Item};
use crate::connection::Connection;
use crate::deadline::Clock;
use crate::error::Error;
use crate::value::{Params, Statement};

/// A tuple of up to twelve [`Item`]s; an array or a vector of items of one statement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no pipeline",
    note = "a pipeline is a tuple of up to twelve items: `conn.pipeline((query!(…).one(), query!(…).run()))`"
)]
pub trait Pipeline: sealed::Sealed + Send {
    /// The items' results: a tuple, an array or a vector.
    type Output;

    #[doc(hidden)]
    fn run(
        self,
        connection: &mut Connection,
        clock: Clock,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

mod sealed {
    pub trait Sealed {}
}

impl<S, P, C, const N: usize> sealed::Sealed for [Item<S, P, C>; N] {}

impl<S, P, C, const N: usize> Pipeline for [Item<S, P, C>; N]
where
    S: Statement,
    P: Params<S::Params> + Send + Sync,
    C: Collect<S>,
{
    type Output = [Result<C::Output, Error>; N];

    async fn run(
        mut self,
        connection: &mut Connection,
        clock: Clock,
    ) -> Result<Self::Output, Error> {
        let mut jobs = self.each_mut().map(|item| item as &mut Anyone<'_>);
        flight::run(connection.begin_operation(), &mut jobs, clock).await?;
        Ok(self.map(Item::output))
    }
}

impl<S, P, C> sealed::Sealed for Vec<Item<S, P, C>> {}

impl<S, P, C> Pipeline for Vec<Item<S, P, C>>
where
    S: Statement,
    P: Params<S::Params> + Send + Sync,
    C: Collect<S>,
{
    type Output = Vec<Result<C::Output, Error>>;

    async fn run(
        mut self,
        connection: &mut Connection,
        clock: Clock,
    ) -> Result<Self::Output, Error> {
        let items = self.iter_mut().map(|item| item as &mut Anyone<'_>);
        let mut jobs: Vec<_> = items.collect();
        flight::run(connection.begin_operation(), &mut jobs, clock).await?;
        Ok(self.into_iter().map(Item::output).collect())
    }
}

macro_rules! tuple {
    ($($item:ident $s:ident $p:ident $c:ident)*) => {
        impl<$($s, $p, $c),*> sealed::Sealed for ($(Item<$s, $p, $c>,)*) {}

        impl<$($s, $p, $c),*> Pipeline for ($(Item<$s, $p, $c>,)*)
        where
            $($s: Statement, $p: Params<$s::Params> + Send + Sync, $c: Collect<$s>,)*
        {
            type Output = ($(Result<$c::Output, Error>,)*);

            async fn run(mut self, connection: &mut Connection, clock: Clock) -> Result<Self::Output, Error> {
                let ($($item,)*) = &mut self;
                flight::run(connection.begin_operation(), &mut [$($item as &mut Anyone<'_>),*], clock).await?;
                let ($($item,)*) = self;
                Ok(($($item.output(),)*))
            }
        }
    };
}

tuple!(a SA PA CA);
tuple!(a SA PA CA b SB PB CB);
tuple!(a SA PA CA b SB PB CB c SC PC CC);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF g SG PG CG);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF g SG PG CG h SH PH CH);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF g SG PG CG h SH PH CH i SI PI CI);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF g SG PG CG h SH PH CH i SI PI CI j SJ PJ CJ);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF g SG PG CG h SH PH CH i SI PI CI j SJ PJ CJ k SK PK CK);
tuple!(a SA PA CA b SB PB CB c SC PC CC d SD PD CD e SE PE CE f SF PF CF g SG PG CG h SH PH CH i SI PI CI j SJ PJ CJ k SK PK CK l SL PL CL);

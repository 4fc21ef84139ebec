//! From a checked statement to the connection's terms, and from a row's bytes to the row.

use std::marker::PhantomData;
use std::time::Duration;

use ark_mysql_proto::params::LiteralWriter;
use ark_mysql_proto::row::{DecodeError, RowReader, Source as _, TextRow};

use super::Mode;
use super::lists::{self, Lists};
use crate::connection::{Call, Link, Reply, Sql};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::value::{ColumnSpec, Effect, Params, Statement, StatementKey};

/// What the compiler computes for a statement with parameters of these types.
struct Constants<S, P>(PhantomData<(S, P)>);

impl<S: Statement, P: Params<S::Params>> Constants<S, P> {
    const KEY: StatementKey = StatementKey::new(S::DIGEST, P::TYPES);
    const DIRTIES: bool = !matches!(S::EFFECT, Effect::Read | Effect::Write);
    /// Without a limit: written down once, and not for each run.
    const DECODED: Call<'static> = Self::call(Some(S::COLUMNS), None);
    const UNREAD: Call<'static> = Self::call(None, None);

    const fn call(
        columns: Option<&'static [ColumnSpec]>,
        limit: Option<Duration>,
    ) -> Call<'static> {
        let (key, dirties) = (Self::KEY, Self::DIRTIES);
        Call {
            key,
            digest: S::DIGEST,
            sql: Sql::Checked(S::SQL),
            types: P::TYPES,
            columns,
            dirties,
            limit,
        }
    }
}

/// A prepared statement with parameters of these types. `columns`: what they must be, if its rows are to be decoded.
pub(crate) fn call<S, P>(columns: Option<&'static [ColumnSpec]>) -> Call<'static>
where
    S: Statement,
    P: Params<S::Params>,
{
    Constants::<S, P>::call(columns, None)
}

/// Sends the statement, and reads up to where its rows begin; `reply` is where it is from then on. `decoded`: its rows are to be, so that its columns must
/// be those that were checked.
#[inline]
pub(crate) async fn start<S, P, M>(
    link: &mut Link,
    reply: &mut Reply,
    params: &P,
    mode: M,
    decoded: bool,
) -> Result<(), Error>
where
    S: Statement,
    P: Params<S::Params>,
    M: Mode,
{
    if P::LISTS || M::TEXT {
        // Boxed, so that it takes no place in the futures of prepared statements.
        *reply = Box::pin(start_otherwise::<S, P, M>(link, params, mode, decoded)).await?;
        return Ok(());
    }
    let limited;
    let call = match (mode.deadline(), decoded) {
        (None, true) => &Constants::<S, P>::DECODED,
        (None, false) => &Constants::<S, P>::UNREAD,
        (Some(deadline), _) => {
            let columns = decoded.then_some(S::COLUMNS);
            limited = Constants::<S, P>::call(columns, Some(deadline.time()));
            &limited
        }
    };
    link.execute_into(reply, call, |out| params.encode(out))
        .await
}

/// With lists, or as text.
async fn start_otherwise<S, P, M>(
    link: &mut Link,
    params: &P,
    mode: M,
    decoded: bool,
) -> Result<Reply, Error>
where
    S: Statement,
    P: Params<S::Params>,
    M: Mode,
{
    let columns = decoded.then_some(S::COLUMNS);
    if P::LISTS {
        return start_with_lists::<S, P, M>(link, params, mode, columns).await;
    }
    let sql = as_text::<S, P>(params).map_err(|error| error.in_statement(S::DIGEST))?;
    let call = Constants::<S, P>::call(columns, mode.deadline().map(Deadline::time));
    let sql = Sql::AtRunTime(&sql);
    link.send_text(&Call { sql, ..call }).await
}

async fn start_with_lists<S, P, M>(
    link: &mut Link,
    params: &P,
    mode: M,
    columns: Option<&'static [ColumnSpec]>,
) -> Result<Reply, Error>
where
    S: Statement,
    P: Params<S::Params>,
    M: Mode,
{
    let limit = mode.deadline().map(Deadline::time);
    if M::TEXT {
        let sql = lists::as_text::<S, P>(params).map_err(|error| error.in_statement(S::DIGEST))?;
        let call = Constants::<S, P>::call(columns, limit);
        let call = Call {
            sql: Sql::AtRunTime(&sql),
            ..call
        };
        return link.send_text(&call).await;
    }
    let lists = Lists::of::<S, P>(params)?;
    let with = lists.with::<S>();
    let call = lists.call(Constants::<S, P>::call(columns, limit), &with);
    link.execute(&call, |out| lists.encode(params, out)).await
}

fn as_text<S, P>(params: &P) -> Result<String, Error>
where
    S: Statement,
    P: Params<S::Params>,
{
    let mut writer = LiteralWriter::new(S::SQL)?;
    params.encode(&mut writer)?;
    Ok(writer.finish()?)
}

/// Makes a row of the bytes that the connection stands at.
#[inline]
pub(crate) fn decode<'l, S, M>(link: &'l mut Link, reply: &Reply) -> Result<S::Row<'l>, Error>
where
    S: Statement,
    M: Mode,
{
    let payload = link.row(reply)?;
    let row = if M::TEXT {
        decode_text::<S>(payload)
    } else {
        decode_binary::<S>(payload)
    };
    row.map_err(|error| {
        Error::from_row(error, Some(S::COLUMNS), reply.rows()).in_statement(S::DIGEST)
    })
}

#[inline]
fn decode_binary<S: Statement>(payload: &[u8]) -> Result<S::Row<'_>, DecodeError> {
    let mut reader = RowReader::new(payload, const { S::COLUMNS.len() })?;
    let row = S::decode(&mut reader)?;
    reader.finish()?;
    Ok(row)
}

fn decode_text<S: Statement>(payload: &[u8]) -> Result<S::Row<'_>, DecodeError> {
    let mut reader = TextRow::new(payload);
    let row = S::decode(&mut reader)?;
    reader.finish()?;
    Ok(row)
}

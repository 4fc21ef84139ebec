//! Several results in one reply: `CALL`.

use std::task::{Context, Poll, ready};

use ark_mysql_proto::Event;

use super::link::Link;
use super::reply::Reply;
use crate::error::{Error, ErrorKind, Outcome};

impl Link {
    /// Reads the head of the next result, up to where its rows begin. Always true: there is one, or an error.
    pub(crate) fn poll_next_set(
        &mut self,
        context: &mut Context<'_>,
        reply: &mut Reply,
    ) -> Poll<Result<bool, Error>> {
        loop {
            let event =
                ready!(self.poll_event(context)).map_err(|error| self.blame(error, reply))?;
            match event {
                Event::ResultSet {
                    columns,
                    definitions,
                } => {
                    reply.columns = columns;
                    if !definitions {
                        return Poll::Ready(Err(self.undefined(reply)));
                    }
                }
                Event::ColumnDefinitions { .. } => {
                    reply.definitions.clear();
                    reply.definitions.extend_from_slice(self.session.payload());
                    return Poll::Ready(Ok(true));
                }
                Event::Done(summary) | Event::ResultSetEnd(summary) => {
                    reply.columns = 0;
                    reply.note_end(summary);
                    return Poll::Ready(Ok(true));
                }
                Event::Failed => return Poll::Ready(Err(self.refused(reply))),
                Event::LocalInfile => return Poll::Ready(Err(Self::not_given_later(reply))),
                _ => {}
            }
        }
    }

    /// Moves to the next row of the present result, whichever that is; false at its end.
    pub(crate) fn poll_set_row(
        &mut self,
        context: &mut Context<'_>,
        reply: &mut Reply,
    ) -> Poll<Result<bool, Error>> {
        loop {
            let event =
                ready!(self.poll_event(context)).map_err(|error| self.blame(error, reply))?;
            match event {
                Event::Row => return Poll::Ready(Ok(true)),
                Event::ResultSetEnd(summary) | Event::Done(summary) => {
                    reply.note_end(summary);
                    return Poll::Ready(self.end_of_text(reply).map(|()| false));
                }
                Event::Failed => return Poll::Ready(Err(self.refused(reply))),
                Event::LocalInfile => return Poll::Ready(Err(Self::not_given_later(reply))),
                _ => {}
            }
        }
    }

    /// The definitions of the present result's columns.
    pub(crate) fn set_definitions<'a>(&'a mut self, reply: &'a Reply) -> &'a [u8] {
        match (reply.columns, reply.results) {
            (0, _) => &[],
            (_, 0) => self.column_definitions(reply),
            _ => &reply.definitions,
        }
    }

    /// A server may leave out what it has sent before for a statement, but not which of its results that was.
    #[cold]
    fn undefined(&mut self, reply: &mut Reply) -> Error {
        reply.over = true;
        let error = Error::new(
            ErrorKind::Protocol,
            Outcome::Partial,
            "a later result of a statement came without definitions of its columns",
        );
        self.distrust(&error);
        error.in_statement(reply.digest)
    }
}

//! The first packet of a result: what it may be, by what was asked.

use std::mem;

use super::super::stage::{Expected, Format, Stage, Then};
use super::{Polled, Replies};
use crate::ProtocolError;
use crate::packet::{err, local_infile, prepare_ok, result_set};
use crate::session::Event;
use crate::wire::{Inbox, Outbox};

impl Replies {
    pub(super) fn head(
        &mut self,
        expected: Expected,
        inbox: &mut Inbox,
        outbox: &mut Outbox,
    ) -> Polled {
        match inbox.take() {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error @ ProtocolError::OutOfSequence { .. }) => return self.goodbye(inbox, error),
            Err(error) => return Err(error),
        }
        let first = inbox.payload().first().copied();
        match (expected, first) {
            (_, Some(0xff)) => self.failed(inbox),
            (Expected::Prepare, Some(0x00)) => self.prepared(inbox),
            (Expected::Ok | Expected::TextResult | Expected::BinaryResult, Some(0x00)) => {
                self.done(inbox)
            }
            (Expected::TextResult | Expected::BinaryResult, Some(local_infile::HEADER)) => {
                self.asked_for_file(inbox, outbox)
            }
            (Expected::TextResult, Some(_)) => self.result_set(Format::Text, inbox),
            (Expected::BinaryResult, Some(_)) => self.result_set(Format::Binary, inbox),
            (Expected::Ok, _) => Err(ProtocolError::Unexpected {
                expected: "OK or an error",
                first,
            }),
            (Expected::Prepare, _) => Err(ProtocolError::Unexpected {
                expected: "a statement id or an error",
                first,
            }),
            (Expected::TextResult | Expected::BinaryResult, None) => {
                Err(ProtocolError::Unexpected {
                    expected: "a result",
                    first,
                })
            }
        }
    }

    pub(super) fn failed(&mut self, inbox: &mut Inbox) -> Polled {
        self.error = Some(err::parse(inbox.payload())?);
        self.reply_over(inbox);
        Ok(Some(Event::Failed))
    }

    fn done(&mut self, inbox: &mut Inbox) -> Polled {
        let summary = self.summary(inbox)?;
        self.result_over(summary.status, inbox);
        Ok(Some(Event::Done(summary)))
    }

    fn prepared(&mut self, inbox: &Inbox) -> Polled {
        let prepare_ok::PrepareOk {
            id,
            columns,
            params,
        } = prepare_ok::parse(inbox.payload())?;
        let columns = result_set::columns(columns.into())?;
        self.stage = if params > 0 {
            Stage::ParamDefinitions { params, columns }
        } else {
            Self::before_columns(columns)
        };
        Ok(Some(Event::Prepared {
            id,
            params,
            columns,
        }))
    }

    pub(super) fn before_columns(columns: u16) -> Stage {
        match columns {
            0 => Stage::PreparedEnd,
            1.. => Stage::ColumnDefinitions {
                columns,
                then: Then::PreparedEnd,
            },
        }
    }

    fn result_set(&mut self, format: Format, inbox: &Inbox) -> Polled {
        let (columns, definitions) = result_set::parse(inbox.payload(), self.capabilities)?;
        let then = Then::Rows(format);
        self.stage = match (definitions, format) {
            (true, _) => Stage::ColumnDefinitions { columns, then },
            (false, Format::Binary) => self.after_columns(then),
            // Only a prepared statement has definitions from before.
            (false, Format::Text) => {
                return Err(ProtocolError::Invalid {
                    packet: "result set",
                    field: "metadata flag",
                });
            }
        };
        Ok(Some(Event::ResultSet {
            columns,
            definitions,
        }))
    }

    /// What was sent behind the query already would be taken for the file, so then it is too late.
    fn asked_for_file(&mut self, inbox: &mut Inbox, outbox: &mut Outbox) -> Polled {
        if self.queue.len() > 1 || !outbox.outgoing().is_empty() {
            return Err(ProtocolError::Unexpected {
                expected: "a result",
                first: Some(local_infile::HEADER),
            });
        }
        let offered = self.queue.front_mut().map(|awaited| &mut awaited.file);
        if offered.is_some_and(mem::take) {
            self.stage = Stage::File;
            return Ok(Some(Event::FileWanted));
        }
        self.end_file(inbox, outbox);
        Ok(Some(Event::LocalInfile))
    }

    pub(in crate::session) fn wants_file(&self) -> bool {
        matches!(self.stage, Stage::File)
    }

    /// An empty packet is the end of a file, or an empty one.
    pub(in crate::session) fn end_file(&mut self, inbox: &mut Inbox, outbox: &mut Outbox) {
        outbox.begin();
        let sequence = outbox.finish_small(inbox.sequence());
        inbox.expect(sequence);
        self.stage = Stage::AfterInfile;
    }

    /// The reply expected last may ask for a file.
    pub(in crate::session) fn offer_file(&mut self) {
        if let Some(awaited) = self.queue.back_mut() {
            awaited.file = true;
        }
    }
}

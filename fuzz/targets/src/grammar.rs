//! The grammar of replies a second time, from the table in the documentation of `Event`, to hold the session to it.

use std::collections::VecDeque;

use ark_mysql_proto::{Event, definitions};

/// What a command is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// PING and the like.
    Ok,
    /// QUERY or EXECUTE.
    Result,
    /// QUERY, with a file for the server if it asks for one.
    File,
    /// PREPARE.
    Prepare,
}

/// Where in a reply the next event stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Head,
    WaitsForFile,
    AfterFile,
    Params(u16, u16),
    Columns(u16),
    PreparedEnd,
    Definitions(u16),
    Rows,
}

/// The replies that are expected, and how far the first of them has come.
#[derive(Debug)]
pub struct Grammar {
    asked: VecDeque<Asked>,
    place: Place,
    extended: bool,
}

impl Grammar {
    /// Nothing is expected. `extended`: as for [`definitions`].
    pub fn new(extended: bool) -> Self {
        Self {
            asked: VecDeque::new(),
            place: Place::Head,
            extended,
        }
    }

    /// A command was sent.
    pub fn ask(&mut self, asked: Asked) {
        self.asked.push_back(asked);
    }

    /// How many replies are not over.
    pub fn pending(&self) -> usize {
        self.asked.len()
    }

    /// Whether the server waits for a file.
    pub fn waits_for_file(&self) -> bool {
        self.place == Place::WaitsForFile
    }

    /// All of the file was sent.
    pub fn file_over(&mut self) {
        self.place = Place::AfterFile;
    }

    /// Takes the next event. Returns whether it ended a reply.
    ///
    /// # Panics
    /// No such event may come here.
    pub fn event(&mut self, event: Event, payload: &[u8]) -> bool {
        let asked = *self
            .asked
            .front()
            .expect("nothing comes that was not asked for");
        let next = match (self.place, asked, event) {
            (_, _, Event::Failed) => None,
            (Place::Head | Place::AfterFile, _, Event::Done(summary))
                if asked != Asked::Prepare =>
            {
                summary.status.more_results().then_some(Place::Head)
            }
            (
                Place::Head,
                Asked::Prepare,
                Event::Prepared {
                    params, columns, ..
                },
            ) => {
                assert!(columns <= 4096);
                Some(if params > 0 {
                    Place::Params(params, columns)
                } else {
                    Self::after_params(columns)
                })
            }
            (Place::Params(params, columns), _, Event::ParamDefinitions { count }) => {
                assert_eq!(count, params);
                self.check_packets(payload, count);
                Some(Self::after_params(columns))
            }
            (Place::Columns(columns), _, Event::ColumnDefinitions { count }) => {
                assert_eq!(count, columns);
                self.check_packets(payload, count);
                Some(Place::PreparedEnd)
            }
            (Place::PreparedEnd, _, Event::PreparedEnd) => None,
            (Place::Head, Asked::Result, Event::LocalInfile) => Some(Place::AfterFile),
            (Place::Head, Asked::File, Event::FileWanted) => {
                assert_eq!(
                    self.pending(),
                    1,
                    "what was sent behind it would be the file"
                );
                // Offered for one request, not for the next one.
                self.asked[0] = Asked::Result;
                Some(Place::WaitsForFile)
            }
            (
                Place::Head,
                Asked::Result | Asked::File,
                Event::ResultSet {
                    columns,
                    definitions,
                },
            ) => {
                assert!((1..=4096).contains(&columns));
                Some(if definitions {
                    Place::Definitions(columns)
                } else {
                    Place::Rows
                })
            }
            (Place::Definitions(columns), _, Event::ColumnDefinitions { count }) => {
                assert_eq!(count, columns);
                self.check_packets(payload, count);
                Some(Place::Rows)
            }
            (Place::Rows, _, Event::Row) => {
                assert!(
                    payload.first().is_some_and(|first| *first != 0xff),
                    "an error is no row"
                );
                Some(Place::Rows)
            }
            (Place::Rows, _, Event::ResultSetEnd(summary)) => {
                summary.status.more_results().then_some(Place::Head)
            }
            (place, asked, event) => panic!("{event:?} at {place:?} of a reply to {asked:?}"),
        };
        self.place = next.unwrap_or(Place::Head);
        if next.is_none() {
            self.asked.pop_front();
        }
        next.is_none()
    }

    fn after_params(columns: u16) -> Place {
        if columns > 0 {
            Place::Columns(columns)
        } else {
            Place::PreparedEnd
        }
    }

    /// The payload is so many whole packets; each that can be read is one definition.
    fn check_packets(&self, payload: &[u8], count: u16) {
        let mut rest = payload;
        for _ in 0..count {
            let (&[a, b, c, _], after) = rest.split_first_chunk().expect("a header");
            let length = usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16;
            rest = after.get(length..).expect("a whole packet");
        }
        assert!(rest.is_empty(), "nothing but the packets");
        let read = definitions(payload, self.extended)
            .take_while(Result::is_ok)
            .count();
        assert!(read <= usize::from(count));
    }
}

//! `LOAD DATA LOCAL INFILE`: the one statement whose answer is a file of ours.
//!
//! The server gets what a reader gives that came with this statement, and nothing else; names of files are not looked at.

use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll, ready};

use ark_mysql_proto::Capabilities;
use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::execute::Call;
use super::link::Link;
use super::reply::{Head, Reply};
use crate::error::{Error, ErrorKind, Outcome};

/// One piece of a file: four of them are as fast as one of a megabyte.
const PIECE: usize = 64 << 10;

impl Link {
    /// Runs a statement, and gives the server what `reader` gives if it asks for a file.
    pub(crate) async fn load(
        &mut self,
        call: &Call<'_>,
        reader: &mut (impl AsyncRead + Unpin + Send),
    ) -> Result<Reply, Error> {
        self.check_may_load()?;
        let mut reply = self.queue_text(call, true).await?;
        let mut head = self.head(&mut reply, 1).await?;
        let mut failed = None;
        if head == Head::File {
            failed = match self.send_file(reader).await {
                Ok(failed) => failed,
                Err(error) => return Err(self.blame(error, &mut reply)),
            };
            self.session.end_file();
            head = self.head(&mut reply, 1).await?;
        }
        match (head, failed) {
            (Head::Rows, None) => Ok(reply),
            (Head::Rows | Head::File, failed) => Err(unread(failed, Outcome::Partial)),
            (Head::Unknown | Head::Failed, Some(failed)) => {
                let server = self.refused(&mut reply);
                Err(unread(Some(failed), server.outcome()))
            }
            (Head::Unknown | Head::Failed, None) => Err(self.refused(&mut reply)),
        }
    }

    fn check_may_load(&self) -> Result<(), Error> {
        self.check_open()?;
        let capabilities = self.session.capabilities();
        if capabilities.contains(Capabilities::LOCAL_FILES) {
            return Ok(());
        }
        let allowed = self
            .options
            .as_ref()
            .is_some_and(|options| options.local_infile);
        let (detail, advice) = match allowed {
            false => (
                "a reader was given, but this connection may not load local files",
                "connect with ConnectOptions::local_infile(true)",
            ),
            true => (
                "the server does not take local files",
                "switch on its local_infile",
            ),
        };
        Err(Error::new(ErrorKind::LocalInfile, Outcome::NotSent, detail).with_advice(advice))
    }

    /// Sends the file but for its end. An error of the reader's is no error of the link's.
    async fn send_file(
        &mut self,
        reader: &mut (impl AsyncRead + Unpin + Send),
    ) -> Result<Option<io::Error>, Error> {
        let mut piece = vec![0; PIECE];
        loop {
            let count = match reader.read(&mut piece).await {
                Ok(0) => return Ok(None),
                Ok(count) => count,
                Err(error) => return Ok(Some(error)),
            };
            self.session
                .send_file(piece.get(..count).unwrap_or_default());
            poll_fn(|context| self.poll_piece(context)).await?;
        }
    }

    /// Writes what is queued. A server that has something to say meanwhile has given up.
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        while !self.session.outgoing().is_empty() {
            // Reads, too, while it cannot write; one that can write returns nothing to read.
            if let Poll::Ready(flushed) = self.poll_flush(context) {
                return Poll::Ready(flushed.map_err(|error| self.unsent(error)));
            }
            ready!(self.poll_event(context))?;
        }
        Poll::Ready(Ok(()))
    }
}

/// The reader failed. The server knows no way to give up: it takes what came before for the whole file.
#[cold]
fn unread(failed: Option<io::Error>, outcome: Outcome) -> Error {
    let Some(failed) = failed else {
        let detail = "the server asked for a second file";
        return Error::new(ErrorKind::LocalInfile, Outcome::Unknown, detail);
    };
    let detail = format!("its reader failed: {failed}");
    let error = Error::new(ErrorKind::LocalInfile, outcome, detail).with_source(failed);
    match outcome {
        Outcome::Partial => error.with_advice(
            "the server has loaded what came before, its last line perhaps cut short: load in a transaction, and roll it back",
        ),
        _ => error,
    }
}

/// The server asked for a file and got an empty one.
#[cold]
pub(super) fn not_given(outcome: Outcome) -> Error {
    Error::new(
        ErrorKind::LocalInfile,
        outcome,
        "the server asked for a local file, and none was given with the statement: it got an empty one",
    )
    .with_advice("give a reader with LOAD DATA LOCAL INFILE by `.local_infile(reader)`; if that was not the statement, do not trust this server")
}

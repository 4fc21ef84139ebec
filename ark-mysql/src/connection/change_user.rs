//! Another login on the same connection.

use std::future::poll_fn;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Instant;

use super::closed::Closed;
use super::connect;
use super::expire::ServerLimit;
use super::link::Link;
use super::setup::Due;
use super::tx::TxState;
use crate::config::ConnectOptions;
use crate::error::Error;

impl Link {
    /// Logs in as the user of `options`. If that fails, or is dropped before it is done, the connection is closed: nobody could tell who is logged in.
    pub(super) async fn change_user(&mut self, options: ConnectOptions) -> Result<(), Error> {
        options.check()?;
        self.settle().await?;
        let began = Instant::now();
        let mut leaving = Leaving {
            link: self,
            arrived: false,
        };
        poll_fn(|context| leaving.poll_flush(context))
            .await
            .map_err(|error| leaving.unsent(error))?;
        let session = leaving.session.take();
        let login = connect::change_user(&options, &mut leaving.stream, session);
        leaving.session = login.await?;
        leaving.start_anew(options);
        leaving.arrived = true;
        drop(leaving);
        if self.init_statements() > 0 {
            let limit = self.options.as_ref().map(|options| options.connect_timeout);
            let left = limit.unwrap_or_default().saturating_sub(began.elapsed());
            self.confirm_setup(left).await?;
        }
        Ok(())
    }

    /// All that was known of the session holds no more.
    fn start_anew(&mut self, options: ConnectOptions) {
        self.session.take_changes(); // the login's own
        self.statements.clear();
        self.setup_due = Due::All;
        self.server_limit = ServerLimit::default();
        self.tx = TxState::default();
        self.command_at = None;
        self.home = options.database_name().map(Box::from);
        self.options = Some(Arc::new(options)); // a KILL QUERY is sent as the new user, too
        self.moved = false;
        self.stranger = true;
    }
}

/// Closes the connection, unless somebody is logged in at the end.
struct Leaving<'l> {
    link: &'l mut Link,
    arrived: bool,
}

impl Deref for Leaving<'_> {
    type Target = Link;

    fn deref(&self) -> &Link {
        self.link
    }
}

impl DerefMut for Leaving<'_> {
    fn deref_mut(&mut self) -> &mut Link {
        self.link
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if !self.arrived {
            self.link.close_because(Closed::ChangeOfUser);
        }
    }
}

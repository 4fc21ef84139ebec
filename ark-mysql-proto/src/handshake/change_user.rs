use super::authentication::{Authentication, Opening};
use super::{Agreed, Handshake, MAX_LOGIN_PACKET, Stage, no_zero, too_long};
use crate::packet::change_user;
use crate::packet::login::Login;
use crate::wire::Writer;
use crate::{Capabilities, HandshakeError, HandshakeOptions, Session};

impl Handshake {
    /// Logs in as somebody else on a connection that there is already (`COM_CHANGE_USER`). The session's state is lost as by a reset, and the default database
    /// is that of the options.
    ///
    /// It goes on like every other login, by the same rules: they follow from the link as it was made, whatever the options say about TLS and channel. If it
    /// fails, the connection is of no use any more.
    ///
    /// # Errors
    /// Something is under way in the session, or its server is too old, or a name has a zero byte in it. The connection is given up.
    pub fn change_user(
        session: Session,
        options: HandshakeOptions,
    ) -> Result<Self, HandshakeError> {
        no_zero("user name", Some(&options.user))?;
        no_zero("database name", options.database.as_deref())?;
        let max_send = session.max_send();
        let parts = session.into_parts();
        let (mut inbox, mut outbox, capabilities, about) = parts.ok_or(HandshakeError::NotReady)?;
        if !capabilities.contains(Capabilities::PLUGIN_AUTH) {
            return Err(HandshakeError::UnsupportedServer {
                missing: "authentication plugins",
            });
        }
        // The greeting's scramble is used up: the server sends another, with the name of the plugin.
        let (authentication, opening) = Authentication::undecided(about.link, about.nonce);
        let Opening { plugin, answer } = opening;
        let login = Login {
            capabilities,
            user: options.user.as_bytes(),
            answer: &answer,
            database: options.database.as_deref().map(str::as_bytes),
            plugin: plugin.as_bytes(),
            attributes: &options.attributes,
        };
        inbox.set_max(options.max_receive.min(MAX_LOGIN_PACKET));
        outbox.set_max(MAX_LOGIN_PACKET);
        change_user::write(&login, &mut Writer::new(outbox.begin()));
        let sequence = outbox.finish(0).map_err(|_| too_long())?;
        inbox.expect(sequence);
        Ok(Self {
            options: HandshakeOptions {
                max_send,
                ..options
            },
            inbox,
            outbox,
            stage: Stage::Authentication(
                Box::new(authentication),
                Agreed {
                    capabilities,
                    about,
                },
            ),
            tls: None,
            fingerprint: None,
        })
    }
}

//! Spans and events. Statements appear by their fingerprint; neither their text nor a value ever does.

use tracing::Span;
use tracing::level_filters::LevelFilter;

use crate::error::Fingerprint;

/// Whether somebody might listen to statements.
#[inline]
pub(crate) fn listens() -> bool {
    LevelFilter::current() >= LevelFilter::DEBUG
}

/// The span of one statement, from asking for a connection to its last row; none when nobody listens.
#[cold]
pub(crate) fn statement(digest: u128) -> Option<Span> {
    let span = tracing::debug_span!(target: "ark_mysql::query", "statement", fingerprint = %Fingerprint(digest));
    (!span.is_disabled()).then_some(span)
}

/// Awaits a future of a statement, in its span if somebody listens. Boxed then: the future would have its place twice otherwise.
macro_rules! traced {
    ($digest:expr, $future:expr) => {
        if !$crate::trace::listens() {
            $future.await
        } else {
            match $crate::trace::statement($digest) {
                None => Box::pin($future).await,
                Some(span) => tracing::Instrument::instrument(Box::pin($future), span).await,
            }
        }
    };
}

pub(crate) use traced;

/// A name for SQL made at run time: FNV-1a, spread over 128 bits. It names, it proves nothing: the cache compares texts as well.
pub(crate) fn digest(sql: &str) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    sql.bytes().fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}

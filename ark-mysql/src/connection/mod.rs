//! A connection: the session of the protocol on a stream.

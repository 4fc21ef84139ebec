use std::fmt;

/// Why there is no database for a test: a whole message.
#[derive(Clone, Debug)]
pub(super) struct Failure(pub(super) String);

impl Failure {
    /// For `map_err`: what was being done, in front of why it failed.
    pub(super) fn at<E: fmt::Display>(doing: &str) -> impl FnOnce(E) -> Self {
        move |error| Self(format!("{doing}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

use std::fmt;

/// What a function under `#[ark_mysql::test]` can return.
#[diagnostic::on_unimplemented(
    message = "a test cannot return `{Self}`",
    note = "it returns nothing or a `Result<(), E>` whose error is `Debug`"
)]
pub trait TestOutcome {
    /// Whether the test failed.
    fn is_failure(&self) -> bool;
}

impl TestOutcome for () {
    fn is_failure(&self) -> bool {
        false
    }
}

impl<T: TestOutcome, E: fmt::Debug> TestOutcome for Result<T, E> {
    fn is_failure(&self) -> bool {
        self.as_ref().map_or(true, TestOutcome::is_failure)
    }
}

//! In place of an export of figures where there is none: nothing, of no size.

use std::time::Duration;

pub(super) struct Export;

impl Export {
    pub(super) fn new(_: &str, _: usize) -> Self {
        Self
    }

    #[inline]
    pub(super) fn acquired(&self, _: Duration) {}

    #[inline]
    pub(super) fn returned(&self, _: Duration) {}

    #[inline]
    pub(super) fn opened(&self) {}

    #[inline]
    pub(super) fn open_failed(&self) {}

    #[inline]
    pub(super) fn closed(&self) {}

    #[inline]
    pub(super) fn reset(&self) {}

    #[inline]
    pub(super) fn timed_out(&self) {}

    #[inline]
    pub(super) fn refused(&self) {}

    #[inline]
    pub(super) fn stand(&self, _: usize, _: usize, _: usize) {}
}

//! A line that ends, or falls silent, anywhere: always an error, never a wrong or a short answer, and never a wait without an end.

#[path = "../by_hand/mod.rs"]
mod by_hand;
mod every_byte;
mod half_open;
mod lateness;
mod line;
mod pipelines;
mod talks;

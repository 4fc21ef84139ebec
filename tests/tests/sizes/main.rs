//! What is large: values at the edges of the protocol's lengths, and how much memory it takes to read and write much.

#[path = "../by_hand/mod.rs"]
mod by_hand;
mod edges;
#[path = "../cuts/line.rs"]
mod line;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod smuggling;

//! A server that is killed while money is moved: nothing that was confirmed is lost, nothing that was denied is there.

mod bank;
#[path = "../by_hand/mod.rs"]
mod by_hand;
mod mortal;
mod transfers;

//! One packet, one file: bytes to fields, and fields to bytes. What a packet means is decided elsewhere.

pub(crate) mod auth_switch;
pub(crate) mod change_user;
pub(crate) mod column;
pub(crate) mod eof;
pub(crate) mod err;
pub(crate) mod greeting;
pub(crate) mod local_infile;
pub(crate) mod login;
pub(crate) mod ok;
pub(crate) mod prepare_ok;
pub(crate) mod result_set;
pub(crate) mod session_track;
pub(crate) mod ssl_request;

mod text;

pub(crate) use text::presentable;

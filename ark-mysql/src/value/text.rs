//! Text of all sorts: what the server has in any character set comes as UTF-8.

use std::borrow::Cow;
use std::sync::Arc;

use super::{decode, encode};

macro_rules! text {
    ($($rust:ty),*) => {
        $(decode!($rust: Text Enum Set Json Uuid Inet4 Inet6 Null: |row, index| row.str(index).map(Self::from));)*
    };
}

text!(String, &'r str, Cow<'r, str>, Box<str>, Arc<str>);

encode!(str as TEXT for Any Text Enum Set Json Uuid Inet4 Inet6: |value, out| out.text(value));
encode!(String as TEXT for Any Text Enum Set Json Uuid Inet4 Inet6: |value, out| out.text(value));

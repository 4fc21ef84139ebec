//! Our own dates and times, which hold everything that the server does.

use super::{decode, encode};
use crate::types::{Date, DateTime, Time};

decode!(Date: Date: |row, index| row.date(index));
decode!(DateTime: Date DateTime Timestamp: |row, index| row.datetime(index));
decode!(Time: Time: |row, index| row.time(index));

encode!(Date as DATE for Any Date DateTime Timestamp: |value, out| out.date(*value));
encode!(DateTime as DATETIME for Any DateTime Timestamp, compared Date: |value, out| out.datetime(*value));
encode!(Time as TIME for Any Time: |value, out| out.time(*value));

//! IP addresses: MariaDB's INET4 and INET6, and text and bytes anywhere (`INET6_ATON` gives bytes).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::decode;
use super::forms::{read_forms, two_forms};

read_forms!(Ipv4Addr: text Inet4 Text, bytes Bytes: |value| value.parse().ok(), four(value));
read_forms!(Ipv6Addr: text Inet6 Text, bytes Bytes: |value| value.parse().ok(), sixteen(value));
read_forms!(IpAddr: text Inet4 Inet6 Text, bytes Bytes: |value| {
    value.parse().ok()
}, four(value).map(Self::from).or_else(|| sixteen(value).map(Self::from)));

two_forms!(Ipv4Addr: text Inet4 Text, bytes Bytes: |value, out| out.text(&value.to_string()), out.bytes(&value.octets()));
two_forms!(Ipv6Addr: text Inet6 Text, bytes Bytes: |value, out| out.text(&value.to_string()), out.bytes(&value.octets()));
two_forms!(IpAddr: text Text, bytes Bytes: |value, out| out.text(&value.to_string()), match value {
    Self::V4(address) => out.bytes(&address.octets()),
    Self::V6(address) => out.bytes(&address.octets()),
});

fn four(bytes: &[u8]) -> Option<Ipv4Addr> {
    <[u8; 4]>::try_from(bytes).ok().map(Ipv4Addr::from)
}

fn sixteen(bytes: &[u8]) -> Option<Ipv6Addr> {
    <[u8; 16]>::try_from(bytes).ok().map(Ipv6Addr::from)
}

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::*;

#[test]
fn addresses_take_the_form_of_their_column() {
    let four = Ipv4Addr::new(192, 0, 2, 255);
    let six: Ipv6Addr = "2001:db8::1:0:0:ff".parse().unwrap();
    comes_back::<kind::Inet4, Ipv4Addr>(four);
    comes_back::<kind::Text, Ipv4Addr>(four);
    comes_back::<kind::Bytes, Ipv4Addr>(four);
    comes_back::<kind::Inet6, Ipv6Addr>(six);
    comes_back::<kind::Text, Ipv6Addr>(six);
    comes_back::<kind::Bytes, Ipv6Addr>(six);
    for address in [IpAddr::V4(four), IpAddr::V6(six)] {
        comes_back::<kind::Text, IpAddr>(address);
        comes_back::<kind::Bytes, IpAddr>(address);
    }
    assert_eq!(
        sent::<kind::Bytes, _>(&four).unwrap(),
        [0, 0, 4, 192, 0, 2, 255]
    );
    assert_eq!(
        sent::<kind::Inet4, _>(&four).unwrap(),
        b"\0\0\x0b192.0.2.255"
    );
    assert_eq!(<Ipv4Addr as Encode<kind::Bytes>>::TYPE, ParamType::BYTES);
    assert_eq!(
        <Ipv4Addr as Encode<NotNull<kind::Inet4>>>::TYPE,
        ParamType::TEXT
    );
}

#[test]
fn what_is_no_address_is_an_error() {
    let text = b"\0\0\x09192.0.2.x";
    assert_eq!(
        binary::<Ipv4Addr, NotNull<kind::Text>>(text),
        Err(DecodeErrorKind::InvalidText)
    );
    assert_eq!(
        binary::<Ipv6Addr, NotNull<kind::Text>>(b"\0\0\0"),
        Err(DecodeErrorKind::InvalidText)
    );
    assert_eq!(
        binary::<Ipv4Addr, NotNull<kind::Bytes>>(b"\0\0\x03abc"),
        Err(DecodeErrorKind::InvalidLength)
    );
    assert_eq!(
        binary::<Ipv6Addr, NotNull<kind::Bytes>>(b"\0\0\x04abcd"),
        Err(DecodeErrorKind::InvalidLength)
    );
    assert_eq!(
        binary::<IpAddr, NotNull<kind::Bytes>>(b"\0\0\x05abcde"),
        Err(DecodeErrorKind::InvalidLength)
    );
    assert_eq!(
        binary::<Option<IpAddr>, Nullable<kind::Null>>(&[0, 0b100]),
        Ok(None)
    );
}

#[cfg(feature = "uuid")]
#[test]
fn uuids_take_the_form_of_their_column() {
    use uuid::Uuid;

    let id: Uuid = "0189F7EA-AE2B-7c5e-8000-0123456789ab".parse().unwrap();
    comes_back::<kind::Uuid, Uuid>(id);
    comes_back::<kind::Text, Uuid>(id);
    comes_back::<kind::Bytes, Uuid>(id);
    comes_back::<kind::Text, uuid::fmt::Hyphenated>(id.hyphenated());
    comes_back::<kind::Text, uuid::fmt::Simple>(id.simple());
    assert_eq!(
        sent::<kind::Bytes, _>(&id).unwrap(),
        [&[0, 0, 16], &id.as_bytes()[..]].concat()
    );
    let text = b"\0\0\x240189f7ea-ae2b-7c5e-8000-0123456789ab";
    assert_eq!(sent::<NotNull<kind::Text>, _>(&id).unwrap(), text);
    assert_eq!(sent::<Nullable<kind::Uuid>, _>(&Some(id)).unwrap(), text);
    assert_eq!(
        <Option<Uuid> as Encode<Nullable<kind::Bytes>>>::TYPE,
        ParamType::BYTES
    );

    let simple = b"\0\0\x200189f7eaae2b7c5e80000123456789AB";
    assert_eq!(
        binary::<Uuid, NotNull<kind::Text>>(simple),
        Ok(id),
        "CHAR(32)"
    );
    for wrong in [
        &b"\0\0\0"[..],
        b"\0\0\x03abc",
        b"\0\0\x240189f7ea-ae2b-7c5e-8000-0123456789xy",
    ] {
        assert_eq!(
            binary::<Uuid, NotNull<kind::Uuid>>(wrong),
            Err(DecodeErrorKind::InvalidText)
        );
        assert_eq!(
            binary::<Uuid, NotNull<kind::Bytes>>(wrong),
            Err(DecodeErrorKind::InvalidLength)
        );
    }
    assert_eq!(
        binary::<Option<Uuid>, Nullable<kind::Null>>(&[0, 0b100]),
        Ok(None)
    );
}

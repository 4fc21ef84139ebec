use super::*;

fn row(text: &str) -> Vec<u8> {
    [&[0, 0, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
}

#[cfg(feature = "rust_decimal")]
#[test]
fn rust_decimals_are_exact_or_an_error() {
    use rust_decimal::Decimal;

    for number in [
        Decimal::MAX,
        Decimal::MIN,
        Decimal::ZERO,
        "-0.0000000000000000000000000001".parse().unwrap(),
        "1.50".parse().unwrap(),
    ] {
        comes_back::<kind::Decimal, Decimal>(number);
    }
    let read = |text: &str| binary::<Decimal, NotNull<kind::Decimal>>(&row(text));
    assert_eq!(
        read("1.50").unwrap().to_string(),
        "1.50",
        "the scale is kept"
    );
    assert_eq!(
        read("79228162514264337593543950335.000000000000000000000000000000"),
        Ok(Decimal::MAX),
        "zeros do not count"
    );
    for long in [
        "79228162514264337593543950336",
        "0.00000000000000000000000000001",
        "1.00000000000000000000000000000000000001",
        "-12345678901234567890123456789.1",
    ] {
        assert_eq!(read(long), Err(DecodeErrorKind::OutOfRange), "{long}");
    }
    for wrong in ["", "abc", "1e5", "1_000", "0x10", "NaN", " 1"] {
        assert_eq!(read(wrong), Err(DecodeErrorKind::InvalidNumber), "{wrong}");
    }
}

#[cfg(feature = "bigdecimal")]
#[test]
fn big_decimals_of_65_digits_come_back_and_longer_ones_are_not_sent() {
    use bigdecimal::BigDecimal;

    let number = |text: &str| text.parse::<BigDecimal>().unwrap();
    let digits = "9".repeat(35) + "." + &"9".repeat(30);
    for text in [
        digits.as_str(),
        "0",
        "-0.00001",
        "1.50",
        &"9".repeat(65),
        &("0.".to_owned() + &"9".repeat(65)),
    ] {
        comes_back::<kind::Decimal, BigDecimal>(number(text));
    }
    let sent = |text: &str| sent::<kind::Any, _>(&number(text));
    assert_eq!(sent("1e3"), Ok(row("1000")));
    assert_eq!(sent("-1.5e-3"), Ok(row("-0.0015")));
    assert_eq!(
        sent(&format!("1.{}", "0".repeat(99))),
        Ok(row("1")),
        "zeros do not count"
    );
    for far in [
        "1e65",
        "1e-66",
        "1e1000000000",
        "1e-1000000000",
        &"9".repeat(66),
        &(digits + "9"),
    ] {
        assert_eq!(sent(far), Err(EncodeErrorKind::OutOfRange), "{far}");
    }
    for wrong in ["", "abc", "1e5", "NaN"] {
        assert_eq!(
            binary::<BigDecimal, NotNull<kind::Decimal>>(&row(wrong)),
            Err(DecodeErrorKind::InvalidNumber),
            "{wrong}"
        );
    }
}

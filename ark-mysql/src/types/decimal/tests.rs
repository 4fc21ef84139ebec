use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn prints_what_the_server_sends() {
    let long = format!("-{}.{}", "9".repeat(35), "1".repeat(30));
    for text in [
        "0",
        "0.00000",
        "-0.00001",
        "1.50",
        "12345678901234567890.5",
        "-7",
        "1000000000",
        &"9".repeat(65),
        &long,
    ] {
        assert_eq!(decimal(text).to_string(), text);
    }
    assert_eq!(decimal("00012.5").to_string(), "12.5");
    assert_eq!(decimal("+.5").to_string(), "0.5");
    assert_eq!(decimal("5.").to_string(), "5");
    assert_eq!(decimal("-0.0").to_string(), "0.0", "SQL has no -0");
    assert_eq!(
        format!(
            "{:>6}|{:06}|{:+}",
            decimal("1.5"),
            decimal("-1.5"),
            decimal("2")
        ),
        "   1.5|-001.5|+2"
    );
}

#[test]
fn what_is_no_decimal_is_refused() {
    for text in [
        "", "-", ".", "-.", "1e5", "abc", "1.2.3", "1 ", " 1", "--1", "0x10", "١",
    ] {
        assert_eq!(
            text.parse::<Decimal>(),
            Err(DecimalError::Invalid),
            "{text:?}"
        );
    }
    assert_eq!(
        "1".repeat(66).parse::<Decimal>(),
        Err(DecimalError::TooLong)
    );
    assert_eq!(
        format!("0.{}1", "0".repeat(65)).parse::<Decimal>(),
        Err(DecimalError::TooLong)
    );
    assert_eq!(
        format!("{}1", "0".repeat(100)).parse::<Decimal>(),
        Ok(Decimal::from(1))
    );
}

#[test]
fn trailing_zeros_do_not_count_in_comparisons() {
    assert_eq!(decimal("1.5"), decimal("1.500"));
    assert_eq!(decimal("0"), decimal("0.000"));
    let set: HashSet<_> = ["1.5", "1.50", "-1.5", "15"].map(decimal).into();
    assert_eq!(set.len(), 3);
    let mut sorted = ["-0.5", "10", "9.99", "-10", "0", "0.001", "9.9900001"].map(decimal);
    sorted.sort();
    assert_eq!(
        sorted.map(|number| number.to_string()),
        ["-10", "-0.5", "0", "0.001", "9.99", "9.9900001", "10"]
    );
}

#[test]
fn integers_come_back_only_when_nothing_is_lost() {
    assert_eq!(
        i64::try_from(decimal("-9223372036854775808.00")),
        Ok(i64::MIN)
    );
    assert_eq!(u64::try_from(decimal("18446744073709551615")), Ok(u64::MAX));
    assert_eq!(
        i64::try_from(decimal("9223372036854775808")),
        Err(DecimalError::TooLong)
    );
    assert_eq!(i8::try_from(decimal("1.5")), Err(DecimalError::Fraction));
    assert_eq!(
        i128::try_from(decimal(&"9".repeat(65))),
        Err(DecimalError::TooLong)
    );
    assert_eq!(i128::try_from(Decimal::from(i128::MIN)), Ok(i128::MIN));
}

#[test]
fn floats_become_the_number_that_they_print_as() {
    assert_eq!(Decimal::from_f64(0.1), Ok(decimal("0.1")));
    assert_eq!(Decimal::from_f64(f64::NAN), Err(DecimalError::Invalid));
    assert_eq!(Decimal::from_f64(1e300), Err(DecimalError::TooLong));
    assert_eq!(decimal("-0.1").to_f64(), -0.1);
}

proptest! {
    #[test]
    fn order_and_equality_agree_with_integers(a: i64, b: i64, scale in 0_u8..20) {
        let (x, y) = (Decimal { scale, ..a.into() }, Decimal { scale, ..b.into() });
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_string().parse::<Decimal>().unwrap(), x);
    }

    #[test]
    fn any_text_parses_or_fails(text in "[-+.0-9a]{0,80}") {
        if let Ok(number) = text.parse::<Decimal>() {
            prop_assert_eq!(number.to_string().parse::<Decimal>().unwrap(), number);
        }
    }
}

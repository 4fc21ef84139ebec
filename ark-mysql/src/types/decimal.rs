use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// Most digits of a DECIMAL.
const MAX_DIGITS: usize = 65;
/// A limb holds nine digits, so eight of them hold 72.
const LIMBS: usize = 8;
const LIMB_DIGITS: usize = 9;
const LIMB: u128 = 1_000_000_000;
/// All digits, a sign, a point and a zero before it.
const MAX_TEXT: usize = LIMBS * LIMB_DIGITS + 3;

/// An exact decimal number of up to 65 digits, as DECIMAL and NUMERIC columns have them.
///
/// It is a value to carry, compare, print and convert; for arithmetics use a decimal crate. The number of digits behind the point is kept
/// (`1.50` prints as `1.50`), but does not count in comparisons: `1.5 == 1.50`.
///
/// ```
/// use ark_mysql::types::Decimal;
///
/// let price: Decimal = "19.90".parse()?;
/// assert_eq!(price.to_string(), "19.90");
/// assert!(price > Decimal::from(19));
/// # Ok::<(), ark_mysql::types::DecimalError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Decimal {
    /// The digits without the point, in base 10^9, least significant limb first.
    limbs: [u32; LIMBS],
    /// How many of the digits are behind the point; at most 65.
    scale: u8,
    /// Never set for zero: SQL has no -0.
    negative: bool,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self {
        limbs: [0; LIMBS],
        scale: 0,
        negative: false,
    };

    /// Digits behind the point.
    pub const fn scale(self) -> u8 {
        self.scale
    }

    /// Below zero.
    pub const fn is_negative(self) -> bool {
        self.negative
    }

    /// Zero, of any scale.
    pub fn is_zero(self) -> bool {
        self.limbs == [0; LIMBS]
    }

    /// The nearest f64; more than 15 digits are not kept.
    pub fn to_f64(self) -> f64 {
        self.with_text(|text| text.parse().unwrap_or(f64::NAN))
    }

    /// The number that an f64 prints as: the shortest one that reads back as the same f64.
    ///
    /// # Errors
    /// NaN, infinities, and numbers that need more than 65 digits.
    pub fn from_f64(value: f64) -> Result<Self, DecimalError> {
        value.to_string().parse()
    }

    /// Reads what the server sends: an optional sign, digits, at most one point. No exponents, no spaces.
    pub(crate) fn from_ascii(text: &[u8]) -> Result<Self, DecimalError> {
        let (negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let point = digits.iter().position(|&byte| byte == b'.');
        let fraction = point.map_or(0, |point| digits.len() - point - 1);
        let points = digits.iter().filter(|&&byte| byte == b'.').count();
        if points > 1 || digits.len() == points {
            return Err(DecimalError::Invalid);
        }
        let scale = u8::try_from(fraction)
            .ok()
            .filter(|&scale| usize::from(scale) <= MAX_DIGITS)
            .ok_or(DecimalError::TooLong)?;
        let limbs = limbs_of(digits)?;
        let mut number = Self {
            limbs,
            scale,
            negative,
        };
        number.negative &= !number.is_zero();
        Ok(number)
    }

    /// Gives the text without allocating it.
    pub(crate) fn with_text<R>(&self, use_it: impl FnOnce(&str) -> R) -> R {
        let mut text = Text {
            bytes: [0; MAX_TEXT],
            length: 0,
        };
        // The buffer holds the longest number there is.
        let _ = self.write(&mut text);
        use_it(text.as_str())
    }

    /// Digits between the first and the last that are not zero, both included.
    pub(crate) fn significant_digits(&self) -> usize {
        let leading = self.digits().take_while(|&digit| digit == 0).count();
        let last = self
            .digits()
            .enumerate()
            .filter(|&(_, digit)| digit != 0)
            .last();
        last.map_or(0, |(place, _)| place + 1 - leading)
    }

    /// The digits without the point, most significant first, leading zeros included: always 72.
    fn digits(&self) -> impl Iterator<Item = u8> + '_ {
        self.limbs
            .iter()
            .rev()
            .flat_map(|&limb| (0..9).rev().map(move |place| digit(limb, place)))
    }

    fn write(&self, out: &mut impl Write) -> fmt::Result {
        if self.negative {
            out.write_char('-')?;
        }
        let point = LIMBS * LIMB_DIGITS - usize::from(self.scale);
        let leading = self
            .digits()
            .take_while(|&digit| digit == 0)
            .count()
            .min(point - 1);
        for (place, digit) in self.digits().enumerate().skip(leading) {
            if place == point {
                out.write_char('.')?;
            }
            out.write_char(char::from(b'0' + digit))?;
        }
        Ok(())
    }

    /// Whole part and fraction, both as digits, the fraction without trailing zeros: what counts in comparisons.
    fn magnitude(&self) -> Magnitude {
        let mut digits = [0; LIMBS * LIMB_DIGITS * 2];
        let whole = LIMBS * LIMB_DIGITS - usize::from(self.scale);
        // Whole digits end at the middle, so that numbers of all scales line up.
        let start = LIMBS * LIMB_DIGITS - whole;
        digits
            .iter_mut()
            .skip(start)
            .zip(self.digits())
            .for_each(|(place, digit)| *place = digit);
        digits
    }
}

type Magnitude = [u8; LIMBS * LIMB_DIGITS * 2];

/// One digit of a limb; `place` counts from the right.
fn digit(limb: u32, place: u32) -> u8 {
    u8::try_from(limb / 10_u32.pow(place) % 10).unwrap_or(0)
}

/// Nine digits a limb, from the right.
fn limbs_of(text: &[u8]) -> Result<[u32; LIMBS], DecimalError> {
    let mut limbs = [0; LIMBS];
    let powers = (0..9).map(|place| 10_u32.pow(place)).cycle();
    let digits = text.iter().rev().filter(|&&byte| byte != b'.');
    for ((place, &byte), power) in digits.enumerate().zip(powers) {
        match byte {
            b'0' => {}
            b'1'..=b'9' if place >= MAX_DIGITS => return Err(DecimalError::TooLong),
            b'1'..=b'9' => {
                let limb = limbs
                    .get_mut(place / LIMB_DIGITS)
                    .ok_or(DecimalError::TooLong)?;
                *limb += u32::from(byte - b'0') * power;
            }
            _ => return Err(DecimalError::Invalid),
        }
    }
    Ok(limbs)
}

/// A text buffer on the stack.
struct Text {
    bytes: [u8; MAX_TEXT],
    length: usize,
}

impl Text {
    fn as_str(&self) -> &str {
        self.bytes
            .get(..self.length)
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.bytes
            .get_mut(self.length..end)
            .ok_or(fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            f.pad_integral(!self.negative, "", digits)
        })
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::from_ascii(text.as_bytes())
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let ascending = || {
            if self.scale == other.scale {
                return self.limbs.iter().rev().cmp(other.limbs.iter().rev());
            }
            self.magnitude().cmp(&other.magnitude())
        };
        match (self.negative, other.negative) {
            (false, false) => ascending(),
            (true, true) => ascending().reverse(),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        self.magnitude().hash(state);
    }
}

impl From<u128> for Decimal {
    fn from(mut value: u128) -> Self {
        let mut number = Self::ZERO;
        for limb in &mut number.limbs {
            *limb = u32::try_from(value % LIMB).unwrap_or(0);
            value /= LIMB;
        }
        number
    }
}

impl From<i128> for Decimal {
    fn from(value: i128) -> Self {
        Self {
            negative: value < 0,
            ..Self::from(value.unsigned_abs())
        }
    }
}

macro_rules! integers {
    ($($integer:ident)*) => {
        $(impl From<$integer> for Decimal {
            fn from(value: $integer) -> Self {
                Self::from(i128::from(value))
            }
        }

        /// Fails where there is a fraction other than zero, or where the number is too large.
        impl TryFrom<Decimal> for $integer {
            type Error = DecimalError;

            fn try_from(number: Decimal) -> Result<Self, DecimalError> {
                Self::try_from(i128::try_from(number)?).map_err(|_| DecimalError::TooLong)
            }
        })*
    };
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// Fails where there is a fraction other than zero, or where the number is too large.
impl TryFrom<Decimal> for i128 {
    type Error = DecimalError;

    fn try_from(number: Decimal) -> Result<Self, DecimalError> {
        let whole = LIMBS * LIMB_DIGITS - usize::from(number.scale);
        if number.digits().skip(whole).any(|digit| digit != 0) {
            return Err(DecimalError::Fraction);
        }
        let sign = if number.negative { -1 } else { 1 };
        let longer =
            |value: i128, digit: u8| value.checked_mul(10)?.checked_add(sign * i128::from(digit));
        number
            .digits()
            .take(whole)
            .try_fold(0, longer)
            .ok_or(DecimalError::TooLong)
    }
}

/// Why a text is no [`Decimal`], or a [`Decimal`] no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalError {
    /// Not a number, or one with an exponent.
    Invalid,
    /// More digits than a DECIMAL has, or than the integer type holds.
    TooLong,
    /// An integer was wanted, and there are digits other than zero behind the point.
    Fraction,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => {
                "not a decimal number: a sign, digits and one point are allowed, no exponent"
            }
            Self::TooLong => "a decimal number with too many digits: a DECIMAL has 65 at most",
            Self::Fraction => "the decimal number is not an integer",
        })
    }
}

impl std::error::Error for DecimalError {}

#[cfg(test)]
mod tests;

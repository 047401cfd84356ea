//! Whole numbers of any size.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

/// A whole number. Small ones, nearly all, take no memory of their own.
#[derive(Clone, PartialEq, Eq)]
pub struct Integer(Size);

/// Whatever fits is small, so that equal numbers are equal values.
#[derive(Clone, PartialEq, Eq)]
enum Size {
    Small(i64),
    Big(Box<BigInt>),
}

impl Integer {
    /// The number, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Size::Small(number) => Some(*number),
            Size::Big(_) => None,
        }
    }

    /// The number, or the nearest end of the range.
    pub fn saturated(&self) -> i64 {
        self.to_i64().unwrap_or(if self.is_negative() { i64::MIN } else { i64::MAX })
    }

    /// The nearest float, which is infinite for very large numbers.
    #[expect(clippy::cast_precision_loss, reason = "the nearest one is what is asked for")]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Size::Small(number) => *number as f64,
            Size::Big(number) => number.to_f64().unwrap_or(f64::INFINITY),
        }
    }

    /// The float without its fraction; nothing for what is no number.
    pub fn truncated(float: f64) -> Option<Self> {
        BigInt::from_f64(float.trunc()).map(Self::from)
    }

    /// Reads decimal digits with an optional sign and underscores between digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let well_formed =
            digits.split('_').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        if !well_formed {
            return None;
        }
        let plain = text.replace('_', "");
        plain.parse().map(Size::Small).map(Self).ok().or_else(|| plain.parse::<BigInt>().ok().map(Self::from))
    }

    /// The number in digits of another base.
    pub fn to_radix(&self, radix: u32) -> String {
        self.to_big().to_str_radix(radix)
    }

    pub(crate) fn to_big(&self) -> BigInt {
        match &self.0 {
            Size::Small(number) => BigInt::from(*number),
            Size::Big(number) => (**number).clone(),
        }
    }

    /// How many bits the number has, without its sign.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Size::Small(number) => u64::from(u64::BITS - number.unsigned_abs().leading_zeros()),
            Size::Big(number) => number.bits(),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Size::Small(number) => *number < 0,
            Size::Big(number) => number.is_negative(),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Size::Small(0)
    }

    fn combine(&self, other: &Self, small: fn(i64, i64) -> Option<i64>, big: fn(&BigInt, &BigInt) -> BigInt) -> Self {
        if let (Size::Small(left), Size::Small(right)) = (&self.0, &other.0)
            && let Some(number) = small(*left, *right)
        {
            return Self(Size::Small(number));
        }
        Self::from(big(&self.to_big(), &other.to_big()))
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        self.combine(other, i64::checked_add, |left, right| left + right)
    }

    pub(crate) fn subtract(&self, other: &Self) -> Self {
        self.combine(other, i64::checked_sub, |left, right| left - right)
    }

    pub(crate) fn multiply(&self, other: &Self) -> Self {
        self.combine(other, i64::checked_mul, |left, right| left * right)
    }

    /// The quotient rounded down, nothing for a division by zero.
    pub(crate) fn divide(&self, other: &Self) -> Option<Self> {
        let small = |left: i64, right: i64| (left != i64::MIN).then(|| num_integer::Integer::div_floor(&left, &right));
        (!other.is_zero()).then(|| self.combine(other, small, num_integer::Integer::div_floor))
    }

    /// The remainder, which has the sign of the divisor; nothing for a division by zero.
    pub(crate) fn modulo(&self, other: &Self) -> Option<Self> {
        let small = |left: i64, right: i64| (left != i64::MIN).then(|| num_integer::Integer::mod_floor(&left, &right));
        (!other.is_zero()).then(|| self.combine(other, small, num_integer::Integer::mod_floor))
    }

    pub(crate) fn negate(&self) -> Self {
        Self::from(0).subtract(self)
    }

    pub(crate) fn compare_float(&self, float: f64) -> Option<Ordering> {
        if float.is_nan() {
            return None;
        }
        let Some(whole) = BigInt::from_f64(float.floor()) else {
            return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
        };
        let fraction = float - float.floor();
        Some(self.to_big().cmp(&whole).then(if fraction > 0.0 { Ordering::Less } else { Ordering::Equal }))
    }
}

impl From<i64> for Integer {
    fn from(number: i64) -> Self {
        Self(Size::Small(number))
    }
}

impl From<i32> for Integer {
    fn from(number: i32) -> Self {
        Self::from(i64::from(number))
    }
}

impl From<usize> for Integer {
    fn from(number: usize) -> Self {
        i64::try_from(number).map_or_else(|_| Self::from(BigInt::from(number)), Self::from)
    }
}

impl From<i128> for Integer {
    fn from(number: i128) -> Self {
        i64::try_from(number).map_or_else(|_| Self::from(BigInt::from(number)), Self::from)
    }
}

impl From<BigInt> for Integer {
    fn from(number: BigInt) -> Self {
        Self(number.to_i64().map_or_else(|| Size::Big(Box::new(number)), Size::Small))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Size::Small(left), Size::Small(right)) => left.cmp(right),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Integer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Size::Small(number) => number.hash(state),
            Size::Big(number) => number.hash(state),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(number) => number.fmt(f),
            Size::Big(number) => number.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Modular power as in Python: the result has the sign of the modulus.
pub(crate) fn power_modulo(base: &Integer, exponent: &Integer, modulus: &Integer) -> Option<Integer> {
    let (modulus, exponent) = (modulus.to_big(), exponent.to_big());
    if modulus.is_zero() || exponent.is_negative() {
        return None;
    }
    Some(Integer::from(base.to_big().modpow(&exponent, &modulus)))
}

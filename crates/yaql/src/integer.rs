//! Whole numbers of any size.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive};

use crate::error::{Error, ErrorKind, Result, value_error};
use crate::meter::Meter;

/// A whole number of up to 65 536 bits. Small numbers, which are the usual case, need no allocation.
#[derive(Clone, PartialEq, Eq)]
pub struct Integer(Size);

/// Invariant: a number that fits into 64 bits is small, so that equal numbers are equal values.
#[derive(Clone, PartialEq, Eq)]
enum Size {
    Small(i64),
    Big(Arc<BigInt>),
}

/// The maximum number of bits: operations on two numbers of this size are fast.
const MAX_BITS: u64 = 1 << 16;

/// The work that an operation on large numbers takes.
#[derive(Clone, Copy)]
enum Work {
    /// Proportional to the number of digits of both numbers.
    Sum,
    /// Proportional to the cost of a multiplication.
    Product,
}

impl Integer {
    /// The maximum number of decimal digits that are parsed.
    pub(crate) const MAX_DIGITS: usize = 20_000;

    /// Returns the number, if it fits into 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Size::Small(number) => Some(*number),
            Size::Big(_) => None,
        }
    }

    /// Returns the number, or the nearest one that fits into 64 bits.
    pub fn saturated(&self) -> i64 {
        self.to_i64().unwrap_or(if self.is_negative() { i64::MIN } else { i64::MAX })
    }

    /// Returns the nearest float, which is infinite for very large numbers.
    #[expect(clippy::cast_precision_loss, reason = "the nearest one is what is asked for")]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Size::Small(number) => *number as f64,
            Size::Big(number) => number.to_f64().unwrap_or(f64::INFINITY),
        }
    }

    /// Returns the float without its fraction; `None` if it is not a number.
    pub fn truncated(float: f64) -> Option<Self> {
        BigInt::from_f64(float.trunc()).map(Self::from)
    }

    /// Reads decimal digits with an optional sign and underscores between digits; `None` if there are too many digits,
    /// or the text has a different form.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let well_formed =
            digits.split('_').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        if !well_formed {
            return None;
        }
        if digits.len() > Self::MAX_DIGITS {
            return None;
        }
        let plain = text.replace('_', "");
        plain.parse().map(Size::Small).map(Self).ok().or_else(|| plain.parse::<BigInt>().ok().map(Self::from))
    }

    /// Returns the digits of the number in the given base.
    pub fn to_radix(&self, radix: u32) -> String {
        self.to_big().to_str_radix(radix)
    }

    fn to_big(&self) -> Cow<'_, BigInt> {
        match &self.0 {
            Size::Small(number) => Cow::Owned(BigInt::from(*number)),
            Size::Big(number) => Cow::Borrowed(number),
        }
    }

    /// Returns the bytes of a large number that nothing else shares.
    pub(crate) fn new_bytes(&self) -> u64 {
        match &self.0 {
            Size::Big(number) if Arc::strong_count(number) == 1 => 48 + number.bits() / 8,
            _ => 0,
        }
    }

    /// Returns the cost of creating the number, in bytes: the size of its digits, plus the bytes that could be written
    /// in the time that it takes to compute them.
    pub(crate) fn weight(&self) -> u64 {
        const SQUARE: u64 = 1 << 13;
        let bits = self.bits();
        bits / 8 + bits * bits / SQUARE
    }

    /// Returns the number of bits, without the sign.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Size::Small(number) => u64::from(u64::BITS - number.unsigned_abs().leading_zeros()),
            Size::Big(number) => number.bits(),
        }
    }

    /// Returns whether the number is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Size::Small(number) => *number < 0,
            Size::Big(number) => number.is_negative(),
        }
    }

    /// Returns whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Size::Small(0)
    }

    /// Returns the result of an operation on two numbers. Operations on large numbers cost steps.
    fn combine(
        &self,
        other: &Self,
        meter: &Meter,
        work: Work,
        small: fn(i64, i64) -> Option<i64>,
        big: fn(&BigInt, &BigInt) -> BigInt,
    ) -> Result<Self> {
        if let (Size::Small(left), Size::Small(right)) = (&self.0, &other.0)
            && let Some(number) = small(*left, *right)
        {
            return Ok(Self(Size::Small(number)));
        }
        let (left, right) = (self.bits(), other.bits());
        match work {
            Work::Sum => meter.spend(digits(left) + digits(right))?,
            Work::Product => product(meter, left, right)?,
        }
        Self::of_big(big(&self.to_big(), &other.to_big()))
    }

    fn of_big(number: BigInt) -> Result<Self> {
        fits(number.bits())?;
        Ok(Self::from(number))
    }

    pub(crate) fn add(&self, other: &Self, meter: &Meter) -> Result<Self> {
        self.combine(other, meter, Work::Sum, i64::checked_add, |left, right| left + right)
    }

    pub(crate) fn subtract(&self, other: &Self, meter: &Meter) -> Result<Self> {
        self.combine(other, meter, Work::Sum, i64::checked_sub, |left, right| left - right)
    }

    pub(crate) fn multiply(&self, other: &Self, meter: &Meter) -> Result<Self> {
        fits(self.bits().saturating_add(other.bits()).saturating_sub(1))?;
        self.combine(other, meter, Work::Product, i64::checked_mul, |left, right| left * right)
    }

    /// Returns the quotient rounded down; `None` for a division by zero.
    pub(crate) fn divide(&self, other: &Self, meter: &Meter) -> Result<Option<Self>> {
        let small = |left: i64, right: i64| (left != i64::MIN).then(|| num_integer::Integer::div_floor(&left, &right));
        self.divided(other, meter, small, num_integer::Integer::div_floor)
    }

    /// Returns the remainder, which has the sign of the divisor; `None` for a division by zero.
    pub(crate) fn modulo(&self, other: &Self, meter: &Meter) -> Result<Option<Self>> {
        let small = |left: i64, right: i64| (left != i64::MIN).then(|| num_integer::Integer::mod_floor(&left, &right));
        self.divided(other, meter, small, num_integer::Integer::mod_floor)
    }

    fn divided(
        &self,
        other: &Self,
        meter: &Meter,
        small: fn(i64, i64) -> Option<i64>,
        big: fn(&BigInt, &BigInt) -> BigInt,
    ) -> Result<Option<Self>> {
        if other.is_zero() {
            return Ok(None);
        }
        self.combine(other, meter, Work::Product, small, big).map(Some)
    }

    pub(crate) fn negate(&self) -> Self {
        match &self.0 {
            Size::Small(number) if *number != i64::MIN => Self(Size::Small(-number)),
            _ => Self::from(-&*self.to_big()),
        }
    }

    /// Returns the power. As in Python, it has the sign of the modulus if there is one.
    pub(crate) fn power(&self, exponent: &Self, modulus: Option<&Self>, meter: &Meter) -> Result<Self> {
        if let Some(modulus) = modulus {
            if modulus.is_zero() || exponent.is_negative() {
                return Err(value_error("pow() needs an exponent of at least 0 and a modulus other than 0"));
            }
            product(meter, self.bits(), modulus.bits())?;
            repeated(meter, modulus.bits(), modulus.bits(), exponent.bits())?;
            return Self::of_big(self.to_big().modpow(&exponent.to_big(), &modulus.to_big()));
        }
        let exponent = exponent.saturated();
        // Powers of -1, 0 and 1 depend on whether the exponent is zero or odd.
        let exponent = if self.bits() <= 1 { exponent.min(2 + exponent % 2) } else { exponent };
        let bits = (self.bits().max(1) - 1).saturating_mul(exponent.unsigned_abs());
        fits(bits)?;
        product(meter, bits, bits)?;
        Self::of_big(self.to_big().pow(u32::try_from(exponent).unwrap_or(u32::MAX)))
    }

    pub(crate) fn shift_left(&self, by: u64, meter: &Meter) -> Result<Self> {
        if self.is_zero() {
            return Ok(self.clone());
        }
        fits(self.bits().saturating_add(by))?;
        meter.spend(digits(by))?;
        Self::of_big(&*self.to_big() << by)
    }

    pub(crate) fn shift_right(&self, by: u64) -> Self {
        Self::from(&*self.to_big() >> by)
    }

    /// Returns the result of an operation on the bits of two numbers.
    pub(crate) fn bitwise(&self, other: &Self, meter: &Meter, combine: fn(&BigInt, &BigInt) -> BigInt) -> Result<Self> {
        self.combine(other, meter, Work::Sum, |_, _| None, combine)
    }

    /// Rounds to a multiple of a power of ten; halves are rounded to the even neighbor.
    pub(crate) fn rounded(&self, digits: u32, meter: &Meter) -> Result<Self> {
        let scale = BigInt::from(10).pow(digits);
        product(meter, self.bits(), scale.bits())?;
        let half = &scale / 2;
        let (quotient, remainder) = num_integer::Integer::div_mod_floor(&*self.to_big(), &scale);
        let up = remainder > half || (remainder == half && num_integer::Integer::is_odd(&quotient));
        Self::of_big((quotient + i32::from(up)) * scale)
    }

    pub(crate) fn compare_float(&self, float: f64) -> Option<Ordering> {
        if float.is_nan() {
            return None;
        }
        let Some(whole) = BigInt::from_f64(float.floor()) else {
            return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
        };
        let fraction = float - float.floor();
        Some(self.to_big().as_ref().cmp(&whole).then(if fraction > 0.0 { Ordering::Less } else { Ordering::Equal }))
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
        Self(number.to_i64().map_or_else(|| Size::Big(Arc::new(number)), Size::Small))
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

fn digits(bits: u64) -> u64 {
    const DIGIT: u64 = 64;
    bits / DIGIT
}

/// Charges a multiplication or division of two numbers, given by their bits.
fn product(meter: &Meter, left: u64, right: u64) -> Result<()> {
    repeated(meter, left, right, 1)
}

/// Charges several multiplications.
fn repeated(meter: &Meter, left: u64, right: u64, times: u64) -> Result<()> {
    const STEP: u64 = 32;
    let one = digits(left).saturating_mul(digits(right));
    meter.spend(one.saturating_add(digits(left) + digits(right)).saturating_mul(times) / STEP)
}

fn fits(bits: u64) -> Result<()> {
    if bits > MAX_BITS {
        let message = format!("a whole number takes more than {MAX_BITS} bits");
        return Err(Error::new(ErrorKind::MemoryQuota, message));
    }
    Ok(())
}

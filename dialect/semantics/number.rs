//! Floating-point numbers of any format up to 64 bits, and the operations that IEEE 754 rounds once.
//!
//! - A number leaves its format, is computed with as if nothing were rounded, and is rounded into a format once.
//! - A sum, a quotient or a root may have more bits than there is room for. What does not fit makes the lowest bit odd,
//!   which no rounding can tell from the whole, as long as it drops two bits or more.
//!
//! A library for this, `rustc_apfloat`, has neither roots nor formats without infinities nor rounding by random bits;
//! the tests hold this one to it where it reaches.

use std::cmp::Ordering;

/// How the bits of a number are laid out: a sign, an exponent, a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction.
    pub fraction: u32,
    /// What the greatest exponent is for.
    pub top: Top,
}

/// What the greatest exponent of a format is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// Infinities and NaN, as in IEEE 754.
    Special,
    /// Numbers, and a NaN whose bits are all ones.
    Nan,
    /// Numbers alone.
    Numbers,
}

/// A number, or what is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// It is below zero.
        negative: bool,
    },
    /// `significand` times two to the power of `exponent`, less than 2^127 of them.
    Finite {
        /// It is below zero, or a zero with this sign.
        negative: bool,
        /// What counts.
        significand: u128,
        /// Of the lowest bit.
        exponent: i32,
    },
}

/// Where a number goes that a format does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest; of two equally near to the even one.
    Nearest,
    /// To the nearest; of two equally near to the one further from zero.
    NearestAway,
    /// To the one nearer to zero.
    Zero,
    /// To the one further from zero.
    Away,
    /// To the lower one.
    Down,
    /// To the higher one.
    Up,
}

/// `.f16`
pub const F16: Format = Format { exponent: 5, fraction: 10, top: Top::Special };
/// `.bf16`
pub const BF16: Format = Format { exponent: 8, fraction: 7, top: Top::Special };
/// `.tf32`, of which 19 bits count.
pub const TF32: Format = Format { exponent: 8, fraction: 10, top: Top::Special };
/// `.f32`
pub const F32: Format = Format { exponent: 8, fraction: 23, top: Top::Special };
/// `.f64`
pub const F64: Format = Format { exponent: 11, fraction: 52, top: Top::Special };
/// `.e5m2`
pub const E5M2: Format = Format { exponent: 5, fraction: 2, top: Top::Special };
/// `.e4m3`
pub const E4M3: Format = Format { exponent: 4, fraction: 3, top: Top::Nan };
/// `.e3m2`
pub const E3M2: Format = Format { exponent: 3, fraction: 2, top: Top::Numbers };
/// `.e2m3`
pub const E2M3: Format = Format { exponent: 2, fraction: 3, top: Top::Numbers };
/// `.e2m1`
pub const E2M1: Format = Format { exponent: 2, fraction: 1, top: Top::Numbers };

impl Format {
    /// How many bits a number has.
    pub const fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The bit that says that a number is below zero.
    pub const fn sign(self) -> u128 {
        1 << (self.exponent + self.fraction)
    }

    /// The bits of the exponent.
    pub const fn exponent_bits(self) -> u128 {
        self.sign() - (1 << self.fraction)
    }

    /// The highest bit of the fraction, which a quiet NaN has.
    pub const fn quiet(self) -> u128 {
        1 << (self.fraction - 1)
    }

    /// The bits of the greatest finite number.
    pub const fn greatest(self) -> u128 {
        match self.top {
            Top::Special => self.exponent_bits() - 1,
            Top::Nan => self.sign() - 2,
            Top::Numbers => self.sign() - 1,
        }
    }

    /// The bits of 1.
    pub const fn one(self) -> u128 {
        (self.bias() as u128) << self.fraction
    }

    /// Whether these bits are a subnormal number or a zero.
    pub const fn is_subnormal(self, bits: u128) -> bool {
        bits & self.exponent_bits() == 0
    }

    /// Whether a number is subnormal or less, rounded as if exponents had no end: tininess after rounding, in the words
    /// of IEEE 754.
    pub fn is_tiny(self, number: Number, rounding: Rounding) -> bool {
        let endless = Format { exponent: 15, ..self };
        let Number::Finite { significand, exponent, .. } = endless.number(endless.round(number, rounding)) else {
            return false;
        };
        exponent + 128 - (significand.leading_zeros() as i32) <= self.least_exponent() + self.fraction as i32
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the lowest bit of the smallest numbers.
    const fn least_exponent(self) -> i32 {
        1 - self.bias() - self.fraction as i32
    }

    /// The number that these bits are.
    pub fn number(self, bits: u128) -> Number {
        let negative = bits & self.sign() != 0;
        let fraction = bits & ((1 << self.fraction) - 1);
        let biased = (bits & self.exponent_bits()) >> self.fraction;
        let greatest = bits & self.exponent_bits() == self.exponent_bits();
        match self.top {
            Top::Special if greatest && fraction == 0 => return Number::Infinite { negative },
            Top::Special if greatest => return Number::Nan,
            Top::Nan if bits & (self.sign() - 1) == self.sign() - 1 => return Number::Nan,
            _ => {}
        }
        let significand = if biased == 0 { fraction } else { fraction | 1 << self.fraction };
        Number::Finite { negative, significand, exponent: self.least_exponent() + (biased as i32 - 1).max(0) }
    }

    /// The bits of a number, rounded once. NaN is all ones but the sign. What is too great for the format is an
    /// infinity, or the greatest number if rounding goes there or the format has no infinity.
    pub fn round(self, number: Number, rounding: Rounding) -> u128 {
        let (negative, significand, exponent) = match number {
            Number::Nan => return self.sign() - 1,
            Number::Infinite { negative } => return self.signed(negative, self.infinity()),
            Number::Finite { negative, significand, exponent } => (negative, significand, exponent),
        };
        let Some(dropped) = self.dropped(number) else { return self.signed(negative, 0) };
        let rounded = shifted(negative, significand, dropped, rounding);
        // The exponent of the lowest bit that is kept says which binade it is; one that the fraction carries into is
        // the next, with the same bits.
        let binade = (exponent + dropped - self.least_exponent()) as u128;
        let magnitude = (binade << self.fraction) + rounded;
        if magnitude <= self.greatest() {
            return self.signed(negative, magnitude);
        }
        let outwards = match rounding {
            Rounding::Nearest | Rounding::NearestAway | Rounding::Away => true,
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        self.signed(negative, if outwards { self.infinity() } else { self.greatest() })
    }

    /// How many bits below the last one that is kept a number has; fewer than none where it has too few. Zero has none.
    pub fn dropped(self, number: Number) -> Option<i32> {
        let Number::Finite { significand, exponent, .. } = number else { return None };
        let length = 128 - significand.leading_zeros() as i32;
        let lowest = (exponent + length - 1 - self.fraction as i32).max(self.least_exponent());
        (significand != 0).then_some(lowest - exponent)
    }

    const fn infinity(self) -> u128 {
        match self.top {
            Top::Special => self.exponent_bits(),
            Top::Nan | Top::Numbers => self.greatest(),
        }
    }

    const fn signed(self, negative: bool, magnitude: u128) -> u128 {
        if negative { self.sign() | magnitude } else { magnitude }
    }
}

/// A significand without its `dropped` lowest bits, rounded.
fn shifted(negative: bool, significand: u128, dropped: i32, rounding: Rounding) -> u128 {
    if dropped <= 0 {
        return significand << -dropped;
    }
    let kept = significand.checked_shr(dropped as u32).unwrap_or(0);
    let rest = if dropped < 128 { significand - (kept << dropped) } else { significand };
    // A significand has 127 bits: without more than that it is less than a half.
    let against_half = if dropped < 128 { rest.cmp(&(1 << (dropped - 1))) } else { Ordering::Less };
    let away = match rounding {
        Rounding::Nearest => against_half.is_gt() || against_half.is_eq() && kept & 1 == 1,
        Rounding::NearestAway => against_half.is_ge(),
        Rounding::Zero => false,
        Rounding::Away => rest != 0,
        Rounding::Down => negative && rest != 0,
        Rounding::Up => !negative && rest != 0,
    };
    kept + u128::from(away)
}

impl Number {
    /// 1.
    pub const ONE: Number = Number::Finite { negative: false, significand: 1, exponent: 0 };

    /// An integer.
    pub fn of(integer: i128) -> Number {
        Number::Finite { negative: integer < 0, significand: integer.unsigned_abs(), exponent: 0 }
    }

    fn zero(negative: bool) -> Number {
        Number::Finite { negative, significand: 0, exponent: 0 }
    }

    /// Whether it is below zero, or a zero or an infinity with that sign; NaN is not.
    pub fn is_negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Finite { negative, .. } => negative,
        }
    }

    /// With the other sign.
    pub fn negated(self) -> Number {
        self.with_sign(!self.is_negative())
    }

    /// With this sign.
    pub fn with_sign(self, negative: bool) -> Number {
        match self {
            Number::Nan => Number::Nan,
            Number::Infinite { .. } => Number::Infinite { negative },
            Number::Finite { significand, exponent, .. } => Number::Finite { negative, significand, exponent },
        }
    }

    /// The sum; how it will be rounded says which zero it is where the numbers cancel.
    pub fn plus(self, other: Number, rounding: Rounding) -> Number {
        let ((negative, a, a_exponent), (other_negative, b, b_exponent)) = match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => return Number::Nan,
            (Number::Infinite { negative: a }, Number::Infinite { negative: b }) if a != b => return Number::Nan,
            (Number::Infinite { .. }, _) => return self,
            (_, Number::Infinite { .. }) => return other,
            (
                Number::Finite { negative: a, significand: x, exponent: m },
                Number::Finite { negative: b, significand: y, exponent: n },
            ) => ((a, x, m), (b, y, n)),
        };
        match (a, b) {
            (0, 0) if negative == other_negative => return self,
            (0, 0) => return Number::zero(rounding == Rounding::Down),
            (0, _) => return other,
            (_, 0) => return self,
            _ => {}
        }
        // Both with their highest bit at 125, so that a sum has a place to carry into, then the lesser one shifted down
        // to the exponent of the greater one. It loses bits only where the greater one is more than twice as great:
        // then few of the highest bits cancel.
        let (a, a_exponent) = at_top(a, a_exponent);
        let (b, b_exponent) = at_top(b, b_exponent);
        let exponent = a_exponent.max(b_exponent);
        let a = without(a, exponent - a_exponent);
        let b = without(b, exponent - b_exponent);
        if negative == other_negative {
            return Number::Finite { negative, significand: a + b, exponent };
        }
        match a.cmp(&b) {
            Ordering::Equal => Number::zero(rounding == Rounding::Down),
            Ordering::Greater => Number::Finite { negative, significand: a - b, exponent },
            Ordering::Less => Number::Finite { negative: other_negative, significand: b - a, exponent },
        }
    }

    /// The product of numbers of at most 63 bits, exactly.
    pub fn times(self, other: Number) -> Number {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
            (Number::Infinite { .. }, Number::Finite { significand: 0, .. })
            | (Number::Finite { significand: 0, .. }, Number::Infinite { .. }) => Number::Nan,
            (Number::Infinite { .. }, _) | (_, Number::Infinite { .. }) => Number::Infinite { negative },
            (
                Number::Finite { significand: a, exponent: m, .. },
                Number::Finite { significand: b, exponent: n, .. },
            ) => Number::Finite { negative, significand: a * b, exponent: m + n },
        }
    }

    /// The quotient of numbers of at most 63 bits, to 63 bits and more.
    pub fn over(self, other: Number) -> Number {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
            (Number::Infinite { .. }, Number::Infinite { .. }) => Number::Nan,
            (Number::Infinite { .. }, _) => Number::Infinite { negative },
            (_, Number::Infinite { .. }) => Number::zero(negative),
            (Number::Finite { significand: 0, .. }, Number::Finite { significand: 0, .. }) => Number::Nan,
            (Number::Finite { significand: 0, .. }, _) => Number::zero(negative),
            (_, Number::Finite { significand: 0, .. }) => Number::Infinite { negative },
            (
                Number::Finite { significand: a, exponent: m, .. },
                Number::Finite { significand: b, exponent: n, .. },
            ) => {
                let (a, m) = at_top(a, m);
                Number::Finite { negative, significand: (a / b) | u128::from(a % b != 0), exponent: m - n }
            }
        }
    }

    /// The square root, to 62 bits.
    pub fn root(self) -> Number {
        match self {
            Number::Finite { significand: 0, .. } => self,
            Number::Nan | Number::Infinite { negative: true } | Number::Finite { negative: true, .. } => Number::Nan,
            Number::Infinite { negative: false } => self,
            Number::Finite { negative, significand, exponent } => {
                let (significand, exponent) = at_top(significand, exponent);
                let (significand, exponent) =
                    if exponent % 2 == 0 { (significand, exponent) } else { (significand >> 1, exponent + 1) };
                let root = significand.isqrt();
                let inexact = root * root != significand;
                Number::Finite { negative, significand: root | u128::from(inexact), exponent: exponent / 2 }
            }
        }
    }

    /// The integer next to it, with its sign even where it is zero; NaN and infinities stay.
    pub fn to_integral(self, rounding: Rounding) -> Number {
        match self {
            Number::Finite { negative, significand, exponent } if exponent < 0 => Number::Finite {
                negative,
                significand: shifted(negative, significand, -exponent, rounding),
                exponent: 0,
            },
            _ => self,
        }
    }

    /// An integral number, or the nearest bound where it is not between them; NaN is none.
    pub fn clamped(self, least: i128, greatest: i128) -> Option<i128> {
        let bound = |negative| Some(if negative { least } else { greatest });
        match self {
            Number::Nan => None,
            Number::Infinite { negative } => bound(negative),
            Number::Finite { negative, significand, exponent } => {
                // The bounds have 64 bits, and less than an integer is not left.
                let too_great = significand != 0 && exponent + (127 - significand.leading_zeros() as i32) > 64;
                if too_great {
                    return bound(negative);
                }
                let magnitude = shifted(negative, significand, -exponent, Rounding::Zero) as i128;
                Some((if negative { -magnitude } else { magnitude }).clamp(least, greatest))
            }
        }
    }
}

/// A significand with its highest bit at 125, and the exponent that goes with it.
fn at_top(significand: u128, exponent: i32) -> (u128, i32) {
    let up = significand.leading_zeros() as i32 - 2;
    match up {
        0.. => (significand << up, exponent - up),
        _ => (without(significand, -up), exponent - up),
    }
}

/// A significand without its lowest bits, odd where one of them is lost.
fn without(significand: u128, bits: i32) -> u128 {
    let kept = significand.checked_shr(bits as u32).unwrap_or(0);
    let lost = kept.checked_shl(bits as u32).unwrap_or(0) != significand;
    kept | u128::from(lost)
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;

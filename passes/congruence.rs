//! Values that are equal modulo a number: what is known of an index or an address beside its range.

/// Values that are all equal to `residue` modulo `modulus`; the residue itself where the modulus is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congruence {
    /// Not negative.
    pub modulus: i64,
    /// Not negative either, unless the modulus is 0.
    pub residue: i64,
}

impl Congruence {
    /// One value.
    pub fn constant(residue: i64) -> Congruence {
        Congruence { modulus: 0, residue }
    }

    /// Multiples of a number.
    pub fn multiple_of(modulus: i64) -> Congruence {
        Congruence { modulus, residue: 0 }
    }

    fn new(modulus: i64, residue: i64) -> Congruence {
        if modulus == 0 {
            Congruence::constant(residue)
        } else {
            Congruence { modulus, residue: residue.rem_euclid(modulus) }
        }
    }

    /// All that hold of some values: those of `self` and those of `other`.
    pub fn or(self, other: Congruence) -> Congruence {
        let Some(apart) = self.residue.checked_sub(other.residue) else {
            return Congruence::multiple_of(self.low_bit().min(other.low_bit()));
        };
        Congruence::new(gcd(gcd(self.modulus, other.modulus), apart), self.residue)
    }

    /// Of sums. That of two constants wraps.
    pub fn plus(self, other: Congruence) -> Congruence {
        match gcd(self.modulus, other.modulus) {
            0 => Congruence::constant(self.residue.wrapping_add(other.residue)),
            modulus => {
                let sum = i128::from(self.residue) + i128::from(other.residue);
                Congruence { modulus, residue: sum.rem_euclid(modulus.into()) as i64 }
            }
        }
    }

    /// Of products with a number.
    pub fn times(self, factor: i64) -> Congruence {
        let modulus = factor.checked_abs().and_then(|factor| self.modulus.checked_mul(factor));
        match (modulus, self.residue.checked_mul(factor)) {
            (Some(modulus), Some(residue)) => Congruence::new(modulus, residue),
            // A power of two is true however many of these are left out.
            _ => {
                let bits = self.low_bit().trailing_zeros() + factor.trailing_zeros();
                Congruence::multiple_of(1 << bits.min(62))
            }
        }
    }

    /// Of products.
    pub fn product(self, other: Congruence) -> Congruence {
        match (self.modulus, other.modulus) {
            (0, _) => other.times(self.residue),
            (_, 0) => self.times(other.residue),
            _ => Congruence::multiple_of(self.divisor()).times(other.divisor()),
        }
    }

    /// The greatest power of two that divides all values.
    pub fn low_bit(self) -> i64 {
        let divisor = self.divisor();
        if divisor == 0 { 1 << 62 } else { divisor & divisor.wrapping_neg() }
    }

    /// Of quotients by a number that divides every value, whether or not that is known.
    pub fn over(self, number: i64) -> Congruence {
        match self.is_multiple_of(number) {
            true => Congruence { modulus: self.modulus / number, residue: self.residue / number },
            false => Congruence::multiple_of(1),
        }
    }

    /// What every value is a multiple of.
    pub fn divisor(self) -> i64 {
        gcd(self.modulus, self.residue)
    }

    /// Whether every value is a multiple of `number`, which is positive.
    pub fn is_multiple_of(self, number: i64) -> bool {
        self.modulus % number == 0 && self.residue % number == 0
    }

    /// Of some values, at least one.
    pub fn of(values: impl IntoIterator<Item = i64>) -> Option<Congruence> {
        values.into_iter().map(Congruence::constant).reduce(Congruence::or)
    }
}

/// The greatest common divisor; 0 has every divisor.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Only the least number, 2^63, has no counterpart.
    i64::try_from(a).unwrap_or(1 << 62)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that the arithmetic says of two sets of values holds of each pair of them.
    #[test]
    fn arithmetic_is_true_of_every_value() {
        let all = |modulus: i64, residue: i64| Congruence { modulus, residue };
        let some =
            [all(0, 0), all(0, -3), all(0, 5), all(1, 0), all(4, 0), all(4, 3), all(6, 2), all(8, 5), all(12, 6)];
        let values = |its: Congruence| (-3..4).map(move |turn| its.residue + turn * its.modulus);
        let has = |its: Congruence, value: i64| match its.modulus {
            0 => value == its.residue,
            modulus => value.rem_euclid(modulus) == its.residue,
        };
        for (a, b) in some.iter().flat_map(|a| some.iter().map(move |b| (*a, *b))) {
            for (x, y) in values(a).flat_map(|x| values(b).map(move |y| (x, y))) {
                assert!(has(a.plus(b), x + y), "{a:?} + {b:?}: {x} + {y}");
                assert!(has(a.product(b), x * y), "{a:?} * {b:?}: {x} * {y}");
                assert!(has(a.or(b), x) && has(a.or(b), y), "{a:?} or {b:?}");
                assert!(has(a.times(-3), x * -3), "{a:?} * -3: {x}");
                for number in [1, 2, 3, 4, 8] {
                    assert!(!a.is_multiple_of(number) || x % number == 0, "{a:?} of {number}: {x}");
                }
                assert_eq!(x % a.low_bit(), 0, "{a:?}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_no_constant() {
        let zeros = Congruence::multiple_of(1 << 62);
        assert_eq!(zeros.times(96), zeros);
        assert_eq!(Congruence { modulus: 3 << 60, residue: 8 }.times(12), Congruence::multiple_of(32));
        assert_eq!(Congruence::multiple_of(1).over(8), Congruence::multiple_of(1));
        assert_eq!(Congruence { modulus: 16, residue: 4 }.over(8), Congruence::multiple_of(1));
        assert_eq!(Congruence { modulus: 16, residue: 8 }.over(8), Congruence { modulus: 2, residue: 1 });
    }

    #[test]
    fn residues_far_apart_do_not_wrap() {
        let large = Congruence { modulus: i64::MAX, residue: i64::MAX - 1 };
        assert_eq!(large.plus(large), Congruence { modulus: i64::MAX, residue: i64::MAX - 2 });
        assert_eq!(Congruence::constant(i64::MIN).or(Congruence::constant(4)), Congruence::multiple_of(4));
    }

    #[test]
    fn numbers_at_the_edge_do_not_overflow() {
        let edges = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX];
        for (a, b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (*a, *b))) {
            let (x, y) = (Congruence::constant(a), Congruence::constant(b));
            let _ = (x.plus(y), x.product(y), x.or(y).plus(x), x.times(b), x.low_bit(), x.or(y).divisor());
            let _ = (x.or(y).times(a), Congruence::multiple_of(1 << 62).times(b));
        }
    }
}

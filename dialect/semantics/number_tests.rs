use super::*;
use proptest::prelude::*;
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd, ieee};

const ROUNDINGS: [(Rounding, Round); 5] = [
    (Rounding::Nearest, Round::NearestTiesToEven),
    (Rounding::NearestAway, Round::NearestTiesToAway),
    (Rounding::Zero, Round::TowardZero),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::Up, Round::TowardPositive),
];

/// The bits of a format that are most likely to be treated wrong: both zeros, the ends of the subnormal and of the
/// normal numbers, what is around 1, infinities and NaN.
fn edges(format: Format) -> Vec<u128> {
    let least_normal = 1 << format.fraction;
    let one = format.one();
    let magnitudes = [
        0,
        1,
        2,
        3,
        least_normal - 1,
        least_normal,
        least_normal + 1,
        one - 1,
        one,
        one + 1,
        one + format.quiet(),
        one + least_normal - 1,
        one + least_normal,
        one + least_normal + 1,
        one + least_normal * 3 + 1,
        format.greatest() - 1,
        format.greatest(),
        format.sign() - 1,
        format.exponent_bits(),
    ];
    magnitudes.iter().flat_map(|magnitude| [*magnitude, format.sign() | magnitude]).collect()
}

/// Bits of a format: any, an edge, or few bits near 1, whose results are often exact or half way.
fn bits(format: Format) -> impl Strategy<Value = u128> {
    let all = 0..1u128 << format.width();
    let near = (-4i128..5, 0u32..format.fraction, 0u32..format.fraction, any::<bool>()).prop_map(
        move |(binade, a, b, negative)| {
            let magnitude = (format.one() as i128 + (binade << format.fraction)) as u128 | 1 << a | 1 << b;
            if negative { format.sign() | magnitude } else { magnitude }
        },
    );
    prop_oneof![all, prop::sample::select(edges(format)), near]
}

/// Whether bits are those that the library gives; of NaN only that it is one. The library makes NaN of what is too
/// great for a format without infinities.
fn agrees<F: Float>(format: Format, ours: u128, StatusAnd { value: theirs, .. }: StatusAnd<F>) -> bool {
    let nan = format.number(ours) == Number::Nan;
    match format.top {
        Top::Special => nan == theirs.is_nan() && (nan || ours == theirs.to_bits()),
        _ if theirs.is_nan() => nan || ours & (format.sign() - 1) == format.greatest(),
        _ => ours == theirs.to_bits(),
    }
}

/// Holds every operation on these bits to the library.
fn operations_agree<F: Float>(format: Format, [a, b, c]: [u128; 3]) {
    let [x, y, z] = [a, b, c].map(|bits| format.number(bits));
    let [f, g, h] = [a, b, c].map(F::from_bits);
    for (rounding, round) in ROUNDINGS {
        let context = format!("{format:?} {rounding:?} {a:#x} {b:#x} {c:#x}");
        let ours = |number| format.round(number, rounding);
        assert!(agrees(format, ours(x.plus(y, rounding)), f.add_r(g, round)), "sum {context}");
        assert!(agrees(format, ours(x.plus(y.negated(), rounding)), f.sub_r(g, round)), "difference {context}");
        assert!(agrees(format, ours(x.times(y)), f.mul_r(g, round)), "product {context}");
        assert!(agrees(format, ours(x.over(y)), f.div_r(g, round)), "quotient {context}");
        assert!(agrees(format, ours(x.times(y).plus(z, rounding)), f.mul_add_r(g, h, round)), "fused {context}");
        assert!(agrees(format, ours(x.to_integral(rounding)), f.round_to_integral(round)), "integral {context}");
        // Of the greatest i64 that the library has.
        let mut exact = false;
        if let (Some(ours), Number::Finite { .. }) =
            (x.to_integral(rounding).clamped(i64::MIN.into(), i64::MAX.into()), x)
        {
            assert_eq!(ours, f.to_i128_r(64, round, &mut exact).value, "integer {context}");
        }
    }
    root_is_next(format, a);
}

/// A root is the greatest whose square is no more than its number, and the others follow from where between it and the
/// next one the number lies.
fn root_is_next(format: Format, bits: u128) {
    let number = format.number(bits);
    let root = number.root();
    let (down, up) = (format.round(root, Rounding::Down), format.round(root, Rounding::Up));
    let Number::Finite { negative: false, significand: 1.., .. } = number else {
        let expected = match number {
            Number::Finite { significand: 0, .. } | Number::Infinite { negative: false } => bits,
            _ => format.sign() - 1,
        };
        assert_eq!(down, expected, "{format:?} {bits:#x}");
        return;
    };
    let square = |bits: u128| format.number(bits).times(format.number(bits));
    let is_negative = |a: Number, b: Number| a.plus(b.negated(), Rounding::Nearest).is_negative();
    assert!(!is_negative(number, square(down)), "{format:?} {bits:#x}");
    assert_eq!(format.round(root, Rounding::Zero), down);
    if square(down).plus(number.negated(), Rounding::Nearest) == Number::zero(false) {
        assert_eq!((up, format.round(root, Rounding::Nearest)), (down, down), "{format:?} {bits:#x}");
        return;
    }
    assert_eq!(up, down + 1);
    assert!(is_negative(number, square(up)), "{format:?} {bits:#x}");
    // No root lies half way, which would have one bit more than a number of the format, and its square more than two.
    let sum = format.number(down).plus(format.number(up), Rounding::Nearest);
    let half = match sum {
        Number::Finite { significand, exponent, .. } => Number::Finite {
            negative: false,
            significand: significand >> significand.trailing_zeros(),
            exponent: exponent + significand.trailing_zeros() as i32 - 1,
        },
        _ => panic!("the sum of finite numbers"),
    };
    let nearest = if is_negative(number, half.times(half)) { down } else { up };
    assert_eq!(format.round(root, Rounding::Nearest), nearest, "{format:?} {bits:#x}");
}

fn edges_agree<F: Float>(format: Format) {
    let edges = edges(format);
    for a in &edges {
        for b in &edges {
            for c in &edges {
                operations_agree::<F>(format, [*a, *b, *c]);
            }
        }
    }
}

#[test]
fn operations_agree_with_the_library_at_the_edges() {
    edges_agree::<ieee::Half>(F16);
    edges_agree::<ieee::BFloat>(BF16);
    edges_agree::<ieee::Single>(F32);
    edges_agree::<ieee::Double>(F64);
    edges_agree::<ieee::Float8E5M2>(E5M2);
    edges_agree::<ieee::Float8E4M3FN>(E4M3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn operations_agree_with_the_library_f16(a in bits(F16), b in bits(F16), c in bits(F16)) {
        operations_agree::<ieee::Half>(F16, [a, b, c]);
    }

    #[test]
    fn operations_agree_with_the_library_bf16(a in bits(BF16), b in bits(BF16), c in bits(BF16)) {
        operations_agree::<ieee::BFloat>(BF16, [a, b, c]);
    }

    #[test]
    fn operations_agree_with_the_library_f32(a in bits(F32), b in bits(F32), c in bits(F32)) {
        operations_agree::<ieee::Single>(F32, [a, b, c]);
    }

    #[test]
    fn operations_agree_with_the_library_f64(a in bits(F64), b in bits(F64), c in bits(F64)) {
        operations_agree::<ieee::Double>(F64, [a, b, c]);
    }

    #[test]
    fn operations_agree_with_the_processor(a in any::<f64>(), b in any::<f64>(), c in any::<f64>()) {
        let [x, y, z] = [a, b, c].map(|its| F64.number(its.to_bits().into()));
        let ours = |number| f64::from_bits(F64.round(number, Rounding::Nearest) as u64);
        let pairs = [
            (ours(x.plus(y, Rounding::Nearest)), a + b),
            (ours(x.times(y)), a * b),
            (ours(x.over(y)), a / b),
            (ours(x.times(y).plus(z, Rounding::Nearest)), a.mul_add(b, c)),
            (ours(x.root()), a.sqrt()),
        ];
        for (ours, theirs) in pairs {
            prop_assert!(ours.is_nan() && theirs.is_nan() || ours.to_bits() == theirs.to_bits(), "{ours} {theirs}");
        }
    }

    #[test]
    fn conversions_agree_with_the_library(wide in bits(F64), narrow in bits(F32)) {
        conversions_agree::<ieee::Double, ieee::Single>(F64, F32, wide);
        conversions_agree::<ieee::Double, ieee::Half>(F64, F16, wide);
        conversions_agree::<ieee::Single, ieee::Half>(F32, F16, narrow);
        conversions_agree::<ieee::Single, ieee::BFloat>(F32, BF16, narrow);
        conversions_agree::<ieee::Single, ieee::Float8E5M2>(F32, E5M2, narrow);
        conversions_agree::<ieee::Single, ieee::Float8E4M3FN>(F32, E4M3, narrow);
        conversions_agree::<ieee::Single, ieee::Double>(F32, F64, narrow);
    }

    #[test]
    fn rounding_brackets(bits in bits(F32)) {
        for format in [F16, BF16, TF32, E5M2, E4M3, E3M2, E2M3, E2M1] {
            rounding_brackets_in(format, F32.number(bits));
        }
    }
}

fn conversions_agree<F: FloatConvert<T>, T: Float>(from: Format, to: Format, bits: u128) {
    for (rounding, round) in ROUNDINGS {
        let ours = to.round(from.number(bits), rounding);
        let theirs = F::from_bits(bits).convert_r(round, &mut false);
        assert!(agrees(to, ours, theirs), "{from:?} {to:?} {rounding:?} {bits:#x}");
    }
}

#[test]
fn formats_of_8_and_16_bits_keep_every_number() {
    for format in [F16, BF16, E5M2, E4M3, E3M2, E2M3, E2M1] {
        for bits in 0..1 << format.width() {
            let number = format.number(bits);
            for (rounding, _) in ROUNDINGS {
                let again = format.round(number, rounding);
                assert!(again == bits || number == Number::Nan, "{format:?} {bits:#x} {again:#x}");
                // Through a format that has all of them too.
                let wide = F64.round(number, rounding);
                assert!(format.round(F64.number(wide), rounding) == bits || number == Number::Nan);
            }
        }
    }
    for bits in 0..1 << 16 {
        root_is_next(F16, bits);
        root_is_next(BF16, bits);
    }
}

#[test]
fn formats_of_8_bits_agree_with_the_library_everywhere() {
    for a in 0..1 << 8 {
        for b in 0..1 << 8 {
            operations_agree::<ieee::Float8E5M2>(E5M2, [a, b, a ^ 0x35]);
            operations_agree::<ieee::Float8E4M3FN>(E4M3, [a, b, a ^ 0x35]);
        }
    }
}

/// The numbers of the narrow formats, by what their bits mean.
#[test]
fn narrow_formats_have_the_numbers_that_they_are_for() {
    let value = |format: Format, bits| f64::from_bits(F64.round(format.number(bits), Rounding::Nearest) as u64);
    let of = |format: Format, all: &[u128]| all.iter().map(|bits| value(format, *bits)).collect::<Vec<_>>();
    assert_eq!(of(E2M1, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 15]), [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -6.0]);
    assert_eq!(of(E2M3, &[1, 7, 8, 0x1f, 0x3f]), [0.125, 0.875, 1.0, 7.5, -7.5]);
    assert_eq!(of(E3M2, &[1, 3, 4, 0x1f, 0x3f]), [0.0625, 0.1875, 0.25, 28.0, -28.0]);
    assert_eq!(of(E4M3, &[1, 8, 0x38, 0x7e, 0xfe]), [1.0 / 512.0, 1.0 / 64.0, 1.0, 448.0, -448.0]);
    assert_eq!(of(E5M2, &[1, 4, 0x3c, 0x7b, 0x7c]), [1.0 / 65536.0, 1.0 / 16384.0, 1.0, 57344.0, f64::INFINITY]);
    assert!(value(E4M3, 0x7f).is_nan() && value(E4M3, 0xff).is_nan() && value(E5M2, 0x7e).is_nan());
    assert_eq!([F16, BF16, F32, TF32].map(|format| value(format, format.one())), [1.0; 4]);
    assert_eq!([F16, E4M3, E2M1].map(Format::width), [16, 8, 4]);
}

/// Down and up are the neighbours of a number, and the others are one of them: the nearer, the even, that towards zero.
fn rounding_brackets_in(format: Format, number: Number) {
    let Number::Finite { negative, significand, exponent } = number else { return };
    let at = |rounding| format.round(number, rounding);
    let (toward, away) = (at(Rounding::Zero), at(Rounding::Away));
    let magnitude = |bits: u128| bits & (format.sign() - 1);
    assert_eq!((at(Rounding::Down), at(Rounding::Up)), if negative { (away, toward) } else { (toward, away) });
    assert!(magnitude(away) - magnitude(toward) <= 1, "{format:?} {number:?}");
    let kept = format.number(toward);
    if magnitude(toward) == format.greatest() && magnitude(away) != format.greatest() {
        return;
    }
    // What is left, and what the neighbours are apart.
    let rest = Number::Finite { negative: false, significand, exponent }.plus(kept.with_sign(true), Rounding::Nearest);
    assert!(!rest.is_negative());
    if magnitude(away) == magnitude(toward) {
        assert!(rest == Number::zero(false) || magnitude(toward) == format.greatest());
        return;
    }
    let step = format.number(magnitude(away)).plus(kept.with_sign(true), Rounding::Nearest);
    let twice = rest.plus(rest, Rounding::Nearest).plus(step.negated(), Rounding::Nearest);
    let half_way = twice == Number::zero(false);
    let nearer = if twice.is_negative() { toward } else { away };
    assert_eq!(at(Rounding::NearestAway), nearer);
    assert_eq!(at(Rounding::Nearest), if half_way { if toward & 1 == 0 { toward } else { away } } else { nearer });
}

#[test]
fn a_sum_that_needs_more_bits_than_there_are_is_rounded_once() {
    let two_to = |exponent| Number::Finite { negative: false, significand: 1, exponent };
    // 1 + 2^-53 is half way between two numbers, and the least that is added or taken away decides.
    let half = two_to(0).plus(two_to(-53), Rounding::Nearest);
    let nearest = |number: Number| F64.round(number, Rounding::Nearest);
    assert_eq!(nearest(half), F64.one());
    for far in [-54, -100, -126, -127, -128, -200, -1074] {
        assert_eq!(nearest(half.plus(two_to(far), Rounding::Nearest)), F64.one() + 1, "{far}");
        assert_eq!(nearest(half.plus(two_to(far).negated(), Rounding::Nearest)), F64.one(), "{far}");
    }
}

#[test]
fn integers_are_held_between_their_bounds() {
    let i8s = |number: Number| number.clamped(-128, 127);
    let whole = |value: f64| F64.number(value.to_bits().into());
    assert_eq!(
        [-128.0, -129.0, 127.0, 128.0, 1e300, -0.0].map(|v| i8s(whole(v))),
        [-128, -128, 127, 127, 127, 0].map(Some)
    );
    assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(|v| i8s(whole(v))), [127, -128].map(Some));
    assert_eq!(i8s(Number::Nan), None);
    let u64s = |value: f64| whole(value).clamped(0, u64::MAX.into());
    assert_eq!(u64s(18446744073709549568.0), Some(18446744073709549568));
    assert_eq!([2f64.powi(64), 2f64.powi(65), -1.0].map(u64s), [u64::MAX.into(), u64::MAX.into(), 0].map(Some));
}

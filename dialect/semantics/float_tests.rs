use super::super::number::{BF16, F16, F32};
use super::super::test_support::{Op, partial_words};
use super::*;
use proptest::prelude::*;

fn op(primitive: super::super::Semantics, modifiers: &'static str, its: &'static str, sources: usize) -> Op {
    Op::new(primitive, modifiers, &[its], &vec![its; sources])
}

fn f32s(op: Op, values: &[f32]) -> Word {
    op.on(&values.iter().map(|value| value.to_bits().into()).collect::<Vec<_>>())[0]
}

/// A result that is no NaN.
fn f32_of(op: Op, values: &[f32]) -> f32 {
    f32::from_bits(f32s(op, values).known().expect("a number") as u32)
}

/// Whether a word is the processor's result; of NaN, that it is NaN and no more is said.
fn agrees(word: Word, theirs: f32) -> bool {
    if theirs.is_nan() { word == nan(F32) } else { word == Word::new(32, theirs.to_bits().into()) }
}

proptest! {
    #[test]
    fn f32_is_computed_with_as_the_processor_does(a in any::<f32>(), b in any::<f32>(), c in any::<f32>()) {
        let two = |primitive| f32s(op(primitive, "rn", "f32", 2), &[a, b]);
        prop_assert!(agrees(two(float_add), a + b));
        prop_assert!(agrees(two(float_subtract), a - b));
        prop_assert!(agrees(two(float_multiply), a * b));
        prop_assert!(agrees(two(float_divide), a / b));
        prop_assert!(agrees(f32s(op(float_multiply_add, "rn", "f32", 3), &[a, b, c]), a.mul_add(b, c)));
        prop_assert!(agrees(f32s(op(float_root, "rn", "f32", 1), &[a]), a.sqrt()));
        prop_assert!(agrees(f32s(op(float_reciprocal, "rn", "f32", 1), &[a]), 1.0 / a));
        prop_assert!(agrees(f32s(op(float_absolute, "", "f32", 1), &[a]), a.abs()));
        prop_assert!(agrees(f32s(op(float_negate, "", "f32", 1), &[a]), -a));
        let copied = f32s(op(float_copy_sign, "", "f32", 2), &[a, b]);
        prop_assert_eq!(copied, Word::new(32, b.copysign(a).to_bits().into()));
    }

    #[test]
    fn undefined_bits_leave_undefined_what_they_decide(
        (words, completed) in partial_words(vec![32; 3]), greatest in any::<[bool; 3]>(),
    ) {
        // With exponents that are greatest there are NaN among them.
        let with_nan = |words: &[Word]| -> Vec<Word> {
            let greatest = words.iter().zip(greatest);
            greatest.map(|(word, greatest)| {
                let bits = if greatest { F32.exponent_bits() } else { 0 };
                Word::partial(32, word.bits | bits, word.defined | bits)
            }).collect()
        };
        let (words, completed) = (with_nan(&words), with_nan(&completed));
        for (modifiers, its) in [("rm", "f32"), ("rn.ftz.sat", "f32"), ("rn.relu", "f16x2"), ("rn.oob", "bf16x2")] {
            prop_assert!(op(float_multiply_add, modifiers, its, 3).is_sound(&words, &completed));
        }
        for primitive in [float_add, float_subtract, float_multiply, float_divide, float_copy_sign] {
            prop_assert!(op(primitive, "rp", "f32", 2).is_sound(&words[..2], &completed[..2]));
        }
        for modifiers in ["", "ftz", "NaN", "NaN.xorsign.abs", "xorsign.abs"] {
            for primitive in [float_min, float_max] {
                prop_assert!(op(primitive, modifiers, "f32", 2).is_sound(&words[..2], &completed[..2]));
                prop_assert!(op(primitive, modifiers, "f16x2", 2).is_sound(&words[..2], &completed[..2]));
            }
        }
        prop_assert!(op(float_min, "NaN.abs", "f32", 3).is_sound(&words, &completed));
        for primitive in [float_root, float_reciprocal, float_absolute, float_negate] {
            prop_assert!(op(primitive, "rz", "f32", 1).is_sound(&words[..1], &completed[..1]));
        }
    }

    #[test]
    fn undefined_bits_of_f64_too((words, completed) in partial_words(vec![64; 3])) {
        prop_assert!(op(float_multiply_add, "rn", "f64", 3).is_sound(&words, &completed));
        prop_assert!(op(float_add, "rn", "f64", 2).is_sound(&words[..2], &completed[..2]));
        prop_assert!(op(float_absolute, "", "f64", 1).is_sound(&words[..1], &completed[..1]));
    }
}

#[test]
fn results_are_rounded_as_the_opcode_says() {
    let third = |modifiers| f32_of(op(float_divide, modifiers, "f32", 2), &[1.0, 3.0]).to_bits();
    assert_eq!(["rn", "rz", "rm", "rp"].map(third), [0x3eaa_aaab, 0x3eaa_aaaa, 0x3eaa_aaaa, 0x3eaa_aaab]);
    let minus_third = |modifiers| f32_of(op(float_divide, modifiers, "f32", 2), &[-1.0, 3.0]).to_bits();
    assert_eq!(["rn", "rz", "rm", "rp"].map(minus_third), [0xbeaa_aaab, 0xbeaa_aaaa, 0xbeaa_aaab, 0xbeaa_aaaa]);
    // Without a rounding it is to the nearest.
    assert_eq!(f32_of(op(float_add, "", "f32", 2), &[1.0, 1e-8]), 1.0);
    assert_eq!(f32_of(op(float_add, "rp", "f32", 2), &[1.0, 1e-8]), 1.0 + f32::EPSILON);
    let cancelled = |modifiers| f32_of(op(float_subtract, modifiers, "f32", 2), &[2.5, 2.5]).to_bits();
    assert_eq!(["rn", "rz", "rm", "rp"].map(cancelled), [0, 0, 0x8000_0000, 0]);
    let too_great = |modifiers| f32_of(op(float_multiply, modifiers, "f32", 2), &[-f32::MAX, 2.0]);
    assert_eq!(["rn", "rz", "rm", "rp"].map(too_great), [f32::NEG_INFINITY, f32::MIN, f32::NEG_INFINITY, f32::MIN]);
    let root = |modifiers| f32_of(op(float_root, modifiers, "f32", 1), &[2.0]).to_bits();
    assert_eq!(["rn", "rz", "rm", "rp"].map(root), [0x3fb5_04f3, 0x3fb5_04f3, 0x3fb5_04f3, 0x3fb5_04f4]);
}

#[test]
fn a_product_and_a_sum_are_rounded_once() {
    // 1 + 2^-22 + 2^-46 - (1 + 2^-22): the last bits of the product are what is left.
    let a = 1.0 + f32::EPSILON;
    let rest = f32_of(op(float_multiply_add, "rn", "f32", 3), &[a, a, -(1.0 + 2.0 * f32::EPSILON)]);
    assert_eq!(rest, f32::EPSILON * f32::EPSILON);
}

#[test]
fn sat_holds_results_between_0_and_1() {
    let sum = |a, b| f32_of(op(float_add, "sat", "f32", 2), &[a, b]).to_bits();
    assert_eq!([sum(0.25, 0.5), sum(1.0, 0.5), sum(1.0, f32::INFINITY)].map(f32::from_bits), [0.75, 1.0, 1.0]);
    assert_eq!([sum(-1.0, 0.5), sum(-0.0, -0.0), sum(f32::NAN, 1.0), sum(f32::INFINITY, f32::NEG_INFINITY)], [0; 4]);
    let op = op(float_multiply_add, "rn.sat", "f16x2", 3);
    // 3 * 2 - 1 above, NaN below.
    assert_eq!(op.of(&[0x4200_7e00, 0x4000_4000, 0xbc00_bc00]), Some(0x3c00_0000));
}

#[test]
fn relu_leaves_nothing_below_0() {
    let op = |its| op(float_multiply_add, "rn.relu", its, 3);
    // -2 * 3 + 1 and 2 * 3 + 1.
    assert_eq!(op("f16x2").of(&[0xc000_4000, 0x4200_4200, 0x3c00_3c00]), Some(0x0000_4700));
    assert_eq!(op("bf16").of(&[0x7f81, 0x3f80, 0x3f80]), Some(0x7fff));
    assert_eq!(op("bf16").of(&[0x8000, 0x3f80, 0x8000]), Some(0));
}

#[test]
fn ftz_takes_subnormal_numbers_for_zero() {
    let least = f32::MIN_POSITIVE;
    let product = |modifiers, a, b| f32_of(op(float_multiply, modifiers, "f32", 2), &[a, b]).to_bits();
    assert_eq!(product("ftz", least / 2.0, -4.0), 0x8000_0000);
    assert_eq!([product("ftz", -least, 0.5), product("", -least, 0.5)], [0x8000_0000, 0x8040_0000]);
    assert_eq!(product("ftz", least, 1.0), least.to_bits());
    // It would be rounded to the least normal number, but is subnormal with all the bits that it has.
    let below = f32::from_bits(0x3f7f_ffff);
    assert_eq!([product("ftz", least, below), product("", least, below)], [0, least.to_bits()]);
    // With fewer bits it is rounded up to the least normal number all the same.
    let sum = |modifiers| f32_of(op(float_multiply_add, modifiers, "f32", 3), &[1e-20, 1e-20, -least]).to_bits();
    let tiny = |modifiers| f32_of(op(float_multiply_add, modifiers, "f32", 3), &[1e-30, 1e-30, -least]).to_bits();
    assert_eq!([sum("rn.ftz"), tiny("rn.ftz"), tiny("rz.ftz")], [0x8000_0000, 0x8080_0000, 0x8000_0000]);
    assert_eq!(op(float_absolute, "ftz", "f16", 1).of(&[0x83ff]), Some(0));
    assert_eq!(op(float_negate, "ftz", "f16", 1).of(&[0x83ff]), Some(0));
    assert_eq!(op(float_negate, "ftz", "f16", 1).of(&[0x03ff]), Some(0x8000));
    assert_eq!(op(float_negate, "", "f16", 1).of(&[0x83ff]), Some(0x03ff));
}

#[test]
fn lanes_do_not_touch_each_other() {
    let pack = |low: f32, high: f32| u128::from(high.to_bits()) << 32 | u128::from(low.to_bits());
    let words = [pack(1.5, -2.5), pack(3.0, 0.25), pack(0.5, 10.0)];
    let of = |primitive, sources: usize| op(primitive, "rn", "f32x2", sources).of(&words[..sources]);
    assert_eq!(of(float_add, 2), Some(pack(4.5, -2.25)));
    assert_eq!(of(float_multiply_add, 3), Some(pack(5.0, 9.375)));
    let op = op(float_add, "", "bf16x2", 2);
    let half = [Word::partial(32, 0x3f80_0000, 0xffff_0000), Word::new(32, 0x4000_3f80)];
    assert_eq!(op.on_words(&half), [Word::partial(32, 0x4040_0000, 0xffff_0000)]);
}

#[test]
fn formats_mix() {
    let three = f32::to_bits(3.0).into();
    let add = |modifiers, half| Op::new(float_add, modifiers, &["f32"], &[half, "f32"]);
    assert_eq!(add("rn", "f16").of(&[0xc100, three]), Some(f32::to_bits(0.5).into()));
    assert_eq!(add("rn.sat", "bf16").of(&[0x4020, three]), Some(F32.one()));
    let subtract = Op::new(float_subtract, "rz", &["f32"], &["bf16", "f32"]);
    assert_eq!(subtract.of(&[0x3f00, three]), Some(f32::to_bits(-2.5).into()));
    let fused = Op::new(float_multiply_add, "rn", &["f32"], &["f16", "f16", "f32"]);
    // The product has more bits than f16: 2049 * 2049 + 3.
    assert_eq!(fused.of(&[0x6801, 0x6801, three]), Some(f32::to_bits(2050.0 * 2050.0 + 3.0).into()));
}

#[test]
fn most_nan_are_said_to_be_no_more_than_that() {
    let nan_of = |format: Format| {
        let known = format.exponent_bits() | format.quiet();
        Word::partial(format.width(), known, known)
    };
    let sum = |its, a, b| op(float_add, "", its, 2).on(&[a, b])[0];
    assert_eq!(sum("f32", F32.exponent_bits(), 0xff80_0000), nan_of(F32));
    assert_eq!(sum("f32", 0x7f80_0001, 0), nan_of(F32));
    assert_eq!([sum("f16", 0xfe00, 0), sum("bf16", 0, 0x7fff)], [nan_of(F16), nan_of(BF16)]);
    assert_eq!(op(float_root, "rn", "f32", 1).on(&[0xbf80_0000]), [nan_of(F32)]);
    assert_eq!(op(float_reciprocal, "rn", "f32", 1).of(&[0x8000_0000]), Some(0xff80_0000));
    // The only NaN of f64 leaves its payload; of two it is open which.
    let payload = 0xfff0_0000_0000_1234u128;
    let sign = 1 << 63;
    assert_eq!(sum("f64", payload, 0), Word::partial(64, payload | F64.quiet(), !sign));
    assert_eq!(sum("f64", payload, F64.exponent_bits() | 1), nan_of(F64));
    assert_eq!(sum("f64", F64.exponent_bits(), F64.exponent_bits() | sign), nan_of(F64));
    // NaN is NaN beside what is not known, and one of which not all is known too.
    let words = [nan_of(F32), Word::undefined(32)];
    assert_eq!(op(float_multiply, "", "f32", 2).on_words(&words), [nan_of(F32)]);
    let partial = [Word::partial(32, 0, !1), Word::new(32, 0)];
    assert_eq!(op(float_multiply, "", "f32", 2).on_words(&partial), [Word::undefined(32)]);
}

#[test]
fn a_factor_that_is_out_of_bounds_makes_0() {
    for (its, one) in [("f16", 0x3c00), ("bf16", 0x3f80)] {
        let fused = |modifiers, words: [u128; 3]| op(float_multiply_add, modifiers, its, 3).of(&words);
        for bounds in [0x7ff7, 0xfff7] {
            assert_eq!([fused("rn.oob", [bounds, one, one]), fused("rn.oob.relu", [one, bounds, one])], [Some(0); 2]);
            assert_eq!(fused("rn.relu", [bounds, one, one]), Some(0x7fff));
            assert_eq!(fused("rn.oob.relu", [one, one, bounds]), Some(0x7fff));
        }
        assert_eq!(fused("rn.oob.relu", [0x7ff6, one, one]), Some(0x7fff));
        assert_eq!(fused("rn.oob", [one, one, 0]), Some(one));
    }
    let op = op(float_multiply_add, "rn.oob", "f16", 3);
    assert_eq!(op.on_words(&[nan(F16), Word::new(16, 0), Word::new(16, 0)]), [Word::undefined(16)]);
}

#[test]
fn the_least_and_the_greatest() {
    let two = |primitive, modifiers, a: f32, b: f32| f32s(op(primitive, modifiers, "f32", 2), &[a, b]);
    let word = |value: f32| Word::new(32, value.to_bits().into());
    let canonical = Word::new(32, 0x7fff_ffff);
    for (a, b, least, greatest) in
        [(-1.5, 2.0, -1.5, 2.0), (-0.0, 0.0, -0.0, 0.0), (0.0, -0.0, -0.0, 0.0), (-3.0, -2.0, -3.0, -2.0)]
    {
        for modifiers in ["", "NaN", "ftz"] {
            assert_eq!(two(float_min, modifiers, a, b), word(least), "{a} {b}");
            assert_eq!(two(float_max, modifiers, a, b), word(greatest), "{a} {b}");
        }
    }
    for primitive in [float_min, float_max] {
        assert_eq!([two(primitive, "", f32::NAN, 2.0), two(primitive, "", 2.0, f32::NAN)], [word(2.0); 2]);
        assert_eq!([two(primitive, "NaN", f32::NAN, 2.0), two(primitive, "NaN", 2.0, f32::NAN)], [canonical; 2]);
        assert_eq!(two(primitive, "", f32::NAN, f32::NAN), nan(F32));
        assert_eq!(two(primitive, "ftz", -1e-40, f32::NAN), word(-0.0));
        assert_eq!(two(primitive, "xorsign.abs", f32::NAN, -2.0), word(-2.0));
        assert_eq!(two(primitive, "xorsign.abs", -f32::NAN, -2.0), word(2.0));
    }
    for (a, b) in [(3.0, -2.0), (-3.0, -2.0), (-3.0, 2.0), (3.0, 2.0f32)] {
        let sign = a * b;
        assert_eq!(two(float_min, "xorsign.abs", a, b), word(2f32.copysign(sign)), "{a} {b}");
        assert_eq!(two(float_max, "xorsign.abs", a, b), word(3f32.copysign(sign)), "{a} {b}");
    }
    assert_eq!(op(float_min, "NaN", "f16x2", 2).of(&[0x3c00_7e01, 0xbc00_0000]), Some(0xbc00_7fff));
    assert_eq!(op(float_max, "", "bf16", 2).of(&[0x7fc0, 0xbf80]), Some(0xbf80));
}

#[test]
fn the_least_of_three() {
    let three = |primitive, modifiers, values: [f32; 3]| f32s(op(primitive, modifiers, "f32", 3), &values);
    let word = |value: f32| Word::new(32, value.to_bits().into());
    for values in [[1.0, -4.0, 2.0], [-4.0, 2.0, 1.0], [2.0, 1.0, -4.0]] {
        assert_eq!(three(float_min, "", values), word(-4.0));
        assert_eq!(three(float_max, "", values), word(2.0));
        assert_eq!(three(float_min, "abs", values), word(1.0));
        assert_eq!(three(float_max, "abs", values), word(4.0));
    }
    assert_eq!(three(float_min, "", [f32::NAN, f32::NAN, 2.0]), word(2.0));
    assert_eq!(three(float_max, "", [f32::NAN; 3]), nan(F32));
    assert_eq!(three(float_max, "NaN.abs", [1.0, 2.0, f32::NAN]), Word::new(32, 0x7fff_ffff));
}

#[test]
fn what_is_no_floating_point_number_is_an_error() {
    assert_eq!(op(float_add, "", "u32", 2).error(&[1, 2]), "op is no operation on floating-point numbers");
    assert_eq!(op(float_add, "rn", "f32", 3).error(&[1, 2, 3]), "op.rn does not read 2 words");
}

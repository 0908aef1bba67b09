use super::super::test_support::{Op, partial_words};
use super::*;
use proptest::prelude::*;

fn op(primitive: super::super::Semantics, modifiers: &'static str, its: &'static str, sources: usize) -> Op {
    Op::new(primitive, modifiers, &[its], &vec![its; sources])
}

/// Integers that are near the ends of types, or any.
fn integer() -> impl Strategy<Value = u64> {
    let ends = [0u64, 1, 2, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    let wide = [0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0001];
    prop_oneof![any::<u64>(), any::<u32>().prop_map(u64::from), prop::sample::select([&ends[..], &wide[..]].concat())]
}

/// What the processor makes of two integers.
macro_rules! holds_to_the_processor {
    ($its:ident, $wide:ident, $name:literal, $wide_name:literal, $a:expr, $b:expr, $c:expr) => {{
        let (a, b, c) = ($a as $its, $b as $its, $c as $its);
        let bits = |value: $its| Word::new($its::BITS, value as u128).bits;
        let (x, y, z) = (bits(a), bits(b), bits(c));
        let two = |primitive| op(primitive, "", $name, 2).of(&[x, y]);
        prop_assert_eq!(two(integer_add), Some(bits(a.wrapping_add(b))));
        prop_assert_eq!(two(integer_subtract), Some(bits(a.wrapping_sub(b))));
        prop_assert_eq!(two(integer_min), Some(bits(a.min(b))));
        prop_assert_eq!(two(integer_max), Some(bits(a.max(b))));
        prop_assert_eq!(two(integer_divide), a.checked_div(b).map(bits));
        prop_assert_eq!(two(integer_remainder), (b != 0).then(|| bits(a.wrapping_rem(b))));
        prop_assert_eq!(op(integer_add, "sat", $name, 2).of(&[x, y]), Some(bits(a.saturating_add(b))));
        prop_assert_eq!(op(integer_subtract, "sat", $name, 2).of(&[x, y]), Some(bits(a.saturating_sub(b))));
        let product = (a as $wide).wrapping_mul(b as $wide);
        let [low, high] = [product as $its, (product >> $its::BITS) as $its];
        let multiply = |part, sources| op(integer_multiply, part, $name, sources);
        prop_assert_eq!(multiply("lo", 2).of(&[x, y]), Some(bits(low)));
        prop_assert_eq!(multiply("hi", 2).of(&[x, y]), Some(bits(high)));
        prop_assert_eq!(multiply("lo", 3).of(&[x, y, z]), Some(bits(low.wrapping_add(c))));
        prop_assert_eq!(multiply("hi", 3).of(&[x, y, z]), Some(bits(high.wrapping_add(c))));
        prop_assert_eq!(multiply("hi.sat", 3).of(&[x, y, z]), Some(bits(high.saturating_add(c))));
        if !$wide_name.is_empty() {
            let wide_bits = |value: $wide| Word::new($wide::BITS, value as u128).bits;
            let wide = Op::new(integer_multiply, "wide", &[$wide_name], &[$name, $name]);
            prop_assert_eq!(wide.of(&[x, y]), Some(wide_bits(product)));
            let added = $c as $wide;
            let wide = Op::new(integer_multiply, "wide", &[$wide_name], &[$name, $name, $wide_name]);
            prop_assert_eq!(wide.of(&[x, y, wide_bits(added)]), Some(wide_bits(product.wrapping_add(added))));
        }
        let distance = (a.abs_diff(b) as $its).wrapping_add(c);
        prop_assert_eq!(op(integer_distance, "", $name, 3).of(&[x, y, z]), Some(bits(distance)));
    }};
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn integers_are_computed_with_as_the_processor_does(a in integer(), b in integer(), c in integer()) {
        holds_to_the_processor!(u16, u32, "u16", "u32", a, b, c);
        holds_to_the_processor!(s16, s32, "s16", "s32", a, b, c);
        holds_to_the_processor!(u32, u64, "u32", "u64", a, b, c);
        holds_to_the_processor!(s32, s64, "s32", "s64", a, b, c);
        holds_to_the_processor!(u64, u128, "u64", "", a, b, c);
        holds_to_the_processor!(s64, s128, "s64", "", a, b, c);
        let bits = |value: i64| u128::from(value as u64);
        prop_assert_eq!(op(integer_absolute, "", "s64", 1).of(&[a.into()]), Some(bits((a as i64).wrapping_abs())));
        prop_assert_eq!(op(integer_negate, "", "s64", 1).of(&[a.into()]), Some(bits((a as i64).wrapping_neg())));
    }

    #[test]
    fn lanes_do_not_touch_each_other(a in any::<[i16; 2]>(), b in any::<[i16; 2]>()) {
        let word = |lanes: [i16; 2]| u128::from(lanes[1] as u16) << 16 | u128::from(lanes[0] as u16);
        let each = |of: fn(i16, i16) -> i16| Some(word([of(a[0], b[0]), of(a[1], b[1])]));
        let words = [word(a), word(b)];
        prop_assert_eq!(op(integer_add, "", "s16x2", 2).of(&words), each(i16::wrapping_add));
        prop_assert_eq!(op(integer_min, "", "s16x2", 2).of(&words), each(i16::min));
        prop_assert_eq!(op(integer_max, "", "u16x2", 2).of(&words), each(|a, b| (a as u16).max(b as u16) as i16));
        prop_assert_eq!(op(integer_min, "relu", "s16x2", 2).of(&words), each(|a, b| a.min(b).max(0)));
        prop_assert_eq!(op(integer_max, "relu", "s16x2", 2).of(&words), each(|a, b| a.max(b).max(0)));
    }

    #[test]
    fn factors_of_24_bits_are_the_low_ones(a in any::<u32>(), b in any::<u32>(), c in any::<u32>()) {
        let words = [a, b, c].map(u128::from);
        let [x, y] = [a, b].map(|bits| u64::from(bits & 0xff_ffff));
        let [s, t] = [a, b].map(|bits| i64::from(bits as i32) << 40 >> 40);
        let of = |modifiers, its, sources: usize| {
            op(integer_multiply_24, modifiers, its, sources).of(&words[..sources])
        };
        let low = |bits: u64| Some(u128::from(bits as u32));
        prop_assert_eq!(of("lo", "u32", 2), low(x * y));
        prop_assert_eq!(of("hi", "u32", 2), low((x * y) >> 16));
        prop_assert_eq!(of("lo", "s32", 2), low((s * t) as u64));
        prop_assert_eq!(of("hi", "s32", 3), low(((s * t) >> 16).wrapping_add(i64::from(c as i32)) as u64));
        let saturated = i64::from(((s * t) >> 16) as i32) + i64::from(c as i32);
        let held = saturated.clamp(i32::MIN.into(), i32::MAX.into());
        prop_assert_eq!(of("hi.sat", "s32", 3), low(held as u64));
    }

    #[test]
    fn dot_products_add_what_the_types_say(a in any::<u32>(), b in any::<u32>(), c in any::<u32>()) {
        let words = [a, b, c].map(u128::from);
        let byte = |word: u32, i: u32, signed| {
            let bits = (word >> (8 * i)) as u8;
            if signed { i64::from(bits as i8) } else { bits.into() }
        };
        let half = |i: u32, signed| {
            let bits = (a >> (16 * i)) as u16;
            if signed { i64::from(bits as i16) } else { bits.into() }
        };
        for (x, x_signed) in [("u32", false), ("s32", true)] {
            for (y, y_signed) in [("u32", false), ("s32", true)] {
                let of = |primitive, modifiers| Op::new(primitive, modifiers, &["s32"], &[x, y, "s32"]).of(&words);
                let low = |sum: i64| Some(u128::from((sum + i64::from(c)) as u32));
                let bytes = (0..4).map(|i| byte(a, i, x_signed) * byte(b, i, y_signed)).sum();
                prop_assert_eq!(of(integer_dot_bytes, ""), low(bytes));
                for (modifiers, first) in [("lo", 0), ("hi", 2)] {
                    let halves = (0..2).map(|i| half(i, x_signed) * byte(b, first + i, y_signed)).sum();
                    prop_assert_eq!(of(integer_dot_halves, modifiers), low(halves));
                }
            }
        }
    }

    #[test]
    fn an_undefined_bit_leaves_its_lane_undefined((words, completed) in partial_words(vec![32; 3])) {
        for primitive in [integer_add, integer_subtract, integer_divide, integer_remainder, integer_min, integer_max] {
            prop_assert!(op(primitive, "", "s32", 2).is_sound(&words[..2], &completed[..2]));
            prop_assert!(op(primitive, "", "u16x2", 2).is_sound(&words[..2], &completed[..2]));
        }
        prop_assert!(op(integer_multiply, "hi.sat", "s32", 3).is_sound(&words, &completed));
        prop_assert!(op(integer_multiply_24, "hi", "u32", 3).is_sound(&words, &completed));
        prop_assert!(op(integer_distance, "", "s32", 3).is_sound(&words, &completed));
        prop_assert!(op(integer_dot_bytes, "", "s32", 3).is_sound(&words, &completed));
        prop_assert!(op(integer_dot_halves, "hi", "s32", 3).is_sound(&words, &completed));
    }
}

#[allow(non_camel_case_types, reason = "named as in PTX")]
type s16 = i16;
#[allow(non_camel_case_types, reason = "named as in PTX")]
type s32 = i32;
#[allow(non_camel_case_types, reason = "named as in PTX")]
type s64 = i64;
#[allow(non_camel_case_types, reason = "named as in PTX")]
type s128 = i128;

#[test]
fn what_the_isa_leaves_open_is_undefined() {
    let divide = op(integer_divide, "", "s32", 2);
    assert_eq!([divide.of(&[7, 0]), divide.of(&[0x8000_0000, 0xffff_ffff])], [None, None]);
    assert_eq!(divide.of(&[-7i32 as u32 as u128, 2]), Some(-3i32 as u32 as u128));
    let remainder = op(integer_remainder, "", "s32", 2);
    assert_eq!(remainder.of(&[7, 0]), None);
    assert_eq!(remainder.of(&[0x8000_0000, 0xffff_ffff]), Some(0));
    assert_eq!(remainder.of(&[-7i32 as u32 as u128, 2]), Some(-1i32 as u32 as u128));
    // One lane that is open leaves the other.
    let words = [Word::partial(32, 0x0005_0000, 0xffff_00ff), Word::new(32, 0x0003_0001)];
    let lanes = op(integer_add, "", "u16x2", 2).on_words(&words);
    assert_eq!(lanes, [Word::partial(32, 0x0008_0000, 0xffff_0000)]);
}

#[test]
fn an_instruction_has_the_operands_that_it_is_for() {
    assert_eq!(op(integer_add, "", "s32", 3).error(&[1, 2, 3]), "op reads 3 words, not 2");
    assert_eq!(op(integer_multiply, "lo", "s32", 1).error(&[1]), "op.lo has no factors");
}

use super::super::number::{F16, F32};
use super::super::test_support::{Op, partial_words};
use super::*;
use proptest::prelude::*;

fn float() -> impl Strategy<Value = f32> {
    let edges =
        [0.0, -0.0, 1.0, -1.0, f32::MIN_POSITIVE, 1e-45, -1e-45, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    prop_oneof![any::<f32>(), prop::sample::select(edges.to_vec())]
}

fn holds(comparison: &'static str, its: &'static str, a: u128, b: u128) -> Option<u128> {
    Op::new(compare_to_predicates, comparison, &["pred"], &[its, its]).of(&[a, b])
}

proptest! {
    #[test]
    fn numbers_are_in_the_order_of_the_processor(a in float(), b in float()) {
        let unordered = a.is_nan() || b.is_nan();
        let expected = [
            ("eq", a == b), ("ne", a != b && !unordered), ("lt", a < b), ("le", a <= b), ("gt", a > b), ("ge", a >= b),
            ("equ", a == b || unordered), ("neu", a != b), ("ltu", a < b || unordered), ("leu", a <= b || unordered),
            ("gtu", a > b || unordered), ("geu", a >= b || unordered), ("num", !unordered), ("nan", unordered),
        ];
        for (comparison, expected) in expected {
            let found = holds(comparison, "f32", a.to_bits().into(), b.to_bits().into());
            prop_assert_eq!(found, Some(expected.into()), "{} {} {}", a, comparison, b);
            let [a, b] = [a, b].map(|value| u128::from(f64::from(value).to_bits()));
            prop_assert_eq!(holds(comparison, "f64", a, b), Some(expected.into()));
        }
    }

    #[test]
    fn integers_are_in_the_order_of_their_type(a in any::<i64>(), b in any::<i64>(), small in any::<bool>()) {
        let [a, b] = if small { [a % 3, b % 3] } else { [a, b] };
        let [x, y] = [a, b].map(|value| u128::from(value as u64));
        for (comparison, of) in [
            ("eq", Ordering::is_eq as fn(Ordering) -> bool), ("ne", Ordering::is_ne), ("lt", Ordering::is_lt),
            ("le", Ordering::is_le), ("gt", Ordering::is_gt), ("ge", Ordering::is_ge),
        ] {
            prop_assert_eq!(holds(comparison, "s64", x, y), Some(of(a.cmp(&b)).into()));
            prop_assert_eq!(holds(comparison, "u64", x, y), Some(of((a as u64).cmp(&(b as u64))).into()));
            prop_assert_eq!(holds(comparison, "s16", x, y), Some(of((a as i16).cmp(&(b as i16))).into()));
        }
        for (comparison, of) in [
            ("lo", Ordering::is_lt as fn(Ordering) -> bool), ("ls", Ordering::is_le), ("hi", Ordering::is_gt),
            ("hs", Ordering::is_ge),
        ] {
            prop_assert_eq!(holds(comparison, "u32", x, y), Some(of((a as u32).cmp(&(b as u32))).into()));
        }
    }

    #[test]
    fn undefined_bits_leave_undefined_what_they_decide((words, completed) in partial_words(vec![32; 3])) {
        for its in ["s32", "f32", "f16x2"] {
            let op = Op::new(compare_to_predicates, "lt.and", &["pred", "pred"], &[its, its, "pred"]);
            let with_predicate = |words: &[Word]| vec![words[0], words[1], words[2].part(3, 1)];
            prop_assert!(op.is_sound(&with_predicate(&words), &with_predicate(&completed)));
            let op = Op::new(compare_to_value, "geu", &["u32"], &[its, its]);
            prop_assert!(op.is_sound(&words[..2], &completed[..2]));
        }
        for (modifiers, its) in [("", "s32"), ("ftz", "f32")] {
            let op = Op::new(select_by_sign, modifiers, &["b32"], &["b32", "b32", its]);
            prop_assert!(op.is_sound(&words, &completed));
        }
        for test in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
            prop_assert!(Op::new(float_test, test, &["pred"], &["f32"]).is_sound(&words[..1], &completed[..1]));
        }
    }
}

#[test]
fn a_comparison_is_combined_with_a_predicate_and_so_is_its_contrary() {
    for (combination, of) in
        [("lt.and", (|a, b| a & b) as fn(bool, bool) -> bool), ("lt.or", |a, b| a | b), ("lt.xor", |a, b| a ^ b)]
    {
        let op = Op::new(compare_to_predicates, combination, &["pred", "pred"], &["s32", "s32", "pred"]);
        for (a, b, c) in [(1, 2, true), (1, 2, false), (2, 1, true), (2, 1, false)] {
            let results = op.on(&[a, b, c.into()]);
            let expected = [of(a < b, c), of(a >= b, c)].map(|truth| Word::new(1, truth.into()));
            assert_eq!(results, expected, "{combination} {a} {b} {c}");
        }
    }
    // A contrary is that of the comparison: where a NaN makes it false, the other is true.
    let op = Op::new(compare_to_predicates, "lt", &["pred", "pred"], &["f32", "f32"]);
    let nan = f32::NAN.to_bits().into();
    assert_eq!(op.on(&[nan, 0]), [Word::new(1, 0), Word::new(1, 1)]);
    // False and anything is false.
    let op = Op::new(compare_to_predicates, "lt.and", &["pred"], &["f32", "f32", "pred"]);
    assert_eq!(op.on_words(&[Word::undefined(32), Word::new(32, 0), Word::new(1, 0)]), [Word::new(1, 0)]);
    assert_eq!(op.on_words(&[Word::undefined(32), Word::new(32, 0), Word::new(1, 1)]), [Word::undefined(1)]);
}

#[test]
fn two_lanes_are_compared_apart() {
    // 1.0 and 2.0 below; 4.0 and 3.0 above.
    let words = [0x4400_3c00, 0x4200_4000];
    let op = Op::new(compare_to_predicates, "lt", &["pred", "pred"], &["f16x2", "f16x2"]);
    assert_eq!(op.on(&words), [Word::new(1, 1), Word::new(1, 0)]);
    let op = Op::new(compare_to_predicates, "lt.xor", &["pred", "pred"], &["f16x2", "f16x2", "pred"]);
    assert_eq!(op.on(&[words[0], words[1], 1]), [Word::new(1, 0), Word::new(1, 1)]);
    let value = |its| Op::new(compare_to_value, "gt", &[its], &["f16x2", "f16x2"]).of(&words);
    assert_eq!([value("f16x2"), value("u32")], [0x3c00_0000, 0xffff_0000].map(Some));
}

#[test]
fn a_value_says_whether_a_comparison_holds() {
    let of = |modifiers, to, its, words: &[u128]| Op::new(compare_to_value, modifiers, &[to], &[its, its]).of(words);
    assert_eq!(of("lt", "u32", "s32", &[u32::MAX.into(), 0]), Some(0xffff_ffff));
    assert_eq!(of("lt", "u32", "u32", &[u32::MAX.into(), 0]), Some(0));
    assert_eq!(of("ge", "f32", "u16", &[7, 7]), Some(F32.one()));
    assert_eq!(of("nan", "s32", "f64", &[f64::NAN.to_bits().into(), 0]), Some(0xffff_ffff));
    assert_eq!(of("num", "f16", "f16", &[0x3c00, 0x7c00]), Some(F16.one()));
    let op = Op::new(compare_to_value, "eq.or", &["f32"], &["b16", "b16", "pred"]);
    assert_eq!([op.of(&[1, 2, 1]), op.of(&[1, 2, 0])], [Some(F32.one()), Some(0)]);
}

#[test]
fn subnormal_numbers_are_zero_where_they_are_flushed() {
    let least = 1;
    assert_eq!([holds("gt", "f32", least, 0), holds("gt.ftz", "f32", least, 0)], [Some(1), Some(0)]);
    assert_eq!([holds("eq", "f16", least, 0), holds("eq.ftz", "f16", least, 0x8000)], [Some(0), Some(1)]);
    let op = |modifiers| Op::new(select_by_sign, modifiers, &["b32"], &["b32", "b32", "f32"]);
    let negative = 0x8000_0001;
    assert_eq!([op("").of(&[3, 4, negative]), op("ftz").of(&[3, 4, negative])], [Some(4), Some(3)]);
}

#[test]
fn a_sign_selects() {
    let by = |its, c| Op::new(select_by_sign, "", &["b64"], &["b64", "b64", its]).of(&[3, 4, c]).unwrap();
    assert_eq!([0, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].map(|c| by("s32", c)), [3, 3, 3, 4, 4]);
    let floats = [0.0, -0.0, 2.5, f32::INFINITY, -2.5, f32::NEG_INFINITY, f32::NAN, -f32::NAN];
    assert_eq!(floats.map(|c| by("f32", c.to_bits().into())), [3, 3, 3, 3, 4, 4, 4, 4]);
    // The sign is enough, and what both have is known without it.
    let op = Op::new(select_by_sign, "", &["b16"], &["b16", "b16", "s32"]);
    let [a, b] = [Word::new(16, 0x1234), Word::new(16, 0x1230)];
    assert_eq!(op.on_words(&[a, b, Word::partial(32, 1 << 31, 1 << 31)]), [b]);
    assert_eq!(op.on_words(&[a, b, Word::undefined(32)]), [Word::partial(16, 0x1230, 0xfffb)]);
}

#[test]
fn numbers_have_properties() {
    let all = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    let of = |value: f32| {
        all.map(|test| Op::new(float_test, test, &["pred"], &["f32"]).of(&[value.to_bits().into()]).unwrap())
    };
    for value in [0.0, -0.0, -3.5, f32::MIN_POSITIVE, f32::MAX] {
        assert_eq!(of(value), [1, 0, 1, 0, 1, 0], "{value}");
    }
    assert_eq!([of(1e-45), of(-1e-39)], [[1, 0, 1, 0, 0, 1]; 2]);
    assert_eq!([of(f32::INFINITY), of(f32::NEG_INFINITY)], [[0, 1, 1, 0, 0, 0]; 2]);
    assert_eq!(of(f32::NAN), [0, 0, 0, 1, 0, 0]);
    let op = Op::new(float_test, "notanumber", &["pred"], &["f64"]);
    // Of a NaN only some bits need be known.
    assert_eq!(op.on_words(&[Word::partial(64, 0x7ff8 << 48, 0x7ff8 << 48)]), [Word::new(1, 1)]);
    assert_eq!(op.on_words(&[Word::partial(64, 0x7ff0 << 48, 0x7ff0 << 48)]), [Word::undefined(1)]);
}

#[test]
fn what_is_no_comparison_is_an_error() {
    let op = Op::new(compare_to_predicates, "sat", &["pred"], &["f32", "f32"]);
    assert_eq!(op.error(&[0, 0]), "op.sat compares nothing");
    assert_eq!(
        Op::new(float_test, "finite", &["pred"], &["u32"]).error(&[0]),
        "op.finite is no test of a floating-point number"
    );
}

use super::super::number::{E2M1, E2M3, E3M2, E4M3, E5M2};
use super::super::test_support::{Op, partial_words};
use super::*;
use proptest::prelude::*;

fn op(modifiers: &'static str, to: &'static str, from: &'static str) -> Op {
    Op::new(convert, modifiers, &[to], &[from])
}

fn of_f32(modifiers: &'static str, to: &'static str, value: f32) -> Option<u128> {
    op(modifiers, to, "f32").of(&[value.to_bits().into()])
}

/// Numbers around the ends of integers, halves, and any.
fn float() -> impl Strategy<Value = f64> {
    let ends = [
        -129.5,
        -128.5,
        -0.5,
        0.5,
        1.5,
        2.5,
        127.5,
        255.5,
        65535.5,
        2147483647.5,
        4294967295.5,
        9.3e18,
        1.9e19,
        -9.3e18,
    ];
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-320];
    prop_oneof![
        any::<f64>(),
        prop::sample::select([&ends[..], &special[..]].concat()),
        -1e10..1e10f64,
        -300.0..300.0f64
    ]
}

macro_rules! to_integers {
    ($($token:literal $its:ident),*; $a:expr) => {
        $({
            let bits = |value: $its| Word::new($its::BITS, value as u128).bits;
            let a: f64 = $a;
            let nan = 1u128 << ($its::BITS - 1);
            let rounded = [a.round_ties_even(), a.trunc(), a.floor(), a.ceil()];
            for (mode, rounded) in ["rni", "rzi", "rmi", "rpi"].into_iter().zip(rounded) {
                let expected = if a.is_nan() { nan } else { bits(rounded as $its) };
                prop_assert_eq!(op(mode, $token, "f64").of(&[a.to_bits().into()]), Some(expected), "{} {}", mode, a);
            }
            let a = $a as f32;
            let rounded = [a.round_ties_even(), a.trunc(), a.floor(), a.ceil()];
            for (mode, rounded) in ["rni", "rzi", "rmi.sat", "rpi"].into_iter().zip(rounded) {
                let nan = if $its::BITS == 64 { nan } else { 0 };
                let expected = if a.is_nan() { nan } else { bits(rounded as $its) };
                prop_assert_eq!(of_f32(mode, $token, a), Some(expected), "{} {}", mode, a);
            }
        })*
    };
}

macro_rules! from_integers {
    ($($token:literal $its:ident),*; $a:expr) => {
        $({
            let a = $a as $its;
            let word = [Word::new($its::BITS, a as u128).bits];
            prop_assert_eq!(op("rn", "f32", $token).of(&word), Some((a as f32).to_bits().into()));
            prop_assert_eq!(op("rn", "f64", $token).of(&word), Some((a as f64).to_bits().into()));
            prop_assert_eq!(op("", "u8", $token).of(&word), Some((a as u8).into()));
            prop_assert_eq!(op("", "s16", $token).of(&word), Some((a as u16).into()));
            prop_assert_eq!(op("", "u32", $token).of(&word), Some((a as u32).into()));
            prop_assert_eq!(op("", "s64", $token).of(&word), Some((a as u64).into()));
            prop_assert_eq!(op("sat", "s8", $token).of(&word), Some((i128::from(a).clamp(-128, 127) as u8).into()));
            prop_assert_eq!(op("sat", "u16", $token).of(&word), Some((i128::from(a).clamp(0, 65535) as u16).into()));
            // Towards zero, and what is lost is less than one in the last place.
            let toward = f32::from_bits(op("rz", "f32", $token).of(&word).unwrap() as u32) as i128;
            prop_assert!(toward.abs() <= i128::from(a).abs() && i128::from(a).abs() - toward.abs() < 1 << 41);
        })*
    };
}

proptest! {
    #[test]
    fn numbers_become_integers_as_with_the_processor(a in float()) {
        to_integers!("u8" u8, "u16" u16, "u32" u32, "u64" u64, "s8" i8, "s16" i16, "s32" i32, "s64" i64; a);
    }

    #[test]
    fn integers_become_numbers_and_integers_as_with_the_processor(a in any::<u64>(), small in 0u32..64) {
        from_integers!("u8" u8, "u16" u16, "u32" u32, "u64" u64, "s8" i8, "s16" i16, "s32" i32, "s64" i64; a >> small);
        from_integers!("s8" i8, "s16" i16, "s32" i32, "s64" i64; (a as i64) >> small);
    }

    #[test]
    fn numbers_become_numbers_as_with_the_processor(a in any::<f64>(), b in any::<f32>()) {
        let narrowed = op("rn", "f32", "f64").on(&[a.to_bits().into()])[0];
        prop_assert!(a.is_nan() || narrowed == Word::new(32, (a as f32).to_bits().into()));
        let widened = op("", "f64", "f32").on(&[b.to_bits().into()])[0];
        prop_assert!(b.is_nan() || widened == Word::new(64, f64::from(b).to_bits().into()));
        let rounded = [b.round_ties_even(), b.trunc(), b.floor(), b.ceil()];
        for (mode, rounded) in ["rni", "rzi", "rmi", "rpi"].into_iter().zip(rounded) {
            let ours = of_f32(mode, "f32", b);
            prop_assert!(b.is_nan() || ours == Some(rounded.to_bits().into()), "{} {}", mode, b);
        }
    }

    #[test]
    fn undefined_bits_leave_undefined_what_they_decide((words, completed) in partial_words(vec![32; 5])) {
        for (modifiers, to, from) in [
            ("", "s64", "s32"), ("", "u8", "s32"), ("sat", "u8", "s32"), ("rn", "f32", "s32"), ("rni", "s32", "f32"),
            ("rz", "f16", "f32"), ("rm.ftz", "f16", "f32"), ("rn.satfinite.relu", "e4m3x2", "f16x2"),
            ("rna", "tf32", "f32"),
        ] {
            prop_assert!(op(modifiers, to, from).is_sound(&words[..1], &completed[..1]), "{modifiers} {to} {from}");
        }
        let halves = Op::new(convert, "rs", &["f16x2"], &["f32", "f32", "b32"]);
        prop_assert!(halves.is_sound(&words[..3], &completed[..3]));
        let quarters = Op::new(convert, "rs.satfinite", &["e5m2x4"], &["f32", "f32", "f32", "f32", "b32"]);
        prop_assert!(quarters.is_sound(&words, &completed));
        let packed = Op::new(convert_pack, "pack.sat.s8", &["u32"], &["s32", "s32", "b32"]);
        prop_assert!(packed.is_sound(&words[..3], &completed[..3]));
    }
}

#[test]
fn registers_may_be_wider_than_types() {
    assert_eq!(op("", "s8", "s32").into(64).of(&[0x1280]), Some(0xffff_ffff_ffff_ff80));
    assert_eq!(op("", "u8", "s32").into(64).of(&[0x1280]), Some(0x80));
    assert_eq!(op("", "s32", "s8").from(64).of(&[0x1280]), Some(0xffff_ff80));
    assert_eq!(op("", "s64", "u16").from(32).of(&[0x1_8000]), Some(0x8000));
    assert_eq!(op("rzi", "s16", "f32").into(32).of(&[f32::to_bits(-2.5).into()]), Some(0xffff_fffe));
    assert_eq!(op("rn", "f16", "f32").into(32).of(&[f32::to_bits(-1.0).into()]), Some(0xbc00));
    assert_eq!(op("rn", "f32", "s8").from(32).of(&[0x1280]), Some(f32::to_bits(-128.0).into()));
    // What a narrow type drops is not read.
    let words = [Word::partial(32, 0x80, 0xff)];
    assert_eq!(op("", "s32", "s8").from(32).on_words(&words), [Word::new(32, 0xffff_ff80)]);
}

#[test]
fn nan_becomes_an_integer() {
    let of = |to, from, nan: u128| op("rzi", to, from).of(&[nan]);
    for from in [("f16", 0x7e00), ("bf16", 0x7fc0), ("f32", 0xffc0_0000)] {
        assert_eq!([of("s8", from.0, from.1), of("u16", from.0, from.1), of("s32", from.0, from.1)], [Some(0); 3]);
        assert_eq!([of("s64", from.0, from.1), of("u64", from.0, from.1)], [Some(1 << 63); 2]);
    }
    let nan = f64::NAN.to_bits().into();
    assert_eq!(
        [of("s32", "f64", nan), of("u8", "f64", nan), of("s64", "f64", nan)],
        [1 << 31, 1 << 7, 1 << 63].map(Some)
    );
}

#[test]
fn nan_stays_nan() {
    let known = |bits: u128, word: Word| word == Word::partial(word.width, bits, bits);
    assert!(known(0x7e00, op("rn", "f16", "f32").on(&[0x7fc0_0001])[0]));
    assert!(known(0x7c00, op("rn", "f16", "f32").on(&[0x7f80_0001])[0]));
    assert!(known(0x7fc0_0000, op("", "f32", "bf16").on(&[0xffff])[0]));
    assert!(known(0x7f80_0000, op("rna", "tf32", "f32").on(&[0x7fc0_0001])[0]));
    assert_eq!(op("rna", "tf32", "f32").on(&[0x7f80_0001]), [Word::undefined(32)]);
    assert_eq!(op("rn.relu", "f16", "f32").of(&[0xffc0_0001]), Some(0x7fff));
    assert_eq!(op("rn.relu", "bf16", "f32").of(&[0xffc0_0001]), Some(0x7fff));
    assert_eq!(
        [op("sat", "f32", "f32").of(&[0x7fc0_0000]), op("rn.sat", "f16", "f64").of(&[0x7ff8 << 48])],
        [Some(0); 2]
    );
}

#[test]
fn sat_relu_and_satfinite_hold_results() {
    let [big, small] = [1e9, -1e9];
    assert_eq!(
        [of_f32("rn", "f16", big), of_f32("rz", "f16", big), of_f32("rn.satfinite", "f16", small)],
        [0x7c00, 0x7bff, 0xfbff].map(Some)
    );
    assert_eq!(of_f32("rn.satfinite", "f16", f32::NEG_INFINITY), Some(0xfbff));
    assert_eq!(of_f32("rn.satfinite.relu", "bf16", f32::INFINITY), Some(0x7f7f));
    assert_eq!(
        [of_f32("rn.relu", "f16", small), of_f32("rn.relu", "f16", -0.0), of_f32("rn.satfinite.relu", "f16", small)],
        [Some(0); 3]
    );
    assert_eq!(
        [of_f32("sat", "f32", 1.5), of_f32("sat", "f32", 0.75), of_f32("sat", "f32", -0.0)],
        [1.0, 0.75, 0.0].map(|v: f32| Some(v.to_bits().into()))
    );
    assert_eq!(op("rn.sat", "f32", "s32").of(&[7]), Some(f32::to_bits(1.0).into()));
}

#[test]
fn ftz_is_for_f32_alone() {
    let least = 1e-40f32;
    assert_eq!(
        [of_f32("ftz", "f32", -least), of_f32("", "f32", -least)],
        [0x8000_0000, (-least).to_bits().into()].map(Some)
    );
    assert_eq!([of_f32("rpi.ftz", "s32", least), of_f32("rpi", "s32", least)], [Some(0), Some(1)]);
    assert_eq!(op("rn.ftz", "f32", "f64").of(&[f64::to_bits(1e-40).into()]), Some(0));
    // A subnormal f16 is a normal f32, and one of f16 that comes of it stays.
    assert_eq!(op("ftz", "f32", "f16").of(&[1]), Some(f32::to_bits(2f32.powi(-24)).into()));
    assert_eq!(of_f32("rn.ftz", "f16", 2f32.powi(-24)), Some(1));
    // Whether a subnormal f32 is flushed here sm_90 and the ISA do not agree on; to the nearest it is zero anyway.
    assert_eq!(of_f32("rn.ftz", "f16", least), Some(0));
    assert_eq!(op("rp.ftz", "f16", "f32").on(&[least.to_bits().into()]), [Word::partial(16, 0, 0xfffe)]);
}

#[test]
fn pairs_have_the_first_source_on_top() {
    let pair = |modifiers, to, a: f32, b: f32| {
        Op::new(convert, modifiers, &[to], &["f32", "f32"]).of(&[a.to_bits().into(), b.to_bits().into()])
    };
    assert_eq!(pair("rn", "f16x2", 1.0, -2.0), Some(0x3c00_c000));
    assert_eq!(pair("rz.relu", "bf16x2", -1.0, 2.0), Some(0x0000_4000));
    assert_eq!(pair("rn.satfinite", "e4m3x2", 1.0, -500.0), Some(0x38fe));
    assert_eq!(pair("rn.satfinite", "e5m2x2", 1e9, 1.25), Some(0x7b3d));
    assert_eq!(pair("rn.satfinite", "e2m1x2", 2.4, -9.0), Some(0x4f));
    assert_eq!(pair("rn.satfinite", "e2m3x2", -7.4, 0.125), Some(0x3f01));
    assert_eq!(pair("rn.satfinite.relu", "e3m2x2", -1.0, 30.0), Some(0x001f));
    let nan = f32::NAN;
    assert_eq!(pair("rn.satfinite", "e2m1x2", nan, -nan), Some(0x77));
    assert_eq!(pair("rn.satfinite", "e2m3x2", nan, 1.0), Some(0x1f08));
    assert_eq!(pair("rn.satfinite.relu", "e4m3x2", nan, 1.0), Some(0x7f38));
    let op = Op::new(convert, "rn.satfinite", &["e5m2x2"], &["f32", "f32"]);
    assert_eq!(op.on(&[0x7fc0_0000, 0]), [Word::partial(16, 0x7e00, 0x7eff)]);
}

#[test]
fn lanes_become_lanes() {
    assert_eq!(op("rn.satfinite", "e4m3x2", "f16x2").of(&[0x3c00_c000]), Some(0x38c0));
    assert_eq!(op("rn", "f16x2", "e5m2x2").of(&[0x3cc0]), Some(0x3c00_c000));
    assert_eq!(op("rn.relu", "f16x2", "e2m1x2").of(&[0x7f]), Some(0x4600_0000));
    // The two highest bits of a byte do not count.
    assert_eq!(op("rn", "f16x2", "e2m3x2").of(&[0xc82f]), Some(0x3c00_bf80));
    assert_eq!(op("rn", "f16x2", "e4m3x2").on(&[0xff38]), [Word::partial(32, 0x7e00_3c00, 0x7e00_ffff)]);
}

/// Every number of 8 bits and less, through f16 and back.
#[test]
fn narrow_numbers_come_back() {
    for (format, pair) in [(E4M3, "e4m3x2"), (E5M2, "e5m2x2"), (E3M2, "e3m2x2"), (E2M3, "e2m3x2"), (E2M1, "e2m1x2")] {
        let lane = if format == E2M1 { 4 } else { 8 };
        for bits in 0..1u128 << format.width() {
            let both = bits << lane | bits;
            let wide = op("rn", "f16x2", pair).on(&[both])[0];
            let Some(wide) = wide.known() else {
                assert_eq!(format.number(bits), Number::Nan);
                continue;
            };
            assert_eq!(F16.number(wide & 0xffff), F16.number(F16.round(format.number(bits), Rounding::Nearest)));
            let infinite = matches!(format.number(bits), Number::Infinite { .. });
            let expected = if infinite { (bits - 1) << lane | (bits - 1) } else { both };
            assert_eq!(op("rn.satfinite", pair, "f16x2").of(&[wide]), Some(expected), "{pair} {bits:#x}");
        }
    }
}

#[test]
fn tf32_has_19_bits() {
    let of = |modifiers, bits: u128| op(modifiers, "tf32", "f32").on(&[bits])[0];
    let word = |bits| Word::partial(32, bits, 0xffff_e000);
    // Half way between two: away from zero, and to the even one.
    assert_eq!([of("rna", 0x3f80_1000), of("rn", 0x3f80_1000)], [word(0x3f80_2000), word(0x3f80_0000)]);
    assert_eq!([of("rna", 0xbf80_0fff), of("rz", 0xbf80_1fff)], [word(0xbf80_0000), word(0xbf80_0000)]);
    assert_eq!([of("rna", 0x7f7f_ffff), of("rna.satfinite", 0x7f7f_ffff)], [word(0x7f80_0000), word(0x7f7f_e000)]);
    assert_eq!(of("rn.relu", 0xbf80_0000), word(0));
}

#[test]
fn random_bits_carry_into_those_that_are_kept() {
    let halves = |a: u32, b: u32, random: u32| {
        Op::new(convert, "rs", &["f16x2"], &["f32", "f32", "b32"]).of(&[a.into(), b.into(), random.into()])
    };
    // 1 with 0x0800 and 0x1800 of the 13 bits that f16 drops.
    let [a, b] = [0x3f80_0800, 0xbf80_1800];
    assert_eq!(halves(a, b, 0), Some(0x3c00_bc00));
    assert_eq!(halves(a, b, 0x17ff_07ff), Some(0x3c00_bc00));
    assert_eq!(halves(a, b, 0x1800_0800), Some(0x3c01_bc01));
    // The half that is on top is for the first source, and 13 bits of it count.
    assert_eq!(halves(a, b, 0x1800_07ff), Some(0x3c01_bc00));
    assert_eq!(halves(a, b, 0xe000_e000), Some(0x3c00_bc00));
    let op = Op::new(convert, "rs.satfinite.relu", &["bf16x2"], &["f32", "f32", "b32"]);
    assert_eq!(op.of(&[0x3f80_8000, 0x7f7f_ffff, 0x8000_0001]), Some(0x3f81_7f7f));
    assert_eq!(op.of(&[0x3f80_8000, 0xbf80_0000, 0x7fff_0001]), Some(0x3f80_0000));
    // Smaller than the normal numbers of f16 it is open where the random bits go: both neighbours are possible.
    let op = Op::new(convert, "rs", &["f16x2"], &["f32", "f32", "b32"]);
    let small = f32::to_bits(2f32.powi(-24) * 2.5).into();
    assert_eq!(op.on(&[small, 0, 0xffff_ffff]), [Word::partial(32, 0x0002_0000, 0xfffe_ffff)]);
}

#[test]
fn four_lanes_have_the_first_source_on_top() {
    let quarters = |to, values: [f32; 4]| {
        let words: Vec<u128> = values.iter().map(|value| value.to_bits().into()).chain([0x1234_5678]).collect();
        Op::new(convert, "rs.satfinite", &[to], &["f32", "f32", "f32", "f32", "b32"]).on(&words)[0]
    };
    // What is exact needs no random bits.
    assert_eq!(quarters("e4m3x4", [1.0, -2.0, 0.5, 448.0]), Word::new(32, 0x38c0_307e));
    assert_eq!(quarters("e2m1x4", [1.0, -2.0, 0.5, 6.0]), Word::new(16, 0x2c17));
    // Between 1 and 1.125, which are next to each other.
    assert_eq!(quarters("e4m3x4", [1.0625, 1.0, 1.0, 1.0]), Word::partial(32, 0x3838_3838, 0xfeff_ffff));
}

#[test]
fn scales_are_powers_of_two() {
    let pair = |modifiers, a: f32, b: f32| {
        Op::new(convert, modifiers, &["ue8m0x2"], &["f32", "f32"]).of(&[a.to_bits().into(), b.to_bits().into()])
    };
    assert_eq!([pair("rz", 3.0, 1.0), pair("rp", 3.0, 1.0)], [0x807f, 0x817f].map(Some));
    assert_eq!([pair("rz", -3.0, 0.0), pair("rp", -3.0, 1e-45)], [0x8000, 0x8100].map(Some));
    assert_eq!([pair("rz", f32::MAX, f32::NAN), pair("rp", f32::MAX, f32::INFINITY)], [0xfeff, 0xffff].map(Some));
    assert_eq!(pair("rp.satfinite", f32::MAX, f32::INFINITY), Some(0xfefe));
    assert_eq!(op("rz", "ue8m0x2", "bf16x2").of(&[0x4040_3f80]), Some(0x807f));
    assert_eq!(op("rn", "bf16x2", "ue8m0x2").of(&[0x8000]), Some(0x4000_0040));
    assert_eq!(op("rn", "bf16x2", "ue8m0x2").on(&[0xff7f]), [Word::partial(32, 0x7f80_3f80, 0x7f80_ffff)]);
}

#[test]
fn integers_are_packed() {
    let pack = |modifiers, words: &[u128]| {
        let sources = ["s32", "s32", "b32"];
        Op::new(convert_pack, modifiers, &["u32"], &sources[..words.len()]).of(words)
    };
    let minus = |value: u32| value.wrapping_neg().into();
    assert_eq!(pack("pack.sat.s16", &[minus(2), 40000]), Some(0xfffe_7fff));
    assert_eq!(pack("pack.sat.u16", &[minus(2), 40000]), Some(0x0000_9c40));
    assert_eq!(pack("pack.sat.u8", &[300, minus(1), 0x1234_5678]), Some(0x5678_ff00));
    assert_eq!(pack("pack.sat.s8", &[300, minus(1), 0x1234_5678]), Some(0x5678_7fff));
    assert_eq!(pack("pack.sat.s4", &[minus(9), 3, 0x1234_5678]), Some(0x3456_7883));
    assert_eq!(pack("pack.sat.u2", &[9, 1, 0x1234_5678]), Some(0x2345_678d));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let op = Op::new(convert, "rn", &["f16x2"], &["f32"]);
    assert_eq!(op.error(&[0]), "op.rn makes 2 lanes of 1");
    assert_eq!(Op::new(convert, "rn", &["f32"], &["g32"]).error(&[0]), "nothing computes with g32");
}

use super::super::test_support::{Op, partial_words};
use super::*;
use proptest::prelude::*;

const VALUES: [u64; 7] = [
    0,
    1,
    0x8000_0000_0000_0001,
    0xffff_ffff_ffff_ffff,
    0x1234_5678_9abc_def1,
    0x7fff_ffff_8000_7fff,
    0xfedc_ba98_0f0f,
];

fn binary(primitive: super::super::Semantics, its: &'static str) -> Op {
    Op::new(primitive, "", &[its], &[its, its])
}

fn low64(bits: u64, width: u32) -> u128 {
    u128::from(bits) & low(width)
}

#[test]
fn logic_is_bit_by_bit() {
    for its in ["b16", "b32", "b64"] {
        let width = its[1..].parse().unwrap();
        for a in VALUES {
            assert_eq!(Op::new(bits_not, "", &[its], &[its]).of(&[a.into()]), Some(low64(!a, width)));
            for b in VALUES {
                let words = [a.into(), b.into()];
                assert_eq!(binary(bits_and, its).of(&words), Some(low64(a & b, width)));
                assert_eq!(binary(bits_or, its).of(&words), Some(low64(a | b, width)));
                assert_eq!(binary(bits_xor, its).of(&words), Some(low64(a ^ b, width)));
            }
        }
    }
    assert_eq!(binary(bits_xor, "pred").of(&[1, 0]), Some(1));
    assert_eq!(Op::new(bits_not, "", &["pred"], &["pred"]).of(&[0]), Some(1));
}

#[test]
fn a_bit_that_decides_alone_is_enough() {
    let half = Word::partial(16, 0x0f0f, 0xff0f);
    let [zeros, ones] = [Word::new(16, 0), Word::new(16, 0xffff)];
    assert_eq!(binary(bits_and, "b16").on_words(&[half, zeros]), [zeros]);
    assert_eq!(binary(bits_and, "b16").on_words(&[half, ones]), [half]);
    assert_eq!(binary(bits_or, "b16").on_words(&[ones, half]), [ones]);
    assert_eq!(binary(bits_xor, "b16").on_words(&[half, half]), [Word::partial(16, 0, 0xff0f)]);
    let select = Op::new(bits_select, "", &["b16"], &["b16", "b16", "pred"]);
    let chosen = [Word::new(16, 0x1234), Word::new(16, 0x1254), Word::undefined(1)];
    assert_eq!(select.on_words(&chosen), [Word::partial(16, 0x1214, 0xff9f)]);
}

/// The constant of lop3 is the result of the same function of three constants.
#[test]
fn a_table_says_every_function_of_three_bits() {
    let op = Op::new(bits_by_table, "", &["b32"], &["b32", "b32", "b32", "b32"]);
    let functions: [fn(u32, u32, u32) -> u32; 5] = [
        |a, b, c| a & b | c,
        |a, b, _| a & !b,
        |a, b, c| a ^ b ^ c,
        |_, _, c| c,
        |a, b, c| if c == 0 { a } else { b & c },
    ];
    let [a, b, c] = [0x1234_5678u32, 0xf0f0_aaaa, 0x0ff0_3c5a];
    for function in &functions[..4] {
        let table = function(0xf0, 0xcc, 0xaa) & 0xff;
        let words = [a, b, c, table].map(u128::from);
        assert_eq!(op.of(&words), Some(function(a, b, c).into()), "{table:#x}");
    }
    for table in 0..=255u32 {
        let of = |a: u32, b: u32, c: u32| {
            (0..32).fold(0, |all, i| {
                let entry = (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
                all | (table >> entry & 1) << i
            })
        };
        assert_eq!(op.of(&[a.into(), b.into(), c.into(), table.into()]), Some(of(a, b, c).into()), "{table:#x}");
    }
}

#[test]
fn a_table_may_write_whether_any_bit_is_1() {
    let op = |modifiers| Op::new(bits_by_table, modifiers, &["b32", "pred"], &["b32", "b32", "b32", "b32", "pred"]);
    // The function is a & b & c.
    let any = [0x70, 0x30, 0x50, 0x80];
    let none = [0x70, 0x0f, 0x50, 0x80];
    let of = |op: Op, words: [u128; 4], q: u128| {
        let results = op.on(&[words.as_slice(), &[q]].concat());
        [results[0].bits, results[1].bits]
    };
    assert_eq!([of(op("and"), any, 1), of(op("and"), any, 0)], [[0x10, 1], [0x10, 0]]);
    assert_eq!([of(op("or"), none, 1), of(op("or"), none, 0)], [[0, 1], [0, 0]]);
    let undefined = Word::undefined(1);
    let words = |q| [0x70, 0x30, 0x50, 0x80].map(|bits| Word::new(32, bits)).into_iter().chain([q]).collect::<Vec<_>>();
    assert_eq!(op("or").on_words(&words(undefined))[1], Word::new(1, 1));
    assert_eq!(op("and").on_words(&words(undefined))[1], undefined);
}

#[test]
fn shifts_end_at_the_width() {
    for (its, width) in [("b16", 16), ("b32", 32), ("b64", 64)] {
        let left = Op::new(bits_shift_left, "", &[its], &[its, "u32"]);
        let right = Op::new(bits_shift_right, "", &[its], &[its, "u32"]);
        let signed = ["s16", "s32", "s64"][(width / 32) as usize];
        let arithmetic = Op::new(bits_shift_right, "", &[signed], &[signed, "u32"]);
        for a in VALUES {
            for by in (0..=70u32).chain([255, 256, 0x8000_0000, 0xffff_ffff]) {
                let words = [a.into(), u128::from(by)];
                let held = by.min(64);
                assert_eq!(left.of(&words), Some(low64(a, width) << held & low(width)), "{its} {a:#x} {by}");
                assert_eq!(right.of(&words), Some(low64(a, width) >> held), "{its} {a:#x} {by}");
                let value = Word::new(width, a.into()).sign_extended(128).bits as i128;
                assert_eq!(arithmetic.of(&words), Some((value >> held) as u128 & low(width)), "{its} {a:#x} {by}");
            }
        }
    }
    let op = Op::new(bits_shift_right, "", &["s16"], &["s16", "u32"]);
    let partial = [Word::partial(16, 0x8000, 0xff00), Word::new(32, 4)];
    assert_eq!(op.on_words(&partial), [Word::partial(16, 0xf800, 0xfff0)]);
    assert_eq!(op.on_words(&[Word::new(16, 1), Word::partial(32, 0, 0xff)]), [Word::undefined(16)]);
}

#[test]
fn funnel_shifts_take_32_bits_of_64() {
    let [a, b] = [0x1234_5678u64, 0x9abc_def0];
    for by in (0..=70u64).chain([u32::MAX.into()]) {
        for (mode, n) in [("clamp", by.min(32)), ("wrap", by % 32)] {
            let op = |direction: &str| {
                let modifiers = if direction == "l" { ["l.clamp", "l.wrap"] } else { ["r.clamp", "r.wrap"] };
                Op::new(bits_funnel_shift, modifiers[usize::from(mode == "wrap")], &["b32"], &["b32", "b32", "u32"])
            };
            let words = [a, b, by].map(u128::from);
            let both = u128::from(b << 32 | a);
            assert_eq!(op("l").of(&words), Some(both << n >> 32 & 0xffff_ffff), "{mode} {by}");
            assert_eq!(op("r").of(&words), Some(both >> n & 0xffff_ffff), "{mode} {by}");
        }
    }
}

/// The bytes that each mode takes for each of the two low bits of its control, the highest first (ISA 9.7.9.7).
const PERMUTED: [(&str, [&str; 4]); 6] = [
    ("f4e", ["3210", "4321", "5432", "6543"]),
    ("b4e", ["5670", "6701", "7012", "0123"]),
    ("rc8", ["0000", "1111", "2222", "3333"]),
    ("ecl", ["3210", "3211", "3222", "3333"]),
    ("ecr", ["0000", "1110", "2210", "3210"]),
    ("rc16", ["1010", "3232", "1010", "3232"]),
];

#[test]
fn bytes_are_permuted() {
    let bytes = [0x90, 0x01, 0xa2, 0x03, 0xb4, 0x05, 0xc6, 0x07];
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte));
    let [a, b] = [word(&bytes[..4]), word(&bytes[4..])];
    for (mode, rows) in PERMUTED {
        let op = Op::new(bits_permute, mode, &["b32"], &["b32"; 3]);
        for (control, row) in rows.iter().enumerate() {
            let expected = row.bytes().fold(0, |all, digit| all << 8 | u128::from(bytes[usize::from(digit - b'0')]));
            // Only two bits of the control count.
            for control in [control as u128, control as u128 | 0xffff_fffc] {
                assert_eq!(op.of(&[a, b, control]), Some(expected), "{mode} {control:#x}");
            }
        }
    }
    let op = Op::new(bits_permute, "", &["b32"], &["b32"; 3]);
    assert_eq!(op.of(&[a, b, 0x3210]), Some(a));
    assert_eq!(op.of(&[a, b, 0x7654]), Some(b));
    assert_eq!(op.of(&[a, b, 0xffff_0167]), Some(0x9001_c607));
    // The sign of a byte instead of the byte.
    assert_eq!(op.of(&[a, b, 0x89ac]), Some(0xff00_ffff));
    let partial = [Word::new(32, a), Word::undefined(32), Word::partial(32, 0x0042, 0xf0ff)];
    assert_eq!(op.on_words(&partial), [Word::partial(32, 0x9000_00a2, 0xff00_00ff)]);
}

/// The bits of a field, one by one: those beyond it, or beyond the register, are its sign.
fn field(a: u64, from: u32, length: u32, width: u32, signed: bool) -> u128 {
    let bit = |index: u32| a >> index & 1 == 1;
    let sign = signed && length > 0 && bit((from + length - 1).min(width - 1));
    let place = |i: u32| if i < length && from + i < width { bit(from + i) } else { sign };
    (0..width).fold(0, |all, i| all | u128::from(place(i)) << i)
}

#[test]
fn fields_are_taken_and_put() {
    for (width, [unsigned, signed, bits]) in [(32, ["u32", "s32", "b32"]), (64, ["u64", "s64", "b64"])] {
        let take = |its: &'static str| Op::new(bits_extract, "", &[its], &[its, "u32", "u32"]);
        let (take_unsigned, take_signed) = (take(unsigned), take(signed));
        let put = Op::new(bits_insert, "", &[bits], &[bits, bits, "u32", "u32"]);
        for a in VALUES {
            for from in (0..=66u32).chain([128, 255]) {
                for length in (0..=66u32).chain([200, 255]) {
                    let words = [a.into(), u128::from(from), u128::from(length)];
                    let what = format!("{a:#x} {from} {length}");
                    assert_eq!(take_unsigned.of(&words), Some(field(a, from, length, width, false)), "{what}");
                    assert_eq!(take_signed.of(&words), Some(field(a, from, length, width, true)), "{what}");
                    let b = 0x5555_aaaa_5555_aaaau64;
                    let expected =
                        (0..length.min(width)).filter(|i| from + i < width).fold(low64(b, width), |all, i| {
                            all & !(1 << (from + i)) | u128::from(a >> i & 1) << (from + i)
                        });
                    assert_eq!(put.of(&[a.into(), b.into(), from.into(), length.into()]), Some(expected), "{what}");
                }
            }
        }
    }
    let take = Op::new(bits_extract, "", &["s32"], &["s32", "u32", "u32"]);
    assert_eq!([take.of(&[7, 256, 1]), take.of(&[7, 0, 256])], [None, None]);
    let put = Op::new(bits_insert, "", &["b32"], &["b32", "b32", "u32", "u32"]);
    assert_eq!([put.of(&[7, 9, 0x100, 1]), put.of(&[7, 9, 1, u32::MAX.into()])], [None, None]);
    let partial = [Word::undefined(32), Word::new(32, 0xffff_ffff), Word::new(32, 8), Word::new(32, 4)];
    assert_eq!(put.on_words(&partial), [Word::partial(32, 0xffff_f0ff, 0xffff_f0ff)]);
}

#[test]
fn low_bits_are_extended() {
    for length in (0..=70u32).chain([u32::MAX]) {
        for a in [0x1234_5678u32, 0xffff_ffff, 0x8000_0001, 0x55] {
            let of =
                |modifiers, its| Op::new(bits_extend, modifiers, &[its], &[its, "u32"]).of(&[a.into(), length.into()]);
            let wrapped = length % 32;
            for (mode, its, length, signed) in [
                ("clamp", "u32", length.min(32), false),
                ("clamp", "s32", length.min(32), true),
                ("wrap", "u32", wrapped, false),
                ("wrap", "s32", wrapped, true),
            ] {
                assert_eq!(of(mode, its), Some(field(a.into(), 0, length, 32, signed)), "{mode} {its} {length}");
            }
        }
    }
}

#[test]
fn masks_are_ones_from_a_place_on() {
    let of = |mode, from: u32, length: u32| {
        Op::new(bits_mask, mode, &["b32"], &["u32", "u32"]).of(&[from.into(), length.into()])
    };
    let ones = |from: u32, to: u32| Some((from..to.min(32)).fold(0, |all, i| all | 1 << i));
    for from in 0..70 {
        for length in 0..70 {
            assert_eq!(of("clamp", from, length), ones(from, from + length), "{from} {length}");
            let (from, length) = (from % 32, length % 32);
            assert_eq!(of("wrap", from, length), ones(from, from + length), "{from} {length}");
        }
    }
}

#[test]
fn bits_are_counted_and_found() {
    for a in VALUES.into_iter().chain((0..64).map(|i| 1 << i)) {
        let a32 = a as u32;
        let of = |primitive, modifiers, its| Op::new(primitive, modifiers, &["u32"], &[its]).of(&[a.into()]);
        assert_eq!(of(bits_count, "", "b32"), Some(a32.count_ones().into()));
        assert_eq!(of(bits_count, "", "b64"), Some(a.count_ones().into()));
        assert_eq!(of(bits_leading_zeros, "", "b32"), Some(a32.leading_zeros().into()));
        assert_eq!(of(bits_leading_zeros, "", "b64"), Some(a.leading_zeros().into()));
        let reverse = |its| Op::new(bits_reverse, "", &[its], &[its]).of(&[a.into()]);
        assert_eq!(reverse("b32"), Some(a32.reverse_bits().into()));
        assert_eq!(reverse("b64"), Some(a.reverse_bits().into()));
        let place = |found: Option<u32>| Some(found.unwrap_or(u32::MAX).into());
        assert_eq!(of(bits_find, "", "u32"), place(a32.checked_ilog2()));
        assert_eq!(of(bits_find, "", "u64"), place(a.checked_ilog2()));
        let unlike_sign = if (a as i64) < 0 { !a } else { a };
        assert_eq!(of(bits_find, "", "s64"), place(unlike_sign.checked_ilog2()));
        assert_eq!(of(bits_find, "shiftamt", "s64"), place(unlike_sign.checked_ilog2().map(|place| 63 - place)));
        assert_eq!(of(bits_find, "shiftamt", "u32"), place(a32.checked_ilog2().map(|place| 31 - place)));
        let zero = |its| Op::new(bits_are_zero, "", &[its], &[its]).of(&[a.into()]);
        assert_eq!([zero("b16"), zero("b64")], [u128::from(a as u16 == 0), u128::from(a == 0)].map(Some));
    }
    // One bit that is 1 is enough to know that not all are 0.
    let op = Op::new(bits_are_zero, "", &["b16"], &["b16"]);
    assert_eq!(op.on_words(&[Word::partial(16, 2, 2)]), [Word::new(16, 0)]);
    assert_eq!(op.on_words(&[Word::partial(16, 0, 2)])[0].known(), None);
}

#[test]
fn the_nth_bit_is_found_from_a_place_on() {
    let op = Op::new(bits_find_nth, "", &["b32"], &["b32", "b32", "s32"]);
    let of = |mask: u32, base: u32, offset: i32| op.of(&[mask.into(), base.into(), (offset as u32).into()]);
    let none = Some(0xffff_ffff);
    assert_eq!([of(0xaaaa_aaaa, 3, 1), of(0xaaaa_aaaa, 3, -1), of(0xaaaa_aaaa, 2, 1)], [Some(3); 3]);
    assert_eq!([of(0xaaaa_aaaa, 2, -1), of(0xaaaa_aaaa, 2, 3), of(0xaaaa_aaaa, 9, -4)], [1, 7, 3].map(Some));
    assert_eq!([of(0b100, 2, 0), of(0b100, 1, 0), of(0b100, 3, 1), of(0b100, 31, -2)], [Some(2), none, none, none]);
    assert_eq!([of(1, 32, 1), of(1, 0, i32::MIN)], [None, None]);
}

proptest! {
    #[test]
    fn undefined_bits_leave_undefined_what_they_decide(
        (words, completed) in partial_words(vec![32; 5]), three_of_64 in partial_words(vec![64; 3]), bits in 0..3u32,
    ) {
        let triples = [
            Op::new(bits_funnel_shift, "l.wrap", &["b32"], &["b32", "b32", "u32"]),
            Op::new(bits_funnel_shift, "r.clamp", &["b32"], &["b32", "b32", "u32"]),
            Op::new(bits_permute, "", &["b32"], &["b32"; 3]),
            Op::new(bits_permute, "ecl", &["b32"], &["b32"; 3]),
            Op::new(bits_extract, "", &["s32"], &["s32", "u32", "u32"]),
            Op::new(bits_extract, "", &["u32"], &["u32", "u32", "u32"]),
            Op::new(bits_find_nth, "", &["b32"], &["b32", "b32", "s32"]),
        ];
        prop_assert!(triples.iter().all(|op| op.is_sound(&words[..3], &completed[..3])));
        let pairs = [
            Op::new(bits_and, "", &["b32"], &["b32", "b32"]),
            Op::new(bits_or, "", &["b32"], &["b32", "b32"]),
            Op::new(bits_xor, "", &["b32"], &["b32", "b32"]),
            Op::new(bits_shift_left, "", &["b32"], &["b32", "u32"]),
            Op::new(bits_shift_right, "", &["s32"], &["s32", "u32"]),
            Op::new(bits_extend, "wrap", &["s32"], &["s32", "u32"]),
            Op::new(bits_mask, "clamp", &["b32"], &["u32", "u32"]),
        ];
        prop_assert!(pairs.iter().all(|op| op.is_sound(&words[..2], &completed[..2])));
        for primitive in [bits_not, bits_are_zero, bits_reverse, bits_count, bits_leading_zeros] {
            prop_assert!(Op::new(primitive, "", &["b32"], &["b32"]).is_sound(&words[..1], &completed[..1]));
        }
        prop_assert!(Op::new(bits_find, "", &["u32"], &["s32"]).is_sound(&words[..1], &completed[..1]));
        prop_assert!(Op::new(bits_insert, "", &["b32"], &["b32", "b32", "u32", "u32"])
            .is_sound(&words[..4], &completed[..4]));
        let table = Op::new(bits_by_table, "and", &["b32", "pred"], &["b32", "b32", "b32", "b32", "pred"]);
        let with_predicate = |words: &[Word]| [&words[..3], &[Word::new(32, 0xca), words[4].part(bits, 1)]].concat();
        prop_assert!(table.is_sound(&with_predicate(&words), &with_predicate(&completed)));
        let select = Op::new(bits_select, "", &["b64"], &["b64", "b64", "pred"]);
        let with_predicate = |words: &[Word]| vec![words[0], words[1], words[2].part(bits, 1)];
        prop_assert!(select.is_sound(&with_predicate(&three_of_64.0), &with_predicate(&three_of_64.1)));
    }
}

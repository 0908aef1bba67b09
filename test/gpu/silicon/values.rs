//! Edge values of a PTX type, as bits.

use ptx_tile_dialect::instruction::PtxType;

/// Bits that a register of `width` bits may hold for the type: the edges of what they stand for, and some of no
/// distinction.
pub fn of(r#type: &PtxType, width: u32, constant: Option<(i64, i64)>) -> Vec<u128> {
    if let Some((least, most)) = constant {
        return vec![least as u128, most as u128, ((least + most) / 2 + 1) as u128];
    }
    let mut values = match r#type.token {
        "pred" => vec![0, 1],
        "f16" => floats(5, 10),
        "bf16" => floats(8, 7),
        "f32" | "tf32" => floats(8, 23),
        "f64" => floats(11, 52),
        "f16x2" => packed(&floats(5, 10), 16),
        "bf16x2" => packed(&floats(8, 7), 16),
        "f32x2" => packed(&floats(8, 23), 32),
        "u16x2" | "s16x2" => packed(&integers(16), 16),
        // Untyped bits may be anything.
        "b16" => [integers(16), floats(5, 10)].concat(),
        "b32" => [integers(32), floats(8, 23)].concat(),
        "b64" => [integers(64), floats(11, 52)].concat(),
        _ => integers(width),
    };
    let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    values.iter_mut().for_each(|value| *value &= mask);
    values
}

/// Zero, ones and extremes of both signs, shift counts and field widths around a word, and patterns.
fn integers(width: u32) -> Vec<u128> {
    let top = 1u128 << (width - 1);
    let mut values = vec![
        0,
        1,
        2,
        3,
        5,
        7,
        8,
        15,
        16,
        17,
        31,
        32,
        33,
        63,
        64,
        65,
        127,
        128,
        255,
        top,
        top - 1,
        top + 1,
        top - 2,
        u128::MAX,
        u128::MAX - 1,
        u128::MAX - 6,
    ];
    values.extend([
        0x0123_4567_89ab_cdef_fedc_ba98_7654_3210u128,
        0xaaaa_5555_f0f0_3cc3_55aa_aa55_0ff0_c33c,
        0x8000_7fff,
    ]);
    values.extend([0xdead_beef_1234_5678, 0x00ff_ff00, 0x0101_8080_7f01_fe80]);
    values
}

/// Zeros, infinities, NaNs, subnormals, extremes, neighbours of one, halves and ties, of both signs.
fn floats(exponent: u32, mantissa: u32) -> Vec<u128> {
    let bias = (1u128 << (exponent - 1)) - 1;
    let infinity = ((1u128 << exponent) - 1) << mantissa;
    let one = bias << mantissa;
    let power = |n: i32| ((bias as i32 + n) as u128) << mantissa;
    let half = mantissa / 2;
    let mut values = vec![
        0,
        1, // the least subnormal
        3,
        (1 << mantissa) - 1, // the greatest subnormal
        1 << mantissa,       // the least normal
        (1 << mantissa) + 1,
        one,
        one + 1,
        one - 1,
        one | 1 << (mantissa - half - 1), // its square is a tie
        one | ((1 << half) + 1),
        one | 1 << (mantissa - 1), // 1.5
        power(1),
        power(1) | 1 << (mantissa - 1), // 3
        power(-1),
        power(-1) | 1 << (mantissa - 1), // 0.75
        power(1) | 1 << (mantissa - 2),  // 2.5: half way between integers
        power(half as i32 + 1) | 1,
        power(mantissa.min((1 << (exponent - 1)) - 1) as i32) | 1,
        infinity - 1, // the greatest
        infinity - (1 << mantissa),
        infinity,
        infinity | 1 << (mantissa - 1), // a quiet NaN
        infinity | 1,                   // a signalling one
        infinity | ((1 << mantissa) - 1),
    ];
    let sign = 1u128 << (exponent + mantissa);
    let negative: Vec<u128> = values.iter().map(|value| value | sign).collect();
    values.extend(negative);
    values.extend([
        0x5a3c_96e1_4b7d_2f08u128 >> (63 - exponent - mantissa),
        one | 0x2b >> (8 - mantissa.min(8)),
        sign | power(2) | 5,
    ]);
    values
}

/// Two lanes that differ.
fn packed(lane: &[u128], width: u32) -> Vec<u128> {
    let other = lane.iter().cycle().skip(lane.len() / 2 + 1);
    lane.iter().zip(other).map(|(low, high)| low | high << width).collect()
}

/// All combinations, or so many of them, taken by a fixed sequence of numbers.
pub fn tuples(choices: &[Vec<u128>], most: usize) -> Vec<Vec<u128>> {
    let all = choices.iter().try_fold(1usize, |all, choice| all.checked_mul(choice.len()));
    if let Some(all) = all.filter(|all| *all <= most) {
        let tuple = |mut index: usize| {
            let word = |choice: &Vec<u128>| {
                let word = choice[index % choice.len()];
                index /= choice.len();
                word
            };
            choices.iter().map(word).collect()
        };
        return (0..all).map(tuple).collect();
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize
    };
    (0..most).map(|_| choices.iter().map(|choice| choice[next() % choice.len()]).collect()).collect()
}

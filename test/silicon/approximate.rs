//! The instructions that approximate: the function in f64, and how far the ISA lets the result be from it.

use ptx_tile_dialect::instruction::{PtxType, Variant};

/// The greatest distance: relative to the result, or absolute, whichever allows more.
#[derive(Clone, Copy)]
pub struct Error {
    pub relative: f64,
    pub absolute: f64,
}

/// What it approximates.
pub type Function = fn(&[f64]) -> f64;

/// The number that bits of a type stand for.
pub fn number(r#type: &PtxType, bits: u128) -> f64 {
    match r#type.token {
        "f64" => f64::from_bits(bits as u64),
        "f16" => half(bits, 5, 10),
        "bf16" => half(bits, 8, 7),
        _ => f32::from_bits(bits as u32).into(),
    }
}

/// An IEEE number of another split between exponent and fraction.
fn half(bits: u128, exponent: u32, mantissa: u32) -> f64 {
    let fraction = (bits & ((1 << mantissa) - 1)) as f64;
    let power = (bits >> mantissa & ((1 << exponent) - 1)) as i32;
    let sign = if bits >> (exponent + mantissa) & 1 == 1 { -1.0 } else { 1.0 };
    let (bias, scale) = ((1 << (exponent - 1)) - 1, f64::powi(2.0, -(mantissa as i32)));
    sign * match power {
        0 => fraction * scale * f64::powi(2.0, 1 - bias),
        all if all == (1 << exponent) - 1 => {
            if fraction == 0.0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        power => (1.0 + fraction * scale) * f64::powi(2.0, power - bias),
    }
}

/// The approximation that a spelling is, if it is one.
pub fn of(_variant: &Variant) -> Option<(Function, Error)> {
    None
}

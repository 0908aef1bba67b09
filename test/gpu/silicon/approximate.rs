//! The instructions that approximate: the function in f64, and how far the ISA lets the result be from it (the tables
//! of maximum errors in section 9.7.3 and 9.7.4).

use ptx_tile_dialect::instruction::Variant;

/// The greatest distance from the true value: relative to it, or absolute, whichever allows more.
#[derive(Clone, Copy)]
pub struct Error {
    pub relative: f64,
    pub absolute: f64,
}

/// A number format with lanes of it in a register.
#[derive(Clone, Copy)]
pub struct Format {
    pub name: &'static str,
    pub lanes: u32,
    exponent: u32,
    fraction: u32,
}

impl Format {
    /// That of a type, where it is one of floating point.
    pub fn of(token: &str) -> Option<Format> {
        let (name, lanes) = token.strip_suffix("x2").map_or((token, 1), |name| (name, 2));
        let format = |name, exponent, fraction| Some(Format { name, lanes, exponent, fraction });
        match name {
            "f16" => format("f16", 5, 10),
            "bf16" => format("bf16", 8, 7),
            "f32" => format("f32", 8, 23),
            "f64" => format("f64", 11, 52),
            _ => None,
        }
    }

    /// The bits of one lane.
    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    fn least_normal(self) -> f64 {
        2f64.powi(1 - self.bias())
    }

    /// The number that the bits of a lane stand for.
    fn number(self, bits: u128) -> f64 {
        let fraction = (bits & ((1 << self.fraction) - 1)) as f64 * 0.5f64.powi(self.fraction as i32);
        let power = (bits >> self.fraction & ((1 << self.exponent) - 1)) as i32;
        let sign = if bits >> (self.exponent + self.fraction) & 1 == 1 { -1.0 } else { 1.0 };
        sign * match power {
            0 => fraction * self.least_normal(),
            power if power == (1 << self.exponent) - 1 => match fraction {
                0.0 => f64::INFINITY,
                _ => f64::NAN,
            },
            power => (1.0 + fraction) * 2f64.powi(power - self.bias()),
        }
    }
}

/// An approximation: of what, and how good.
pub struct Approximation {
    function: fn(&[f64]) -> f64,
    /// Where the ISA bounds the error.
    bounded: fn(&[f64]) -> bool,
    pub error: Error,
    pub format: Format,
    flushes: bool,
    /// How many of the low bits of a source do not count.
    ignores: u32,
}

impl Approximation {
    /// The number that the bits of a lane stand for, as far as they are looked at.
    pub fn number(&self, bits: u128) -> f64 {
        self.format.number(bits >> self.ignores << self.ignores)
    }

    /// What a lane should be near to; `None` where anything is right.
    pub fn value(&self, sources: &[f64]) -> Option<f64> {
        let flush = |number: &f64| match number.abs() < self.format.least_normal() && self.flushes {
            true => 0f64.copysign(*number),
            false => *number,
        };
        let sources: Vec<f64> = sources.iter().map(flush).collect();
        if !(self.bounded)(&sources) {
            return None;
        }
        let value = (self.function)(&sources);
        // Beyond the greatest number it is infinite.
        let limit = 2f64.powi(self.format.bias()) * (2.0 - 0.5f64.powi(self.format.fraction as i32 + 1));
        Some(if value.abs() >= limit { f64::INFINITY.copysign(value) } else { value })
    }
}

/// The approximation that a spelling is, if it is one.
pub fn of(variant: &Variant) -> Option<Approximation> {
    if !variant.has("approx") && !variant.has("full") {
        return None;
    }
    let format = Format::of(variant.opcode_type()?.token)?;
    let always = |_: &[f64]| true;
    let one_turn = |x: &[f64]| x[0].abs() <= std::f64::consts::TAU || !x[0].is_finite();
    // div.approx lets a divisor near the greatest or the least number give anything.
    let divisor = |x: &[f64]| !x[1].is_finite() || (2f64.powi(-126)..=2f64.powi(126)).contains(&x[1].abs());
    type Function = fn(&[f64]) -> f64;
    type Bounded = fn(&[f64]) -> bool;
    let (function, bounded, relative, absolute): (Function, Bounded, f64, f64) =
        match (variant.instruction.mnemonic, format.name) {
            ("rcp", "f32") => (|x| 1.0 / x[0], always, 2f64.powi(-23), 0.0),
            // The upper 20 bits of the fraction.
            ("rcp", "f64") => (|x| 1.0 / x[0], always, 2f64.powi(-20), 0.0),
            ("div", "f32") => (|x| x[0] / x[1], divisor, 2f64.powi(-22), 0.0),
            ("sqrt", "f32") => (|x| x[0].sqrt(), always, 2f64.powi(-23), 0.0),
            ("rsqrt", "f32") => (|x| 1.0 / x[0].sqrt(), always, 2f64.powf(-22.9), 0.0),
            ("rsqrt", "f64") => (|x| 1.0 / x[0].sqrt(), always, 2f64.powi(-20), 0.0),
            ("ex2", "f32") => (|x| x[0].exp2(), always, 2f64.powi(-22), 0.0),
            ("ex2", "f16") => (|x| x[0].exp2(), always, 2f64.powf(-9.9), 0.0),
            ("ex2", "bf16") => (|x| x[0].exp2(), always, 2f64.powi(-7), 0.0),
            ("lg2", "f32") => (|x| x[0].log2(), always, 2f64.powi(-22), 2f64.powi(-22)),
            ("sin", "f32") => (|x| x[0].sin(), one_turn, 0.0, 2f64.powf(-20.5)),
            ("cos", "f32") => (|x| x[0].cos(), one_turn, 0.0, 2f64.powf(-20.5)),
            ("tanh", "f32") => (|x| x[0].tanh(), always, 2f64.powi(-11), 0.0),
            ("tanh", "f16") => (|x| x[0].tanh(), always, 0.0, 2f64.powf(-10.987)),
            ("tanh", "bf16") => (|x| x[0].tanh(), always, 0.0, 2f64.powi(-8)),
            _ => return None,
        };
    // What is less than the least normal number may be flushed, or have fewer bits.
    let error = Error { relative, absolute: format.least_normal().max(absolute) };
    let flushes = variant.has("ftz");
    // Of f64 these look at the upper 32 bits alone (9.7.3.14, 9.7.3.17).
    let ignores = if format.name == "f64" && flushes { 32 } else { 0 };
    Some(Approximation { function, bounded, error, format, flushes, ignores })
}

//! Element types of tiles and types of scalars, as plain data. Shared with the build script, which reads the MLIR types
//! that a record names.

use std::fmt;
use std::str::FromStr;

/// A scalar type of MLIR that a register can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// A signless integer of this many bits.
    Int(u32),
    /// `f16`, IEEE binary16.
    F16,
    /// `bf16`.
    Bf16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// One of the 8-bit floats, by its MLIR spelling.
    F8(&'static str),
    /// `!llvm.ptr` in an address space.
    Ptr(u32),
}

/// The 8-bit floats of MLIR 22.
pub const F8_NAMES: [&str; 8] =
    ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"];

/// A scalar, or a vector of one dimension of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// What each lane is.
    pub scalar: Scalar,
    /// How many lanes a vector has; `None` is no vector.
    pub lanes: Option<u32>,
}

impl Element {
    /// A scalar, no vector.
    pub const fn of(scalar: Scalar) -> Element {
        Element { scalar, lanes: None }
    }

    /// Whether registers hold such values: 1, 8, 16, 32, 64 or 128 bits, and lanes that are bytes or more.
    pub fn is_register(&self) -> bool {
        let lanes_fit = match (self.lanes, self.scalar) {
            (None, _) => true,
            (Some(_), Scalar::F8(_) | Scalar::Ptr(_)) => false,
            (Some(lanes), scalar) => lanes > 1 && Element::of(scalar).width() >= 8,
        };
        lanes_fit && matches!(self.width(), 1 | 8 | 16 | 32 | 64 | 128)
    }

    /// The width in bits, all lanes together.
    pub fn width(&self) -> u32 {
        let lane = match self.scalar {
            Scalar::Int(width) => width,
            Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::F32 => 32,
            Scalar::F64 | Scalar::Ptr(_) => 64,
            Scalar::F8(_) => 8,
        };
        lane.saturating_mul(self.lanes.unwrap_or(1))
    }
}

impl fmt::Display for Element {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        if let Some(lanes) = self.lanes {
            write!(out, "vector<{lanes}x")?;
        }
        match self.scalar {
            Scalar::Int(width) => write!(out, "i{width}"),
            Scalar::F16 => out.write_str("f16"),
            Scalar::Bf16 => out.write_str("bf16"),
            Scalar::F32 => out.write_str("f32"),
            Scalar::F64 => out.write_str("f64"),
            Scalar::F8(name) => out.write_str(name),
            Scalar::Ptr(0) => out.write_str("!llvm.ptr"),
            Scalar::Ptr(space) => write!(out, "!llvm.ptr<{space}>"),
        }?;
        out.write_str(if self.lanes.is_some() { ">" } else { "" })
    }
}

/// Reads MLIR's spelling; `Err` holds what is no type of a register.
impl FromStr for Element {
    type Err = String;

    fn from_str(text: &str) -> Result<Element, String> {
        let unknown = || format!("'{text}' is no type of a register");
        if let Some(inside) = text.strip_prefix("vector<").and_then(|rest| rest.strip_suffix('>')) {
            let (lanes, scalar) = inside.split_once('x').ok_or_else(unknown)?;
            let lanes = Some(lanes.parse().map_err(|_| unknown())?);
            return Ok(Element { lanes, ..scalar.parse()? });
        }
        let scalar = match text {
            "f16" => Scalar::F16,
            "bf16" => Scalar::Bf16,
            "f32" => Scalar::F32,
            "f64" => Scalar::F64,
            "!llvm.ptr" => Scalar::Ptr(0),
            _ => match F8_NAMES.iter().find(|name| **name == text) {
                Some(name) => Scalar::F8(name),
                None => {
                    let width = text.strip_prefix('i').and_then(|width| width.parse().ok()).ok_or_else(unknown)?;
                    Scalar::Int(width)
                }
            },
        };
        Ok(Element::of(scalar))
    }
}

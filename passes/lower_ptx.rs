//! A `ptx` op as inline asm: text and constraints, made together from one operand list.
//!
//! - The list is results, inputs in PTX order, the predicate, the preserved values tied to the results; its order gives
//!   `$0`, `$1`, … in the text and the order of the constraints.
//! - The constraint is the register class of the PTX type's width, never of the value: LLVM checks neither.
//! - A constant where the record lets one stand is an immediate, so that LLVM adds no `mov` for it: integers by the
//!   constraint `n`, floats as text (`0f`, `0d`; halves and packed values as the integer of their bits). A position of
//!   float type takes only `0f` and `0d`, whatever the value's own type is.

use anyhow::Result;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, Value, ValueLike};
use mlir_sys::{MlirLogicalResult, MlirOperation, MlirStringRef};
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{Operand, PtxType, Variant};
use ptx_tile_dialect::verify::{self, IssueOperands, guard};
use std::ffi::c_void;

/// An asm statement.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Asm {
    /// The text, with `$0`, `$1`, … for operands.
    pub text: String,
    /// LLVM's constraints, separated by commas.
    pub constraints: String,
    /// Which operands of the op the inputs are, in order.
    pub inputs: Vec<isize>,
    /// The threads of a warp execute it together.
    pub convergent: bool,
}

/// A source word: what stands in the text for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A register, of an integer or of something else; LLVM may find it constant later.
    Register(Kind),
    /// A constant of at most 64 bits.
    Constant {
        /// The value, lane 0 lowest.
        bits: u64,
        /// What it is a value of.
        of: Kind,
    },
}

/// How the constants of an MLIR type are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer that a constraint can bind.
    Integer,
    /// A float of 32 or 64 bits.
    Float,
    /// Anything else, as its bits.
    Bits,
}

/// What of an op the asm depends on, beside the variant.
#[derive(Debug, Default)]
pub struct Shape {
    /// The inputs.
    pub sources: Vec<Source>,
    /// The predicate, and whether it is negated.
    pub pred: Option<bool>,
    /// Old values are tied to the results.
    pub preserves: bool,
    /// The sunk words.
    pub sink: Vec<i64>,
    /// Bytes added to the address.
    pub offset: i64,
}

/// Makes the asm of a variant.
pub fn asm(variant: &Variant, shape: &Shape) -> Asm {
    let sunk = |operand: &Operand, word: u32| operand.sink && shape.sink.contains(&i64::from(word));
    let mut list = OperandList::default();
    let mut results: Vec<Vec<String>> = vec![];
    for operand in variant.form.operands.iter().filter(|operand| operand.written) {
        let words = (0..operand.registers).map(|word| match sunk(operand, word) {
            true => "_".into(),
            false => list.output(letter(variant.type_of(operand))),
        });
        results.push(words.collect());
    }
    let (mut results, outputs) = (results.into_iter(), list.count());
    let mut sources = shape.sources.iter().enumerate();
    let texts: Vec<String> = variant
        .form
        .operands
        .iter()
        .map(|operand| {
            if operand.written {
                return group(&results.next().expect("one for each written operand"));
            }
            if operand.address {
                let (index, _) = sources.next().expect("verified: an address is one input");
                let register = list.input("l", index);
                return if shape.offset == 0 {
                    format!("[{register}]")
                } else {
                    format!("[{register}+{}]", shape.offset)
                };
            }
            let words = sources.by_ref().take(operand.registers as usize);
            group(&words.map(|(index, source)| list.source(variant, operand, index, *source)).collect::<Vec<_>>())
        })
        .collect();
    let mut next = shape.sources.len();
    let guard = shape.pred.map(|negated| {
        let register = list.input("b", next);
        next += 1;
        format!("@{}{register} ", if negated { "!" } else { "" })
    });
    if shape.preserves {
        (0..outputs).for_each(|result| list.tie(result, next + result));
    }
    let record = variant.instruction;
    if record.reads_memory || record.writes_memory || record.convergent {
        list.constraints.push("~{memory}".into());
    }
    Asm {
        text: format!("{}{variant} {};", guard.unwrap_or_default(), texts.join(", ")),
        constraints: list.constraints.join(","),
        inputs: list.inputs,
        convergent: record.convergent,
    }
}

/// `$n` and constraint of each operand as it is added.
#[derive(Default)]
struct OperandList {
    constraints: Vec<String>,
    inputs: Vec<isize>,
}

impl OperandList {
    fn count(&self) -> usize {
        self.constraints.len()
    }

    fn output(&mut self, letter: &str) -> String {
        self.constraints.push(format!("={letter}"));
        format!("${}", self.count() - 1)
    }

    fn input(&mut self, constraint: &str, index: usize) -> String {
        self.constraints.push(constraint.into());
        self.inputs.push(index as isize);
        format!("${}", self.count() - 1)
    }

    fn tie(&mut self, result: usize, index: usize) {
        self.constraints.push(result.to_string());
        self.inputs.push(index as isize);
    }

    fn source(&mut self, variant: &Variant, operand: &Operand, index: usize, source: Source) -> String {
        let its = variant.type_of(operand);
        match source {
            Source::Constant { bits, of } if operand.immediate => match of {
                Kind::Integer if !its.float => self.input(&format!("{}n", letter(its)), index),
                // Beside others in braces an `0f` would be another type than theirs.
                Kind::Float if operand.registers == 1 => float_immediate(bits, its.width),
                _ if its.float => float_immediate(bits, its.width),
                _ => format!("0x{bits:X}"),
            },
            // What LLVM folds to a constant is an immediate too. i1 has no such constraint.
            Source::Register(Kind::Integer) if operand.immediate && !its.float => {
                self.input(&format!("{}n", letter(its)), index)
            }
            _ => self.input(letter(its), index),
        }
    }
}

/// The register class of a type, as NVPTX's constraint letter.
fn letter(r#type: &PtxType) -> &'static str {
    match r#type.width {
        1 => "b",
        8 | 16 => "h",
        32 => "r",
        64 => "l",
        128 => "q",
        width => unreachable!("no register has {width} bits"),
    }
}

/// The bits of a float as PTX spells them (ISA 4.5.2).
fn float_immediate(bits: u64, width: u32) -> String {
    if width == 64 { format!("0d{bits:016X}") } else { format!("0f{bits:08X}") }
}

/// One register, or a brace list.
fn group(words: &[String]) -> String {
    match words {
        [word] => word.clone(),
        _ => format!("{{{}}}", words.join(", ")),
    }
}

/// PtxTileConstant of lowering.cpp.
#[repr(C)]
#[derive(Clone, Copy)]
struct Constant {
    is_constant: bool,
    bits: u64,
}

/// PtxTileAsm of lowering.cpp.
#[repr(C)]
struct RawAsm {
    text: MlirStringRef,
    constraints: MlirStringRef,
    inputs: *const isize,
    num_inputs: isize,
    convergent: bool,
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ptxTileLowerInstruction(
    raw: MlirOperation,
    constants: *const Constant,
    emit: unsafe extern "C" fn(*const RawAsm, *mut c_void),
    user: *mut c_void,
) -> MlirLogicalResult {
    let op = unsafe { OperationRef::from_raw(raw) };
    guard(op, || {
        let count = op.operand_count();
        let constants = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(constants, count) } };
        let asm = lower(op, constants)?;
        let string = |text: &str| MlirStringRef { data: text.as_ptr().cast(), length: text.len() };
        let raw = RawAsm {
            text: string(&asm.text),
            constraints: string(&asm.constraints),
            inputs: asm.inputs.as_ptr(),
            num_inputs: asm.inputs.len() as isize,
            convergent: asm.convergent,
        };
        unsafe { emit(&raw, user) };
        Ok(())
    })
}

fn lower(op: OperationRef, constants: &[Constant]) -> Result<Asm> {
    let (IssueOperands { inputs, pred, negated, old, sink, offset }, variant) = verify::read_issue(op)?;
    let source = |(value, constant): (&Value, &Constant)| match constant {
        Constant { is_constant: false, .. } => Source::Register(kind(value.r#type())),
        Constant { bits, .. } => Source::Constant { bits: *bits, of: kind(value.r#type()) },
    };
    let shape = Shape {
        sources: inputs.iter().zip(constants).map(source).collect(),
        pred: pred.map(|_| negated),
        preserves: !old.is_empty(),
        sink,
        offset: offset.unwrap_or(0),
    };
    Ok(asm(&variant, &shape))
}

fn kind(r#type: Type) -> Kind {
    match verify::read_element(r#type) {
        Ok(Element { scalar: Scalar::Int(width), lanes: None }) if width > 1 => Kind::Integer,
        Ok(Element { scalar: Scalar::F32 | Scalar::F64, lanes: None }) => Kind::Float,
        _ => Kind::Bits,
    }
}

#[cfg(test)]
#[path = "lower_ptx_tests.rs"]
mod tests;

//! A `ptx` op as inline asm: text and constraints, made together from one operand list.
//!
//! - The list is results, inputs in PTX order, the predicate, the preserved values tied to the results; its order gives
//!   `$0`, `$1`, … in the text and the order of the constraints.
//! - The constraint is the register class of the PTX type's width, never of the value: LLVM checks neither.
//! - NVPTX has no register of 8 bits: 8-bit values lie in 16-bit ones, upper bits undefined. Where an instruction takes
//!   registers of exactly 8 bits, the text declares them in braces, converts, and guards every instruction; its outputs
//!   are then early clobbers, or LLVM gives one the register of an input that is still to be read.
//! - A constant where the record lets one stand is an immediate, so that LLVM adds no `mov` for it: integers by the
//!   constraint `n`, floats as text (`0f`, `0d`; halves and packed values as the integer of their bits). A position of
//!   float type takes only `0f` and `0d`, whatever the value's own type is.

use anyhow::Result;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, Value, ValueLike};
use mlir_sys::{MlirLogicalResult, MlirOperation, MlirStringRef, MlirValue};
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{Conversions, Named, Operand, PtxType, Variant};
use ptx_tile_dialect::legality;
use ptx_tile_dialect::named::SpecialSource;
use ptx_tile_dialect::verify::{self, IssueOperands, guard};
use std::cell::RefCell;
use std::ffi::c_void;

/// An asm statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asm {
    /// The text, with `$0`, `$1`, … for operands.
    pub text: String,
    /// LLVM's constraints, separated by commas.
    pub constraints: String,
    /// Which operands of the op the inputs are, in order; [`SYMBOL`] is the address of its symbol.
    pub inputs: Vec<isize>,
    /// The threads of a warp execute it together.
    pub convergent: bool,
}

/// Stands for the address of the op's symbol, offset included, among the inputs.
pub const SYMBOL: isize = -1;

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The inputs.
    pub sources: Vec<Source>,
    /// The widths of inputs and results in bits, which count where a register may be wider than its type.
    pub widths: (Vec<u32>, Vec<u32>),
    /// The predicate, and whether it is negated.
    pub pred: Option<bool>,
    /// Old values are tied to the results.
    pub preserves: bool,
    /// The sunk words.
    pub sink: Vec<i64>,
    /// Bytes added to the address.
    pub offset: i64,
    /// The source is negated.
    pub inverted: bool,
    /// The special register that is read.
    pub special: Option<SpecialSource>,
}

/// Makes the asm of a variant.
pub fn asm(variant: &Variant, shape: &Shape) -> Asm {
    let mut list = OperandList::default();
    let mut narrow = Narrow::default();
    // Outputs have the first numbers, wherever they stand in the text.
    let written = variant.form.operands.iter().filter(|operand| operand.written);
    let mut results: Vec<_> =
        written.map(|operand| destination(variant, operand, shape, &mut list, &mut narrow)).collect();
    let outputs = list.count();
    results.reverse();
    let mut sources = shape.sources.iter().copied().enumerate();
    let texts: Vec<String> = variant
        .form
        .operands
        .iter()
        .map(|operand| {
            if operand.written {
                return results.pop().expect("one for each written operand");
            }
            let words: Vec<_> = sources.by_ref().take(operand.values()).collect();
            match operand.named {
                Some(Named::SpecialRegister) => format!("%{}", shape.special.expect("verified: the op names one")),
                Some(Named::Symbol) => list.input("s", SYMBOL),
                None if operand.address => format!("[{}]", list.input("l", words[0].0 as isize)),
                None => source(variant, operand, &words, shape, &mut list, &mut narrow),
            }
        })
        .collect();
    let mut next = shape.sources.len();
    let guard = shape.pred.map(|negated| {
        let register = list.input("b", next as isize);
        next += 1;
        format!("@{}{register} ", if negated { "!" } else { "" })
    });
    if shape.preserves {
        (0..outputs).for_each(|result| list.tie(result, next + result));
    }
    let record = variant.instruction;
    let varies = shape.special.is_some_and(|source| source.register.varies);
    if record.reads_memory || record.writes_memory || record.convergent || varies {
        list.constraints.push("~{memory}".into());
    }
    if !narrow.registers.is_empty() {
        list.constraints[..outputs].iter_mut().for_each(|output| output.insert(1, '&'));
    }
    let asm = Asm {
        text: narrow.around(&guard.unwrap_or_default(), format!("{variant} {};", arguments(variant, &texts))),
        constraints: list.constraints.join(","),
        inputs: list.inputs,
        convergent: record.convergent,
    };
    asm.at(shape.offset)
}

impl Asm {
    /// With so many bytes added to the address, which is the only thing in brackets.
    fn at(mut self, offset: i64) -> Asm {
        if let Some(end) = self.text.find(']').filter(|_| offset != 0) {
            self.text.insert_str(end, &format!("+{offset}"));
        }
        self
    }
}

/// The asm of a variant. The instructions of an expansion are alike but for their offsets: what was made last is kept.
fn remembered_asm(variant: &Variant, shape: Shape) -> Asm {
    struct Last {
        variant: Variant,
        shape: Shape,
        asm: Asm,
    }
    thread_local!(static LAST: RefCell<Option<Last>> = const { RefCell::new(None) });
    let offset = shape.offset;
    let shape = Shape { offset: 0, ..shape };
    LAST.with_borrow_mut(|last| {
        if let Some(last) = last.as_ref().filter(|last| last.shape == shape && last.variant == *variant) {
            return last.asm.clone().at(offset);
        }
        let asm = asm(variant, &shape);
        *last = Some(Last { variant: variant.clone(), shape, asm: asm.clone() });
        asm.at(offset)
    })
}

/// `$0, $1`; `$0|$1` where an operand is joined to the one before it.
fn arguments(variant: &Variant, texts: &[String]) -> String {
    let separator = |operand: &Operand| if operand.joined { "|" } else { ", " };
    let texts = variant.form.operands.iter().zip(texts).enumerate();
    texts.map(|(i, (operand, text))| format!("{}{text}", if i == 0 { "" } else { separator(operand) })).collect()
}

/// The text of a written operand.
fn destination(
    variant: &Variant,
    operand: &Operand,
    shape: &Shape,
    list: &mut OperandList,
    narrow: &mut Narrow,
) -> String {
    let r#type = variant.type_of(operand);
    let words = (0..operand.registers).map(|word| {
        if variant.form.is_sunk(operand, word as usize, &shape.sink) {
            // ptxas 13.5 crashes on a guarded instruction whose first result is a sunk predicate.
            let is_guarded_predicate = shape.pred.is_some() && r#type.width == 1;
            return if is_guarded_predicate { narrow.register(r#type) } else { "_".into() };
        }
        let register = list.output(letter(r#type, shape.widths.1.get(list.count())));
        match conversions(variant, operand) {
            Some(conversions) => narrow.written(r#type, conversions, &register),
            None => register,
        }
    });
    group(&words.collect::<Vec<_>>())
}

/// The text of a read operand.
fn source(
    variant: &Variant,
    operand: &Operand,
    words: &[(usize, Source)],
    shape: &Shape,
    list: &mut OperandList,
    narrow: &mut Narrow,
) -> String {
    let words = words.iter().map(|(index, source)| match (conversions(variant, operand), source) {
        (Some(_), Source::Constant { bits, .. }) if operand.immediate => format!("0x{bits:X}"),
        (Some(conversions), _) => {
            let wide = list.source(variant, operand, *index, *source, shape);
            narrow.read(variant.type_of(operand), conversions, &wide)
        }
        _ => list.source(variant, operand, *index, *source, shape),
    });
    let words: Vec<String> = words.collect();
    let negation = if shape.inverted && operand.negatable { "!" } else { "" };
    format!("{negation}{}", group(&words))
}

/// Where the registers of an operand have a width that NVPTX has not.
fn conversions(variant: &Variant, operand: &Operand) -> Option<Conversions> {
    variant.type_of(operand).conversions.filter(|_| operand.exact_width)
}

/// Registers that the text declares, and the conversions before and after the instruction, if any.
#[derive(Default)]
struct Narrow {
    /// Name and type.
    registers: Vec<(String, &'static str)>,
    before: Vec<String>,
    after: Vec<String>,
}

impl Narrow {
    fn register(&mut self, r#type: &PtxType) -> String {
        let name = format!("{}_{}", r#type.container, self.registers.len());
        self.registers.push((name.clone(), r#type.container));
        name
    }

    fn read(&mut self, r#type: &PtxType, conversions: Conversions, wide: &str) -> String {
        let name = self.register(r#type);
        self.before.push(format!("{} {name}, {wide};", conversions.narrow));
        name
    }

    fn written(&mut self, r#type: &PtxType, conversions: Conversions, wide: &str) -> String {
        let name = self.register(r#type);
        self.after.push(format!("{} {wide}, {name};", conversions.widen));
        name
    }

    /// The whole text. A guard stands before each instruction: PTX has none on a block.
    fn around(self, guard: &str, instruction: String) -> String {
        let guarded = |text: String| format!("{guard}{text}");
        if self.registers.is_empty() {
            return guarded(instruction);
        }
        let declarations = self.registers.chunk_by(|(_, a), (_, b)| a == b).map(|same| {
            let names: Vec<&str> = same.iter().map(|(name, _)| name.as_str()).collect();
            format!(".reg .{} {};", same[0].1, names.join(", "))
        });
        let all = self.before.into_iter().chain([instruction]).chain(self.after).map(guarded);
        format!("{{ {} }}", declarations.chain(all).collect::<Vec<_>>().join(" "))
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

    fn input(&mut self, constraint: &str, index: isize) -> String {
        self.constraints.push(constraint.into());
        self.inputs.push(index);
        format!("${}", self.count() - 1)
    }

    fn tie(&mut self, result: usize, index: usize) {
        self.constraints.push(result.to_string());
        self.inputs.push(index as isize);
    }

    fn source(&mut self, variant: &Variant, operand: &Operand, index: usize, source: Source, shape: &Shape) -> String {
        let its = variant.type_of(operand);
        let (letter, index) = (letter(its, shape.widths.0.get(index)), index as isize);
        // PTX writes constants of at most 64 bits.
        let immediate = operand.immediate && its.width <= 64;
        match source {
            Source::Constant { bits, .. } if operand.constant => format!("0x{bits:X}"),
            Source::Constant { bits, of } if immediate && operand.takes_constant(bits) => match of {
                Kind::Integer if !its.float => self.input(&format!("{letter}n"), index),
                // Beside others in braces an `0f` would be another type than theirs.
                Kind::Float if operand.registers == 1 => float_immediate(bits, its.width),
                _ if its.float => float_immediate(bits, its.width),
                _ => format!("0x{bits:X}"),
            },
            // What LLVM folds to a constant is an immediate too, where all are. i1 has no such constraint.
            Source::Register(Kind::Integer) if immediate && operand.bounds.is_none() && !its.float => {
                self.input(&format!("{letter}n"), index)
            }
            _ => self.input(letter, index),
        }
    }
}

/// The register class of a type, as NVPTX's constraint letter; that of the value where it may be wider.
fn letter(r#type: &PtxType, of_value: Option<&u32>) -> &'static str {
    match of_value.copied().filter(|_| r#type.maybe_wider).unwrap_or(r#type.width) {
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

unsafe extern "C" {
    fn ptxTileConstantOf(value: MlirValue) -> Constant;
}

/// The bits of a constant of at most 64, lane 0 lowest.
pub fn constant_of(value: Value) -> Option<u64> {
    let found = unsafe { ptxTileConstantOf(value.to_raw()) };
    found.is_constant.then_some(found.bits)
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
    let (operands, variant) = verify::read_issue(op)?;
    let IssueOperands { inputs, pred, negated, old, sink, offset, inverted, special } = operands;
    let source = |(value, constant): (&Value, &Constant)| match constant {
        Constant { is_constant: false, .. } => Source::Register(kind(value.r#type())),
        Constant { bits, .. } => Source::Constant { bits: *bits, of: kind(value.r#type()) },
    };
    let read = variant.form.operands.iter().filter(|operand| !operand.written).flat_map(|it| vec![it; it.values()]);
    for (operand, constant) in read.zip(constants) {
        legality::constant(operand, constant.is_constant.then_some(constant.bits))?;
    }
    let width = |value: Value| verify::read_element(value.r#type()).map(|element| element.width());
    let shape = Shape {
        sources: inputs.iter().zip(constants).map(source).collect(),
        widths: (
            inputs.iter().map(|value| width(*value)).collect::<Result<_>>()?,
            op.results().map(|result| width(result.into())).collect::<Result<_>>()?,
        ),
        pred: pred.map(|_| negated),
        preserves: !old.is_empty(),
        sink,
        offset: offset.unwrap_or(0),
        inverted,
        special,
    };
    Ok(remembered_asm(&variant, shape))
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

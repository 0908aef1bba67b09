//! One spelling as a kernel, its inputs, and what it must give.

use crate::approximate::{self, Approximation, Error};
use crate::values;
use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::instruction::{Operand, Variant};
use ptx_tile_dialect::semantics::{Executed, Word};
use std::fmt::Write;

/// How many threads execute a spelling at most.
const MOST: usize = 512;

/// A spelling with inputs and expectations.
pub struct Kernel {
    variant: Variant,
    /// The MLIR type of each operand.
    elements: Vec<Element>,
    /// What each thread reads: the words of each operand that is read.
    inputs: Vec<Vec<Vec<u128>>>,
    /// What each thread writes.
    expected: Expected,
}

enum Expected {
    /// The words of each operand that is written.
    Words(Vec<Vec<Vec<Word>>>),
    /// The numbers of each thread, lane by lane, within an error; `None` may be anything.
    Near { numbers: Vec<Option<f64>>, error: Error, format: &'static str },
}

impl Kernel {
    /// With registers as wide as they may be, or as their types; `Err` says why there is none.
    pub fn of(variant: Variant, widest: bool) -> Result<Kernel, String> {
        let operands = variant.form.operands;
        if variant.form.named().is_some() {
            return Err(format!("{variant} names what it reads"));
        }
        if operands.iter().any(|operand| operand.address) && variant.address_space() != Some(1) {
            return Err(format!("{variant} is in other memory than global"));
        }
        let element = |operand: &Operand| {
            let r#type = variant.type_of(operand);
            let element = r#type.types.iter().max_by_key(|element| element.width());
            *element.filter(|_| r#type.maybe_wider && widest).unwrap_or(&r#type.types[0])
        };
        let elements: Vec<Element> = operands.iter().map(element).collect();
        let read: Vec<&Operand> = operands.iter().filter(|operand| is_read(&variant, operand)).collect();
        let choices: Vec<Vec<u128>> = read
            .iter()
            .flat_map(|operand| {
                let choices = values::of(
                    variant.type_of(operand),
                    element(operand).width(),
                    operand.bounds.filter(|_| operand.constant),
                );
                vec![choices; operand.registers as usize]
            })
            .collect();
        let mut inputs: Vec<Vec<Vec<u128>>> = vec![];
        for flat in values::tuples(&choices, MOST) {
            let mut words = flat.into_iter();
            inputs.push(read.iter().map(|it| words.by_ref().take(it.registers as usize).collect()).collect());
        }
        // A constant is one for all threads.
        if let Some(at) = read.iter().position(|operand| operand.constant) {
            let one = inputs[inputs.len() / 3][at].clone();
            inputs.iter_mut().for_each(|words| words[at] = one.clone());
        }
        let expected = match variant.form.semantics {
            Some(semantics) => Expected::Words(
                inputs
                    .iter()
                    .map(|words| {
                        let widths = read.iter().map(|operand| element(operand).width());
                        let sources: Vec<Vec<Word>> = widths
                            .zip(words)
                            .map(|(width, words)| words.iter().map(|bits| Word::new(width, *bits)).collect())
                            .collect();
                        let written = operands.iter().filter(|operand| is_written(&variant, operand));
                        let results: Vec<Vec<u32>> =
                            written.map(|operand| vec![element(operand).width(); operand.registers as usize]).collect();
                        semantics(&Executed { variant: &variant, sources: &sources, results: &results })
                    })
                    .collect::<Result<_, _>>()
                    .map_err(|why| format!("{variant}: {why}"))?,
            ),
            None => {
                let its = approximate::of(&variant).ok_or(format!("{variant} has no model"))?;
                let Approximation { format, error, .. } = its;
                let lane =
                    |words: &[u128], lane: u32| (words[0] >> (lane * format.width())) & ((1 << format.width()) - 1);
                let value = |words: &Vec<Vec<u128>>, at: u32| {
                    let sources: Vec<f64> = words.iter().map(|words| its.number(lane(words, at))).collect();
                    its.value(&sources)
                };
                let numbers = inputs.iter().flat_map(|words| (0..format.lanes).map(|at| value(words, at))).collect();
                Expected::Near { numbers, error, format: format.name }
            }
        };
        Ok(Kernel { variant, elements, inputs, expected })
    }

    /// A kernel in which a block is one thread with inputs of its own.
    pub fn text(&self, number: usize) -> String {
        let variant = &self.variant;
        let operands = variant.form.operands;
        let (mut constants, mut loads, mut stores) = (String::new(), String::new(), String::new());
        let (mut arguments, mut inputs, mut input_types, mut results, mut result_types) =
            (vec![], vec![], vec![], vec![], vec![]);
        let mut reads = 0;
        for (i, (operand, element)) in operands.iter().zip(&self.elements).enumerate() {
            let bytes = bytes(*element);
            let place = format!("%p{i}");
            let is_pred = element.width() == 1;
            if operand.constant {
                let bits = self.inputs[0][reads][0];
                reads += 1;
                writeln!(constants, "  %v{i}_0 = arith.constant {bits} : {element}").unwrap();
                inputs.push(format!("%v{i}_0"));
                input_types.push(element.to_string());
                continue;
            }
            arguments.push(format!("%b{i}: !llvm.ptr<1>"));
            let size = bytes * operand.registers;
            writeln!(
                loads,
                "  %n{i} = llvm.mlir.constant({size} : i64) : i64\n  %o{i} = llvm.mul %id, %n{i} : i64\n  \
                 {place} = llvm.getelementptr %b{i}[%o{i}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8"
            )
            .unwrap();
            if is_read(variant, operand) {
                reads += 1;
            }
            if operand.address {
                inputs.push(place);
                input_types.push("!llvm.ptr<1>".into());
                continue;
            }
            for word in 0..operand.registers {
                let (name, at) = (format!("%v{i}_{word}"), format!("%a{i}_{word}"));
                let address = format!(
                    "  {at} = llvm.getelementptr {place}[{}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n",
                    word * bytes
                );
                let lines = match (operand.written, is_pred) {
                    (true, false) => format!("  llvm.store {name}, {at} : {element}, !llvm.ptr<1>\n"),
                    (true, true) => format!(
                        "  {name}_b = arith.extui {name} : i1 to i8\n  llvm.store {name}_b, {at} : i8, !llvm.ptr<1>\n"
                    ),
                    (false, false) => format!("  {name} = llvm.load {at} : !llvm.ptr<1> -> {element}\n"),
                    (false, true) => format!(
                        "  {name}_b = llvm.load {at} : !llvm.ptr<1> -> i8\n  {name} = arith.trunci {name}_b : i8 to i1\n"
                    ),
                };
                let (values, types) =
                    if operand.written { (&mut results, &mut result_types) } else { (&mut inputs, &mut input_types) };
                values.push(name);
                types.push(element.to_string());
                *(if operand.written { &mut stores } else { &mut loads }) += &(address + &lines);
            }
        }
        let results = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
        format!(
            "// {variant}\ngpu.func @k{number}({}) kernel {{\n  %index = gpu.block_id x\n  \
             %id = arith.index_cast %index : index to i64\n{constants}{loads}  {results}ptx.{} \"{}\" {} : ({}) -> ({})\n\
             {stores}  gpu.return\n}}\n",
            arguments.join(", "),
            variant.instruction.mnemonic,
            variant.modifiers(),
            inputs.join(", "),
            input_types.join(", "),
            result_types.join(", "),
        )
    }

    /// The test as run.py reads it.
    pub fn test(&self, program: &str, number: usize) -> String {
        let variant = &self.variant;
        let (mut reads, mut writes, mut args) = (0, 0, vec![]);
        for (operand, element) in variant.form.operands.iter().zip(&self.elements) {
            let bytes = bytes(*element);
            let hex = |words: &mut dyn Iterator<Item = u128>| {
                let mut text = String::from("\"");
                for word in words {
                    word.to_le_bytes()[..bytes as usize].iter().for_each(|it| write!(text, "{it:02x}").unwrap());
                }
                text + "\""
            };
            let integer = format!("i{}", bytes * 8);
            if is_read(variant, operand) {
                if !operand.constant {
                    let values = hex(&mut self.inputs.iter().flat_map(|words| words[reads].iter().copied()));
                    args.push(format!("{{\"type\": \"{integer}\", \"values\": {values}}}"));
                }
                reads += 1;
                continue;
            }
            args.push(match &self.expected {
                Expected::Words(threads) => {
                    let words = || threads.iter().flat_map(|written| written[writes].iter());
                    let expect = hex(&mut words().map(|word| word.bits));
                    // A predicate is a byte: all of it is known.
                    let mask =
                        hex(&mut words().map(|word| if word.width == 1 { 0xff * word.defined } else { word.defined }));
                    format!("{{\"type\": \"{integer}\", \"expect\": {expect}, \"mask\": {mask}}}")
                }
                Expected::Near { numbers, error: Error { relative, absolute }, format } => {
                    let numbers = numbers.iter().map(|number| match number {
                        None => "\"any\"".into(),
                        Some(number) if number.is_finite() => format!("{number:e}"),
                        Some(number) => format!("\"{number}\""),
                    });
                    format!(
                        "{{\"type\": \"{format}\", \"near\": [{}], \"relative\": {relative:e}, \"absolute\": \
                         {absolute:e}}}",
                        numbers.collect::<Vec<_>>().join(", ")
                    )
                }
            });
            writes += 1;
        }
        let types = self.elements.iter().map(Element::to_string).collect::<Vec<_>>().join(", ");
        let operands = variant.form.operands_text();
        format!(
            "{{\"name\": \"{variant} {operands} ({types})\", \"ptx\": \"{program}.ptx\", \"kernel\": \"k{number}\", \
             \"grid\": [{}], \"block\": [1], \"args\": [{}]}}",
            self.inputs.len(),
            args.join(", ")
        )
    }
}

fn is_read(variant: &Variant, operand: &Operand) -> bool {
    if operand.address { variant.instruction.reads_memory } else { !operand.written }
}

fn is_written(variant: &Variant, operand: &Operand) -> bool {
    if operand.address { variant.instruction.writes_memory } else { operand.written }
}

/// How many bytes a value takes in a buffer.
fn bytes(element: Element) -> u32 {
    element.width().div_ceil(8)
}

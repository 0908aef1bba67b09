//! Tile ops by their meaning, and instructions: what is read, what is computed, what is written.
//!
//! - Each repeat is one instruction: the predicate decides, all sources are read before anything is written (R80), and
//!   the next one sees what was written (D31). Scalars and the predicate are evaluated once (D30).
//! - Where the predicate is false, operands are ignored (D35), and what is written otherwise becomes undefined or, if
//!   preserved, stays (R75).
//! - An instruction moves the elements of memory from one address on, which it must be aligned to together (R112,
//!   R113).

use super::memory::Span;
use super::scope::Group;
use super::special::Who;
use super::thread::{Core, Key, address, truth};
use super::value::{Datum, View, width_of};
use crate::{ir, launch};
use anyhow::{Context, Result, bail, ensure};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::instruction::{Named, Operand, Variant};
use ptx_tile_dialect::legality::unflatten;
use ptx_tile_dialect::semantics::{Executed, Word};
use ptx_tile_dialect::threads::Scope;
use ptx_tile_dialect::verify::{numbers, op_name, read_apply, read_issue, read_narrowing, scope_of};
use std::rc::Rc;

/// A `tile.apply` as it was read.
pub struct Application<'c> {
    variant: Variant,
    /// The threads that it is over.
    group: Group,
    repeats: i64,
    /// One for each operand: the cache policy is the last.
    words: Vec<Value<'c, 'c>>,
    pred: Option<Value<'c, 'c>>,
    negated: bool,
    preserve_dst: bool,
    sink: Vec<i64>,
    inverted: bool,
}

/// Where the words of an operand are in one repeat.
enum Place {
    /// The same word for every repeat.
    Scalar(Word),
    /// Registers, one address each.
    Registers { addresses: Vec<u64>, width: u32 },
    /// Elements of memory from an address on.
    Memory { address: u64, width: u32 },
}

impl Place {
    /// How wide a word is.
    fn width(&self) -> u32 {
        match self {
            Place::Scalar(word) => word.width,
            Place::Registers { width, .. } | Place::Memory { width, .. } => *width,
        }
    }
}

impl<'c> Core<'_, 'c, '_> {
    /// Executes a tile op.
    pub fn tile(&mut self, op: OperationRef<'c, 'c>, name: &str) -> Result<Option<Vec<Datum>>> {
        let one = |datum: Datum| Ok(Some(vec![datum]));
        match name {
            "tile.alloc" => one(self.alloca(op)?.into()),
            "tile.view" => one(self.view(op, 0)?.retyped(ir::result_of(op, 0).r#type())?.into()),
            "tile.slice" => {
                let begins = self.index_list(op, "static_begins", 1)?;
                let extents = numbers(op, "extents");
                let kept = (0..extents.len()).collect();
                let axes = begins.into_iter().map(|begin| (begin, 1)).collect();
                one(self.view(op, 0)?.region(axes, extents, kept)?.into())
            }
            "tile.read" => {
                let indices = self.index_list(op, "static_indices", 1)?;
                one(self.load(&*self.view(op, 0)?, &indices)?.into())
            }
            "tile.write" => {
                let indices = self.index_list(op, "static_indices", 2)?;
                let (word, view) = (self.word(op, 0)?, self.view(op, 1)?);
                self.store(&view, &indices, word)?;
                Ok(Some(vec![]))
            }
            "tile.apply" => {
                self.apply(op)?;
                Ok(Some(vec![]))
            }
            _ => bail!("is nothing that the executor knows"),
        }
    }

    fn apply(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let key = op.to_raw().ptr as Key;
        let application = match self.machine.applications.get(&key) {
            Some(application) => application.clone(),
            None => {
                let application = Rc::new(Application::read(op, &self.who())?);
                self.machine.applications.insert(key, application.clone());
                application
            }
        };
        let data = application.words.iter().map(|word| self.value(*word)).collect::<Result<Vec<_>>>()?;
        let executes = application.pred.map(|pred| self.decides(self.value(pred)?.word()?, application.negated));
        let executes = executes.transpose()?.unwrap_or(true);
        let who = self.who();
        let position = application.group.position(&who)?;
        application.owned(&who, &position, &data)?;
        for repeat in 0..application.repeats {
            self.machine.count()?;
            self.repeat(&application, &data, &position, repeat, executes).with_context(|| {
                match application.repeats {
                    1 => application.variant.to_string(),
                    _ => format!("{} of repeat {repeat}", application.variant),
                }
            })?;
        }
        Ok(())
    }

    fn decides(&self, pred: Word, negated: bool) -> Result<bool> {
        Ok(truth(pred).context("the predicate")? != negated)
    }

    /// One instruction of an application.
    fn repeat(
        &mut self,
        its: &Application,
        data: &[Datum],
        position: &[i64],
        repeat: i64,
        executes: bool,
    ) -> Result<()> {
        if !executes && its.preserve_dst {
            return Ok(());
        }
        let variant = &its.variant;
        let operands = variant.form.operands.iter().zip(data);
        if !executes {
            for (operand, datum) in operands.filter(|(operand, _)| operand.written) {
                let place = place(variant, operand, datum, position, repeat)?;
                let words = vec![Word::undefined(place.width()); operand.registers as usize];
                self.put(variant, operand, &place, &words, &its.sink)?;
            }
            return Ok(());
        }
        let mut places = vec![];
        for (operand, datum) in operands {
            let place = place(variant, operand, datum, position, repeat);
            places.push((operand, place.with_context(|| format!("({})", operand.name))?));
        }
        let sources = places.iter().filter(|(operand, _)| is_read(variant, operand));
        let sources = sources.map(|(operand, place)| {
            let words = self.get(variant, operand, place)?;
            Ok(if its.inverted && operand.negatable { inverted(&words) } else { words })
        });
        let sources = sources.collect::<Result<Vec<_>>>()?;
        let written = || places.iter().filter(|(operand, _)| is_written(variant, operand));
        let widths = written().map(|(operand, place)| vec![place.width(); operand.registers as usize]);
        let results = compute(variant, &sources, &widths.collect::<Vec<_>>())?;
        for ((operand, place), words) in written().zip(&results) {
            self.put(variant, operand, place, words, &its.sink)?;
        }
        Ok(())
    }

    /// What an instruction reads of an operand.
    fn get(&self, variant: &Variant, operand: &Operand, place: &Place) -> Result<Vec<Word>> {
        let memory = &self.machine.memory;
        match place {
            Place::Scalar(word) => Ok(vec![*word]),
            Place::Registers { addresses, width } => {
                addresses.iter().map(|address| memory.read(Span::of_word(*address, *width), *width)).collect()
            }
            Place::Memory { address, width } => {
                spans(variant, operand, *address, *width).map(|span| memory.read(span, *width)).collect()
            }
        }
    }

    /// Writes the words of an operand, but those that are sunk.
    fn put(&mut self, variant: &Variant, operand: &Operand, place: &Place, words: &[Word], sink: &[i64]) -> Result<()> {
        let memory = &mut self.machine.memory;
        match place {
            Place::Scalar(_) => bail!("writes a scalar"),
            Place::Registers { addresses, width } => {
                for (index, (address, word)) in addresses.iter().zip(words).enumerate() {
                    if !variant.form.is_sunk(operand, index, sink) {
                        memory.write(Span::of_word(*address, *width), *word)?;
                    }
                }
            }
            Place::Memory { address, width } => {
                for (span, word) in spans(variant, operand, *address, *width).zip(words) {
                    memory.write(span, *word)?;
                }
            }
        }
        Ok(())
    }

    /// Executes a `ptx` op.
    pub fn issue(&mut self, op: OperationRef<'c, 'c>) -> Result<Vec<Datum>> {
        let key = op.to_raw().ptr as Key;
        let read = match self.machine.issues.get(&key) {
            Some(read) => read.clone(),
            None => {
                let read = Rc::new(read_issue(op)?);
                self.machine.issues.insert(key, read.clone());
                read
            }
        };
        let (operands, variant) = &*read;
        let value = |value: &Value| self.value(unsafe { Value::from_raw(value.to_raw()) });
        let executes = match operands.pred {
            Some(pred) => self.decides(value(&pred)?.word()?, operands.negated)?,
            None => true,
        };
        if !executes && !operands.old.is_empty() {
            return operands.old.iter().map(value).collect();
        }
        if !executes {
            let undefined = |index| Ok(Word::undefined(width_of(ir::result_of(op, index).r#type())?).into());
            return (0..op.result_count() as isize).map(undefined).collect();
        }
        let symbol = match variant.form.named() {
            Some(Named::Symbol) => self.symbol_address(op)?.wrapping_add_signed(operands.offset.unwrap_or(0)),
            _ => 0,
        };
        let mut inputs = operands.inputs.iter().map(|value| self.value(unsafe { Value::from_raw(value.to_raw()) }));
        let mut places = vec![];
        for operand in variant.form.operands.iter().filter(|operand| !operand.written) {
            let count = operand.values();
            let mut words = inputs.by_ref().take(count).map(|datum| datum?.word()).collect::<Result<Vec<_>>>()?;
            ensure!(words.len() == count, "lacks inputs for ({})", operand.name);
            let width = variant.type_of(operand).width;
            match operand.named {
                Some(Named::SpecialRegister) => {
                    let source = operands.special.context("names no special register")?;
                    // A narrow read takes the lower bits.
                    words = self.special(&source)?.into_iter().map(|bits| Word::new(width, bits.into())).collect();
                }
                Some(Named::Symbol) => words = vec![Word::new(width, symbol.into())],
                None if operands.inverted && operand.negatable => {
                    words = inverted(&words);
                }
                None => {}
            }
            places.push((operand, words));
        }
        let span = |operand: &Operand, words: &[Word]| -> Result<Vec<Span>> {
            let base = address(words[0]).with_context(|| format!("({})", operand.name))?;
            let first = base.wrapping_add_signed(operands.offset.unwrap_or(0));
            Ok(spans(variant, operand, first, variant.type_of(operand).width).collect())
        };
        let mut sources = vec![];
        for (operand, words) in places.iter().filter(|(operand, _)| is_read(variant, operand)) {
            sources.push(match operand.address {
                true => self.elements(&span(operand, words)?, variant.type_of(operand).width)?,
                false => words.clone(),
            });
        }
        // A register may be wider than its type; one that is sunk has no width of its own.
        let mut written = (0..op.result_count() as isize).map(|index| width_of(ir::result_of(op, index).r#type()));
        let mut widths = vec![];
        for operand in variant.form.operands.iter().filter(|operand| is_written(variant, operand)) {
            let own = variant.type_of(operand).width;
            let is_value = |index| !operand.address && !variant.form.is_sunk(operand, index, &operands.sink);
            let width = |index| if is_value(index) { written.next().unwrap_or(Ok(own)) } else { Ok(own) };
            widths.push((0..operand.registers as usize).map(width).collect::<Result<Vec<u32>>>()?);
        }
        let results = compute(variant, &sources, &widths)?;
        let mut registers = vec![];
        let written = variant.form.operands.iter().filter(|operand| is_written(variant, operand));
        for (operand, words) in written.zip(results) {
            if operand.address {
                let (_, pointer) = places.iter().find(|(its, _)| std::ptr::eq(*its, operand)).context("it is there")?;
                for (span, word) in span(operand, pointer)?.into_iter().zip(words) {
                    self.machine.memory.write(span, word)?;
                }
            } else {
                let sunk = |index: usize| variant.form.is_sunk(operand, index, &operands.sink);
                registers.extend(
                    words.into_iter().enumerate().filter(|(index, _)| !sunk(*index)).map(|(_, word)| word.into()),
                );
            }
        }
        Ok(registers)
    }

    fn elements(&self, spans: &[Span], width: u32) -> Result<Vec<Word>> {
        spans.iter().map(|span| self.machine.memory.read(*span, width)).collect()
    }
}

impl<'c> Application<'c> {
    /// What a thread that comes by reads.
    fn read(op: OperationRef<'c, 'c>, who: &Who) -> Result<Application<'c>> {
        let (operands, tiles, application) = read_apply(op)?;
        ensure!(!application.variant.instruction.collective, "is issued by a warp as one, which no thread here can do");
        let scope = scope_of(op)?;
        let parents = || std::iter::successors(op.parent_operation(), |parent| parent.parent_operation());
        let kernel = parents().find(|parent| ir::is_function(*parent)).context("is in no function")?;
        let told = |name| launch::extents(kernel, name).is_some();
        ensure!(
            scope != Scope::Cluster || told("known_cluster_size") || told("nvvm.cluster_dim"),
            "is over a cluster, and the kernel says of none (R25)"
        );
        let narrowings = parents().filter(|parent| op_name(*parent) == "tile.where").map(read_narrowing);
        let group = Group::of(scope, &narrowings.collect::<Vec<_>>(), who)?;
        let shapes = || tiles.iter().flatten().map(|tile| &tile.shape);
        for (index, tile) in tiles.iter().enumerate() {
            if let Some(tile) = tile {
                group.leads(&tile.shape).with_context(|| format!("operand #{index}"))?;
            }
        }
        let first = shapes().next().context("has no tile")?;
        Ok(Application {
            variant: application.variant,
            repeats: first[group.rank()..first.len() - 1].iter().product(),
            group,
            words: operands.words.into_iter().chain(operands.cache_policy).collect(),
            pred: operands.pred,
            negated: operands.negated,
            preserve_dst: operands.preserve_dst,
            sink: operands.sink,
            inverted: operands.inverted,
        })
    }
}

impl Application<'_> {
    /// That all registers belong to the thread that touches them, whether or not a predicate lets it; sunk words are
    /// not touched (R94).
    fn owned(&self, who: &Who, position: &[i64], data: &[Datum]) -> Result<()> {
        if self.group.rank() == 0 {
            // At scope(thread) no layout names a thread (R58).
            return Ok(());
        }
        let form = self.variant.form;
        for (operand, datum) in form.operands.iter().zip(data).filter(|(operand, _)| !operand.address) {
            let Datum::View(view) = datum else { continue };
            for repeat in 0..self.repeats {
                for (word, at) in indices(operand, view, position, repeat).enumerate() {
                    if !form.is_sunk(operand, word, &self.sink) {
                        self.group.owns(who, view, &at).with_context(|| format!("({})", operand.name))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The indices of the words of an operand in one repeat, of the thread at a position of its group (R21).
fn indices(operand: &Operand, view: &View, position: &[i64], repeat: i64) -> impl Iterator<Item = Vec<i64>> {
    let count = i64::from(operand.registers);
    let own = view.shape.get(position.len()..).unwrap_or_default();
    (repeat * count..(repeat + 1) * count).map(move |flat| [position, &unflatten(flat as usize, own)].concat())
}

/// Where the words of an operand are.
fn place(variant: &Variant, operand: &Operand, datum: &Datum, position: &[i64], repeat: i64) -> Result<Place> {
    let view = match datum {
        Datum::Word(word) => return Ok(Place::Scalar(*word)),
        Datum::View(view) => view,
    };
    let addresses = indices(operand, view, position, repeat).map(|its| view.address(&its));
    let addresses = addresses.collect::<Result<Vec<u64>>>()?;
    if !operand.address {
        return Ok(Place::Registers { addresses, width: view.width });
    }
    let first = *addresses.first().context("an instruction has a word")?;
    let in_a_row = |(index, address): (usize, &u64)| *address == first + index as u64 * view.bytes();
    ensure!(addresses.iter().enumerate().all(in_a_row), "{variant} moves elements that are not consecutive (R112)");
    Ok(Place::Memory { address: first, width: view.width })
}

/// The complement of each word, where it is defined.
fn inverted(words: &[Word]) -> Vec<Word> {
    words.iter().map(|word| Word::partial(word.width, !word.bits, word.defined)).collect()
}

/// Whether an instruction computes with the words of an operand, or with the elements at its address.
fn is_read(variant: &Variant, operand: &Operand) -> bool {
    if operand.address { variant.instruction.reads_memory } else { !operand.written && !operand.cache_policy }
}

fn is_written(variant: &Variant, operand: &Operand) -> bool {
    if operand.address { variant.instruction.writes_memory } else { operand.written }
}

/// What an instruction writes, by the primitive of its record: words of these widths.
fn compute(variant: &Variant, sources: &[Vec<Word>], results: &[Vec<u32>]) -> Result<Vec<Vec<Word>>> {
    let semantics = variant.form.semantics;
    let semantics = semantics.with_context(|| format!("the record of {variant} names no semantics"))?;
    let computed = semantics(&Executed { variant, sources, results })?;
    let widths = |words: &Vec<Word>| words.iter().map(|word| word.width).collect::<Vec<u32>>();
    ensure!(
        computed.iter().map(widths).eq(results.iter().cloned()),
        "the semantics of {variant} give other results than it writes"
    );
    Ok(computed)
}

/// The elements that an instruction moves from an address on, which is aligned to all of them.
fn spans(variant: &Variant, operand: &Operand, address: u64, width: u32) -> impl Iterator<Item = Span> {
    let one = Span::of_word(address, width);
    let space = variant.address_space().unwrap_or(0);
    let count = u64::from(operand.registers);
    // Only the first lies where all of them must.
    let alignment = move |index| if index == 0 { one.bytes * count } else { one.bytes };
    (0..count).map(move |index| Span {
        address: address.wrapping_add(index * one.bytes),
        alignment: alignment(index),
        space,
        ..one
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_tile_dialect::instruction::{Form, lookup};

    #[test]
    fn an_instruction_without_semantics_is_not_executed() {
        static FORM: std::sync::OnceLock<Form> = std::sync::OnceLock::new();
        let variant = lookup("mov").unwrap().variants().next().unwrap();
        let form = FORM.get_or_init(|| Form { semantics: None, ..*variant.form });
        let variant = Variant { form, ..variant };
        let why = compute(&variant, &[vec![Word::new(1, 1)]], &[vec![1]]).unwrap_err().to_string();
        assert_eq!(why, "the record of mov.pred names no semantics");
    }
}

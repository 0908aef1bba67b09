//! When an application of an instruction is legal: the rules R1… of the contract on plain data, and the words of every
//! error.
//!
//! - [`apply`] decides a `tile.apply`, issue.rs a `ptx` op, and the functions of tiles.rs the other `tile` ops.
//! - Only what an op says by itself is looked at; what needs its surroundings is in check.rs of the passes.
//! - An error names the operand by number and name, what was found, what was wanted, and the fix where there is one.

use crate::element::Element;
use crate::instruction::{Form, Operand, Variant};
use crate::layout::{Axis, Layout, M};
use crate::layout_text::AXES;
use crate::opcode::{self, alternatives, shortened};
use crate::ownership;
use crate::threads::Scope;
use crate::tiles;
use crate::types::Types;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fmt;

/// The most words of one operand that are looked at one by one.
pub const MAX_WORDS: i64 = 1 << 24;

/// Where a tile lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Registers of one thread: `#gpu.address_space<private>`.
    Register,
    /// Memory, by the number of its state space in NVPTX; 0 is generic.
    Memory(u32),
}

/// The number in NVPTX of global memory.
pub const GLOBAL: u32 = 1;
const LOCAL: u32 = 5;

/// The name of a state space of memory, by its number in NVPTX.
pub fn space_name(number: u32) -> &'static str {
    match number {
        0 => "generic",
        GLOBAL => "global",
        3 => "shared",
        4 => "const",
        LOCAL => "local",
        _ => "unknown",
    }
}

impl fmt::Display for Space {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Space::Register => out.write_str("registers"),
            Space::Memory(number) => write!(out, "{} memory", space_name(*number)),
        }
    }
}

/// A tile: a memref type as plain data.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Extents, all static.
    pub shape: Vec<i64>,
    /// What an element is.
    pub element: Element,
    /// Where it lives.
    pub space: Space,
    /// Where each element lies.
    pub layout: Layout,
}

impl Tile {
    /// The number of elements; a layout admits its shape, so that it does not overflow.
    pub fn size(&self) -> i64 {
        self.layout.size()
    }
}

/// An operand of `tile.apply`.
#[derive(Clone, Debug)]
pub enum Word {
    /// A tile of registers or of memory.
    Tile(Tile),
    /// A scalar, the same for every repeat (R65).
    Scalar(Element),
}

impl Word {
    fn element(&self) -> Element {
        match self {
            Word::Tile(tile) => tile.element,
            Word::Scalar(element) => *element,
        }
    }
}

/// A `tile.apply` as plain data.
#[derive(Debug)]
pub struct Apply<'a> {
    /// The opcode as written.
    pub opcode: &'a str,
    /// Destination first (R7).
    pub words: &'a [Word],
    /// The threads over which its group axes run.
    pub scope: Scope,
    /// It has a predicate.
    pub predicated: bool,
    /// `preserve_dst` stands there.
    pub preserve_dst: bool,
    /// The sunk words.
    pub sink: &'a [i64],
    /// The source that can be is negated.
    pub inverted: bool,
    /// `cache_policy` stands there.
    pub cache_policy: bool,
}

/// What a legal `tile.apply` comes to.
#[derive(Debug)]
pub struct Application {
    /// The instruction that is issued.
    pub variant: Variant,
    /// How often each thread issues it (R82); of a cluster, whose axes the op alone does not know, at most.
    pub repeats: i64,
}

/// Decides a `tile.apply`, as far as that follows from what it says by itself.
pub fn apply(apply: &Apply) -> Result<Application> {
    let mut fitting = opcode::read(apply.opcode)?;
    let opcode = fitting[0].to_string();
    fitting.retain(|variant| variant.form.named().is_none());
    ensure!(!fitting.is_empty(), "{opcode} reads no tile; write the ptx op");
    cache_policy(&fitting[0], apply.cache_policy)?;
    let variant = choose_form(&fitting, apply.words)?;
    predication(&variant, apply.predicated, apply.preserve_dst)?;
    sunk_words(&variant, apply.sink)?;
    inversion(&variant, apply.inverted)?;

    let mut words = apply.words.iter().map(Word::element);
    let operands = variant.form.operands.iter();
    let elements: Vec<Option<Element>> =
        operands.map(|operand| if operand.cache_policy { None } else { words.next() }).collect();
    let mut repeats: Option<(&[i64], usize)> = None;
    for (i, (word, operand)) in apply.words.iter().zip(variant.form.words()).enumerate() {
        let place = || format!("operand #{i} ({})", operand.name);
        match word {
            Word::Scalar(element) => {
                let types = Types { variant: &variant, elements: &elements, of_tiles: false };
                types
                    .value(operand, *element)
                    .map_err(|why| other_counts(why, &fitting, &variant))
                    .with_context(place)?;
            }
            Word::Tile(tile) => {
                let types = Types { variant: &variant, elements: &elements, of_tiles: true };
                tile_operand(&types, operand, tile, apply, |why| {
                    other_counts(singles(why, &fitting, &variant), &fitting, &variant)
                })
                .with_context(place)?;
                let these = &tile.shape[..tile.shape.len() - 1];
                let (first, whose) = *repeats.get_or_insert((these, i));
                ensure!(
                    these == first,
                    "{}: {} {} differ from the {} of operand #{whose}; all tiles have the same (R17)",
                    place(),
                    if apply.scope == Scope::Thread { "repeats" } else { "group axes and repeats" },
                    coordinates(these),
                    coordinates(first),
                );
            }
        }
    }
    let (shape, _) = repeats.expect("the destination is a tile");
    let group = apply.scope.group_axes(variant.instruction.collective).with_context(|| variant.to_string())?;
    ensure!(
        shape.len() >= group,
        "tiles have {} axes before the registers of the instruction, scope({}) has {group} group axes there at least (R22)",
        shape.len(),
        apply.scope
    );
    Ok(Application { variant, repeats: shape[group..].iter().product() })
}

/// A cache policy stands where the opcode has a hint, and nowhere else (R111). All that fit one text agree in that.
fn cache_policy(variant: &Variant, given: bool) -> Result<()> {
    if variant.form.has_cache_policy() == given {
        return Ok(());
    }
    let other = opcode::neighbour(variant, |form| form.has_cache_policy() == given);
    let other = other.map_or(String::new(), |other| format!(" or write {other}"));
    ensure!(!given, "{variant} takes no cache policy; take cache_policy out{other} (R111)");
    bail!("{variant} takes a cache policy; add cache_policy(...){other} (R111)")
}

/// A last extent that was meant as a repeat chooses a form with groups, whose types disagree then.
fn singles(why: anyhow::Error, fitting: &[Variant], chosen: &Variant) -> anyhow::Error {
    let is_single = |variant: &&Variant| variant.form.operands.iter().all(|operand| operand.registers == 1);
    let of_count = |variant: &&Variant| variant.form.operands.len() == chosen.form.operands.len();
    if is_single(&chosen) || !fitting.iter().filter(of_count).any(|variant| is_single(&variant)) {
        return why;
    }
    anyhow!("last extents make this the form '{0}', {SINGLES} (R15); for '{0}', {why:#}", chosen.form.summary)
}

/// An operand too many or too few chooses another form, whose types disagree then.
fn other_counts(why: anyhow::Error, fitting: &[Variant], chosen: &Variant) -> anyhow::Error {
    let names = |variant: &Variant| {
        let names: Vec<&str> = variant.form.words().map(|operand| operand.name).collect();
        format!("({})", names.join(", "))
    };
    let count = |variant: &Variant| variant.form.words().count();
    let others: Vec<String> = fitting.iter().filter(|variant| count(variant) != count(chosen)).map(names).collect();
    match others.is_empty() {
        true => why,
        false => {
            let (these, others) = (names(chosen), alternatives(others.into_iter()));
            anyhow!("{why:#}; {} operands are {these}, {chosen} also takes {others}", count(chosen))
        }
    }
}

/// What one forgets first.
const SINGLES: &str = "tiles of single registers end in an extent of 1, as 4x1 does";

/// Chooses the form by operand count and last extents alone (R6).
fn choose_form(fitting: &[Variant], words: &[Word]) -> Result<Variant> {
    let opcode = &fitting[0];
    let last = |tile: &Tile| tile.shape.last().copied();
    // A scalar stands where one register is read, but not in loads and stores (R33, R105).
    let in_memory = opcode.form.operands.iter().any(|operand| operand.address);
    let takes = |(word, operand): (&Word, &Operand)| match word {
        Word::Tile(tile) => last(tile) == Some(i64::from(operand.registers)) && !operand.constant,
        Word::Scalar(_) => !operand.written && !in_memory && operand.registers == 1,
    };
    let of_count = || fitting.iter().filter(|variant| variant.form.words().count() == words.len());
    ensure!(
        of_count().next().is_some(),
        "{opcode} takes the operands {}, found {}{}",
        alternatives(fitting.iter().map(|variant| {
            let names: Vec<&str> = variant.form.words().map(|operand| operand.name).collect();
            format!("({})", names.join(", "))
        })),
        words.len(),
        opcode::with_operands(opcode, words.len()),
    );
    if let Some(variant) = of_count().find(|variant| words.iter().zip(variant.form.words()).all(takes)) {
        return Ok(variant.clone());
    }
    let nearest = of_count().next().unwrap_or(opcode);
    for (i, (word, operand)) in words.iter().zip(nearest.form.words()).enumerate() {
        match word {
            Word::Scalar(element) if operand.written || in_memory => {
                let fix = if operand.written { "" } else { "; tile.write or mov puts that into one" };
                bail!("operand #{i} ({}) must be a tile, found a scalar {element}{fix} (R19, R105)", operand.name)
            }
            Word::Tile(_) if operand.constant => {
                bail!("operand #{i} ({}) is a tile; {}", operand.name, wanted(operand))
            }
            Word::Tile(tile) if tile.shape.is_empty() => bail!(
                "operand #{i} ({}) has rank 0; its last axis must be the registers of the instruction (R15)",
                operand.name
            ),
            _ => {}
        }
    }
    let found = words.iter().map(|word| match word {
        Word::Tile(tile) => last(tile).map_or("none".into(), |extent| extent.to_string()),
        Word::Scalar(_) => "scalar".into(),
    });
    let wanted = of_count().map(|variant| {
        let extents = variant.form.words().map(|operand| operand.registers.to_string());
        format!("({})", extents.collect::<Vec<_>>().join(", "))
    });
    let is_single = |variant: &Variant| variant.form.operands.iter().all(|operand| operand.registers == 1);
    let hint = if of_count().any(is_single) { format!("; {SINGLES}") } else { String::new() };
    bail!(
        "{opcode} has no form with last extents ({}); they are the registers of each operand: {}{hint} (R6, R15)",
        found.collect::<Vec<_>>().join(", "),
        alternatives(wanted),
    )
}

/// A predicate that counts where it is false is one.
pub(crate) fn negation(negated: bool, predicated: bool) -> Result<()> {
    ensure!(!negated || predicated, "has the attribute 'negated' and no predicate to negate");
    Ok(())
}

/// R77 to R79: what `pred` and `preserve_dst` ask of each other and of the form.
pub(crate) fn predication(variant: &Variant, predicated: bool, preserves: bool) -> Result<()> {
    let writes = variant.form.operands.iter().any(|operand| operand.written);
    ensure!(!preserves || predicated, "preserving the destination needs a predicate; add pred(...) (R78)");
    ensure!(!preserves || writes, "{variant} writes no register to preserve (R78)");
    Ok(())
}

/// The sunk words: in range, ascending, unique, not all that are written (R94).
pub(crate) fn sunk_words(variant: &Variant, sink: &[i64]) -> Result<()> {
    if sink.is_empty() {
        return Ok(());
    }
    let (form, words) = (variant.form, variant.form.sinkable());
    ensure!(words > 0, "sink needs words that PTX can discard, {variant} ({}) has none (R94)", form.summary);
    let names = || {
        let names = form.operands.iter().filter(|operand| operand.sink).map(|operand| format!("({})", operand.name));
        opcode::enumerated(names, "and")
    };
    ensure!(
        sink.iter().all(|word| (0..words as i64).contains(word)) && sink.is_sorted_by(|a, b| a < b),
        "sink {sink:?} must name words 0 to {} of {}, ascending, each once (R94)",
        words - 1,
        names(),
    );
    ensure!(sink.len() < form.values().0, "sink {sink:?} discards every word of {}; keep one (R94)", names());
    Ok(())
}

/// A source that is negated is one that PTX can negate.
pub(crate) fn inversion(variant: &Variant, inverted: bool) -> Result<()> {
    let has_negatable = variant.form.operands.iter().any(|operand| operand.negatable);
    ensure!(!inverted || has_negatable, "{variant} has no source that PTX can negate; take out 'not'");
    Ok(())
}

/// A constant where PTX takes no register, of those that it takes; `None` is a value that is none.
pub fn constant(operand: &Operand, found: Option<u64>) -> Result<()> {
    if operand.constant {
        let bits = found.with_context(|| format!("({}) is no constant; {}", operand.name, wanted(operand)))?;
        ensure!(operand.takes_constant(bits), "({}) is {bits}; {}", operand.name, wanted(operand));
    }
    Ok(())
}

/// The words for what may stand at an operand that is a constant.
fn wanted(operand: &Operand) -> String {
    let (least, most) = operand.bounds.unwrap_or((i64::MIN, i64::MAX));
    format!("PTX takes a constant from {least} to {most} there, and no register")
}

/// A tile in its place: space, layout, type, overlap, contiguity. A type that does not fit may be of another form, which
/// `elsewhere` tells.
fn tile_operand(
    types: &Types,
    operand: &Operand,
    tile: &Tile,
    apply: &Apply,
    elsewhere: impl Fn(anyhow::Error) -> anyhow::Error,
) -> Result<()> {
    let variant = types.variant;
    if operand.address {
        memory_space(variant, tile.space)?;
    } else {
        ensure!(
            tile.space == Space::Register,
            "is in {}, {variant} takes registers there; use a tile in #gpu.address_space<private> (R31)",
            tile.space
        );
        ensure!(tile.layout.swizzle().is_none(), "a swizzled layout is for memory operands only (R52)");
    }
    ensure!(
        tile.layout.replica().is_empty(),
        "layout has replicas; an operand is one place for each element, use a layout without replica (R48, D16)"
    );
    if let Some(axis) = tile.layout.thread_axes().next() {
        if apply.scope == Scope::Thread {
            bail!("layout names {}", unbound(&tile.layout));
        }
        let axis = AXES[axis as usize];
        ensure!(
            !operand.address,
            "layout names the axis @{axis}; memory belongs to no thread; give each iter a stride on m, by which the coordinates of the thread choose places (R60)"
        );
        ownership::chain(&tile.layout)?;
    }
    ensure!(
        tile.size() <= MAX_WORDS,
        "has {} words, more than the {MAX_WORDS} of one operand; split the application",
        tile.size()
    );
    if operand.address {
        types.memory(operand, tile.element).map_err(elsewhere)?;
        contiguous(tile, operand)
    } else {
        types.value(operand, tile.element).map_err(elsewhere)?;
        // Of others, once it is known which thread is which.
        let is_known = operand.written && apply.scope == Scope::Thread;
        if is_known { distinct(tile, operand, variant.form, apply.sink) } else { Ok(()) }
    }
}

/// Of a layout at scope(thread): an axis of threads that it names, and which scope has it.
fn unbound(layout: &Layout) -> String {
    let scope_of = |axis| ownership::narrowest_scope(axis).map(|scope| (scope, axis)).ok_or(axis);
    let (axis, what) = match layout.thread_axes().map(scope_of).collect::<Result<Vec<_>, Axis>>() {
        Err(axis) => (axis, "no scope binds;".into()),
        Ok(scopes) => {
            let (scope, axis) = scopes.into_iter().max_by_key(|(scope, _)| *scope).expect("it names one");
            (axis, format!("scope(thread) does not bind; write scope({scope}) after the operands, or"))
        }
    };
    format!("the axis @{}, which {what} use a layout over m (R58)", AXES[axis as usize])
}

/// The state space of the opcode against that of the memory: a generic address of global memory is the global address,
/// and registers whose address is taken are local memory.
fn memory_space(variant: &Variant, found: Space) -> Result<()> {
    let wanted = variant.address_space().expect("a record with an address names a state space");
    let fits = match found {
        Space::Register => wanted == LOCAL,
        Space::Memory(space) => space == wanted || (space == 0 && wanted == GLOBAL),
    };
    let also = if wanted == LOCAL { ", a tile in #gpu.address_space<private>" } else { "" };
    ensure!(fits, "is in {found}, {variant} wants {} memory{also} (R107)", space_name(wanted));
    Ok(())
}

/// Words that are written are distinct registers (R61, R63); sunk words are exempt (R94).
fn distinct(tile: &Tile, operand: &Operand, form: &Form, sink: &[i64]) -> Result<()> {
    if tile.layout.surely_injective() {
        return Ok(());
    }
    let group = operand.registers as usize;
    let written = || tile.layout.slots().enumerate().filter(|(flat, _)| !form.is_sunk(operand, flat % group, sink));
    let span = tile.layout.span(M);
    if span <= tiles::MAX_SLOTS {
        // Most often nothing overlaps, which a flag for each slot tells sooner than the map below.
        let mut seen = vec![false; span as usize];
        if !written().any(|(_, slot)| std::mem::replace(&mut seen[slot as usize], true)) {
            return Ok(());
        }
    }
    let mut writer = std::collections::HashMap::new();
    for (flat, slot) in written() {
        if let Some(other) = writer.insert(slot, flat) {
            let (a, b) = (other / group, flat / group);
            if a == b {
                bail!(
                    "words {} and {} of {} both write register {slot}; destination slots must not overlap (R61)",
                    other % group,
                    flat % group,
                    repeat_name(a, &tile.shape),
                );
            }
            let repeats = &tile.shape[..tile.shape.len() - 1];
            bail!(
                "repeats {} and {} both write register {slot}; destination slots must not overlap (R61)",
                coordinates(&unflatten(a, repeats)),
                coordinates(&unflatten(b, repeats)),
            );
        }
    }
    Ok(())
}

/// The elements of an instruction are consecutive in memory (R112).
fn contiguous(tile: &Tile, operand: &Operand) -> Result<()> {
    let group = operand.registers as usize;
    if group == 1 {
        return Ok(());
    }
    let dimensions = tile.layout.dimensions(&tile.shape).filter(|_| tile.layout.swizzle().is_none());
    if dimensions.is_some_and(|all| all.last().is_some_and(|words| words.slope() == Some(1))) {
        return Ok(());
    }
    let mut first = 0;
    for (flat, place) in tile.layout.slots().enumerate() {
        match flat % group {
            0 => first = place,
            word => ensure!(
                place == first + word as i64,
                "{}: element {word} lies {} elements from element 0; the {group} elements of an instruction must be \
                 consecutive (R112)",
                repeat_name(flat / group, &tile.shape),
                place - first,
            ),
        }
    }
    Ok(())
}

/// What a `tile.apply` does to the storage of a word; PtxTileAccess of dialect.cpp.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// It reads it.
    pub reads: bool,
    /// It writes it.
    pub writes: bool,
}

/// The opcode and the number of words decide it, whichever form it is, as a test of the records shows; what fits no form
/// could do anything.
pub fn access(opcode: &str, words: usize, word: usize) -> Access {
    let fitting = opcode::read(opcode).unwrap_or_default();
    let of_count = fitting.iter().find(|variant| variant.form.words().count() == words);
    match of_count.and_then(|variant| Some((variant.instruction, variant.form.words().nth(word)?))) {
        Some((record, operand)) if operand.address => {
            Access { reads: record.reads_memory, writes: record.writes_memory }
        }
        Some((_, operand)) => Access { reads: !operand.written, writes: operand.written },
        None => Access { reads: true, writes: true },
    }
}

/// The words for a type that no register has.
pub fn no_register_type(found: &str) -> anyhow::Error {
    let advice = match found {
        "index" => "use i32 or i64",
        _ if found.starts_with("si") || found.starts_with("ui") => "use the signless type of its width",
        _ if found.starts_with("vector<") && found.contains("xf8") => {
            "use the integer of its width, i16 for two of 8 bits"
        }
        _ => "registers have 1, 8, 16, 32, 64 or 128 bits, and hold integers, floats and vectors of these (R70)",
    };
    anyhow!("type {} is no type of a register; {advice}", shortened(found))
}

/// `repeat (0, 1)` of a tile of this shape, by the number of the repeat.
pub fn repeat_name(number: usize, shape: &[i64]) -> String {
    let repeats = &shape[..shape.len() - 1];
    if repeats.is_empty() {
        "the repeat".into()
    } else {
        format!("repeat {}", coordinates(&unflatten(number, repeats)))
    }
}

/// `(0, 1)`.
pub fn coordinates(numbers: &[i64]) -> String {
    format!("({})", numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
}

/// The coordinates of a flat row-major index.
pub fn unflatten(flat: usize, shape: &[i64]) -> Vec<i64> {
    let mut rest = flat as i64;
    let mut coordinates: Vec<i64> = shape
        .iter()
        .rev()
        .map(|extent| {
            let coordinate = rest % extent;
            rest /= extent;
            coordinate
        })
        .collect();
    coordinates.reverse();
    coordinates
}

#[cfg(test)]
#[path = "legality_tests.rs"]
mod tests;

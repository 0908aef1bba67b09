//! Applications, single instructions, views and slices on any plain data: a verdict or a message, and what is accepted
//! is what the rules promise, found by counting.

use crate::any_layout::{Number, Numbers, places};
use crate::said::{self, holds};
use anyhow::Result as Verdict;
use arbitrary::{Arbitrary, Unstructured};
use ptx_tile_dialect::element::{Element, F8_NAMES, Scalar};
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Variant};
use ptx_tile_dialect::issue::{self, Issue};
use ptx_tile_dialect::layout::{Layout, M};
use ptx_tile_dialect::legality::{self, Application, Apply, Space, Tile, Word};
use ptx_tile_dialect::threads::{Narrowing, Scope};
use ptx_tile_dialect::tiles;
use std::collections::HashSet;

/// What is tested; a test of this puts something faulty there.
#[derive(Clone, Copy)]
pub struct Tested {
    /// Decides an application.
    pub apply: fn(&Apply) -> Verdict<Application>,
    /// Decides a view.
    pub view: fn(&Tile, &Tile) -> Verdict<()>,
    /// Decides a slice.
    pub slice: Slice,
}

type Slice = fn(&Tile, &[Option<i64>], &[i64], &Tile) -> Verdict<()>;

/// What is in the product.
pub const TESTED: Tested = Tested { apply: legality::apply, view: tiles::view, slice: tiles::slice };

/// The most elements that are counted one by one.
const SMALL: i64 = 4096;

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Apply(Application_),
    Issue(Single<'a>),
    View(AnyTile, AnyTile),
    Slice(AnyTile, Vec<(u8, u8)>, Option<AnyTile>),
    Where(Vec<Option<(i8, i8)>>),
}

/// An application that is legal as far as its choices are 0.
#[derive(Arbitrary, Debug)]
struct Application_ {
    record: u16,
    form: u16,
    tokens: u32,
    repeats: Vec<u8>,
    words: Vec<AnyWord>,
    scope: u8,
    predicated: bool,
    preserve_dst: bool,
    sink: Vec<i8>,
    inverted: bool,
    cache_policy: Option<bool>,
    opcode: Option<String>,
}

/// A choice of 0 is what fits.
#[derive(Arbitrary, Debug)]
struct AnyWord {
    kind: u8,
    element: u8,
    any_element: Option<AnyElement>,
    strides: Option<Vec<u8>>,
    last: Option<u8>,
    tile: Option<AnyTile>,
}

#[derive(Arbitrary, Debug)]
struct AnyTile {
    shape: Vec<Number>,
    element: AnyElement,
    space: u8,
    layout: Option<Numbers>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
struct AnyElement(u8, u32, Option<u8>);

#[derive(Arbitrary, Debug)]
struct Single<'a> {
    record: u16,
    form: u16,
    tokens: u32,
    modifiers: Option<&'a str>,
    fitting: bool,
    inputs: Vec<AnyElement>,
    results: Vec<AnyElement>,
    old: Vec<AnyElement>,
    predicated: bool,
    sink: Vec<i8>,
    offset: Option<i64>,
    inverted: bool,
    special: Option<&'a str>,
    symbol: bool,
}

/// Why bytes show a fault.
pub fn check(data: &[u8], tested: &Tested) -> Result<(), String> {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else { return Ok(()) };
    match input {
        Input::Apply(it) => it.check(tested),
        Input::Issue(it) => it.check(),
        Input::View(source, result) => view(&source, &result, tested),
        Input::Slice(source, region, result) => slice(&source, &region, result.as_ref(), tested),
        Input::Where(ranges) => {
            let range = |i: usize| {
                let (begin, end) = ranges.get(i).copied().flatten()?;
                Some(i64::from(begin)..i64::from(end))
            };
            let narrowing = Narrowing {
                lanes: range(0),
                warps: range(1),
                warps_in_group: range(2),
                warpgroups: range(3),
                ctas: range(4),
            };
            said(tiles::where_(&narrowing)).map(drop)
        }
    }
}

/// What was accepted, or that its message is one.
fn said<T>(verdict: Verdict<T>) -> Result<Option<T>, String> {
    match verdict {
        Ok(it) => Ok(Some(it)),
        Err(why) => said::check(&format!("{why:#}")).map(|()| None),
    }
}

impl AnyElement {
    /// As verifiers read it: something that a register holds.
    fn element(self) -> Element {
        let AnyElement(kind, number, lanes) = self;
        let scalar = match kind % 10 {
            0..4 => Scalar::Int([1, 8, 16, 32, 64, 128][number as usize % 6]),
            4 => Scalar::F16,
            5 => Scalar::Bf16,
            6 => Scalar::F32,
            7 => Scalar::F64,
            8 => Scalar::F8(F8_NAMES[number as usize % F8_NAMES.len()]),
            _ => Scalar::Ptr(number % 8),
        };
        let element = Element { scalar, lanes: lanes.map(|lanes| u32::from(lanes) % 17) };
        if element.is_register() { element } else { Element::of(scalar) }
    }
}

impl AnyTile {
    /// As verifiers read it: the layout admits the shape.
    fn tile(&self) -> Option<Tile> {
        let shape: Vec<i64> = self.shape.iter().take(5).map(|it| it.value()).collect();
        let layout = match &self.layout {
            None => Layout::row_major(&shape),
            Some(numbers) => numbers.layout(),
        };
        let layout = layout.ok()?;
        // Where the shape does not fit, that of one dimension does.
        let shape = if layout.admits(&shape).is_ok() { shape } else { vec![layout.size()] };
        let space = match self.space % 8 {
            0..4 => Space::Register,
            4 => Space::Memory(0),
            5 => Space::Memory(1),
            6 => Space::Memory(3),
            _ => Space::Memory(4),
        };
        Some(Tile { shape, element: self.element.element(), space, layout })
    }
}

/// A spelling by numbers.
fn spelling(record: u16, form: u16, tokens: u32) -> Variant {
    let instruction = &INSTRUCTIONS[usize::from(record) % INSTRUCTIONS.len()];
    let form = &instruction.forms[usize::from(form) % instruction.forms.len()];
    let mut left = tokens as usize;
    let tokens = form.positions.iter().map(|position| {
        let count = position.tokens.len() + usize::from(position.optional);
        let choice = left % count;
        left /= count;
        position.tokens.get(choice).copied()
    });
    Variant { instruction, form, tokens: tokens.collect() }
}

impl Application_ {
    fn check(&self, tested: &Tested) -> Result<(), String> {
        let variant = spelling(self.record, self.form, self.tokens);
        let opcode = self.opcode.clone().unwrap_or_else(|| variant.to_string());
        let repeats: Vec<i64> = self.repeats.iter().take(3).map(|it| i64::from(it % 6) + 1).collect();
        let names = ["thread", "warp", "warpgroup", "cta", "cluster"];
        let scope =
            Scope::named(names[usize::from(self.scope) % 5 * usize::from(self.scope < 128)]).expect("it is a name");
        let mut is_plain = self.opcode.is_none() && scope == Scope::Thread && variant.form.named().is_none();
        let mut words = vec![];
        let plain = AnyWord { kind: 0, element: 0, any_element: None, strides: None, last: None, tile: None };
        for (i, operand) in variant.form.words().enumerate() {
            let any = self.words.get(i).unwrap_or(&plain);
            let types: Vec<Element> = if operand.address {
                let width = variant.type_of(operand).width;
                [1, 8, 16, 32, 64, 128]
                    .into_iter()
                    .filter(|it| *it == width)
                    .map(|it| Element::of(Scalar::Int(it)))
                    .collect()
            } else {
                variant.type_of(operand).types.to_vec()
            };
            let element = types.get(usize::from(any.element) % types.len().max(1)).copied();
            let element = any.any_element.map(AnyElement::element).or(element).unwrap_or(Element::of(Scalar::Int(32)));
            is_plain &= any.any_element.is_none() && any.last.is_none() && any.tile.is_none() && !types.is_empty();
            if operand.constant || (any.kind >= 224 && !operand.written && !operand.address) {
                is_plain &= operand.constant || operand.registers == 1;
                words.push(Word::Scalar(element));
                continue;
            }
            if let Some(tile) = any.tile.as_ref().and_then(AnyTile::tile) {
                words.push(Word::Tile(tile));
                continue;
            }
            let last = any.last.map_or(i64::from(operand.registers), |last| 1 + i64::from(last % 5));
            let shape = [&repeats[..], &[last]].concat();
            let layout = match &any.strides {
                None => Layout::row_major(&shape),
                Some(strides) => {
                    let strides = (0..shape.len()).map(|i| strides.get(i).map_or(1, |it| i64::from(it % 9)));
                    Layout::strided(&shape, &strides.collect::<Vec<_>>(), 0)
                }
            };
            let Ok(layout) = layout else { return Ok(()) };
            let space = match (operand.address, variant.address_space()) {
                (true, Some(5)) | (false, _) => Space::Register,
                (true, Some(space)) => Space::Memory(space),
                (true, None) => Space::Memory(0),
            };
            words.push(Word::Tile(Tile { shape, element, space, layout }));
        }
        // In a load or a store every word is a tile (R33, R105).
        let in_memory = variant.form.operands.iter().any(|operand| operand.address);
        is_plain &= !in_memory || words.iter().all(|word| matches!(word, Word::Tile(_)));
        let sink: Vec<i64> = self.sink.iter().map(|it| i64::from(*it)).collect();
        is_plain &= sink.is_empty() && !self.preserve_dst && !self.inverted && self.cache_policy.is_none();
        is_plain &= !variant.instruction.collective;
        let apply = Apply {
            opcode: &opcode,
            words: &words,
            scope,
            predicated: self.predicated,
            preserve_dst: self.preserve_dst,
            sink: &sink,
            inverted: self.inverted,
            cache_policy: self.cache_policy.unwrap_or(variant.form.has_cache_policy()),
        };
        let verdict = (tested.apply)(&apply);
        let of = || format!("{apply:?}");
        if is_plain {
            let wanted = is_legal(&variant, &words);
            let found = verdict.as_ref().err().map(|why| format!("{why:#}"));
            holds!(found.is_none() == wanted, "{}: wanted {wanted}, found {found:?}", of());
        }
        let Some(found) = said(verdict)? else { return Ok(()) };
        promised(&apply, &found).map_err(|why| format!("{}: {why}", of()))
    }
}

/// Of tiles of the right types: nothing is written twice, and what an instruction moves is consecutive.
fn is_legal(variant: &Variant, words: &[Word]) -> bool {
    words.iter().zip(variant.form.words()).all(|(word, operand)| match word {
        Word::Scalar(_) => true,
        Word::Tile(tile) if operand.address => is_consecutive(tile, operand.registers),
        Word::Tile(tile) => !operand.written || is_distinct(tile, |_| true),
    })
}

fn slots(tile: &Tile) -> Vec<i64> {
    places(&tile.layout).iter().map(|place| place[M as usize]).collect()
}

fn is_distinct(tile: &Tile, is_written: impl Fn(usize) -> bool) -> bool {
    let mut seen = HashSet::new();
    slots(tile).into_iter().enumerate().filter(|(flat, _)| is_written(*flat)).all(|(_, slot)| seen.insert(slot))
}

fn is_consecutive(tile: &Tile, count: u32) -> bool {
    slots(tile).chunks(count as usize).all(|group| group.windows(2).all(|pair| pair[1] == pair[0] + 1))
}

/// What the rules promise of what is accepted.
fn promised(apply: &Apply, found: &Application) -> Result<(), String> {
    let Application { variant, repeats } = found;
    let operands: Vec<_> = variant.form.words().collect();
    holds!(operands.len() == apply.words.len(), "{variant} has {} words (R6)", operands.len());
    holds!(apply.predicated || !apply.preserve_dst, "it preserves without a predicate (R78)");
    holds!(apply.sink.is_sorted_by(|a, b| a < b), "sink does not ascend (R94)");
    holds!(apply.cache_policy == variant.form.has_cache_policy(), "{variant} and its policy differ (R111)");
    let (mut shapes, mut first_sinkable) = (vec![], 0);
    for (operand, word) in operands.into_iter().zip(apply.words) {
        let Word::Tile(tile) = word else {
            holds!(
                !operand.written && !operand.address && operand.registers == 1,
                "a scalar at ({}) (R33)",
                operand.name
            );
            continue;
        };
        let last = tile.shape.last().copied();
        holds!(last == Some(i64::from(operand.registers)), "the last extent at ({}) is {last:?} (R15)", operand.name);
        shapes.push(tile.shape[..tile.shape.len() - 1].to_vec());
        holds!(tile.layout.replica().is_empty(), "({}) has copies (R48)", operand.name);
        let width = tile.element.width();
        let wanted = variant.type_of(operand);
        holds!(
            width == wanted.width || (wanted.maybe_wider && width > wanted.width),
            "({}) has width {width}",
            operand.name
        );
        let is_own = tile.layout.thread_axes().next().is_none();
        holds!(
            is_own || (apply.scope != Scope::Thread && !operand.address),
            "({}) names threads (R58, R60)",
            operand.name
        );
        if operand.address {
            let is_small = tile.size() <= SMALL;
            holds!(
                !is_small || is_consecutive(tile, operand.registers),
                "({}) is not consecutive (R112)",
                operand.name
            );
        } else {
            holds!(
                tile.space == Space::Register && tile.layout.swizzle().is_none(),
                "({}) is no register",
                operand.name
            );
        }
        let sinkable = if operand.sink { operand.values() as i64 } else { 0 };
        if operand.written && apply.scope == Scope::Thread && tile.size() <= SMALL {
            let group = operand.registers as usize;
            let is_written =
                |flat: usize| sinkable == 0 || !apply.sink.contains(&(first_sinkable + (flat % group) as i64));
            holds!(is_distinct(tile, is_written), "({}) is written twice (R61)", operand.name);
            let span = tile.layout.span(M);
            holds!(slots(tile).iter().all(|slot| (0..span).contains(slot)), "({}) leaves its registers", operand.name);
        }
        first_sinkable += sinkable;
    }
    holds!(apply.sink.iter().all(|word| (0..first_sinkable).contains(word)), "sink names what there is not (R94)");
    holds!(shapes.windows(2).all(|pair| pair[0] == pair[1]), "repeats differ: {shapes:?} (R17)");
    let group = match apply.scope {
        Scope::Thread => 0,
        Scope::Warp => 1,
        Scope::Warpgroup | Scope::Cta => 2,
        Scope::Cluster => 3,
    } - usize::from(variant.instruction.collective);
    let wanted = shapes.first().map(|shape| shape[group..].iter().product::<i64>());
    holds!(Some(*repeats) == wanted, "{repeats} repeats, wanted {wanted:?} (R82)");
    Ok(())
}

impl Single<'_> {
    fn check(&self) -> Result<(), String> {
        let variant = spelling(self.record, self.form, self.tokens);
        let written = variant.modifiers();
        let of = |list: &[AnyElement]| list.iter().map(|it| it.element()).collect::<Vec<_>>();
        let (mut inputs, mut results) = (of(&self.inputs), of(&self.results));
        if self.fitting {
            let types = variant.form.operands.iter().flat_map(|operand| {
                let element = match operand.address {
                    true => Some(Element::of(Scalar::Ptr(variant.address_space().unwrap_or(0)))),
                    false => variant.type_of(operand).types.first().copied(),
                };
                (0..operand.values()).filter_map(move |_| Some((operand.written, element?)))
            });
            let (all, read): (Vec<_>, Vec<_>) = types.partition(|(written, _)| *written);
            let element = |list: Vec<(bool, Element)>| list.into_iter().map(|(_, element)| element).collect::<Vec<_>>();
            (results, inputs) = (element(all), element(read));
            results.truncate(results.len().saturating_sub(self.sink.len()));
        }
        let (old, sink) = (of(&self.old), self.sink.iter().map(|it| i64::from(*it)).collect::<Vec<_>>());
        let issue = Issue {
            mnemonic: variant.instruction.mnemonic,
            modifiers: self.modifiers.unwrap_or(&written),
            inputs: &inputs,
            results: &results,
            old: &old,
            predicated: self.predicated,
            sink: &sink,
            offset: self.offset,
            inverted: self.inverted,
            special: self.special,
            symbol: self.symbol,
        };
        let verdict = issue::decide(&issue);
        let is_plain = self.fitting
            && self.modifiers.is_none()
            && variant.form.named().is_none()
            && old.is_empty()
            && sink.is_empty()
            && self.offset.is_none()
            && !self.inverted
            && self.special.is_none()
            && !self.symbol;
        if is_plain && let Err(why) = &verdict {
            return Err(format!("{issue:?}: wanted legal, found {why:#}"));
        }
        let Some((found, special)) = said(verdict)? else { return Ok(()) };
        let counts = found.form.values();
        holds!(
            counts == (results.len() + sink.len(), inputs.len()),
            "{issue:?} is {found}, which has {counts:?} values"
        );
        holds!(special.is_some() == self.special.is_some(), "{issue:?} reads {special:?}");
        holds!(old.is_empty() || (self.predicated && old == results), "{issue:?} preserves what it should not (R78)");
        holds!(
            sink.is_sorted_by(|a, b| a < b) && (sink.is_empty() || !results.is_empty()),
            "{issue:?} sinks all (R94)"
        );
        Ok(())
    }
}

/// Each bit of the result is one of the source (R53).
fn view(source: &AnyTile, result: &AnyTile, tested: &Tested) -> Result<(), String> {
    let (Some(source), Some(result)) = (source.tile(), result.tile()) else { return Ok(()) };
    for tile in [&source, &result] {
        said(tiles::alloc(tile))?;
    }
    if said((tested.view)(&source, &result))?.is_none() || source.size().max(result.size()) > SMALL {
        return Ok(());
    }
    let is_spread = |tile: &Tile| tile.layout.thread_axes().next().is_some();
    let bits = |tile: &Tile| {
        let width = i128::from(tile.element.width());
        let slots = slots(tile).into_iter().map(i128::from);
        slots.flat_map(move |slot| (0..width).map(move |bit| slot * width + bit)).collect::<HashSet<_>>()
    };
    if !is_spread(&source) && !is_spread(&result) {
        holds!(bits(&result).is_subset(&bits(&source)), "{result:?} is more than {source:?}");
    }
    Ok(())
}

/// Each element of the result lies where the source has it (R20, R21).
fn slice(source: &AnyTile, region: &[(u8, u8)], result: Option<&AnyTile>, tested: &Tested) -> Result<(), String> {
    let Some(source) = source.tile() else { return Ok(()) };
    let region = source.shape.iter().enumerate().map(|(i, size)| {
        let (begin, extent) = region.get(i).copied().unwrap_or((0, 255));
        let begin = i64::from(begin) % size;
        (begin, if extent == 255 { size - begin } else { 1 + i64::from(extent) % (size - begin) })
    });
    let (begins, extents): (Vec<i64>, Vec<i64>) = region.unzip();
    let result = match result {
        Some(result) => result.tile(),
        None => source.layout.slice(&source.shape, &begins, &extents).ok().map(|layout| Tile {
            shape: extents.clone(),
            layout,
            ..source.clone()
        }),
    };
    let Some(result) = result else { return Ok(()) };
    let known: Vec<Option<i64>> = begins.iter().copied().map(Some).collect();
    let found = said((tested.slice)(&source, &known, &extents, &result))?;
    said(tiles::element(&source, &known))?;
    said(tiles::slice(&source, &vec![None; begins.len()], &extents, &result))?;
    if found.is_none() || source.size() > SMALL || source.layout.has_dynamic_offset() {
        return Ok(());
    }
    let of = || format!("{source:?} from {begins:?} as {result:?}");
    holds!(result.shape == extents && result.element == source.element, "{}: shapes or elements differ", of());
    let (whole, part) = (places(&source.layout), places(&result.layout));
    for (flat, place) in part.iter().enumerate() {
        let at = legality::unflatten(flat, &extents);
        let at = at.iter().zip(&begins).zip(&source.shape).fold(0, |all, ((at, begin), size)| all * size + at + begin);
        holds!(whole[at as usize] == *place, "{}: element {flat} lies elsewhere", of());
    }
    Ok(())
}

//! Random tile programs that are legal: any list of numbers is one.
//!
//! - A program is a list of statements, each a few numbers that choose among what is legal where the statement stands.
//!   So it shrinks as a list does, and what it shrinks to is legal too.
//! - Instructions come from the table: every variant of every record that has semantics and works on registers and global
//!   memory. Tiles have every element type of these, and layouts of every kind.
//! - What is undefined never decides: predicates, bounds and indices come from arguments, thread ids and loops.
//! - Before it goes out of scope every tile is written to memory, element by element.

#[path = "control.rs"]
mod control;

use crate::tile::{Choices, Tile, bytes, gapped, indices_of, split, strided, transposed};
use control::Scope;
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction, Operand, Variant};
use ptx_tile_dialect::layout::{Layout, M, Swizzle};
use std::fmt::Write;

/// The numbers of a statement.
pub type Statement = [u16; 24];

/// The threads that run a program.
pub const THREADS: u32 = 2;

/// A memory argument of a program.
#[derive(Clone, Debug)]
pub struct Memory {
    /// In bytes.
    pub size: usize,
    /// What its argument says.
    pub alignment: u64,
}

/// A program whose kernel takes an i32, an i64 and two i1, and then memory.
#[derive(Clone, Debug)]
pub struct Program {
    /// MLIR, with one kernel. Lines that name `%dump` only write what tiles hold.
    pub text: String,
    /// The arguments after the first four.
    pub memory: Vec<Memory>,
}

#[derive(Default)]
struct Generator {
    body: String,
    memory: Vec<(Tile, Memory)>,
    tiles: Vec<Tile>,
    scalars: Vec<(String, Element)>,
    preds: Vec<String>,
    /// Values of type index with the largest that they may be.
    indices: Vec<(String, i64)>,
    scopes: Vec<Scope>,
    count: usize,
}

const I32: Element = Element::of(Scalar::Int(32));

/// The program of a list of statements.
pub fn program(statements: &[Statement]) -> Program {
    let mut generator = Generator {
        scalars: vec![("%s0".into(), I32), ("%s1".into(), Element::of(Scalar::Int(64)))],
        preds: vec!["%p0".into(), "%p1".into(), "%pt".into()],
        indices: vec![("%tid".into(), i64::from(THREADS) - 1)],
        ..Generator::default()
    };
    for statement in statements {
        generator.statement(&mut Choices(statement));
    }
    generator.finish()
}

/// What may be generated: the variants that the executor knows.
fn variants() -> Vec<Variant> {
    let known = INSTRUCTIONS.iter().filter(|instruction| instruction.semantics.is_some());
    // Named sources are no tiles.
    let all = known.flat_map(Instruction::variants).filter(|variant| variant.form.named().is_none());
    let fits = |variant: &Variant| {
        let addresses = variant.form.operands.iter().filter(|operand| operand.address).count();
        addresses == 0 || variant.address_space() == Some(1)
    };
    all.filter(fits).collect()
}

fn elements(operand: &Operand, variant: &Variant) -> Vec<Element> {
    let all = variant.type_of(operand).types.iter();
    all.filter(|element| !matches!(element.scalar, Scalar::Ptr(_))).copied().collect()
}

impl Generator {
    fn statement(&mut self, choices: &mut Choices) {
        match choices.below(26) {
            0..=9 => self.apply(choices),
            10 => {
                let variants = variants();
                let Some(variant) = choices.of(&variants) else { return };
                let Some(operand) = variant.form.operands.iter().find(|operand| !operand.address) else { return };
                let Some(element) = choices.of(&elements(operand, &variant)) else { return };
                let shape = [self.repeats(choices), vec![operand.registers.into()]].concat();
                self.fresh(shape, element, false, choices);
            }
            11 | 12 => self.slice(choices),
            13 | 14 => self.view(choices),
            15 => self.read(choices),
            16 | 17 => self.write(choices),
            18 => self.open_for(choices),
            19 => self.open_if(choices),
            20 => self.open_branch(choices),
            21 => self.open_loop(choices),
            22 if choices.once_in(2) => self.open_region(),
            22 => self.open_while(choices),
            _ => self.close_or_turn(),
        }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("%{prefix}{}", self.count)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.body, "    {text}").expect("a String takes all");
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Tiles
    //===--------------------------------------------------------------------------------------------------------===//

    fn repeats(&mut self, choices: &mut Choices) -> Vec<i64> {
        const SHAPES: [&[i64]; 8] = [&[2], &[4], &[], &[1], &[3], &[2, 2], &[2, 3], &[3, 1, 2]];
        if choices.once_in(2)
            && let Some(tile) = choices.of(&self.tiles)
        {
            return tile.shape[..tile.shape.len() - 1].to_vec();
        }
        SHAPES[choices.below(SHAPES.len())].to_vec()
    }

    /// A new tile of registers, or a new argument that is memory.
    fn fresh(&mut self, shape: Vec<i64>, element: Element, is_memory: bool, choices: &mut Choices) -> Tile {
        let group = shape[shape.len() - 1];
        let (layout, is_strided) = match choices.below(if is_memory { 3 } else { 5 }) {
            1 => (gapped(&shape, is_memory, choices), true),
            2 if !is_memory => (split(&shape, true, choices), false),
            3 => {
                // Sources only: all repeats read the same registers.
                let strides: Vec<i64> = (0..shape.len()).map(|axis| (axis + 1 == shape.len()).into()).collect();
                (Layout::strided(&shape, &strides, 0).expect("it is legal"), true)
            }
            _ => (Layout::row_major(&shape).expect("it is legal"), true),
        };
        let name = self.name(if is_memory { "m" } else { "t" });
        let mut tile = Tile { name, shape, element, is_memory, layout, is_strided, in_groups: true, is_view: false };
        if is_memory {
            let size = tile.layout.span(M) as usize * bytes(element);
            self.memory.push((tile.clone(), Memory { size, alignment: 16 }));
            let count = tile.size();
            if choices.once_in(3) && tile.is_row_major() && group == 1 {
                // Another order of the same elements.
                let layout = match count.count_ones() == 1 && count >= 4 {
                    true => Layout::row_major(&tile.shape)
                        .and_then(|its| {
                            its.with_swizzle(Swizzle { per_element: 0, swizzle: 1, atom: 1, outer: choices.once_in(2) })
                        })
                        .expect("it is legal"),
                    false => split(&tile.shape, false, choices),
                };
                let view = Tile { name: self.name("v"), layout, is_strided: false, is_view: true, ..tile.clone() };
                self.line(&format!("{} = tile.view {} : {} to {}", view.name, tile.name, tile.text(), view.text()));
                tile = view;
            }
        } else {
            let made = if choices.once_in(8) && tile.is_strided && tile.is_row_major() {
                "memref.alloca()"
            } else {
                "tile.alloc"
            };
            self.line(&format!("{} = {made} : {}", tile.name, tile.text()));
            if !choices.once_in(4) {
                for indices in indices_of(&tile) {
                    let value = self.constant(element);
                    self.line(&format!("tile.write {value}, {}[{indices}] : {}", tile.name, tile.text()));
                }
            }
        }
        self.tiles.push(tile.clone());
        tile
    }

    fn slice(&mut self, choices: &mut Choices) {
        let Some(of) = choices.of(&self.tiles) else { return };
        let (mut begins, mut extents) = (vec![], vec![]);
        for (axis, size) in of.shape.iter().enumerate() {
            // Groups in memory stay whole.
            let whole = axis + 1 == of.shape.len() && of.is_memory;
            let extent = if whole { *size } else { 1 + choices.below(*size as usize) as i64 };
            begins.push(choices.below((size - extent) as usize + 1) as i64);
            extents.push(extent);
        }
        let Ok(layout) = of.layout.slice(&of.shape, &begins, &extents) else { return };
        if of.is_strided && layout.shard().len() != extents.len() {
            return;
        }
        let name = self.name("s");
        let tile = Tile { name, shape: extents.clone(), layout, ..of.clone() };
        if of.is_strided && !(of.is_memory && of.is_view) && choices.once_in(2) {
            let ones = vec![1; extents.len()];
            let shape: String = extents.iter().map(|extent| format!("{extent}x")).collect();
            let space = if tile.is_memory { "1" } else { "#gpu.address_space<private>" };
            let r#type = format!("memref<{shape}{}, {}, {space}>", tile.element, strided(&tile.layout));
            self.line(&format!(
                "{}u = memref.subview {}{begins:?} {extents:?} {ones:?} : {} to {type}",
                tile.name,
                of.name,
                of.text()
            ));
            let its = match r#type == tile.text() {
                true => Tile { name: format!("{}u", tile.name), ..tile },
                false => {
                    self.line(&format!("{} = tile.view {}u : {type} to {}", tile.name, tile.name, tile.text()));
                    Tile { is_view: true, ..tile }
                }
            };
            self.tiles.push(its);
        } else {
            let (from, to) = (of.text(), tile.text());
            self.line(&format!("{} = tile.slice {}{begins:?} {extents:?} : {from} to {to}", tile.name, of.name));
            self.tiles.push(Tile { is_view: true, ..tile });
        }
    }

    /// The same bits as elements of another width, shape or order.
    fn view(&mut self, choices: &mut Choices) {
        let dense: Vec<Tile> =
            self.tiles.iter().filter(|tile| tile.is_row_major() && tile.is_strided).cloned().collect();
        let Some(of) = choices.of(&dense) else { return };
        let bits = of.size() * i64::from(of.element.width());
        let variants = variants();
        let all: Vec<Element> = variants
            .iter()
            .flat_map(|variant| variant.form.operands.iter().flat_map(|operand| elements(operand, variant)))
            .collect();
        let fits = |element: &&Element| {
            let width = i64::from(element.width());
            (width == of.element.width().into() || (width % 8 == 0 && of.element.width() % 8 == 0)) && bits % width == 0
        };
        let Some(element) = choices.of(&all.iter().filter(fits).copied().collect::<Vec<_>>()) else { return };
        let count = bits / i64::from(element.width());
        let groups: Vec<i64> = [1, 2, 4].into_iter().filter(|group| count % group == 0).collect();
        let group = choices.of(&groups).expect("there is 1");
        let left = count / group;
        let shape = match left % 2 == 0 && choices.once_in(2) {
            true => vec![2, left / 2, group],
            false => vec![left, group],
        };
        let (layout, is_strided) = match choices.below(3) {
            1 if !of.is_memory || group == 1 => (split(&shape, false, choices), false),
            2 if !of.is_memory => (transposed(&shape), true),
            _ => (Layout::row_major(&shape).expect("it is legal"), true),
        };
        let tile = Tile { name: self.name("v"), shape, element, layout, is_strided, is_view: true, ..of.clone() };
        self.line(&format!("{} = tile.view {} : {} to {}", tile.name, of.name, of.text(), tile.text()));
        self.tiles.push(tile);
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Instructions
    //===--------------------------------------------------------------------------------------------------------===//

    fn apply(&mut self, choices: &mut Choices) {
        let variants = variants();
        let variant = choices.of(&variants).expect("there are records with semantics");
        let repeats = self.repeats(choices);
        let has_address = variant.form.operands.iter().any(|operand| operand.address);
        let (mut words, mut types) = (vec![], vec![]);
        for operand in variant.form.operands {
            let may_be_scalar = !operand.written && !has_address && operand.registers == 1;
            if may_be_scalar && choices.once_in(4) {
                let element = choices.of(&elements(operand, &variant)).expect("a type has types");
                words.push(self.scalar(element, choices));
                types.push(element.to_string());
            } else {
                let tile = self.operand(&variant, operand, &repeats, choices);
                words.push(tile.name.clone());
                types.push(tile.text());
            }
        }
        let mut clauses = String::new();
        if choices.once_in(3) {
            let pred = choices.of(&self.preds).expect("there are predicates");
            let not = if choices.once_in(2) { "not " } else { "" };
            write!(clauses, " pred({not}{pred})").expect("a String takes all");
            if variant.form.operands.iter().any(|operand| operand.written) && choices.once_in(2) {
                clauses += " preserve_dst";
            }
        }
        if let Some(group) = variant.form.operands.iter().find(|operand| operand.sink)
            && choices.once_in(2)
        {
            let mask = 1 + choices.below((1 << group.registers) - 2);
            let sunk: Vec<u32> = (0..group.registers).filter(|word| mask >> word & 1 == 1).collect();
            write!(clauses, " sink {sunk:?}").expect("a String takes all");
        }
        let (words, types) = (words.join(", "), types.join(", "));
        self.line(&format!("tile.apply \"{variant}\"({words}){clauses} : {types}"));
    }

    /// A tile for an operand: one that is there, or a new one.
    fn operand(&mut self, variant: &Variant, operand: &Operand, repeats: &[i64], choices: &mut Choices) -> Tile {
        let shape = [repeats, &[operand.registers.into()]].concat();
        let r#type = variant.type_of(operand);
        let fits = |tile: &&Tile| {
            tile.shape == shape
                && tile.is_memory == operand.address
                && (!operand.address || (tile.in_groups && tile.element.width() == r#type.width))
                && (operand.address || r#type.takes(tile.element))
                && (!operand.written || tile.layout.surely_injective())
        };
        let fitting: Vec<Tile> = self.tiles.iter().filter(fits).cloned().collect();
        if !choices.once_in(5)
            && let Some(tile) = choices.of(&fitting)
        {
            return tile;
        }
        let element = choices.of(&elements(operand, variant)).expect("a type has types");
        let tile = self.fresh(shape, element, operand.address, choices);
        match operand.written && !tile.layout.surely_injective() {
            true => self.fresh(tile.shape, element, operand.address, &mut Choices(&[])),
            false => tile,
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Scalars
    //===--------------------------------------------------------------------------------------------------------===//

    /// A scalar of a type: one that is there, or a constant.
    fn scalar(&mut self, element: Element, choices: &mut Choices) -> String {
        let fitting: Vec<_> = self.scalars.iter().filter(|scalar| scalar.1 == element).cloned().collect();
        if !choices.once_in(2)
            && let Some((name, _)) = choices.of(&fitting)
        {
            return name;
        }
        self.constant(element)
    }

    /// A constant unlike the others.
    fn constant(&mut self, element: Element) -> String {
        let (width, name) = (element.width(), self.name("k"));
        let bits = (self.count as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(self.count as u32);
        let number = if width >= 64 { bits as i64 } else { (bits as i64) << (64 - width) >> (64 - width) };
        let cast = match element.scalar {
            Scalar::Int(_) if element.lanes.is_none() => None,
            Scalar::F8(_) => Some("arith.bitcast"),
            _ => Some("llvm.bitcast"),
        };
        let raw = if cast.is_some() { format!("{name}b") } else { name.clone() };
        match width {
            1 => self.line(&format!("{raw} = arith.constant {}", number != 0)),
            _ => self.line(&format!("{raw} = arith.constant {number} : i{width}")),
        }
        if let Some(cast) = cast {
            self.line(&format!("{name} = {cast} {raw} : i{width} to {element}"));
        }
        name
    }

    /// An element of a tile of registers: its indices as text, whether all are constants.
    fn indices(&mut self, tile: &Tile, choices: &mut Choices) -> Vec<String> {
        let mut indices = vec![];
        for extent in &tile.shape {
            let dynamic: Vec<_> = self.indices.iter().filter(|(_, most)| most < extent).cloned().collect();
            indices.push(match choices.once_in(4) && !dynamic.is_empty() {
                true => choices.of(&dynamic).expect("there is one").0,
                false => choices.below(*extent as usize).to_string(),
            });
        }
        indices
    }

    /// The same for an op that takes values only.
    fn index_values(&mut self, indices: &[String]) -> String {
        let mut values = vec![];
        for index in indices {
            values.push(match index.starts_with('%') {
                true => index.clone(),
                false => {
                    let name = self.name("i");
                    self.line(&format!("{name} = arith.constant {index} : index"));
                    name
                }
            });
        }
        values.join(", ")
    }

    fn register_tile(&self, choices: &mut Choices) -> Option<Tile> {
        choices.of(&self.tiles.iter().filter(|tile| !tile.is_memory).cloned().collect::<Vec<_>>())
    }

    fn read(&mut self, choices: &mut Choices) {
        let Some(tile) = self.register_tile(choices) else { return };
        let indices = self.indices(&tile, choices);
        let name = self.name("e");
        if tile.is_strided && choices.once_in(3) {
            let values = self.index_values(&indices);
            self.line(&format!("{name} = memref.load {}[{values}] : {}", tile.name, tile.text()));
        } else {
            self.line(&format!("{name} = tile.read {}[{}] : {}", tile.name, indices.join(", "), tile.text()));
        }
        self.scalars.push((name.clone(), tile.element));
        if matches!(tile.element, Element { scalar: Scalar::Int(_), lanes: None }) {
            let other = self.scalar(tile.element, choices);
            let sum = self.name("e");
            let op = if choices.once_in(2) { "arith.xori" } else { "arith.addi" };
            self.line(&format!("{sum} = {op} {name}, {other} : {}", tile.element));
            self.scalars.push((sum, tile.element));
        }
    }

    fn write(&mut self, choices: &mut Choices) {
        let Some(tile) = self.register_tile(choices) else { return };
        let value = self.scalar(tile.element, choices);
        let indices = self.indices(&tile, choices);
        if tile.is_strided && choices.once_in(3) {
            let values = self.index_values(&indices);
            self.line(&format!("memref.store {value}, {}[{values}] : {}", tile.name, tile.text()));
        } else {
            self.line(&format!("tile.write {value}, {}[{}] : {}", tile.name, indices.join(", "), tile.text()));
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // The whole
    //===--------------------------------------------------------------------------------------------------------===//

    fn finish(mut self) -> Program {
        while !self.scopes.is_empty() {
            self.close_or_turn();
        }
        self.dump_from(0);
        let scalars = self.scalars.iter().filter(|(_, element)| *element == I32).map(|(name, _)| name.clone());
        for name in scalars.collect::<Vec<_>>() {
            let out = self.output(I32, 1);
            self.line(&format!("memref.store {name}, {}[%tid, %c0] : {}", out.name, out.text()));
        }
        let memory = self.memory.iter().map(|(tile, memory)| {
            format!("%{}: {} {{llvm.align = {} : i64}}", &tile.name[1..], tile.text(), memory.alignment)
        });
        let arguments = ["%s0: i32".to_string(), "%s1: i64".into(), "%p0: i1".into(), "%p1: i1".into()];
        let arguments = arguments.into_iter().chain(memory).collect::<Vec<_>>().join(", ");
        let constants: String = (0..4).map(|i| format!("    %c{i} = arith.constant {i} : index\n")).collect();
        let text = format!(
            "gpu.module @m {{\n  gpu.func @k({arguments}) kernel {{\n{constants}    %tid = gpu.thread_id x\n    %pt = \
             arith.cmpi eq, %tid, %c0 : index\n{}    gpu.return\n  }}\n}}\n",
            self.body
        );
        Program { text, memory: self.memory.into_iter().map(|(_, memory)| memory).collect() }
    }

    /// Memory for `count` elements of each thread.
    fn output(&mut self, element: Element, count: i64) -> Tile {
        let shape = vec![THREADS.into(), count];
        let layout = Layout::row_major(&shape).expect("it is legal");
        let tile = Tile {
            name: self.name("o"),
            shape,
            element,
            is_memory: true,
            layout,
            is_strided: true,
            in_groups: false,
            is_view: false,
        };
        let size = tile.size() as usize * bytes(element);
        self.memory.push((tile.clone(), Memory { size, alignment: 16 }));
        tile
    }

    /// Writes the tiles to memory that were made since there were so many.
    fn dump_from(&mut self, first: usize) {
        let registers: Vec<Tile> = self.tiles[first..].iter().filter(|tile| !tile.is_memory).cloned().collect();
        registers.iter().for_each(|tile| self.dump(tile));
    }

    /// Writes every element of a tile to memory.
    fn dump(&mut self, tile: &Tile) {
        let out = self.output(tile.element, tile.size());
        for (flat, indices) in indices_of(tile).into_iter().enumerate() {
            let (name, at) = (self.name("dump"), self.name("dumpat"));
            self.line(&format!("{name} = tile.read {}[{indices}] : {}", tile.name, tile.text()));
            self.line(&format!("{at} = arith.constant {flat} : index"));
            self.line(&format!("memref.store {name}, {}[%tid, {at}] : {}", out.name, out.text()));
        }
    }
}

//! Random tile programs that are legal: any list of numbers is one.
//!
//! - A program is a list of statements, each a few numbers that choose among what is legal where the statement stands.
//!   So it shrinks as a list does, and what it shrinks to is legal too.
//! - Instructions come from the table: every variant of every record that has semantics and works on registers and
//!   global, shared and local memory. Tiles have every element type of these, and layouts of every kind.
//! - What is undefined never decides: predicates, bounds and indices come from arguments, thread ids and loops.
//! - Before it goes out of scope every tile is written to memory, element by element.

#[path = "begins.rs"]
mod begins;
#[path = "control.rs"]
mod control;
#[path = "shared.rs"]
mod shared;

use crate::tile::{Choices, Space, Tile, bytes, gapped, indices_of, split};
use begins::Index;
use control::Scope;
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{Form, INSTRUCTIONS, Instruction, Operand, Position, PtxType, TokenKind, Variant};
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
    /// Bytes of shared memory that the launch gives.
    pub dynamic_shared: u64,
}

#[derive(Default)]
struct Generator {
    body: String,
    memory: Vec<(Tile, Memory)>,
    tiles: Vec<Tile>,
    scalars: Vec<(String, Element)>,
    preds: Vec<String>,
    /// Values of type index.
    indices: Vec<Index>,
    /// Variables of the module.
    globals: String,
    /// Shared memory that the kernel asks for.
    attributions: Vec<String>,
    /// Bytes of it that the launch gives.
    dynamic_shared: u64,
    scopes: Vec<Scope>,
    count: usize,
    /// Every instruction may run for some arguments.
    is_live: bool,
    /// Bits of an argument that have become conditions.
    conditions: usize,
}

/// Of memory, in bytes: what the longest vectors ask for.
const ALIGNMENT: u64 = 32;
const I32: Element = Element::of(Scalar::Int(32));

/// The program of a list of statements.
pub fn program(statements: &[Statement]) -> Program {
    made(statements, false)
}

/// One whose instructions may all run for some arguments: no loop has no rounds, and no condition is
/// decided by another or by a loop.
pub fn live(statements: &[Statement]) -> Program {
    made(statements, true)
}

fn made(statements: &[Statement], is_live: bool) -> Program {
    let mut generator = Generator {
        is_live,
        scalars: vec![("%s0".into(), I32), ("%s1".into(), Element::of(Scalar::Int(64)))],
        preds: vec!["%p0".into(), "%p1".into(), "%pt".into()],
        indices: vec![Index { name: "%tid".into(), most: i64::from(THREADS) - 1, is_static: false }],
        ..Generator::default()
    };
    for statement in statements {
        generator.statement(&mut Choices(statement));
    }
    generator.finish()
}

/// Whether the executor knows a form, whose sources are tiles.
pub fn is_executed(form: &&'static Form) -> bool {
    form.semantics.is_some() && form.named().is_none()
}

/// An instruction that the executor knows: any form of any mnemonic, with any tokens.
fn variant(choices: &mut Choices) -> Variant {
    let known: Vec<&Instruction> =
        INSTRUCTIONS.iter().filter(|instruction| instruction.forms.iter().any(|form| is_executed(&form))).collect();
    let instruction = choices.of(&known).expect("there are records with semantics");
    let forms: Vec<&Form> = instruction.forms.iter().filter(is_executed).collect();
    let form = choices.of(&forms).expect("it has one");
    let token = |position: &Position| match choices.below(position.tokens.len() + usize::from(position.optional)) {
        index if index < position.tokens.len() => Some(position.tokens[index]),
        _ => None,
    };
    Variant { instruction, form, tokens: form.positions.iter().map(token).collect() }
}

/// The types that operands of instructions have.
fn register_types() -> Vec<Element> {
    let forms = || INSTRUCTIONS.iter().flat_map(|instruction| instruction.forms);
    let tokens = forms().flat_map(|form| form.positions).flat_map(|position| position.tokens);
    let in_opcodes = tokens.filter_map(|token| if let TokenKind::Type(its) = token.kind { Some(its) } else { None });
    let own = forms().flat_map(|form| form.operands).filter_map(|operand| operand.own_type());
    let mut types: Vec<Element> = vec![];
    for element in in_opcodes.chain(own).flat_map(values) {
        if !types.contains(&element) {
            types.push(element);
        }
    }
    types
}

/// The types of a PTX type that are no pointers.
fn values(r#type: &PtxType) -> Vec<Element> {
    r#type.types.iter().filter(|element| !matches!(element.scalar, Scalar::Ptr(_))).copied().collect()
}

/// Where the memory of a load or store is; registers are local memory.
pub fn space_of(variant: &Variant) -> Option<Space> {
    match variant.address_space()? {
        1 => Some(Space::Global),
        3 => Some(Space::Shared),
        5 => Some(Space::Registers),
        _ => None,
    }
}

/// Clauses that an application may have: a predicate, a destination that is kept, words that are sunk.
pub fn clauses(variant: &Variant, preds: &[String], choices: &mut Choices) -> String {
    let mut clauses = String::new();
    if choices.once_in(3) {
        let pred = choices.of(preds).expect("there are predicates");
        let not = if choices.once_in(2) { "not " } else { "" };
        write!(clauses, " pred({not}{pred})").expect("a String takes all");
        if variant.form.operands.iter().any(|operand| operand.written) && choices.once_in(2) {
            clauses += " preserve_dst";
        }
    }
    let (sinkable, written) = (variant.form.sinkable(), variant.form.values().0);
    if sinkable > 0 && choices.once_in(2) {
        // Not all that is written.
        let mask = 1 + choices.below((1 << sinkable) - if sinkable == written { 2 } else { 1 });
        let sunk: Vec<usize> = (0..sinkable).filter(|word| mask >> word & 1 == 1).collect();
        write!(clauses, " sink {sunk:?}").expect("a String takes all");
    }
    clauses
}

/// The types that a value of an operand may have.
pub fn elements(operand: &Operand, variant: &Variant) -> Vec<Element> {
    values(variant.type_of(operand))
}

impl Generator {
    fn statement(&mut self, choices: &mut Choices) {
        match choices.below(31) {
            0..=9 => self.apply(choices),
            10 => {
                let variant = variant(choices);
                let Some(operand) = variant.form.operands.iter().find(|operand| !operand.address) else { return };
                let Some(element) = choices.of(&elements(operand, &variant)) else { return };
                let shape = [self.repeats(choices), vec![operand.registers.into()]].concat();
                self.fresh(shape, element, Space::Registers, choices);
            }
            11..=14 => self.slice(choices),
            15 | 16 => self.view(choices),
            17 => self.read(choices),
            18 | 19 => self.write(choices),
            20 | 21 => self.open_for(choices),
            22 => self.open_if(choices),
            23 => self.open_branch(choices),
            24 => self.open_loop(choices),
            25 if choices.once_in(2) => self.open_region(),
            25 => self.open_while(choices),
            26 => self.exchange(choices),
            27 => self.by_hand(choices),
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

    /// A new tile of registers, a new argument that is global memory, or rows in shared memory.
    fn fresh(&mut self, shape: Vec<i64>, element: Element, space: Space, choices: &mut Choices) -> Tile {
        if space == Space::Shared {
            return self.fresh_shared(shape, element, choices);
        }
        let is_memory = space == Space::Global;
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
        let (in_groups, is_view, begin_bits) = (true, false, 0);
        let mut tile = Tile { name, shape, element, space, layout, is_strided, in_groups, is_view, begin_bits };
        if is_memory {
            let size = tile.layout.span(M) as usize * bytes(element);
            self.memory.push((tile.clone(), Memory { size, alignment: ALIGNMENT }));
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

    //===--------------------------------------------------------------------------------------------------------===//
    // Instructions
    //===--------------------------------------------------------------------------------------------------------===//

    fn apply(&mut self, choices: &mut Choices) {
        let variant = variant(choices);
        let repeats = self.repeats(choices);
        let has_address = variant.form.operands.iter().any(|operand| operand.address);
        let (mut words, mut types, mut policy) = (vec![], vec![], "");
        for operand in variant.form.operands {
            if operand.cache_policy {
                policy = " cache_policy(%s1)";
                continue;
            }
            if let Some((least, most)) = operand.bounds.filter(|_| operand.constant) {
                let element = elements(operand, &variant)[0];
                let (name, number) = (self.name("k"), least + choices.below((most - least + 1) as usize) as i64);
                self.line(&format!("{name} = arith.constant {number} : {element}"));
                words.push(name);
                types.push(element.to_string());
                continue;
            }
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
        let clauses = format!("{}{policy}", self::clauses(&variant, &self.preds, choices));
        if variant.form.operands.last().is_some_and(|operand| operand.negatable)
            && choices.once_in(2)
            && let Some(last) = words.last_mut()
        {
            last.insert_str(0, "not ");
        }
        let (words, types) = (words.join(", "), types.join(", "));
        self.line(&format!("tile.apply \"{variant}\"({words}){clauses} : {types}"));
    }

    /// A tile for an operand: one that is there, or a new one.
    fn operand(&mut self, variant: &Variant, operand: &Operand, repeats: &[i64], choices: &mut Choices) -> Tile {
        let shape = [repeats, &[operand.registers.into()]].concat();
        let r#type = variant.type_of(operand);
        let space = if operand.address { space_of(variant).expect("it was asked") } else { Space::Registers };
        let is_local = operand.address && space == Space::Registers;
        let bits = i64::from(operand.registers * r#type.width);
        let fits = |tile: &&Tile| {
            tile.shape == shape
                && tile.space == space
                && (!is_local || (tile.is_dense() && tile.begin_bits % bits == 0 && r#type.takes(tile.element)))
                && (!operand.address || (tile.in_groups && tile.element.width() == r#type.width))
                && (operand.address || r#type.takes(tile.element))
                && (!operand.written || tile.layout.surely_injective())
                && !operand.joined
        };
        let fitting: Vec<Tile> = self.tiles.iter().filter(fits).cloned().collect();
        if !choices.once_in(5)
            && let Some(tile) = choices.of(&fitting)
        {
            return tile;
        }
        let element = choices.of(&elements(operand, variant)).expect("a type has types");
        let tile = self.fresh(shape, element, space, choices);
        match (operand.written && !tile.layout.surely_injective()) || (is_local && !tile.is_dense()) {
            true => self.fresh(tile.shape, element, space, &mut Choices(&[])),
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
            let dynamic: Vec<_> = self.indices.iter().filter(|its| its.most < *extent).cloned().collect();
            indices.push(match choices.once_in(4) && !dynamic.is_empty() {
                true => choices.of(&dynamic).expect("there is one").name,
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
        choices.of(&self.tiles.iter().filter(|tile| !tile.is_memory()).cloned().collect::<Vec<_>>())
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
        let constants = [0, 1, 2, 3, 16].map(|i| format!("    %c{i} = arith.constant {i} : index\n")).concat();
        let attributions = match self.attributions.is_empty() {
            true => String::new(),
            false => format!("workgroup({}) ", self.attributions.join(", ")),
        };
        let text = format!(
            "gpu.module @m {{\n  memref.global \"private\" constant @table : memref<4xi32, 1> = dense<[71, -72, 73, 1234567]>\n{}  \
             gpu.func @k({arguments}) {attributions}kernel attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{\n\
             {constants}    %tid = gpu.thread_id x\n    %pt = arith.cmpi eq, %tid, %c0 : index\n    \
             %ns0 = arith.index_cast %s0 : i32 to index\n    %bit = arith.andi %ns0, %c1 : index\n    %ns1 = arith.index_cast %s1 : i64 to index\n    \
             %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>\n{}    gpu.return\n  }}\n}}\n",
            self.globals, self.body
        );
        let memory = self.memory.into_iter().map(|(_, memory)| memory).collect();
        Program { text, memory, dynamic_shared: self.dynamic_shared }
    }

    /// Memory for `count` elements of each thread.
    fn output(&mut self, element: Element, count: i64) -> Tile {
        let shape = vec![THREADS.into(), count];
        let layout = Layout::row_major(&shape).expect("it is legal");
        let tile = Tile {
            name: self.name("o"),
            shape,
            element,
            space: Space::Global,
            layout,
            is_strided: true,
            in_groups: false,
            is_view: false,
            begin_bits: 0,
        };
        let size = tile.size() as usize * bytes(element);
        self.memory.push((tile.clone(), Memory { size, alignment: ALIGNMENT }));
        tile
    }

    /// Writes the tiles to memory that were made since there were so many.
    fn dump_from(&mut self, first: usize) {
        let registers: Vec<Tile> = self.tiles[first..].iter().filter(|tile| !tile.is_memory()).cloned().collect();
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

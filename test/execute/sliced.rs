//! Random programs whose slices begin at any arithmetic, whether or not that stays inside: tile-check is to tell.
//!
//! - Ids, sizes of the launch, arguments of every width and the variables of loops go through arithmetic.rs; slices of
//!   slices, views at other widths, `memref.subview`, tile layouts and swizzles begin there, in global, shared and
//!   local memory and in registers.
//! - What a program loads it folds into an output, so that a wrong place is seen there too.

use crate::arithmetic::{Kind, Value, bounded, number, operation, scaled};
use crate::tile::{Begin, Choices, Space, Tile, indices_of};
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::layout::{Iter, Layout, M, Swizzle};
use std::fmt::Write;

/// The numbers of a statement.
pub type Statement = [u16; 24];

/// A program: its kernel takes `SCALARS`, then the memory.
pub struct Sliced {
    pub text: String,
    /// The statement that each line comes from, in order of the text.
    pub statements: Vec<usize>,
    /// Bytes and alignment of each buffer.
    pub memory: Vec<(usize, u64)>,
    /// Threads of a block, where the kernel says it.
    pub block: Option<[u32; 3]>,
    /// Blocks, where the kernel says it.
    pub grid: Option<[u32; 3]>,
}

/// The types of the arguments before the memory.
pub const SCALARS: [Kind; 6] = [Kind::Index, Kind::Index, Kind::Int(64), Kind::Int(32), Kind::Int(16), Kind::Int(8)];

/// Bytes that the launch gives: one tile, and how far from the start it may be.
pub const DYNAMIC_SHARED: u64 = 2048 + FARTHEST as u64;

/// The greatest shift of the tile in them.
const FARTHEST: i64 = 128;

/// An open loop or `scf.if`, and how many values and tiles there were outside.
struct Scope {
    outside: (usize, usize),
    end: String,
}

struct Generator {
    body: String,
    /// The statement of each line of the body.
    statements: Vec<usize>,
    statement: usize,
    values: Vec<Value>,
    tiles: Vec<Tile>,
    memory: Vec<(Tile, u64)>,
    scopes: Vec<Scope>,
    count: usize,
}

/// The program of a list of statements.
pub fn program(statements: &[Statement]) -> Sliced {
    let arguments = SCALARS.iter().enumerate().map(|(i, kind)| Value { name: format!("%n{i}"), kind: *kind });
    let ids = ["%tx", "%ty", "%bx", "%dx", "%gx", "%lane"].map(|name| Value { name: name.into(), kind: Kind::Index });
    let mut generator = Generator {
        body: String::new(),
        statements: vec![],
        statement: 0,
        values: arguments.chain(ids).collect(),
        tiles: vec![],
        memory: vec![],
        scopes: vec![],
        count: 0,
    };
    let mut header = Choices(statements.first().map_or(&[], |first| first));
    let block = (!header.once_in(4)).then(|| [[4, 1, 1], [2, 2, 1], [1, 1, 1], [3, 1, 1], [1, 2, 2]][header.below(5)]);
    let grid = (!header.once_in(3)).then(|| [[1, 1, 1], [2, 1, 1], [3, 2, 1]][header.below(3)]);
    let shared = generator.shared(&mut header);
    for (index, statement) in statements.iter().enumerate() {
        generator.statement = index;
        generator.statement(&mut Choices(statement));
    }
    while !generator.scopes.is_empty() {
        generator.close();
    }
    generator.finish(block, grid, shared)
}

const ELEMENTS: [Element; 4] = [
    Element::of(Scalar::Int(32)),
    Element::of(Scalar::Int(16)),
    Element::of(Scalar::Int(64)),
    Element::of(Scalar::Int(8)),
];

impl Generator {
    fn statement(&mut self, choices: &mut Choices) {
        match choices.below(20) {
            0..=6 => {
                let name = self.name("v");
                let (lines, value) = operation(&self.values, &name, choices);
                self.lines(&lines);
                self.values.push(value);
            }
            7 => self.open(choices),
            8 if !self.scopes.is_empty() => self.close(),
            8 | 9 => {
                self.fresh(choices);
            }
            10..=15 => {
                self.slice(choices);
                if choices.once_in(2) {
                    self.view(choices);
                }
                if !choices.once_in(3) {
                    self.apply(choices);
                }
            }
            16 => self.view(choices),
            _ => self.apply(choices),
        }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("%{prefix}{}", self.count)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.body, "    {text}").expect("a String takes all");
        self.statements.extend(text.lines().map(|_| self.statement));
    }

    fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.line(line));
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Control flow
    //===--------------------------------------------------------------------------------------------------------===//

    /// A loop of any bounds, or an `scf.if`, whose condition is no fact (R37).
    fn open(&mut self, choices: &mut Choices) {
        if self.scopes.len() == 3 {
            return;
        }
        let outside = (self.values.len(), self.tiles.len());
        let mut bound = |this: &mut Generator, suffix: &str, most: usize| {
            let indices: Vec<Value> = this.values.iter().filter(|value| value.kind == Kind::Index).cloned().collect();
            if choices.once_in(4) {
                return choices.of(&indices).expect("there are indices").name;
            }
            let name = this.name(suffix);
            this.line(&format!("{name} = arith.constant {} : index", choices.below(most)));
            name
        };
        let (lower, upper, step) = (bound(self, "lb", 3), bound(self, "ub", 9), bound(self, "st", 4));
        let id = self.name("i");
        let index = |name: &str| Value { name: name.into(), kind: Kind::Index };
        let end = match choices.below(6) {
            0 => {
                let (a, b) = (choices.below(4), choices.below(8));
                self.line(&format!("affine.for {id} = {a} to {b} step {} {{", 1 + choices.below(3)));
                self.values.push(index(&id));
                "}".to_string()
            }
            1 => {
                self.line(&format!("{id}q = arith.cmpi ult, {lower}, {upper} : index"));
                self.line(&format!("scf.if {id}q {{"));
                "}".to_string()
            }
            2 => {
                self.line(&format!(
                    "{id}r = scf.for {id} = {lower} to {upper} step {step} iter_args({id}x = {lower}) -> (index) {{"
                ));
                self.values.extend([index(&id), index(&format!("{id}x"))]);
                format!("{id}r")
            }
            other => {
                let unsigned = if other == 3 && choices.once_in(2) { "unsigned " } else { "" };
                self.line(&format!("scf.for {unsigned}{id} = {lower} to {upper} step {step} {{"));
                self.values.push(index(&id));
                "}".to_string()
            }
        };
        self.scopes.push(Scope { outside, end });
    }

    fn close(&mut self) {
        let Some(Scope { outside, end }) = self.scopes.pop() else { return };
        let last = self.values.iter().rev().find(|value| value.kind == Kind::Index).expect("there are indices").clone();
        if end != "}" {
            self.line(&format!("scf.yield {} : index", last.name));
        }
        self.line("}");
        self.values.truncate(outside.0);
        self.tiles.truncate(outside.1);
        if end != "}" {
            self.values.push(Value { name: end, kind: Kind::Index });
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Tiles
    //===--------------------------------------------------------------------------------------------------------===//

    fn tile(&mut self, prefix: &str, space: Space, choices: &mut Choices) -> Tile {
        const SHAPES: [&[i64]; 8] = [&[4, 4], &[8, 2], &[16, 1], &[12, 1], &[32, 1], &[3, 4], &[2, 3, 4], &[4, 8]];
        let (shape, element) = (SHAPES[choices.below(SHAPES.len())].to_vec(), ELEMENTS[choices.below(4)]);
        let layout = Layout::row_major(&shape).expect("it is legal");
        let name = self.name(prefix);
        Tile { name, shape, element, space, layout, is_strided: true, in_groups: true, is_view: false, begin_bits: 0 }
    }

    /// A variable and a tile in dynamic shared memory. Returns the variable.
    fn shared(&mut self, choices: &mut Choices) -> String {
        let mut tile = Tile { name: "%sh".into(), ..self.tile("", Space::Shared, choices) };
        let alignment = 1 << choices.below(5);
        let global =
            format!("memref.global \"private\" @s : {} {{alignment = {}}}", tile.text(), alignment.max(bytes(&tile)));
        self.line(&format!("%sh = memref.get_global @s : {}", tile.text()));
        self.tiles.push(tile.clone());
        let bytes = "memref<?xi8, #gpu.address_space<workgroup>>";
        self.line(&format!("%dynamic = gpu.dynamic_shared_memory : {bytes}"));
        let (lines, shift) = bounded(&self.values, "%shift", FARTHEST, 8, 0, choices);
        self.lines(&lines);
        tile = Tile { name: "%dsh".into(), ..self.tile("", Space::Shared, choices) };
        self.line(&format!("%dsh = memref.view %dynamic[{}][] : {bytes} to {}", shift.name, tile.text()));
        self.tiles.push(tile);
        global
    }

    /// An argument, registers, or either under another layout.
    fn fresh(&mut self, choices: &mut Choices) -> Tile {
        let is_register = choices.once_in(3);
        let mut tile = match is_register {
            true => self.tile("t", Space::Registers, choices),
            false => self.tile("m", Space::Global, choices),
        };
        if is_register {
            self.line(&format!("{} = tile.alloc : {}", tile.name, tile.text()));
            let value = self.constant(&tile, choices);
            for indices in indices_of(&tile) {
                self.line(&format!("tile.write {value}, {}[{indices}] : {}", tile.name, tile.text()));
            }
        } else {
            self.memory.push((tile.clone(), bytes(&tile).max(1 << choices.below(6))));
        }
        if choices.once_in(2) {
            let name = self.name("w");
            let view =
                Tile { name, layout: other_layout(&tile, choices), is_strided: false, is_view: true, ..tile.clone() };
            self.line(&format!("{} = tile.view {} : {} to {}", view.name, tile.name, tile.text(), view.text()));
            tile = view;
        }
        self.tiles.push(tile.clone());
        tile
    }

    /// A tile that is there; those made last are likelier.
    fn recent(&mut self, choices: &mut Choices) -> Tile {
        let from = self.tiles.len().saturating_sub(if choices.once_in(5) { usize::MAX } else { 1 });
        let some = self.tiles[from..].to_vec();
        if choices.once_in(9) { self.fresh(choices) } else { choices.of(&some).expect("there is shared memory") }
    }

    fn slice(&mut self, choices: &mut Choices) {
        let of = self.recent(choices);
        let (mut begins, mut extents) = (vec![], vec![]);
        let is_subview = of.is_strided && !(of.is_memory() && of.is_view) && choices.once_in(3);
        for (axis, size) in of.shape.iter().enumerate() {
            let whole = axis + 1 == of.shape.len() && !choices.once_in(4);
            let divisors: Vec<i64> = (1..=*size).filter(|extent| size % extent == 0).collect();
            let extent = match choices.once_in(3) {
                _ if whole => *size,
                true => 1 + choices.below(*size as usize) as i64,
                false => choices.of(&divisors).expect("there is 1"),
            };
            let begin = self.begin(size - extent, extent, is_subview, choices);
            begins.push(if whole && !choices.once_in(8) { Begin::Constant(0) } else { begin });
            extents.push(extent);
        }
        let name = self.name("s");
        let made = if is_subview { of.subview(&name, &begins, &extents) } else { of.slice(&name, &begins, &extents) };
        let Some((tile, line)) = made else { return };
        self.line(&line);
        self.tiles.push(tile);
    }

    /// A begin from 0 to `last`, or one that may be anything. That of a subview is the program's promise (R39).
    fn begin(&mut self, last: i64, extent: i64, is_promise: bool, choices: &mut Choices) -> Begin {
        match choices.below(8) {
            0 | 1 => Begin::Constant(choices.below(last as usize + 1) as i64),
            2 if !is_promise => {
                let indices: Vec<Value> =
                    self.values.iter().filter(|value| value.kind == Kind::Index).cloned().collect();
                let from = indices.len().saturating_sub(4);
                Begin::Value(choices.of(&indices[from..]).expect("there are indices").name)
            }
            _ => {
                let step = [1, 2, 4, 8, extent, extent][choices.below(6)].min(last.max(1));
                let slack = i64::from(!is_promise && choices.once_in(10));
                let name = self.name("b");
                let (lines, value) = match choices.once_in(3) && step > 1 {
                    true => scaled(&self.values, &name, last, step, choices),
                    false => bounded(&self.values, &name, last, step, slack, choices),
                };
                self.lines(&lines);
                Begin::Value(value.name)
            }
        }
    }

    fn view(&mut self, choices: &mut Choices) {
        let of = self.recent(choices);
        let element = ELEMENTS[choices.below(4)];
        let (from, to) = (i64::from(of.element.width()), i64::from(element.width()));
        let strides: Vec<i64> = of.layout.shard().iter().map(|iter| iter.stride).collect();
        // Rows that are dense, in elements of another width.
        let (Some(last), Some(1)) = (of.shape.last(), strides.last()) else { return };
        let scaled: Option<Vec<i64>> = strides[..strides.len() - 1]
            .iter()
            .map(|stride| (stride * from % to == 0).then_some(stride * from / to))
            .chain([Some(1)])
            .collect();
        let fixed = of.layout.offset().iter().map(|offset| offset.value).sum::<i64>() * from;
        let Some(strides) = scaled.filter(|_| of.is_strided && last * from % to == 0 && fixed % to == 0) else {
            return;
        };
        let mut shape = of.shape.clone();
        *shape.last_mut().expect("it has a last axis") = last * from / to;
        let Ok(mut layout) = Layout::strided(&shape, &strides, fixed / to) else { return };
        if of.layout.has_dynamic_offset() {
            layout = layout.with_dynamic_offset();
        }
        let tile = Tile { name: self.name("w"), shape, element, layout, is_view: true, ..of.clone() };
        self.line(&format!("{} = tile.view {} : {} to {}", tile.name, of.name, of.text(), tile.text()));
        self.tiles.push(tile);
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Instructions
    //===--------------------------------------------------------------------------------------------------------===//

    /// A load or store of a tile.
    fn apply(&mut self, choices: &mut Choices) {
        let tile = self.recent(choices);
        let group = tile.shape[tile.shape.len() - 1];
        let vector = match (group, tile.element.width()) {
            (1, _) => "",
            (2, _) => ".v2",
            (4, 8 | 16 | 32) => ".v4",
            _ => return,
        };
        let space = match tile.space {
            Space::Registers => "local",
            Space::Global => "global",
            Space::Shared => "shared",
        };
        let opcode = format!("{space}{vector}.b{}", tile.element.width());
        let layout = Layout::row_major(&tile.shape).expect("it is legal");
        let name = self.name("r");
        let own = Tile { name, space: Space::Registers, layout, is_strided: true, is_view: false, ..tile.clone() };
        self.line(&format!("{} = tile.alloc : {}", own.name, own.text()));
        let is_move = tile.space == Space::Registers && tile.element.width() > 8 && choices.once_in(2);
        let is_load = !tile.layout.surely_injective() || choices.once_in(2);
        if !is_load {
            let value = self.constant(&own, choices);
            for indices in indices_of(&own) {
                self.line(&format!("tile.write {value}, {}[{indices}] : {}", own.name, own.text()));
            }
        }
        let (a, b) = if is_load { (&own, &tile) } else { (&tile, &own) };
        let opcode = match (is_move, is_load) {
            (true, _) => format!("mov{vector}.b{}", tile.element.width()),
            (false, true) => format!("ld.{opcode}"),
            (false, false) => format!("st.{opcode}"),
        };
        self.line(&format!("tile.apply \"{opcode}\"({}, {}) : {}, {}", a.name, b.name, a.text(), b.text()));
        if is_load {
            self.fold(&own);
        }
    }

    /// Makes what registers hold part of an output.
    fn fold(&mut self, tile: &Tile) {
        let kind = tile.element;
        let out = self.name("o");
        let r#type = format!("memref<1x{kind}, 1>");
        let shape = vec![1];
        let layout = Layout::row_major(&shape).expect("it is legal");
        self.memory
            .push((Tile { name: out.clone(), shape, space: Space::Global, layout, ..tile.clone() }, bytes(tile)));
        for indices in indices_of(tile) {
            let e = self.name("dump");
            self.line(&format!("{e} = tile.read {}[{indices}] : {}", tile.name, tile.text()));
            self.line(&format!("{e}o = memref.load {out}[%c0] : {type}"));
            self.line(&format!("{e}c = arith.constant 5 : {kind}"));
            self.line(&format!("{e}m = arith.muli {e}o, {e}c : {kind}"));
            self.line(&format!("{e}s = arith.addi {e}m, {e} : {kind}"));
            self.line(&format!("memref.store {e}s, {out}[%c0] : {type}"));
        }
    }

    fn constant(&mut self, tile: &Tile, choices: &mut Choices) -> String {
        let (name, kind) = (self.name("k"), Kind::Int(tile.element.width()));
        let number = number(kind, choices);
        self.line(&format!("{name} = arith.constant {number} : {kind}"));
        name
    }

    fn finish(self, block: Option<[u32; 3]>, grid: Option<[u32; 3]>, global: String) -> Sliced {
        let scalars = SCALARS.iter().enumerate().map(|(i, kind)| format!("%n{i}: {kind}"));
        let memory = self.memory.iter().map(|(tile, alignment)| {
            let stated =
                if *alignment > bytes(tile) { format!(" {{llvm.align = {alignment} : i64}}") } else { "".into() };
            format!("{}: {}{stated}", tile.name, tile.text())
        });
        let arguments = scalars.chain(memory).collect::<Vec<_>>().join(", ");
        let known = [("known_block_size", block), ("known_grid_size", grid)];
        let known =
            known.iter().filter_map(|(name, size)| size.map(|[x, y, z]| format!("{name} = array<i32: {x}, {y}, {z}>")));
        let known = known.collect::<Vec<_>>().join(", ");
        let head = format!(
            "gpu.module @m {{\n  {global}\n  gpu.func @k({arguments}) kernel attributes {{{known}}} {{\n    \
             %c0 = arith.constant 0 : index\n    %tx = gpu.thread_id x\n    %ty = gpu.thread_id y\n    \
             %bx = gpu.block_id x\n    %dx = gpu.block_dim x\n    %gx = gpu.grid_dim x\n    %lane = gpu.lane_id\n"
        );
        let statements = head.lines().map(|_| 0).chain(self.statements).collect();
        let text = format!("{head}{}    gpu.return\n  }}\n}}\n", self.body);
        let size = |tile: &Tile| (tile.layout.span(M) * bytes(tile) as i64) as usize;
        let memory = self.memory.iter().map(|(tile, alignment)| (size(tile), *alignment)).collect();
        Sliced { text, statements, memory, block, grid }
    }
}

fn bytes(tile: &Tile) -> u64 {
    u64::from(tile.element.width() / 8)
}

/// The same elements in another order: iters that are no axes, or a swizzle.
fn other_layout(tile: &Tile, choices: &mut Choices) -> Layout {
    let rows: i64 = tile.shape[..tile.shape.len() - 1].iter().product();
    let group = tile.shape[tile.shape.len() - 1];
    let row_major = Layout::row_major(&tile.shape).expect("it is legal");
    let iter = |extent, stride| Iter { extent, stride, axis: M };
    let divisors: Vec<i64> = (2..rows).filter(|divisor| rows % divisor == 0).collect();
    match choices.below(3) {
        0 if tile.is_memory() && tile.size() % 16 == 0 => {
            let swizzle = 1 + choices.below(2) as u32;
            let its = Swizzle { per_element: group.ilog2(), swizzle, atom: swizzle, outer: choices.once_in(2) };
            row_major.clone().with_swizzle(its).ok().filter(|its| its.span(M) <= tile.size()).unwrap_or(row_major)
        }
        _ => {
            let Some(inner) = choices.of(&divisors) else { return row_major };
            let (outer, shard) = (rows / inner, choices.once_in(2));
            let shard = match shard {
                // Rows of the one iter among those of the other.
                true => vec![iter(outer, group), iter(inner, outer * group), iter(group, 1)],
                false => vec![iter(outer, inner * group), iter(inner, group), iter(group, 1)],
            };
            Layout::new(shard, vec![], vec![]).expect("it is legal")
        }
    }
}

/// The bits of the arguments of a run: small, at an edge, or any.
pub fn arguments(round: usize, numbers: &mut impl Iterator<Item = u64>) -> Vec<u128> {
    const EDGES: [u64; 12] =
        [0, 1, u64::MAX, i64::MAX as u64, i64::MIN as u64, 1 << 31, (1 << 31) - 1, 1 << 32, 0x80, 0x7f, 0xffff, 0x8000];
    let mut next = || numbers.next().expect("they do not end") >> 7;
    SCALARS
        .iter()
        .map(|_| match (round + next() as usize) % 3 {
            0 => next() % 70,
            1 => EDGES[next() as usize % EDGES.len()].wrapping_add(next() % 3),
            _ => next() << 7 ^ next(),
        })
        .map(u128::from)
        .collect()
}

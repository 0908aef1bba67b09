//! Random programs of whole blocks: any list of numbers is one that is legal.
//!
//! - A launch has blocks of one warp, of less and of more, on one to three axes, and clusters.
//! - Applications are over all scopes, inside of `tile.where`s, of conditions and of loops. Registers are spread over
//!   the threads in every way (spread.rs), sliced where fewer are active, and seen as a thread's own.
//! - What is read in memory nobody writes until the next barrier; what is written is another place for each thread: no
//!   race (places.rs).
//! - Before it goes out of scope every tile is written to memory, by each thread that has it.

#[path = "identity.rs"]
mod identity;
#[path = "places.rs"]
mod places;

use crate::program::{Memory, clauses, elements, is_executed, space_of};
use crate::spread::{Threads, own, perturbed, threads, together};
use crate::tile::{Begin, Choices, Space, Tile};
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Operand, Variant};
use ptx_tile_dialect::layout::Layout;
use ptx_tile_dialect::threads::{Active, GroupAxis, Launch, Narrowing, Scope};
use ptx_tile_passes::execute;
use std::fmt::Write;
use std::ops::Range;
use std::sync::OnceLock;

/// The numbers of a statement.
pub type Statement = [u16; 48];

/// A program, whose arguments are all memory.
#[derive(Clone, Debug)]
pub struct Whole {
    pub text: String,
    pub memory: Vec<Memory>,
    pub launch: execute::Launch,
    /// Of tiles over threads.
    pub layouts: Vec<Layout>,
}

impl Whole {
    /// The program with another layout in place of one that tiles over threads have.
    pub fn perturbed(&self, choices: &mut Choices) -> Option<Whole> {
        let layout = choices.of(&self.layouts)?;
        let other = perturbed(&layout, choices)?;
        Some(Whole { text: self.text.replace(&layout.to_string(), &other.to_string()), ..self.clone() })
    }
}

/// A tile of registers over the threads of a group.
#[derive(Clone)]
struct Spread {
    tile: Tile,
    scope: Scope,
    active: Active,
}

impl Spread {
    /// Whether each word of a thread has a register of its own.
    fn is_injective(&self) -> bool {
        self.tile.layout.of_one_thread().surely_injective()
    }

    /// The registers of this thread.
    fn own(&self, name: String) -> Tile {
        let layout = self.tile.layout.of_one_thread();
        Tile { name, shape: vec![layout.size(), 1], layout, is_view: true, ..self.tile.clone() }
    }
}

/// A `tile.where`, a condition or a loop that is open: who was active outside, and how many tiles there were.
struct Frame {
    active: Active,
    tiles: usize,
}

/// Shared memory of a block that holds elements in a row.
#[derive(Clone)]
struct Shared {
    tile: Tile,
    /// Written before the last barrier.
    is_ready: bool,
}

struct Generator {
    body: String,
    globals: String,
    /// Shared memory, before the body: what gets it there may be used in all of it.
    buffers: String,
    count: usize,
    grid: [i64; 3],
    launch: Launch,
    may_branch: bool,
    active: Active,
    frames: Vec<Frame>,
    tiles: Vec<Spread>,
    shared: Vec<Shared>,
    memory: Vec<(Tile, Memory)>,
    layouts: Vec<Layout>,
}

const BLOCKS: [[i64; 3]; 12] = [
    [64, 1, 1],
    [32, 1, 1],
    [8, 4, 2],
    [16, 1, 1],
    [96, 1, 1],
    [2, 16, 1],
    [3, 2, 1],
    [16, 2, 2],
    [1, 1, 1],
    [5, 1, 1],
    [128, 1, 1],
    [4, 4, 8],
];

/// Several warpgroups, once in a while.
const LARGE: [[i64; 3]; 5] = [[256, 1, 1], [192, 1, 1], [8, 8, 4], [1, 5, 32], [32, 2, 5]];

const CLUSTERS: [[i64; 3]; 7] = [[2, 1, 1], [1, 2, 1], [2, 2, 1], [1, 1, 2], [3, 1, 1], [2, 1, 2], [1, 1, 1]];

/// The most threads of a launch.
const MAX_THREADS: i64 = 256;

const SCOPES: [Scope; 5] = [Scope::Cta, Scope::Warp, Scope::Warpgroup, Scope::Cluster, Scope::Thread];

/// The program of a list of statements, with or without conditions around applications.
pub fn program(statements: &[Statement], may_branch: bool) -> Whole {
    let mut header = Choices(statements.first().map_or(&[], |first| first));
    let size = |extents: &[i64; 3]| extents.iter().product::<i64>();
    let large = header.once_in(6);
    let block = if large { LARGE[header.below(LARGE.len())] } else { BLOCKS[header.below(BLOCKS.len())] };
    let cluster = (!header.once_in(2)).then(|| CLUSTERS[header.below(CLUSTERS.len())]);
    let cluster = cluster.filter(|its| size(its) * size(&block) <= MAX_THREADS);
    let each = cluster.unwrap_or([1; 3]);
    let more = [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]][header.below(4)];
    let more = if size(&more) * size(&each) * size(&block) <= MAX_THREADS { more } else { [1; 3] };
    let grid = [0, 1, 2].map(|axis| each[axis] * more[axis]);
    let launch = Launch::new(block, cluster).expect("it is one");
    let mut generator = Generator {
        body: String::new(),
        globals: String::new(),
        buffers: String::new(),
        count: 0,
        grid,
        launch,
        may_branch,
        active: launch.all(),
        frames: vec![],
        tiles: vec![],
        shared: vec![],
        memory: vec![],
        layouts: vec![],
    };
    for statement in statements {
        generator.statement(&mut Choices(statement));
    }
    generator.finish()
}

impl Generator {
    fn statement(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0..=8 => self.apply(choices),
            9 | 10 => self.open_where(choices),
            11 => self.open_other(choices),
            12 => self.close(),
            13 => self.seen_as_own(choices),
            _ => self.barrier(),
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
    // Who is active
    //===--------------------------------------------------------------------------------------------------------===//

    fn open_where(&mut self, choices: &mut Choices) {
        if self.frames.len() == 3 {
            return;
        }
        let mut narrowing = Narrowing::default();
        for _ in 0..1 + choices.below(2) {
            let (launch, which) = (&self.launch, choices.below(5));
            let sizes = [launch.lanes(), launch.warps(), launch.warps().min(4), launch.warpgroups()];
            let size = sizes.get(which).copied().unwrap_or(launch.cluster().iter().product());
            let start = choices.below(size as usize) as i64;
            let range = Some(start..start + 1 + choices.below((size - start) as usize) as i64);
            match which {
                0 => narrowing.lanes = range,
                1 => narrowing.warps = range,
                2 => narrowing.warps_in_group = range,
                3 => narrowing.warpgroups = range,
                _ => narrowing.ctas = range,
            }
        }
        let Ok(active) = self.active.narrowed(&narrowing) else { return };
        let text = |(name, Range { start, end }): (&str, &Range<i64>)| format!(" {name}({start} to {end})");
        let ranges: String = narrowing.ranges().map(text).collect();
        self.line(&format!("tile.where{ranges} {{"));
        self.enter(active);
        // What those that are left have of the tiles outside.
        for spread in self.tiles.clone().into_iter().rev().take(4) {
            let groups = [&spread.active, &self.active].map(|active| active.group(spread.scope));
            let [Ok(outer), Ok(inner)] = groups else { continue };
            let own = &spread.tile.shape[outer.len()..];
            let begins = inner.iter().zip(&outer).map(|(its, of)| Begin::Constant(its.begin - of.begin));
            let begins: Vec<Begin> = begins.chain(own.iter().map(|_| Begin::Constant(0))).collect();
            let extents = [extents(&inner), own.to_vec()].concat();
            let name = self.name("s");
            let Some((tile, line)) = spread.tile.slice(&name, &begins, &extents) else { continue };
            self.line(&line);
            self.layouts.push(tile.layout.clone());
            self.tiles.push(Spread { tile, active: self.active.clone(), ..spread });
        }
    }

    fn enter(&mut self, active: Active) {
        let tiles = self.tiles.len();
        let outer = std::mem::replace(&mut self.active, active);
        self.frames.push(Frame { active: outer, tiles });
    }

    /// A condition or a loop: as many are active as outside, at most.
    fn open_other(&mut self, choices: &mut Choices) {
        if self.frames.len() == 3 {
            return;
        }
        match choices.below(3) {
            0 => {
                let name = self.name("i");
                self.line(&format!("scf.for {name} = %c0 to %c2 step %c1 {{"));
            }
            its if self.may_branch => self.line(&format!("scf.if %p{} {{", its - 1)),
            _ => return,
        }
        self.enter(self.active.clone());
    }

    fn close(&mut self) {
        let Some(Frame { active, tiles }) = self.frames.pop() else { return };
        self.dump_from(tiles);
        self.line("}");
        self.tiles.truncate(tiles);
        self.active = active;
    }

    fn barrier(&mut self) {
        if self.frames.is_empty() {
            self.line("gpu.barrier");
            self.shared.iter_mut().for_each(|shared| shared.is_ready = true);
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Instructions
    //===--------------------------------------------------------------------------------------------------------===//

    fn apply(&mut self, choices: &mut Choices) {
        let scopes = SCOPES.iter().filter(|scope| self.active.group(**scope).is_ok()).copied();
        let scope = choices.of(&scopes.collect::<Vec<_>>()).expect("thread is always one");
        let kinds = kinds();
        let kind = &kinds[choices.below(kinds.len())];
        let variants = &kind[choices.below(kind.len())];
        let is_there = |variant: &&Variant| self.is_there(variant);
        let Some(variant) = choices.of(&variants.iter().filter(is_there).collect::<Vec<_>>()).cloned() else {
            return self.barrier();
        };
        let operands = variant.form.operands;
        let space = operands.iter().any(|operand| operand.address).then(|| space_of(&variant));
        let group = self.active.group(scope).expect("it is one");
        let known = self.tiles.iter().filter(|its| its.scope == scope && its.active == self.active);
        let known: Vec<Vec<i64>> =
            known.map(|its| its.tile.shape[group.len()..its.tile.shape.len() - 1].to_vec()).collect();
        const REPEATS: [&[i64]; 7] = [&[2], &[4], &[], &[1], &[3], &[2, 2], &[3, 2]];
        let repeats = choices.of(&known).filter(|_| !choices.once_in(3));
        let repeats = repeats.unwrap_or_else(|| REPEATS[choices.below(REPEATS.len())].to_vec());
        let (mut words, mut types, mut policy) = (vec![], vec![], "");
        for operand in operands {
            if operand.cache_policy {
                policy = " cache_policy(%h64)";
                continue;
            }
            let shape = [extents(&group), repeats.clone(), vec![operand.registers.into()]].concat();
            let types_of = elements(operand, &variant);
            if let Some((least, most)) = operand.bounds.filter(|_| operand.constant) {
                let (name, number) = (self.name("k"), least + choices.below((most - least + 1) as usize) as i64);
                self.line(&format!("{name} = arith.constant {number} : {}", types_of[0]));
                words.push(name);
                types.push(types_of[0].to_string());
            } else if !operand.written && space.is_none() && operand.registers == 1 && choices.once_in(4) {
                let element = choices.of(&types_of).expect("a type has types");
                words.push(self.scalar(element, choices));
                types.push(element.to_string());
            } else {
                let tile = match operand.address {
                    true => self.memory_operand(&variant, operand, scope, &shape, choices),
                    false => Some(self.registers(&variant, operand, scope, &group, &shape, choices)),
                };
                let Some(tile) = tile else { return };
                words.push(tile.name.clone());
                types.push(tile.text());
            }
        }
        let preds = ["%p0", "%p1"].map(String::from);
        let clauses = clauses(&variant, &preds, choices);
        if operands.last().is_some_and(|operand| operand.negatable)
            && choices.once_in(2)
            && let Some(last) = words.last_mut()
        {
            last.insert_str(0, "not ");
        }
        let scope = if scope == Scope::Thread { String::new() } else { format!(" scope({scope})") };
        let (words, types) = (words.join(", "), types.join(", "));
        self.line(&format!("tile.apply \"{variant}\"({words}){scope}{clauses}{policy} : {types}"));
    }

    /// Whether there is shared memory that a load may read.
    fn is_there(&self, variant: &Variant) -> bool {
        let width = |operand: &Operand| variant.type_of(operand).width;
        let fits = |operand: &Operand| {
            !operand.address || self.shared.iter().any(|its| its.is_ready && its.tile.element.width() == width(operand))
        };
        let is_load = space_of(variant) == Some(Space::Shared) && !variant.instruction.writes_memory;
        !is_load || variant.form.operands.iter().all(fits)
    }

    /// A scalar that is another for each thread.
    fn scalar(&mut self, element: Element, choices: &mut Choices) -> String {
        let width = element.width();
        if width == 1 {
            return format!("%p{}", choices.below(2));
        }
        let cast = match element.scalar {
            Scalar::Int(_) if element.lanes.is_none() => return format!("%h{width}"),
            Scalar::F8(_) => "arith.bitcast",
            _ => "llvm.bitcast",
        };
        let name = self.name("e");
        self.line(&format!("{name} = {cast} %h{width} : i{width} to {element}"));
        name
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Registers
    //===--------------------------------------------------------------------------------------------------------===//

    /// A tile for an operand: one that is there, or a new one.
    fn registers(
        &mut self,
        variant: &Variant,
        operand: &Operand,
        scope: Scope,
        group: &[GroupAxis],
        shape: &[i64],
        choices: &mut Choices,
    ) -> Tile {
        let fits = |its: &&Spread| {
            its.scope == scope
                && its.active == self.active
                && its.tile.shape == shape
                && variant.type_of(operand).takes(its.tile.element)
                && (!operand.written || its.is_injective())
                && !operand.joined
        };
        let fitting: Vec<Tile> = self.tiles.iter().filter(fits).map(|its| its.tile.clone()).collect();
        if !choices.once_in(4)
            && let Some(tile) = choices.of(&fitting)
        {
            return tile;
        }
        let element = choices.of(&elements(operand, variant)).expect("a type has types");
        self.fresh(scope, group, shape, element, choices)
    }

    fn fresh(
        &mut self,
        scope: Scope,
        group: &[GroupAxis],
        shape: &[i64],
        element: Element,
        choices: &mut Choices,
    ) -> Tile {
        let threads = if group.is_empty() { Threads::default() } else { threads(group, &self.active, choices) };
        let (of_group, of_own) = shape.split_at(group.len());
        let layout = together(&threads, &own(of_own, choices), group.len());
        let layout = if choices.once_in(4) { layout.canonical() } else { layout };
        let mut tile = Tile {
            name: self.name("t"),
            shape: shape.to_vec(),
            element,
            space: Space::Registers,
            layout,
            is_strided: false,
            in_groups: false,
            is_view: false,
            begin_bits: 0,
        };
        if choices.once_in(3) {
            // The same threads and registers, with some of the threads last.
            let after = choices.below(group.len() + 1);
            let registers = own(of_own, choices);
            let shape = [&of_group[..after], of_own, &of_group[after..]].concat();
            let layout = together(&threads, &registers, after);
            let other = Tile { name: self.name("t"), shape, layout, ..tile.clone() };
            self.line(&format!("{} = tile.alloc : {}", other.name, other.text()));
            self.layouts.push(other.layout.clone());
            tile.layout = together(&threads, &registers, group.len());
            self.line(&format!("{} = tile.view {} : {} to {}", tile.name, other.name, other.text(), tile.text()));
        } else {
            self.line(&format!("{} = tile.alloc : {}", tile.name, tile.text()));
        }
        self.layouts.push(tile.layout.clone());
        let spread = Spread { tile: tile.clone(), scope, active: self.active.clone() };
        if !choices.once_in(6) {
            self.fill(&spread);
        }
        self.tiles.push(spread);
        tile
    }

    /// A view of what each thread has itself.
    fn own_of(&mut self, spread: &Spread) -> Tile {
        let own = spread.own(self.name("o"));
        let (tile, name) = (&spread.tile, &own.name);
        self.line(&format!("{name} = tile.view {} : {} to {}", tile.name, tile.text(), own.text()));
        own
    }

    /// Gives every register a number from memory.
    fn fill(&mut self, spread: &Spread) {
        if spread.tile.element.width() < 8 {
            return;
        }
        let own = self.own_of(spread);
        let from = self.rows(&own);
        let width = own.element.width();
        self.line(&format!(
            "tile.apply \"ld.global.b{width}\"({}, {}) : {}, {}",
            own.name,
            from.name,
            own.text(),
            from.text()
        ));
    }

    /// Writes every register to memory.
    fn dump_from(&mut self, first: usize) {
        for i in first..self.tiles.len() {
            let spread = self.tiles[i].clone();
            let own = self.own_of(&spread);
            let width = own.element.width();
            if width < 8 {
                for register in 0..own.size() {
                    let name = self.name("dump");
                    self.line(&format!("{name} = tile.read {}[{register}, 0] : {}", own.name, own.text()));
                    let to = self.argument(own.element, self.threads_of_grid() * own.size());
                    let at = self.name("dumpat");
                    self.line(&format!(
                        "{at} = affine.apply affine_map<(t) -> (t * {} + {register})>(%gtid)",
                        own.size()
                    ));
                    self.line(&format!("memref.store {name}, {}[{at}] : {}", to.name, to.text()));
                }
                continue;
            }
            let to = self.rows(&own);
            self.line(&format!(
                "tile.apply \"st.global.b{width}\"({}, {}) : {}, {}",
                to.name,
                own.name,
                to.text(),
                own.text()
            ));
        }
    }

    /// Rows of global memory for what each thread of the grid has itself.
    fn rows(&mut self, own: &Tile) -> Tile {
        let dims = [vec![self.threads_of_grid()], own.shape.clone()].concat();
        let layout = Layout::row_major(&dims).expect("it is legal");
        let flat = self.argument(own.element, layout.size());
        let whole = self.seen(&flat, own.element, dims, layout);
        self.at_outer(&whole, "%gtid")
    }

    /// A tile over threads as registers of this thread, which is one of scope(thread).
    fn seen_as_own(&mut self, choices: &mut Choices) {
        let wide: Vec<Spread> =
            self.tiles.iter().filter(|its| its.scope != Scope::Thread && its.active == self.active).cloned().collect();
        let Some(spread) = choices.of(&wide) else { return };
        let tile = self.own_of(&spread);
        self.tiles.push(Spread { tile, scope: Scope::Thread, active: self.active.clone() });
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // The whole
    //===--------------------------------------------------------------------------------------------------------===//

    fn finish(mut self) -> Whole {
        while !self.frames.is_empty() {
            self.close();
        }
        self.dump_from(0);
        let memory = self.memory.iter().map(|(tile, memory)| {
            format!("{}: {} {{llvm.align = {} : i64}}", tile.name, tile.text(), memory.alignment)
        });
        let arguments = memory.collect::<Vec<_>>().join(", ");
        let list = |extents: [i64; 3]| format!("array<i32: {}, {}, {}>", extents[0], extents[1], extents[2]);
        let cluster = self.launch.cluster();
        let mut attributes =
            format!("known_block_size = {}, known_grid_size = {}", list(self.launch.block()), list(self.grid));
        let has_cluster = self.launch.all().group(Scope::Cluster).is_ok();
        if has_cluster {
            write!(attributes, ", known_cluster_size = {}", list(cluster)).expect("a String takes all");
        }
        let (globals, buffers, body) = (&self.globals, &self.buffers, &self.body);
        let head =
            format!("gpu.module @m {{\n{globals}  gpu.func @k({arguments}) kernel attributes {{{attributes}}} {{\n");
        let text = format!("{head}{}{buffers}{body}    gpu.return\n  }}\n}}\n", identity::used(&self.numbers(), body));
        let launch = execute::Launch {
            grid: self.grid.map(|its| its as u32),
            block: self.launch.block().map(|its| its as u32),
            cluster: cluster.map(|its| its as u32),
            ..execute::Launch::default()
        };
        let memory = self.memory.into_iter().map(|(_, memory)| memory).collect();
        let is_spread = |layout: &Layout| layout.thread_axes().next().is_some();
        let mut layouts: Vec<Layout> = self.layouts.into_iter().filter(is_spread).collect();
        layouts.dedup();
        Whole { text, memory, launch, layouts }
    }
}

/// What an application may be, by what it does: on single registers, on groups of them, in global and in shared memory.
/// Of each kind the instructions, and of each of these the variants.
fn kinds() -> &'static [Vec<Vec<Variant>>; 4] {
    static KINDS: OnceLock<[Vec<Vec<Variant>>; 4]> = OnceLock::new();
    let has_groups = |variant: &Variant| variant.form.operands.iter().any(|operand| operand.registers > 1);
    KINDS.get_or_init(|| {
        let mut kinds = [const { vec![] }; 4];
        for instruction in INSTRUCTIONS {
            let mut own = [const { vec![] }; 4];
            for variant in instruction.variants().filter(|its| is_executed(&its.form)) {
                let has_address = variant.form.operands.iter().any(|operand| operand.address);
                let kind = match (has_address, has_address.then(|| space_of(&variant)).flatten()) {
                    (false, _) => usize::from(has_groups(&variant)),
                    (true, Some(Space::Global)) => 2,
                    (true, Some(Space::Shared)) => 3,
                    _ => continue,
                };
                own[kind].push(variant);
            }
            for (kind, own) in kinds.iter_mut().zip(own).filter(|(_, own)| !own.is_empty()) {
                kind.push(own);
            }
        }
        kinds
    })
}

fn extents(group: &[GroupAxis]) -> Vec<i64> {
    group.iter().map(|axis| axis.extent).collect()
}

//! Memory of random programs of whole blocks: what nobody writes until the next barrier, and what one thread alone
//! does.
//!
//! It is seen row-major, permuted, cut and swizzled. Where a scope has several groups, what is written begins at that
//! of the thread, and what is read may.

use super::{Generator, Shared};
use crate::program::{Memory, elements, space_of};
use crate::tile::{Begin, Choices, Space, Tile, bytes};
use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::instruction::{Operand, Variant};
use ptx_tile_dialect::layout::{Iter, Layout, M, Swizzle};
use ptx_tile_dialect::threads::Scope;

/// Of memory, in bytes: what the longest vectors ask for.
const ALIGNMENT: i64 = 32;

impl Generator {
    pub fn threads_of_block(&self) -> i64 {
        self.launch.block().iter().product()
    }

    pub fn blocks(&self) -> i64 {
        self.grid.iter().product()
    }

    pub fn threads_of_grid(&self) -> i64 {
        self.blocks() * self.threads_of_block()
    }

    /// The number of the group that a thread is of, in its block or in the grid, and how many there are.
    fn groups(&self, scope: Scope, of_block: bool) -> (&'static str, i64) {
        let (threads, warps, warpgroups) = (self.threads_of_block(), self.launch.warps(), self.launch.warpgroups());
        let (blocks, of_cluster) = (self.blocks(), self.launch.cluster().iter().product::<i64>());
        match (scope, of_block) {
            (Scope::Thread, true) => ("%tid", threads),
            (Scope::Warp, true) => ("%warp", warps),
            (Scope::Warpgroup, true) => ("%wg", warpgroups),
            (Scope::Cta | Scope::Cluster, true) => ("%c0", 1),
            (Scope::Thread, false) => ("%gtid", blocks * threads),
            (Scope::Warp, false) => ("%gwarp", blocks * warps),
            (Scope::Warpgroup, false) => ("%gwg", blocks * warpgroups),
            (Scope::Cta, false) => ("%blk", blocks),
            (Scope::Cluster, false) => ("%cl", blocks / of_cluster),
        }
    }

    /// Memory of an operand: what nobody writes, or what only this thread does.
    pub fn memory_operand(
        &mut self,
        variant: &Variant,
        operand: &Operand,
        scope: Scope,
        shape: &[i64],
        choices: &mut Choices,
    ) -> Option<Tile> {
        let space = space_of(variant).expect("it was asked");
        let element = choices.of(&elements(operand, variant)).expect("a type has types");
        let is_written = variant.instruction.writes_memory;
        let (outer, groups) = self.groups(scope, space == Space::Shared);
        let is_outer = groups > 1 && (is_written || choices.once_in(2));
        let dims = if is_outer { [&[groups], shape].concat() } else { shape.to_vec() };
        let count: i64 = dims.iter().product();
        // Under a swizzle, groups begin where it repeats.
        let period_divides = if is_outer { count / groups } else { count };
        let (layout, is_plain) = memory_layout(&dims, period_divides, is_outer, is_written, choices);
        let flat = match space {
            Space::Global => self.argument(element, count),
            _ if is_written => self.fresh_shared(element, count),
            _ => {
                let fits = |its: &&Shared| {
                    its.is_ready && its.tile.element.width() == element.width() && its.tile.size() >= count
                };
                let fitting: Vec<Tile> = self.shared.iter().filter(fits).map(|its| its.tile.clone()).collect();
                let of = choices.of(&fitting)?;
                let steps = (of.size() - count) / ALIGNMENT;
                let begin = if is_plain { ALIGNMENT * choices.below(steps as usize + 1) as i64 } else { 0 };
                let name = self.name("r");
                let (part, line) = of.slice(&name, &[Begin::Constant(begin)], &[count])?;
                self.line(&line);
                part
            }
        };
        // A view counts from the storage, wherever its source begins.
        let layout = match flat.layout.offset() {
            [] => layout,
            begin => Layout::new(layout.shard().to_vec(), vec![], begin.to_vec()).expect("it is legal"),
        };
        let whole = self.seen(&flat, element, dims, layout);
        Some(if is_outer { self.at_outer(&whole, outer) } else { whole })
    }

    /// A view of memory that is in a row.
    pub fn seen(&mut self, flat: &Tile, element: Element, shape: Vec<i64>, layout: Layout) -> Tile {
        let name = self.name("v");
        let whole = Tile { name, shape, element, layout, is_strided: false, is_view: true, ..flat.clone() };
        self.line(&format!("{} = tile.view {} : {} to {}", whole.name, flat.name, flat.text(), whole.text()));
        whole
    }

    /// What the first axis has at a number, without that axis.
    pub fn at_outer(&mut self, whole: &Tile, outer: &str) -> Tile {
        let zeros = vec![Begin::Constant(0); whole.shape.len() - 1];
        let begins = [vec![Begin::Value(outer.into())], zeros].concat();
        let extents = [&[1], &whole.shape[1..]].concat();
        let name = self.name("s");
        let (part, line) = whole.slice(&name, &begins, &extents).expect("one of the first axis is whole");
        self.line(&line);
        let tile = Tile { name: self.name("v"), shape: whole.shape[1..].to_vec(), ..part.clone() };
        self.line(&format!("{} = tile.view {} : {} to {}", tile.name, part.name, part.text(), tile.text()));
        tile
    }

    /// A new argument that is global memory.
    pub fn argument(&mut self, element: Element, count: i64) -> Tile {
        let tile = self.flat("m", element, count, Space::Global);
        let memory = Memory { size: count as usize * bytes(element), alignment: ALIGNMENT as u64 };
        self.memory.push((tile.clone(), memory));
        tile
    }

    /// New shared memory, which is read after the next barrier.
    fn fresh_shared(&mut self, element: Element, count: i64) -> Tile {
        let tile = self.flat("g", element, count, Space::Shared);
        let (name, r#type) = (&tile.name, tile.text());
        let symbol = name.replace('%', "@");
        self.globals += &format!("  memref.global \"private\" {symbol} : {type} {{alignment = {ALIGNMENT}}}\n");
        self.buffers += &format!("    {name} = memref.get_global {symbol} : {type}\n");
        self.shared.push(Shared { tile: tile.clone(), is_ready: false });
        tile
    }

    fn flat(&mut self, prefix: &str, element: Element, count: i64, space: Space) -> Tile {
        Tile {
            name: self.name(prefix),
            shape: vec![count],
            element,
            space,
            layout: Layout::row_major(&[count]).expect("it is legal"),
            is_strided: true,
            in_groups: true,
            is_view: false,
            begin_bits: 0,
        }
    }
}

/// Where the elements of memory lie, of which the last axis stays together: without gaps, in any order of the others,
/// some of which may be cut in two, and maybe under a swizzle whose period divides a number. Whether it has none.
fn memory_layout(
    dims: &[i64],
    period_divides: i64,
    is_outer: bool,
    is_written: bool,
    choices: &mut Choices,
) -> (Layout, bool) {
    let (last, rest) = dims.split_last().expect("there are the registers of an instruction");
    let is_swizzled = choices.once_in(3);
    let mut iters: Vec<i64> = vec![];
    for (axis, extent) in rest.iter().enumerate() {
        let inner = [1, 2, 4, 8][choices.below(4)];
        match extent % inner == 0 && inner > 1 && (axis > 0 || !is_outer) {
            true => iters.extend([extent / inner, inner]),
            false => iters.push(*extent),
        }
    }
    let mut order: Vec<usize> = (0..iters.len()).collect();
    // Of the groups under a swizzle the outermost stays so.
    let first = usize::from(is_outer && is_swizzled);
    for i in first..order.len() {
        let other = i + choices.below(order.len() - i);
        order.swap(i, other);
    }
    if choices.once_in(3) {
        order.sort_unstable();
    }
    let mut strides = vec![0; iters.len()];
    let mut stride = *last;
    for position in order.into_iter().rev() {
        strides[position] = stride;
        stride *= iters[position];
    }
    if !is_written && !iters.is_empty() && choices.once_in(4) {
        // All read the same.
        strides[choices.below(iters.len())] = 0;
    }
    let iter = |(extent, stride): (&i64, &i64)| Iter { extent: *extent, stride: *stride, axis: M };
    let shard = iters.iter().zip(&strides).map(iter).chain([Iter { extent: *last, stride: 1, axis: M }]).collect();
    let layout = Layout::new(shard, vec![], vec![]).expect("it is legal");
    let per_element = last.trailing_zeros() + choices.below(2) as u32;
    let swizzle = 1 + choices.below(2) as u32;
    let swizzle = Swizzle { per_element, swizzle, atom: swizzle + choices.below(2) as u32, outer: choices.once_in(2) };
    match is_swizzled && last.count_ones() == 1 && period_divides % swizzle.period() == 0 {
        true => (layout.with_swizzle(swizzle).expect("it is legal"), false),
        false => (layout, true),
    }
}

//! Shared memory of random programs, and what `ptx` ops name.
//!
//! Memory is a global, an attribution or dynamic, all in one kernel. Each thread has rows of its own, which nobody else
//! touches but between two barriers: no race.

use super::{Generator, I32, THREADS};
use crate::tile::{Choices, Space, Tile, bytes, indices_of};
use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::layout::{Layout, M};

const BYTES: &str = "memref<?xi8, #gpu.address_space<workgroup>>";

impl Generator {
    /// Rows in shared memory, those of this thread.
    pub fn fresh_shared(&mut self, shape: Vec<i64>, element: Element, choices: &mut Choices) -> Tile {
        let rows = self.rows(shape, element, choices);
        let tile = self.rows_at(&rows, "%tid");
        self.tiles.push(tile.clone());
        tile
    }

    /// Rows of each thread in shared memory, which hold numbers.
    fn rows(&mut self, shape: Vec<i64>, element: Element, choices: &mut Choices) -> Tile {
        let whole = [&[THREADS.into()], shape.as_slice()].concat();
        let layout = Layout::row_major(&whole).expect("it is legal");
        let rows = Tile {
            name: self.name("h"),
            shape: whole,
            element,
            space: Space::Shared,
            layout,
            is_strided: true,
            in_groups: true,
            is_view: false,
            begin_bits: 0,
        };
        let (name, r#type) = (rows.name.clone(), rows.text());
        match choices.below(3) {
            0 => {
                let symbol = name.replace('%', "@");
                self.globals += &format!("  memref.global \"private\" {symbol} : {type} {{alignment = 16}}\n");
                self.line(&format!("{name} = memref.get_global {symbol} : {type}"));
            }
            1 => self.attributions.push(format!("{name}: {type} {{llvm.align = 16 : i64}}")),
            _ => {
                // At one of two places, the same for all threads.
                let size = (rows.size() as u64 * bytes(element) as u64).next_multiple_of(16);
                self.line(&format!("{name}c = arith.constant {} : index", self.dynamic_shared / 16));
                self.line(&format!("{name}o = arith.andi %ns0, %c1 : index"));
                self.line(&format!("{name}p = arith.addi {name}c, {name}o : index"));
                self.line(&format!("{name}b = arith.muli {name}p, %c16 : index"));
                self.line(&format!("{name} = memref.view %dynamic[{name}b][] : {BYTES} to {type}"));
                self.dynamic_shared += size + 16;
            }
        }
        for indices in indices_of(&Tile { shape: shape.clone(), ..rows.clone() }) {
            let value = self.constant(element);
            let list: Vec<String> = indices.split(", ").map(String::from).collect();
            let list = self.index_values(&list);
            self.line(&format!("memref.store {value}, {name}[%tid, {list}] : {type}"));
        }
        rows
    }

    /// The rows at an index, without their axis.
    fn rows_at(&mut self, rows: &Tile, index: &str) -> Tile {
        let shape = rows.shape[1..].to_vec();
        let zeros = ", 0".repeat(shape.len());
        let part = Tile {
            name: self.name("s"),
            shape: [&[1], shape.as_slice()].concat(),
            layout: rows.layout.clone(),
            ..rows.clone()
        };
        let begins = vec![0; rows.shape.len()];
        let layout =
            rows.layout.slice(&rows.shape, &begins, &part.shape).expect("rows are whole").with_dynamic_offset();
        let part = Tile { layout, ..part };
        self.line(&format!(
            "{} = tile.slice {}[{index}{zeros}] {:?} : {} to {}",
            part.name,
            rows.name,
            part.shape,
            rows.text(),
            part.text()
        ));
        let layout = Layout::row_major(&shape).expect("it is legal").with_dynamic_offset();
        let begin_bits = layout.span(M) * i64::from(rows.element.width());
        let view = Tile { name: self.name("v"), shape, layout, is_view: true, begin_bits, ..part.clone() };
        self.line(&format!("{} = tile.view {} : {} to {}", view.name, part.name, part.text(), view.text()));
        view
    }

    /// Threads give each other what their registers hold. Where all of them come by.
    pub fn exchange(&mut self, choices: &mut Choices) {
        let registers = self.tiles.iter().filter(|tile| {
            let group = tile.shape[tile.shape.len() - 1];
            let vector =
                group == 1 || (group == 2 && tile.element.width() <= 64) || (group == 4 && tile.element.width() <= 32);
            !tile.is_memory() && vector && tile.element.width() >= 8
        });
        let Some(from) = choices.of(&registers.cloned().collect::<Vec<_>>()).filter(|_| self.scopes.is_empty()) else {
            return;
        };
        let rows = self.rows(from.shape.clone(), from.element, choices);
        let own = self.rows_at(&rows, "%tid");
        let vector = match from.shape[from.shape.len() - 1] {
            1 => String::new(),
            group => format!(".v{group}"),
        };
        let opcode = format!("shared{vector}.b{}", from.element.width());
        self.line(&format!(
            "tile.apply \"st.{opcode}\"({}, {}) : {}, {}",
            own.name,
            from.name,
            own.text(),
            from.text()
        ));
        self.line("gpu.barrier");
        let other = self.name("j");
        let by = if choices.once_in(2) { "arith.xori %tid, %c1 : index" } else { "arith.subi %c1, %tid : index" };
        self.line(&format!("{other} = {by}"));
        let theirs = self.rows_at(&rows, &other);
        self.tiles.push(own);
        let to = self.fresh(from.shape.clone(), from.element, Space::Registers, &mut Choices(&[]));
        self.line(&format!(
            "tile.apply \"ld.{opcode}\"({}, {}) : {}, {}",
            to.name,
            theirs.name,
            to.text(),
            theirs.text()
        ));
        self.line("gpu.barrier");
    }

    /// What a `ptx` op reads that is no tile: special registers, the address of a symbol, a negated predicate, vectors.
    pub fn by_hand(&mut self, choices: &mut Choices) {
        let name = self.name("e");
        match choices.below(5) {
            0 => {
                let register = ["tid.x", "ntid.x", "ctaid.y", "nctaid.z", "laneid", "lanemask_lt"][choices.below(6)];
                self.line(&format!("{name} = ptx.mov \"u32\" special \"{register}\" : () -> i32"));
                self.scalars.push((name, I32));
            }
            1 => {
                let register = ["tid", "ntid", "ctaid", "nctaid"][choices.below(4)];
                self.line(&format!(
                    "{name}:4 = ptx.mov \"v4.b32\" special \"{register}\" : () -> (i32, i32, i32, i32)"
                ));
                self.scalars.push((format!("{name}#{}", choices.below(3)), I32));
            }
            2 => {
                let pred = choices.of(&self.preds).expect("there are predicates");
                self.line(&format!("{name} = ptx.mov \"pred\" not {pred} : (i1) -> i1"));
                self.preds.push(name);
            }
            3 => {
                let (a, b) = (self.scalar(I32, choices), self.scalar(I32, choices));
                self.line(&format!("{name}:2 = ptx.mov \"v2.b32\" {a}, {b} : (i32, i32) -> (i32, i32)"));
                self.scalars.push((format!("{name}#{}", choices.below(2)), I32));
            }
            _ => {
                let offset = 4 * choices.below(3);
                self.line(&format!("{name}a = ptx.mov \"u64\" symbol @table + {offset} : () -> i64"));
                self.line(&format!("{name}p = llvm.inttoptr {name}a : i64 to !llvm.ptr<1>"));
                self.line(&format!("{name} = ptx.ld \"global.b32\" {name}p + 4 : (!llvm.ptr<1>) -> i32"));
                self.scalars.push((name, I32));
            }
        }
    }
}

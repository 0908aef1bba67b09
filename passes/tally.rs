//! What the expansion of a function came to, counted for remarks.
//!
//! What a loop that is taken apart had once is there several times then, at one place of the program: it is one remark
//! with the sum.

use crate::emit::symbol;
use crate::ir;
use crate::remarks::{Kind, Remark, remark};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Location, Type};
use ptx_tile_dialect::verify::op_name;
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;

/// The name of the pass, under which its remarks are asked for.
pub const CATEGORY: &str = "tile-expand";

/// What is counted, by its place and what it is called.
#[derive(Default)]
pub struct Tally<'c> {
    counts: Vec<Count<'c>>,
    index: HashMap<(*const c_void, What, String), usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// Instructions that a `tile.apply` became.
    Instructions,
    /// Registers of an allocation.
    Registers,
    /// Registers read at another width than they were written.
    Repacked,
}

struct Count<'c> {
    what: What,
    location: Location<'c>,
    /// The opcode, or the type of the registers.
    label: String,
    number: u64,
    copies: u64,
}

impl<'c> Tally<'c> {
    /// A `tile.apply` that became so many instructions.
    pub fn instructions(&mut self, op: OperationRef<'c, 'c>, opcode: &str, number: u64) {
        self.add(What::Instructions, op.location(), opcode.into(), number);
    }

    /// An allocation of so many registers of a type.
    pub fn registers(&mut self, location: Location<'c>, r#type: Type<'c>, number: u64) {
        self.add(What::Registers, location, r#type.to_string(), number);
    }

    /// A register of a type that was written as others.
    pub fn repacked(&mut self, location: Location<'c>, r#type: Type<'c>) {
        self.add(What::Repacked, location, r#type.to_string(), 1);
    }

    fn add(&mut self, what: What, location: Location<'c>, label: String, number: u64) {
        let index = *self.index.entry((location.to_raw().ptr, what, label.clone())).or_insert(self.counts.len());
        if index == self.counts.len() {
            self.counts.push(Count { what, location, label, number: 0, copies: 0 });
        }
        self.counts[index].number += number;
        self.counts[index].copies += 1;
    }

    /// Emits all of it, and what instructions `function` has now, those too that were not expanded here.
    pub fn remark(self, function: OperationRef<'c, 'c>) {
        let name = symbol(function).unwrap_or_default();
        let say = |kind, what, location, arguments: &[(&str, String)]| {
            remark(location, &Remark { kind, category: CATEGORY, name: what, function: &name, arguments });
        };
        for Count { what, location, label, number, copies } in self.counts {
            let (kind, remarked, key, counted) = match what {
                What::Instructions => (Kind::Passed, "expand", "Opcode", "Instructions"),
                What::Registers => (Kind::Analysis, "registers", "Type", "Registers"),
                What::Repacked => (Kind::Analysis, "repack", "Type", "Registers"),
            };
            let mut arguments = vec![(key, label), (counted, number.to_string())];
            if copies > 1 && what != What::Repacked {
                arguments.push(("Copies", copies.to_string()));
            }
            say(kind, remarked, location, &arguments);
        }
        let mut by_mnemonic = BTreeMap::new();
        for mnemonic in ir::ops(function).into_iter().filter_map(|op| op_name(op).strip_prefix("ptx.")) {
            *by_mnemonic.entry(mnemonic).or_insert(0) += 1;
        }
        let total: u64 = by_mnemonic.values().sum();
        if total > 0 {
            let mut arguments = vec![("Instructions", total.to_string())];
            arguments.extend(by_mnemonic.iter().map(|(mnemonic, number)| (*mnemonic, number.to_string())));
            say(Kind::Analysis, "total", function.location(), &arguments);
        }
    }
}

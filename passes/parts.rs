//! A `gpu.module` in the LLVM dialect as parts that LLVM compiles side by side, and their texts as one again.
//!
//! - The parts depend on the module alone, never on how many threads there are: the text is always the same.
//! - Functions that refer to each other, or to one variable of shared memory that is not external, stay together: LLVM
//!   puts such a variable into the one function that names it. What else they refer to is in each part that does.
//! - A module stays whole where LLVM makes something of it that is not of one function: debug information, symbols that
//!   it renames, variables that hold the address of a function, and whatever is no function and no global.

use crate::emit::symbol;
use crate::ir;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::{Block, BlockLike, Region, RegionLike};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;
use std::any::Any;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

unsafe extern "C" {
    fn ptxTileSymbolUses(op: MlirOperation, each: extern "C" fn(MlirStringRef, *mut c_void), user: *mut c_void)
    -> bool;
    fn ptxTileHasDebugInfo(op: MlirOperation) -> bool;
    fn ptxTileForEach(context: MlirContext, count: isize, body: extern "C" fn(isize, *mut c_void), user: *mut c_void);
}

/// The ops of a part, at least: below it starting LLVM once more costs more than a second processor gives.
pub const SIZE: usize = 4096;

/// A `gpu.module` that is taken apart for as long as this lives.
pub struct Parts<'c> {
    /// Has the functions of no other part, and all variables but those that are put into these.
    whole: OperationRef<'c, 'c>,
    others: Vec<OperationRef<'c, 'c>>,
    /// The ops of the module in their order.
    ops: Vec<OperationRef<'c, 'c>>,
}

impl<'c> Parts<'c> {
    /// Takes a module apart, into parts of at least `size` ops.
    pub fn of(gpu_module: OperationRef<'c, '_>, size: usize) -> Parts<'c> {
        let whole = unsafe { OperationRef::from_raw(gpu_module.to_raw()) };
        let ops: Vec<_> = ir::blocks(whole).into_iter().flat_map(ir::ops_in).collect();
        let mut parts = Parts { whole, others: vec![], ops };
        // Its asm would be in each part.
        let is_one = whole.has_attribute("llvm.module_asm");
        for group in groups(&parts.ops, size).filter(|_| !is_one).unwrap_or_default().into_iter().skip(1) {
            let other = parts.like_whole();
            let block = ir::blocks(other)[0];
            let (own, shared): (Vec<usize>, Vec<usize>) =
                group.refers_to.into_iter().partition(|index| is_in_one_function(parts.ops[*index]));
            for index in shared {
                unsafe { mlirBlockAppendOwnedOperation(block.to_raw(), mlirOperationClone(parts.ops[index].to_raw())) };
            }
            for index in own.into_iter().chain(group.functions) {
                move_to(parts.ops[index], other);
            }
            parts.others.push(other);
        }
        parts
    }

    /// The parts, one at least.
    pub fn modules(&self) -> Vec<OperationRef<'c, 'c>> {
        [self.whole].into_iter().chain(self.others.iter().copied()).collect()
    }

    /// A module of the same attributes, beside it, as it is the one around them that says more.
    fn like_whole(&self) -> OperationRef<'c, 'c> {
        let attributes: Vec<_> = self.whole.attributes().collect();
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let builder = OperationBuilder::new("gpu.module", self.whole.location());
        let op = builder.add_attributes(&attributes).add_regions([region]).build().expect("there is one like it");
        let op = ir::block_of(self.whole).insert_operation_after(self.whole, op);
        unsafe { OperationRef::from_raw(op.to_raw()) }
    }
}

impl Drop for Parts<'_> {
    fn drop(&mut self) {
        if !self.others.is_empty() {
            self.ops.iter().for_each(|op| move_to(*op, self.whole));
            self.others.iter().for_each(|other| ir::erase(*other));
        }
    }
}

fn move_to(op: OperationRef, gpu_module: OperationRef) {
    let block = ir::blocks(gpu_module)[0];
    unsafe {
        mlirOperationRemoveFromParent(op.to_raw());
        mlirBlockAppendOwnedOperation(block.to_raw(), op.to_raw());
    }
}

/// The functions of a part, and what else is in it, as indices of ops.
#[derive(Default)]
struct Group {
    functions: BTreeSet<usize>,
    refers_to: BTreeSet<usize>,
    size: usize,
}

/// The parts of a module of these ops; `None` where it stays whole.
fn groups(ops: &[OperationRef], size: usize) -> Option<Vec<Group>> {
    let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut names = HashMap::new();
    for (index, op) in ops.iter().enumerate() {
        let is_known = matches!(op_name(*op), "llvm.func" | "llvm.mlir.global");
        if !is_known || unsafe { ptxTileHasDebugInfo(op.to_raw()) } {
            return None;
        }
        names.insert(symbol(*op).filter(|name| is_plain(name))?, index);
    }
    let has_body = |index: &usize| op_name(ops[*index]) == "llvm.func" && !ir::blocks(ops[*index]).is_empty();
    let bodies: Vec<usize> = (0..ops.len()).filter(has_body).collect();
    let sizes: HashMap<usize, usize> = bodies.iter().map(|index| (*index, ir::ops(ops[*index]).len())).collect();
    if bodies.len() < 2 || sizes.values().sum::<usize>() <= size {
        return None;
    }
    let uses = ops.iter().map(|op| uses(*op)).collect::<Option<Vec<_>>>()?;

    let names_function = |index: usize| uses[index].iter().filter_map(|name| names.get(name)).any(has_body);
    if (0..ops.len()).any(|index| op_name(ops[index]) == "llvm.mlir.global" && names_function(index)) {
        return None;
    }

    let is_tie = |index: &usize| has_body(index) || is_in_one_function(ops[*index]);

    // Each function with all that it refers to, and all that these do. Those that have a tie in common are one.
    let mut groups: Vec<Group> = vec![];
    let mut group_of = HashMap::new();
    for first in &bodies {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*first]);
        while let Some(index) = next.pop() {
            if seen.insert(index) {
                next.extend(uses[index].iter().filter_map(|name| names.get(name)));
            }
        }
        let ties: Vec<usize> = seen.iter().copied().filter(is_tie).collect();
        let mut group = Group::default();
        (group.functions, group.refers_to) = seen.into_iter().partition(has_body);
        let joined: BTreeSet<usize> = ties.iter().filter_map(|index| group_of.get(index).copied()).collect();
        for other in joined {
            let other = std::mem::take(&mut groups[other]);
            group.functions.extend(other.functions);
            group.refers_to.extend(other.refers_to);
        }
        let ties = group.functions.iter().chain(&group.refers_to).copied().filter(is_tie);
        group_of.extend(ties.map(|index| (index, groups.len())));
        groups.push(group);
    }
    groups.retain(|group| !group.functions.is_empty());
    groups.sort_by_key(|group| group.functions.first().copied());

    let mut parts: Vec<Group> = vec![];
    for group in groups {
        let its: usize = group.functions.iter().map(|index| sizes[index]).sum();
        if parts.last().is_none_or(|part| part.size >= size) {
            parts.push(Group::default());
        }
        let part = parts.last_mut().expect("there is one");
        part.functions.extend(group.functions);
        part.refers_to.extend(group.refers_to);
        part.size += its;
    }
    Some(parts)
}

/// Whether an op is a variable that LLVM puts into a function, where one alone names it.
fn is_in_one_function(op: OperationRef) -> bool {
    let says = |name, text: &str| op.attribute(name).is_ok_and(|its| its.to_string().starts_with(text));
    says("addr_space", "3 ")
        && (says("linkage", "#llvm.linkage<internal>") || says("linkage", "#llvm.linkage<private>"))
}

/// The symbols that an op refers to; `None` where that cannot be known.
fn uses(op: OperationRef) -> Option<HashSet<String>> {
    extern "C" fn note(name: MlirStringRef, user: *mut c_void) {
        let found = unsafe { &mut *user.cast::<HashSet<String>>() };
        found.insert(unsafe { crate::text(name) }.into_owned());
    }
    let mut found = HashSet::new();
    unsafe { ptxTileSymbolUses(op.to_raw(), note, (&raw mut found).cast()) }.then_some(found)
}

/// Calls `body` for each op, on the threads of the context if it has several. Diagnostics come in the order of the ops.
pub fn for_each<'c, T: Send>(ops: &[OperationRef<'c, 'c>], body: impl Fn(OperationRef<'c, 'c>) -> T + Sync) -> Vec<T> {
    type Outcome<T> = Option<Result<T, Box<dyn Any + Send>>>;
    struct Run<'a, 'c, T, F> {
        ops: &'a [OperationRef<'c, 'c>],
        body: &'a F,
        outcomes: *mut Outcome<T>,
    }
    extern "C" fn one<'c, T, F: Fn(OperationRef<'c, 'c>) -> T>(index: isize, user: *mut c_void) {
        let run = unsafe { &*user.cast::<Run<T, F>>() };
        let outcome = catch_unwind(AssertUnwindSafe(|| (run.body)(run.ops[index as usize])));
        // Called once for each index: no two threads have a place in common.
        unsafe { run.outcomes.add(index as usize).write(Some(outcome)) };
    }
    fn callback<'c, T, F: Fn(OperationRef<'c, 'c>) -> T>(_: &F) -> extern "C" fn(isize, *mut c_void) {
        one::<T, F>
    }
    let Some(context) = ops.first().map(|op| unsafe { mlirOperationGetContext(op.to_raw()) }) else { return vec![] };
    let mut outcomes: Vec<Outcome<T>> = ops.iter().map(|_| None).collect();
    let run = Run { ops, body: &body, outcomes: outcomes.as_mut_ptr() };
    unsafe { ptxTileForEach(context, ops.len() as isize, callback(&body), (&raw const run).cast_mut().cast()) };
    let outcomes = outcomes.into_iter().map(|outcome| outcome.expect("it is called for each"));
    outcomes.map(|outcome| outcome.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

/// The PTX of all parts as that of one module: one header, each variable and each declaration once, all functions.
pub fn joined(texts: &[String]) -> String {
    let texts: Vec<Text> = texts.iter().map(|text| Text::of(text)).collect();
    let Some(first) = texts.first() else { return String::new() };
    let mut seen = HashSet::new();
    let items = texts.iter().flat_map(|text| text.declarations.split_inclusive(";\n"));
    // Functions first, as a variable may hold the address of one.
    let code = |item: &&str| item.lines().filter(|line| !is_comment(line)).collect::<String>();
    let (before, after): (Vec<&str>, Vec<&str>) =
        items.filter(|item| seen.insert(code(item))).partition(|item| item.contains(".func "));
    let declarations = [before, after].concat().concat();
    let functions = texts.iter().enumerate().map(|(index, text)| {
        if index == 0 { text.functions.into() } else { format!("{}{}", text.linkage, text.functions.trim_start()) }
    });
    format!("{}{}{declarations}{}", first.header, first.linkage, functions.collect::<String>())
}

/// What LLVM prints for a module, in its order.
struct Text<'t> {
    /// Version and target.
    header: &'t str,
    /// The linkage of the first function, a comment.
    linkage: &'t str,
    /// Functions of elsewhere or of later, and variables, each up to a semicolon.
    declarations: &'t str,
    functions: &'t str,
}

impl<'t> Text<'t> {
    fn of(text: &'t str) -> Text<'t> {
        const LAST_OF_HEADER: &str = "\n.address_size 64\n\n";
        let header = text.find(LAST_OF_HEADER).map_or(0, |at| at + LAST_OF_HEADER.len());
        let (header, rest) = text.split_at(header);
        let line = rest.find('\n').map_or(0, |at| at + 1);
        let (linkage, rest) = rest.split_at(if is_comment(rest) { line } else { 0 });
        let body = rest.find("\n{\n").unwrap_or(rest.len());
        let (declarations, functions) = rest.split_at(rest[..body].rfind(";\n").map_or(0, |at| at + 2));
        Text { header, linkage, declarations, functions }
    }
}

/// Of linkage, as `// .globl` and `// .weak`, and of variables that are said in their function.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;

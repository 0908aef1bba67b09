//! What all threads of a launch decide alike, which a collective needs: the lanes of a warp issue it as one (R26).
//!
//! A value is uniform where it comes from constants, arguments of the kernel and the shape of the launch by arithmetic
//! alone. What is loaded, read from registers or carried through loops may differ from thread to thread.

use crate::ir::{self, definition, operand_of, parent_of_argument};
use anyhow::{Context, Result, ensure};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{RegionLike, Value, ValueLike};
use mlir_sys::{mlirBlockArgumentGetArgNumber, mlirBlockArgumentGetOwner, mlirRegionGetFirstBlock};
use ptx_tile_dialect::verify::op_name;
use std::collections::HashMap;
use std::ffi::c_void;

/// The deepest arithmetic that is followed.
const MAX_DEPTH: u32 = 1000;

/// That the threads that are active at a collective come to it and issue it together. The ranges of a `tile.where` are
/// these threads themselves.
///
/// Errors: the control flow, or the predicate, that threads may decide differently.
pub fn issued_together(collective: OperationRef, pred: Option<Value>) -> Result<()> {
    let mut uniform = Uniform::default();
    ensure!(
        pred.is_none_or(|pred| uniform.has(pred, 0)),
        "has a predicate that threads may have different; a collective is issued by all lanes of its warps or by none \
         (R26, D7)"
    );
    let mut inner = unsafe { OperationRef::from_raw(collective.to_raw()) };
    while !ir::is_function(inner) {
        let outer = inner.parent_operation().context("is in no function")?;
        let outer = unsafe { OperationRef::from_raw(outer.to_raw()) };
        let branches = ir::blocks_around(inner).into_iter().filter_map(|block| ir::ops_in(block).pop());
        let branches = branches.filter(|branch| branch.successor_count() > 1);
        let decides = !ir::is_function(outer) && op_name(outer) != "tile.where";
        for control in branches.chain(decides.then_some(outer)) {
            ensure!(
                uniform.decides(control, 0),
                "is reached through '{}', which threads may decide differently; a collective is issued by all lanes of \
                 its warps together; name the threads by tile.where (R26, R30)",
                op_name(control)
            );
        }
        inner = outer;
    }
    Ok(())
}

/// What is known of values: whether all threads have the same.
#[derive(Default)]
struct Uniform(HashMap<*const c_void, bool>);

impl Uniform {
    /// Whether control flow goes the same way for all threads.
    fn decides(&mut self, control: OperationRef, depth: u32) -> bool {
        let mut first = |count: usize| (0..count).all(|index| self.has(operand_of(control, index as isize), depth));
        match op_name(control) {
            "scf.if" | "scf.index_switch" | "cf.cond_br" | "cf.switch" | "llvm.cond_br" | "llvm.switch" => first(1),
            "scf.for" => first(3),
            // What it carries comes after its bounds, and is asked for too.
            "affine.for" | "affine.if" => first(control.operand_count()),
            "scf.while" => ir::blocks(control)
                .first()
                .and_then(|before| ir::ops_in(*before).pop())
                .is_some_and(|condition| self.has(operand_of(condition, 0), depth)),
            "scf.execute_region" | "memref.alloca_scope" => true,
            _ => false,
        }
    }

    /// Whether all threads have the same.
    fn has(&mut self, value: Value, depth: u32) -> bool {
        let key = value.to_raw().ptr;
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        let is_uniform = depth < MAX_DEPTH
            && match definition(value) {
                Some(op) => self.computes(op, depth + 1),
                None => self.is_argument(value, depth + 1),
            };
        self.0.insert(key, is_uniform);
        is_uniform
    }

    fn computes(&mut self, op: OperationRef, depth: u32) -> bool {
        let name = op_name(op);
        let is_of_launch = matches!(
            name,
            "gpu.block_id"
                | "gpu.block_dim"
                | "gpu.grid_dim"
                | "gpu.cluster_id"
                | "gpu.cluster_dim"
                | "gpu.cluster_dim_blocks"
        );
        let is_arithmetic = matches!(name.split_once('.'), Some(("arith" | "index" | "math", _)))
            || matches!(name, "affine.apply" | "affine.max" | "affine.min" | "llvm.mlir.constant" | "memref.dim");
        is_of_launch
            || (is_arithmetic && (0..op.operand_count() as isize).all(|index| self.has(operand_of(op, index), depth)))
    }

    /// The arguments of a kernel are the same for all, and so is the count of a loop whose bounds are.
    fn is_argument(&mut self, argument: Value, depth: u32) -> bool {
        let Some(op) = parent_of_argument(argument) else { return false };
        let (block, number) =
            unsafe { (mlirBlockArgumentGetOwner(argument.to_raw()), mlirBlockArgumentGetArgNumber(argument.to_raw())) };
        let is_entry =
            || op.region(0).is_ok_and(|region| unsafe { mlirRegionGetFirstBlock(region.to_raw()).ptr == block.ptr });
        match op_name(op) {
            "scf.for" | "affine.for" => number == 0 && self.decides(op, depth),
            _ => ir::is_function(op) && is_entry(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{context, parse};

    /// What is said of the `gpu.barrier` of a kernel, as if it were a collective whose predicate is the first operand of
    /// a `"test.pred"`.
    fn verdict(body: &str) -> String {
        let context = context();
        context.set_allow_unregistered_dialects(true);
        let module = parse(
            &context,
            &format!(
                "gpu.module @m {{ gpu.func @k(%n: index, %p: i1, %in: memref<4xi1, 1>) kernel {{
                %c0 = arith.constant 0 : index
                %c1 = arith.constant 1 : index
                {body}
                }} }}"
            ),
        );
        let ops = ir::ops(module.as_operation());
        let named = |name: &str| ops.iter().copied().find(|op| op_name(*op) == name);
        let pred = named("test.pred").map(|op| operand_of(op, 0));
        issued_together(named("gpu.barrier").unwrap(), pred).map_or_else(|why| why.to_string(), |()| "ok".into())
    }

    #[track_caller]
    fn is_together(body: &str) {
        assert_eq!(verdict(body), "ok");
    }

    #[track_caller]
    fn is_reached_through(control: &str, body: &str) {
        let verdict = verdict(body);
        assert!(verdict.starts_with(&format!("is reached through '{control}', which threads may")), "{verdict}");
    }

    #[test]
    fn what_depends_on_the_launch_is_uniform() {
        is_together("gpu.barrier\n gpu.return");
        is_together("tile.where lanes(0 to 4) { gpu.barrier }\n gpu.return");
        is_together("scf.if %p { gpu.barrier }\n gpu.return");
        is_together(
            "%b = gpu.block_id x
             %e = arith.addi %b, %n : index
             scf.for %i = %c0 to %e step %c1 {
               %odd = arith.remui %i, %n : index
               %is = arith.cmpi eq, %odd, %c0 : index
               scf.if %is { affine.for %j = 0 to 4 { gpu.barrier } }
             }
             gpu.return",
        );
        is_together("scf.while : () -> () { scf.condition(%p) } do { gpu.barrier\n scf.yield }\n gpu.return");
        is_together("cf.cond_br %p, ^a, ^b\n ^a:\n gpu.barrier\n cf.br ^b\n ^b:\n gpu.return");
    }

    #[test]
    fn what_depends_on_the_thread_is_not() {
        const LANE: &str = "%t = gpu.thread_id x\n %is = arith.cmpi ult, %t, %n : index\n";
        is_reached_through("scf.if", &format!("{LANE} scf.if %is {{ gpu.barrier }}\n gpu.return"));
        is_reached_through(
            "scf.if",
            &format!("{LANE} scf.if %is {{ tile.where warps(0 to 1) {{ gpu.barrier }} }}\n gpu.return"),
        );
        is_reached_through(
            "scf.if",
            "%l = memref.load %in[%c0] : memref<4xi1, 1>\n scf.if %l { gpu.barrier }\n gpu.return",
        );
        is_reached_through(
            "scf.for",
            &format!("{LANE} scf.for %i = %c0 to %t step %c1 {{ gpu.barrier }}\n gpu.return"),
        );
        is_reached_through(
            "scf.if",
            &format!(
                "{LANE} %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> i1 {{ scf.if %x {{ gpu.barrier }}
                 scf.yield %is : i1 }}\n gpu.return"
            ),
        );
        is_reached_through(
            "cf.cond_br",
            &format!("{LANE} cf.cond_br %is, ^a, ^b\n ^a:\n gpu.barrier\n cf.br ^b\n ^b:\n gpu.return"),
        );
        is_reached_through(
            "scf.while",
            &format!(
                "{LANE} scf.while : () -> () {{ scf.condition(%is) }} do {{ gpu.barrier\n scf.yield }}\n gpu.return"
            ),
        );
    }

    #[test]
    fn a_predicate_is_uniform_too() {
        is_together("\"test.pred\"(%p) : (i1) -> ()\n gpu.barrier\n gpu.return");
        let own = verdict(
            "%t = gpu.thread_id x\n %is = arith.cmpi ult, %t, %n : index
             \"test.pred\"(%is) : (i1) -> ()\n gpu.barrier\n gpu.return",
        );
        assert!(own.starts_with("has a predicate that threads may have different"), "{own}");
    }
}

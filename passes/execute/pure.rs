//! Ops without effects: casts that keep bits, who a thread is, affine maps, and for all else MLIR's own folders.
//!
//! A folder is asked with the operands that are numbers and defined. Where it has no answer because one is not, the
//! results are undefined, if it has one for some number in that place; else the op is one that the executor does not
//! know.

use super::thread::Core;
use super::value::{Datum, width_of};
use crate::fold::{Folded, bits_of, constant_of_bits, evaluate_map, fold};
use crate::ir;
use anyhow::{Context, Result, bail};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, ValueLike};
use ptx_tile_dialect::semantics::Word;
use ptx_tile_dialect::verify::inherent;

impl<'c> Core<'_, 'c, '_> {
    /// The results of a pure op.
    pub fn pure(&mut self, op: OperationRef<'c, 'c>, name: &str) -> Result<Vec<Datum>> {
        let result_width = || width_of(ir::result_of(op, 0).r#type());
        match name {
            "llvm.bitcast" | "arith.bitcast" | "vector.bitcast" | "llvm.inttoptr" | "llvm.ptrtoint"
            | "llvm.addrspacecast" => Ok(vec![self.word(op, 0)?.resized(result_width()?).into()]),
            "llvm.mlir.undef" | "llvm.mlir.poison" | "ub.poison" => Ok(vec![Word::undefined(result_width()?).into()]),
            "llvm.mlir.zero" => Ok(vec![Word::new(result_width()?, 0).into()]),
            "llvm.mlir.constant" => {
                let value = inherent(op, "value").and_then(bits_of).context("is no number that the executor knows")?;
                Ok(vec![Word::new(result_width()?, value.0).into()])
            }
            "affine.apply" | "affine.min" | "affine.max" if self.are_known(op)? => {
                let inputs =
                    (0..op.operand_count()).map(|index| self.number(op, index)).collect::<Result<Vec<i64>>>()?;
                let map = inherent(op, "map").context("has no map")?;
                let results = evaluate_map(map, &inputs).context("its map has no value")?.into_iter();
                let result = if name == "affine.max" { results.max() } else { results.min() };
                Ok(vec![Word::new(64, result.context("its map has no result")? as u128).into()])
            }
            _ => match self.identity(op, name) {
                Some(number) => Ok(vec![Word::new(result_width()?, number.into()).into()]),
                None => self.folded(op),
            },
        }
    }

    /// Who the thread is, for the ops that ask.
    fn identity(&self, op: OperationRef<'c, 'c>, name: &str) -> Option<u64> {
        const REGISTERS: [(&str, &str); 9] = [
            ("gpu.thread_id", "tid"),
            ("gpu.block_dim", "ntid"),
            ("gpu.block_id", "ctaid"),
            ("gpu.grid_dim", "nctaid"),
            ("gpu.cluster_id", "clusterid"),
            ("gpu.cluster_dim", "nclusterid"),
            ("gpu.cluster_block_id", "cluster_ctaid"),
            ("gpu.cluster_dim_blocks", "cluster_nctaid"),
            ("gpu.lane_id", "laneid"),
        ];
        if let Some(register) = name.strip_prefix("nvvm.read.ptx.sreg.") {
            let axes = ["x", "y", "z", "w"];
            let axis = register.rsplit_once('.').and_then(|(_, last)| axes.iter().position(|its| *its == last));
            let register = if axis.is_some() { &register[..register.len() - 2] } else { register };
            return Some(self.held(&register.replace('.', "_"))?[axis.unwrap_or(0)]);
        }
        let (linear, threads) = self.place_in_block();
        match name {
            "gpu.subgroup_id" => return Some(linear / 32),
            "gpu.num_subgroups" => return Some(threads.div_ceil(32)),
            "gpu.subgroup_size" => return Some(32),
            _ => {}
        }
        let axis = inherent(op, "dimension").map_or("x".into(), |its| its.to_string());
        let axis = axis.trim_start_matches("#gpu<dim ").trim_end_matches('>');
        let axis = ["x", "y", "z"].iter().position(|its| *its == axis)?;
        match REGISTERS.iter().find(|(op, _)| *op == name) {
            Some((_, register)) => Some(self.held(register)?[axis]),
            None if name == "gpu.global_id" => {
                Some(self.held("ctaid")?[axis] * self.held("ntid")?[axis] + self.held("tid")?[axis])
            }
            None => None,
        }
    }

    fn are_known(&self, op: OperationRef<'c, 'c>) -> Result<bool> {
        Ok(self.operands(op, 0)?.iter().all(|datum| matches!(datum, Datum::Word(word) if word.known().is_some())))
    }

    fn folded(&mut self, op: OperationRef<'c, 'c>) -> Result<Vec<Datum>> {
        let operands = self.operands(op, 0)?;
        // A number stands for what is undefined, where there is one.
        let constants = |stand_in: Option<u128>| -> Vec<Option<Attribute<'c>>> {
            let constant = |(index, datum): (usize, &Datum)| {
                let Datum::Word(word) = datum else { return None };
                let bits = word.known().or(stand_in.map(|number| word.bits | (number & !word.defined)))?;
                constant_of_bits(ir::operand_of(op, index as isize).r#type(), bits)
            };
            operands.iter().enumerate().map(constant).collect()
        };
        if let Some(results) = fold(op, &constants(None)) {
            let results = results.into_iter().enumerate().map(|(index, folded)| match folded {
                Folded::Operand(index) => Ok(operands[index].clone()),
                Folded::Constant(constant) => {
                    let width = width_of(ir::result_of(op, index as isize).r#type())?;
                    let (bits, _) =
                        bits_of(constant).with_context(|| format!("gives {constant}, which is no number"))?;
                    Ok(Word::new(width, bits).into())
                }
            });
            return results.collect();
        }
        let undefined = operands.iter().any(|datum| matches!(datum, Datum::Word(word) if word.known().is_none()));
        if undefined && [0, 1].into_iter().any(|number| fold(op, &constants(Some(number))).is_some()) {
            let undefined = |index| Ok(Word::undefined(width_of(ir::result_of(op, index).r#type())?).into());
            return (0..op.result_count() as isize).map(undefined).collect();
        }
        let given: Vec<String> = operands
            .iter()
            .map(|datum| match datum {
                Datum::Word(word) => format!("{word:?}"),
                Datum::View(_) => "a memref".into(),
            })
            .collect();
        bail!("is nothing that the executor knows, or has no value for ({})", given.join(", "))
    }
}

//! A small compiler: `out = a * x + y` over vectors of floats, from numbers on the command line to PTX. It builds the
//! kernel in memory, with the builders of ptx-tile and melior, and no text of MLIR.
//!
//! ```sh
//! embed-rust 8 sm_90    # each of 128 threads has eight vectors of four floats
//! ```

use anyhow::{Context as _, Result, ensure};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::attribute::{
    DenseI32ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::operation::OperationBuilder;
use melior::ir::r#type::{FunctionType, IntegerType, MemRefType};
use melior::ir::{
    Attribute, Block, BlockLike, Identifier, Location, Module, Operation, Region, RegionLike, Type, Value,
};
use ptx_tile_passes::dialect::layout::{Iter, Layout, axes};
use ptx_tile_passes::dialect::threads::Scope;
use ptx_tile_passes::dialect::tile;
use ptx_tile_passes::{Target, emit_ptx};

/// Warps of a block.
const WARPS: i64 = 4;
/// Lanes of a warp.
const LANES: i64 = 32;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let vectors = arguments.next().unwrap_or("4".into());
    let vectors = vectors.parse().with_context(|| format!("{vectors:?} is no number of vectors"))?;
    let chip = arguments.next().unwrap_or("sm_90".into());
    print!("{}", compile(vectors, &chip)?);
    Ok(())
}

/// The PTX of the kernel for `vectors` vectors of four floats a thread.
fn compile(vectors: i64, chip: &str) -> Result<String> {
    ensure!((1..=1024).contains(&vectors), "{vectors} vectors a thread; there are 1 to 1024");
    let registry = DialectRegistry::new();
    ptx_tile_passes::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    Ok(emit_ptx(&module(&context, vectors)?, &Target::chip(chip))?)
}

/// A module of one `gpu.module` of one kernel.
fn module(context: &Context, vectors: i64) -> Result<Module<'_>> {
    let location = Location::unknown(context);
    let module = Module::new(location);
    let inner = Block::new(&[]);
    inner.append_operation(kernel(context, vectors, location)?);
    module.body().append_operation(
        OperationBuilder::new("gpu.module", location)
            .add_attributes(&[name(context, "sym_name", StringAttribute::new(context, "kernels").into())])
            .add_regions([region(inner)])
            .build()?,
    );
    Ok(module)
}

/// `gpu.func @axpy(%a: f32, %x: memref<...>, %y: memref<...>, %out: memref<...>) kernel`
fn kernel<'c>(context: &'c Context, vectors: i64, location: Location<'c>) -> Result<Operation<'c>> {
    let f32 = Type::float32(context);
    let global = IntegerAttribute::new(IntegerType::new(context, 64).into(), 1).into();
    let memory = MemRefType::new(f32, &[WARPS, LANES, vectors, 4], None, Some(global)).into();
    let inputs = [f32, memory, memory, memory];
    let entry = Block::new(&inputs.map(|input| (input, location)));
    body(context, &entry, vectors, location)?;

    let aligned = IntegerAttribute::new(IntegerType::new(context, 32).into(), 16).into();
    let aligned = DictionaryAttribute::new(context, &[name(context, "llvm.align", aligned)]).into();
    let plain = DictionaryAttribute::new(context, &[]).into();
    let arguments = melior::ir::attribute::ArrayAttribute::new(context, &[plain, aligned, aligned, aligned]);
    let block = DenseI32ArrayAttribute::new(context, &[(WARPS * LANES) as i32, 1, 1]);
    Ok(OperationBuilder::new("gpu.func", location)
        .add_attributes(&[
            name(context, "sym_name", StringAttribute::new(context, "axpy").into()),
            name(context, "function_type", TypeAttribute::new(FunctionType::new(context, &inputs, &[]).into()).into()),
            name(context, "arg_attrs", arguments.into()),
            name(context, "gpu.kernel", Attribute::unit(context)),
            name(context, "known_block_size", block.into()),
        ])
        .add_regions([region(entry)])
        .build()?)
}

/// Loads x and y, computes, stores.
fn body<'c>(context: &'c Context, entry: &Block<'c>, vectors: i64, location: Location<'c>) -> Result<()> {
    let on = |extent, axis| Iter { extent, stride: 1, axis };
    // Each lane of each warp has all of its own: 4 * vectors registers.
    let iters = vec![on(WARPS, axes::WARPID), on(LANES, axes::LANEID), on(4 * vectors, axes::M)];
    let layout = Layout::new(iters, vec![], vec![])?;
    let f32 = Type::float32(context);
    let quads = tile::register_type(context, f32, &[WARPS, LANES, vectors, 4], Some(&layout))?;
    let singles = tile::register_type(context, f32, &[WARPS, LANES, 4 * vectors, 1], Some(&layout))?;

    let add = |op: Operation<'c>| -> Result<Value<'c, '_>> { Ok(entry.append_operation(op).result(0)?.into()) };
    let cta = || tile::Clauses { scope: Scope::Cta, ..Default::default() };
    let apply = |opcode: &str, words: &[Value<'c, '_>]| {
        entry.append_operation(tile::apply(context, opcode, words, cta(), location));
    };
    let [a, x, y, out] = [0, 1, 2, 3].map(|index| Value::from(entry.argument(index).expect("there are four")));

    let loaded = [x, y].map(|memory| -> Result<Value<'c, '_>> {
        let tile = add(tile::alloc(context, quads, location))?;
        apply("ld.global.v4.b32", &[tile, memory]);
        Ok(tile)
    });
    let [x, y] = loaded;
    let (x, y) = (x?, y?);
    let [sum, factor] = [y, x].map(|tile| add(tile::view(context, tile, singles, location)));
    let sum = sum?;
    apply("fma.rn.f32", &[sum, a, factor?, sum]);
    apply("st.global.v4.b32", &[out, y]);
    entry.append_operation(OperationBuilder::new("gpu.return", location).build()?);
    Ok(())
}

fn name<'c>(context: &'c Context, name: &str, value: Attribute<'c>) -> (Identifier<'c>, Attribute<'c>) {
    (Identifier::new(context, name), value)
}

fn region<'c>(block: Block<'c>) -> Region<'c> {
    let region = Region::new();
    region.append_block(block);
    region
}

#[cfg(test)]
mod tests {
    use super::*;
    use filecheck::{CheckerBuilder, NO_VARIABLES};

    /// That a text has what FileCheck directives say.
    #[track_caller]
    fn holds(text: &str, directives: &str) {
        let mut builder = CheckerBuilder::new();
        for directive in directives.lines().map(str::trim).filter(|line| !line.is_empty()) {
            assert!(builder.directive(directive).unwrap(), "{directive} is no directive");
        }
        let (is_good, why) = builder.finish().explain(text, NO_VARIABLES).unwrap();
        assert!(is_good, "{why}");
    }

    #[test]
    fn a_kernel_of_one_vector() {
        holds(
            &compile(1, "sm_80").unwrap(),
            "check: .target sm_80
             check: .visible .entry axpy(
             check: .reqntid 128
             check: ld.global.v4.b32
             check: ld.global.v4.b32
             not: ld.global
             check: fma.rn.f32
             check: fma.rn.f32
             check: fma.rn.f32
             check: fma.rn.f32
             not: fma
             check: st.global.v4.b32
             not: .local
             check: ret;",
        );
    }

    #[test]
    fn each_vector_is_an_instruction() {
        let ptx = compile(16, "sm_90").unwrap();
        let count = |what: &str| ptx.matches(what).count();
        assert_eq!([count("ld.global.v4.b32"), count("fma.rn.f32"), count("st.global.v4.b32")], [32, 64, 16]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(compile(0, "sm_90").unwrap_err().to_string(), "0 vectors a thread; there are 1 to 1024");
        let why = compile(1, "gfx90a").unwrap_err().to_string();
        assert!(why.contains("error: ") && why.contains("gfx90a"), "{why}");
    }

    #[test]
    #[should_panic(expected = "Missed #0")]
    fn a_check_finds_what_is_not_there() {
        holds(&compile(1, "sm_90").unwrap(), "check: fma.rn.f64");
    }
}

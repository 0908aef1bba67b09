//! What the builders of tile.rs and ptx.rs build is what one would write.

use super::*;
use crate::layout::{Iter, M};
use crate::ptx;
use melior::dialect::DialectRegistry;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::r#type::IntegerType;
use melior::ir::{Block, BlockLike, Module, RegionLike};

fn context() -> Context {
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    crate::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// A module of what `build` appends to a block with arguments of these types.
fn built<'c>(context: &'c Context, arguments: &[Type<'c>], build: impl FnOnce(&Block<'c>)) -> Module<'c> {
    let location = Location::unknown(context);
    let block = Block::new(&arguments.iter().map(|r#type| (*r#type, location)).collect::<Vec<_>>());
    build(&block);
    let region = Region::new();
    region.append_block(block);
    let module = Module::new(location);
    // Any op that may hold a block with arguments: nothing here asks what it means.
    let holder = OperationBuilder::new("test.holder", location).add_regions([region]).build().unwrap();
    module.body().append_operation(holder);
    module
}

/// That a module verifies and is the text.
#[track_caller]
fn is_text(context: &Context, module: &Module, text: &str) {
    assert!(module.as_operation().verify());
    let wanted = Module::parse(context, text).expect("the text is legal");
    assert_eq!(module.as_operation().to_string(), wanted.as_operation().to_string());
}

#[test]
fn ops_on_tiles() {
    let context = context();
    context.set_allow_unregistered_dialects(true);
    let (location, index, i32) =
        (Location::unknown(&context), Type::index(&context), IntegerType::new(&context, 32).into());
    let gapped = Layout::strided(&[4, 1], &[2, 1], 0).unwrap();
    let plain = register_type(&context, i32, &[4, 1], None).unwrap();
    let spread = register_type(&context, i32, &[4, 1], Some(&gapped)).unwrap();
    let halves = register_type(&context, i32, &[2, 2], None).unwrap();
    let i1 = IntegerType::new(&context, 1).into();
    let memory = MemRefType::new(i32, &[8, 4], None, None);
    let module = built(&context, &[index, i32, i1, memory.into()], |block| {
        let [i, n, p, m] = [0, 1, 2, 3].map(|number| Value::from(block.argument(number).unwrap()));
        let add = |op: Operation<'_>| block.append_operation(unsafe { Operation::from_raw(op.into_raw()) });
        let value = |op| Value::from(add(op).result(0).unwrap());
        let a = value(alloc(&context, plain, location));
        let b = value(alloc(&context, spread, location));
        value(view(&context, a, halves, location));
        value(slice(&context, a, &[1.into(), 0.into()], &[2, 1], location).unwrap());
        value(slice(&context, m, &[i.into(), 0.into()], &[1, 4], location).unwrap());
        let e = value(read(&context, a, &[i.into(), 0.into()], location).unwrap());
        add(write(&context, e, b, &[3.into(), 0.into()], location));
        add(apply(&context, "mov.b32", &[a, n], Clauses::default(), location));
        let clauses = Clauses { pred: Some(p), negated: true, preserve_dst: true, ..Default::default() };
        add(apply(&context, "mov.b32", &[b, a], clauses, location));
        let body = Region::new();
        body.append_block(Block::new(&[]));
        let threads = Narrowing { lanes: Some(0..16), warps: Some(2..4), ..Default::default() };
        add(r#where(&context, &threads, body, location));
    });
    is_text(
        &context,
        &module,
        r#"
        !a = memref<4x1xi32, #gpu.address_space<private>>
        !b = memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
        "test.holder"() ({
        ^bb0(%i: index, %n: i32, %p: i1, %m: memref<8x4xi32>):
          %a = tile.alloc : !a
          %b = tile.alloc : !b
          %v = tile.view %a : !a to memref<2x2xi32, #gpu.address_space<private>>
          %s = tile.slice %a[1, 0] [2, 1] : !a to memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
          %r = tile.slice %m[%i, 0] [1, 4] : memref<8x4xi32> to memref<1x4xi32, strided<[4, 1], offset: ?>>
          %e = tile.read %a[%i, 0] : !a
          tile.write %e, %b[3, 0] : !b
          tile.apply "mov.b32"(%a, %n) : !a, i32
          tile.apply "mov.b32"(%b, %a) pred(not %p) preserve_dst : !b, !a
          tile.where lanes(0 to 16) warps(2 to 4) {
          }
        }) : () -> ()"#,
    );
}

#[test]
fn ops_over_threads_and_instructions() {
    let context = context();
    context.set_allow_unregistered_dialects(true);
    let location = Location::unknown(&context);
    let integer = |width| Type::from(IntegerType::new(&context, width));
    let (i1, i32, i64) = (integer(1), integer(32), integer(64));
    let on = |extent, stride, axis| Iter { extent, stride, axis };
    let lanes = Layout::new(vec![on(32, 1, 1), on(2, 1, M)], vec![], vec![]).unwrap();
    let pairs = register_type(&context, i32, &[32, 1, 2], Some(&lanes)).unwrap();
    let lanes = Layout::new(vec![on(32, 1, 1)], vec![], vec![]).unwrap();
    let wide = register_type(&context, i64, &[32, 1, 1], Some(&lanes)).unwrap();
    let pointer = Type::parse(&context, "!llvm.ptr<1>").unwrap();
    let module = built(&context, &[i1, i32, i64, pointer], |block| {
        let [p, n, w, m] = [0, 1, 2, 3].map(|number| Value::from(block.argument(number).unwrap()));
        let add = |op: Operation<'_>| block.append_operation(unsafe { Operation::from_raw(op.into_raw()) });
        let value = |op| Value::from(add(op).result(0).unwrap());
        let a = value(alloc(&context, pairs, location));
        let b = value(alloc(&context, wide, location));
        let clauses = Clauses { scope: Scope::Warp, sink: &[0], ..Default::default() };
        add(apply(&context, "mov.b64", &[a, b], clauses, location));
        let old = [n];
        let clauses = ptx::Clauses { pred: Some(p), negated: true, preserve: &old, ..Default::default() };
        add(ptx::issue(&context, "add.s32", &[n, n], &[i32], clauses, location));
        add(ptx::issue(&context, "mov.b64", &[w], &[i32], ptx::Clauses { sink: &[0], ..Default::default() }, location));
        let clauses = ptx::Clauses { offset: Some(-4), ..Default::default() };
        add(ptx::issue(&context, "st.global.b32", &[m, n], &[], clauses, location));
        let clauses = ptx::Clauses { special: Some("tid.x"), ..Default::default() };
        add(ptx::issue(&context, "mov.u32", &[], &[i32], clauses, location));
        let clauses = ptx::Clauses { inverted: true, ..Default::default() };
        add(ptx::issue(&context, "setp.lt.and.s32", &[n, n, p], &[i1], clauses, location));
    });
    is_text(
        &context,
        &module,
        r#"
        !pairs = memref<32x1x2xi32, #tile.layout<[32, 2] : [1@laneid, 1]>, #gpu.address_space<private>>
        !wide = memref<32x1x1xi64, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>
        "test.holder"() ({
        ^bb0(%p: i1, %n: i32, %w: i64, %m: !llvm.ptr<1>):
          %a = tile.alloc : !pairs
          %b = tile.alloc : !wide
          tile.apply "mov.b64"(%a, %b) scope(warp) sink [0] : !pairs, !wide
          %c = ptx.add "s32" %n, %n pred(not %p) preserve(%n) : (i32, i32) -> i32
          %d = ptx.mov "b64" %w sink [0] : (i64) -> i32
          ptx.st "global.b32" %m + -4, %n : (!llvm.ptr<1>, i32) -> ()
          %e = ptx.mov "u32" special "tid.x" : () -> i32
          %f = ptx.setp "lt.and.s32" %n, %n, not %p : (i32, i32, i1) -> i1
        }) : () -> ()"#,
    );
}

#[test]
fn what_has_no_type_is_an_error() {
    let context = context();
    let location = Location::unknown(&context);
    let f32 = Type::float32(&context);
    let four = Layout::row_major(&[4]).unwrap();
    let why = register_type(&context, f32, &[3, 1], Some(&four)).unwrap_err().to_string();
    assert!(why.starts_with("shape 3x1 has 3 elements, the layout has 4"), "{why}");
    let why = register_type(&context, f32, &[4, -1], None).unwrap_err().to_string();
    assert_eq!(why, "shape extent -1 at position 1 must be positive");
    let why = register_type(&context, Type::none(&context), &[4, 1], None).unwrap_err().to_string();
    assert!(why.contains("none"), "{why}");
    let tile = register_type(&context, f32, &[4, 1], None).unwrap();
    let block = Block::new(&[(tile.into(), location), (f32, location)]);
    let argument = |number| Value::from(block.argument(number).unwrap());
    let beyond = slice(&context, argument(0), &[3.into(), 0.into()], &[2, 1], location).unwrap_err().to_string();
    assert!(beyond.contains("2 elements from 3 leave axis 0"), "{beyond}");
    assert!(slice(&context, argument(1), &[], &[], location).is_err());
    assert!(read(&context, argument(1), &[], location).is_err());
}

use super::*;
use crate::test_support::{context, parse};

#[path = "begin_tests.rs"]
mod begins;
#[path = "error_tests.rs"]
mod errors;
#[path = "mov_tests.rs"]
mod movs;
#[path = "register_tests.rs"]
mod registers;
#[path = "scope_tests.rs"]
mod scopes;

/// Runs the kernel @k of a `gpu.module` with these ops.
fn launch(ops: &str, launch: &Launch, arguments: &mut [Argument]) -> Result<()> {
    let context = context();
    let module =
        parse(&context, &format!("!r4 = memref<4x1xi32, #gpu.address_space<private>>\ngpu.module @m {{\n{ops}\n}}"));
    let is_kernel = |op: &OperationRef| op.attribute("sym_name").is_ok_and(|name| name.to_string() == "\"k\"");
    let kernel = ir::functions(module.as_operation()).into_iter().find(is_kernel).expect("there is @k");
    run(kernel, launch, arguments)
}

/// The words of @k(%out: memref<?xi32>) after one thread has run these ops; `None` where not all bits are defined.
fn words(count: usize, ops: &str) -> Result<Vec<Option<u32>>> {
    let mut arguments = [Argument::Buffer(Buffer::undefined(4 * count))];
    let kernel = format!("gpu.func @k(%out: memref<{count}xi32>) kernel {{\n{CONSTANTS}{ops}\ngpu.return\n}}");
    launch(&kernel, &Launch::default(), &mut arguments)?;
    let [Argument::Buffer(buffer)] = &arguments else { panic!("it is a buffer") };
    Ok(u32s(buffer))
}

fn u32s(buffer: &Buffer) -> Vec<Option<u32>> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let pairs = buffer.bytes.chunks(4).zip(buffer.defined.chunks(4));
    pairs.map(|(bytes, defined)| (word(defined) == u32::MAX).then_some(word(bytes))).collect()
}

fn input(numbers: &[u32]) -> Argument {
    Argument::Buffer(Buffer::new(numbers.iter().flat_map(|number| number.to_le_bytes()).collect()))
}

#[track_caller]
fn gives(ops: &str, wanted: &[u32]) {
    let wanted: Vec<_> = wanted.iter().map(|word| Some(*word)).collect();
    assert_eq!(words(wanted.len(), ops).unwrap(), wanted);
}

#[track_caller]
fn fails(ops: &str, why: &str) {
    let said = words(4, ops).expect_err("it must not do that").to_string();
    assert!(said.contains(why), "{said}");
}

/// The numbers that programs use.
const CONSTANTS: &str = "
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %i10 = arith.constant 10 : i32
    %i11 = arith.constant 11 : i32
    %i12 = arith.constant 12 : i32
    %i13 = arith.constant 13 : i32
    %true = arith.constant true
    %false = arith.constant false
";

/// A tile %b of registers 10, 11, 12, 13.
const B: &str = "
    %b = tile.alloc : !r4
    tile.write %i10, %b[0, 0] : !r4
    tile.write %i11, %b[1, 0] : !r4
    tile.write %i12, %b[2, 0] : !r4
    tile.write %i13, %b[3, 0] : !r4
";

/// Writes %b to %out.
const OUT: &str = "
    %view = memref.reinterpret_cast %out to offset: [0], sizes: [4, 1], strides: [1, 1] : memref<4xi32> to memref<4x1xi32, strided<[1, 1]>>
    tile.apply \"st.global.b32\"(%view, %b) : memref<4x1xi32, strided<[1, 1]>>, !r4
";

//===------------------------------------------------------------------------------------------------------------===//
// Tiles
//===------------------------------------------------------------------------------------------------------------===//

#[test]
fn an_overlapping_move_goes_on_from_what_it_wrote() {
    // R66, the values of the contract.
    let program = format!(
        "{B}
        %from = tile.slice %b[0, 0] [3, 1] : !r4 to memref<3x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
        %to = tile.slice %b[1, 0] [3, 1] : !r4 to memref<3x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
        tile.apply \"mov.b32\"(%to, %from) : memref<3x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>,
                                             memref<3x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
        {OUT}"
    );
    gives(&program, &[10; 4]);
}

#[test]
fn a_scalar_is_evaluated_once() {
    // D30: an element of the destination, read before the first repeat.
    let program = format!(
        "{B}
        %s = tile.read %b[3, 0] : !r4
        tile.apply \"mov.b32\"(%b, %s) : !r4, i32
        {OUT}"
    );
    gives(&program, &[13; 4]);
}

#[test]
fn a_gapped_tile_writes_every_other_register() {
    // R100: slots 0, 2, 4, 6.
    let (all, gapped) = ("memref<7x1xi32, 5>", "memref<4x1xi32, strided<[2, 1]>, 5>");
    let memory = "memref<7x1xi32, strided<[1, 1]>>";
    let program = format!(
        "
        %all = tile.alloc : {all}
        tile.apply \"mov.b32\"(%all, %i10) : {all}, i32
        %four = memref.subview %all[0, 0] [4, 1] [2, 1] : {all} to {gapped}
        tile.apply \"mov.b32\"(%four, %i11) : {gapped}, i32
        %to = memref.reinterpret_cast %out to offset: [0], sizes: [7, 1], strides: [1, 1] : memref<7xi32> to {memory}
        tile.apply \"st.global.b32\"(%to, %all) : {memory}, {all}"
    );
    gives(&program.replace(", 5>", ", #gpu.address_space<private>>"), &[11, 10, 11, 10, 11, 10, 11]);
}

#[test]
fn a_tile_layout_decides_where_an_element_lies() {
    // S[(2,2):(4,1)]: slots 0, 1, 4, 5, seen through a view of six registers.
    let layout = "memref<4x1xi32, #tile.layout<[2, 2] : [4, 1]>, #gpu.address_space<private>>";
    let six = "memref<6x1xi32, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %all = tile.alloc : {six}
            tile.apply \"mov.b32\"(%all, %i10) : {six}, i32
            %part = tile.slice %all[4, 0] [2, 1] : {six} to memref<2x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>
            tile.apply \"mov.b32\"(%part, %i11) : memref<2x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>, i32
            %e0 = tile.read %all[3, 0] : {six}
            %e1 = tile.read %all[4, 0] : {six}
            %t = tile.alloc : {layout}
            tile.write %i12, %t[3, 0] : {layout}
            tile.write %i13, %t[1, 0] : {layout}
            %e2 = tile.read %t[3, 0] : {layout}
            %e3 = tile.read %t[1, 0] : {layout}
            memref.store %e0, %out[%c0] : memref<4xi32>
            memref.store %e1, %out[%c1] : memref<4xi32>
            memref.store %e2, %out[%c2] : memref<4xi32>
            memref.store %e3, %out[%c3] : memref<4xi32>"
        ),
        &[10, 11, 12, 13],
    );
}

#[test]
fn a_slice_of_a_slice_names_elements_of_the_first() {
    // Slots 0, 1, 4, 5 again: elements 1 to 3, and of these elements 1 and 2.
    let of = |rest: &str| format!("memref<{rest}, #gpu.address_space<private>>");
    let layout = of("4x1xi32, #tile.layout<[2, 2] : [4, 1]>");
    let half = of("2x1xi32, #tile.layout<[2, 1] : [1, 1], offset = [4]>");
    let one = of("1x1xi32, #tile.layout<[1, 1] : [1, 1], offset = [5]>");
    gives(
        &format!(
            "
            %t = tile.alloc : {layout}
            tile.write %i12, %t[2, 0] : {layout}
            tile.write %i13, %t[3, 0] : {layout}
            %s = tile.slice %t[2, 0] [2, 1] : {layout} to {half}
            %u = tile.slice %s[1, 0] [1, 1] : {half} to {one}
            %e0 = tile.read %s[0, 0] : {half}
            %e1 = tile.read %u[0, 0] : {one}
            tile.write %i10, %u[0, 0] : {one}
            %e2 = tile.read %t[3, 0] : {layout}
            memref.store %e0, %out[%c0] : memref<3xi32>
            memref.store %e1, %out[%c1] : memref<3xi32>
            memref.store %e2, %out[%c2] : memref<3xi32>"
        ),
        &[12, 13, 10],
    );
}

#[test]
fn groups_pack_and_unpack() {
    // R89: word 0 is the least significant.
    let pair = "memref<1x2xi32, #gpu.address_space<private>>";
    let wide = "memref<1x1xi64, #gpu.address_space<private>>";
    let quad = "memref<1x4xi16, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %w = arith.constant 0x1122334455667788 : i64
            %p = tile.alloc : {pair}
            %q = tile.alloc : {quad}
            %u = tile.alloc : {wide}
            tile.apply \"mov.b64\"(%p, %w) : {pair}, i64
            tile.apply \"mov.b64\"(%q, %w) : {quad}, i64
            tile.apply \"mov.b64\"(%u, %p) : {wide}, {pair}
            %lo = tile.read %p[0, 0] : {pair}
            %hi = tile.read %p[0, 1] : {pair}
            %half = tile.read %q[0, 3] : {quad}
            %three = arith.extui %half : i16 to i32
            %again = tile.read %u[0, 0] : {wide}
            %top = arith.constant 32 : i64
            %shifted = arith.shrui %again, %top : i64
            %cut = arith.trunci %shifted : i64 to i32
            memref.store %lo, %out[%c0] : memref<4xi32>
            memref.store %hi, %out[%c1] : memref<4xi32>
            memref.store %three, %out[%c2] : memref<4xi32>
            memref.store %cut, %out[%c3] : memref<4xi32>"
        ),
        &[0x5566_7788, 0x1122_3344, 0x1122, 0x1122_3344],
    );
}

#[test]
fn a_sunk_word_is_not_written() {
    let pair = "memref<1x2xi32, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %w = arith.constant 0x1122334455667788 : i64
            %p = tile.alloc : {pair}
            tile.write %i10, %p[0, 0] : {pair}
            tile.apply \"mov.b64\"(%p, %w) sink [0] : {pair}, i64
            %lo = tile.read %p[0, 0] : {pair}
            %hi = tile.read %p[0, 1] : {pair}
            memref.store %lo, %out[%c0] : memref<2xi32>
            memref.store %hi, %out[%c1] : memref<2xi32>"
        ),
        &[10, 0x1122_3344],
    );
}

#[test]
fn a_false_predicate_leaves_preserved_words_and_makes_others_undefined() {
    let apply = |clauses: &str| format!("{B} tile.apply \"mov.b32\"(%b, %i11) {clauses} : !r4, i32 {OUT}");
    gives(&apply("pred(%true)"), &[11; 4]);
    gives(&apply("pred(not %false)"), &[11; 4]);
    gives(&apply("pred(%false) preserve_dst"), &[10, 11, 12, 13]);
    assert_eq!(words(4, &apply("pred(not %true)")).unwrap(), [None; 4]);
    // An instruction that is not executed ignores its operands, where they are too.
    let store = format!("{B} {} memref.store %i10, %out[%c0] : memref<4xi32>", OUT.replace(") :", ") pred(%false) :"));
    assert_eq!(words(4, &store).unwrap(), [Some(10), None, None, None]);
}

#[test]
fn packing_an_undefined_word_leaves_the_others_defined() {
    // D35.
    let pair = "memref<1x2xi32, #gpu.address_space<private>>";
    let wide = "memref<1x1xi64, #gpu.address_space<private>>";
    let program = format!(
        "
        %p = tile.alloc : {pair}
        %u = tile.alloc : {wide}
        tile.write %i10, %p[0, 1] : {pair}
        tile.apply \"mov.b64\"(%u, %p) : {wide}, {pair}
        %v = tile.view %u : {wide} to {pair}
        %lo = tile.read %v[0, 0] : {pair}
        %hi = tile.read %v[0, 1] : {pair}
        memref.store %lo, %out[%c0] : memref<2xi32>
        memref.store %hi, %out[%c1] : memref<2xi32>"
    );
    assert_eq!(words(2, &program).unwrap(), [None, Some(10)]);
}

#[test]
fn predicates_are_registers_too() {
    let preds = "memref<2x1xi1, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %p = tile.alloc : {preds}
            %q = tile.alloc : {preds}
            tile.write %true, %p[0, 0] : {preds}
            tile.write %false, %p[1, 0] : {preds}
            tile.apply \"mov.pred\"(%q, %p) : {preds}, {preds}
            %q0 = tile.read %q[0, 0] : {preds}
            %q1 = tile.read %q[1, 0] : {preds}
            %e0 = arith.select %q0, %i10, %i11 : i32
            %e1 = arith.select %q1, %i10, %i11 : i32
            memref.store %e0, %out[%c0] : memref<2xi32>
            memref.store %e1, %out[%c1] : memref<2xi32>"
        ),
        &[10, 11],
    );
}

#[test]
fn loads_and_stores_move_elements_that_follow_one_another() {
    let quads = "memref<2x4xi32, #gpu.address_space<private>>";
    let kernel = format!(
        "gpu.func @k(%in: memref<2x4xi32> {{llvm.align = 16 : i64}}, %out: memref<8xi32>) kernel {{
            %t = tile.alloc : {quads}
            tile.apply \"ld.global.v4.b32\"(%t, %in) : {quads}, memref<2x4xi32>
            %back = memref.reinterpret_cast %out to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xi32> to memref<2x4xi32, strided<[4, 1]>>
            tile.apply \"st.global.v4.b32\"(%back, %t) : memref<2x4xi32, strided<[4, 1]>>, {quads}
            gpu.return
        }}"
    );
    let numbers: Vec<u32> = (0..8).map(|i| 0x1234_5670 + i).collect();
    let mut arguments = [input(&numbers), Argument::Buffer(Buffer::undefined(32))];
    launch(&kernel, &Launch::default(), &mut arguments).unwrap();
    let Argument::Buffer(out) = &arguments[1] else { panic!() };
    assert_eq!(u32s(out), numbers.iter().map(|number| Some(*number)).collect::<Vec<_>>());

    // The same memory, where it is less aligned than the kernel says.
    let Argument::Buffer(buffer) = &mut arguments[0] else { panic!() };
    buffer.alignment = 8;
    let why = launch(&kernel, &Launch::default(), &mut arguments).unwrap_err().to_string();
    assert!(why.contains("'tile.apply' op ld.global.v4.b32 of repeat 0: accesses byte 0 of argument #0"), "{why}");
    assert!(why.contains("which is no multiple of 16"), "{why}");
}

//===------------------------------------------------------------------------------------------------------------===//
// Control flow, threads, memory
//===------------------------------------------------------------------------------------------------------------===//

#[test]
fn structured_control_flow_runs() {
    gives(
        "
        scf.for %i = %c0 to %c4 step %c1 {
          %n = arith.index_cast %i : index to i32
          %odd = arith.remui %i, %c2 : index
          %is = arith.cmpi eq, %odd, %c1 : index
          %v = scf.if %is -> i32 {
            %s = arith.addi %n, %i10 : i32
            scf.yield %s : i32
          } else {
            scf.yield %n : i32
          }
          memref.store %v, %out[%i] : memref<4xi32>
        }",
        &[0, 11, 2, 13],
    );
    gives(
        "
        %sum = affine.for %i = 0 to 10 step 3 iter_args(%s = %i10) -> i32 {
          %n = arith.index_cast %i : index to i32
          %t = arith.addi %s, %n : i32
          affine.yield %t : i32
        }
        %found = scf.while (%x = %sum) : (i32) -> i32 {
          %less = arith.cmpi ult, %x, %i12 : i32
          %more = arith.cmpi ugt, %x, %i12 : i32
          scf.condition(%more) %x : i32
        } do {
        ^bb0(%y: i32):
          %one = arith.constant 1 : i32
          %z = arith.subi %y, %one : i32
          scf.yield %z : i32
        }
        affine.store %found, %out[1 + 1] : memref<4xi32>
        affine.store %sum, %out[0] : memref<4xi32>
        %case = scf.index_switch %c3 -> i32
        case 3 { scf.yield %i13 : i32 }
        default { scf.yield %i10 : i32 }
        memref.store %case, %out[%c1] : memref<4xi32>
        memref.store %case, %out[%c3] : memref<4xi32>",
        &[28, 13, 12, 13],
    );
}

#[test]
fn branches_carry_values() {
    gives(
        "
        cf.br ^head(%c0, %i10 : index, i32)
      ^head(%i: index, %n: i32):
        memref.store %n, %out[%i] : memref<4xi32>
        %next = arith.addi %i, %c1 : index
        %double = arith.addi %n, %n : i32
        %more = arith.cmpi slt, %next, %c4 : index
        cf.cond_br %more, ^head(%next, %double : index, i32), ^end(%i : index)
      ^end(%last: index):
        %v = arith.index_cast %last : index to i32
        memref.store %v, %out[%c0] : memref<4xi32>",
        &[3, 20, 40, 80],
    );
}

#[test]
fn functions_return_to_their_caller() {
    let kernel = "
        func.func @twice(%x: i32) -> (i32, i32) {
          %y = arith.addi %x, %x : i32
          func.return %y, %x : i32, i32
        }
        gpu.func @k(%out: memref<2xi32>, %x: i32) kernel {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a, %b = func.call @twice(%x) : (i32) -> (i32, i32)
          %c, %d = func.call @twice(%a) : (i32) -> (i32, i32)
          memref.store %c, %out[%c0] : memref<2xi32>
          memref.store %b, %out[%c1] : memref<2xi32>
          gpu.return
        }";
    let mut arguments = [Argument::Buffer(Buffer::undefined(8)), Argument::Bits(7)];
    launch(kernel, &Launch::default(), &mut arguments).unwrap();
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    assert_eq!(u32s(out), [Some(28), Some(7)]);
}

#[test]
fn threads_know_who_they_are() {
    let kernel = "
        gpu.func @k(%out: memref<12xi32>) kernel {
          %c10 = arith.constant 10 : index
          %b = gpu.block_id x
          %n = gpu.block_dim x
          %t = gpu.thread_id x
          %y = gpu.thread_id y
          %base = arith.muli %b, %n : index
          %i = arith.addi %base, %t : index
          %k = affine.apply affine_map<(d0, d1) -> (d0 + 6 * d1)>(%i, %y)
          %v = arith.muli %k, %c10 : index
          %w = arith.index_cast %v : index to i32
          memref.store %w, %out[%k] : memref<12xi32>
          gpu.return
        }";
    let mut arguments = [Argument::Buffer(Buffer::undefined(48))];
    let shape = Launch { grid: [2, 1, 1], block: [3, 2, 1], ..Launch::default() };
    launch(kernel, &shape, &mut arguments).unwrap();
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    assert_eq!(u32s(out), (0..12).map(|i| Some(10 * i)).collect::<Vec<_>>());
}

/// Each thread writes to shared memory, and reads what its neighbour wrote.
fn exchange(barrier: &str) -> Result<Vec<Option<u32>>> {
    let kernel = format!(
        "
        memref.global \"private\" @s : memref<4xi32, #gpu.address_space<workgroup>>
        gpu.func @k(%out: memref<4xi32>) workgroup(%w: memref<4xi32, #gpu.address_space<workgroup>>) kernel {{
          %c0 = arith.constant 0 : index
          %t = gpu.thread_id x
          %n = arith.index_cast %t : index to i32
          %s = memref.get_global @s : memref<4xi32, #gpu.address_space<workgroup>>
          %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
          %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xi32, #gpu.address_space<workgroup>>
          %i = affine.apply affine_map<(d0) -> ((d0 + 1) mod 4)>(%t)
          memref.store %n, %s[%t] : memref<4xi32, #gpu.address_space<workgroup>>
          {barrier}
          %x = memref.load %s[%i] : memref<4xi32, #gpu.address_space<workgroup>>
          memref.store %x, %w[%t] : memref<4xi32, #gpu.address_space<workgroup>>
          {barrier}
          %y = memref.load %w[%i] : memref<4xi32, #gpu.address_space<workgroup>>
          memref.store %y, %v[%t] : memref<4xi32, #gpu.address_space<workgroup>>
          {barrier}
          %z = memref.load %v[%i] : memref<4xi32, #gpu.address_space<workgroup>>
          memref.store %z, %out[%t] : memref<4xi32>
          gpu.return
        }}"
    );
    let mut arguments = [Argument::Buffer(Buffer::undefined(16))];
    let shape = Launch { block: [4, 1, 1], dynamic_shared: 16, ..Launch::default() };
    launch(&kernel, &shape, &mut arguments)?;
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    Ok(u32s(out))
}

#[test]
fn threads_meet_at_barriers() {
    assert_eq!(exchange("gpu.barrier").unwrap(), [Some(3), Some(0), Some(1), Some(2)]);
    // Without them thread 0 reads what thread 1 has yet to write.
    assert_eq!(exchange("").unwrap()[0], None);
}

#[test]
fn a_barrier_is_for_all_threads() {
    let kernel = "
        gpu.func @k() kernel {
          %c3 = arith.constant 3 : index
          %t = gpu.thread_id x
          %some = arith.cmpi ne, %t, %c3 : index
          scf.if %some { gpu.barrier }
          gpu.return
        }";
    let why = launch(kernel, &Launch { block: [4, 1, 1], ..Launch::default() }, &mut []).unwrap_err().to_string();
    assert!(why.ends_with("'gpu.barrier' op waits for 1 of 4 threads, which have returned"), "{why}");
}

#[test]
fn globals_have_initial_values() {
    let kernel = "
        memref.global \"private\" constant @c : memref<2xi16> = dense<[-1, 258]>
        gpu.func @k(%out: memref<2xi32>) kernel {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c = memref.get_global @c : memref<2xi16>
          %a = memref.load %c[%c0] : memref<2xi16>
          %b = memref.load %c[%c1] : memref<2xi16>
          %d = arith.extsi %a : i16 to i32
          %e = arith.extsi %b : i16 to i32
          memref.store %d, %out[%c0] : memref<2xi32>
          memref.store %e, %out[%c1] : memref<2xi32>
          gpu.return
        }";
    let mut arguments = [Argument::Buffer(Buffer::undefined(8))];
    launch(kernel, &Launch::default(), &mut arguments).unwrap();
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    assert_eq!(u32s(out), [Some(u32::MAX), Some(258)]);
}

#[test]
fn views_of_memory_name_the_same_bytes() {
    gives(
        "
        %a = memref.expand_shape %out [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
        %row = memref.subview %a[1, 0] [1, 2] [1, 1] : memref<2x2xi32> to memref<2xi32, strided<[1], offset: 2>>
        %column = memref.subview %a[0, 1] [2, 1] [1, 1] : memref<2x2xi32> to memref<2xi32, strided<[2], offset: 1>>
        %flat = memref.collapse_shape %a [[0, 1]] : memref<2x2xi32> into memref<4xi32>
        memref.store %i10, %flat[%c0] : memref<4xi32>
        memref.store %i11, %column[%c0] : memref<2xi32, strided<[2], offset: 1>>
        memref.store %i12, %row[%c0] : memref<2xi32, strided<[1], offset: 2>>
        memref.store %i13, %column[%c1] : memref<2xi32, strided<[2], offset: 1>>",
        &[10, 11, 12, 13],
    );
}

#[test]
fn expanded_ops_run() {
    gives(
        "
        %one = llvm.mlir.constant(1 : i32) : i32
        %array = llvm.alloca %one x !llvm.array<3 x i64> {alignment = 16 : i64} : (i32) -> !llvm.ptr
        %slot = llvm.getelementptr %array[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x i64>
        %index = memref.extract_aligned_pointer_as_index %out : memref<4xi32> -> index
        %number = arith.index_cast %index : index to i64
        %ptr = llvm.inttoptr %number : i64 to !llvm.ptr<1>
        %wide = ptx.mov \"b64\" %i10, %i11 : (i32, i32) -> i64
        llvm.store %wide, %slot : i64, !llvm.ptr
        %i = arith.constant 5 : i64
        %part = llvm.getelementptr %array[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %hi = llvm.load %part : !llvm.ptr -> i32
        ptx.st \"global.b32\" %ptr, %hi : (!llvm.ptr<1>, i32) -> ()
        %lo = ptx.mov \"b64\" %wide sink [1] : (i64) -> i32
        ptx.st \"global.v2.b32\" %ptr + 8, %lo, %i12 : (!llvm.ptr<1>, i32, i32) -> ()
        %v = ptx.ld \"global.b32\" %ptr + 12 : (!llvm.ptr<1>) -> i32
        %kept = ptx.mov \"b32\" %i10 pred(%false) preserve(%v) : (i32) -> i32
        %f = llvm.bitcast %kept : i32 to f32
        %bits = llvm.bitcast %f : f32 to i32
        ptx.st \"global.b32\" %ptr + 4, %bits : (!llvm.ptr<1>, i32) -> ()",
        &[11, 12, 10, 12],
    );
}

#[test]
fn a_negated_source_is_the_other() {
    let store = |op: &str| {
        format!(
            "%p = ptx.mov \"pred\" {op} : (i1) -> i1 %q = arith.extui %p : i1 to i32 memref.store %q, %out[%c0] : memref<4xi32>"
        )
    };
    assert_eq!(words(4, &store("not %false")).unwrap()[0], Some(1));
    assert_eq!(words(4, &store("%false")).unwrap()[0], Some(0));
}

#[test]
fn a_pointer_may_be_selected() {
    let kernel = "
        llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: i1, %n: i32) attributes {nvvm.kernel} {
          %p = arith.select %c, %a, %b : !llvm.ptr<1>
          %q = arith.select %c, %b, %a : !llvm.ptr<1>
          ptx.st \"global.b32\" %p, %n : (!llvm.ptr<1>, i32) -> ()
          ptx.st \"global.b32\" %q + 4, %n : (!llvm.ptr<1>, i32) -> ()
          llvm.return
        }";
    let buffer = || Argument::Buffer(Buffer::undefined(8));
    let mut arguments = [buffer(), buffer(), Argument::Bits(0), Argument::Bits(5)];
    launch(kernel, &Launch::default(), &mut arguments).unwrap();
    let [Argument::Buffer(a), Argument::Buffer(b), ..] = &arguments else { panic!() };
    assert_eq!((u32s(a), u32s(b)), (vec![None, Some(5)], vec![Some(5), None]));
}

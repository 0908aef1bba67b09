//! What a program must not do, and what the executor does not know.

use super::*;

#[test]
fn an_error_names_the_op_and_where_it_is() {
    let why = words(4, "%v = memref.load %out[%c4] : memref<4xi32>").unwrap_err().to_string();
    assert!(
        why.starts_with("loc(") && why.contains(": 'memref.load' op index 4 on axis 0 is outside of 0 to 3"),
        "{why}"
    );
}

#[test]
fn what_is_undefined_decides_nothing() {
    let undefined = format!("{B} %t = tile.alloc : !r4 %u = tile.read %t[0, 0] : !r4");
    fails(
        &format!("{undefined} %i = arith.index_cast %u : i32 to index memref.store %u, %out[%i] : memref<4xi32>"),
        "'memref.store' op operand #2: is undefined",
    );
    fails(
        &format!("{undefined} %c = arith.trunci %u : i32 to i1 scf.if %c {{ }}"),
        "'scf.if' op operand #0: is undefined where a condition is wanted",
    );
    fails(
        &format!("{undefined} %c = arith.trunci %u : i32 to i1 tile.apply \"mov.b32\"(%b, %i10) pred(%c) : !r4, i32"),
        "'tile.apply' op the predicate: is undefined",
    );
    fails(
        &format!(
            "{undefined} %n = arith.extui %u : i32 to i64 %p = llvm.inttoptr %n : i64 to !llvm.ptr<1>
                  %v = ptx.ld \"global.b32\" %p : (!llvm.ptr<1>) -> i32"
        ),
        "'ptx.ld' op (a): is undefined where an address is wanted",
    );
    // It may be moved, computed with and stored.
    let moved = format!("{undefined} %v = arith.addi %u, %i10 : i32 memref.store %v, %out[%c0] : memref<4xi32>");
    assert_eq!(words(4, &moved).unwrap(), [None; 4]);
}

#[test]
fn accesses_stay_inside() {
    let pointer = "
        %index = memref.extract_aligned_pointer_as_index %out : memref<4xi32> -> index
        %number = arith.index_cast %index : index to i64
        %ptr = llvm.inttoptr %number : i64 to !llvm.ptr<1>";
    fails(
        &format!("{pointer} %v = ptx.ld \"global.b32\" %ptr + 16 : (!llvm.ptr<1>) -> i32"),
        "'ptx.ld' op accesses bytes 16 to 20 of argument #0, which has 16",
    );
    fails(
        &format!("{pointer} %v = ptx.ld \"global.b32\" %ptr + 2 : (!llvm.ptr<1>) -> i32"),
        "which is no multiple of 4",
    );
    fails(
        &format!(
            "{pointer} %q = llvm.addrspacecast %ptr : !llvm.ptr<1> to !llvm.ptr<3> %v = llvm.load %q : !llvm.ptr<3> -> i32"
        ),
        "accesses argument #0, in state space 1, as state space 3",
    );
    fails(
        "%v = memref.subview %out[2] [%c3] [1] : memref<4xi32> to memref<?xi32, strided<[1], offset: 2>>",
        "'memref.subview' op the region is outside of the extent 4 of axis 0",
    );
    fails(
        "%m = memref.assume_alignment %out, 512 : memref<4xi32>",
        "'memref.assume_alignment' op states 512, the memory is at",
    );
}

#[test]
fn a_program_ends() {
    let mut arguments = [];
    let shape = Launch { steps: 1000, ..Launch::default() };
    let why = launch("gpu.func @k() kernel { cf.br ^loop\n^loop:\n cf.br ^loop }", &shape, &mut arguments).unwrap_err();
    assert!(why.to_string().contains("'cf.br' op is step 1001 of the launch, more than the 1000"), "{why}");
    let endless = "func.func @f() { func.call @f() : () -> () return } gpu.func @k() kernel { func.call @f() : () -> () gpu.return }";
    let why = launch(endless, &Launch::default(), &mut arguments).unwrap_err();
    assert!(why.to_string().contains("'func.call' op is 1000 calls and regions deep"), "{why}");
    let large = "gpu.func @k() kernel { %t = memref.alloca() : memref<1073741825xi8, 5> gpu.return }";
    let why = launch(large, &Launch::default(), &mut arguments).unwrap_err();
    assert!(why.to_string().contains("all memory together is more than"), "{why}");
}

#[test]
fn what_is_not_known_is_said() {
    fails("gpu.printf \"text\"", "'gpu.printf' op is nothing that the executor knows");
    fails("%z = arith.constant 0 : i32 %v = arith.divui %i10, %z : i32", "has no value for (0xa:32, 0x0:32)");
    fails("%v = llvm.inline_asm \"mov.b32 $0, 1;\", \"=r\" : () -> i32", "'llvm.inline_asm' op is nothing");
}

#[test]
fn arguments_fit() {
    let kernel = "gpu.func @k(%a: memref<4xi32>, %n: i32) kernel { gpu.return }";
    let why = |arguments: &mut [Argument]| launch(kernel, &Launch::default(), arguments).unwrap_err().to_string();
    assert!(why(&mut []).ends_with("'gpu.func' op takes 2 arguments, 0 are given"));
    let said = why(&mut [Argument::Bits(1), Argument::Bits(2)]);
    assert!(said.ends_with("argument #0: is memref<4xi32>, and bits are given"), "{said}");
    let said = why(&mut [input(&[1]), input(&[1])]);
    assert!(said.ends_with("argument #1: is i32, and a buffer is given"), "{said}");
    let shape = Launch { block: [0, 1, 1], ..Launch::default() };
    let said = launch(kernel, &shape, &mut [input(&[1]), Argument::Bits(1)]).unwrap_err().to_string();
    assert!(said.contains("has no thread"), "{said}");
}

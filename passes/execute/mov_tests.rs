//! What `ptx` ops name instead of taking it as a value, and the forms of `mov` beyond copies.

use super::*;

/// The words that one thread of a launch stores to its place.
fn by_thread(shape: &Launch, thread: usize, count: usize, ops: &str) -> Result<Vec<Option<u32>>> {
    let threads: usize = [shape.grid, shape.block].iter().flatten().map(|its| *its as usize).product();
    let kernel = format!(
        "gpu.func @k(%out: memref<{threads}x{count}xi32>) kernel {{
           {CONSTANTS}
           %bx = gpu.block_id x
           %by = gpu.block_id y
           %bz = gpu.block_id z
           %x = gpu.thread_id x
           %y = gpu.thread_id y
           %z = gpu.thread_id z
           %me = affine.apply affine_map<(bx, by, bz, x, y, z) -> (x + {w} * (y + {h} * (z + {d} * (bx + {gw} * (by + {gh} * bz)))))>
             (%bx, %by, %bz, %x, %y, %z)
           {ops}
           gpu.return
         }}",
        w = shape.block[0],
        h = shape.block[1],
        d = shape.block[2],
        gw = shape.grid[0],
        gh = shape.grid[1],
    );
    let mut arguments = [Argument::Buffer(Buffer::undefined(4 * threads * count))];
    launch(&kernel, shape, &mut arguments)?;
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    Ok(u32s(out)[thread * count..(thread + 1) * count].to_vec())
}

/// Reads special registers into the words of a thread.
fn special(shape: &Launch, thread: usize, names: &[&str]) -> Result<Vec<Option<u32>>> {
    let reads: String = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            format!(
                "%r{i} = ptx.mov \"u32\" special \"{name}\" : () -> i32
                 %at{i} = arith.constant {i} : index
                 memref.store %r{i}, %out[%me, %at{i}] : memref<{}x{}xi32>\n",
                [shape.grid, shape.block].iter().flatten().product::<u32>(),
                names.len()
            )
        })
        .collect();
    by_thread(shape, thread, names.len(), &reads)
}

#[test]
fn special_registers_say_which_thread_of_which_launch() {
    let shape = Launch { grid: [2, 3, 1], block: [5, 4, 2], dynamic_shared: 48, ..Launch::default() };
    // Block (1, 2, 0), thread (4, 3, 1), which is the last one: 39.
    let last = 6 * 40 - 1;
    let some = |numbers: &[u32]| numbers.iter().map(|number| Some(*number)).collect::<Vec<_>>();
    let components = ["tid", "ntid", "ctaid", "nctaid"]
        .iter()
        .flat_map(|its| ["x", "y", "z", "w"].map(|axis| format!("{its}.{axis}")));
    let components: Vec<String> = components.collect();
    let names: Vec<&str> = components.iter().map(String::as_str).collect();
    assert_eq!(special(&shape, last, &names).unwrap(), some(&[4, 3, 1, 0, 5, 4, 2, 0, 1, 2, 0, 0, 2, 3, 1, 0]));
    let others =
        ["laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_ge", "lanemask_gt", "dynamic_smem_size"];
    assert_eq!(special(&shape, last, &others).unwrap(), some(&[7, 0x80, 0x7f, 0xff, 0xffff_ff80, 0xffff_ff00, 48]));
    assert_eq!(special(&shape, 31, &["laneid", "lanemask_le", "lanemask_gt"]).unwrap(), some(&[31, 0xffff_ffff, 0]));
    let why = |name: &str| special(&shape, 0, &[name]).unwrap_err().to_string();
    assert!(why("clock").ends_with("'ptx.mov' op reads clock, which is another number each time"), "{}", why("clock"));
    assert!(why("smid").ends_with("reads smid, which is another number each time"));
    assert!(why("nsmid").ends_with("reads nsmid, which a launch here has not"));
    assert!(why("gridid").ends_with("reads gridid, which a launch here has not"));
}

#[test]
fn a_vector_is_read_whole_and_narrow() {
    let shape = Launch { block: [3, 2, 1], ..Launch::default() };
    let ops = "
        %v:4 = ptx.mov \"v4.u32\" special \"tid\" : () -> (i32, i32, i32, i32)
        memref.store %v#0, %out[%me, %c0] : memref<6x4xi32>
        memref.store %v#1, %out[%me, %c1] : memref<6x4xi32>
        %s:2 = ptx.mov \"v4.b16\" special \"ntid\" sink [0, 3] : () -> (i16, i16)
        %s0 = arith.extui %s#0 : i16 to i32
        %s1 = arith.extui %s#1 : i16 to i32
        memref.store %s0, %out[%me, %c2] : memref<6x4xi32>
        memref.store %s1, %out[%me, %c3] : memref<6x4xi32>";
    assert_eq!(by_thread(&shape, 5, 4, ops).unwrap(), [Some(2), Some(1), Some(2), Some(1)]);
    // By a predicate that is false nothing is read.
    let unread = "
        %v = ptx.mov \"u32\" special \"clock\" pred(%false) preserve(%i11) : () -> i32
        memref.store %v, %out[%me, %c0] : memref<1x1xi32>";
    assert_eq!(by_thread(&Launch::default(), 0, 1, unread).unwrap(), [Some(11)]);
}

#[test]
fn symbols_lead_to_their_variables() {
    let kernel = "
        memref.global \"private\" @global : memref<2xi32, 1> = dense<[11, 12]>
        memref.global \"private\" @plain : memref<2xi32> = dense<[21, 22]>
        memref.global \"private\" constant @constant : memref<2xi32, 4> = dense<[31, 32]>
        memref.global \"private\" @shared : memref<2xi32, #gpu.address_space<workgroup>>
        llvm.mlir.global internal @defined(dense<[61, 62]> : tensor<2xi32>) {addr_space = 1 : i32} : !llvm.array<2 x i32>
        func.func @f() { return }
        gpu.func @k(%out: !llvm.ptr<1>) kernel {
          %c41 = arith.constant 41 : i32
          %a = ptx.mov \"u64\" symbol @global + 4 : () -> i64
          %b = ptx.mov \"s64\" symbol @plain : () -> i64
          %c = ptx.mov \"b64\" symbol @constant + 4 : () -> i64
          %d = ptx.mov \"u32\" symbol @shared + 4 : () -> i32
          %e = ptx.mov \"u64\" symbol @defined + 4 : () -> i64
          %d64 = arith.extui %d : i32 to i64
          %ap = llvm.inttoptr %a : i64 to !llvm.ptr<1>
          %bp = llvm.inttoptr %b : i64 to !llvm.ptr<1>
          %cp = llvm.inttoptr %c : i64 to !llvm.ptr<4>
          %dp = llvm.inttoptr %d64 : i64 to !llvm.ptr<3>
          %ep = llvm.inttoptr %e : i64 to !llvm.ptr<1>
          %av = ptx.ld \"global.b32\" %ap : (!llvm.ptr<1>) -> i32
          %bv = ptx.ld \"global.b32\" %bp : (!llvm.ptr<1>) -> i32
          %cv = llvm.load %cp : !llvm.ptr<4> -> i32
          ptx.st \"shared.b32\" %dp, %c41 : (!llvm.ptr<3>, i32) -> ()
          %s = memref.get_global @shared : memref<2xi32, #gpu.address_space<workgroup>>
          %one = arith.constant 1 : index
          %dv = memref.load %s[%one] : memref<2xi32, #gpu.address_space<workgroup>>
          %ev = ptx.ld \"global.b32\" %ep : (!llvm.ptr<1>) -> i32
          ptx.st \"global.b32\" %out, %av : (!llvm.ptr<1>, i32) -> ()
          ptx.st \"global.b32\" %out + 4, %bv : (!llvm.ptr<1>, i32) -> ()
          ptx.st \"global.b32\" %out + 8, %cv : (!llvm.ptr<1>, i32) -> ()
          ptx.st \"global.b32\" %out + 12, %dv : (!llvm.ptr<1>, i32) -> ()
          ptx.st \"global.b32\" %out + 16, %ev : (!llvm.ptr<1>, i32) -> ()
          gpu.return
        }";
    let mut arguments = [Argument::Buffer(Buffer::undefined(20))];
    launch(kernel, &Launch::default(), &mut arguments).unwrap();
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    assert_eq!(u32s(out), [12, 21, 32, 41, 62].map(Some));
    let wrong = kernel
        .replace("!llvm.ptr<4> -> i32", "!llvm.ptr<4> -> i32 %x = ptx.ld \"shared.b32\" %q : (!llvm.ptr<3>) -> i32");
    let wrong = wrong.replace("%cp = ", "%q = llvm.inttoptr %a : i64 to !llvm.ptr<3> %cp = ");
    let why = launch(&wrong, &Launch::default(), &mut arguments).unwrap_err().to_string();
    assert!(why.contains("accesses @global, in state space 1, as state space 3"), "{why}");
    let function = kernel.replace("%c41 = ", "%f = ptx.mov \"u64\" symbol @f : () -> i64 %c41 = ");
    let why = launch(&function, &Launch::default(), &mut arguments).unwrap_err().to_string();
    assert!(
        why.ends_with("'ptx.mov' op asks for the address of a 'func.func', which the executor does not have"),
        "{why}"
    );
}

#[test]
fn a_source_may_be_negated() {
    gives(
        "
        %p = ptx.mov \"pred\" not %true : (i1) -> i1
        %q = ptx.mov \"pred\" not %false : (i1) -> i1
        %a = arith.select %p, %i10, %i11 : i32
        %b = arith.select %q, %i10, %i11 : i32
        memref.store %a, %out[%c0] : memref<2xi32>
        memref.store %b, %out[%c1] : memref<2xi32>",
        &[11, 10],
    );
    fails(
        "%t = tile.alloc : memref<1xi1, #gpu.address_space<private>> %u = tile.read %t[0] : memref<1xi1, #gpu.address_space<private>>
         %p = ptx.mov \"pred\" not %u : (i1) -> i1 scf.if %p { }",
        "'scf.if' op operand #0: is undefined",
    );
}

#[test]
fn vectors_bytes_and_128_bits_move() {
    gives(
        "
        %v:4 = ptx.mov \"v4.b32\" %i10, %i11, %i12, %i13 : (i32, i32, i32, i32) -> (i32, i32, i32, i32)
        %wide = ptx.mov \"b128\" %v#3, %v#2, %v#1, %v#0 : (i32, i32, i32, i32) -> i128
        %lo, %hi = ptx.mov \"b128\" %wide : (i128) -> (i64, i64)
        %a:2 = ptx.mov \"b64\" %lo : (i64) -> (i32, i32)
        %b = ptx.mov \"b64\" %hi sink [0] : (i64) -> i32
        memref.store %a#0, %out[%c0] : memref<4xi32>
        memref.store %a#1, %out[%c1] : memref<4xi32>
        memref.store %b, %out[%c2] : memref<4xi32>
        %x = arith.constant 0x11223344 : i32
        %y:4 = ptx.mov \"b32\" %x : (i32) -> (i8, i8, i8, i8)
        %z = ptx.mov \"b16\" %y#3, %y#0 : (i8, i8) -> i16
        %w = arith.extui %z : i16 to i32
        memref.store %w, %out[%c3] : memref<4xi32>",
        &[13, 12, 10, 0x4411],
    );
    let wides = "memref<2x1xi128, #gpu.address_space<private>>";
    let quads = "memref<2x4xi32, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %q = tile.alloc : {quads}
            %w = tile.alloc : {wides}
            tile.write %i10, %q[1, 0] : {quads}
            tile.write %i11, %q[1, 1] : {quads}
            tile.write %i12, %q[1, 2] : {quads}
            tile.write %i13, %q[1, 3] : {quads}
            tile.apply \"mov.b128\"(%w, %q) : {wides}, {quads}
            %one = tile.slice %w[%c1, 0] [1, 1] : {wides} to memref<1x1xi128, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
            %back = tile.view %one : memref<1x1xi128, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
              to memref<4x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
            %view = memref.reinterpret_cast %out to offset: [0], sizes: [4, 1], strides: [1, 1] : memref<4xi32> to memref<4x1xi32, strided<[1, 1]>>
            tile.apply \"st.global.b32\"(%view, %back) : memref<4x1xi32, strided<[1, 1]>>,
              memref<4x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>"
        ),
        &[10, 11, 12, 13],
    );
}

//! Views and slices whose begins are values, and memory of every state space.

use super::*;

const ROW: &str = "memref<1x2xi32, strided<[2, 1], offset: ?>, #gpu.address_space<private>>";
const ROWS: &str = "memref<2x2xi32, #gpu.address_space<private>>";

#[test]
fn a_slice_begins_at_a_value() {
    gives(
        &format!(
            "
            %t = tile.alloc : {ROWS}
            scf.for %i = %c0 to %c2 step %c1 {{
              %s = tile.slice %t[%i, 0] [1, 2] : {ROWS} to {ROW}
              %u = memref.subview %t[%i, %c0] [1, 1] [1, 1] : {ROWS}
                to memref<1x1xi32, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
              %n = arith.index_cast %i : index to i32
              %m = arith.addi %n, %i10 : i32
              tile.write %m, %s[0, 1] : {ROW}
              tile.write %n, %u[0, 0] : memref<1x1xi32, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
            }}
            %e0 = tile.read %t[0, 0] : {ROWS}
            %e1 = tile.read %t[0, 1] : {ROWS}
            %e2 = tile.read %t[1, 0] : {ROWS}
            %e3 = tile.read %t[1, 1] : {ROWS}
            memref.store %e0, %out[%c0] : memref<4xi32>
            memref.store %e1, %out[%c1] : memref<4xi32>
            memref.store %e2, %out[%c2] : memref<4xi32>
            memref.store %e3, %out[%c3] : memref<4xi32>"
        ),
        &[0, 10, 1, 11],
    );
    fails(
        &format!("%t = tile.alloc : {ROWS} %s = tile.slice %t[%c2, 0] [1, 2] : {ROWS} to {ROW}"),
        "'tile.slice' op the region is outside of the extent 2 of axis 0 (R36)",
    );
}

#[test]
fn a_view_of_a_slice_begins_where_the_slice_does() {
    let wide = "memref<1x1xi64, strided<[1, 1], offset: ?>, #gpu.address_space<private>>";
    let halves = "memref<1x2xi16, #tile.layout<[2] : [1], offset = [?]>, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %w = arith.constant 0x1122334455667788 : i64
            %t = tile.alloc : {ROWS}
            tile.write %i10, %t[0, 0] : {ROWS}
            %s = tile.slice %t[%c1, 0] [1, 2] : {ROWS} to {ROW}
            %v = tile.view %s : {ROW} to {wide}
            tile.write %w, %v[0, 0] : {wide}
            // Of the slice's second word the two halves.
            %q = tile.view %v : {wide} to memref<1x4xi16, strided<[4, 1], offset: ?>, #gpu.address_space<private>>
            %h = tile.slice %q[0, %c2] [1, 2] : memref<1x4xi16, strided<[4, 1], offset: ?>, #gpu.address_space<private>>
              to {halves}
            %e = tile.read %h[0, 1] : {halves}
            %e1 = arith.extui %e : i16 to i32
            %e0 = tile.read %t[0, 0] : {ROWS}
            %e2 = tile.read %t[1, 0] : {ROWS}
            %e3 = tile.read %t[1, 1] : {ROWS}
            memref.store %e0, %out[%c0] : memref<4xi32>
            memref.store %e1, %out[%c1] : memref<4xi32>
            memref.store %e2, %out[%c2] : memref<4xi32>
            memref.store %e3, %out[%c3] : memref<4xi32>"
        ),
        &[10, 0x1122, 0x5566_7788, 0x1122_3344],
    );
    fails(
        &format!(
            "
            %t = tile.alloc : {ROWS}
            %f = tile.view %t : {ROWS} to memref<4x1xi32, #gpu.address_space<private>>
            %s = tile.slice %f[%c1, 0] [2, 1] : memref<4x1xi32, #gpu.address_space<private>>
              to memref<2x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
            %v = tile.view %s : memref<2x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>> to {wide}"
        ),
        "'tile.view' op begins 32 bits from its storage, inside of an element (R53)",
    );
}

#[test]
fn a_swizzle_looks_the_same_from_every_period_on() {
    // Of period 4, it exchanges 2 and 3.
    let swizzle = |rest: &str| format!("#tile.swizzle<<{rest}>, per_element = 0, swizzle = 1, atom = 1>");
    let program = |begin: &str, layout: &str| {
        let (all, part) = (swizzle("[8] : [1]"), swizzle("[4] : [1], offset = [?]"));
        format!(
            "
            %c8 = arith.constant 8 : index
            scf.for %i = %c0 to %c8 step %c1 {{
              %n = arith.index_cast %i : index to i32
              memref.store %n, %out[%i] : memref<8xi32>
            }}
            %v = tile.view %out : memref<8xi32> to memref<8x1xi32, {all}>
            %s = tile.slice %v[{begin}, 0] [4, 1] : memref<8x1xi32, {all}> to memref<4x1xi32, {part}>
            %w = tile.view %s : memref<4x1xi32, {part}> to memref<4x1xi32, {layout}>
            %b = tile.alloc : !r4
            tile.apply \"ld.global.b32\"(%b, %w) : !r4, memref<4x1xi32, {layout}>
            {}",
            OUT.replace("memref<4xi32>", "memref<8xi32>")
        )
    };
    let part = swizzle("[4] : [1], offset = [?]");
    gives(&program("%c4", &part), &[4, 5, 7, 6, 4, 5, 6, 7]);
    gives(&program("%c4", "strided<[1, 1], offset: ?>"), &[4, 5, 6, 7, 4, 5, 6, 7]);
    let why = words(8, &program("%c2", &part)).unwrap_err().to_string();
    assert!(why.contains("'tile.view' op begins 64 bits from its storage, inside of a period of a swizzle"), "{why}");
}

#[test]
fn registers_have_addresses_in_local_memory() {
    let quads = "memref<2x4xi32, #gpu.address_space<private>>";
    let quad = "memref<1x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<private>>";
    gives(
        &format!(
            "
            %t = tile.alloc : {quads}
            %s = tile.slice %t[%c1, 0] [1, 4] : {quads} to {quad}
            %r = tile.alloc : memref<1x4xi32, #gpu.address_space<private>>
            tile.write %i12, %r[0, 2] : memref<1x4xi32, #gpu.address_space<private>>
            tile.apply \"st.local.v4.b32\"(%s, %r) : {quad}, memref<1x4xi32, #gpu.address_space<private>>
            %b = tile.alloc : !r4
            %p = tile.slice %t[1, 0] [1, 4] : {quads} to memref<1x4xi32, strided<[4, 1], offset: 4>, #gpu.address_space<private>>
            %q = tile.view %p : memref<1x4xi32, strided<[4, 1], offset: 4>, #gpu.address_space<private>>
              to memref<4x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>
            tile.write %i10, %q[0, 0] : memref<4x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>
            tile.write %i11, %q[1, 0] : memref<4x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>
            tile.write %i13, %q[3, 0] : memref<4x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>
            tile.apply \"ld.local.b32\"(%b, %q) : !r4, memref<4x1xi32, strided<[1, 1], offset: 4>, #gpu.address_space<private>>
            {OUT}"
        ),
        &[10, 11, 12, 13],
    );
}

/// Both threads store a pair to shared memory at `place`, and load that of the other one.
fn exchange(declared: &str, attribution: &str, place: &str) -> Result<Vec<Option<u32>>> {
    let shared = "memref<2x2xi32, #gpu.address_space<workgroup>>";
    let row = "memref<1x2xi32, strided<[2, 1], offset: ?>, #gpu.address_space<workgroup>>";
    let out = "memref<1x2xi32, strided<[2, 1], offset: ?>>";
    let pair = "memref<1x2xi32, #gpu.address_space<private>>";
    let kernel = format!(
        "
        {declared}
        gpu.func @k(%out: memref<2x2xi32> {{llvm.align = 8 : i64}}) {attribution} kernel {{
          %c1 = arith.constant 1 : index
          %c16 = arith.constant 16 : index
          %t = gpu.thread_id x
          %u = arith.subi %c1, %t : index
          {place}
          %mine = tile.slice %m[%t, 0] [1, 2] : {shared} to {row}
          %other = tile.slice %m[%u, 0] [1, 2] : {shared} to {row}
          %o = tile.slice %out[%t, 0] [1, 2] : memref<2x2xi32> to {out}
          %p = tile.alloc : {pair}
          %n = arith.index_cast %t : index to i32
          %c9 = arith.constant 9 : i32
          tile.write %n, %p[0, 0] : {pair}
          tile.write %c9, %p[0, 1] : {pair}
          tile.apply \"st.shared.v2.b32\"(%mine, %p) : {row}, {pair}
          gpu.barrier
          tile.apply \"ld.shared.v2.b32\"(%p, %other) : {pair}, {row}
          tile.apply \"st.global.v2.b32\"(%o, %p) : {out}, {pair}
          gpu.return
        }}"
    );
    let mut arguments = [Argument::Buffer(Buffer::undefined(16))];
    let shape = Launch { block: [2, 1, 1], dynamic_shared: 32, ..Launch::default() };
    launch(&kernel, &shape, &mut arguments)?;
    let Argument::Buffer(out) = &arguments[0] else { panic!() };
    Ok(u32s(out))
}

#[test]
fn shared_memory_is_a_global_an_attribution_or_dynamic() {
    let shared = "memref<2x2xi32, #gpu.address_space<workgroup>>";
    let swapped = [Some(1), Some(9), Some(0), Some(9)];
    let global = |alignment: &str| format!("memref.global \"private\" @s : {shared} {alignment}");
    let get = format!("%m = memref.get_global @s : {shared}");
    assert_eq!(exchange(&global("{alignment = 8}"), "", &get).unwrap(), swapped);
    let why = exchange(&global(""), "", &get).unwrap_err().to_string();
    assert!(why.contains("of @s at address") && why.contains("no multiple of 8"), "{why}");

    let attribution = |alignment: &str| format!("workgroup(%m: {shared} {alignment})");
    assert_eq!(exchange("", &attribution("{llvm.align = 8 : i64}"), "").unwrap(), swapped);
    assert!(exchange("", &attribution(""), "").is_err());

    let bytes = "memref<?xi8, #gpu.address_space<workgroup>>";
    let dynamic = |shift: &str| {
        format!(
            "%d = gpu.dynamic_shared_memory : {bytes} %zero = arith.muli %t, %c16 : index %c0 = arith.subi %zero, %zero : index
             %at = arith.addi %c0, {shift} : index %m = memref.view %d[%at][] : {bytes} to {shared}"
        )
    };
    assert_eq!(exchange("", "", &dynamic("%c16")).unwrap(), swapped);
    let why = exchange("", "", &dynamic("%c1")).unwrap_err().to_string();
    assert!(why.contains("of dynamic shared memory"), "{why}");
}

#[test]
fn the_metadata_of_a_memref_are_numbers() {
    gives(
        "
        %s = memref.subview %out[%c1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: ?>>
        %base, %offset, %size, %stride = memref.extract_strided_metadata %s
          : memref<2xi32, strided<[1], offset: ?>> -> memref<i32>, index, index, index
        memref.store %i13, %base[] : memref<i32>
        %o = arith.index_cast %offset : index to i32
        %n = arith.index_cast %size : index to i32
        %t = arith.index_cast %stride : index to i32
        memref.store %o, %out[%c1] : memref<4xi32>
        memref.store %n, %out[%c2] : memref<4xi32>
        memref.store %t, %out[%c3] : memref<4xi32>",
        &[13, 1, 2, 1],
    );
}

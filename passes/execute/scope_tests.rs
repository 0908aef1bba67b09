//! Whole blocks: scopes, active sets, clusters, and whose registers are whose.

use super::*;

/// How a block of a program is, and what its kernel says of it.
#[derive(Clone, Copy)]
struct Shape {
    block: [u32; 3],
    cluster: [u32; 3],
}

const fn block(x: u32, y: u32, z: u32) -> Shape {
    Shape { block: [x, y, z], cluster: [1; 3] }
}

fn list(extents: [u32; 3]) -> String {
    format!("array<i32: {}, {}, {}>", extents[0], extents[1], extents[2])
}

/// What the threads of one cluster leave in %out: memref<...xi32, 1> of this shape. %n is the number of a thread in the
/// cluster, by the ops of MLIR.
fn outcome(shape: Shape, out: &str, ops: &str) -> Result<Vec<Option<u32>>> {
    let Shape { block: [x, y, z], cluster: [cx, cy, cz] } = shape;
    let threads = x * y * z;
    let cluster =
        if shape.cluster == [1; 3] { String::new() } else { format!(", known_cluster_size = {}", list(shape.cluster)) };
    let kernel = format!(
        "gpu.func @k(%out: memref<{out}xi32, 1>) kernel attributes {{known_block_size = {}{cluster}}} {{{CONSTANTS}
          %x = gpu.thread_id x %y = gpu.thread_id y %z = gpu.thread_id z
          %cx = gpu.cluster_block_id x %cy = gpu.cluster_block_id y %cz = gpu.cluster_block_id z
          %linear = affine.apply affine_map<(x, y, z) -> (x + {x} * (y + {y} * z))>(%x, %y, %z)
          %rank = affine.apply affine_map<(x, y, z) -> (x + {cx} * (y + {cy} * z))>(%cx, %cy, %cz)
          %all = affine.apply affine_map<(t, r) -> (t + {threads} * r)>(%linear, %rank)
          %n = arith.index_cast %all : index to i32
          {ops}
          gpu.return
        }}",
        list(shape.block)
    );
    let count: usize = out.split('x').map(|extent| extent.parse::<usize>().unwrap()).product();
    let mut arguments = [Argument::Buffer(Buffer::undefined(4 * count))];
    let started = Launch { grid: [cx, cy, cz], block: shape.block, cluster: shape.cluster, ..Launch::default() };
    launch(&kernel, &started, &mut arguments)?;
    let [Argument::Buffer(buffer)] = &arguments else { panic!("it is a buffer") };
    Ok(u32s(buffer))
}

/// A tile of one register a thread gets their numbers and goes to memory, at a scope.
fn numbered(scope: &str, extents: &str, layout: &str) -> String {
    let (tile, out) = (format!("memref<{extents}x1xi32, {layout}, 5>"), format!("memref<{extents}x1xi32, 1>"));
    format!(
        "%t = tile.alloc : {tile}
         tile.apply \"mov.b32\"(%t, %n) scope({scope}) : {tile}, i32
         tile.apply \"st.global.b32\"(%out, %t) scope({scope}) : {out}, {tile}"
    )
    .replace(", 5>", ", #gpu.address_space<private>>")
}

/// Who writes what of the numbers of threads.
#[track_caller]
fn stores(shape: Shape, extents: &str, ops: &str, wanted: impl IntoIterator<Item = u32>) {
    let found = outcome(shape, &format!("{extents}x1"), ops).unwrap();
    assert_eq!(found, wanted.into_iter().map(Some).collect::<Vec<_>>());
}

#[track_caller]
fn refused(shape: Shape, extents: &str, ops: &str, why: &str) {
    let said = outcome(shape, &format!("{extents}x1"), ops).expect_err("it must not do that").to_string();
    assert!(said.contains(why), "{said}");
}

#[test]
fn the_lanes_of_a_warp() {
    let warp = numbered("warp", "32", "#tile.layout<[32] : [1@laneid]>");
    stores(block(32, 1, 1), "32", &warp, 0..32);
    stores(block(4, 4, 2), "32", &warp, 0..32);
    stores(block(5, 1, 1), "5", &numbered("warp", "5", "#tile.layout<[5] : [1@laneid]>"), 0..5);
}

#[test]
fn the_warps_of_a_block() {
    let cta = numbered("cta", "3x32", "#tile.layout<[3, 32] : [1@warpid, 1@laneid]>");
    stores(block(96, 1, 1), "3x32", &cta, 0..96);
    stores(block(8, 6, 2), "3x32", &cta, 0..96);
    // A thread alone, and one that is less than a warp.
    stores(block(1, 1, 1), "1x1", &numbered("cta", "1x1", "#tile.layout<[1] : [1]>"), 0..1);
    stores(block(3, 2, 1), "1x6", &numbered("cta", "1x6", "#tile.layout<[6] : [1@laneid]>"), 0..6);
}

#[test]
fn the_warps_of_a_warpgroup() {
    let group = numbered("warpgroup", "4x32", "#tile.layout<[4, 32] : [1@wid_in_wg, 1@laneid]>");
    stores(block(128, 1, 1), "4x32", &group, 0..128);
    let second = format!("tile.where warpgroups(1 to 2) {{ {group} }}");
    stores(block(16, 16, 1), "4x32", &second, 128..256);
    // Of fewer warps than four.
    let two = numbered("warpgroup", "2x32", "#tile.layout<[64] : [1@tid_in_wg]>");
    stores(block(64, 1, 1), "2x32", &two, 0..64);
}

#[test]
fn the_blocks_of_a_cluster() {
    // z, y, x, without leading axes of one (R25).
    let shape = |x, y, z| Shape { cluster: [x, y, z], ..block(64, 1, 1) };
    let layout = |axes: &str, extents: &str| {
        format!("#tile.layout<[{}, 2, 32] : [{axes}, 1@warpid, 1@laneid]>", extents.replace('x', ", "))
    };
    for (cluster, extents, axes) in [
        (shape(2, 1, 1), "2", "1@cbx"),
        (shape(1, 2, 1), "2x1", "1@cby, 1@cbx"),
        (shape(3, 2, 1), "2x3", "1@cby, 1@cbx"),
        (shape(2, 1, 2), "2x1x2", "1@cbz, 1@cby, 1@cbx"),
    ] {
        let count = cluster.cluster.iter().product::<u32>() * 64;
        let extents = format!("{extents}x2x32");
        let all = numbered("cluster", &extents, &layout(axes, extents.trim_end_matches("x2x32")));
        stores(cluster, &extents, &all, 0..count);
    }
    let cluster = numbered("cluster", "1x2x32", "#tile.layout<[2, 32] : [1@warpid, 1@laneid]>");
    refused(block(64, 1, 1), "1x2x32", &cluster, "is over a cluster, and the kernel says of none (R25)");
}

#[test]
fn each_range_of_a_where() {
    let shape = Shape { cluster: [2, 2, 1], ..block(32, 8, 1) };
    type Is = fn(u32) -> bool;
    let ranges: [(&str, Is); 9] = [
        ("lanes(8 to 24)", |n| (8..24).contains(&(n % 32))),
        ("lanes(31 to 32)", |n| n % 32 == 31),
        ("warps(1 to 6)", |n| (1..6).contains(&(n % 256 / 32))),
        ("warps_in_group(1 to 3)", |n| (1..3).contains(&(n / 32 % 4))),
        ("warpgroups(1 to 2)", |n| n % 256 >= 128),
        ("ctas(1 to 3)", |n| (1..3).contains(&(n / 256))),
        ("ctas(2 to 3)", |n| n / 256 == 2),
        ("lanes(0 to 1) warps_in_group(2 to 3) ctas(0 to 2)", |n| n % 32 == 0 && n / 32 % 4 == 2 && n < 512),
        ("lanes(0 to 32) warps(0 to 8)", |_| true),
    ];
    for (range, is) in ranges {
        let store = format!("tile.where {range} {{ memref.store %n, %out[%all] : memref<1024xi32, 1> }}");
        let found = outcome(shape, "1024", &store).unwrap();
        assert_eq!(found, (0..1024).map(|n| is(n).then_some(n)).collect::<Vec<_>>(), "{range}");
    }
}

#[test]
fn ranges_of_nested_ones_accumulate() {
    let store = "tile.where lanes(4 to 20) { tile.where warps(1 to 3) {
        tile.where lanes(16 to 32) { memref.store %n, %out[%all] : memref<128xi32, 1> }
        memref.store %n, %out[%linear] : memref<128xi32, 1>
      } }
      tile.where warps(0 to 1) {}
      tile.where warps(0 to 1) { memref.store %n, %out[%all] : memref<128xi32, 1> }";
    let found = outcome(block(128, 1, 1), "128", store).unwrap();
    let is = |n: &u32| *n < 32 || ((1..3).contains(&(n / 32)) && (4..20).contains(&(n % 32)));
    assert_eq!(found, (0..128).map(|n| Some(n).filter(is)).collect::<Vec<_>>());
    // The group is of those that are in all (R28), and counts from the first of them (R29).
    let cta = numbered("cta", "2x4", "#tile.layout<[2, 4] : [1@warpid, 1@laneid], offset = [1@warpid, 16@laneid]>");
    let inside = format!("tile.where lanes(4 to 20) {{ tile.where lanes(16 to 32) warps(1 to 3) {{ {cta} }} }}");
    let wanted = (1..3).flat_map(|warp| (16..20).map(move |lane| 32 * warp + lane));
    stores(block(128, 1, 1), "2x4", &inside, wanted);
}

#[test]
fn warps_of_every_warpgroup() {
    // The same of each: at scope(warpgroup) one range, at scope(cta) none.
    let apply = |scope: &str| {
        let tile = "memref<2x32x1xi32, #tile.layout<[2, 32] : [1@wid_in_wg, 1@laneid], offset = [1@wid_in_wg]>, 5>";
        format!(
            "tile.where warps_in_group(1 to 3) {{
               %t = tile.alloc : {tile}
               tile.apply \"mov.b32\"(%t, %n) scope({scope}) : {tile}, i32
               %own = tile.view %t : {tile} to memref<1x1xi32, 5>
               %w = tile.read %own[0, 0] : memref<1x1xi32, 5>
               memref.store %w, %out[%linear, %c0] : memref<256x1xi32, 1>
             }}"
        )
        .replace(", 5>", ", #gpu.address_space<private>>")
    };
    let found = outcome(block(256, 1, 1), "256x1", &apply("warpgroup")).unwrap();
    assert_eq!(found, (0..256).map(|n| (1..3).contains(&(n / 32 % 4)).then_some(n)).collect::<Vec<_>>());
    refused(block(256, 1, 1), "256", &apply("cta"), "the active threads are no range on warpid");
    let uneven = numbered("warpgroup", "4x32", "#tile.layout<[4, 32] : [1@wid_in_wg, 1@laneid]>");
    let why = "192 threads are active, which are not 2 groups of scope(warpgroup) of 128 each (R27)";
    refused(block(192, 1, 1), "4x32", &uneven, why);
    let lanes = numbered("warp", "32", "#tile.layout<[32] : [1@laneid]>");
    refused(block(48, 1, 1), "32", &lanes, "48 threads are active, which are not 2 groups of scope(warp) of 32 each");
}

#[test]
fn layouts_name_threads_in_many_ways() {
    let shape = block(256, 1, 1);
    for layout in [
        "#tile.layout<[256] : [1@tx]>",
        "#tile.layout<[8, 4, 8] : [32@tx, 8@tx, 1@tx]>",
        "#tile.layout<[8, 4, 8] : [1@warpid, 8@laneid, 1@laneid]>",
        "#tile.layout<[2, 4, 32] : [1@wgid, 1@wid_in_wg, 1@laneid]>",
        "#tile.layout<[2, 128] : [1@wgid, 1@tid_in_wg]>",
    ] {
        stores(shape, "8x32", &numbered("cta", "8x32", layout), 0..256);
    }
    // An axis that the scope does not bind is at the one number that all active threads have.
    for layout in [
        "#tile.layout<[4, 32] : [1@warpid, 1@laneid], offset = [4@warpid]>",
        "#tile.layout<[4, 32] : [32@tx, 1@tx], offset = [128@tx]>",
        "#tile.layout<[4, 32] : [1@wid_in_wg, 1@laneid], offset = [1@wgid]>",
        "#tile.layout<[128] : [1@tid_in_wg], offset = [1@wgid]>",
    ] {
        let second = format!("tile.where warpgroups(1 to 2) {{ {} }}", numbered("warpgroup", "4x32", layout));
        stores(shape, "4x32", &second, 128..256);
    }
    let fifth = numbered("warp", "32", "#tile.layout<[32] : [1@tx], offset = [160@tx]>");
    stores(shape, "32", &format!("tile.where warps(5 to 6) {{ {fifth} }}"), 160..192);
}

#[test]
fn registers_of_a_thread_lie_as_their_strides_say() {
    // Two words of each thread, in an array where they come last to first and the threads last; a view of it has the
    // threads first. What a thread writes through one it reads through the other, and through its own registers.
    let spread = "memref<2x32x1xi32, #tile.layout<[2, 32] : [3, 1@laneid], offset = [1]>, 5>";
    let turned = "memref<32x2x1xi32, #tile.layout<[32, 2] : [1@laneid, 3], offset = [1]>, 5>";
    let half = "memref<32x1x1xi32, #tile.layout<[32] : [1@laneid], offset = [4]>, 5>";
    let own = "memref<2xi32, #tile.layout<[2] : [3], offset = [1]>, 5>";
    let program = format!(
        "%t = tile.alloc : {spread}
         %u = tile.view %t : {spread} to {turned}
         tile.apply \"mov.b32\"(%u, %n) scope(warp) : {turned}, i32
         %s = tile.slice %u[0, 1, 0] [32, 1, 1] : {turned} to {half}
         tile.apply \"add.s32\"(%s, %s, %i10) scope(warp) : {half}, {half}, i32
         %o = tile.view %t : {spread} to {own}
         %a = tile.read %o[0] : {own}
         %b = tile.read %o[1] : {own}
         memref.store %a, %out[%linear, %c0, %c0] : memref<32x2x1xi32, 1>
         memref.store %b, %out[%linear, %c1, %c0] : memref<32x2x1xi32, 1>"
    )
    .replace(", 5>", ", #gpu.address_space<private>>");
    stores(block(32, 1, 1), "32x2", &program, (0..32).flat_map(|n| [n, n + 10]));
}

#[test]
fn a_slice_of_the_threads() {
    let (all, some) = (
        "memref<32x1xi32, #tile.layout<[4, 8] : [8@laneid, 1@laneid]>, 5>",
        "memref<8x1xi32, #tile.layout<[8] : [1@laneid], offset = [16@laneid]>, 5>",
    );
    let program = |lanes: &str| {
        format!(
            "%t = tile.alloc : {all}
             tile.apply \"mov.b32\"(%t, %n) scope(warp) : {all}, i32
             %s = tile.slice %t[16, 0] [8, 1] : {all} to {some}
             tile.where lanes({lanes}) {{
               tile.apply \"st.global.b32\"(%out, %s) scope(warp) : memref<8x1xi32, 1>, {some}
             }}"
        )
        .replace(", 5>", ", #gpu.address_space<private>>")
    };
    stores(block(32, 1, 1), "8", &program("16 to 24"), 16..24);
    refused(
        block(32, 1, 1),
        "8",
        &program("8 to 16"),
        "(b): element (0, 0) belongs to laneid 16, and thread 8 of block (0, 0, 0) at laneid 8 touches it (R55)",
    );
}

#[test]
fn a_wrong_owner_is_an_error() {
    let shape = block(64, 1, 1);
    let cases = [
        // Transposed lanes.
        (
            "warp",
            "32",
            "[4, 8] : [1@laneid, 4@laneid]",
            "element (1, 0) belongs to laneid 4, and thread 1 of block (0, 0, 0) at laneid 1",
        ),
        // Lanes that are not named are 0.
        ("warp", "32", "[32] : [1]", "element (1, 0) belongs to laneid 0, and thread 1 of block (0, 0, 0) at laneid 1"),
        (
            "cta",
            "2x32",
            "[2, 32] : [1, 1@laneid]",
            "element (1, 0, 0) belongs to laneid 0, wid_in_wg 0, wgid 0, and thread 32 of block (0, 0, 0) at laneid 0, \
             wid_in_wg 1, wgid 0",
        ),
        // Of the second warp, and of one that is not there.
        (
            "warp",
            "32",
            "[32] : [1@laneid], offset = [1@warpid]",
            "element (0, 0) belongs to laneid 0, warpid 1, and thread 0 of block (0, 0, 0) at laneid 0, warpid 0",
        ),
        ("warp", "32", "[32] : [1@tx]", "element (0, 0) belongs to tx 0, and thread 32 of block (0, 0, 0) at tx 32"),
        ("warp", "32", "[32] : [1@laneid], offset = [1@laneid]", "element (0, 0) belongs to laneid 1"),
        ("cta", "2x32", "[2, 32] : [1@wgid, 1@laneid]", "element (1, 0, 0) belongs to laneid 0, wgid 1, wid_in_wg 0"),
    ];
    for (scope, extents, layout, why) in cases {
        let program = numbered(scope, extents, &format!("#tile.layout<{layout}>"));
        refused(shape, extents, &program, &format!("'tile.apply' op (d): {why}"));
    }
    // Whether or not the instruction is executed.
    let tile = "memref<32x1xi32, #tile.layout<[32] : [1]>, #gpu.address_space<private>>";
    let program = format!(
        "%t = tile.alloc : {tile} tile.apply \"mov.b32\"(%t, %n) scope(warp) pred(%false) preserve_dst : {tile}, i32"
    );
    refused(shape, "1", &program, "element (1, 0) belongs to laneid 0");
    let extents = numbered("cta", "4x32", "#tile.layout<[4, 32] : [1@warpid, 1@laneid]>");
    let why = "operand #0: has the extents (4, 32, 1), of which the first are not (2, 32), those of the group (R24)";
    refused(shape, "4x32", &extents, why);
}

#[test]
fn a_sunk_word_is_nobodys() {
    // R94: the high words lie with other lanes, and are not written.
    let (wide, half) = (
        "memref<32x1xi64, #tile.layout<[32] : [1@laneid]>, 5>",
        "memref<32x2xi32, #tile.layout<[32, 2] : [1@laneid, 1@warpid]>, 5>",
    );
    let program = |sink: &str| {
        format!(
            "%wide = tile.alloc : {wide} %half = tile.alloc : {half}
             tile.apply \"mov.b64\"(%half, %wide) scope(warp){sink} : {half}, {wide}"
        )
        .replace(", 5>", ", #gpu.address_space<private>>")
    };
    outcome(block(32, 1, 1), "1x1", &program(" sink [1]")).unwrap();
    refused(block(32, 1, 1), "1", &program(""), "element (0, 1) belongs to laneid 0, warpid 1");
}

#[test]
fn warps_give_each_other_what_they_have_after_a_barrier() {
    let tile = "memref<4x32x1xi32, #tile.layout<[4, 32] : [1@warpid, 1@laneid]>, 5>";
    let turned = "memref<4x32x1xi32, #tile.layout<[4, 32] : [1, 4]>, 3>";
    let program = format!(
        "%t = tile.alloc : {tile}
         %m = memref.get_global @h : memref<4x32x1xi32, 3>
         tile.apply \"mov.b32\"(%t, %n) scope(cta) : {tile}, i32
         tile.apply \"st.shared.b32\"(%m, %t) scope(cta) : memref<4x32x1xi32, 3>, {tile}
         gpu.barrier
         %other = tile.view %m : memref<4x32x1xi32, 3> to {turned}
         tile.apply \"ld.shared.b32\"(%t, %other) scope(cta) : {tile}, {turned}
         tile.apply \"st.global.b32\"(%out, %t) scope(cta) : memref<4x32x1xi32, 1>, {tile}"
    );
    let program =
        program.replace(", 5>", ", #gpu.address_space<private>>").replace(", 3>", ", #gpu.address_space<workgroup>>");
    let global = "memref.global \"private\" @h : memref<4x32x1xi32, #gpu.address_space<workgroup>>\n";
    let kernel = |barrier: bool| {
        let program = if barrier { program.clone() } else { program.replace("gpu.barrier", "") };
        let ops = format!(
            "{global}gpu.func @k(%out: memref<4x32x1xi32, 1>) kernel
                 attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
               %x = gpu.thread_id x %n = arith.index_cast %x : index to i32
               {program}
               gpu.return
             }}"
        );
        let mut arguments = [Argument::Buffer(Buffer::undefined(512))];
        launch(&ops, &Launch { block: [128, 1, 1], ..Launch::default() }, &mut arguments).unwrap();
        let [Argument::Buffer(buffer)] = &arguments else { panic!("it is a buffer") };
        u32s(buffer)
    };
    // Warp w, lane l reads word w + 4 l.
    let wanted = (0..128).map(|n| Some(n / 32 + 4 * (n % 32))).collect::<Vec<_>>();
    assert_eq!(kernel(true), wanted);
    assert!(kernel(false).contains(&None), "nothing is there yet without a barrier");
}

#[test]
fn a_launch_is_as_the_kernel_says() {
    let run = |attributes: &str, started: Launch| {
        let kernel = format!("gpu.func @k() kernel attributes {{{attributes}}} {{ gpu.return }}");
        launch(&kernel, &started, &mut []).map_err(|why| why.to_string())
    };
    let one = Launch::default();
    let warp = Launch { block: [32, 1, 1], ..Launch::default() };
    let pair = Launch { grid: [2, 1, 1], cluster: [2, 1, 1], ..Launch::default() };
    for attributes in ["known_block_size = array<i32: 32, 1, 1>", "nvvm.reqntid = array<i32: 32>"] {
        run(attributes, warp.clone()).unwrap();
        let why = run(attributes, one.clone()).unwrap_err();
        assert!(why.contains("[32, 1, 1] and is launched with [1, 1, 1]"), "{why}");
    }
    for attributes in ["known_cluster_size = array<i32: 2, 1, 1>", "nvvm.cluster_dim = array<i32: 2, 1, 1>"] {
        run(attributes, pair.clone()).unwrap();
        let why = run(attributes, one.clone()).unwrap_err();
        assert!(why.contains("[2, 1, 1] and is launched with [1, 1, 1]"), "{why}");
    }
    let why = run("known_grid_size = array<i32: 2, 1, 1>", one).unwrap_err();
    assert!(why.contains("has known_grid_size [2, 1, 1] and is launched with [1, 1, 1]"), "{why}");
    let why = run("", Launch { grid: [3, 1, 1], ..pair }).unwrap_err();
    assert!(why.contains("a grid of [3, 1, 1] blocks is not made of clusters of [2, 1, 1]"), "{why}");
}

#[test]
fn a_block_knows_its_cluster() {
    // The last block of a grid of 4 x 6 in clusters of 2 x 3.
    let registers = [
        ("clusterid.x", 1),
        ("clusterid.y", 1),
        ("nclusterid.x", 2),
        ("nclusterid.y", 2),
        ("nclusterid.z", 1),
        ("cluster_ctaid.x", 1),
        ("cluster_ctaid.y", 2),
        ("cluster_nctaid.x", 2),
        ("cluster_nctaid.y", 3),
        ("cluster_ctarank", 5),
        ("cluster_nctarank", 6),
    ];
    let ops = ["cluster_id x", "cluster_dim y", "cluster_block_id y", "cluster_dim_blocks y"];
    let nvvm = ["clusterid.x", "nclusterid.y", "cluster.ctaid.y", "cluster.nctaid.y", "cluster.ctarank"];
    let mut wanted = registers.map(|(_, number)| number).to_vec();
    wanted.extend([1, 2, 2, 3, 1, 2, 2, 3, 5]);
    let mut program = String::new();
    for (i, (register, _)) in registers.iter().enumerate() {
        program += &format!("%v{i} = ptx.mov \"u32\" special \"{register}\" : () -> i32\n");
    }
    for (i, op) in ops.iter().enumerate() {
        let i = i + registers.len();
        program += &format!("%g{i} = gpu.{op} %v{i} = arith.index_cast %g{i} : index to i32\n");
    }
    for (i, op) in nvvm.iter().enumerate() {
        program += &format!("%v{} = nvvm.read.ptx.sreg.{op} : i32\n", i + registers.len() + ops.len());
    }
    let count = wanted.len();
    for i in 0..count {
        program +=
            &format!("%c{i}i = arith.constant {i} : index memref.store %v{i}, %out[%c{i}i] : memref<{count}xi32, 1>\n");
    }
    let kernel = format!("gpu.func @k(%out: memref<{count}xi32, 1>) kernel {{ {program} gpu.return }}");
    let mut arguments = [Argument::Buffer(Buffer::undefined(4 * count))];
    launch(&kernel, &Launch { grid: [4, 6, 1], cluster: [2, 3, 1], ..Launch::default() }, &mut arguments).unwrap();
    let [Argument::Buffer(buffer)] = &arguments else { panic!("it is a buffer") };
    assert_eq!(u32s(buffer), wanted.into_iter().map(Some).collect::<Vec<_>>());
}

#[test]
fn a_full_block_is_fast() {
    let cta = numbered("cta", "32x32", "#tile.layout<[32, 32] : [1@warpid, 1@laneid]>");
    stores(block(1024, 1, 1), "32x32", &cta, 0..1024);
}

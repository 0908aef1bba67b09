//! The register family: `tile.apply` and `ptx` ops of each kind of instruction, executed.

use super::*;

/// What an instruction writes to a tile of two repeats, from tiles of two words each, by their types.
fn applied(opcode: &str, sources: &[(&str, [i64; 2])], result: &str) -> Vec<Option<u32>> {
    let tile = |element: &str| format!("memref<2x1x{element}, #gpu.address_space<private>>");
    let integer = |element: &str| match element {
        "f32" | "vector<2xf16>" => "i32".to_string(),
        other => other.to_string(),
    };
    let mut program = format!("%d = tile.alloc : {}\n", tile(result));
    let (mut names, mut types) = (vec!["%d".to_string()], vec![tile(result)]);
    for (operand, (element, values)) in sources.iter().enumerate() {
        let (name, its, bits) = (format!("%s{operand}"), tile(element), integer(element));
        program += &format!("{name} = tile.alloc : {its}\n");
        for (repeat, value) in values.iter().enumerate() {
            let value = format!("arith.constant {value} : {bits}");
            program += &format!(
                "%k{operand}_{repeat} = {value}
                 %v{operand}_{repeat} = llvm.bitcast %k{operand}_{repeat} : {bits} to {element}
                 tile.write %v{operand}_{repeat}, {name}[{repeat}, 0] : {its}\n"
            );
        }
        names.push(name);
        types.push(its);
    }
    program += &format!("tile.apply \"{opcode}\"({}) : {}\n", names.join(", "), types.join(", "));
    let bits = integer(result);
    let to_word = match bits.as_str() {
        "i32" => "llvm.bitcast",
        "i64" => "arith.trunci",
        _ => "arith.extui",
    };
    for repeat in 0..2 {
        program += &format!(
            "%r{repeat} = tile.read %d[{repeat}, 0] : {}
             %b{repeat} = llvm.bitcast %r{repeat} : {result} to {bits}
             %w{repeat} = {to_word} %b{repeat} : {bits} to i32
             memref.store %w{repeat}, %out[%c{repeat}] : memref<2xi32>\n",
            tile(result)
        );
    }
    words(2, &program).unwrap_or_else(|why| panic!("{opcode}: {why:#}\n{program}"))
}

const I32: &str = "i32";
const F32: &str = "f32";

fn bits(value: f32) -> i64 {
    value.to_bits().into()
}

#[test]
fn integers() {
    let two = |opcode, a, b| applied(opcode, &[(I32, a), (I32, b)], I32);
    let some = |values: [i32; 2]| values.map(|value| Some(value as u32)).to_vec();
    assert_eq!(two("add.s32", [7, -9], [5, 4]), some([12, -5]));
    assert_eq!(two("sub.sat.s32", [i32::MIN.into(), 3], [1, 5]), some([i32::MIN, -2]));
    assert_eq!(two("mul.hi.s32", [1 << 20, -1], [1 << 20, 2]), some([256, -1]));
    assert_eq!(two("div.s32", [-7, 7], [2, 0]), vec![Some(-3i32 as u32), None]);
    assert_eq!(two("max.u32", [-1, 3], [1, 5]), some([-1, 5]));
    assert_eq!(applied("mad.lo.s32", &[(I32, [3, 4]), (I32, [5, 6]), (I32, [-1, 2])], I32), some([14, 26]));
    assert_eq!(applied("mul.wide.s32", &[(I32, [3, -4]), (I32, [5, 6])], "i64"), some([15, -24]));
    assert_eq!(
        applied("dp4a.s32.u32", &[(I32, [0x01ff_0203, 0]), (I32, [0x0102_0304, 1]), (I32, [5, 9])], I32),
        some([1 - 2 + 6 + 12 + 5, 9])
    );
}

#[test]
fn bits_and_fields() {
    let two = |opcode, a, b| applied(opcode, &[(I32, a), (I32, b)], I32);
    assert_eq!(two("xor.b32", [12, 10], [10, 12]), [Some(6), Some(6)]);
    assert_eq!(two("shr.s32", [-8, 8], [1, 40]), [Some(-4i32 as u32), Some(0)]);
    assert_eq!(
        applied("bfe.u32", &[(I32, [0xabcd, 0xabcd]), (I32, [4, 8]), (I32, [8, 8])], I32),
        [Some(0xbc), Some(0xab)]
    );
    let bytes = [(I32, [0x3322_1100, 1]), (I32, [0x7766_5544, 2]), (I32, [0x0147, 0x3210])];
    assert_eq!(applied("prmt.b32", &bytes, I32), [Some(0x0011_4477), Some(1)]);
    assert_eq!(applied("popc.b32", &[(I32, [0xff, 3])], I32), [Some(8), Some(2)]);
    let chosen = [(I32, [1, 2]), (I32, [3, 4]), ("i1", [-1, 0])];
    assert_eq!(applied("selp.b32", &chosen, I32), [Some(1), Some(4)]);
}

#[test]
fn floats() {
    let two = |opcode, a: [f32; 2], b: [f32; 2]| applied(opcode, &[(F32, a.map(bits)), (F32, b.map(bits))], F32);
    let some = |values: [f32; 2]| values.map(|value| Some(value.to_bits())).to_vec();
    assert_eq!(two("add.rn.f32", [1.5, -2.0], [0.25, 5.0]), some([1.75, 3.0]));
    assert_eq!(two("div.rz.f32", [1.0, 6.0], [3.0, 2.0]), some([0.333_333_3, 3.0]));
    assert_eq!(two("min.NaN.f32", [1.0, f32::NAN], [-2.0, 1.0]), vec![Some(bits(-2.0) as u32), Some(0x7fff_ffff)]);
    assert_eq!(two("mul.f32", [2.0, f32::NAN], [3.0, 1.0]), vec![Some(bits(6.0) as u32), None]);
    let fused = [(F32, [2.0, 3.0].map(bits)), (F32, [5.0, 7.0].map(bits)), (F32, [1.0, -1.0].map(bits))];
    assert_eq!(applied("fma.rn.f32", &fused, F32), some([11.0, 20.0]));
    assert_eq!(applied("sqrt.rn.f32", &[(F32, [4.0, 2.0].map(bits))], F32), some([2.0, 2f32.sqrt()]));
    let halves = [("vector<2xf16>", [0x4000_3c00, 0x4400_4200]), ("vector<2xf16>", [0x3c00_3c00, 0x3c00_4200])];
    assert_eq!(applied("add.f16x2", &halves, "vector<2xf16>"), [Some(0x4200_4000), Some(0x4500_4600)]);
}

#[test]
fn comparisons() {
    let less = [(F32, [1.0, 2.0].map(bits)), (F32, [2.0, 1.0].map(bits))];
    assert_eq!(applied("setp.lt.f32", &less, "i1"), [Some(1), Some(0)]);
    assert_eq!(applied("set.lt.u32.f32", &less, I32), [Some(u32::MAX), Some(0)]);
    // A predicate beside a comparison is negated before they are combined.
    gives(
        "%p, %q = ptx.setp \"lt.and.s32\" %i10, %i11, not %false : (i32, i32, i1) -> (i1, i1)
         %a = arith.extui %p : i1 to i32
         %b = arith.extui %q : i1 to i32
         memref.store %a, %out[%c0] : memref<2xi32>
         memref.store %b, %out[%c1] : memref<2xi32>",
        &[1, 0],
    );
}

#[test]
fn conversions() {
    let floats = [1.5f32, -2.5].map(bits);
    assert_eq!(applied("cvt.rni.s32.f32", &[(F32, floats)], I32), [Some(2), Some(-2i32 as u32)]);
    // The register is wider than the type: the sign is repeated.
    assert_eq!(applied("cvt.s8.s32", &[(I32, [0x180, 0x17f])], I32), [Some(0xffff_ff80), Some(0x7f)]);
    assert_eq!(applied("cvt.sat.u8.s32", &[(I32, [300, -5])], "i16"), [Some(255), Some(0)]);
    let pair = [(F32, [1.0f32, 3.0].map(bits)), (F32, [2.0f32, 4.0].map(bits))];
    assert_eq!(applied("cvt.rn.f16x2.f32", &pair, "vector<2xf16>"), [Some(0x3c00_4000), Some(0x4200_4400)]);
    assert_eq!(applied("cvt.rn.satfinite.e4m3x2.f32", &pair, "i16"), [Some(0x3840), Some(0x4448)]);
    assert_eq!(
        applied("cvt.pack.sat.s16.s32", &[(I32, [70000, -1]), (I32, [3, -4])], I32),
        [Some(0x7fff_0003), Some(0xffff_fffc)]
    );
}

#[test]
fn an_approximation_has_no_value_here() {
    let program = "%f = arith.constant 2.0 : f32 %g = ptx.ex2 \"approx.f32\" %f : (f32) -> f32";
    fails(program, "the record of ex2.approx.f32 names no semantics");
}

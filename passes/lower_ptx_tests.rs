use super::*;
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction, Variant, lookup};

fn variant(opcode: &str, summary: &str, registers: &[u32]) -> Variant {
    let (mnemonic, modifiers) = opcode.split_once('.').unwrap();
    let record = lookup(mnemonic).unwrap();
    let fits = |v: &Variant| {
        let these = v.form.operands.iter().map(|operand| operand.registers);
        v.modifiers() == modifiers && v.form.summary == summary && these.eq(registers.iter().copied())
    };
    record.variants().find(fits).unwrap()
}

#[track_caller]
fn is(asm: Asm, text: &str, constraints: &str, inputs: &[isize]) {
    assert_eq!((asm.text.as_str(), asm.constraints.as_str()), (text, constraints));
    assert_eq!(asm.inputs, inputs);
}

fn registers(count: usize) -> Shape {
    Shape { sources: vec![Source::Register(Kind::Bits); count], ..Shape::default() }
}

fn constant(bits: u64, of: Kind) -> Shape {
    Shape { sources: vec![Source::Constant { bits, of }], ..Shape::default() }
}

#[test]
fn copies_bind_the_register_class_of_the_type() {
    for (opcode, constraints) in [
        ("mov.pred", "=b,b"),
        ("mov.b16", "=h,h"),
        ("mov.s32", "=r,r"),
        ("mov.f32", "=r,r"),
        ("mov.u64", "=l,l"),
        ("mov.f64", "=l,l"),
    ] {
        let asm = asm(&variant(opcode, "copy", &[1, 1]), &registers(1));
        is(asm, &format!("{opcode} $0, $1;"), constraints, &[0]);
    }
}

#[test]
fn groups_are_brace_lists_and_a_sink_takes_no_number() {
    is(asm(&variant("mov.b64", "pack", &[1, 2]), &registers(2)), "mov.b64 $0, {$1, $2};", "=l,r,r", &[0, 1]);
    is(asm(&variant("mov.b64", "unpack", &[2, 1]), &registers(1)), "mov.b64 {$0, $1}, $2;", "=r,=r,l", &[0]);
    let sunk = Shape { sink: vec![0, 2], ..registers(1) };
    is(asm(&variant("mov.b64", "unpack", &[4, 1]), &sunk), "mov.b64 {_, $0, _, $1}, $2;", "=h,=h,l", &[0]);
}

#[test]
fn the_predicate_comes_after_the_inputs_and_the_tied_values_last() {
    let shape = Shape { pred: Some(true), preserves: true, ..registers(1) };
    let copy = variant("mov.b32", "copy", &[1, 1]);
    is(asm(&copy, &shape), "@!$2 mov.b32 $0, $1;", "=r,r,b,0", &[0, 1, 2]);
    let unpack = variant("mov.b64", "unpack", &[2, 1]);
    is(asm(&unpack, &shape), "@!$3 mov.b64 {$0, $1}, $2;", "=r,=r,l,b,0,1", &[0, 1, 2, 3]);
    let sunk = Shape { sink: vec![1], pred: Some(false), ..shape };
    is(asm(&unpack, &sunk), "@$2 mov.b64 {$0, _}, $1;", "=r,l,b,0", &[0, 1, 2]);
}

#[test]
fn memory_is_clobbered_and_an_offset_stands_in_the_address() {
    let load = variant("ld.global.v2.b32", "vector", &[2, 2]);
    is(asm(&load, &registers(1)), "ld.global.v2.b32 {$0, $1}, [$2];", "=r,=r,l,~{memory}", &[0]);
    let store = variant("st.global.b8", "scalar", &[1, 1]);
    let shape = Shape { offset: -4, pred: Some(false), ..registers(2) };
    is(asm(&store, &shape), "@$2 st.global.b8 [$0+-4], $1;", "l,h,b,~{memory}", &[0, 1, 2]);
}

#[test]
fn constants_are_immediates_as_their_position_writes_them() {
    let copy = |opcode: &str, shape: Shape| asm(&variant(opcode, "copy", &[1, 1]), &shape);
    is(copy("mov.b32", constant(17, Kind::Integer)), "mov.b32 $0, $1;", "=r,rn", &[0]);
    is(copy("mov.b32", constant(0x3F80_0000, Kind::Float)), "mov.b32 $0, 0f3F800000;", "=r", &[]);
    is(copy("mov.f32", constant(17, Kind::Integer)), "mov.f32 $0, 0f00000011;", "=r", &[]);
    is(copy("mov.f64", constant(1 << 62, Kind::Float)), "mov.f64 $0, 0d4000000000000000;", "=l", &[]);
    is(copy("mov.b16", constant(0x3C00, Kind::Bits)), "mov.b16 $0, 0x3C00;", "=h", &[]);
    is(copy("mov.pred", constant(1, Kind::Bits)), "mov.pred $0, 0x1;", "=b", &[]);
    // ptxas wants words of one type in a brace list.
    let pack = variant("mov.b64", "pack", &[1, 2]);
    let shape = Shape {
        sources: vec![Source::Constant { bits: 0x3F80_0000, of: Kind::Float }, Source::Register(Kind::Bits)],
        ..Shape::default()
    };
    is(asm(&pack, &shape), "mov.b64 $0, {0x3F800000, $1};", "=l,r", &[1]);
}

/// `$n` in the text and constraints agree for every record: each number below the count of constraints that are operands
/// and not tied stands in the text once.
#[test]
fn every_operand_stands_in_the_text_once() {
    for variant in INSTRUCTIONS.iter().flat_map(Instruction::variants) {
        let reads = variant.form.operands.iter().filter(|operand| !operand.written);
        let sources = reads.map(|operand| if operand.address { 1 } else { operand.registers as usize }).sum();
        let writes = variant.form.operands.iter().any(|operand| operand.written);
        let asm = asm(&variant, &Shape { pred: Some(false), preserves: writes, ..registers(sources) });
        let bound = asm.constraints.split(',').filter(|it| !it.starts_with('~') && it.parse::<u32>().is_err()).count();
        for number in 0..bound {
            let token = format!("${number}");
            let stands = asm.text.split(|c: char| !c.is_ascii_digit() && c != '$').filter(|it| *it == token).count();
            assert_eq!(stands, 1, "{token} in {}", asm.text);
        }
    }
}

use super::*;
use crate::ir;
use crate::test_support::{context, parse};
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction, Variant, lookup};
use ptx_tile_dialect::named::special;
use ptx_tile_dialect::verify::op_name;

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
fn lanes_of_8_bits_go_through_registers_that_the_text_declares() {
    let pack = variant("mov.b16", "pack", &[1, 2]);
    let text = "{ .reg .b8 b8_0, b8_1; cvt.u8.u16 b8_0, $1; cvt.u8.u16 b8_1, $2; mov.b16 $0, {b8_0, b8_1}; }";
    is(asm(&pack, &registers(2)), text, "=&h,h,h", &[0, 1]);
    let unpack = variant("mov.b32", "unpack", &[4, 1]);
    let shape = Shape { pred: Some(true), preserves: true, sink: vec![0, 2], ..registers(1) };
    let text = "{ .reg .b8 b8_0, b8_1; @!$3 mov.b32 {_, b8_0, _, b8_1}, $2; @!$3 cvt.u16.u8 $0, b8_0; \
                @!$3 cvt.u16.u8 $1, b8_1; }";
    is(asm(&unpack, &shape), text, "=&h,=&h,r,b,0,1", &[0, 1, 2, 3]);
    // Constants need no register, and what LLVM finds constant later no mov.
    let constant = Source::Constant { bits: 0xFE, of: Kind::Integer };
    let mixed = Shape { sources: vec![constant, Source::Register(Kind::Integer)], ..Shape::default() };
    let text = "{ .reg .b8 b8_0; cvt.u8.u16 b8_0, $1; mov.b16 $0, {0xFE, b8_0}; }";
    is(asm(&pack, &mixed), text, "=&h,hn", &[1]);
    let all = Shape { sources: vec![constant; 2], ..Shape::default() };
    is(asm(&pack, &all), "mov.b16 $0, {0xFE, 0xFE};", "=h", &[]);
    // ld and st move 8 bits of a wider register.
    is(
        asm(&variant("ld.global.b8", "weak scalar", &[1, 1]), &registers(1)),
        "ld.global.b8 $0, [$1];",
        "=h,l,~{memory}",
        &[0],
    );
}

#[test]
fn b128_has_registers_of_its_own() {
    is(asm(&variant("mov.b128", "pack", &[1, 2]), &registers(2)), "mov.b128 $0, {$1, $2};", "=q,l,l", &[0, 1]);
    let unpack = variant("mov.b128", "unpack", &[4, 1]);
    is(asm(&unpack, &registers(1)), "mov.b128 {$0, $1, $2, $3}, $4;", "=r,=r,=r,=r,q", &[0]);
    // There is no immediate of 128 bits.
    let shape = Shape { sources: vec![Source::Register(Kind::Integer)], sink: vec![0], ..Shape::default() };
    is(asm(&variant("mov.b128", "unpack", &[2, 1]), &shape), "mov.b128 {_, $0}, $1;", "=l,q", &[0]);
}

#[test]
fn named_sources_stand_in_the_text() {
    let read = |name: &str| Shape { special: Some(special(name).unwrap()), ..Shape::default() };
    let scalar = |opcode| variant(opcode, "special register", &[1, 1]);
    is(asm(&scalar("mov.u32"), &read("tid.x")), "mov.u32 $0, %tid.x;", "=r", &[]);
    let shape = Shape { pred: Some(false), preserves: true, sink: vec![1, 3], ..read("ctaid") };
    let whole = variant("mov.v4.u32", "special register", &[4, 4]);
    is(asm(&whole, &shape), "@$2 mov.v4.u32 {$0, _, $1, _}, %ctaid;", "=r,=r,b,0,1", &[0, 1, 2]);
    // What varies is not moved across memory accesses.
    is(asm(&scalar("mov.u64"), &read("clock64")), "mov.u64 $0, %clock64;", "=l,~{memory}", &[]);
    let address = variant("mov.u64", "address", &[1, 1]);
    let shape = Shape { pred: Some(true), ..Shape::default() };
    // lowering.cpp knows the symbol by the sign.
    is(asm(&address, &shape), "@!$2 mov.u64 $0, $1;", "=l,s,b", &[-1, 0]);
}

#[test]
fn a_negated_source_has_its_mark() {
    let copy = variant("mov.pred", "copy", &[1, 1]);
    let shape = Shape { inverted: true, pred: Some(true), ..registers(1) };
    is(asm(&copy, &shape), "@!$2 mov.pred $0, !$1;", "=b,b,b", &[0, 1]);
    let constant = Shape { inverted: true, ..constant(1, Kind::Bits) };
    is(asm(&copy, &constant), "mov.pred $0, !0x1;", "=b", &[]);
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
    let load = variant("ld.global.v2.b32", "weak vector", &[2, 2]);
    is(asm(&load, &registers(1)), "ld.global.v2.b32 {$0, $1}, [$2];", "=r,=r,l,~{memory}", &[0]);
    let store = variant("st.global.b8", "weak scalar", &[1, 1]);
    let shape = Shape { offset: -4, pred: Some(false), ..registers(2) };
    is(asm(&store, &shape), "@$2 st.global.b8 [$0+-4], $1;", "l,h,b,~{memory}", &[0, 1, 2]);
}

#[test]
fn constants_are_immediates_as_their_position_writes_them() {
    let copy = |opcode: &str, shape: Shape| asm(&variant(opcode, "copy", &[1, 1]), &shape);
    is(copy("mov.b32", constant(17, Kind::Integer)), "mov.b32 $0, $1;", "=r,rn", &[0]);
    is(copy("mov.b32", constant(0x3F80_0000, Kind::Float)), "mov.b32 $0, 0f3F800000;", "=r", &[]);
    is(copy("mov.b64", constant(17, Kind::Integer)), "mov.b64 $0, $1;", "=l,ln", &[0]);
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

#[test]
fn constants_are_in_registers_where_ptx_takes_none() {
    let negation = variant("neg.f16", "half", &[1, 1]);
    is(asm(&negation, &constant(0x3C00, Kind::Bits)), "neg.f16 $0, $1;", "=h,h", &[0]);
    is(asm(&negation, &constant(0x3C00, Kind::Integer)), "neg.f16 $0, $1;", "=h,h", &[0]);
    let store = variant("st.global.b128", "weak scalar", &[1, 1]);
    let sources = vec![Source::Register(Kind::Bits), Source::Constant { bits: 1, of: Kind::Bits }];
    let shape = Shape { sources, ..Shape::default() };
    is(asm(&store, &shape), "st.global.b128 [$0], $1;", "l,q,~{memory}", &[0, 1]);
    let widened = asm(&variant("cvt.rn.f16x2.e2m1x2", "packed pair", &[1, 1]), &constant(0x21, Kind::Integer));
    let text = "{ .reg .b8 b8_0; cvt.u8.u16 b8_0, $1; cvt.rn.f16x2.e2m1x2 $0, b8_0; }";
    is(widened, text, "=&r,h", &[0]);
}

#[test]
fn integers_of_more_than_a_bit_have_a_constraint_for_constants() {
    let context = context();
    for (text, wanted) in [
        ("i1", Kind::Bits),
        ("i8", Kind::Integer),
        ("i64", Kind::Integer),
        ("f32", Kind::Float),
        ("f64", Kind::Float),
        ("f16", Kind::Bits),
        ("vector<2xi16>", Kind::Bits),
        ("vector<2xf32>", Kind::Bits),
    ] {
        assert_eq!(kind(Type::parse(&context, text).unwrap()), wanted, "{text}");
    }
}

/// `$n` in the text and constraints agree for every record: each number below the count of constraints that are
/// operands and not tied stands in the text once, the predicate before each instruction.
#[test]
fn every_operand_stands_in_the_text_once() {
    for variant in INSTRUCTIONS.iter().flat_map(Instruction::variants) {
        let (writes, reads) = variant.form.values();
        // It has components, which no form asks for here.
        let special = Some(special("tid").unwrap());
        let asm = asm(&variant, &Shape { pred: Some(false), preserves: writes > 0, special, ..registers(reads) });
        let bound = asm.constraints.split(',').filter(|it| !it.starts_with('~') && it.parse::<u32>().is_err()).count();
        for number in 0..bound {
            let token = format!("${number}");
            let stands = asm.text.split(|c: char| !c.is_ascii_digit() && c != '$').filter(|it| *it == token).count();
            let wanted = if number + 1 == bound { asm.text.matches('@').count() } else { 1 };
            assert!(stands == wanted && stands > 0, "{token} in {}", asm.text);
        }
    }
}

#[test]
fn a_second_destination_is_joined_to_the_first() {
    let both = variant("setp.lt.and.s32", "signed, combined", &[1, 1, 1, 1, 1]);
    let shape = Shape { inverted: true, pred: Some(false), preserves: true, ..registers(3) };
    is(asm(&both, &shape), "@$5 setp.lt.and.s32 $0|$1, $2, $3, !$4;", "=b,=b,r,r,b,b,0,1", &[0, 1, 2, 3, 4, 5]);
    let sunk = |word| Shape { sink: vec![word], ..registers(3) };
    is(asm(&both, &sunk(0)), "setp.lt.and.s32 _|$0, $1, $2, $3;", "=b,r,r,b", &[0, 1, 2]);
    is(asm(&both, &sunk(1)), "setp.lt.and.s32 $0|_, $1, $2, $3;", "=b,r,r,b", &[0, 1, 2]);
    let guarded = Shape { pred: Some(true), ..sunk(0) };
    let text = "{ .reg .pred pred_0; @!$4 setp.lt.and.s32 pred_0|$0, $1, $2, $3; }";
    is(asm(&both, &guarded), text, "=&b,r,r,b,b", &[0, 1, 2, 3]);
}

#[test]
fn constants_within_bounds_are_immediates() {
    let field = variant("bfe.u32", "field", &[1, 1, 1, 1]);
    let [pos, len] = [4, 256].map(|bits| Source::Constant { bits, of: Kind::Integer });
    let shape = Shape { sources: vec![Source::Register(Kind::Integer), pos, len], ..Shape::default() };
    is(asm(&field, &shape), "bfe.u32 $0, $1, $2, $3;", "=r,rn,rn,r", &[0, 1, 2]);
    // What LLVM finds constant later may be out of bounds.
    let registers = Shape { sources: vec![Source::Register(Kind::Integer); 3], ..Shape::default() };
    is(asm(&field, &registers), "bfe.u32 $0, $1, $2, $3;", "=r,rn,r,r", &[0, 1, 2]);
    // Where nothing but a constant may stand it is text.
    let table = variant("lop3.b32", "bitwise", &[1, 1, 1, 1, 1]);
    let mut sources = vec![Source::Register(Kind::Bits); 3];
    sources.push(Source::Constant { bits: 0xCA, of: Kind::Integer });
    is(asm(&table, &Shape { sources, ..Shape::default() }), "lop3.b32 $0, $1, $2, $3, 0xCA;", "=r,r,r,r", &[0, 1, 2]);
}

#[test]
fn what_is_remembered_is_the_asm_of_the_same() {
    let [load, other] = ["ld.global.b32", "ld.global.f32"].map(|opcode| variant(opcode, "weak scalar", &[1, 1]));
    let at = |offset| Shape { offset, ..registers(1) };
    let guarded = Shape { pred: Some(false), ..at(4) };
    for (variant, shape) in [
        (&load, at(0)),
        (&load, at(4)),
        (&load, at(-8)),
        (&load, guarded.clone()),
        (&load, guarded.clone()),
        (&other, guarded),
        (&other, at(4)),
        (&load, at(4)),
    ] {
        assert_eq!(remembered_asm(variant, shape.clone()), asm(variant, &shape), "{variant} {shape:?}");
    }
}

/// What becomes of the `ptx` op of a function, and the constants that its inputs are.
fn lowered(body: &str) -> (Result<Asm>, Vec<Option<u64>>) {
    let context = context();
    let arguments = "%a: i32, %p: i1, %at: !llvm.ptr<1>";
    let module = parse(&context, &format!("func.func @f({arguments}) {{ {body} return }}"));
    let op = ir::ops(module.as_operation()).into_iter().find(|op| op_name(*op).starts_with("ptx.")).unwrap();
    let constants: Vec<_> = op.operands().map(constant_of).collect();
    let raw = |bits: &Option<u64>| Constant { is_constant: bits.is_some(), bits: bits.unwrap_or_default() };
    (lower(op, &constants.iter().map(raw).collect::<Vec<_>>()), constants)
}

#[test]
fn the_clauses_of_an_op_are_those_of_its_asm() {
    let of = |body| lowered(body).0.unwrap();
    is(of("%d = ptx.mov \"b32\" %a : (i32) -> i32"), "mov.b32 $0, $1;", "=r,rn", &[0]);
    let preserving = of("%d = ptx.mov \"b32\" %a pred(not %p) preserve(%a) : (i32) -> i32");
    is(preserving, "@!$2 mov.b32 $0, $1;", "=r,rn,b,0", &[0, 1, 2]);
    let unpacking = of("%d = ptx.mov \"b32\" %a pred(%p) sink [0] : (i32) -> i16");
    is(unpacking, "@$2 mov.b32 {_, $0}, $1;", "=h,rn,b", &[0, 1]);
    is(
        of("ptx.st \"global.b32\" %at + 8, %a : (!llvm.ptr<1>, i32) -> ()"),
        "st.global.b32 [$0+8], $1;",
        "l,rn,~{memory}",
        &[0, 1],
    );
    is(of("%d = ptx.mov \"pred\" not %p : (i1) -> i1"), "mov.pred $0, !$1;", "=b,b", &[0]);
    is(of("%d = ptx.mov \"u32\" special \"tid.x\" : () -> i32"), "mov.u32 $0, %tid.x;", "=r", &[]);
}

#[test]
fn constants_of_an_op_are_found_and_checked() {
    let table = |constant: &str, r#type: &str| {
        lowered(&format!(
            "%c = arith.constant {constant} : {type} \
             %d = ptx.lop3 \"b32\" %a, %a, %a, %c : (i32, i32, i32, {type}) -> i32"
        ))
    };
    let (asm, constants) = table("0xCA", "i32");
    assert_eq!(constants, [None, None, None, Some(0xCA)]);
    is(asm.unwrap(), "lop3.b32 $0, $1, $2, $3, 0xCA;", "=r,rn,rn,rn", &[0, 1, 2]);
    let (asm, constants) = table("-1", "i32");
    assert_eq!(constants[3], Some(0xFFFF_FFFF));
    assert!(asm.unwrap_err().to_string().starts_with("(immLut) is 4294967295"));
    assert!(lowered("%d = ptx.lop3 \"b32\" %a, %a, %a, %a : (i32, i32, i32, i32) -> i32").0.is_err());
    let copied = |constant: &str, of: &str| {
        let (_, constants) =
            lowered(&format!("%c = arith.constant {constant} : {of} %d = ptx.mov \"b32\" %c : ({of}) -> {of}"));
        constants[0]
    };
    assert_eq!(copied("1.0", "f32"), Some(0x3F80_0000));
    assert_eq!(copied("dense<[1, 2]>", "vector<2xi16>"), Some(0x0002_0001));
}

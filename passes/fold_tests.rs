use super::*;
use crate::ir;
use crate::test_support::{context, parse};
use ptx_tile_dialect::verify::op_name;

/// Folds the op of a name in a program, with constants of its operands; also shows that the op is as it was.
fn folded(program: &str, name: &str, constants: &[Option<&str>]) -> Option<Vec<String>> {
    let context = context();
    let module = parse(&context, program);
    let op = ir::ops(module.as_operation()).into_iter().find(|op| op_name(*op) == name).expect("it is there");
    let before = module.as_operation().to_string();
    let attribute = |text: &str| Attribute::parse(&context, text).expect("it is an attribute");
    let constants: Vec<_> = constants.iter().map(|text| text.map(attribute)).collect();
    let results = fold(op, &constants);
    assert_eq!(module.as_operation().to_string(), before);
    let text = |folded: &Folded| match folded {
        Folded::Constant(constant) => constant.to_string(),
        Folded::Operand(index) => format!("operand {index}"),
    };
    results.map(|results| results.iter().map(text).collect())
}

fn binary(op: &str, r#type: &str) -> String {
    format!("func.func @f(%a: {type}, %b: {type}) {{ %r = {op} %a, %b : {type} return }}")
}

#[test]
fn arithmetic_comes_from_the_op() {
    let i32s = |a, b| folded(&binary("arith.addi", "i32"), "arith.addi", &[Some(a), Some(b)]).unwrap();
    assert_eq!(i32s("-1 : i32", "3 : i32"), ["2 : i32"]);
    let index = binary("arith.remui", "index");
    assert_eq!(folded(&index, "arith.remui", &[Some("37 : index"), Some("32 : index")]).unwrap(), ["5 : index"]);
    let float = binary("arith.mulf", "f32");
    assert_eq!(folded(&float, "arith.mulf", &[Some("1.5 : f32"), Some("2.0 : f32")]).unwrap(), ["3.000000e+00 : f32"]);
    let map = "func.func @f(%a: index) { %r = affine.apply affine_map<(d0) -> (d0 mod 32 + 1)>(%a) return }";
    assert_eq!(folded(map, "affine.apply", &[Some("40 : index")]).unwrap(), ["9 : index"]);
}

#[test]
fn a_result_may_be_an_operand() {
    let select =
        "func.func @f(%c: i1, %p: !llvm.ptr, %q: !llvm.ptr) { %r = arith.select %c, %p, %q : !llvm.ptr return }";
    assert_eq!(folded(select, "arith.select", &[Some("false"), None, None]).unwrap(), ["operand 2"]);
    assert_eq!(folded(&binary("arith.addi", "i32"), "arith.addi", &[None, Some("0 : i32")]).unwrap(), ["operand 0"]);
    let same = "func.func @f(%a: i32) { %r = arith.subi %a, %a : i32 return }";
    assert_eq!(folded(same, "arith.subi", &[]).unwrap(), ["0 : i32"]);
}

#[test]
fn folds_in_place_leave_the_op_alone() {
    // The folder moves the constant to the right and says no more.
    assert_eq!(folded(&binary("arith.addi", "i32"), "arith.addi", &[Some("3 : i32"), None]), None);
    // Here it goes on: a constant that was moved still belongs to its operand.
    assert_eq!(folded(&binary("arith.addi", "i32"), "arith.addi", &[Some("0 : i32"), None]).unwrap(), ["operand 1"]);
}

#[test]
fn what_has_no_answer_gives_none() {
    let divided = folded(&binary("arith.divsi", "i32"), "arith.divsi", &[Some("1 : i32"), Some("0 : i32")]);
    assert_eq!(divided, None);
    // Constants of another type, or of no number, count as unknown.
    for other in ["3 : i64", "\"text\"", "unit", "dense<1> : vector<4xi32>"] {
        assert_eq!(folded(&binary("arith.muli", "i32"), "arith.muli", &[Some(other), Some(other)]), None);
    }
    let branch = "func.func @f(%c: i1) { scf.if %c { } return }";
    assert_eq!(folded(branch, "scf.if", &[Some("true")]), None);
    assert_eq!(folded("func.func @f() { return }", "func.return", &[]), None);
}

#[test]
fn an_undefined_operand_of_the_llvm_dialect_is_unknown() {
    let program = "func.func @f(%a: i32) { %u = llvm.mlir.undef : i32 %r = arith.addi %a, %u : i32 return }";
    assert_eq!(folded(program, "arith.addi", &[Some("1 : i32")]), None);
}

#[test]
fn bits_and_constants_are_the_same() {
    let context = context();
    let nan = 0x7fa0_0001;
    for (text, bits) in [
        ("i32", 0xffff_fffe_u128),
        ("index", 1 << 63),
        ("i1", 1),
        ("i128", u128::MAX - 1),
        ("f32", nan),
        ("f16", 0x7e01),
        ("bf16", 0x3f80),
        ("f64", 0xfff8_0000_dead_beef),
        ("f8E4M3FN", 0x41),
        ("vector<2xi16>", 0x0002_0001),
        ("vector<4xf16>", 0x7e01_0000_3c00_bc00),
        ("vector<4xi1>", 0b1010),
    ] {
        let r#type = Type::parse(&context, text).unwrap();
        let constant = constant_of_bits(r#type, bits).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(bits_of(constant).unwrap().0, bits, "{text}");
    }
    for text in ["!llvm.ptr", "memref<4xi32>", "i256", "vector<4xi64>", "tensor<2xi32>", "none"] {
        assert_eq!(constant_of_bits(Type::parse(&context, text).unwrap(), 1), None, "{text}");
    }
    let list = Attribute::parse(&context, "dense<[1, -1]> : tensor<2xi16>").unwrap();
    assert_eq!(numbers_of(list).unwrap(), [(1, 16), (0xffff, 16)]);
    let splat = Attribute::parse(&context, "dense<true> : tensor<3xi1>").unwrap();
    assert_eq!(numbers_of(splat).unwrap(), [(1, 1); 3]);
    assert_eq!(numbers_of(Attribute::parse(&context, "\"text\"").unwrap()), None);
}

#[test]
fn a_map_has_a_value_at_a_point() {
    let context = context();
    let map = Attribute::parse(&context, "affine_map<(d0)[s0] -> (d0 * 2 + s0, d0 floordiv s0)>").unwrap();
    assert_eq!(evaluate_map(map, &[7, 3]), Some(vec![17, 2]));
    assert_eq!(evaluate_map(map, &[7]), None);
    assert_eq!(evaluate_map(map, &[7, 0]), None);
    // Sums wrap, products must not.
    assert_eq!(evaluate_map(map, &[i64::MAX / 2, 3]), Some(vec![i64::MIN + 1, i64::MAX / 6]));
    assert_eq!(evaluate_map(map, &[i64::MAX, 3]), None);
    let map = Attribute::parse(&context, "affine_map<(d0) -> (d0 mod 4, d0 ceildiv 4, d0 floordiv 4)>").unwrap();
    assert_eq!(evaluate_map(map, &[-5]), Some(vec![3, -1, -2]));
}

//! Tests of `ranges.rs` and `loops.rs`: what is known of the operands of ops named `test.begin`, in their order.

use super::*;
use crate::test_support::{context, parse};

fn known(body: &str) -> Vec<Values> {
    each_begin(body, |ranges, begin| ranges.of(begin))
}

fn one_by_one(body: &str) -> Vec<Option<Values>> {
    each_begin(body, |ranges, begin| ranges.exactly(begin))
}

fn each_begin<T>(body: &str, ask: impl Fn(&Ranges, Value) -> T) -> Vec<T> {
    let context = context();
    context.set_allow_unregistered_dialects(true);
    let text = format!(
        "gpu.module @m {{ gpu.func @f(%n: index, %i: i32) kernel attributes {{known_block_size = array<i32: 64, 2, 1>}} {{ \
         %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c2 = arith.constant 2 : index\n \
         %c4 = arith.constant 4 : index\n %c12 = arith.constant 12 : index\n {body}\n gpu.return }} }}"
    );
    let module = parse(&context, &text);
    let ranges = Ranges::default();
    let ops = ir::ops(module.as_operation()).into_iter().filter(|op| op_name(*op) == "test.begin");
    ops.map(|op| ask(&ranges, operand_of(op, 0))).collect()
}

fn exactly(values: &[i64]) -> Values {
    Values::Exactly(values.to_vec())
}

#[test]
fn constants_are_exact_through_arithmetic() {
    let body = "%a = arith.muli %c12, %c4 : index\n %b = affine.apply affine_map<(d)[s] -> (d floordiv 5 + s)>(%a)[%c1]\n \
                \"test.begin\"(%b) : (index) -> ()";
    assert_eq!(known(body), [exactly(&[10])]);
}

#[test]
fn loops_with_constant_bounds_are_exact() {
    let body = "scf.for %i0 = %c0 to %c12 step %c4 { %x = arith.xori %i0, %c4 : index\n \
                \"test.begin\"(%x) : (index) -> () scf.for %j = %i0 to %c12 step %c2 { \
                %s = arith.subi %j, %i0 : index\n \"test.begin\"(%s) : (index) -> () } }\n \
                affine.for %k = 3 to 10 step 3 { \"test.begin\"(%k) : (index) -> () }";
    let values = [exactly(&[0, 4, 12]), exactly(&[0, 2, 4, 6, 8, 10]), exactly(&[3, 6, 9])];
    assert_eq!(one_by_one(body), values.map(Some));
}

#[test]
fn launch_sizes_and_arithmetic_give_ranges() {
    let body = "%t = gpu.thread_id x\n %a = arith.muli %t, %c4 : index\n \"test.begin\"(%a) : (index) -> ()\n \
                %m = arith.remui %n, %c12 : index\n \"test.begin\"(%m) : (index) -> ()";
    let congruence = Congruence { modulus: 4, residue: 0 };
    let remainder = Congruence { modulus: 1, residue: 0 };
    assert_eq!(
        known(body),
        [
            Values::Within { least: 0, greatest: 252, congruence },
            Values::Within { least: 0, greatest: 11, congruence: remainder }
        ]
    );
}

#[test]
fn congruences_follow_arithmetic() {
    let of = |expression: &str| {
        let body = format!("%t = gpu.thread_id x\n {expression}\n \"test.begin\"(%x) : (index) -> ()");
        known(&body).pop().expect("one begin").congruence()
    };
    let modulo = |modulus, residue| Congruence { modulus, residue };
    assert_eq!(of("%a = arith.muli %t, %c12 : index\n %x = arith.addi %a, %c2 : index"), modulo(12, 2));
    assert_eq!(of("%a = arith.muli %t, %c12 : index\n %x = arith.subi %c2, %a : index"), modulo(12, 2));
    assert_eq!(of("%a = arith.muli %n, %c12 : index\n %x = arith.remui %a, %c4 : index"), modulo(4, 0));
    assert_eq!(of("%x = arith.shli %n, %c2 : index"), modulo(4, 0));
    assert_eq!(of("%m = arith.constant -8 : index\n %x = arith.andi %n, %m : index"), modulo(8, 0));
    assert_eq!(of("%x = affine.apply affine_map<(d) -> (d * 6 + 3)>(%t)"), modulo(6, 3));
    assert_eq!(of("%x = affine.apply affine_map<(d) -> (d * 6)>(%n)"), modulo(6, 0));
    assert_eq!(of("%x = affine.apply affine_map<(d) -> (d * 6 + 3)>(%n)"), modulo(2, 1));
    assert_eq!(of("%a = arith.muli %n, %c12 : index\n %x = arith.maxsi %a, %c4 : index"), modulo(4, 0));
    assert_eq!(of("%x = arith.index_cast %i : i32 to index"), modulo(1, 0));
    assert_eq!(of("%x = index.mul %t, %c12"), modulo(12, 0));
}

#[test]
fn what_wraps_keeps_powers_of_two() {
    let of = |expression: &str| {
        let body = format!("%t = gpu.thread_id x\n {expression}\n \"test.begin\"(%x) : (index) -> ()");
        known(&body).pop().expect("one begin").congruence().divisor()
    };
    assert_eq!(of("%x = arith.muli %n, %c12 : index"), 4);
    assert_eq!(of("%x = index.mul %n, %c12"), 4);
    assert_eq!(of("%a = arith.muli %n, %c12 : index\n %x = arith.remui %a, %c12 : index"), 4);
    // A remainder of what may be negative, or of what is cut off, is no multiple of 12 either.
    let twelves = "%m = arith.constant -12 : index\n %a = arith.muli %t, %m : index\n";
    assert_eq!(of(&format!("{twelves} %x = arith.remui %a, %c12 : index")), 4);
    assert_eq!(of(&format!("{twelves} %x = arith.remsi %a, %c12 : index")), 12);
    assert_eq!(
        of(&format!("{twelves} %b = arith.index_cast %a : index to i8\n %x = arith.index_cast %b : i8 to index")),
        4
    );
    assert_eq!(
        of(&format!("{twelves} %b = arith.index_cast %a : index to i32\n %x = arith.index_cast %b : i32 to index")),
        12
    );
    assert_eq!(
        of(&format!("{twelves} %b = arith.index_cast %a : index to i32\n %x = arith.index_castui %b : i32 to index")),
        4
    );
    // 1024 * t + 256 in a byte is 0.
    let cut = "%k = arith.constant 1024 : index\n %l = arith.constant 256 : index\n %a = arith.muli %t, %k : index\n \
               %b = arith.addi %a, %l : index\n %c = arith.index_cast %b : index to i8\n \
               %d = arith.index_cast %c : i8 to index\n %x = arith.subi %d, %l : index";
    assert_eq!(of(cut), 256);
}

#[test]
fn each_value_of_a_range_in_steps() {
    let congruence = Congruence { modulus: 4, residue: 3 };
    let values = |least, greatest| Values::Within { least, greatest, congruence }.each();
    assert_eq!(values(0, 12), Some(vec![3, 7, 11]));
    assert_eq!(values(-5, 3), Some(vec![-5, -1, 3]));
    assert_eq!(values(4, 6), Some(vec![]));
    assert_eq!(values(i64::MIN, i64::MAX), None);
    assert_eq!(values(0, MAX_TURNS as i64 * 8), None);
}

#[test]
fn deep_arithmetic_ends() {
    // As a tree it has 2^400 leaves, as a chain more than is followed.
    let doubling: String = (0..400).map(|i| format!("%x{} = arith.addi %x{i}, %x{i} : index\n", i + 1)).collect();
    let body = format!("%x0 = arith.muli %n, %c1 : index\n {doubling} \"test.begin\"(%x400) : (index) -> ()");
    let values = known(&body);
    assert!(matches!(values[0], Values::Within { .. }), "{values:?}");
}

#[test]
fn what_is_free_is_taken_at_each_of_its_values() {
    let body = "%t = gpu.thread_id y\n %q = affine.apply affine_map<(d) -> (d * 3 - ((d * 3) floordiv 2) * 2 + 7)>(%t)\n \
                \"test.begin\"(%q) : (index) -> ()\n \"test.begin\"(%n) : (index) -> ()";
    assert_eq!(one_by_one(body), [Some(exactly(&[7, 8])), None]);
}

#[test]
fn loops_that_are_not_what_they_seem() {
    // Without a sign %m is up to 255; 100 + 100 is -56 in 8 bits; no turn; bounds that are maps.
    let body = "%z = arith.constant 0 : i8\n %o = arith.constant 1 : i8\n %h = arith.constant 100 : i8\n \
                %e = arith.constant 127 : i8\n %m = arith.trunci %i : i32 to i8\n \
                scf.for unsigned %j = %z to %m step %o : i8 { \
                %x = arith.index_castui %j : i8 to index\n \"test.begin\"(%x) : (index) -> () }\n \
                scf.for %j = %z to %e step %h : i8 { \
                %x = arith.index_cast %j : i8 to index\n \"test.begin\"(%x) : (index) -> () }\n \
                scf.for %j = %c1 to %c0 step %c1 { \"test.begin\"(%j) : (index) -> () }\n \
                affine.for %j = 0 to 3 { affine.for %k = max affine_map<(d) -> (d, 1)>(%j) to 3 { \
                %x = affine.apply affine_map<(d, e) -> (d * 10 + e)>(%j, %k)\n \"test.begin\"(%x) : (index) -> () } }";
    let found = known(body);
    let limits: Vec<_> = found[..2].iter().map(|values| (values.least(), values.greatest())).collect();
    assert_eq!(limits, [(0, 255), (-128, 127)]);
    assert_eq!(found[2], exactly(&[]));
    let found = one_by_one(body);
    assert_eq!(found[3], Some(exactly(&[1, 2, 11, 12, 22])));
}

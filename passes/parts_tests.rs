use super::*;
use crate::gpu_modules;
use crate::nvptx::Unit;
use crate::test_support::{context, parse};

/// Eight functions: two that call one, one that calls nothing, and variables that several of them name.
const MODULE: &str = r#"gpu.module @m [#nvvm.target<chip = "sm_90">] {
    llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi32>) {addr_space = 1 : i32} : !llvm.array<2 x i32>
    llvm.mlir.global external @nobody() {addr_space = 1 : i32} : i32
    llvm.mlir.global internal constant @names() {addr_space = 1 : i32} : !llvm.ptr<1> {
      %0 = llvm.mlir.addressof @table : !llvm.ptr<1>
      llvm.return %0 : !llvm.ptr<1>
    }
    llvm.func @outside(i32) -> i32
    llvm.func @first(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %0 = llvm.mlir.addressof @table : !llvm.ptr<1>
      llvm.store %0, %out : !llvm.ptr<1>, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @helper(%x: i32) -> i32 {
      %0 = llvm.call @outside(%x) : (i32) -> i32
      llvm.return %0 : i32
    }
    llvm.func @second(%out: !llvm.ptr<1>, %x: i32, %p: i1) attributes {nvvm.kernel} {
      llvm.cond_br %p, ^then, ^end
    ^then:
      %0 = llvm.call @helper(%x) : (i32) -> i32
      llvm.store %0, %out : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }
    llvm.func @third() attributes {nvvm.kernel} { llvm.return }
    llvm.func @fourth(%out: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
      %0 = llvm.call @outside(%x) : (i32) -> i32
      llvm.store %0, %out : i32, !llvm.ptr<1>
      %1 = llvm.mlir.addressof @table : !llvm.ptr<1>
      llvm.store %1, %out : !llvm.ptr<1>, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @fifth(%out: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
      %0 = llvm.call @helper(%x) : (i32) -> i32
      llvm.store %0, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }"#;

fn functions_of(op: OperationRef) -> Vec<String> {
    let is_body = |op: &OperationRef| op_name(*op) == "llvm.func" && !ir::blocks(*op).is_empty();
    ir::blocks(op).into_iter().flat_map(ir::ops_in).filter(is_body).filter_map(symbol).collect()
}

fn text(part: OperationRef) -> String {
    Unit::translate(part).unwrap().compile("sm_90", None, 2).unwrap().text
}

/// LLVM numbers calls and blocks through a module.
fn without_numbers(text: &str) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let line = line.split("// callseq").next().unwrap_or_default();
        let (before, label) = line.split_once("$L__BB").unwrap_or((line, ""));
        all.push_str(before);
        all.push_str(label.split_once('_').map_or(label, |(_, block)| block));
        all.push('\n');
    }
    all
}

#[test]
fn functions_that_refer_to_each_other_stay_together() {
    let context = context();
    let module = parse(&context, MODULE);
    let before = module.as_operation().to_string();
    let gpu_module = gpu_modules(module.as_operation())[0];
    let of_size = |size| {
        let parts = Parts::of(gpu_module, size);
        assert!(parts.modules().into_iter().all(|part| part.verify()));
        parts.modules().into_iter().map(functions_of).collect::<Vec<_>>()
    };
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let each = [names(&["first"]), names(&["helper", "second", "fifth"]), names(&["third"]), names(&["fourth"])];
    assert_eq!(of_size(1), each);
    assert_eq!(of_size(5), [names(&["first", "helper", "second", "fifth"]), names(&["third", "fourth"])]);
    assert_eq!(of_size(SIZE).len(), 1);
    assert_eq!(module.as_operation().to_string(), before);
}

#[test]
fn the_text_of_the_parts_is_that_of_the_whole() {
    let context = context();
    let module = parse(&context, MODULE);
    let gpu_module = gpu_modules(module.as_operation())[0];
    let whole = text(gpu_module);
    let parts = Parts::of(gpu_module, 1);
    let texts = for_each(&parts.modules(), text);
    assert_eq!(texts.len(), 4);
    let (joined, whole) = (joined(&texts), without_numbers(&whole));
    let sorted = |text: &str| {
        let mut all: Vec<String> = text.split_inclusive("\n}\n").map(|its| its.to_string()).collect();
        all[1..].sort();
        all
    };
    // The function that calls another comes before those that stood between.
    assert_eq!(sorted(&without_numbers(&joined)), sorted(&whole));
    assert_eq!(joined.matches(".extern .func").count(), 1);
    assert_eq!(joined.matches(" table[").count(), 1);
}

/// LLVM's comments of linkage, and of variables that it says in a function, stand before whatever is next.
#[test]
fn what_several_parts_declare_is_there_once() {
    let context = context();
    let module = parse(
        &context,
        r#"gpu.module @m {
          llvm.mlir.global internal @own() {addr_space = 3 : i32} : !llvm.array<4 x i32>
          llvm.mlir.global external @table(7 : i32) {addr_space = 1 : i32} : i32
          llvm.func weak @first(%out: !llvm.ptr<1>) {
            %0 = llvm.mlir.addressof @table : !llvm.ptr<1>
            llvm.store %0, %out : !llvm.ptr<1>, !llvm.ptr<1>
            llvm.return
          }
          llvm.func weak @second(%out: !llvm.ptr<1>) {
            %0 = llvm.mlir.addressof @own : !llvm.ptr<3>
            %1 = llvm.mlir.addressof @table : !llvm.ptr<1>
            llvm.store %0, %out : !llvm.ptr<3>, !llvm.ptr<1>
            llvm.store %1, %out : !llvm.ptr<1>, !llvm.ptr<1>
            llvm.return
          }
        }"#,
    );
    let parts = Parts::of(gpu_modules(module.as_operation())[0], 1);
    let texts = for_each(&parts.modules(), text);
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().all(|text| text.contains("// .weak")));
    assert!(texts[1].contains("// own has been demoted\n"));
    let joined = joined(&texts);
    assert_eq!(joined.matches(".u32 table").count(), 1, "{joined}");
    assert_eq!(joined.matches(".b8 own[16]").count(), 1, "{joined}");
    assert_eq!(joined.matches("// .weak\tsecond\n").count(), 1, "{joined}");
    assert_eq!(joined.matches("\n.weak .func second(").count(), 1, "{joined}");
}

/// The variable is in the first part, which would not have the function.
#[test]
fn a_module_whose_variable_holds_the_address_of_a_function_stays_whole() {
    let context = context();
    let functions = ["a", "b"].map(|name| format!("llvm.func @{name}() {{ llvm.return }}"));
    let body = "{ %0 = llvm.mlir.addressof @b : !llvm.ptr llvm.return %0 : !llvm.ptr }";
    for (variable, wanted) in [
        ("llvm.mlir.global internal constant @v(@b) {addr_space = 1 : i32} : !llvm.ptr".to_string(), 1),
        (format!("llvm.mlir.global internal @v() {{addr_space = 1 : i32}} : !llvm.ptr {body}"), 1),
        ("llvm.mlir.global internal @v(7 : i32) {addr_space = 1 : i32} : i32".to_string(), 2),
    ] {
        let module = parse(&context, &format!("gpu.module @m {{ {variable} {} }}", functions.concat()));
        let parts = Parts::of(gpu_modules(module.as_operation())[0], 1);
        assert_eq!(parts.modules().len(), wanted, "{variable}");
    }
}

/// Named in one part alone, it would be a variable of each of the functions.
#[test]
fn functions_with_shared_memory_in_common_stay_together() {
    let context = context();
    let functions = ["a", "b", "c"].map(|name| {
        let own = if name == "c" { "llvm.return" } else { "%0 = llvm.mlir.addressof @s : !llvm.ptr<3> llvm.return" };
        format!("llvm.func @{name}() {{ {own} }}")
    });
    for (linkage, wanted) in [("internal", 2), ("private", 2), ("external", 3)] {
        let shared = format!("llvm.mlir.global {linkage} @s() {{addr_space = 3 : i32}} : !llvm.array<4 x i32>");
        let module = parse(&context, &format!("gpu.module @m {{ {shared} {} }}", functions.concat()));
        assert_eq!(Parts::of(gpu_modules(module.as_operation())[0], 1).modules().len(), wanted, "{linkage}");
    }
}

#[test]
fn what_llvm_makes_of_a_whole_module_stays_whole() {
    let context = context();
    let parts_of = |text: &str| {
        let module = parse(&context, text);
        Parts::of(gpu_modules(module.as_operation())[0], 1).modules().len()
    };
    let two = "llvm.func @a() { llvm.return } llvm.func @b() { llvm.return }";
    assert_eq!(parts_of(&format!("gpu.module @m {{ {two} }}")), 2);
    assert_eq!(parts_of(&format!("gpu.module @m attributes {{llvm.module_asm = [\"x\"]}} {{ {two} }}")), 1);
    let renamed = "llvm.mlir.global internal @\"a.b\"(1 : i32) : i32";
    assert_eq!(parts_of(&format!("gpu.module @m {{ {two} {renamed} }}")), 1);
    assert_eq!(parts_of(&format!("gpu.module @m {{ {two} func.func private @f() }}")), 1);
    let file = "#file = #llvm.di_file<\"a.mlir\" in \"\"> #unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = \
                DW_LANG_C, file = #file, isOptimized = true, emissionKind = LineTablesOnly> #type = \
                #llvm.di_subroutine_type<> #of = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = \
                #file, name = \"a\", file = #file, subprogramFlags = Definition, type = #type>";
    let debug = two.replacen("{ llvm.return }", "{ llvm.return } loc(fused<#of>[\"a.mlir\":1:1])", 1);
    assert_eq!(parts_of(&format!("{file} gpu.module @m {{ {debug} }}")), 1);
}

#[test]
fn a_panic_of_a_thread_is_one_of_the_caller() {
    let context = context();
    let module = parse(&context, "gpu.module @a {} gpu.module @b {}");
    let ops: Vec<_> = gpu_modules(module.as_operation())
        .into_iter()
        .map(|op| unsafe { OperationRef::from_raw(op.to_raw()) })
        .collect();
    let panic = catch_unwind(AssertUnwindSafe(|| {
        for_each(&ops, |op| assert_ne!(symbol(op).as_deref(), Some("b"), "planted"));
    }));
    assert!(ptx_tile_dialect::verify::panic_text(&*panic.unwrap_err()).contains("planted"));
}

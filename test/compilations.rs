//! Many compilations in one process, as a compiler that lives long makes them: they leave no memory behind, and threads
//! do not disturb each other.
//!
//! COMPILATIONS says how many (1000). What MLIR makes unique, attributes and types, stays in a context by design; the
//! programs are the same again and again, so that it does not grow. An input that makes LLVM end by a fatal error, of
//! which nothing is known to reach it, would leave that thread's memory behind.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use mlir_sys::{MlirLogicalResult, MlirOperation, MlirStringRef};
use ptx_tile_passes::{Target, emit_ptx};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard};
use std::{env, fs, thread};

/// What may be kept by chance, as allocators do; for each of 1000 compilations it is 4 KiB.
const SLACK: usize = 4 << 20;

#[test]
fn one_context_does_not_grow() {
    let _alone = alone();
    let context = context();
    let module = parse(&context, &program(0));
    let growth = growth(compilations(), || drop(emit_ptx(&module, &Target::default()).unwrap()));
    assert!(growth < SLACK, "{growth} bytes more");
}

#[test]
fn contexts_go_whole() {
    let _alone = alone();
    let growth = growth(compilations() / 20, || {
        let context = context();
        emit_ptx(&parse(&context, &program(0)), &Target::default()).unwrap();
    });
    assert!(growth < SLACK, "{growth} bytes more");
}

#[test]
fn what_fails_leaves_nothing() {
    let _alone = alone();
    let context = context();
    let program = program(0);
    // Refused by the checks, by the target's and by the emitter's.
    let unaligned = parse(&context, &program.replace("{llvm.align = 16 : i64}", ""));
    let unnamed = parse(&context, &program.replace("gpu.func @k0", "gpu.func @\"k 0\""));
    let module = parse(&context, &program);
    let refused = [(&unaligned, "sm_90"), (&unnamed, "sm_90"), (&module, "sm_1")];
    let growth = growth(compilations(), || {
        for (module, chip) in refused {
            emit_ptx(module, &Target::chip(chip)).unwrap_err();
        }
    });
    assert!(growth < SLACK, "{growth} bytes more");
}

#[test]
fn a_leak_is_seen() {
    let _alone = alone();
    let growth = growth(compilations(), || {
        std::mem::forget(std::hint::black_box(vec![1u8; 16 << 10]));
    });
    assert!(growth > SLACK, "{growth} bytes more");
}

#[test]
fn threads_have_contexts_of_their_own() {
    let _alone = alone();
    let wanted: Vec<String> = (0..THREADS).map(compiled_alone).collect();
    thread::scope(|scope| {
        for (kind, wanted) in wanted.iter().enumerate() {
            scope.spawn(move || {
                let context = context();
                let module = parse(&context, &program(kind));
                for _ in 0..EACH {
                    assert_eq!(&emit_ptx(&module, &Target::default()).unwrap(), wanted);
                }
            });
        }
    });
}

#[test]
fn threads_share_a_context() {
    let _alone = alone();
    let wanted: Vec<String> = (0..THREADS).map(compiled_alone).collect();
    let context = context();
    let modules: Vec<Module> = (0..THREADS).map(|kind| parse(&context, &program(kind))).collect();
    let modules: Vec<Shared> = modules.iter().map(|module| Shared(module.as_operation().to_raw())).collect();
    thread::scope(|scope| {
        for (module, wanted) in modules.iter().zip(&wanted) {
            scope.spawn(move || {
                for _ in 0..EACH {
                    let mut ptx = String::new();
                    let user = (&raw mut ptx).cast();
                    let result = unsafe { ptxTileEmitPtx(module.0, std::ptr::null(), take, user) };
                    assert_eq!((result.value, &ptx), (1, wanted));
                }
            });
        }
    });
}

const THREADS: usize = 8;
/// Compilations of a thread.
const EACH: usize = 100;

// For C and C++: a context of MLIR may be used by several threads, one of melior's may not.
unsafe extern "C" {
    fn ptxTileEmitPtx(
        module: MlirOperation,
        target: *const c_void,
        each: extern "C" fn(MlirStringRef, MlirStringRef, *mut c_void),
        user: *mut c_void,
    ) -> MlirLogicalResult;
}

extern "C" fn take(_: MlirStringRef, ptx: MlirStringRef, user: *mut c_void) {
    let bytes = unsafe { std::slice::from_raw_parts(ptx.data.cast(), ptx.length) };
    let text = unsafe { &mut *user.cast::<String>() };
    text.push_str(std::str::from_utf8(bytes).expect("PTX is text"));
}

/// A module that no other thread changes.
struct Shared(MlirOperation);
unsafe impl Sync for Shared {}

/// The memory of a process is one: the tests take turns.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|failed| failed.into_inner())
}

fn compilations() -> usize {
    env::var("COMPILATIONS").map_or(1000, |text| text.parse().expect("COMPILATIONS is a number"))
}

/// How much more memory the process has after so many times, in bytes, once it has warmed up.
fn growth(times: usize, mut compile: impl FnMut()) -> usize {
    (0..times / 5).for_each(|_| compile());
    let before = resident();
    (0..times).for_each(|_| compile());
    resident().saturating_sub(before)
}

fn resident() -> usize {
    const PAGE: usize = 4096;
    let statm = fs::read_to_string("/proc/self/statm").expect("Linux has it");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("it has numbers") * PAGE
}

fn context() -> Context {
    let registry = DialectRegistry::new();
    ptx_tile_passes::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

fn parse<'c>(context: &'c Context, program: &str) -> Module<'c> {
    Module::parse(context, program).unwrap_or_else(|| panic!("not legal: {program}"))
}

fn compiled_alone(kind: usize) -> String {
    let context = context();
    emit_ptx(&parse(&context, &program(kind)), &Target::default()).unwrap()
}

/// Memory through registers in a loop that is taken apart, of its own size and arithmetic for each kind.
fn program(kind: usize) -> String {
    let turns = kind + 2;
    let opcode = ["add.s32", "sub.s32", "xor.b32", "mul.lo.s32"][kind % 4];
    format!(
        r#"
        !t = memref<1x4xi32, #gpu.address_space<private>>
        !g = memref<1x4xi32, 1>
        !all = memref<{turns}x1xi32, #gpu.address_space<private>>
        !one = memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
        !out = memref<{turns}x1xi32, 1>
        gpu.module @m {{
          gpu.func @k{kind}(%p: !g {{llvm.align = 16 : i64}}, %q: !out, %n: i32) kernel {{
            %c0 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %end = arith.constant {turns} : index
            %r = tile.alloc : !t
            %all = tile.alloc : !all
            tile.apply "ld.global.v4.b32"(%r, %p) : !t, !g
            %x = tile.read %r[0, 1] : !t
            scf.for %i = %c0 to %end step %c1 {{
              %one = tile.slice %all[%i, 0] [1, 1] : !all to !one
              tile.apply "{opcode}"(%one, %x, %n) : !one, i32, i32
            }}
            tile.apply "st.global.b32"(%q, %all) : !out, !all
            gpu.return
          }}
        }}"#
    )
}

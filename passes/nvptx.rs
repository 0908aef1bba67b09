//! LLVM's NVPTX backend: the chips and PTX versions it knows, and the way from LLVM IR to PTX text.
//!
//! - Only this target is initialised, once, at the first use.
//! - No table of chips is kept here: LLVM is asked. What it does not list, the least PTX version of a chip, is read in
//!   the PTX of an empty module (LLVM 22 prints the least where none is asked for).
//! - What LLVM finds wrong is returned as text, also where it would have ended the process.

use crate::Severity;
use anyhow::ensure;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::target_machine::*;
use llvm_sys::{LLVMDiagnosticSeverity, LLVMOpcode};
use melior::ir::operation::OperationRef;
use mlir_sys::{MlirOperation, MlirStringRef};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{LazyLock, Mutex};
use std::{mem, ptr, slice};

/// The triple of what is emitted.
pub const TRIPLE: &CStr = c"nvptx64-nvidia-cuda";

/// What runs before code generation. It folds the descriptors that memref lowering leaves and promotes registers, in
/// linear time. A named instruction is an asm with side effects, which none of these passes merges, moves or drops;
/// passes on the control flow graph would merge equal ones of two branches, or copy one. A loop is deleted only where
/// nothing is left in it that has an effect or is used.
const PASSES: &CStr = c"instsimplify,adce,mem2reg,sroa,early-cse,loop(loop-deletion)";

unsafe extern "C" {
    fn ptxTileProcessors(
        triple: *const c_char,
        name: extern "C" fn(MlirStringRef, bool, *mut c_void),
        user: *mut c_void,
    );
    fn ptxTileTranslateToLLVMIR(module: MlirOperation, context: LLVMContextRef) -> LLVMModuleRef;
    fn ptxTileVerifyAsm(module: LLVMModuleRef) -> *mut c_char;
    fn ptxTileCompile(
        module: LLVMModuleRef,
        machine: LLVMTargetMachineRef,
        passes: *const c_char,
        text: *mut LLVMMemoryBufferRef,
        fault: *mut *mut c_char,
        is_fatal: *mut bool,
    ) -> bool;
}

//===------------------------------------------------------------------------------------------------------------===//
// What LLVM knows
//===------------------------------------------------------------------------------------------------------------===//

/// What the backend can emit for.
#[derive(Debug, Default)]
pub struct Known {
    /// `sm_75`, `sm_90a`.
    pub chips: Vec<String>,
    /// PTX versions, ascending: 83 is PTX 8.3.
    pub versions: Vec<u32>,
}

/// The chips and PTX versions of this LLVM.
pub static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    unsafe {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    }
    extern "C" fn note(name: MlirStringRef, is_feature: bool, user: *mut c_void) {
        let known = unsafe { &mut *user.cast::<Known>() };
        let name = unsafe { slice::from_raw_parts(name.data.cast::<u8>(), name.length) };
        let name = String::from_utf8_lossy(name);
        match name.strip_prefix("ptx").map(str::parse) {
            Some(Ok(version)) if is_feature => known.versions.push(version),
            _ if !is_feature => known.chips.push(name.into()),
            _ => {}
        }
    }
    let mut known = Known::default();
    unsafe { ptxTileProcessors(TRIPLE.as_ptr(), note, ptr::from_mut(&mut known).cast()) };
    known.versions.sort_unstable();
    known
});

/// The least PTX version that a known chip can be emitted with.
pub fn least_version(chip: &str) -> u32 {
    static FOUND: LazyLock<Mutex<HashMap<String, u32>>> = LazyLock::new(Mutex::default);
    if let Some(version) = FOUND.lock().expect("nothing panics under this lock").get(chip) {
        return *version;
    }
    let empty = Unit::new().compile(chip, None, 1).expect("an empty module compiles");
    let version = empty.text.split_once(".version ").and_then(|(_, rest)| rest.split_whitespace().next());
    let version = version.and_then(|text| text.replace('.', "").parse().ok()).expect("PTX says its version");
    FOUND.lock().expect("nothing panics under this lock").insert(chip.into(), version);
    version
}

//===------------------------------------------------------------------------------------------------------------===//
// From LLVM IR to PTX
//===------------------------------------------------------------------------------------------------------------===//

/// A compiled module.
#[derive(Debug)]
pub struct Compiled {
    /// PTX text.
    pub text: String,
    /// What LLVM warns of.
    pub warnings: Vec<String>,
}

/// A module in a context of its own, and what LLVM reports about it.
pub struct Unit {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    reports: Box<RefCell<Vec<(Severity, String)>>>,
}

impl Unit {
    /// An empty module.
    fn new() -> Unit {
        let reports = Box::new(RefCell::default());
        let context = unsafe { LLVMContextCreate() };
        unsafe {
            LLVMContextSetDiagnosticHandler(context, Some(on_report), ptr::from_ref(&*reports).cast_mut().cast())
        };
        Unit { context, module: unsafe { LLVMModuleCreateWithNameInContext(c"ptx-tile".as_ptr(), context) }, reports }
    }

    /// A `gpu.module` whose ops all translate to LLVM IR. MLIR's translation has emitted a diagnostic where it fails.
    pub fn translate(gpu_module: OperationRef) -> Option<Unit> {
        let mut unit = Unit::new();
        let module = unsafe { ptxTileTranslateToLLVMIR(gpu_module.to_raw(), unit.context) };
        if module.is_null() {
            return None;
        }
        unsafe { LLVMDisposeModule(mem::replace(&mut unit.module, module)) };
        Some(unit)
    }

    fn of(&self, severity: Severity) -> Vec<String> {
        self.reports.borrow().iter().filter(|(its, _)| *its == severity).map(|(_, text)| text.clone()).collect()
    }

    /// PTX text for a known `chip` in a PTX version, its least without one, or what LLVM found wrong.
    pub fn compile(self, chip: &str, version: Option<u32>, level: u32) -> Result<Compiled, Vec<String>> {
        LazyLock::force(&KNOWN);
        let machine = Machine::new(chip, version, level);
        unsafe {
            LLVMSetTarget(self.module, TRIPLE.as_ptr());
            let layout = LLVMCreateTargetDataLayout(machine.0);
            LLVMSetModuleDataLayout(self.module, layout);
            LLVMDisposeTargetData(layout);
        }
        self.verify().map_err(|why| vec![why.to_string()])?;
        gather_allocas(self.module, self.context);
        let (mut text, mut fault, mut is_fatal) = (ptr::null_mut(), ptr::null_mut(), false);
        let compiled =
            unsafe { ptxTileCompile(self.module, machine.0, PASSES.as_ptr(), &mut text, &mut fault, &mut is_fatal) };
        let mut errors = self.of(Severity::Error);
        if !compiled {
            errors.push(unsafe { take_message(fault) });
        }
        if is_fatal {
            // LLVM was left in the middle of something: what it holds cannot be given back.
            mem::forget((self, machine));
            return Err(errors);
        }
        let text = compiled.then(|| unsafe { take_buffer(text) });
        match text {
            Some(text) if errors.is_empty() => Ok(Compiled { text, warnings: self.of(Severity::Warning) }),
            _ => Err(errors),
        }
    }

    fn verify(&self) -> anyhow::Result<()> {
        let mut message = ptr::null_mut();
        let broken =
            unsafe { LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) };
        let message = unsafe { take_message(message) };
        ensure!(broken == 0, "its IR does not verify: {message}");
        let message = unsafe { take_message(ptxTileVerifyAsm(self.module)) };
        ensure!(message.is_empty(), "{message}");
        Ok(())
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

extern "C" fn on_report(info: LLVMDiagnosticInfoRef, user: *mut c_void) {
    let severity = match unsafe { LLVMGetDiagInfoSeverity(info) } {
        LLVMDiagnosticSeverity::LLVMDSError => Severity::Error,
        LLVMDiagnosticSeverity::LLVMDSWarning => Severity::Warning,
        _ => return,
    };
    let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    unsafe { &*user.cast::<RefCell<Vec<(Severity, String)>>>() }.borrow_mut().push((severity, text));
}

struct Machine(LLVMTargetMachineRef);

impl Machine {
    fn new(chip: &str, version: Option<u32>, level: u32) -> Machine {
        let level = match level {
            1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            _ => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        let chip = CString::new(chip).expect("LLVM's chips have no NUL");
        let features = CString::new(version.map(|version| format!("+ptx{version}")).unwrap_or_default());
        let features = features.expect("digits have no NUL");
        let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
        let missing = unsafe { LLVMGetTargetFromTriple(TRIPLE.as_ptr(), &mut target, &mut message) };
        assert_eq!(missing, 0, "{}", unsafe { take_message(message) });
        Machine(unsafe {
            LLVMCreateTargetMachine(
                target,
                TRIPLE.as_ptr(),
                chip.as_ptr(),
                features.as_ptr(),
                level,
                LLVMRelocMode::LLVMRelocDefault,
                LLVMCodeModel::LLVMCodeModelDefault,
            )
        })
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        unsafe { LLVMDisposeTargetMachine(self.0) }
    }
}

/// Makes each alloca of a constant count one of an array, at the start of its function. SROA promotes no other, and
/// memref lowering puts `alloca T, N` where the memref.alloca was. The code generator moves them so, too late.
fn gather_allocas(module: LLVMModuleRef, context: LLVMContextRef) {
    unsafe {
        let builder = LLVMCreateBuilderInContext(context);
        for alloca in instructions(module) {
            if LLVMGetInstructionOpcode(alloca) != LLVMOpcode::LLVMAlloca {
                continue;
            }
            let count = LLVMGetOperand(alloca, 0);
            if LLVMIsAConstantInt(count).is_null() {
                continue;
            }
            let (element, count) = (LLVMGetAllocatedType(alloca), LLVMConstIntGetZExtValue(count));
            let home = LLVMGetInstructionParent(alloca);
            let entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(home));
            if home == entry && count == 1 {
                continue;
            }
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
            let whole = if count == 1 { element } else { LLVMArrayType2(element, count) };
            let gathered = LLVMBuildAlloca(builder, whole, c"".as_ptr());
            LLVMSetAlignment(gathered, LLVMGetAlignment(alloca));
            if LLVMTypeOf(gathered) == LLVMTypeOf(alloca) {
                LLVMReplaceAllUsesWith(alloca, gathered);
                LLVMInstructionEraseFromParent(alloca);
            } else {
                // It is in a space of its own, and stays.
                LLVMInstructionEraseFromParent(gathered);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// The instructions of all functions.
unsafe fn instructions(module: LLVMModuleRef) -> Vec<LLVMValueRef> {
    let next = |first: LLVMValueRef, next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef| {
        std::iter::successors((!first.is_null()).then_some(first), move |value| {
            let value = unsafe { next(*value) };
            (!value.is_null()).then_some(value)
        })
    };
    let mut found = vec![];
    for function in unsafe { next(LLVMGetFirstFunction(module), LLVMGetNextFunction) } {
        let mut block = unsafe { LLVMGetFirstBasicBlock(function) };
        while !block.is_null() {
            found.extend(next(unsafe { LLVMGetFirstInstruction(block) }, LLVMGetNextInstruction));
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
    }
    found
}

/// The text of a message, which is disposed of.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}

/// The text of a buffer, which is disposed of.
unsafe fn take_buffer(buffer: LLVMMemoryBufferRef) -> String {
    let bytes = unsafe { slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer)) };
    let text = String::from_utf8_lossy(bytes).into_owned();
    unsafe { LLVMDisposeMemoryBuffer(buffer) };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of one asm statement without operands.
    fn unit(asm: &str) -> Unit {
        let unit = Unit::new();
        unsafe {
            let none = LLVMFunctionType(LLVMVoidTypeInContext(unit.context), ptr::null_mut(), 0, 0);
            let function = LLVMAddFunction(unit.module, c"f".as_ptr(), none);
            let builder = LLVMCreateBuilderInContext(unit.context);
            let block = LLVMAppendBasicBlockInContext(unit.context, function, c"".as_ptr());
            LLVMPositionBuilderAtEnd(builder, block);
            let dialect = llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT;
            let asm = LLVMGetInlineAsm(none, asm.as_ptr().cast(), asm.len(), c"".as_ptr(), 0, 1, 0, dialect, 0);
            LLVMBuildCall2(builder, none, asm, ptr::null_mut(), 0, c"".as_ptr());
            LLVMBuildRetVoid(builder);
            LLVMDisposeBuilder(builder);
        }
        unit
    }

    #[test]
    fn a_fatal_error_of_llvm_is_an_error_of_its_thread() {
        let compile = |text| unit(text).compile("sm_90", None, 2);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let compiled = compile("membar.gl;").expect("the asm is good");
                        assert_eq!(compiled.text.matches("membar.gl;").count(), 1);
                        let errors = compile("membar.gl $7;").expect_err("there is no operand 7");
                        assert_eq!(errors, ["Invalid $ operand number in inline asm string: 'membar.gl $7;'"]);
                    }
                });
            }
        });
    }

    #[test]
    fn versions_ascend() {
        assert!(KNOWN.versions.is_sorted());
        assert_eq!(KNOWN.versions.last(), Some(&90), "LLVM 22 ends at PTX 9.0");
    }
}

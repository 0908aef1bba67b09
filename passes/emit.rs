//! The one emitter: a `gpu.module` in the NVVM dialect, to LLVM IR, to PTX text.
//!
//! `tile-translate --mlir-to-ptx` prints that text, `tile-emit-ptx` puts it into a `gpu.binary`.
//!
//! - No text of a user reaches LLVM unchecked: the target is of target.rs, and a symbol that LLVM does not rename is a
//!   PTX identifier. On others, and on types that PTX has no variable of, LLVM 22 ends the process or prints what ptxas
//!   cannot read.
//! - What LLVM finds wrong later is an error at the `gpu.module`, never the end of the process (nvptx.rs).

use crate::compile::refuse_host_code;
use crate::nvptx::Unit;
use crate::parts::{self, Parts};
use crate::remarks::{self, Kind, Remark};
use crate::target::{self, Target};
use crate::{Reported, Severity, at_op, diagnose, error, gpu_modules, ir, ptx_text, quoted, reference};
use anyhow::{Context, Result, bail, ensure};
use llvm_sys::core::LLVMLookupIntrinsicID;
use melior::ir::attribute::{ArrayAttribute, AttributeLike, DictionaryAttribute, IntegerAttribute, StringAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, Identifier, Type};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;
use std::collections::{BTreeMap, HashSet};

unsafe extern "C" {
    fn ptxTileTranslates(op: MlirOperation) -> bool;
}

/// PTX text of a `gpu.module` whose functions are in the LLVM and NVVM dialects.
pub fn ptx(gpu_module: OperationRef) -> Result<String, Reported> {
    marked_ptx(gpu_module).map(|text| ptx_text::without_marks(&text))
}

/// The same with LLVM's comment lines around each asm statement, by which `ptx_text` tells what was asked for by name
/// from what LLVM added.
pub fn marked_ptx(gpu_module: OperationRef) -> Result<String, Reported> {
    at_op(gpu_module, || {
        ensure!(op_name(gpu_module) == "gpu.module", "is no gpu.module; PTX is made of these only");
        Ok(())
    })?;
    let target = target::of(gpu_module)?;
    check_lowered(gpu_module)?;
    check_symbols(gpu_module)?;
    check_variables(gpu_module)?;
    warn_of_libdevice(gpu_module);
    declare_dynamic_shared(gpu_module);
    let text = compiled(gpu_module, &target)?;
    if remarks::are_on(gpu_module) {
        remark(gpu_module, &text);
    }
    Ok(text)
}

/// What LLVM makes of a module, after saying what it warns of, or what it finds wrong.
fn compiled(gpu_module: OperationRef, target: &Target) -> Result<String, Reported> {
    let parts = Parts::of(gpu_module, parts::SIZE);
    let each = parts::for_each(&parts.modules(), |part| {
        Unit::translate(part).map(|unit| unit.compile(&target.chip, Some(target.version), target.level))
    });
    drop(parts);
    // Several parts may have the same fault.
    let mut said = HashSet::new();
    let mut say = |severity, text: &str| {
        // LLVM's texts have lines, and places in a file that there is not.
        let lines: Vec<&str> = text.lines().map(|line| line.trim().trim_start_matches("<unknown>:0:0: ")).collect();
        let (chip, version) = (&target.chip, target::dotted(target.version));
        let text = format!("'gpu.module' op LLVM says for {chip} and PTX {version}: {}", lines.join("; "));
        if said.insert(text.clone()) {
            diagnose(gpu_module.location(), severity, &text);
        }
    };
    let mut texts = Ok(vec![]);
    for part in each {
        // What fails in translation has said why.
        let compiled = part.unwrap_or(Err(vec![]));
        match &compiled {
            Ok(compiled) => compiled.warnings.iter().for_each(|text| say(Severity::Warning, text)),
            Err(errors) => errors.iter().for_each(|text| say(Severity::Error, text)),
        }
        match (&mut texts, compiled) {
            (Ok(texts), Ok(compiled)) => texts.push(compiled.text),
            _ => texts = Err(Reported),
        }
    }
    Ok(parts::joined(&texts?))
}

/// Says of each function how many instructions its PTX has: those that asm names, and those that LLVM added to them.
fn remark(gpu_module: OperationRef, text: &str) {
    let symbols = || ir::blocks(gpu_module).into_iter().flat_map(ir::ops_in);
    for its in ptx_text::functions(text) {
        let op = symbols().find(|op| symbol(*op).is_some_and(|name| name == its.name || renamed(&name) == its.name));
        let sum = |counts: &BTreeMap<&str, u64>| counts.values().sum::<u64>().to_string();
        let mut arguments = vec![("Named", sum(&its.named)), ("Added", sum(&its.added))];
        if its.local_bytes > 0 {
            arguments.push(("LocalBytes", its.local_bytes.to_string()));
        }
        arguments.extend(its.added.iter().map(|(mnemonic, number)| (*mnemonic, number.to_string())));
        let (kind, category, name) = (Kind::Analysis, "tile-emit-ptx", "ptx");
        let remark = Remark { kind, category, name, function: its.name, arguments: &arguments };
        remarks::remark(op.unwrap_or(gpu_module).location(), &remark);
    }
}

/// `tile-emit-ptx`: each `gpu.module` in `module` becomes a `gpu.binary` of the same name, as gpu-module-to-binary
/// makes it.
pub fn replace(module: OperationRef) -> Result<(), Reported> {
    refuse_host_code(module)?;
    // All or none: a failed pass leaves no half of a program.
    let modules = gpu_modules(module);
    let texts = modules.iter().map(|gpu_module| ptx(*gpu_module)).collect::<Vec<_>>();
    for (gpu_module, text) in modules.into_iter().zip(texts.into_iter().collect::<Result<Vec<_>, _>>()?) {
        let (target, attribute) = target::with_attribute(gpu_module)?;
        at_op(gpu_module, || binary(gpu_module, &text, target.level, attribute))?;
    }
    Ok(())
}

fn binary(gpu_module: OperationRef, text: &str, level: u32, target: MlirAttribute) -> Result<()> {
    /// `gpu::CompilationTarget::Assembly`
    const ASSEMBLY: u32 = 2;
    let owner = gpu_module.context();
    let context = unsafe { owner.to_ref() };
    let level = IntegerAttribute::new(IntegerType::new(context, 32).into(), level.into());
    let properties = DictionaryAttribute::new(context, &[(Identifier::new(context, "O"), level.into())]);
    let object = unsafe {
        Attribute::from_raw(mlirGPUObjectAttrGet(
            context.to_raw(),
            target,
            ASSEMBLY,
            reference(text),
            properties.to_raw(),
        ))
    };
    // Without a handler the op prints no more.
    let handler = gpu_module.attribute("offloadingHandler").ok();
    let handler = handler.or_else(|| Attribute::parse(context, "#gpu.select_object"));
    let attributes = [
        ("sym_name", gpu_module.attribute("sym_name")?),
        ("offloadingHandler", handler.context("needs the gpu dialect")?),
        ("objects", ArrayAttribute::new(context, &[object]).into()),
    ];
    let attributes = attributes.map(|(name, value)| (Identifier::new(context, name), value));
    let binary = OperationBuilder::new("gpu.binary", gpu_module.location()).add_attributes(&attributes).build()?;
    gpu_module.block().context("is in no block")?.insert_operation_before(gpu_module, binary);
    ir::erase(gpu_module);
    Ok(())
}

//===------------------------------------------------------------------------------------------------------------===//
// What LLVM would not report
//===------------------------------------------------------------------------------------------------------------===//

/// Refuses ops that have no LLVM IR. MLIR says of them that a registration is missing, and prints the whole module.
fn check_lowered(gpu_module: OperationRef) -> Result<(), Reported> {
    let check = |op: OperationRef| {
        let dialect = op_name(op).split('.').next().unwrap_or_default();
        at_op(op, || {
            ensure!(dialect != "tile", "is not expanded; run tile-expand, or tile-to-nvvm as a whole");
            // These are known to the translation for other reasons.
            let is_lowered = !["ptx", "gpu", "builtin"].contains(&dialect) && unsafe { ptxTileTranslates(op.to_raw()) };
            ensure!(
                is_lowered,
                "is not lowered to the llvm or nvvm dialect; tile-to-nvvm lowers what it knows, another op needs a pass before it"
            );
            Ok(())
        })
    };
    // A cast is left where one of its users or makers is, which tells more.
    let mut cast = None;
    for op in ir::ops(gpu_module).into_iter().skip(1) {
        if op_name(op) == "builtin.unrealized_conversion_cast" {
            cast = cast.or(Some(op));
        } else {
            check(op)?;
        }
    }
    cast.map_or(Ok(()), check)
}

/// Refuses symbols that PTX cannot spell.
fn check_symbols(gpu_module: OperationRef) -> Result<(), Reported> {
    let symbols = || ir::blocks(gpu_module).into_iter().flat_map(ir::ops_in);
    let functions: HashSet<String> = symbols().filter(|op| op_name(*op) == "llvm.func").filter_map(symbol).collect();
    let checked = symbols().map(|op| {
        let Some(name) = symbol(op) else { return Ok(()) };
        let kind = match op_name(op) {
            _ if op.has_attribute("nvvm.kernel") => "kernel",
            "llvm.func" => "function",
            "llvm.mlir.global" => "global",
            _ => "symbol",
        };
        let linkage = op.attribute("linkage").map(|linkage| linkage.to_string()).unwrap_or_default();
        let is_renamed = ["internal", "private"].iter().any(|local| linkage.contains(local));
        let is_declared = op_name(op) == "llvm.func" && ir::blocks(op).is_empty();
        let checked = if is_declared && name.starts_with("llvm.") {
            check_intrinsic(&name)
        } else if is_renamed {
            check_identifier(&renamed(&name), kind, &name)
        } else {
            check_identifier(&name, kind, &name)
        };
        let checked = checked.and_then(|()| check_shadowing(&name, kind, &functions));
        checked.map_err(|why| error(op.location(), &why.to_string()))
    });
    // All of them: each is a fault of its own.
    checked.fold(Ok(()), Result::and)
}

/// The name of a symbol.
pub fn symbol(op: OperationRef) -> Option<String> {
    let name = op.attribute("sym_name").ok()?;
    let name = StringAttribute::try_from(name).ok()?;
    // Any bytes may stand in a name, and melior takes UTF-8 only.
    Some(unsafe { crate::text(mlirStringAttrGetValue(name.to_raw())) }.into_owned())
}

/// What LLVM makes of a local symbol, as far as it matters here.
fn renamed(name: &str) -> String {
    name.replace(|c: char| !is_follower(c), "_$_")
}

fn is_follower(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// PTX ISA 4.4: a letter, or one of `_$` and more, then letters, digits and `_$`; `%` begins the names of registers. Of
/// the words of the language ptxas 13.5 takes all as names but WARP_SZ.
fn check_identifier(spelled: &str, kind: &str, name: &str) -> Result<()> {
    let mut rest = spelled.chars();
    let is_good = match rest.next() {
        Some('_' | '$') => spelled.len() > 1,
        first => first.is_some_and(|first| first.is_ascii_alphabetic()),
    };
    if !is_good || !rest.all(is_follower) {
        bail!("{kind} name {} is not a PTX identifier; one is a letter, then letters, digits, _ and $", quoted(name));
    }
    ensure!(spelled != "WARP_SZ", "{kind} name \"WARP_SZ\" is a constant of PTX; choose another");
    Ok(())
}

/// LLVM gives names to the arguments of a function and to its local memory, which inside of it hide others: the address
/// of a symbol of that name would be another one.
fn check_shadowing(name: &str, kind: &str, functions: &HashSet<String>) -> Result<()> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let argument = name.rsplit_once("_param_").filter(|(of, number)| functions.contains(*of) && is_number(number));
    if let Some((of, _)) = argument {
        bail!("{kind} name {} is what an argument of {} is called in PTX; choose another", quoted(name), quoted(of));
    }
    let is_local_memory = name.strip_prefix("__local_depot").is_some_and(is_number);
    ensure!(!is_local_memory, "{kind} name {} is what local memory is called in PTX; choose another", quoted(name));
    Ok(())
}

fn check_intrinsic(name: &str) -> Result<()> {
    let id = unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
    ensure!(id != 0, "function name {} is reserved for intrinsics, and LLVM 22 has none of that name", quoted(name));
    Ok(())
}

/// Makes external what gpu.dynamic_shared_memory becomes, an internal array of no elements in shared memory: the launch
/// gives that memory, which PTX says by `.extern` (ISA 5.4). LLVM prints a variable of one byte, and ptxas lays it over
/// others.
fn declare_dynamic_shared(gpu_module: OperationRef) {
    let owner = gpu_module.context();
    let external = Attribute::parse(unsafe { owner.to_ref() }, "#llvm.linkage<external>");
    for op in ir::blocks(gpu_module).into_iter().flat_map(ir::ops_in) {
        let says = |name, text: &str| op.attribute(name).is_ok_and(|its| its.to_string().starts_with(text));
        let is_sized_by_launch = says("addr_space", "3 ") && says("global_type", "!llvm.array<0 x");
        if let Some(external) = external.filter(|_| is_sized_by_launch && says("linkage", "#llvm.linkage<internal>")) {
            unsafe { mlirOperationSetAttributeByName(op.to_raw(), reference("linkage"), external.to_raw()) };
        }
    }
}

/// Says what convert-gpu-to-nvvm leaves of most math ops: calls of a library that nobody links here.
fn warn_of_libdevice(gpu_module: OperationRef) {
    let symbols = ir::blocks(gpu_module).into_iter().flat_map(ir::ops_in);
    let names: Vec<String> = symbols.filter_map(symbol).filter(|name| name.starts_with("__nv_")).collect();
    if !names.is_empty() {
        let text = format!("the PTX calls {}, which is in NVIDIA's libdevice and not in the PTX", names.join(", "));
        diagnose(gpu_module.location(), Severity::Warning, &text);
    }
}

/// Refuses kernel arguments and globals of which PTX has no variable.
fn check_variables(gpu_module: OperationRef) -> Result<(), Reported> {
    let symbols = || ir::blocks(gpu_module).into_iter().flat_map(ir::ops_in);
    let functions: HashSet<String> = symbols().filter(|op| op_name(*op) == "llvm.func").filter_map(symbol).collect();
    let checked = symbols().map(|op| {
        at_op(op, || {
            // The translation takes any symbol there for that of a function.
            let value =
                op.attribute("value").ok().filter(|value| unsafe { mlirAttributeIsAFlatSymbolRef(value.to_raw()) });
            let named = value.map(|value| unsafe { crate::text(mlirFlatSymbolRefAttrGetValue(value.to_raw())) });
            if let Some(name) = named.filter(|name| !functions.contains(&**name)) {
                bail!(
                    "has the value {}, which is no function; an initializer with llvm.mlir.addressof can name a global",
                    quoted(&name)
                );
            }
            if let Ok(r#type) = op.attribute("global_type") {
                return check_variable(unsafe { mlirTypeAttrGetValue(r#type.to_raw()) }, 128);
            }
            let Ok(r#type) = op.attribute("function_type") else { return Ok(()) };
            let r#type = unsafe { mlirTypeAttrGetValue(r#type.to_raw()) };
            let count =
                if op.has_attribute("nvvm.kernel") { unsafe { mlirLLVMFunctionTypeGetNumInputs(r#type) } } else { 0 };
            (0..count).try_for_each(|i| {
                // Wider ones are arrays of bytes.
                check_variable(unsafe { mlirLLVMFunctionTypeGetInput(r#type, i) }, 1 << 23)
                    .with_context(|| format!("argument #{i}"))
            })
        })
    });
    checked.fold(Ok(()), Result::and)
}

fn check_variable(raw: MlirType, widest: u32) -> Result<()> {
    let r#type = unsafe { Type::from_raw(raw) };
    let is_good = if unsafe { mlirTypeIsAInteger(raw) } {
        let width = unsafe { mlirIntegerTypeGetWidth(raw) };
        width == 1 || (8..=widest).contains(&width) && width.is_power_of_two()
    } else if unsafe { mlirTypeIsAVector(raw) } {
        // No more lanes than a kernel's arguments have bytes, which LLVM takes apart one by one.
        let lanes = (0..unsafe { mlirShapedTypeGetRank(raw) })
            .map(|axis| unsafe { mlirShapedTypeGetDimSize(raw, axis as isize) })
            .fold(1i64, i64::saturating_mul);
        !unsafe { mlirVectorTypeIsScalable(raw) } && lanes <= 32_764
    } else {
        let text = r#type.to_string();
        !text.starts_with("!llvm.target") && !["f80", "!llvm.ppc_fp128", "!llvm.x86_amx"].contains(&text.as_str())
    };
    ensure!(is_good, "{} is no type of PTX; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64", r#type);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        // Each was assembled by ptxas 13.5 as the name of an entry.
        for good in ["k", "my_kernel", "a$b", "_a", "$a", "__", "add", "mov", "reg", "tid", "e1", "_Z3foov"] {
            check_identifier(good, "kernel", good).unwrap();
        }
        for bad in
            ["", "_", "$", "1k", "my.kernel-1", "a b", "k\u{e9}", "a\0b", "%tid", "%x", "a%b", "a\"b", ".k", "WARP_SZ"]
        {
            check_identifier(bad, "kernel", bad).unwrap_err();
        }
    }

    #[test]
    fn local_symbols_are_renamed() {
        for good in ["a.b", ".str", "k\u{e9}", "a b", "<x>"] {
            check_identifier(&renamed(good), "global", good).unwrap();
        }
        for bad in ["1k", "_", "", "WARP_SZ"] {
            check_identifier(&renamed(bad), "global", bad).unwrap_err();
        }
    }
}

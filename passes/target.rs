//! `tile-attach-target`: the chip, the PTX version and the optimization level of each `gpu.module`.
//!
//! - What the options say, else the `#nvvm.target` that is there, else sm_90 with its own PTX version, level 2.
//! - A version nobody asked for is raised to what the instructions need; one asked for that is too old is an error.
//! - All is checked here, before LLVM, which warns on standard error, ignores, or ends the process.

use crate::nvptx::{KNOWN, TRIPLE, least_version};
use crate::{Reported, Severity, at_op, diagnose, error, gpu_modules, ir, quoted, reference};
use anyhow::{Context, Result, bail, ensure};
use melior::ir::Attribute;
use melior::ir::attribute::AttributeLike;
use melior::ir::operation::{OperationLike, OperationRef};
use mlir_sys::*;
use ptx_tile_dialect::instruction::Needs;
use ptx_tile_dialect::instruction::sm_of;
use ptx_tile_dialect::opcode::enumerated;
use ptx_tile_dialect::verify::{lacking, needs_of};

/// The chip where nobody names one.
const DEFAULT_CHIP: &str = "sm_90";

/// What an `#nvvm.target` says where nobody names one; it does not say whether somebody did.
const UNNAMED_CHIP: &str = "sm_50";

/// The level where nobody names one. An `#nvvm.target` has it too, and does not say whether somebody did.
const DEFAULT_LEVEL: u32 = 2;

/// What a `gpu.module` is compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// One that LLVM knows: `sm_90`.
    pub chip: String,
    /// The PTX version, not below the chip's least: 83 is PTX 8.3.
    pub version: u32,
    /// LLVM's optimization level: 1 to 3.
    pub level: u32,
}

/// What is asked for, by options or by an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Asked {
    chip: Option<String>,
    version: Option<u32>,
    level: Option<u32>,
}

/// Sets the target of each `gpu.module` in `module`; empty text asks for nothing.
pub fn attach(module: OperationRef, chip: &str, ptx: &str, level: &str) -> Result<(), Reported> {
    let asked = Asked::parse(chip, ptx, level).map_err(|why| error(module.location(), &format!("{why:#}")))?;
    let attached = gpu_modules(module).into_iter().map(|gpu_module| {
        let (target, like) = decide(gpu_module, &asked)?;
        if asked.chip.is_none() && target.chip == UNNAMED_CHIP {
            let text = format!(
                "compiled for {UNNAMED_CHIP}, which is what an #nvvm.target says that names no chip; name one, as \
                 chip = \"{DEFAULT_CHIP}\", or give the option chip"
            );
            diagnose(gpu_module.location(), Severity::Warning, &text);
        }
        unsafe {
            let context = mlirOperationGetContext(gpu_module.to_raw());
            let list = mlirArrayAttrGet(context, 1, &make(context, &target, like));
            mlirOperationSetAttributeByName(gpu_module.to_raw(), reference("targets"), list);
        }
        Ok(())
    });
    // All of them, so that each says what is wrong with it.
    attached.fold(Ok(()), Result::and)
}

/// Refuses options that no target can follow.
pub fn check_options(chip: &str, ptx: &str, level: &str) -> Result<()> {
    Asked::parse(chip, ptx, level).map(drop)
}

/// The target of a `gpu.module`.
pub fn of(gpu_module: OperationRef) -> Result<Target, Reported> {
    decide(gpu_module, &Asked::default()).map(|(target, _)| target)
}

/// The target of a `gpu.module`, and the attribute that says so, which it need not have.
pub(crate) fn with_attribute(gpu_module: OperationRef) -> Result<(Target, MlirAttribute), Reported> {
    let (target, like) = decide(gpu_module, &Asked::default())?;
    let context = unsafe { mlirOperationGetContext(gpu_module.to_raw()) };
    let attribute = if like.ptr.is_null() { make(context, &target, like) } else { like };
    Ok((target, attribute))
}

/// The target, and the attribute that it is made from, null without one.
fn decide(gpu_module: OperationRef, options: &Asked) -> Result<(Target, MlirAttribute), Reported> {
    let (like, given) = at_op(gpu_module, || read(gpu_module, options))?;
    warn_of_contradictions(gpu_module, options, &given);
    let asked = options.clone().or(given);
    let target = at_op(gpu_module, || {
        let chip = asked.chip.unwrap_or(DEFAULT_CHIP.into());
        check_chip(&chip)?;
        let least = least_version(&chip);
        let version = asked.version.unwrap_or(least);
        ensure!(
            version >= least,
            "{chip} needs PTX {}; PTX {} is asked for by {}",
            dotted(least),
            dotted(version),
            if options.version.is_some() { "the option" } else { "the gpu.module's target" }
        );
        Ok(Target { chip, version, level: asked.level.unwrap_or(DEFAULT_LEVEL) })
    })?;
    Ok((satisfy(gpu_module, target, asked.version.is_some())?, like))
}

/// Raises the version to what the instructions need, or says which one needs more than was asked for.
fn satisfy(gpu_module: OperationRef, mut target: Target, is_fixed: bool) -> Result<Target, Reported> {
    for op in ir::ops(gpu_module) {
        let Some(needs) = needs_of(op) else { continue };
        let (chip, has) = (&target.chip, target.version);
        at_op(op, || {
            let raised = KNOWN.versions.iter().copied().find(|known| *known >= needs.ptx);
            let version = raised.filter(|version| needs.has(chip) && (*version <= has || !is_fixed));
            let version = version.with_context(|| {
                let is_there = |part: &Needs| part.has(chip) && (part.ptx <= has || !is_fixed);
                let (opcode, parts) = lacking(op, is_there).unwrap_or_default();
                let for_ = if parts.is_empty() {
                    String::new()
                } else {
                    format!(", for {}", enumerated(parts.into_iter(), "and"))
                };
                format!("{opcode} needs {needs}; the target is {chip} and PTX {}{for_}", dotted(has))
            })?;
            target.version = has.max(version);
            Ok(())
        })?;
    }
    Ok(target)
}

fn warn_of_contradictions(gpu_module: OperationRef, options: &Asked, given: &Asked) {
    let warn = |what, option: &str, given: &str| {
        let text = format!("the option's {what} {option} is used; the gpu.module's target says {given}");
        diagnose(gpu_module.location(), Severity::Warning, &text);
    };
    match (&options.chip, &given.chip) {
        (Some(option), Some(given)) if option != given && given != UNNAMED_CHIP => warn("chip", option, given),
        _ => {}
    }
    match (options.version, given.version) {
        (Some(option), Some(given)) if option != given => warn("PTX version", &dotted(option), &dotted(given)),
        _ => {}
    }
    match (options.level, given.level) {
        (Some(option), Some(given)) if option != given && given != DEFAULT_LEVEL => {
            warn("optimization level", &option.to_string(), &given.to_string())
        }
        _ => {}
    }
}

//===------------------------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------------------------===//

impl Asked {
    fn parse(chip: &str, ptx: &str, level: &str) -> Result<Asked> {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_string());
        let asked = Asked {
            chip: some(chip),
            version: some(ptx).map(|text| parse_version(&text)).transpose()?,
            level: some(level).map(|text| parse_level(&text)).transpose()?,
        };
        asked.chip.iter().try_for_each(|chip| check_chip(chip))?;
        Ok(asked)
    }

    fn or(self, other: Asked) -> Asked {
        Asked {
            chip: self.chip.or(other.chip),
            version: self.version.or(other.version),
            level: self.level.or(other.level),
        }
    }
}

/// Refuses a chip that LLVM does not know, and names those whose number is near.
fn check_chip(chip: &str) -> Result<()> {
    if KNOWN.chips.iter().any(|known| known == chip) {
        return Ok(());
    }
    let mut near: Vec<&str> = KNOWN.chips.iter().map(String::as_str).collect();
    near.sort_by_key(|known| sm_of(known).abs_diff(sm_of(chip)));
    near.truncate(4);
    bail!("unknown chip {}; near it LLVM 22 knows {}", quoted(chip), near.join(", "))
}

/// `8.3`, or `83` as LLVM writes it.
fn parse_version(text: &str) -> Result<u32> {
    let digits = match text.as_bytes() {
        [major, b'.', minor] | [major, minor] => [*major, *minor],
        _ => [b'?'; 2],
    };
    let digits = std::str::from_utf8(&digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let version = digits.and_then(|digits| digits.parse().ok());
    let version = version.with_context(|| format!("PTX version {} is malformed; write it as 8.3", quoted(text)))?;
    if !KNOWN.versions.contains(&version) {
        let names: Vec<String> = KNOWN.versions.iter().map(|known| dotted(*known)).collect();
        bail!("PTX {} is unknown to LLVM 22, which knows {}", dotted(version), names.join(", "));
    }
    Ok(version)
}

fn parse_level(text: &str) -> Result<u32> {
    match text {
        "1" | "2" | "3" => Ok(text.parse()?),
        "0" => bail!("O=0 is refused: LLVM then doubles the moves and keeps registers in memory; the least is O=1"),
        _ => bail!("optimization level {} is none of 1, 2 and 3", quoted(text)),
    }
}

/// `8.3` of 83.
pub fn dotted(version: u32) -> String {
    format!("{}.{}", version / 10, version % 10)
}

//===------------------------------------------------------------------------------------------------------------===//
// #nvvm.target
//===------------------------------------------------------------------------------------------------------------===//

/// An `#nvvm.target` taken apart.
#[repr(C)]
struct Parts {
    level: i32,
    triple: MlirStringRef,
    chip: MlirStringRef,
    features: MlirStringRef,
    links_files: bool,
}

unsafe extern "C" {
    fn ptxTileTargetGet(attribute: MlirAttribute, parts: *mut Parts) -> bool;
    fn ptxTileTargetMake(
        context: MlirContext,
        level: i32,
        chip: MlirStringRef,
        features: MlirStringRef,
        like: MlirAttribute,
    ) -> MlirAttribute;
}

/// What the `#nvvm.target` of a `gpu.module` asks for, and the attribute, null without one.
fn read(gpu_module: OperationRef, options: &Asked) -> Result<(MlirAttribute, Asked)> {
    let null = MlirAttribute { ptr: std::ptr::null_mut() };
    let Ok(list) = gpu_module.attribute("targets") else { return Ok((null, Asked::default())) };
    let count = unsafe { mlirArrayAttrGetNumElements(list.to_raw()) };
    let mut given = (0..count)
        .map(|i| unsafe { mlirArrayAttrGetElement(list.to_raw(), i) })
        .map(|target| Ok((target, read_target(target, options)?)))
        .collect::<Result<Vec<_>>>()?;
    if given.len() > 1 {
        let chips: Vec<String> = given.iter().filter_map(|(_, asked)| asked.chip.clone()).collect();
        given.retain(|(_, asked)| asked.chip == options.chip);
        let chips = chips.join(", ");
        ensure!(
            given.len() == 1,
            "has {count} targets ({chips}); the option chip chooses one of them{}",
            options.chip.iter().map(|chip| format!(", and {chip} is not one alone")).collect::<String>()
        );
    }
    Ok(given.pop().unwrap_or((null, Asked::default())))
}

fn read_target(attribute: MlirAttribute, options: &Asked) -> Result<Asked> {
    let text = unsafe { Attribute::from_raw(attribute) };
    let mut parts = std::mem::MaybeUninit::<Parts>::uninit();
    let is_nvvm = unsafe { ptxTileTargetGet(attribute, parts.as_mut_ptr()) };
    ensure!(is_nvvm, "target {text} is no #nvvm.target; there is PTX for these only");
    let parts = unsafe { parts.assume_init() };
    let (triple, chip, features) =
        unsafe { (crate::text(parts.triple), crate::text(parts.chip), crate::text(parts.features)) };
    let wanted = TRIPLE.to_str().expect("the triple is ASCII");
    ensure!(triple == wanted, "target has the triple {}; PTX is for {wanted}", quoted(&triple));
    ensure!(!parts.links_files, "target links files, which this emitter does not; take link out of {text}");
    // An option overrides a level that is refused, too.
    if options.level.is_none() {
        parse_level(&parts.level.to_string())?;
    }
    let level = Some(parts.level.try_into()?);
    Ok(Asked { chip: Some(chip.into()), version: parse_features(&features)?, level })
}

/// The PTX version of `+ptx83`, the only kind of feature that says more than the chip.
fn parse_features(text: &str) -> Result<Option<u32>> {
    let mut version = None;
    for feature in text.split(',').filter(|feature| !feature.is_empty()) {
        let digits = feature.strip_prefix("+ptx");
        let digits =
            digits.with_context(|| format!("feature {} of the target is not of the form +ptx83", quoted(feature)))?;
        ensure!(version.is_none(), "features {} of the target name two PTX versions", quoted(text));
        version = Some(parse_version(digits).with_context(|| format!("feature {} of the target", quoted(feature)))?);
    }
    Ok(version)
}

/// The attribute that says `target`; flags and checks are those of `like`, where that is not null.
fn make(context: MlirContext, target: &Target, like: MlirAttribute) -> MlirAttribute {
    let features = format!("+ptx{}", target.version);
    unsafe { ptxTileTargetMake(context, target.level as i32, reference(&target.chip), reference(&features), like) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(parse_version("8.3").unwrap(), 83);
        assert_eq!(parse_version("83").unwrap(), 83);
        for malformed in ["", "8", "8.", "8.30", "830", "a.b", "8,3", "+8.3", "é3", "-8.3", " 83"] {
            let why = parse_version(malformed).unwrap_err().to_string();
            assert!(why.contains("is malformed"), "{malformed}: {why}");
        }
        let why = parse_version("9.9").unwrap_err().to_string();
        assert!(why.starts_with("PTX 9.9 is unknown to LLVM 22, which knows 3.2, 4.0,"), "{why}");
    }

    #[test]
    fn chips_are_those_of_llvm() {
        check_chip("sm_90a").unwrap();
        let why = check_chip("sm_91").unwrap_err().to_string();
        assert_eq!(why, "unknown chip \"sm_91\"; near it LLVM 22 knows sm_90, sm_90a, sm_89, sm_88");
        for unknown in ["", "90", "SM_90", "sm_90\0", "sm_999999999999", "compute_90"] {
            check_chip(unknown).unwrap_err();
        }
    }

    #[test]
    fn a_chip_has_its_own_least_version() {
        for (chip, version) in [("sm_75", 63), ("sm_90", 78), ("sm_90a", 80), ("sm_100", 86), ("sm_120", 87)] {
            assert_eq!(least_version(chip), version, "{chip}");
        }
    }

    #[test]
    fn features() {
        assert_eq!(parse_features("").unwrap(), None);
        assert_eq!(parse_features("+ptx83").unwrap(), Some(83));
        for refused in ["+ptx83,+ptx84", "+sm_90", "-ptx83", "ptx83", "+ptx99", "+ptx", "+fast"] {
            parse_features(refused).unwrap_err();
        }
    }
}

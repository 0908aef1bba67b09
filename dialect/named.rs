//! What a `ptx` op names instead of taking it as a value: special registers, and symbols whose address is read.
//!
//! - A special register is read by the types that its record lists, a vector by component or whole.
//! - The address of a symbol has the types that the record of its kind lists; a variable is offset by 0 to 2^31 - 1
//!   bytes.
//! - LLVM checks neither, and ptxas 13.5 not all of it: a global address plus an offset it takes in 32 bits.

use crate::instruction::{Instruction, Named, Needs, PtxType, SPECIAL_REGISTERS, SYMBOL_KINDS, Variant};
use crate::legality::Space;
use crate::opcode::{self, alternatives, shortened};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fmt;

/// A special register.
#[derive(Debug)]
pub struct SpecialRegister {
    /// Its name without `%`.
    pub name: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// What it holds.
    pub summary: &'static str,
    /// By which it is read; the first has its own width.
    pub types: &'static [&'static PtxType],
    /// It has the components x, y, z and w.
    pub vector: bool,
    /// Two reads of it may differ within a thread.
    pub varies: bool,
    /// The least target.
    pub needs: Needs,
}

/// The components of a vector.
pub const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// A special register as an op names it.
#[derive(Clone, Copy, Debug)]
pub struct SpecialSource {
    /// The register.
    pub register: &'static SpecialRegister,
    /// One component, or all of it.
    pub component: Option<&'static str>,
}

impl PartialEq for SpecialSource {
    fn eq(&self, other: &SpecialSource) -> bool {
        std::ptr::eq(self.register, other.register) && self.component == other.component
    }
}

/// As PTX writes it, without `%`.
impl fmt::Display for SpecialSource {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.register.name)?;
        self.component.iter().try_for_each(|component| write!(out, ".{component}"))
    }
}

impl SpecialRegister {
    /// What an op may name: itself, or itself and its components.
    pub fn sources(&'static self) -> impl Iterator<Item = SpecialSource> {
        let components = COMPONENTS.into_iter().filter(|_| self.vector).map(Some);
        std::iter::once(None).chain(components).map(move |component| SpecialSource { register: self, component })
    }

    fn is_read_by(&self, r#type: &PtxType) -> bool {
        self.types.iter().any(|its| its.token == r#type.token)
    }
}

/// The special register of this name.
pub fn special(text: &str) -> Result<SpecialSource> {
    if let Some(bare) = text.strip_prefix('%') {
        bail!("special register \"{}\" is written without '%': \"{}\"", shortened(text), shortened(bare));
    }
    let (name, component) = text.split_once('.').map_or((text, None), |(name, component)| (name, Some(component)));
    let register = SPECIAL_REGISTERS.iter().find(|register| register.name == name).ok_or_else(|| {
        let near = opcode::near(name, SPECIAL_REGISTERS.iter().map(|register| register.name), 4);
        anyhow!("unknown special register \"{}\"; near it are {}", shortened(text), near.join(", "))
    })?;
    let Some(component) = component else { return Ok(SpecialSource { register, component: None }) };
    ensure!(register.vector, "special register {name} has no components; write \"{name}\"");
    let known = COMPONENTS.into_iter().find(|known| *known == component).with_context(|| {
        format!("special register {name} has no component '{}'; it has x, y, z and w", shortened(component))
    })?;
    Ok(SpecialSource { register, component: Some(known) })
}

/// Whether an opcode of this type reads the register: the words where it does not.
pub fn read_by(record: &Instruction, r#type: &PtxType, source: &SpecialSource) -> Result<()> {
    let register = source.register;
    if register.is_read_by(r#type) {
        return Ok(());
    }
    let (own, mnemonic) = (register.types[0], record.mnemonic);
    ensure!(
        r#type.width == own.width,
        "special register {source} is {} bit{} wide, {mnemonic}.{} reads {}; use {mnemonic}.{}",
        own.width,
        if own.width == 1 { "" } else { "s" },
        r#type.token,
        r#type.width,
        own.token
    );
    let types = register.types.iter().filter(|its| its.width == own.width);
    bail!(
        "special register {source} is read by {}, not by {mnemonic}.{}",
        alternatives(types.map(|its| format!("{mnemonic}.{}", its.token))),
        r#type.token
    )
}

/// The special register against the form that reads it.
pub fn special_fits(variant: &Variant, source: &SpecialSource) -> Result<()> {
    let record = variant.instruction;
    let operand = variant.form.operands.iter().find(|operand| operand.named == Some(Named::SpecialRegister));
    let operand = operand.expect("the form reads a special register");
    let is_whole = source.register.vector && source.component.is_none();
    let name = source.register.name;
    if operand.registers > 1 {
        ensure!(
            is_whole,
            "{variant} reads a special register that is a vector as a whole, {source} is one register; use {}.{}",
            record.mnemonic,
            source.register.types[0].token
        );
    } else if is_whole {
        let whole = record.variants().find(|other| {
            let reads = |it: &&crate::instruction::Operand| it.named.is_some() && it.registers > 1;
            let same = other.opcode_type().map(|its| its.token) == variant.opcode_type().map(|its| its.token);
            same && other.form.operands.iter().any(|it| reads(&it))
        });
        let whole = whole.map_or(String::new(), |whole| format!(", or all by {whole}"));
        bail!("special register {name} has four components; read one, such as \"{name}.x\"{whole}");
    }
    read_by(record, variant.type_of(operand), source)
}

//===------------------------------------------------------------------------------------------------------------===//
// Symbols
//===------------------------------------------------------------------------------------------------------------===//

/// A kind of symbol whose address is taken.
#[derive(Debug)]
pub struct SymbolKind {
    /// What it is: `variable in global memory`.
    pub summary: &'static str,
    /// The types of its address.
    pub types: &'static [&'static PtxType],
    /// The state space of a variable, by its number in NVPTX; functions have none.
    pub space: Option<u32>,
    /// Of functions: it is the entry of a kernel.
    pub kernel: bool,
    /// The least target.
    pub needs: Needs,
}

/// What a symbol turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// A variable there.
    Variable(Space),
    /// A function, of which a kernel is one.
    Function {
        /// It is an entry.
        kernel: bool,
    },
    /// Something else: the name of its op.
    Other(String),
}

/// Decides the address of a symbol.
pub fn symbol(
    variant: &Variant,
    name: &str,
    definition: Option<&Definition>,
    offset: Option<i64>,
) -> Result<&'static SymbolKind> {
    let name = format!("symbol @{}", shortened(name));
    let Some(definition) = definition else { bail!("{name} is no variable or function of the gpu.module") };
    let (space, is_kernel) = match definition {
        // A variable without a memory space is in global memory.
        Definition::Variable(Space::Memory(0 | 1)) => (Some(1), false),
        Definition::Variable(Space::Memory(number)) => (Some(*number), false),
        Definition::Variable(space) => bail!("{name} is in {space}, which have no address"),
        Definition::Function { kernel } => (None, *kernel),
        Definition::Other(op) => bail!("{name} is a '{}'; variables and functions have an address", shortened(op)),
    };
    let kind = SYMBOL_KINDS.iter().find(|kind| kind.space == space && kind.kernel == is_kernel);
    let kind = kind.with_context(|| {
        let known = SYMBOL_KINDS.iter().map(|kind| kind.summary.to_string());
        format!("{name} is in memory space {}; wanted is a {}", space.unwrap_or_default(), alternatives(known))
    })?;
    let opcode = variant.opcode_type().expect("the form reads an address of the opcode's type");
    ensure!(
        kind.types.iter().any(|its| its.token == opcode.token),
        "{name} is a {}, whose address {}.{} does not take; use {}",
        kind.summary,
        variant.instruction.mnemonic,
        opcode.token,
        alternatives(kind.types.iter().map(|its| format!("{}.{}", variant.instruction.mnemonic, its.token)))
    );
    ensure!(
        kind.space.is_some() || offset.is_none_or(|offset| offset == 0),
        "{name} is a {}, to whose address PTX adds no constant; take out the offset",
        kind.summary
    );
    Ok(kind)
}

#[cfg(test)]
#[path = "named_tests.rs"]
mod tests;

//! Memory operands, as `tile-check` looks at them: where the words of each instruction lie, and how they are aligned.
//!
//! - The words of an instruction are aligned to all of them together (R112): the alignment of the base is what
//!   `memref.assume_alignment`, `llvm.align`, an allocation or a global states, else the width of an element
//!   (alignment.rs); where begins are no constants, what they are known to be multiples of counts.

use crate::alignment::{self, Alignment};
use crate::begins::{is_at_period, leaves_source};
use crate::congruence::Congruence;
use crate::ir::definition;
use crate::provenance::memory_root;
use crate::ranges::Ranges;
use crate::shift::Shift;
use anyhow::{Result, bail, ensure};
use melior::ir::operation::OperationRef;
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::instruction::{Operand, Variant};
use ptx_tile_dialect::layout::M;
use ptx_tile_dialect::legality::{GLOBAL, Space, Tile, repeat_name, space_name};
use ptx_tile_dialect::verify::{op_name, read_apply};

/// The memory operands of a `tile.apply`.
pub fn memory_words<'c>(op: OperationRef<'c, 'c>, ranges: &Ranges) -> Result<()> {
    let (operands, tiles, application) = read_apply(op)?;
    let form = application.variant.form.operands;
    for (i, ((value, tile), operand)) in operands.words.iter().zip(&tiles).zip(form).enumerate() {
        if let (Some(tile), true) = (tile, operand.address) {
            let value = unsafe { Value::from_raw(value.to_raw()) };
            if leaves_source(value, ranges) {
                continue; // an error already
            }
            let memory = Memory { variant: &application.variant, operand, tile, value, ranges };
            memory.check().map_err(|why| why.context(format!("operand #{i} ({})", operand.name)))?;
        }
    }
    Ok(())
}

struct Memory<'a, 'c> {
    variant: &'a Variant,
    operand: &'static Operand,
    tile: &'a Tile,
    value: Value<'c, 'c>,
    ranges: &'a Ranges,
}

impl Memory<'_, '_> {
    fn check(&self) -> Result<()> {
        self.place_of_memory()?;
        self.whole_in_swizzle()?;
        let end = self.tile.layout.span(M).checked_mul(self.bytes()).unwrap_or(i64::MAX);
        ensure!(
            end <= i64::from(i32::MAX),
            "ends {end} bytes from its address, beyond the 32 bits of an offset (ISA 6.4.1); take a memref.subview nearer to it"
        );
        self.aligned()
    }

    /// Of an element.
    fn bytes(&self) -> i64 {
        i64::from(self.tile.element.width() / 8)
    }

    /// Memory is where its type says.
    fn place_of_memory(&self) -> Result<()> {
        if self.tile.space == Space::Register {
            return Ok(());
        }
        match definition(memory_root(self.value)).map(op_name) {
            Some("memref.alloca") => bail!(
                "comes from memref.alloca, which is on the stack of a thread; {} wants {} memory: take a memref.global or an \
                 argument",
                self.variant,
                space_name(self.variant.address_space().unwrap_or(GLOBAL))
            ),
            Some("memref.memory_space_cast") => bail!(
                "comes from memref.memory_space_cast, behind which its memory is not known; {} wants {} memory: use what was \
                 cast",
                self.variant,
                space_name(self.variant.address_space().unwrap_or(GLOBAL))
            ),
            Some("memref.alloc") if self.variant.address_space() != Some(GLOBAL) => bail!(
                "comes from memref.alloc, which is never in {}; take a memref.global, a workgroup argument of the gpu.func or \
                 gpu.dynamic_shared_memory",
                self.tile.space
            ),
            _ => Ok(()),
        }
    }

    /// Wherever a tile begins, a swizzle keeps runs of elements together; the words of an instruction lie in one.
    fn whole_in_swizzle(&self) -> Result<()> {
        let (layout, words) = (&self.tile.layout, i64::from(self.operand.registers));
        let Some(swizzle) = layout.swizzle().filter(|_| words > 1) else { return Ok(()) };
        if is_at_period(self.value, self.ranges)? {
            return Ok(());
        }
        let run = 1 << swizzle.per_element;
        let width = i64::from(self.tile.element.width());
        let begins = layout.clone().without_swizzle();
        let mut firsts = begins.slots().step_by(words as usize);
        ensure!(
            run % words == 0
                && firsts.all(|first| first % words == 0)
                && Shift::of(self.value)?.is_multiple_of(self.ranges, words * width),
            "the {words} elements of an instruction are not known to lie in one run of the {run} that the swizzle keeps together; \
             begin at multiples of {words} elements, and give the swizzle a per_element for as many (R112)"
        );
        Ok(())
    }

    /// R112.
    fn aligned(&self) -> Result<()> {
        let quick = self.aligned_by(&alignment::of(self.value, self.ranges, false)?);
        quick.or_else(|_| self.aligned_by(&alignment::of(self.value, self.ranges, true)?))
    }

    fn aligned_by(&self, known: &[Alignment]) -> Result<()> {
        let Memory { variant, operand, .. } = self;
        let wanted = self.bytes() * i64::from(operand.registers);
        let mut misplaced = None;
        for its in known.iter().filter(|its| its.bytes % wanted == 0) {
            let Some((repeat, begin)) = self.first_misplaced(its, wanted) else { return Ok(()) };
            misplaced = misplaced.or(Some((repeat_name(repeat, &self.tile.shape), begin, its)));
        }
        if let Some((repeat, begin, its)) = misplaced {
            bail!(
                "{repeat} begins {begin} from an address aligned to {} ({}), {variant} needs a multiple of {wanted} \
                 bytes (R112)",
                its.bytes,
                its.source
            );
        }
        let best = known.iter().max_by_key(|its| its.bytes).expect("the width of an element is always known");
        bail!(
            "{variant} needs an address aligned to {wanted} bytes, the memory is known to be aligned to {} ({}); state more by \
             memref.assume_alignment, llvm.align on the argument, or the alignment of the allocation (R112)",
            best.bytes,
            best.source
        );
    }

    /// The first repeat that is not known to lie at a multiple of `wanted` bytes, and where it lies.
    fn first_misplaced(&self, its: &Alignment, wanted: i64) -> Option<(usize, String)> {
        let firsts = self.tile.layout.slots().step_by(self.operand.registers as usize);
        firsts.enumerate().find_map(|(repeat, place)| {
            let here = its.origin.plus(Congruence::constant(place * self.bytes()));
            let text = match here {
                Congruence { modulus: 0, residue } => format!("{residue} bytes"),
                Congruence { modulus, residue: 0 } => format!("a multiple of {modulus} bytes"),
                Congruence { modulus, residue } => format!("a multiple of {modulus} and {residue} bytes"),
            };
            (!here.is_multiple_of(wanted)).then_some((repeat, text))
        })
    }
}

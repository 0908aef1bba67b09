//! Memory of every kind as allocations of bytes, each bit defined or not.
//!
//! - An address is a number: the state spaces are windows of one 64-bit space, as generic addresses see them, so that
//!   pointers survive whatever a program computes with them. What is not in an allocation is an error to access.
//! - An allocation lies at a multiple of its alignment that is no multiple of twice that, far from its neighbours.
//! - Registers are memory here too, which a program cannot address: a view of them names bytes.

use anyhow::{Context, Result, bail, ensure};
use ptx_tile_dialect::semantics::Word;
use std::collections::BTreeMap;

/// The number of global memory in NVPTX.
pub const GLOBAL: u32 = 1;
/// Of shared memory.
pub const SHARED: u32 = 3;
/// Of local memory; registers are there as well.
pub const LOCAL: u32 = 5;

/// The most bytes of all allocations together.
const MAX_BYTES: u64 = 1 << 30;

/// The bytes between allocations: an address a little beyond one is still told from the next.
const GAP: u64 = 1 << 16;

/// All memory of a launch.
#[derive(Default)]
pub struct Memory {
    allocations: BTreeMap<u64, Allocation>,
    /// Where the next allocation goes, by state space.
    next: BTreeMap<u32, u64>,
    bytes: u64,
}

struct Allocation {
    space: u32,
    /// For messages.
    name: String,
    bytes: Vec<u8>,
    /// The bits of each byte that are defined.
    defined: Vec<u8>,
}

/// An access of some bytes.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Of the first byte.
    pub address: u64,
    /// How many.
    pub bytes: u64,
    /// What the address must be a multiple of.
    pub alignment: u64,
    /// The state space that the memory must be in; 0 for any.
    pub space: u32,
}

impl Span {
    /// A word at an address that is aligned to it, in any state space.
    pub fn of_word(address: u64, width: u32) -> Span {
        let bytes = bytes_of_width(width);
        Span { address, bytes, alignment: bytes, space: 0 }
    }
}

/// The bytes that a word of this many bits takes in memory: as LLVM has it, a power of two.
pub fn bytes_of_width(width: u32) -> u64 {
    u64::from(width).div_ceil(8).next_power_of_two()
}

impl Memory {
    /// Makes an allocation of which nothing is defined. Returns its address.
    pub fn allocate(&mut self, space: u32, bytes: u64, alignment: u64, name: &str) -> Result<u64> {
        self.bytes = self.bytes.saturating_add(bytes);
        ensure!(self.bytes <= MAX_BYTES, "{name} of {bytes} bytes: all memory together is more than {MAX_BYTES}");
        ensure!(alignment.is_power_of_two() && alignment < GAP, "{name} is aligned to {alignment}");
        // Addresses of shared memory have 32 bits too.
        let window = match space {
            SHARED => 1 << 20,
            _ => 1 << (36 + space.min(8)),
        };
        let next = self.next.entry(space).or_insert(window);
        let base = next.next_multiple_of(2 * alignment) + alignment;
        *next = base + bytes + GAP;
        let empty = vec![0; bytes as usize];
        self.allocations.insert(base, Allocation { space, name: name.into(), bytes: empty.clone(), defined: empty });
        Ok(base)
    }

    /// Sets the bytes of an allocation from its start on.
    pub fn fill(&mut self, base: u64, bytes: &[u8], defined: &[u8]) {
        if let Some(allocation) = self.allocations.get_mut(&base) {
            for (i, (byte, defined)) in bytes.iter().zip(defined).enumerate().take(allocation.bytes.len()) {
                (allocation.bytes[i], allocation.defined[i]) = (byte & defined, *defined);
            }
        }
    }

    /// Ends an allocation. Returns its bytes and what of them is defined.
    pub fn take(&mut self, base: u64) -> (Vec<u8>, Vec<u8>) {
        let allocation = self.allocations.remove(&base);
        let (bytes, defined) = allocation.map(|its| (its.bytes, its.defined)).unwrap_or_default();
        self.bytes -= bytes.len() as u64;
        (bytes, defined)
    }

    /// The word of `width` bits at the start of a span.
    pub fn read(&self, span: Span, width: u32) -> Result<Word> {
        let (base, offset) = self.locate(span)?;
        let allocation = &self.allocations[&base];
        let range = offset..offset + bytes_of_width(width).min(span.bytes) as usize;
        let number = |bytes: &[u8]| {
            let mut all = [0; 16];
            all[..bytes.len()].copy_from_slice(bytes);
            u128::from_le_bytes(all)
        };
        Ok(Word::partial(width, number(&allocation.bytes[range.clone()]), number(&allocation.defined[range])))
    }

    /// Writes a word to the start of a span. Bits beyond an odd width become 0, where the word is defined.
    pub fn write(&mut self, span: Span, word: Word) -> Result<()> {
        let (base, offset) = self.locate(span)?;
        let allocation = self.allocations.get_mut(&base).context("it is there")?;
        let count = bytes_of_width(word.width).min(span.bytes) as usize;
        let whole = match word.known() {
            Some(bits) => Word::new(8 * count as u32, bits),
            None => Word::partial(8 * count as u32, word.bits, word.defined),
        };
        allocation.bytes[offset..offset + count].copy_from_slice(&whole.bits.to_le_bytes()[..count]);
        allocation.defined[offset..offset + count].copy_from_slice(&whole.defined.to_le_bytes()[..count]);
        Ok(())
    }

    /// The allocation of a span, and where in it the span begins.
    fn locate(&self, span: Span) -> Result<(u64, usize)> {
        let Span { address, bytes, alignment, space } = span;
        let Some((base, allocation)) = self.allocations.range(..=address).next_back() else {
            bail!("accesses address {address:#x}, where nothing is");
        };
        let (begin, size) = (address - base, allocation.bytes.len() as u64);
        ensure!(begin < size + GAP, "accesses address {address:#x}, where nothing is");
        let end = begin + bytes;
        let name = &allocation.name;
        ensure!(end <= size, "accesses bytes {begin} to {end} of {name}, which has {size}");
        ensure!(
            space == 0 || space == allocation.space,
            "accesses {name}, in state space {}, as state space {space}",
            allocation.space
        );
        ensure!(
            address % alignment == 0,
            "accesses byte {begin} of {name} at address {address:#x}, which is no multiple of {alignment}"
        );
        Ok((*base, begin as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(address: u64, bytes: u64) -> Span {
        Span { address, bytes, alignment: 1, space: 0 }
    }

    #[test]
    fn words_are_little_endian_and_undefined_until_written() {
        let mut memory = Memory::default();
        let base = memory.allocate(GLOBAL, 8, 4, "it").unwrap();
        assert_eq!((base % 4, base % 8), (0, 4));
        assert_eq!(memory.read(span(base, 4), 32).unwrap(), Word::undefined(32));
        memory.write(span(base, 4), Word::new(32, 0x0403_0201)).unwrap();
        assert_eq!(memory.read(span(base + 1, 1), 8).unwrap(), Word::new(8, 2));
        assert_eq!(memory.read(span(base + 2, 4), 32).unwrap(), Word::partial(32, 0x0403, 0xffff));
        memory.write(span(base + 1, 1), Word::undefined(8)).unwrap();
        assert_eq!(memory.take(base), (vec![1, 0, 3, 4, 0, 0, 0, 0], vec![0xff, 0, 0xff, 0xff, 0, 0, 0, 0]));
    }

    #[test]
    fn a_single_bit_has_a_byte_of_its_own() {
        let mut memory = Memory::default();
        let base = memory.allocate(LOCAL, 2, 1, "it").unwrap();
        memory.write(span(base, 1), Word::new(1, 1)).unwrap();
        memory.write(span(base + 1, 1), Word::undefined(1)).unwrap();
        assert_eq!(memory.read(span(base, 1), 1).unwrap(), Word::new(1, 1));
        assert_eq!(memory.read(span(base + 1, 1), 1).unwrap(), Word::undefined(1));
        assert_eq!(memory.take(base), (vec![1, 0], vec![0xff, 0]));
    }

    #[test]
    fn accesses_stay_in_their_allocation_state_space_and_alignment() {
        let mut memory = Memory::default();
        let base = memory.allocate(GLOBAL, 8, 16, "it").unwrap();
        memory.allocate(GLOBAL, 8, 16, "other").unwrap();
        let why = |span: Span| memory.read(span, 32).unwrap_err().to_string();
        assert_eq!(why(span(base + 6, 4)), "accesses bytes 6 to 10 of it, which has 8");
        assert_eq!(why(span(base + 8, 4)), "accesses bytes 8 to 12 of it, which has 8");
        assert!(why(span(base - 1, 4)).ends_with(", where nothing is"));
        assert!(why(span(u64::MAX, 4)).ends_with(", where nothing is"));
        assert_eq!(why(Span { space: SHARED, ..span(base, 4) }), "accesses it, in state space 1, as state space 3");
        let why = why(Span { alignment: 4, ..span(base + 2, 4) });
        assert!(
            why.starts_with("accesses byte 2 of it at address 0x") && why.ends_with("is no multiple of 4"),
            "{why}"
        );
        assert!(memory.allocate(GLOBAL, u64::MAX, 1, "too much").is_err());
    }
}

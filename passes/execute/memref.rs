//! Ops on memory: of memref, of affine and of the LLVM dialect, and the memory that gpu ops ask for.

use super::control::{integer, segment};
use super::memory::{GLOBAL, LOCAL, SHARED, Span, bytes_of_width};
use super::thread::{Core, Key, address};
use super::value::{Datum, Map, View, element_of, known_width, map_of, shape_of, width_of};
use crate::fold::{evaluate_map, numbers_of};
use crate::ir;
use anyhow::{Context, Result, bail, ensure};
use melior::ir::attribute::TypeAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, Type, TypeLike, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::layout::M;
use ptx_tile_dialect::legality::Space;
use ptx_tile_dialect::semantics::Word;
use ptx_tile_dialect::verify::{index_list, inherent, op_name, read_space_of, read_tile};

impl<'c> Core<'_, 'c, '_> {
    /// Executes an op on memory; `None` for any other op.
    pub fn memory_op(&mut self, op: OperationRef<'c, 'c>, name: &str) -> Result<Option<Vec<Datum>>> {
        let one = |datum: Datum| Ok(Some(vec![datum]));
        match name {
            "memref.alloca" => one(self.alloca(op)?.into()),
            "memref.get_global" => one(self.global(op)?.into()),
            "gpu.dynamic_shared_memory" => {
                let bytes = self.machine.launch.dynamic_shared;
                let base = self.shared_memory(0, bytes, 16, "dynamic shared memory")?;
                one(View::row_major(base, 8, vec![bytes as i64]).into())
            }
            "memref.load" | "affine.load" => {
                let view = self.view(op, 0)?;
                let indices = self.indices(op, 1)?;
                one(self.load(&view, &indices)?.into())
            }
            "memref.store" | "affine.store" => {
                let (word, view) = (self.word(op, 0)?, self.view(op, 1)?);
                let indices = self.indices(op, 2)?;
                self.store(&view, &indices, word)?;
                Ok(Some(vec![]))
            }
            "memref.subview" => one(self.subview(op)?.into()),
            "memref.view" => one(self.byte_view(op)?.into()),
            "memref.reinterpret_cast" => one(self.reinterpret_cast(op)?.into()),
            "memref.collapse_shape" | "memref.expand_shape" | "memref.transpose" => one(self.reshape(op)?.into()),
            "memref.cast" | "memref.memory_space_cast" => one(self.operand(op, 0)?),
            "memref.assume_alignment" => {
                let view = self.view(op, 0)?;
                let wanted = integer(op, "alignment").filter(|its| *its > 0).context("states no alignment")? as u64;
                let begins = view.address(&vec![0; view.shape.len()])?;
                ensure!(begins % wanted == 0, "states {wanted}, the memory is at {begins:#x}");
                one(Datum::View(view))
            }
            "memref.extract_aligned_pointer_as_index" => one(Word::new(64, self.view(op, 0)?.base.into()).into()),
            "memref.dim" => {
                let (view, axis) = (self.view(op, 0)?, self.number(op, 1)?);
                let extent = usize::try_from(axis).ok().and_then(|axis| view.shape.get(axis));
                one(Word::new(64, *extent.with_context(|| format!("has no axis {axis}"))? as u128).into())
            }
            "memref.extract_strided_metadata" => self.metadata(op).map(Some),
            "llvm.alloca" => one(self.llvm_alloca(op)?.into()),
            "llvm.getelementptr" => one(self.element_pointer(op)?.into()),
            "llvm.load" => {
                let width = width_of(ir::result_of(op, 0).r#type())?;
                let span = self.llvm_span(op, 0, width)?;
                one(self.machine.memory.read(span, width)?.into())
            }
            "llvm.store" => {
                let word = self.word(op, 0)?;
                let span = self.llvm_span(op, 1, word.width)?;
                self.machine.memory.write(span, word)?;
                Ok(Some(vec![]))
            }
            _ => Ok(None),
        }
    }

    /// Memory of this thread alone.
    pub fn local_memory(&mut self, bytes: u64, alignment: u64, name: &str) -> Result<u64> {
        let base = self.machine.memory.allocate(LOCAL, bytes, alignment, name)?;
        self.thread.own.push(base);
        Ok(base)
    }

    /// The element of a view.
    pub fn load(&self, view: &View, indices: &[i64]) -> Result<Word> {
        self.machine.memory.read(Span::of_word(view.address(indices)?, view.width), view.width)
    }

    /// Sets the element of a view.
    pub fn store(&mut self, view: &View, indices: &[i64], word: Word) -> Result<()> {
        self.machine.memory.write(Span::of_word(view.address(indices)?, view.width), word)
    }

    /// Index operands, through the map of an affine op.
    fn indices(&self, op: OperationRef<'c, 'c>, first: usize) -> Result<Vec<i64>> {
        let given = (first..op.operand_count()).map(|index| self.number(op, index)).collect::<Result<Vec<i64>>>()?;
        match inherent(op, "map") {
            Some(map) => evaluate_map(map, &given).context("its map has no value"),
            None => Ok(given),
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Allocations
    //===--------------------------------------------------------------------------------------------------------===//

    /// `tile.alloc` and `memref.alloca`: memory of this thread for all that the memref spans (R47).
    pub fn alloca(&mut self, op: OperationRef<'c, 'c>) -> Result<View> {
        let r#type = ir::result_of(op, 0).r#type();
        let view = View::of_type(0, r#type)?;
        let (span, least) = match read_tile(r#type) {
            // Registers may be viewed at any width.
            Ok(tile) if tile.space == Space::Register => (tile.layout.span(M), 16),
            Ok(tile) => (tile.layout.span(M), view.bytes()),
            // What no register holds, as index.
            Err(_) => (elements(&view)?, view.bytes()),
        };
        let alignment = integer(op, "alignment").map_or(least, |stated| least.max(stated.max(1) as u64));
        let base = self.local_memory((span as u64).saturating_mul(view.bytes()), alignment, "registers")?;
        Ok(View { base, ..view })
    }

    /// A `memref.get_global`.
    fn global(&mut self, op: OperationRef<'c, 'c>) -> Result<View> {
        let global = self.named(op, "name")?;
        View::of_type(self.variable(global)?, ir::result_of(op, 0).r#type())
    }

    /// The address of the variable that a `ptx` op names.
    pub fn symbol_address(&mut self, op: OperationRef<'c, 'c>) -> Result<u64> {
        let symbol = self.named(op, "symbol")?;
        self.variable(symbol)
    }

    /// A variable: of the block where it is in shared memory, else of the launch. Returns its address.
    fn variable(&mut self, variable: OperationRef<'c, 'c>) -> Result<u64> {
        let key = variable.to_raw().ptr as Key;
        if let Some(base) = self.machine.globals.get(&key) {
            return Ok(*base);
        }
        let Variable { space, count, width, alignment, initial } = Variable::read(variable)?;
        let bytes = count.saturating_mul(bytes_of_width(width));
        let name = format!("@{}", variable.attribute("sym_name")?.to_string().trim_matches('"'));
        if space == SHARED {
            return self.shared_memory(key, bytes, alignment, &name);
        }
        let base = self.machine.memory.allocate(space, bytes, alignment, &name)?;
        self.machine.globals.insert(key, base);
        if let Some(initial) = initial {
            let numbers = numbers_of(initial).context("the initial value is nothing that the executor knows")?;
            ensure!(numbers.len() as u64 == count, "the initial value has {} numbers", numbers.len());
            for (number, place) in numbers.into_iter().zip(0..) {
                let span = Span::of_word(base + place * bytes_of_width(width), width);
                self.machine.memory.write(span, Word::new(width, number.0))?;
            }
        }
        Ok(base)
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Views
    //===--------------------------------------------------------------------------------------------------------===//

    /// The numbers of an index list: those of an attribute, and operands from `first` on where they are dynamic.
    pub fn index_list(&self, op: OperationRef<'c, 'c>, name: &str, first: usize) -> Result<Vec<i64>> {
        let mut dynamic = first..op.operand_count();
        let number = |fixed: Option<i64>| match fixed {
            Some(fixed) => Ok(fixed),
            None => self.number(op, dynamic.next().context("lacks an index")?),
        };
        index_list(op, name).into_iter().map(number).collect()
    }

    fn subview(&mut self, op: OperationRef<'c, 'c>) -> Result<View> {
        let (offsets, sizes) = (segment(op, 1)?, segment(op, 2)?);
        let begins = self.index_list(op, "static_offsets", 1)?;
        let extents = self.index_list(op, "static_sizes", 1 + offsets)?;
        let steps = self.index_list(op, "static_strides", 1 + offsets + sizes)?;
        // Axes of one element may be left out: those that the type of the result does not have in their place.
        let shape = shape_of(ir::result_of(op, 0).r#type());
        let mut kept: Vec<usize> = vec![];
        for (axis, extent) in extents.iter().enumerate() {
            let left = extents.len() - axis;
            match shape.get(kept.len()) {
                Some(wanted) if *wanted == Some(*extent) || wanted.is_none() || shape.len() - kept.len() == left => {
                    kept.push(axis)
                }
                _ => ensure!(*extent == 1, "leaves out axis {axis} of {extent} elements"),
            }
        }
        let source = self.view(op, 0)?;
        let shape = kept.iter().map(|axis| extents[*axis]).collect();
        source.region(begins.into_iter().zip(steps).collect(), shape, kept)
    }

    /// `memref.view`: bytes as elements of a type.
    fn byte_view(&mut self, op: OperationRef<'c, 'c>) -> Result<View> {
        let (source, shift) = (self.view(op, 0)?, self.number(op, 1)?);
        let mut sizes = 2..op.operand_count();
        let r#type = ir::result_of(op, 0).r#type();
        let extents = shape_of(r#type).into_iter().map(|extent| match extent {
            Some(extent) => Ok(extent),
            None => self.number(op, sizes.next().context("lacks a size")?),
        });
        let shape = extents.collect::<Result<Vec<i64>>>()?;
        let first = source.address(&vec![0; source.shape.len()])?;
        Ok(View::row_major(first.wrapping_add_signed(shift), width_of(element_of(r#type))?, shape))
    }

    fn reinterpret_cast(&mut self, op: OperationRef<'c, 'c>) -> Result<View> {
        let (offsets, sizes) = (segment(op, 1)?, segment(op, 2)?);
        let offset = *self.index_list(op, "static_offsets", 1)?.first().context("has no offset")?;
        let shape = self.index_list(op, "static_sizes", 1 + offsets)?;
        let strides = self.index_list(op, "static_strides", 1 + offsets + sizes)?;
        ensure!(shape.len() == strides.len(), "has {} sizes and {} strides", shape.len(), strides.len());
        let source = self.view(op, 0)?;
        Ok(View { base: source.base, width: source.width, shape, map: Map::Strided { offset, strides } })
    }

    /// Another shape over the same elements, where the type of the result says how they lie.
    fn reshape(&mut self, op: OperationRef<'c, 'c>) -> Result<View> {
        let source = self.view(op, 0)?;
        let r#type = ir::result_of(op, 0).r#type();
        let Map::Strided { offset, .. } = source.map else { bail!("reshapes a tile layout") };
        let shape = shape_of(r#type).into_iter().collect::<Option<Vec<i64>>>();
        let shape = shape.with_context(|| format!("type {type} has an extent that is no constant"))?;
        let Map::Strided { strides, .. } = map_of(r#type, Some(offset))? else { bail!("reshapes to a tile layout") };
        Ok(View { base: source.base, width: source.width, shape, map: Map::Strided { offset, strides } })
    }

    /// `memref.extract_strided_metadata`: where the memory begins, the offset, the extents and the strides.
    fn metadata(&mut self, op: OperationRef<'c, 'c>) -> Result<Vec<Datum>> {
        let view = self.view(op, 0)?;
        let Map::Strided { offset, strides } = &view.map else { bail!("asks for the strides of a tile layout") };
        let numbers = [&[*offset], view.shape.as_slice(), strides.as_slice()].concat();
        let numbers = numbers.into_iter().map(|number| Datum::from(Word::new(64, number as u128)));
        Ok(std::iter::once(View::row_major(view.base, view.width, vec![]).into()).chain(numbers).collect())
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // The LLVM dialect
    //===--------------------------------------------------------------------------------------------------------===//

    fn llvm_alloca(&mut self, op: OperationRef<'c, 'c>) -> Result<Word> {
        let (element, count) = (type_attribute(op, "elem_type")?, self.number(op, 0)?);
        let bytes = size_of(element)?.checked_mul(count.try_into()?).context("is too large")?;
        let alignment =
            integer(op, "alignment").filter(|its| *its > 0).map_or(alignment_of(element)?, |its| its as u64);
        Ok(Word::new(64, self.local_memory(bytes, alignment, "an alloca")?.into()))
    }

    fn element_pointer(&mut self, op: OperationRef<'c, 'c>) -> Result<Word> {
        let mut r#type = type_attribute(op, "elem_type")?;
        let fixed = inherent(op, "rawConstantIndices").context("has no indices")?.to_raw();
        let count = unsafe { mlirDenseArrayGetNumElements(fixed) };
        let mut dynamic = 1..op.operand_count();
        let mut place = address(self.word(op, 0)?)?;
        for position in 0..count {
            let index = match unsafe { mlirDenseI32ArrayGetElement(fixed, position) } {
                ir::DYNAMIC => self.number(op, dynamic.next().context("lacks an index")?)?,
                index => index.into(),
            };
            if position > 0 {
                r#type = array(r#type)?.1;
            }
            place = place.wrapping_add_signed(index.wrapping_mul(size_of(r#type)? as i64));
        }
        Ok(Word::new(64, place.into()))
    }

    /// What an LLVM load or store accesses.
    fn llvm_span(&self, op: OperationRef<'c, 'c>, pointer: usize, width: u32) -> Result<Span> {
        let value = ir::operand_of(op, pointer as isize);
        let space = unsafe { mlirLLVMPointerTypeGetAddressSpace(value.r#type().to_raw()) };
        let span = Span::of_word(address(self.word(op, pointer)?)?, width);
        let alignment = integer(op, "alignment").filter(|its| *its > 0).map_or(span.alignment, |its| its as u64);
        Ok(Span { space, alignment, ..span })
    }
}

/// A variable of a module.
struct Variable<'c> {
    space: u32,
    /// Of elements.
    count: u64,
    /// Of an element, in bits.
    width: u32,
    alignment: u64,
    initial: Option<Attribute<'c>>,
}

impl<'c> Variable<'c> {
    fn read(op: OperationRef<'c, 'c>) -> Result<Variable<'c>> {
        let (space, count, width, initial) = match op_name(op) {
            "memref.global" => {
                let r#type = type_attribute(op, "type")?;
                let view = View::of_type(0, r#type)?;
                let space = match read_space_of(r#type) {
                    Ok(Space::Memory(space)) if space != 0 => space,
                    _ => GLOBAL,
                };
                let initial = inherent(op, "initial_value");
                let initial = initial.filter(|its| !unsafe { mlirAttributeIsAUnit(its.to_raw()) });
                (space, elements(&view)? as u64, view.width, initial)
            }
            "llvm.mlir.global" => {
                let r#type = type_attribute(op, "global_type")?;
                let (count, element) = array(r#type).unwrap_or((1, r#type));
                let space = integer(op, "addr_space").filter(|its| *its > 0).map_or(GLOBAL, |its| its as u32);
                (space, count, width_of(element)?, inherent(op, "value"))
            }
            other => bail!("asks for the address of a '{other}', which the executor does not have"),
        };
        let alignment = integer(op, "alignment").map_or(bytes_of_width(width), |its| its.max(1) as u64);
        Ok(Variable { space, count, width, alignment, initial })
    }
}

/// How many elements a view has.
pub fn elements(view: &View) -> Result<i64> {
    view.shape.iter().try_fold(1i64, |all, its| all.checked_mul(*its)).context("is too large")
}

fn type_attribute<'c>(op: OperationRef<'c, 'c>, name: &str) -> Result<Type<'c>> {
    let attribute = inherent(op, name).and_then(|its| TypeAttribute::try_from(its).ok());
    Ok(attribute.with_context(|| format!("has no {name}"))?.value())
}

/// The count and the type of the elements of an `!llvm.array`.
fn array<'c>(r#type: Type<'c>) -> Result<(u64, Type<'c>)> {
    // The C API does not tell the count.
    let text = r#type.to_string();
    let count = text.strip_prefix("!llvm.array<").and_then(|rest| rest.split(' ').next()?.parse().ok());
    let count = count.with_context(|| format!("type {text} is nothing that the executor knows"))?;
    Ok((count, unsafe { Type::from_raw(mlirLLVMArrayTypeGetElementType(r#type.to_raw())) }))
}

/// The bytes of a type in memory.
fn size_of(r#type: Type) -> Result<u64> {
    match known_width(r#type) {
        Some(width) => Ok(bytes_of_width(width)),
        None => array(r#type).and_then(|(count, element)| size_of(element)?.checked_mul(count).context("is too large")),
    }
}

fn alignment_of(r#type: Type) -> Result<u64> {
    match known_width(r#type) {
        Some(width) => Ok(bytes_of_width(width)),
        None => alignment_of(array(r#type)?.1),
    }
}

// The `tile` dialect: one named PTX instruction applied over tiles of registers.
//
// A tile is a memref: registers of a thread where its memory space is private, memory elsewhere. R1, R2, ...
// and D1, ... number the rules of the contract that these semantics follow; what makes an op legal is in legality.rs,
// which every verifier here calls.
#ifndef PTX_TILE_TILE_TD
#define PTX_TILE_TILE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "one named PTX instruction over tiles of registers";
  let description = [{
    `tile.apply` applies a named PTX instruction to tiles; `tile-expand` turns it into one `ptx` op for each repeat.

    There is no tile type. A *register tile* is a memref in `#gpu.address_space<private>` that comes from `tile.alloc`
    (or a static `memref.alloca`) through `tile.view`, `tile.slice` and `memref.subview`. A *memory operand* is a memref
    in global or shared memory. Layouts are MLIR's own or `#tile.layout`.
  }];
  let useDefaultAttributePrinterParser = 1;
}

//===------------------------------------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------------------------------------===//

def Tile_Scope : I32EnumAttr<"Scope", "the threads over which the group axes of an application run (R8, R22)", [
    I32EnumAttrCase<"thread", 0>, I32EnumAttrCase<"warp", 1>, I32EnumAttrCase<"warpgroup", 2>,
    I32EnumAttrCase<"cta", 3>, I32EnumAttrCase<"cluster", 4>]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}
def Tile_ScopeAttr : EnumAttr<Tile_Dialect, Tile_Scope, "scope"> {
  let assemblyFormat = "`<` $value `>`";
}

// The closed set of axis names (R45, D22). `m` is memory, every other axis counts threads.
def Tile_Axis : I32EnumAttr<"Axis", "an axis of the physical space that a layout maps into (R45)", [
    I32EnumAttrCase<"m", 0>, I32EnumAttrCase<"laneid", 1>, I32EnumAttrCase<"warpid", 2>, I32EnumAttrCase<"wgid", 3>,
    I32EnumAttrCase<"wid_in_wg", 4>, I32EnumAttrCase<"tid_in_wg", 5>, I32EnumAttrCase<"tx", 6>,
    I32EnumAttrCase<"cbx", 7>, I32EnumAttrCase<"cby", 8>, I32EnumAttrCase<"cbz", 9>, I32EnumAttrCase<"bx", 10>,
    I32EnumAttrCase<"by", 11>, I32EnumAttrCase<"bz", 12>]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

class Tile_Attr<string name, string attrMnemonic> : AttrDef<Tile_Dialect, name,
    [DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface, ["verifyLayout", "isIdentity", "getStridesAndOffset"]>]> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "which thread and which of its registers, or which place in memory, holds an element";
  let description = [{
    Shard iters, replica iters and an offset for each axis (R40). A flat row-major index is split over the shard extents,
    last iter fastest; each part times its stride is added to its axis (R42). Strides count elements on `m` (R41), and
    `@m` may be left out. The offset of a slice whose begins are no constants is `?`. Any shape whose element count is
    the product of the shard extents is admitted (R43); therefore the layout is no map of the memref's own coordinates,
    `getStridesAndOffset` fails, and only `tile` ops read it.

    It is built in canonical form, so that layouts that put all elements at the same places are one attribute: iters of
    one step are left out, one iter does for two where the outer goes on where the inner ends, offsets of 0 are left out
    but for an axis of threads that nothing else names, copies and offsets are sorted. `[4, 1] : [2, 1]` and
    `[2, 2] : [4, 2]` are `[4] : [2]`; a layout of one element is `[] : []`.

    ```mlir
    #tile.layout<[4] : [2]>
    #tile.layout<[8, 2, 4, 2] : [4@laneid, 1@warpid, 1@laneid, 1], replica = [2 : 4@warpid], offset = [5@warpid]>
    #tile.layout<[2] : [2], offset = [?]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::tile::Iter", "extent, stride and axis of each shard iter">:$shard,
                        OptionalArrayRefParameter<"::tile::Iter", "copies">:$replica,
                        OptionalArrayRefParameter<"::tile::Offset", "at most one an axis">:$offset);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<::tile::Iter>":$shard, "::llvm::ArrayRef<::tile::Iter>":$replica,
                                   "::llvm::ArrayRef<::tile::Offset>":$offset), [{
    auto make = [&](auto shard, auto replica, auto offset) { return $_get($_ctxt, shard, replica, offset); };
    return ::tile::canonical(shard, replica, offset, make);
  }]>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "`<` custom<Iters>($shard) (`,` struct(custom<Replica>($replica), custom<Offsets>($offset))^)? `>`";
}

def Tile_SwizzleAttr : Tile_Attr<"Swizzle", "swizzle"> {
  let summary = "a layout over memory whose `m` coordinate is permuted by an exclusive or (R49)";
  let description = [{
    With x = m div 2^per_element and k = 2^swizzle - 1, `inner` maps x to x xor ((x div 2^atom) and k), `outer` to
    x xor ((x and k) * 2^atom). For memory operands only (R52).

    ```mlir
    #tile.swizzle<<[8, 64] : [64, 1]>, per_element = 3, swizzle = 3, atom = 3, outer>
    ```
  }];
  let parameters = (ins "::tile::LayoutAttr":$layout, "uint32_t":$per_element, "uint32_t":$swizzle, "uint32_t":$atom,
                        "bool":$outer);
  let assemblyFormat = [{
    `<` $layout `,` `per_element` `=` $per_element `,` `swizzle` `=` $swizzle `,` `atom` `=` $atom
    `` custom<Direction>($outer) `` `>`
  }];
}

//===------------------------------------------------------------------------------------------------------------===//
// Operations
//===------------------------------------------------------------------------------------------------------------===//

// Every op is verified by legality.rs.
class Tile_Op<string opMnemonic, list<Trait> traits = []> : Op<Tile_Dialect, opMnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::tile::verifyInRust(getOperation()); }
  }];
}

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc<DefaultResource>]>]> {
  let summary = "registers of each thread";
  let description = [{
    An array of span(m) elements (R47) for each thread, in `#gpu.address_space<private>`, whatever the layout. What was
    never written is undefined.

    ```mlir
    %b = tile.alloc : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>   // seven registers
    ```
  }];
  let results = (outs Res<AnyMemRef, "the tile", [MemAlloc<DefaultResource>]>:$tile);
  let assemblyFormat = "`` custom<Others>(attr-dict) `:` type($tile)";
}

class Tile_AliasOp<string opMnemonic> : Tile_Op<opMnemonic, [Pure, ViewLikeOpInterface]> {
  let results = (outs AnyMemRef:$result);
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def Tile_ViewOp : Tile_AliasOp<"view"> {
  let summary = "the same storage under another shape, layout or element type";
  let description = [{
    Zero-copy (R53): the same bits. Layouts count from the storage, that of a slice's view too: what the source does not
    have, the result may not have either.

    ```mlir
    %v = tile.view %a : memref<4x1xi32, #gpu.address_space<private>> to memref<2x2xi32, #gpu.address_space<private>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source);
  let assemblyFormat = "$source `` custom<Others>(attr-dict) `:` type($source) `to` type($result)";
}

def Tile_SliceOp : Tile_AliasOp<"slice"> {
  let summary = "a region of a tile";
  let description = [{
    Element i of the result is element begin + i of the source (R20, R21). The region lies inside of the source (R36):
    `tile-check` proves it where begins are no constants, from the ranges of loops, launches and arithmetic (R37). The
    offset of such a slice is `?`. `memref.subview` does the same where the type is strided; that the begins of a subview
    of memory lie inside is the program's promise (R39).

    ```mlir
    %s = tile.slice %a[1, 0] [2, 1] : memref<4x1xi32, #gpu.address_space<private>>
           to memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    %r = tile.slice %rows[%i, 0] [1, 4] : memref<64x4xf32, 1> to memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Variadic<Index>:$begins, DenseI64ArrayAttr:$static_begins,
                       DenseI64ArrayAttr:$extents);
  let builders = [OpBuilder<(ins "::mlir::MemRefType":$result, "::mlir::Value":$source, "::llvm::ArrayRef<::mlir::OpFoldResult>":$begins, "::llvm::ArrayRef<int64_t>":$extents), [{
    auto [constants, values] = splitIndices(begins);
    build($_builder, $_state, result, source, values, constants, extents);
  }]>,
  // The type of the result is that of sliceType; where there is no such region, its error is emitted, and the verifier
  // refuses the op.
  OpBuilder<(ins "::mlir::Value":$source, "::llvm::ArrayRef<::mlir::OpFoldResult>":$begins,
                 "::llvm::ArrayRef<int64_t>":$extents), [{
    auto [constants, values] = splitIndices(begins);
    auto type = ::llvm::cast<::mlir::MemRefType>(source.getType());
    ::mlir::MemRefType result = sliceType($_state.location, type, constants, extents);
    build($_builder, $_state, result ? result : type, source, values, constants, extents);
  }]>];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    /// The begins, as attributes where they are constants.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedBegins() {
      return ::mlir::getMixedValues(getStaticBegins(), getBegins(), getContext());
    }
  }];
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($begins, $static_begins) $extents `` custom<Others>(attr-dict) `:` type($source)
    `to` type($result)
  }];
}

def Tile_ReadOp : Tile_Op<"read", [TypesMatchWith<"result is an element of the tile", "tile", "value",
    "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "one element of this thread's registers";
  let description = [{
    A scalar (R33); no instruction. Of a tile over threads it is read through a `tile.view` of this thread's own. An
    index that is a value keeps the registers in local memory; outside of the tile, what it reads is undefined.

    ```mlir
    %e = tile.read %a[1, 0] : memref<4x1xi32, #gpu.address_space<private>>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "the tile", [MemRead]>:$tile, Variadic<Index>:$indices,
                       DenseI64ArrayAttr:$static_indices);
  let results = (outs AnyType:$value);
  let builders = [OpBuilder<(ins "::mlir::Value":$tile, "::llvm::ArrayRef<::mlir::OpFoldResult>":$indices), [{
    auto [constants, values] = splitIndices(indices);
    build($_builder, $_state, ::llvm::cast<::mlir::MemRefType>(tile.getType()).getElementType(), tile, values, constants);
  }]>];
  let extraClassDeclaration = [{
    /// The indices, as attributes where they are constants.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices() {
      return ::mlir::getMixedValues(getStaticIndices(), getIndices(), getContext());
    }
  }];
  let assemblyFormat = [{
    $tile `` custom<DynamicIndexList>($indices, $static_indices) `` custom<Others>(attr-dict) `:` type($tile)
  }];
}

def Tile_WriteOp : Tile_Op<"write", [TypesMatchWith<"value is an element of the tile", "tile", "value",
    "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "sets one element of this thread's registers";
  let description = [{
    The counterpart of `tile.read`; no instruction. An index that is a value must be inside of the tile: nothing checks it
    when the program runs.

    ```mlir
    tile.write %e, %a[1, 0] : memref<4x1xi32, #gpu.address_space<private>>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "the tile", [MemWrite]>:$tile, Variadic<Index>:$indices,
                       DenseI64ArrayAttr:$static_indices);
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$tile, "::llvm::ArrayRef<::mlir::OpFoldResult>":$indices), [{
    auto [constants, values] = splitIndices(indices);
    build($_builder, $_state, value, tile, values, constants);
  }]>];
  let extraClassDeclaration = [{
    /// The indices, as attributes where they are constants.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices() {
      return ::mlir::getMixedValues(getStaticIndices(), getIndices(), getContext());
    }
  }];
  let assemblyFormat = [{
    $value `,` $tile `` custom<DynamicIndexList>($indices, $static_indices) `` custom<Others>(attr-dict) `:` type($tile)
  }];
}

def Tile_WhereOp : Tile_Op<"where", [RecursiveMemoryEffects, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "runs its body on some threads and declares them active";
  let description = [{
    The ranges are half-open, and stand in any order. The body runs only on these threads, and the tile ops in it may rely on that (R30): the
    group axes of an application are over the active threads (R28). CTAs are counted by their rank in the cluster.

    ```mlir
    tile.where lanes(0 to 16) warps(2 to 4) {
    }
    ```
  }];
  let arguments = (ins OptionalAttr<DenseI64ArrayAttr>:$lanes, OptionalAttr<DenseI64ArrayAttr>:$warps,
                       OptionalAttr<DenseI64ArrayAttr>:$warps_in_group, OptionalAttr<DenseI64ArrayAttr>:$warpgroups,
                       OptionalAttr<DenseI64ArrayAttr>:$ctas);
  // Ranges are set on the op: `where.setLanes(llvm::ArrayRef<int64_t>{0, 16})`.
  let builders = [OpBuilder<(ins "::llvm::function_ref<void(::mlir::OpBuilder &, ::mlir::Location)>":$body), [{
    ::mlir::OpBuilder::InsertionGuard guard($_builder);
    $_builder.createBlock($_state.addRegion());
    body($_builder, $_state.location);
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    oilist(`lanes` `` custom<Range>($lanes) | `warps` `` custom<Range>($warps)
           | `warps_in_group` `` custom<Range>($warps_in_group) | `warpgroups` `` custom<Range>($warpgroups)
           | `ctas` `` custom<Range>($ctas)) `` custom<OthersOfRegion>(attr-dict) $body
  }];
}

def Tile_ApplyOp : Tile_Op<"apply", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one named PTX instruction for each repeat";
  let description = [{
    Destination first (R7), then the sources in PTX order: tiles of shape group x repeats x the instruction's own
    registers (R14, R15), or scalars where the position is read and one register (R33), though not in loads and stores (R105).
    One instruction is issued for each repeat, row-major (R80), nothing else (R84).

    `scope` says which threads act (R22): none but this one by default, else the group axes of the tiles are warps and
    lanes. Registers belong to the thread that acts on them (R55); memory is at its coordinates (R60).

    `pred` guards every instruction (R74); where it is false the destination is undefined, or keeps its value with
    `preserve_dst` (R75). `sink` names words that are discarded (R94), where PTX can: ascending, unique, not all. `not`
    before the last word negates it, where PTX can. An opcode with a cache hint, and no other, takes the policy of all
    repeats by `cache_policy` (R111). Clauses may come in any order. Where an op is built by its attributes,
    `operandSegmentSizes` has how many words, predicates and cache policies there are.

    ```mlir
    tile.apply "mov.b32"(%b, %a) pred(not %p) preserve_dst : !dst, !src
    tile.apply "setp.lt.and.s32"(%q, %a, %n, not %p) : !preds, !src, i32, i1
    tile.apply "ld.global.L2::cache_hint.b32"(%a, %memory) cache_policy(%policy) : !src, !memory
    ```
  }];
  let arguments = (ins StrAttr:$opcode, Variadic<AnyType>:$words,
                       DefaultValuedAttr<Tile_ScopeAttr, "::tile::Scope::thread">:$scope, Optional<I1>:$pred,
                       UnitAttr:$negated, UnitAttr:$preserve_dst, OptionalAttr<DenseI64ArrayAttr>:$sink,
                       UnitAttr:$inverted, Optional<I64>:$cache_policy);
  // All clauses are absent, and can be set on the op.
  let builders = [OpBuilder<(ins "::llvm::StringRef":$opcode, "::mlir::ValueRange":$words), [{
    build($_builder, $_state, opcode, words, Scope::thread, /*pred=*/::mlir::Value(), /*negated=*/false,
          /*preserve_dst=*/false, /*sink=*/::mlir::DenseI64ArrayAttr(), /*inverted=*/false,
          /*cache_policy=*/::mlir::Value());
  }]>];
  let assemblyFormat = [{
    custom<Opcode>($opcode) `` `(` custom<Words>($words, $inverted) `)`
    oilist(`scope` `(` custom<ScopeName>($scope) `)`
         | `pred` `(` custom<Predicate>($pred, $negated) `)`
         | `preserve_dst` $preserve_dst
         | `sink` custom<Sink>($sink)
         | `cache_policy` `(` $cache_policy `)`)
    `` custom<Others>(attr-dict) `:` type($words)
  }];
}

#endif // PTX_TILE_TILE_TD

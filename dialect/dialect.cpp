// What C++ alone can do for the dialects: generated classes, interface hooks and registration. Every rule is Rust.
#include "dialect.h"
#include "syntax.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// Defined in verify.rs. What fails there has said why; `why` is given text that outlives the call.
extern "C" {
MlirLogicalResult ptxTileVerifyTileOp(MlirOperation op);
MlirLogicalResult ptxTileVerifyPtxOp(MlirOperation op);
MlirLogicalResult ptxTileVerifySymbol(MlirOperation op, MlirOperation definition);
typedef void (*PtxTileReport)(MlirStringRef why, void *user);
bool ptxTileVerifyLayout(const PtxTileLayout *layout, PtxTileReport report, void *user);
typedef void (*PtxTileTakeLayout)(const PtxTileLayout *layout, void *user);
void ptxTileCanonicalLayout(const PtxTileLayout *layout, PtxTileTakeLayout take, void *user);
bool ptxTileVerifyAdmits(const PtxTileLayout *layout, const int64_t *shape, intptr_t rank, PtxTileReport report,
                         void *user);
typedef struct {
  bool readsMemory, writesMemory, isConvergent, varies, isOrdered;
} PtxTileEffects;
PtxTileEffects ptxTileEffects(MlirOperation op);
typedef struct {
  bool reads, writes;
} PtxTileAccess;
PtxTileAccess ptxTileAccessOf(MlirStringRef opcode, intptr_t words, intptr_t word);
}

namespace tile {
static LogicalResult verifyInRust(Operation *op) { return unwrap(ptxTileVerifyTileOp(wrap(op))); }

static PtxTileLayout parts(ArrayRef<Iter> shard, ArrayRef<Iter> replica, ArrayRef<Offset> offset) {
  return {shard.data(), static_cast<intptr_t>(shard.size()), replica.data(), static_cast<intptr_t>(replica.size()),
          offset.data(), static_cast<intptr_t>(offset.size()), false, {}};
}

static PtxTileLayout parts(LayoutAttr layout) {
  return parts(layout.getShard(), layout.getReplica(), layout.getOffset());
}
static PtxTileLayout parts(LayoutAttr layout, uint32_t perElement, uint32_t swizzle, uint32_t atom, bool outer) {
  PtxTileLayout result = parts(layout);
  result.isSwizzle = true;
  result.swizzle = {perElement, swizzle, atom, outer};
  return result;
}
static PtxTileLayout parts(SwizzleAttr it) {
  return parts(it.getLayout(), it.getPerElement(), it.getSwizzle(), it.getAtom(), it.getOuter());
}

// Makes a layout of the canonical parts; what is no layout is made as it is, for the verifier to refuse.
using MakeLayout = function_ref<LayoutAttr(ArrayRef<Iter>, ArrayRef<Iter>, ArrayRef<Offset>)>;
static LayoutAttr canonical(ArrayRef<Iter> shard, ArrayRef<Iter> replica, ArrayRef<Offset> offset, MakeLayout make) {
  PtxTileLayout written = parts(shard, replica, offset);
  std::pair<MakeLayout, LayoutAttr> user(make, nullptr);
  auto take = [](const PtxTileLayout *its, void *user) {
    auto &[make, made] = *static_cast<std::pair<MakeLayout, LayoutAttr> *>(user);
    made = make(ArrayRef(static_cast<const Iter *>(its->shard), its->numShard),
                ArrayRef(static_cast<const Iter *>(its->replica), its->numReplica),
                ArrayRef(static_cast<const Offset *>(its->offset), its->numOffset));
  };
  ptxTileCanonicalLayout(&written, take, &user);
  return user.second;
}
} // namespace tile
namespace tile {
// As DynamicIndexList has them: constants, and the values where these are dynamic.
static std::pair<SmallVector<int64_t>, SmallVector<Value>> splitIndices(ArrayRef<OpFoldResult> indices) {
  std::pair<SmallVector<int64_t>, SmallVector<Value>> split;
  dispatchIndexOpFoldResults(indices, split.second, split.first);
  return split;
}
} // namespace tile
namespace ptx {
static LogicalResult verifyInRust(Operation *op) { return unwrap(ptxTileVerifyPtxOp(wrap(op))); }

static LogicalResult verifySymbolUses(Operation *op, FlatSymbolRefAttr symbol, SymbolTableCollection &tables) {
  if (!symbol)
    return success();
  return unwrap(ptxTileVerifySymbol(wrap(op), wrap(tables.lookupNearestSymbolFrom(op, symbol))));
}

// A load is done as often as it is written. A read of memory alone does not say so: CSE would merge two, DCE drop one.
struct Loads : SideEffects::Resource::Base<Loads> {
  StringRef getName() final { return "loads"; }
};

static void getEffects(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  PtxTileEffects its = ptxTileEffects(wrap(op));
  if (its.readsMemory || its.isOrdered)
    effects.emplace_back(MemoryEffects::Read::get());
  if (its.readsMemory)
    effects.emplace_back(MemoryEffects::Write::get(), Loads::get());
  if (its.writesMemory || its.isConvergent || its.varies || its.isOrdered)
    effects.emplace_back(MemoryEffects::Write::get());
}
static Speculation::Speculatability getSpeculatability(Operation *op) {
  PtxTileEffects its = ptxTileEffects(wrap(op));
  bool pure = !its.readsMemory && !its.writesMemory && !its.isConvergent && !its.varies;
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
} // namespace ptx

#include "PtxDialect.cpp.inc"
#include "TileDialect.cpp.inc"
#include "TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TileAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "TileOps.cpp.inc"
#define GET_OP_CLASSES
#include "PtxOps.cpp.inc"

namespace {
// Calls a Rust check that reports by callback, and emits what it reports.
template <typename Check>
LogicalResult reported(function_ref<InFlightDiagnostic()> emitError, Check check) {
  auto report = [](MlirStringRef why, void *user) {
    (*static_cast<function_ref<InFlightDiagnostic()> *>(user))() << unwrap(why);
  };
  return success(check(report, &emitError));
}

LogicalResult admits(PtxTileLayout layout, ArrayRef<int64_t> shape, function_ref<InFlightDiagnostic()> emitError) {
  return reported(emitError, [&](PtxTileReport report, void *user) {
    return ptxTileVerifyAdmits(&layout, shape.data(), shape.size(), report, user);
  });
}

// The map over the shard iters. A tile layout admits every shape of its size (R43), so this is no map of the memref's
// own coordinates: getStridesAndOffset therefore fails, and stock passes refuse such a type instead of misreading it.
AffineMap mapOverShard(tile::LayoutAttr layout) {
  MLIRContext *context = layout.getContext();
  SmallVector<AffineExpr> places(tile::getMaxEnumValForAxis() + 1, getAffineConstantExpr(0, context));
  for (auto [i, iter] : llvm::enumerate(layout.getShard()))
    places[iter.axis] = places[iter.axis] + getAffineDimExpr(i, context) * iter.stride;
  unsigned unknown = 0;
  for (const tile::Offset &offset : layout.getOffset()) {
    bool isDynamic = ShapedType::isDynamic(offset.value);
    AffineExpr value = isDynamic ? getAffineSymbolExpr(unknown++, context) : getAffineConstantExpr(offset.value, context);
    places[offset.axis] = places[offset.axis] + value;
  }
  return AffineMap::get(layout.getShard().size(), unknown, places, context);
}

struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override { return true; }
};
} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// tile
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult tile::LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Iter> shard,
                                       ArrayRef<Iter> replica, ArrayRef<Offset> offset) {
  PtxTileLayout layout = parts(shard, replica, offset);
  return reported(emitError,
                  [&](PtxTileReport report, void *user) { return ptxTileVerifyLayout(&layout, report, user); });
}
AffineMap tile::LayoutAttr::getAffineMap() const { return mapOverShard(*this); }
bool tile::LayoutAttr::isIdentity() const { return false; }
LogicalResult tile::LayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                             function_ref<InFlightDiagnostic()> emitError) const {
  return admits(parts(*this), shape, emitError);
}
LogicalResult tile::LayoutAttr::getStridesAndOffset(ArrayRef<int64_t>, SmallVectorImpl<int64_t> &, int64_t &) const {
  return failure();
}

LogicalResult tile::SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError, LayoutAttr inner,
                                        uint32_t perElement, uint32_t swizzle, uint32_t atom, bool outer) {
  PtxTileLayout layout = parts(inner, perElement, swizzle, atom, outer);
  return reported(emitError,
                  [&](PtxTileReport report, void *user) { return ptxTileVerifyLayout(&layout, report, user); });
}
AffineMap tile::SwizzleAttr::getAffineMap() const { return mapOverShard(getLayout()); }
bool tile::SwizzleAttr::isIdentity() const { return false; }
LogicalResult tile::SwizzleAttr::verifyLayout(ArrayRef<int64_t> shape,
                                              function_ref<InFlightDiagnostic()> emitError) const {
  return admits(parts(*this), shape, emitError);
}
LogicalResult tile::SwizzleAttr::getStridesAndOffset(ArrayRef<int64_t>, SmallVectorImpl<int64_t> &, int64_t &) const {
  return failure();
}

// What the instruction does to the storage of each tile; a destination is read too when it is preserved.
void tile::ApplyOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (auto [index, word] : llvm::enumerate(getWordsMutable())) {
    if (!isa<MemRefType>(word.get().getType()))
      continue;
    PtxTileAccess access = ptxTileAccessOf(wrap(getOpcode()), getWords().size(), index);
    if (access.writes)
      effects.emplace_back(MemoryEffects::Write::get(), &word);
    if (access.reads || getPreserveDst())
      effects.emplace_back(MemoryEffects::Read::get(), &word);
  }
  if (!ptxTileEffects(wrap(getOperation())).isOrdered)
    return;
  // Other threads see it, and what they do is seen after it: of any memory.
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void tile::TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TileOps.cpp.inc"
      >();
  addInterfaces<Inliner>();
}

//===------------------------------------------------------------------------------------------------------------===//
// ptx
//===------------------------------------------------------------------------------------------------------------===//

void ptx::PtxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "PtxOps.cpp.inc"
      >();
  addInterfaces<Inliner>();
}

//===------------------------------------------------------------------------------------------------------------===//
// Registration and C
//===------------------------------------------------------------------------------------------------------------===//

// A program that holds this library and loads it as a plugin too has two copies of the dialects; MLIR ends the process
// over the second.
void tile::registerDialects(DialectRegistry &registry) {
  if (!registry.getDialectAllocator("tile"))
    registry.insert<TileDialect, ptx::PtxDialect>();
}

MemRefType tile::sliceType(Location location, MemRefType source, ArrayRef<int64_t> begins, ArrayRef<int64_t> extents) {
  if (begins.size() != extents.size()) {
    emitError(location) << "there are " << begins.size() << " begins and " << extents.size() << " extents";
    return {};
  }
  MlirType type =
      ptxTileSliceTypeGetChecked(wrap(location), wrap(Type(source)), begins.size(), begins.data(), extents.data());
  return llvm::cast_if_present<MemRefType>(unwrap(type));
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, tile::TileDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Ptx, ptx, ptx::PtxDialect)

void ptxTileInsertDialects(MlirDialectRegistry registry) { tile::registerDialects(*unwrap(registry)); }

// For symbols.rs. Null where the nearest symbol table has none of the name that an attribute says.
extern "C" MlirOperation ptxTileSymbolDefinition(MlirOperation op, MlirStringRef attribute) {
  auto symbol = unwrap(op)->getAttrOfType<FlatSymbolRefAttr>(unwrap(attribute));
  return wrap(symbol ? SymbolTable::lookupNearestSymbolFrom(unwrap(op), symbol) : nullptr);
}

// The number in NVPTX of a `#gpu.address_space`; 0 for another attribute.
extern "C" int32_t ptxTileGpuAddressSpace(MlirAttribute attribute) {
  auto space = dyn_cast<gpu::AddressSpaceAttr>(unwrap(attribute));
  if (!space)
    return 0;
  switch (space.getValue()) {
  case gpu::AddressSpace::Global:
    return 1;
  case gpu::AddressSpace::Workgroup:
    return 3;
  case gpu::AddressSpace::Private:
    return 5;
  }
  return 0;
}

// Of an op that is not registered nothing is known.
extern "C" bool ptxTileIsTerminator(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::IsTerminator>(); }

MlirAttribute ptxTileLayoutAttrGetChecked(MlirLocation location, const PtxTileLayout *layout) {
  auto emitError = [&] { return mlir::emitError(unwrap(location)); };
  if (layout->numShard < 0 || layout->numReplica < 0 || layout->numOffset < 0) {
    emitError() << "a layout has " << layout->numShard << " shard iters, " << layout->numReplica << " replica iters and "
                << layout->numOffset << " offsets; none of these can be negative";
    return {};
  }
  MLIRContext *context = unwrap(location).getContext();
  context->getOrLoadDialect<tile::TileDialect>(); // without it MLIR would end the process
  auto its = tile::LayoutAttr::getChecked(
      emitError, context, ArrayRef(static_cast<const tile::Iter *>(layout->shard), layout->numShard),
      ArrayRef(static_cast<const tile::Iter *>(layout->replica), layout->numReplica),
      ArrayRef(static_cast<const tile::Offset *>(layout->offset), layout->numOffset));
  if (!its || !layout->isSwizzle)
    return wrap(Attribute(its));
  auto [perElement, swizzle, atom, outer] = layout->swizzle;
  return wrap(Attribute(tile::SwizzleAttr::getChecked(emitError, context, its, perElement, swizzle, atom, outer)));
}

bool ptxTileLayoutAttrGetParts(MlirAttribute attribute, PtxTileLayout *layout) {
  if (mlirAttributeIsNull(attribute))
    return false;
  return llvm::TypeSwitch<Attribute, bool>(unwrap(attribute))
      .Case<tile::LayoutAttr, tile::SwizzleAttr>([&](auto it) {
        *layout = parts(it);
        return true;
      })
      .Default(false);
}

MlirAttribute ptxTileScopeAttrGetChecked(MlirLocation location, MlirStringRef scope) {
  std::optional<tile::Scope> its = tile::symbolizeScope(unwrap(scope));
  if (!its) {
    auto error = mlir::emitError(unwrap(location)) << "\"" << unwrap(scope) << "\" is no scope; there are";
    for (unsigned one = 0; one <= tile::getMaxEnumValForScope(); ++one)
      error << (one ? ", " : " ") << tile::stringifyScope(static_cast<tile::Scope>(one));
    return {};
  }
  MLIRContext *context = unwrap(location).getContext();
  context->getOrLoadDialect<tile::TileDialect>();
  return wrap(Attribute(tile::ScopeAttr::get(context, *its)));
}

bool ptxTileAxisGet(MlirStringRef name, uint32_t *axis) {
  std::optional<tile::Axis> found = tile::symbolizeAxis(unwrap(name));
  if (found)
    *axis = static_cast<uint32_t>(*found);
  return found.has_value();
}

MlirStringRef ptxTileAxisGetName(uint32_t axis) {
  return axis <= tile::getMaxEnumValForAxis() ? wrap(tile::stringifyAxis(static_cast<tile::Axis>(axis))) : MlirStringRef{};
}

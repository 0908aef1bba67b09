// MLIR's remark engine, which C++ alone reaches. remarks.rs says what there is to remark.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

using namespace mlir;

extern "C" {
typedef struct {
  MlirStringRef key, value;
} PtxTileRemarkArgument;

typedef struct {
  // remarks.rs has the numbers of kinds.
  uint32_t kind;
  MlirLocation location;
  MlirStringRef category, name, function;
  const PtxTileRemarkArgument *arguments;
  intptr_t numArguments;
} PtxTileRemark;
}

extern "C" bool ptxTileHasRemarkEngine(MlirContext context) { return unwrap(context)->getRemarkEngine() != nullptr; }

// Whether a filter of the engine lets the remark through.
extern "C" bool ptxTileRemark(const PtxTileRemark *its) {
  // Passes run on several threads, and the engine of MLIR 22 has no lock of its own. It may also keep a remark until the
  // context ends, but not its texts, which therefore become the context's.
  static std::mutex one;
  std::lock_guard<std::mutex> guard(one);
  Location location = unwrap(its->location);
  auto kept = [&](MlirStringRef text) { return StringAttr::get(location.getContext(), unwrap(text)).getValue(); };
  auto options = remark::RemarkOpts::name(kept(its->name)).category(kept(its->category)).function(kept(its->function));
  auto *emit = its->kind == 0 ? remark::passed : its->kind == 1 ? remark::missed : remark::analysis;
  remark::detail::InFlightRemark remark = emit(location, options);
  for (const PtxTileRemarkArgument &argument : ArrayRef(its->arguments, its->numArguments))
    remark << remark::detail::Remark::Arg(unwrap(argument.key), unwrap(argument.value));
  return static_cast<bool>(remark);
}

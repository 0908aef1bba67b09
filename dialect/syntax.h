// The parsers and printers behind `custom<...>` in the .td files. Each comment shows the text.
#ifndef PTX_TILE_SYNTAX_H
#define PTX_TILE_SYNTAX_H

#include "dialect.h"

#include "mlir/CAPI/Support.h"
#include "llvm/ADT/StringExtras.h"

// Defined in verify.rs: gives `take` the opcode with its modifiers in canonical order (R4), or as it is if it is none.
extern "C" void ptxTileCanonicalOpcode(MlirStringRef opcode, MlirStringCallback take, void *user);

namespace ptx {

inline std::string canonicalOpcode(llvm::StringRef opcode) {
  std::string text;
  auto take = [](MlirStringRef part, void *user) { static_cast<std::string *>(user)->append(part.data, part.length); };
  ptxTileCanonicalOpcode(wrap(opcode), take, &text);
  return text;
}

} // namespace ptx

namespace tile {

// `"mov.b32"`; modifiers may come in any order, and are in canonical order from then on
inline mlir::ParseResult parseOpcode(mlir::OpAsmParser &parser, mlir::StringAttr &opcode) {
  if (parser.parseAttribute(opcode, parser.getBuilder().getNoneType()))
    return mlir::failure();
  opcode = parser.getBuilder().getStringAttr(ptx::canonicalOpcode(opcode.getValue()));
  return mlir::success();
}
inline void printOpcode(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr opcode) {
  printer << mlir::StringAttr::get(op->getContext(), ptx::canonicalOpcode(opcode.getValue()));
}

// `%b, %a`, `%p, %a, %b, not %c`: what PTX negates is the last source
inline mlir::ParseResult parseWords(mlir::OpAsmParser &parser,
                                    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &words,
                                    mlir::UnitAttr &inverted) {
  mlir::OptionalParseResult first = parser.parseOptionalOperand(words.emplace_back());
  if (!first.has_value()) {
    words.pop_back();
    return mlir::success();
  }
  if (*first)
    return mlir::failure();
  while (!inverted && succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("not")))
      inverted = parser.getBuilder().getUnitAttr();
    if (parser.parseOperand(words.emplace_back()))
      return mlir::failure();
  }
  return mlir::success();
}
inline void printWords(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::OperandRange words,
                       mlir::UnitAttr inverted) {
  for (auto [i, word] : llvm::enumerate(words))
    printer << (i ? ", " : "") << (inverted && i + 1 == words.size() ? "not " : "") << word;
}

// A number of 64 bits. MLIR's own takes time by the cube of the digits.
inline mlir::ParseResult parseNumber(mlir::AsmParser &parser, int64_t &value) {
  constexpr size_t most = 20;
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef digits(loc.getPointer());
  digits.consume_front("-");
  digits = digits.take_while(llvm::isAlnum);
  if (digits.size() > most)
    return parser.emitError(loc, "integer of ") << digits.size() << " digits does not fit 64 bits";
  return parser.parseInteger(value);
}

// `@laneid`; m where nothing stands
inline mlir::ParseResult parseAxis(mlir::AsmParser &parser, uint32_t &axis) {
  axis = 0;
  llvm::SMLoc loc = parser.getCurrentLocation();
  mlir::StringAttr name;
  if (failed(parser.parseOptionalSymbolName(name)))
    return mlir::success();
  std::optional<Axis> known = symbolizeAxis(name.getValue());
  if (!known)
    return parser.emitError(loc, "unknown axis '@") << name.getValue() << "'; a layout has m, " << []() {
      std::string names;
      for (uint32_t i = 1; i <= getMaxEnumValForAxis(); ++i)
        names += (i == 1 ? "" : ", ") + stringifyAxis(static_cast<Axis>(i)).str();
      return names;
    }();
  axis = static_cast<uint32_t>(*known);
  return mlir::success();
}

// `4@laneid`, `1`
inline mlir::ParseResult parseOnAxis(mlir::AsmParser &parser, int64_t &value, uint32_t &axis) {
  return mlir::failure(parseNumber(parser, value) || parseAxis(parser, axis));
}
inline void printOnAxis(mlir::AsmPrinter &printer, int64_t value, uint32_t axis) {
  printer << value;
  if (axis)
    printer << '@' << stringifyAxis(static_cast<Axis>(axis));
}

// `[8, 2] : [4@laneid, 1]`
inline mlir::ParseResult parseIters(mlir::AsmParser &parser, llvm::SmallVector<Iter> &iters) {
  using Delimiter = mlir::AsmParser::Delimiter;
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::SmallVector<Iter> strides;
  if (parser.parseCommaSeparatedList(Delimiter::Square,
                                     [&] { return parseNumber(parser, iters.emplace_back().extent); }) ||
      parser.parseColon() || parser.parseCommaSeparatedList(Delimiter::Square, [&]() -> mlir::ParseResult {
        Iter &iter = strides.emplace_back();
        return parseOnAxis(parser, iter.stride, iter.axis);
      }))
    return mlir::failure();
  if (strides.size() != iters.size())
    return parser.emitError(loc, "layout has ") << iters.size() << " extents and " << strides.size() << " strides";
  for (auto [iter, stride] : llvm::zip_equal(iters, strides)) {
    iter.stride = stride.stride;
    iter.axis = stride.axis;
  }
  return mlir::success();
}
inline void printIters(mlir::AsmPrinter &printer, llvm::ArrayRef<Iter> iters) {
  printer << '[';
  llvm::interleaveComma(iters, printer, [&](const Iter &iter) { printer << iter.extent; });
  printer << "] : [";
  llvm::interleaveComma(iters, printer, [&](const Iter &iter) { printOnAxis(printer, iter.stride, iter.axis); });
  printer << ']';
}

// `[2 : 4@warpid]`
inline mlir::ParseResult parseReplica(mlir::AsmParser &parser, llvm::SmallVector<Iter> &iters) {
  return parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, [&]() -> mlir::ParseResult {
    Iter &iter = iters.emplace_back();
    return mlir::failure(parseNumber(parser, iter.extent) || parser.parseColon() ||
                         parseOnAxis(parser, iter.stride, iter.axis));
  });
}
inline void printReplica(mlir::AsmPrinter &printer, llvm::ArrayRef<Iter> iters) {
  printer << '[';
  llvm::interleaveComma(iters, printer, [&](const Iter &iter) {
    printer << iter.extent << " : ";
    printOnAxis(printer, iter.stride, iter.axis);
  });
  printer << ']';
}

// `[5@warpid]`, `[?]`
inline mlir::ParseResult parseOffsets(mlir::AsmParser &parser, llvm::SmallVector<Offset> &offsets) {
  return parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, [&]() -> mlir::ParseResult {
    Offset &offset = offsets.emplace_back();
    if (succeeded(parser.parseOptionalQuestion())) {
      offset.value = mlir::ShapedType::kDynamic;
      return parseAxis(parser, offset.axis);
    }
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parseOnAxis(parser, offset.value, offset.axis))
      return mlir::failure();
    // The number that MLIR takes for `?`.
    if (mlir::ShapedType::isDynamic(offset.value))
      return parser.emitError(loc, "offset ") << offset.value << " must not be negative";
    return mlir::success();
  });
}
inline void printOffsets(mlir::AsmPrinter &printer, llvm::ArrayRef<Offset> offsets) {
  printer << '[';
  llvm::interleaveComma(offsets, printer, [&](const Offset &it) {
    if (mlir::ShapedType::isDynamic(it.value))
      printer << '?';
    else
      printOnAxis(printer, it.value, it.axis);
  });
  printer << ']';
}

// `, outer`; `inner` is the default and not printed
inline mlir::ParseResult parseDirection(mlir::AsmParser &parser, bool &outer) {
  outer = false;
  if (failed(parser.parseOptionalComma()) || succeeded(parser.parseOptionalKeyword("inner")))
    return mlir::success();
  outer = true;
  return parser.parseKeyword("outer", " or 'inner'");
}
inline void printDirection(mlir::AsmPrinter &printer, bool outer) {
  if (outer)
    printer << ", outer";
}

// `(0 to 16)`
inline mlir::ParseResult parseRange(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &range) {
  int64_t begin, end;
  if (parser.parseLParen() || parseNumber(parser, begin) || parser.parseKeyword("to") || parseNumber(parser, end) ||
      parser.parseRParen())
    return mlir::failure();
  range = parser.getBuilder().getDenseI64ArrayAttr({begin, end});
  return mlir::success();
}
inline void printRange(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseI64ArrayAttr range) {
  // An op that is refused is printed too.
  if (range.size() != 2)
    printer << '(' << range << ')';
  else
    printer << '(' << range[0] << " to " << range[1] << ')';
}

// `warp`
inline mlir::ParseResult parseScopeName(mlir::OpAsmParser &parser, ScopeAttr &scope) {
  llvm::StringRef name;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return mlir::failure();
  std::optional<Scope> value = symbolizeScope(name);
  if (!value)
    return parser.emitError(loc, "unknown scope '")
           << name << "'; there are thread, warp, warpgroup, cta and cluster (R8)";
  scope = ScopeAttr::get(parser.getContext(), *value);
  return mlir::success();
}
inline void printScopeName(mlir::OpAsmPrinter &printer, mlir::Operation *, ScopeAttr scope) {
  printer << stringifyScope(scope.getValue());
}

} // namespace tile

namespace ptx {

// `"b32"`, as in tile::parseOpcode
inline std::string canonicalModifiers(llvm::StringRef mnemonic, llvm::StringRef modifiers) {
  return canonicalOpcode((mnemonic + "." + modifiers).str()).substr(mnemonic.size() + 1);
}
inline mlir::ParseResult parseModifiers(mlir::OpAsmParser &parser, mlir::StringAttr &modifiers,
                                        llvm::StringRef mnemonic) {
  if (parser.parseAttribute(modifiers, parser.getBuilder().getNoneType()))
    return mlir::failure();
  modifiers = parser.getBuilder().getStringAttr(canonicalModifiers(mnemonic, modifiers.getValue()));
  return mlir::success();
}
inline void printModifiers(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr modifiers,
                           llvm::StringRef mnemonic) {
  printer << mlir::StringAttr::get(op->getContext(), canonicalModifiers(mnemonic, modifiers.getValue()));
}

// `special "tid.x"`, `symbol @table + 16`, `%a, %b`, `not %p`, `%a, %b, not %p`, `%address + 16, %b`
inline mlir::ParseResult parseSources(mlir::OpAsmParser &parser, mlir::StringAttr &special,
                                      mlir::FlatSymbolRefAttr &symbol,
                                      llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inputs,
                                      mlir::IntegerAttr &offset, mlir::UnitAttr &inverted) {
  auto parseOffset = [&]() -> mlir::ParseResult {
    int64_t value;
    if (failed(parser.parseOptionalPlus()))
      return mlir::success();
    if (tile::parseNumber(parser, value))
      return mlir::failure();
    offset = parser.getBuilder().getI64IntegerAttr(value);
    return mlir::success();
  };
  if (succeeded(parser.parseOptionalKeyword("special")))
    return parser.parseAttribute(special, parser.getBuilder().getNoneType());
  if (succeeded(parser.parseOptionalKeyword("symbol")))
    return mlir::failure(parser.parseAttribute(symbol) || parseOffset());
  // What PTX negates is the last source.
  auto parseNegated = [&] {
    if (succeeded(parser.parseOptionalKeyword("not")))
      inverted = parser.getBuilder().getUnitAttr();
    return inverted != nullptr;
  };
  if (parseNegated())
    return parser.parseOperand(inputs.emplace_back());
  mlir::OptionalParseResult first = parser.parseOptionalOperand(inputs.emplace_back());
  if (!first.has_value()) {
    inputs.pop_back();
    return mlir::success();
  }
  if (*first || parseOffset())
    return mlir::failure();
  while (!inverted && succeeded(parser.parseOptionalComma())) {
    parseNegated();
    if (parser.parseOperand(inputs.emplace_back()))
      return mlir::failure();
  }
  return mlir::success();
}
inline void printSources(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::StringAttr special,
                         mlir::FlatSymbolRefAttr symbol, mlir::OperandRange inputs, mlir::IntegerAttr offset,
                         mlir::UnitAttr inverted) {
  auto printOffset = [&] {
    if (offset)
      printer << " + " << offset.getInt();
  };
  if (special)
    printer << "special " << special;
  if (symbol) {
    printer << "symbol " << symbol;
    printOffset();
  }
  for (auto [i, input] : llvm::enumerate(inputs)) {
    printer << (i ? ", " : "") << (inverted && i + 1 == inputs.size() ? "not " : "") << input;
    if (!i)
      printOffset();
  }
}

// The preserved old values have the types of the results.
inline mlir::ParseResult parseSameTypes(mlir::OpAsmParser &,
                                        llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> old,
                                        llvm::SmallVectorImpl<mlir::Type> &types, llvm::ArrayRef<mlir::Type> results) {
  if (!old.empty())
    types.assign(results.begin(), results.end());
  return mlir::success();
}
inline void printSameTypes(mlir::OpAsmPrinter &, mlir::Operation *, mlir::OperandRange, mlir::TypeRange,
                           mlir::TypeRange) {}

} // namespace ptx

// `%p`, `not %p`
inline mlir::ParseResult parsePredicate(mlir::OpAsmParser &parser,
                                        std::optional<mlir::OpAsmParser::UnresolvedOperand> &pred,
                                        mlir::UnitAttr &negated) {
  if (succeeded(parser.parseOptionalKeyword("not")))
    negated = parser.getBuilder().getUnitAttr();
  return parser.parseOperand(pred.emplace());
}
inline void printPredicate(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Value pred, mlir::UnitAttr negated) {
  printer << (negated ? "not " : "") << pred;
}

// `[0, 2]`: the words that are discarded
inline mlir::ParseResult parseSink(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &sink) {
  sink = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(mlir::DenseI64ArrayAttr::parse(parser, mlir::Type()));
  return mlir::success(sink != nullptr);
}
inline void printSink(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseI64ArrayAttr sink) {
  sink.print(printer);
}

// `{...}`: attributes of others. Those of an op have places of their own: here MLIR would let them replace what stands
// there, without a word.
inline mlir::ParseResult parseOthers(mlir::OpAsmParser &parser, mlir::NamedAttrList &attributes,
                                     bool afterKeyword = false) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  mlir::NamedAttrList others;
  llvm::StringRef clause;
  if (!afterKeyword && succeeded(parser.parseOptionalKeyword(&clause)))
    return parser.emitError(loc, "unknown clause '") << clause << "'";
  if (afterKeyword ? parser.parseOptionalAttrDictWithKeyword(others) : parser.parseOptionalAttrDict(others))
    return mlir::failure();
  for (mlir::NamedAttribute other : others)
    for (mlir::RegisteredOperationName op : parser.getContext()->getRegisteredOperations())
      if ((op.getDialectNamespace() == "tile" || op.getDialectNamespace() == "ptx") &&
          llvm::is_contained(op.getAttributeNames(), other.getName()))
        return parser.emitError(loc, "attribute '")
               << other.getName().getValue() << "' is one of an op; write it in its place, not in {}";
  attributes.append(others);
  return mlir::success();
}
inline void printOthers(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DictionaryAttr) {
  printer.printOptionalAttrDict(llvm::to_vector(op->getDiscardableAttrs()));
}

// `attributes {...}` before a body
inline mlir::ParseResult parseOthersOfRegion(mlir::OpAsmParser &parser, mlir::NamedAttrList &attributes) {
  return parseOthers(parser, attributes, /*afterKeyword=*/true);
}
inline void printOthersOfRegion(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DictionaryAttr) {
  printer.printOptionalAttrDictWithKeyword(llvm::to_vector(op->getDiscardableAttrs()));
}

#endif // PTX_TILE_SYNTAX_H

// How the result of a call reaches code that goes on from a frame.
//
// What resumes a function keeps the registers in which results come (x86-64 psABI, 3.2.3): three of integers, four of
// vectors. `charcoal_take` gives them back as any function gives its result. What comes in no such register (long
// double, wide vectors) its function also stores in memory.
#include "charcoal.h"

#include <numeric>

using namespace llvm;

namespace charcoal {

namespace {

constexpr unsigned INTEGERS = 3, VECTORS = 4;
/// Where the first vector register stands.
constexpr uint64_t VECTOR_BASE = 32;

/// The scalars of a type, each with the register that it comes in: an offset in the memory of results.
struct Parts {
  SmallVector<std::pair<SmallVector<unsigned, 4>, uint64_t>> all;
  unsigned integers = 0, vectors = 0;
  bool fits = true;

  void add(Type *type, SmallVectorImpl<unsigned> &path) {
    if (auto *fields = dyn_cast<StructType>(type))
      return each(fields->getNumElements(), [&](unsigned at) { return fields->getElementType(at); }, path);
    if (auto *items = dyn_cast<ArrayType>(type))
      return each(items->getNumElements(), [&](unsigned) { return items->getElementType(); }, path);
    SmallVector<unsigned, 4> own(path.begin(), path.end());
    if (type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
      all.emplace_back(own, 8 * integers++);
    else if (type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() ||
             (type->isVectorTy() && type->getPrimitiveSizeInBits().getKnownMinValue() == 128))
      all.emplace_back(own, VECTOR_BASE + 16 * vectors++);
    else
      fits = false;
    fits &= integers <= INTEGERS && vectors <= VECTORS;
  }

private:
  void each(uint64_t count, function_ref<Type *(unsigned)> type, SmallVectorImpl<unsigned> &path) {
    for (uint64_t at = 0; at < count && fits; ++at) {
      path.push_back(at);
      add(type(at), path);
      path.pop_back();
    }
  }
};

Parts partsOf(Type *type) {
  Parts parts;
  SmallVector<unsigned, 4> path;
  parts.add(type, path);
  return parts;
}

/// Where results stand that come in no register: behind those that do.
Value *wide(IRBuilderBase &at, Runtime &runtime) {
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), runtime.result(at), REGISTERS);
}

} // namespace

bool isInRegisters(Type *type) { return partsOf(type).fits; }

unsigned onFloatStack(Type *type) {
  if (auto *fields = dyn_cast<StructType>(type))
    return std::accumulate(fields->element_begin(), fields->element_end(), 0u,
                           [](unsigned sum, Type *it) { return sum + onFloatStack(it); });
  return type->isX86_FP80Ty();
}

void putResult(IRBuilderBase &at, Value *value, Runtime &runtime) {
  Parts parts = partsOf(value->getType());
  if (!parts.fits) {
    at.CreateAlignedStore(value, wide(at, runtime), Align(1));
    return;
  }
  for (auto &[path, offset] : parts.all) {
    Value *part = path.empty() ? value : at.CreateExtractValue(value, path);
    at.CreateAlignedStore(part, at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), runtime.result(at), offset), Align(1));
  }
}

Value *takeResult(IRBuilderBase &at, Type *type, Runtime &runtime) {
  if (!isInRegisters(type))
    return at.CreateAlignedLoad(type, wide(at, runtime), Align(1));
  return at.CreateCall(FunctionType::get(type, false), runtime.take.getCallee());
}

} // namespace charcoal

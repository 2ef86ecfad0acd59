// The runtime as the pass sees it. Must agree with runtime/internal.h.
#include "charcoal.h"

using namespace llvm;

namespace charcoal {

namespace {
// Offsets in `struct charcoal_thread`.
constexpr uint64_t FLAG = 0, DEPTH = 4, ENTERING = 8, RESULT = 16, PENDING = 272;
} // namespace

Runtime::Runtime(Module &module) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  auto *nothing = Type::getVoidTy(context);
  auto *size = module.getDataLayout().getIntPtrType(context);
  auto *word = Type::getInt32Ty(context);
  site = StructType::get(context, {pointer, pointer, word, word, word, word});
  unwind = module.getOrInsertFunction("charcoal_unwind", pointer, pointer);
  locals = module.getOrInsertFunction("charcoal_locals", pointer, size);
  localsFree = module.getOrInsertFunction("charcoal_locals_free", nothing, pointer, size);
  array = module.getOrInsertFunction("charcoal_array", pointer, pointer, size);
  arraysFree = module.getOrInsertFunction("charcoal_arrays_free", nothing, pointer, pointer);
  take = module.getOrInsertFunction("charcoal_take", nothing);
  isInterruptible = module.getOrInsertFunction("charcoal_is_interruptible", Type::getInt1Ty(context), pointer);
  if (auto *cold = dyn_cast<Function>(unwind.getCallee())) {
    cold->addFnAttr(Attribute::Cold);
    // What stands in registers stays there: the code around the call is as small as it can be.
    cold->setCallingConv(CallingConv::PreserveMost);
  }
  thread_ = module.getGlobalVariable("charcoal_thread", true);
  if (!thread_)
    thread_ = new GlobalVariable(module, ArrayType::get(Type::getInt8Ty(context), PENDING + 4), false,
                                 GlobalValue::ExternalLinkage, nullptr, "charcoal_thread", nullptr,
                                 GlobalValue::InitialExecTLSModel);
}

Value *Runtime::field(IRBuilderBase &at, uint64_t offset) {
  Value *thread = at.CreateThreadLocalAddress(thread_);
  return offset == 0 ? thread : at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), thread, offset);
}

Value *Runtime::flag(IRBuilderBase &at) { return field(at, FLAG); }
Value *Runtime::depth(IRBuilderBase &at) { return field(at, DEPTH); }
Value *Runtime::entering(IRBuilderBase &at) { return field(at, ENTERING); }
Value *Runtime::pending(IRBuilderBase &at) { return field(at, PENDING); }
Value *Runtime::result(IRBuilderBase &at) { return field(at, RESULT); }

} // namespace charcoal

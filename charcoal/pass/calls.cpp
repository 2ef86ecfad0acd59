// Calls below which nothing may be interrupted: of functions that are not interruptible themselves, but may call back
// some that are. Their frames cannot be copied out of the native stack, so the depth of atomic code counts them.
#include "charcoal.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace charcoal {

namespace {

constexpr uint64_t PAGE = 4096;

/// One where the callee is foreign, zero where it is interruptible.
Value *isForeign(CallBase &call, Runtime &runtime) {
  IRBuilder<> at(&call);
  Value *callee = call.getCalledOperand();
  auto *word = at.getInt64Ty();
  // A pointer may lead to the start of a page in front of which there is none.
  Value *known = nullptr;
  if (!isa<Constant>(callee)) {
    Value *address = at.CreatePtrToInt(callee, word);
    Value *begins = at.CreateICmpEQ(at.CreateAnd(address, PAGE - 1), at.getInt64(0));
    Instruction *then = nullptr, *otherwise = nullptr;
    MDNode *unlikely = MDBuilder(call.getContext()).createUnlikelyBranchWeights();
    SplitBlockAndInsertIfThenElse(begins, call.getIterator(), &then, &otherwise, unlikely);
    at.SetInsertPoint(then);
    Value *asked = at.CreateCall(runtime.isInterruptible, {callee});
    at.SetInsertPoint(otherwise);
    Value *mark = at.CreateAlignedLoad(word, at.CreateConstGEP1_64(at.getInt8Ty(), callee, -8), Align(1));
    Value *read = at.CreateICmpEQ(mark, at.getInt64(MAGIC));
    at.SetInsertPoint(&call);
    auto *joined = at.CreatePHI(at.getInt1Ty(), 2);
    joined->addIncoming(asked, then->getParent());
    joined->addIncoming(read, otherwise->getParent());
    known = joined;
  } else {
    Value *mark = at.CreateAlignedLoad(word, at.CreateConstGEP1_64(at.getInt8Ty(), callee, -8), Align(1));
    known = at.CreateICmpEQ(mark, at.getInt64(MAGIC));
  }
  return at.CreateZExt(at.CreateNot(known), at.getInt32Ty());
}

void add(IRBuilderBase &at, Runtime &runtime, Value *amount) {
  Value *depth = runtime.depth(at);
  auto *before = at.CreateLoad(at.getInt32Ty(), depth, true);
  at.CreateStore(at.CreateAdd(before, amount), depth, true);
}

} // namespace

void guardCalls(Function &function, const Selection &selection, Runtime &runtime) {
  SmallVector<std::pair<CallBase *, Kind>> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Kind kind = selection.kind(*call); kind == Kind::Unknown || kind == Kind::Foreign)
        calls.emplace_back(call, kind);
  for (auto [call, kind] : calls) {
    if (auto *plain = dyn_cast<CallInst>(call); plain && plain->isMustTailCall())
      plain->setTailCallKind(CallInst::TCK_Tail);
    IRBuilder<> at(call);
    Value *foreign = kind == Kind::Unknown ? isForeign(*call, runtime) : at.getInt32(1);
    at.SetInsertPoint(call);
    add(at, runtime, foreign);
    if (call->doesNotReturn())
      continue;
    at.SetInsertPoint(call->getParent(), std::next(call->getIterator()));
    add(at, runtime, at.CreateNeg(foreign));
  }
}

void restoreDepth(Function &function, Runtime &runtime) {
  SmallVector<CallBase *> returning;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->hasFnAttr(Attribute::ReturnsTwice))
      returning.push_back(call);
  if (returning.empty())
    return;
  // In memory that a jump leaves alone, since registers may be those of any moment.
  IRBuilder<> at(&*function.getEntryBlock().getFirstInsertionPt());
  auto *kept = at.CreateAlloca(at.getInt32Ty());
  at.CreateStore(at.CreateLoad(at.getInt32Ty(), runtime.depth(at), true), kept, true);
  for (CallBase *call : returning) {
    at.SetInsertPoint(call->getParent(), std::next(call->getIterator()));
    Value *depth = at.CreateLoad(at.getInt32Ty(), kept, true);
    at.CreateStore(depth, runtime.depth(at), true);
  }
}

} // namespace charcoal

// Functions to which `longjmp` and exceptions lead: what the runtime knows of the code that was left has to be as it
// was.
#include "charcoal.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace charcoal {

namespace {
/// `struct mark` in runtime/jumps.c.
constexpr uint64_t MARK_SIZE = 32;
} // namespace

void markJumps(Function &function) {
  SmallVector<CallBase *> returning;
  SmallVector<InvokeInst *> throwing;
  for (Instruction &instruction : instructions(function)) {
    if (auto *call = dyn_cast<CallBase>(&instruction); call && returnsTwice(*call))
      returning.push_back(call);
    if (auto *invoke = dyn_cast<InvokeInst>(&instruction); invoke && invoke->getUnwindDest()->isLandingPad())
      throwing.push_back(invoke);
  }
  if (returning.empty() && throwing.empty())
    return;
  Module &module = *function.getParent();
  // In memory that a jump leaves alone, since registers may be those of any moment.
  IRBuilder<> at(&*function.getEntryBlock().getFirstInsertionPt());
  FunctionCallee before = module.getOrInsertFunction("charcoal_before_jump", at.getVoidTy(), at.getPtrTy());
  FunctionCallee behind = module.getOrInsertFunction("charcoal_behind_jump", at.getVoidTy(), at.getPtrTy());
  auto newMark = [&] {
    at.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    auto *mark = at.CreateAlloca(ArrayType::get(at.getInt8Ty(), MARK_SIZE));
    mark->setAlignment(Align(8));
    return mark;
  };
  for (CallBase *call : returning) {
    auto *mark = newMark();
    at.SetInsertPoint(call);
    at.CreateCall(before, {mark});
    at.SetInsertPoint(call->getParent(), std::next(call->getIterator()));
    at.CreateCall(behind, {mark});
  }
  if (throwing.empty())
    return;
  // An exception leads to where the last call was made that may throw one.
  auto *mark = newMark();
  SmallPtrSet<BasicBlock *, 8> arriving;
  for (InvokeInst *invoke : throwing) {
    at.SetInsertPoint(invoke);
    at.CreateCall(before, {mark});
    if (arriving.insert(invoke->getUnwindDest()).second) {
      at.SetInsertPoint(&*invoke->getUnwindDest()->getFirstInsertionPt());
      at.CreateCall(behind, {mark});
    }
  }
}

} // namespace charcoal

// Functions to which `longjmp` leads: what the runtime knows of the code that was left has to be as it was.
#include "charcoal.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace charcoal {

namespace {
/// `struct mark` in runtime/jumps.c.
constexpr uint64_t MARK_SIZE = 32;
} // namespace

void markJumps(Function &function) {
  SmallVector<CallBase *> returning;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && returnsTwice(*call))
      returning.push_back(call);
  if (returning.empty())
    return;
  Module &module = *function.getParent();
  // In memory that a jump leaves alone, since registers may be those of any moment.
  IRBuilder<> at(&*function.getEntryBlock().getFirstInsertionPt());
  FunctionCallee before = module.getOrInsertFunction("charcoal_before_jump", at.getVoidTy(), at.getPtrTy());
  FunctionCallee behind = module.getOrInsertFunction("charcoal_behind_jump", at.getVoidTy(), at.getPtrTy());
  for (CallBase *call : returning) {
    at.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    auto *mark = at.CreateAlloca(ArrayType::get(at.getInt8Ty(), MARK_SIZE));
    mark->setAlignment(Align(8));
    at.SetInsertPoint(call);
    at.CreateCall(before, {mark});
    at.SetInsertPoint(call->getParent(), std::next(call->getIterator()));
    at.CreateCall(behind, {mark});
  }
}

} // namespace charcoal

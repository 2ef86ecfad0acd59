// The beginning and the end of atomic code, which cost no call.
#include "charcoal.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace charcoal {

namespace {

SmallVector<CallInst *> callsOf(Module &module, StringRef name) {
  SmallVector<CallInst *> all;
  if (Function *function = module.getFunction(name))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == function)
        all.push_back(call);
  return all;
}

/// Returns the depth behind it.
Value *add(IRBuilderBase &at, Runtime &runtime, int amount) {
  Value *place = runtime.depth(at);
  Value *depth = at.CreateAdd(at.CreateLoad(at.getInt32Ty(), place, true), at.getInt32(unsigned(amount)));
  at.CreateStore(depth, place, true);
  return depth;
}

FunctionCallee begin(Module &module) {
  return module.getOrInsertFunction("charcoal_atomic_begin", Type::getInt32Ty(module.getContext()));
}

FunctionCallee end(Module &module) {
  return module.getOrInsertFunction("charcoal_atomic_end", Type::getVoidTy(module.getContext()));
}

} // namespace

void keepOthersOut(Function &function) {
  Module &module = *function.getParent();
  IRBuilder<>(&*function.getEntryBlock().getFirstInsertionPt()).CreateCall(begin(module));
  for (BasicBlock &block : function)
    if (auto *leaves = dyn_cast<ReturnInst>(block.getTerminator()))
      IRBuilder<>(leaves).CreateCall(end(module));
}

void settleStatics(Module &module) {
  for (CallInst *call : callsOf(module, "__cxa_guard_acquire")) {
    IRBuilder<> at(call->getNextNode());
    Value *isFirst = at.CreateIsNotNull(call);
    Instruction *then = SplitBlockAndInsertIfThen(isFirst, at.GetInsertPoint(), false);
    IRBuilder<>(then).CreateCall(begin(module));
  }
  for (StringRef name : {"__cxa_guard_release", "__cxa_guard_abort"})
    for (CallInst *call : callsOf(module, name))
      IRBuilder<>(call->getNextNode()).CreateCall(end(module));
}

void inlineAtomic(Module &module, Runtime &runtime) {
  for (CallInst *call : callsOf(module, "charcoal_atomic_begin")) {
    IRBuilder<> at(call);
    add(at, runtime, 1);
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
  SmallVector<CallInst *> ends = callsOf(module, "charcoal_atomic_end");
  if (ends.empty())
    return;
  // Somebody wanted a turn meanwhile, and may have it now.
  FunctionCallee left = module.getOrInsertFunction("charcoal_atomic_left", Type::getVoidTy(module.getContext()));
  MDNode *unlikely = MDBuilder(module.getContext()).createUnlikelyBranchWeights();
  for (CallInst *call : ends) {
    IRBuilder<> at(call);
    Value *depth = add(at, runtime, -1);
    Value *pending = at.CreateLoad(at.getInt32Ty(), runtime.pending(at), true);
    Value *wanted = at.CreateAnd(at.CreateIsNull(depth), at.CreateIsNotNull(pending));
    Instruction *then = SplitBlockAndInsertIfThen(wanted, call->getIterator(), false, unlikely);
    at.SetInsertPoint(then);
    at.CreateCall(left);
    call->eraseFromParent();
  }
}

} // namespace charcoal

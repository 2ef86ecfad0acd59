// Local variables whose addresses somebody may hold while the activity is suspended.
//
// They live in memory that stays where it is, which a function gets when it begins and gives back when it returns; it
// is one block for all of them. Those that no call can see at which the function may be suspended stay on the stack.
#include "charcoal.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace charcoal {

namespace {

/// The caller's copy of an argument lies on the stack: it becomes a local variable.
void takeByValue(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Argument &argument : function.args()) {
    if (!argument.hasByValAttr())
      continue;
    Type *type = argument.getParamByValType();
    IRBuilder<> at(&*function.getEntryBlock().getFirstInsertionPt());
    Align align = std::max(argument.getParamAlign().valueOrOne(), layout.getABITypeAlign(type));
    auto *own = at.CreateAlloca(type);
    own->setAlignment(align);
    argument.replaceAllUsesWith(own);
    at.CreateMemCpy(own, align, &argument, align, layout.getTypeAllocSize(type));
  }
}

void promote(Function &function) {
  SmallVector<AllocaInst *> all;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *local = dyn_cast<AllocaInst>(&instruction); local && isAllocaPromotable(local))
      all.push_back(local);
  DominatorTree tree(function);
  PromoteMemToReg(all, tree);
}

/// What is done with a local, or an address made of it.
struct Uses {
  SmallVector<Instruction *> all;
  /// Whether somebody may keep the address where nobody follows it.
  bool escapes = false;
};

/// Notes a use of `value`. Returns whether what it gives is an address of the local, too.
bool note(Instruction &user, Value &value, const Selection &selection, Uses &uses) {
  uses.all.push_back(&user);
  if (isa<GetElementPtrInst, PHINode, SelectInst, CastInst, FreezeInst>(user))
    return true;
  if (isa<LoadInst, ICmpInst>(user))
    return false;
  if (auto *store = dyn_cast<StoreInst>(&user)) {
    uses.escapes |= store->getValueOperand() == &value;
    return false;
  }
  if (auto *call = dyn_cast<CallBase>(&user)) {
    for (Use &argument : call->args())
      if (argument.get() == &value)
        uses.escapes |= selection.suspends(*call) || !call->doesNotCapture(call->getArgOperandNo(&argument));
    uses.escapes |= call->getType()->isPointerTy() && !isa<IntrinsicInst>(call);
    return false;
  }
  uses.escapes = true;
  return false;
}

/// Whether what uses a local may run behind one of the calls.
bool isSeenLater(AllocaInst &local, ArrayRef<CallBase *> calls, const Selection &selection) {
  SmallVector<Instruction *> open{&local};
  DenseSet<Instruction *> seen;
  Uses uses;
  while (!open.empty()) {
    Instruction *value = open.pop_back_val();
    for (User *user : value->users()) {
      auto *at = cast<Instruction>(user);
      const auto *marker = dyn_cast<IntrinsicInst>(at);
      if (marker && marker->isLifetimeStartOrEnd())
        continue;
      if (note(*at, *value, selection, uses) && seen.insert(at).second)
        open.push_back(at);
    }
  }
  return uses.escapes || any_of(calls, [&](CallBase *call) {
           return any_of(uses.all, [&](Instruction *at) { return isPotentiallyReachable(call, at); });
         });
}

/// Puts an address in the place of a local, made anew at each use: so it is no value that frames hold.
void replaceByPlace(AllocaInst &local, Value &base, uint64_t offset) {
  SmallVector<Use *> uses;
  for (Use &use : local.uses())
    uses.push_back(&use);
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    auto *phi = dyn_cast<PHINode>(user);
    // All values that come from one block have to be the same.
    if (phi && phi->getIncomingValueForBlock(phi->getIncomingBlock(*use)) != &local)
      continue;
    IRBuilder<> at(phi ? phi->getIncomingBlock(*use)->getTerminator() : user);
    Value *place = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), &base, offset, local.getName());
    if (phi)
      phi->setIncomingValueForBlock(phi->getIncomingBlock(*use), place);
    else
      use->set(place);
  }
  local.eraseFromParent();
}

/// What gives memory back stands in front of each return.
void atReturns(Function &function, function_ref<void(IRBuilderBase &)> write) {
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<> at(end);
      write(at);
    }
}

/// Lets debuggers find locals, without optimisation: the address of their memory stands in a variable on the stack,
/// which is written again behind each place where the function may go on on another stack.
void describe(ArrayRef<AllocaInst *> locals, ArrayRef<uint64_t> offsets, Instruction &base,
              ArrayRef<CallBase *> calls) {
  Function &function = *base.getFunction();
  IRBuilder<> at(&*function.getEntryBlock().begin());
  AllocaInst *holds = at.CreateAlloca(at.getPtrTy(), nullptr, "locals.at");
  IRBuilder<>(base.getNextNode()).CreateStore(&base, holds);
  for (CallBase *call : calls)
    if (Instruction *next = call->getNextNode())
      IRBuilder<>(next).CreateStore(&base, holds);
  DIBuilder info(*function.getParent(), false);
  for (auto [local, offset] : zip(locals, offsets))
    replaceDbgDeclare(local, holds, info, DIExpression::DerefBefore, int(offset));
}

void dropMarkers(ArrayRef<AllocaInst *> locals) {
  SmallVector<Instruction *> dead;
  for (AllocaInst *local : locals)
    for (User *user : local->users())
      if (auto *marker = dyn_cast<IntrinsicInst>(user); marker && marker->isLifetimeStartOrEnd())
        dead.push_back(marker);
  for (Instruction *it : dead)
    it->eraseFromParent();
}

/// Without arrays, what the stack is set back to is where it stands anyway; where the function goes on later, that is
/// another place.
void dropMarks(SmallVectorImpl<IntrinsicInst *> &marks) {
  for (IntrinsicInst *mark : marks) {
    if (!mark->getType()->isVoidTy())
      mark->replaceAllUsesWith(PoisonValue::get(mark->getType()));
    mark->eraseFromParent();
  }
  marks.clear();
}

/// The first multiple of a power of two behind a multiple of 16 bytes, or there.
Value *alignUp(IRBuilderBase &at, Value *place, uint64_t align) {
  Value *last = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), place, align - 16);
  return at.CreateIntrinsic(Intrinsic::ptrmask, {at.getPtrTy(), at.getInt64Ty()}, {last, at.getInt64(~(align - 1))});
}

/// Arrays of a length that is known when the program runs: each is a block of its own, in a chain that begins at
/// `chain`.
void settleArrays(ArrayRef<AllocaInst *> arrays, ArrayRef<IntrinsicInst *> marks, Value *chain, Runtime &runtime) {
  for (AllocaInst *local : arrays) {
    IRBuilder<> at(local);
    const DataLayout &layout = local->getDataLayout();
    Value *count = at.CreateZExtOrTrunc(local->getArraySize(), layout.getIntPtrType(at.getContext()));
    Value *size =
        at.CreateMul(count, ConstantInt::get(count->getType(), layout.getTypeAllocSize(local->getAllocatedType())));
    // Memory comes at multiples of 16 bytes.
    uint64_t more = std::max<uint64_t>(local->getAlign().value(), 16) - 16;
    Value *place = at.CreateCall(runtime.array, {chain, at.CreateAdd(size, ConstantInt::get(count->getType(), more))});
    local->replaceAllUsesWith(more ? alignUp(at, place, local->getAlign().value()) : place);
    local->eraseFromParent();
  }
  for (IntrinsicInst *mark : marks) {
    IRBuilder<> at(mark);
    if (mark->getIntrinsicID() == Intrinsic::stacksave)
      mark->replaceAllUsesWith(at.CreateLoad(at.getPtrTy(), chain));
    else
      at.CreateCall(runtime.arraysFree, {chain, mark->getArgOperand(0)});
    mark->eraseFromParent();
  }
}

} // namespace

void settleLocals(Function &function, const Selection &selection, Runtime &runtime) {
  // In code that is never reached, anything may be used.
  removeUnreachableBlocks(function);
  takeByValue(function);
  // Without optimisation, all variables stay where debuggers find them.
  if (!function.hasOptNone())
    promote(function);
  SmallVector<CallBase *> calls;
  SmallVector<AllocaInst *> fixed, arrays;
  SmallVector<IntrinsicInst *> marks;
  for (Instruction &it : instructions(function)) {
    if (auto *call = dyn_cast<CallBase>(&it); call && selection.suspends(*call))
      calls.push_back(call);
    if (auto *mark = dyn_cast<IntrinsicInst>(&it))
      if (mark->getIntrinsicID() == Intrinsic::stacksave || mark->getIntrinsicID() == Intrinsic::stackrestore)
        marks.push_back(mark);
  }
  for (Instruction &it : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&it)) {
      if (!local->isStaticAlloca())
        arrays.push_back(local);
      else if (isSeenLater(*local, calls, selection))
        fixed.push_back(local);
    }
  if (arrays.empty())
    dropMarks(marks);
  if (fixed.empty() && arrays.empty())
    return;
  dropMarkers(fixed);
  dropMarkers(arrays);
  const DataLayout &layout = function.getDataLayout();
  IRBuilder<> at(&*function.getEntryBlock().getFirstInsertionPt());
  auto *word = layout.getIntPtrType(at.getContext());
  uint64_t size = arrays.empty() ? 0 : 16, align = 16;
  SmallVector<uint64_t> offsets;
  for (AllocaInst *local : fixed) {
    align = std::max(align, local->getAlign().value());
    size = alignTo(size, local->getAlign());
    offsets.push_back(size);
    size += *local->getAllocationSize(layout);
  }
  uint64_t whole = size + (align - 16);
  Value *block = at.CreateCall(runtime.locals, {ConstantInt::get(word, whole)}, "locals");
  Value *base = align > 16 ? alignUp(at, block, align) : block;
  if (!arrays.empty())
    at.CreateStore(ConstantPointerNull::get(at.getPtrTy()), base);
  if (function.hasOptNone() && function.getSubprogram())
    describe(fixed, offsets, *cast<Instruction>(base), calls);
  for (auto [local, offset] : zip(fixed, offsets))
    replaceByPlace(*local, *base, offset);
  settleArrays(arrays, marks, base, runtime);
  bool chained = !arrays.empty();
  atReturns(function, [&](IRBuilderBase &end) {
    if (chained)
      end.CreateCall(runtime.arraysFree, {base, ConstantPointerNull::get(end.getPtrTy())});
    end.CreateCall(runtime.localsFree, {block, ConstantInt::get(word, whole)});
  });
}

} // namespace charcoal

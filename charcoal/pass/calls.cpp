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

/// What stands in front of a function. Sanitizers know nothing of such memory.
Value *markOf(IRBuilderBase &at, Value *function) {
  Value *place = at.CreateConstGEP1_64(at.getInt8Ty(), function, -8);
  LoadInst *mark = at.CreateAlignedLoad(at.getInt64Ty(), place, Align(1));
  mark->setNoSanitizeMetadata();
  return mark;
}

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
    Value *mark = markOf(at, callee);
    Value *read = at.CreateICmpEQ(mark, at.getInt64(MAGIC));
    at.SetInsertPoint(&call);
    auto *joined = at.CreatePHI(at.getInt1Ty(), 2);
    joined->addIncoming(asked, then->getParent());
    joined->addIncoming(read, otherwise->getParent());
    known = joined;
  } else {
    Value *mark = markOf(at, callee);
    known = at.CreateICmpEQ(mark, at.getInt64(MAGIC));
  }
  return at.CreateZExt(at.CreateNot(known), at.getInt32Ty());
}

void add(IRBuilderBase &at, Runtime &runtime, Value *amount) {
  Value *depth = runtime.depth(at);
  auto *before = at.CreateLoad(at.getInt32Ty(), depth, true);
  at.CreateStore(at.CreateAdd(before, amount), depth, true);
}

/// The name under which a function can be called without asking what it is.
std::string sureName(const Function &function) { return (function.getName() + ".charcoal").str(); }

/// What to call in the place of a function of another translation unit: that itself where it is compiled for it, since
/// the linker takes its name for the weak one here; else what keeps others out while it runs.
Function *thunk(Function &callee, Runtime &runtime) {
  Module &module = *callee.getParent();
  std::string name = sureName(callee);
  if (auto *known = dyn_cast_or_null<Function>(module.getNamedValue(name)))
    return known;
  auto *made =
      Function::Create(callee.getFunctionType(), GlobalValue::WeakAnyLinkage, callee.getAddressSpace(), name, &module);
  made->setVisibility(GlobalValue::HiddenVisibility);
  made->setCallingConv(callee.getCallingConv());
  // What moves arguments, and nothing that would be said of the callee.
  for (Argument &argument : made->args()) {
    AttributeSet of = callee.getAttributes().getParamAttrs(argument.getArgNo());
    for (auto kind : {Attribute::ByVal, Attribute::StructRet, Attribute::ZExt, Attribute::SExt, Attribute::InReg,
                      Attribute::Nest, Attribute::Alignment})
      if (of.hasAttribute(kind))
        argument.addAttr(of.getAttribute(kind));
  }
  for (auto kind : {Attribute::ZExt, Attribute::SExt, Attribute::InReg})
    if (callee.getAttributes().hasRetAttr(kind))
      made->addRetAttr(kind);
  IRBuilder<> at(BasicBlock::Create(module.getContext(), "", made));
  SmallVector<Value *> arguments;
  for (Argument &argument : made->args())
    arguments.push_back(&argument);
  add(at, runtime, at.getInt32(1));
  CallInst *call = at.CreateCall(&callee, arguments);
  call->setCallingConv(callee.getCallingConv());
  call->setAttributes(made->getAttributes());
  add(at, runtime, at.getInt32(-1));
  if (call->getType()->isVoidTy())
    at.CreateRetVoid();
  else
    at.CreateRet(call);
  return made;
}

/// The function of another translation unit that a call is of, in the form in which that has it.
Function *external(const CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  bool fits = callee && callee->isDeclaration() && callee->getFunctionType() == call.getFunctionType() &&
              callee->getCallingConv() == call.getCallingConv() && !callee->hasExternalWeakLinkage();
  return fits ? callee : nullptr;
}

void guard(CallBase &call, Value *foreign, Runtime &runtime) {
  IRBuilder<> at(&call);
  add(at, runtime, foreign);
  if (call.doesNotReturn())
    return;
  at.SetInsertPoint(call.getParent(), std::next(call.getIterator()));
  add(at, runtime, at.CreateNeg(foreign));
}

} // namespace

void nameSure(Function &function) {
  if (function.hasLocalLinkage() || function.getName().empty())
    return;
  auto *sure = GlobalAlias::create(function.getValueType(), function.getAddressSpace(), function.getLinkage(),
                                   sureName(function), &function, function.getParent());
  sure->setVisibility(GlobalValue::HiddenVisibility);
}

void guardCalls(Function &function, const Selection &selection, Runtime &runtime) {
  SmallVector<std::pair<CallBase *, Kind>> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Kind kind = selection.kind(*call); kind == Kind::Unknown || kind == Kind::Foreign)
        calls.emplace_back(call, kind);
  for (auto [call, kind] : calls) {
    if (auto *plain = dyn_cast<CallInst>(call); plain && plain->isMustTailCall())
      plain->setTailCallKind(CallInst::TCK_Tail);
    Function *callee = kind == Kind::Unknown ? external(*call) : nullptr;
    if (callee && !call->doesNotReturn())
      call->setCalledOperand(thunk(*callee, runtime));
    else if (kind == Kind::Unknown)
      guard(*call, isForeign(*call, runtime), runtime);
    else
      guard(*call, ConstantInt::get(Type::getInt32Ty(function.getContext()), 1), runtime);
  }
}

} // namespace charcoal

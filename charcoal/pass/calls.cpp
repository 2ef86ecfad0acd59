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

/// Whether what stands in front of an address may be looked at: not of a function of code made while the program runs,
/// which may stand at the start of a page in front of which there is none.
bool isMapped(const Value *callee) { return isa<Constant>(callee); }

/// Whether what is called before an instruction is foreign.
Value *isForeign(Instruction &before, Value *callee, Runtime &runtime) {
  IRBuilder<> at(&before);
  Value *magic = at.getInt64(MAGIC);
  if (isMapped(callee))
    return at.CreateICmpNE(markOf(at, callee), magic);
  Value *address = at.CreatePtrToInt(callee, at.getInt64Ty());
  Value *begins = at.CreateICmpEQ(at.CreateAnd(address, PAGE - 1), at.getInt64(0));
  Instruction *then = nullptr, *otherwise = nullptr;
  MDNode *unlikely = MDBuilder(before.getContext()).createUnlikelyBranchWeights();
  SplitBlockAndInsertIfThenElse(begins, before.getIterator(), &then, &otherwise, unlikely);
  at.SetInsertPoint(then);
  Value *asked = at.CreateNot(at.CreateCall(runtime.isInterruptible, {callee}));
  at.SetInsertPoint(otherwise);
  Value *read = at.CreateICmpNE(markOf(at, callee), magic);
  at.SetInsertPoint(&before);
  auto *known = at.CreatePHI(at.getInt1Ty(), 2);
  known->addIncoming(asked, then->getParent());
  known->addIncoming(read, otherwise->getParent());
  return known;
}

void add(IRBuilderBase &at, Runtime &runtime, Value *amount) {
  Value *depth = runtime.depth(at);
  auto *before = at.CreateLoad(at.getInt32Ty(), depth, true);
  at.CreateStore(at.CreateAdd(before, amount), depth, true);
}

/// The name under which a function can be called without asking what it is.
std::string sureName(const Function &function) { return (function.getName() + ".charcoal").str(); }

/// What moves the arguments and the result of a function, and nothing that would be said of it.
void copyPassing(const Function &from, Function &to) {
  for (Argument &argument : to.args()) {
    AttributeSet of = from.getAttributes().getParamAttrs(argument.getArgNo());
    for (auto kind : {Attribute::ByVal, Attribute::StructRet, Attribute::ZExt, Attribute::SExt, Attribute::InReg,
                      Attribute::Nest, Attribute::Alignment})
      if (of.hasAttribute(kind))
        argument.addAttr(of.getAttribute(kind));
  }
  for (auto kind : {Attribute::ZExt, Attribute::SExt, Attribute::InReg})
    if (from.getAttributes().hasRetAttr(kind))
      to.addRetAttr(kind);
}

/// Calls a function with the arguments of the one in whose block that is, and returns.
void forward(IRBuilderBase &at, Function &callee, bool keepsOut, Runtime &runtime) {
  Function &made = *at.GetInsertBlock()->getParent();
  SmallVector<Value *> arguments;
  for (Argument &argument : made.args())
    arguments.push_back(&argument);
  if (keepsOut)
    add(at, runtime, at.getInt32(1));
  CallInst *call = at.CreateCall(&callee, arguments);
  call->setCallingConv(callee.getCallingConv());
  call->setAttributes(made.getAttributes());
  if (keepsOut)
    add(at, runtime, at.getInt32(-1));
  else
    call->setTailCallKind(CallInst::TCK_MustTail);
  if (call->getType()->isVoidTy())
    at.CreateRetVoid();
  else
    at.CreateRet(call);
}

/// What to call in the place of a function of which it is known later what it is. Where another translation unit has it
/// and it is final, the linker takes that one's name for this weak one. Else this looks what it is, and keeps others
/// out while it runs if it is foreign.
Function *thunk(Function &callee, Runtime &runtime) {
  Module &module = *callee.getParent();
  // Of the runtime, or of the program if it has a function of that name (replaceWaiting).
  if (callee.getName().ends_with(SURE))
    return &callee;
  std::string name = sureName(callee);
  if (auto *known = dyn_cast_or_null<Function>(module.getNamedValue(name)))
    return known;
  auto *made =
      Function::Create(callee.getFunctionType(), GlobalValue::WeakAnyLinkage, callee.getAddressSpace(), name, &module);
  made->setVisibility(GlobalValue::HiddenVisibility);
  // One for all translation units that call it.
  made->setComdat(module.getOrInsertComdat(name));
  made->setCallingConv(callee.getCallingConv());
  copyPassing(callee, *made);
  LLVMContext &context = module.getContext();
  auto *entry = BasicBlock::Create(context, "", made), *foreign = BasicBlock::Create(context, "foreign", made),
       *own = BasicBlock::Create(context, "own", made);
  IRBuilder<> at(entry);
  Instruction *end = at.CreateUnreachable();
  Value *isNot = isForeign(*end, &callee, runtime);
  at.SetInsertPoint(end);
  at.CreateCondBr(isNot, foreign, own);
  end->eraseFromParent();
  at.SetInsertPoint(foreign);
  forward(at, callee, true, runtime);
  at.SetInsertPoint(own);
  forward(at, callee, false, runtime);
  return made;
}

/// The function that a call is of, in the form in which it is declared, where it may be another translation unit's.
Function *external(const CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  bool fits = callee && !isFinal(*callee) && !callee->isVarArg() &&
              callee->getFunctionType() == call.getFunctionType() &&
              callee->getCallingConv() == call.getCallingConv() && !callee->hasExternalWeakLinkage() &&
              // Such a caller expects more of registers than others do.
              !call.hasFnAttr("no_caller_saved_registers") && !callee->hasFnAttribute("no_caller_saved_registers");
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
  if (function.hasLocalLinkage() || function.getName().empty() || !isFinal(function))
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
  // The last one first, so that no code is moved more than once.
  auto *word = Type::getInt32Ty(function.getContext());
  for (auto [call, kind] : reverse(calls)) {
    Function *callee = kind == Kind::Unknown ? external(*call) : nullptr;
    if (callee && !call->doesNotReturn())
      call->setCalledOperand(thunk(*callee, runtime));
    else if (kind == Kind::Unknown)
      guard(*call, new ZExtInst(isForeign(*call, call->getCalledOperand(), runtime), word, "", call->getIterator()),
            runtime);
    else
      guard(*call, ConstantInt::get(word, 1), runtime);
  }
}

} // namespace charcoal

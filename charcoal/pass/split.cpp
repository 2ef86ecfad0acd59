// The check behind each call that may suspend, the code that fills a frame, and the code that goes on from one.
//
// A function has two entries. Where it is called, its first instruction clears a register; who resumes it jumps behind
// that, with a frame in the register: then the values come from the frame, and the code goes on behind the call at
// which it was suspended. So there is one body for both.
#include "points.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace charcoal {

namespace {

Value *placeIn(IRBuilderBase &at, Value *frame, uint64_t offset) {
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), frame, offset);
}

/// Where a call stands, for people; in front of what is the runtime's own stands a parenthesis, as `place_of` knows
/// (runtime/deadlock.c).
Constant *whereOf(const Point &point) {
  Function *function = point.call->getFunction();
  std::string text = function->getName().str();
  if (isLibrary(*function->getParent()))
    text = "(charcoal) " + text;
  if (const DebugLoc &place = point.call->getDebugLoc())
    text += " (" + cast<DIScope>(place.getScope())->getFilename().str() + ":" + std::to_string(place.getLine()) + ")";
  return IRBuilder<>(point.call).CreateGlobalString(text, "charcoal.where");
}

/// Whether something is called at the start of a function, in front of all that it does: it leaves no register alone.
bool callsAtEntry(const Function &function) {
  for (auto kind : {Attribute::SanitizeAddress, Attribute::SanitizeThread, Attribute::SanitizeMemory,
                    Attribute::SanitizeHWAddress, Attribute::SanitizeMemTag})
    if (function.hasFnAttribute(kind))
      return true;
  // Where jumps have to arrive at an `endbr64`, that comes first.
  if (function.getParent()->getModuleFlag("cf-protection-branch"))
    return true;
  for (StringRef name : {"fentry-call", "instrument-function-entry", "instrument-function-entry-inlined",
                         "function-instrument", "patchable-function-entry", "split-stack"})
    if (function.hasFnAttribute(name))
      return true;
  return false;
}

/// How many bytes of arguments may stand on the stack, for which whoever resumes a function leaves room; and, above
/// them, how many values it leaves on the stack of the x87 unit, and how it is entered.
uint64_t enteredWith(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  uint64_t size = 0;
  for (const Argument &argument : function.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    size = alignTo(size, layout.getABITypeAlign(type)) + alignTo(layout.getTypeAllocSize(type), 8);
  }
  return size | uint64_t(onFloatStack(function.getReturnType())) << 24 |
         (callsAtEntry(function) ? ENTERS_BY_MEMORY : 0);
}

/// Where whoever resumes a function enters it.
Constant *wayIn(Function &function) {
  LLVMContext &context = function.getContext();
  Constant *begin = &function;
  // Its name may mean another one, of a library that was loaded before.
  if (!function.hasLocalLinkage())
    begin = GlobalAlias::create(function.getValueType(), function.getAddressSpace(), GlobalValue::InternalLinkage,
                                function.getName() + ".own", &function, function.getParent());
  if (callsAtEntry(function))
    return begin;
  Constant *skipped = ConstantInt::get(Type::getInt64Ty(context), sizeof CLEARS_FRAME);
  return ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(context), begin, skipped);
}

/// Writes the site of a place; `resume` and `entered` are those of its function.
void describe(Point &point, unsigned number, Constant *resume, uint64_t entered, Runtime &runtime) {
  Module &module = *point.call->getModule();
  auto *word = Type::getInt32Ty(module.getContext());
  uint64_t result = point.hasResult() ? REGISTERS : 0;
  if (point.hasResult() && !isInRegisters(point.call->getType()))
    result += module.getDataLayout().getTypeStoreSize(point.call->getType()).getFixedValue();
  auto *fields = ConstantStruct::get(runtime.site, {resume, whereOf(point), ConstantInt::get(word, point.size),
                                                    ConstantInt::get(word, number), ConstantInt::get(word, result),
                                                    ConstantInt::get(word, entered)});
  point.site = new GlobalVariable(module, runtime.site, true, GlobalValue::PrivateLinkage, fields, "charcoal.site");
  // Where the linker leaves the function out, it leaves out what points to it, too.
  point.site->setComdat(point.call->getFunction()->getComdat());
}

/// The load and the branch behind a call, and what stands behind the branch.
void check(Point &point, BasicBlock *shared, Runtime &runtime) {
  Function &function = *point.call->getFunction();
  LLVMContext &context = function.getContext();
  point.cold = BasicBlock::Create(context, "suspends", &function);
  point.save = BasicBlock::Create(context, "saves", &function);

  Instruction *end = point.call->getParent()->getTerminator();
  IRBuilder<> at(end);
  at.SetCurrentDebugLocation(point.call->getDebugLoc());
  Value *flag = at.CreateLoad(at.getInt32Ty(), runtime.flag(at), true);
  MDNode *unlikely = MDBuilder(context).createUnlikelyBranchWeights();
  at.CreateCondBr(at.CreateICmpNE(flag, at.getInt32(0)), point.cold, point.behind, unlikely);
  end->eraseFromParent();

  at.SetInsertPoint(point.cold);
  if (point.hasResult())
    putResult(at, point.call, runtime);
  CallInst *frame = at.CreateCall(runtime.unwind, {point.site}, "frame");
  frame->setCallingConv(CallingConv::PreserveMost);
  at.CreateCondBr(at.CreateIsNull(frame), point.behind, point.save, unlikely);

  at.SetInsertPoint(point.save);
  for (auto [value, offset] : point.live)
    at.CreateAlignedStore(value, placeIn(at, frame, offset), Align(1));
  if (shared)
    at.CreateBr(shared);
  else
    leave(at);
  point.frame = frame;
}

/// The block that stores what most frames hold; null where there is nothing of that.
BasicBlock *sharedSave(Function &function, ArrayRef<Slot> slots) {
  return slots.empty() ? nullptr : BasicBlock::Create(function.getContext(), "saves", &function);
}

/// Fills it in, once all frames are known.
void fillShared(BasicBlock &block, ArrayRef<Point> points, ArrayRef<Slot> slots) {
  IRBuilder<> at(&block);
  PHINode *frame = at.CreatePHI(at.getPtrTy(), points.size(), "frame");
  SmallVector<PHINode *> values;
  for (auto [value, offset] : slots)
    values.push_back(at.CreatePHI(value->getType(), points.size(), value->getName()));
  for (const Point &point : points) {
    frame->addIncoming(point.frame, point.save);
    for (auto [slot, value] : zip(slots, values)) {
      Value *here = point.shared.contains(slot.first) ? slot.first : PoisonValue::get(value->getType());
      value->addIncoming(here, point.save);
    }
  }
  for (auto [slot, value] : zip(slots, values))
    at.CreateAlignedStore(value, placeIn(at, frame, slot.second), Align(1));
  leave(at);
}

/// Nothing may follow from what a function gives, or does, while it is being suspended.
void forget(Function &function, ArrayRef<Point> points) {
  static const Attribute::AttrKind ofResult[] = {Attribute::NoUndef,         Attribute::NonNull,
                                                 Attribute::Range,           Attribute::Alignment,
                                                 Attribute::Dereferenceable, Attribute::DereferenceableOrNull,
                                                 Attribute::NoAlias,         Attribute::NoFPClass};
  static const Attribute::AttrKind ofArguments[] = {Attribute::NoCapture, Attribute::ReadOnly, Attribute::ReadNone,
                                                    Attribute::WriteOnly, Attribute::Returned, Attribute::NoAlias,
                                                    Attribute::NoFree};
  static const Attribute::AttrKind ofFunction[] = {
      Attribute::Memory,    Attribute::WillReturn, Attribute::NoSync,   Attribute::Speculatable, Attribute::NoFree,
      Attribute::NoRecurse, Attribute::NoCallback, Attribute::NoReturn, Attribute::AllocKind,    Attribute::AllocSize};
  for (auto kind : ofFunction)
    function.removeFnAttr(kind);
  for (auto kind : ofResult)
    function.removeRetAttr(kind);
  for (Argument &argument : function.args())
    for (auto kind : ofArguments)
      argument.removeAttr(kind);
  for (const Point &point : points) {
    for (auto kind : ofFunction)
      point.call->removeFnAttr(kind);
    for (auto kind : ofResult)
      point.call->removeRetAttr(kind);
    for (unsigned index = 0; index < point.call->arg_size(); ++index)
      for (auto kind : ofArguments)
        point.call->removeParamAttr(index, kind);
    // So does metadata.
    for (unsigned kind : {LLVMContext::MD_range, LLVMContext::MD_nonnull, LLVMContext::MD_noundef,
                          LLVMContext::MD_align, LLVMContext::MD_dereferenceable})
      point.call->setMetadata(kind, nullptr);
  }
}

/// What a function finds when it begins: a frame, or null. In a register; in memory where that is not safe.
Value *frameOnEntry(BasicBlock &entry, Runtime &runtime) {
  IRBuilder<> at(&entry, entry.begin());
  if (callsAtEntry(*entry.getParent())) {
    Value *place = runtime.entering(at);
    LoadInst *frame = at.CreateLoad(at.getPtrTy(), place, true, "frame");
    at.CreateStore(ConstantPointerNull::get(at.getPtrTy()), place, true);
    return frame;
  }
  auto *type = FunctionType::get(at.getPtrTy(), false);
  CallInst *read = at.CreateCall(InlineAsm::get(type, "", "={r10}", true));
  read->setName("frame");
  return read;
}

/// The blocks that load what stands in the frame; `loaded`: what each value is then.
void dispatch(Function &function, ArrayRef<Point> points, ArrayRef<Slot> shared, Runtime &runtime,
              MapVector<Value *, SmallVector<std::pair<BasicBlock *, Value *>>> &loaded) {
  LLVMContext &context = function.getContext();
  BasicBlock *old = &function.getEntryBlock();
  auto *entry = BasicBlock::Create(context, "entry", &function, old);
  auto *resumes = BasicBlock::Create(context, "resumes", &function);
  Value *frame = frameOnEntry(*entry, runtime);
  // Variables on the stack hold nothing that is needed later, but have to be there.
  for (Instruction &instruction : make_early_inc_range(*old))
    if (auto *local = dyn_cast<AllocaInst>(&instruction); local && isa<ConstantInt>(local->getArraySize()))
      local->moveBefore(*entry, entry->end());
  IRBuilder<> at(entry);
  if (DISubprogram *program = function.getSubprogram())
    at.SetCurrentDebugLocation(DILocation::get(context, program->getLine(), 0, program));
  at.CreateCondBr(at.CreateIsNull(frame), old, resumes, MDBuilder(context).createLikelyBranchWeights());
  at.SetInsertPoint(resumes);
  for (auto [value, offset] : shared)
    loaded[value].emplace_back(resumes, at.CreateAlignedLoad(value->getType(), placeIn(at, frame, offset), Align(1)));
  Value *site = at.CreateLoad(at.getPtrTy(), placeIn(at, frame, 8));
  Value *pc = at.CreateLoad(at.getInt32Ty(), placeIn(at, site, 20));
  auto *wrong = BasicBlock::Create(context, "", &function);
  auto *chosen = at.CreateSwitch(pc, wrong, points.size());
  at.SetInsertPoint(wrong);
  at.CreateUnreachable();
  for (auto [number, point] : enumerate(points)) {
    auto *begin = BasicBlock::Create(context, "resume", &function);
    chosen->addCase(cast<ConstantInt>(at.getInt32(number)), begin);
    at.SetInsertPoint(begin);
    for (auto [value, offset] : point.live)
      loaded[value].emplace_back(begin, at.CreateAlignedLoad(value->getType(), placeIn(at, frame, offset), Align(1)));
    if (point.hasResult())
      loaded[point.call].emplace_back(begin, takeResult(at, point.call->getType(), runtime));
    at.CreateBr(point.behind);
  }
}

/// Lets each use see what a value is on the way that leads to it.
void join(Value &value, BasicBlock &home, ArrayRef<std::pair<BasicBlock *, Value *>> loads) {
  SSAUpdater updater;
  updater.Initialize(value.getType(), value.getName());
  for (auto [begin, load] : loads)
    updater.AddAvailableValue(begin, load);
  updater.AddAvailableValue(&home, &value);
  SmallVector<Use *> uses;
  for (Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (user->getParent() != &home || isa<PHINode>(user))
      uses.push_back(&use);
  }
  for (Use *use : uses)
    updater.RewriteUse(*use);
}

/// Hands over what is returned by way of memory, where it comes in no register that the runtime keeps.
void handWide(Function &function, Runtime &runtime) {
  if (function.getReturnType()->isVoidTy() || isInRegisters(function.getReturnType()))
    return;
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()); end && !isa<PoisonValue>(end->getReturnValue())) {
      IRBuilder<> at(end);
      putResult(at, end->getReturnValue(), runtime);
    }
}

} // namespace

void split(Function &function, const Selection &selection, Runtime &runtime) {
  SmallVector<Point, 0> points = pointsOf(function, selection);
  SmallVector<Slot> shared = layOut(function, points);
  BasicBlock *save = sharedSave(function, shared);
  Constant *resume = wayIn(function);
  uint64_t entered = enteredWith(function);
  for (auto [number, point] : enumerate(points)) {
    describe(point, number, resume, entered, runtime);
    check(point, save, runtime);
  }
  if (save)
    fillShared(*save, points, shared);
  forget(function, points);
  handWide(function, runtime);
  mark(function);

  MapVector<Value *, SmallVector<std::pair<BasicBlock *, Value *>>> loaded;
  dispatch(function, points, shared, runtime, loaded);
  for (auto &[value, loads] : loaded) {
    auto *made = dyn_cast<Instruction>(value);
    join(*value, made ? *made->getParent() : function.getEntryBlock(), loads);
  }
  if (!callsAtEntry(function))
    function.setPrologueData(ConstantDataArray::get(function.getContext(), ArrayRef<uint8_t>(CLEARS_FRAME)));
  function.addFnAttr(Attribute::NoInline);
  guardCalls(function, selection, runtime);
}

} // namespace charcoal

// The check behind each call that may suspend, the code that fills a frame, and the function that goes on from one.
#include "charcoal.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace charcoal {

namespace {

/// A call at which a function may be suspended.
struct Point {
  CallBase *call;
  /// Where the code goes on.
  BasicBlock *behind;
  /// Asks whether it is suspended, and fills the frame.
  BasicBlock *cold = nullptr, *save = nullptr;
  /// What the code behind it needs, with its place in the frame. The result of the call is handed over by itself.
  SmallVector<std::pair<Value *, uint64_t>> live;
  uint64_t size = 0;
  GlobalVariable *site = nullptr;

  bool hasResult() const { return !call->getType()->isVoidTy() && !call->use_empty(); }
};

/// Which values the code of each block needs from in front of it.
class Liveness {
public:
  explicit Liveness(Function &function) {
    for (Argument &argument : function.args())
      add(argument);
    for (Instruction &instruction : instructions(function))
      if (!isa<AllocaInst>(instruction) && isNeededElsewhere(instruction))
        add(instruction);
    for (BasicBlock &block : function)
      begin(block);
    flow(function);
  }

  SmallVector<Value *> at(BasicBlock &block) const {
    SmallVector<Value *> all;
    const BitVector &in = in_.find(&block)->second;
    for (unsigned index : in.set_bits())
      all.push_back(values_[index]);
    return all;
  }

private:
  SmallVector<Value *, 0> values_;
  DenseMap<const Value *, unsigned> index_;
  DenseMap<const BasicBlock *, BitVector> in_, defined_, end_;

  void add(Value &value) {
    index_[&value] = values_.size();
    values_.push_back(&value);
  }

  static bool isNeededElsewhere(Instruction &instruction) {
    return any_of(instruction.users(), [&](User *user) {
      return cast<Instruction>(user)->getParent() != instruction.getParent() || isa<PHINode>(user);
    });
  }

  void begin(BasicBlock &block) {
    BitVector in(values_.size()), defined(values_.size()), end(values_.size());
    for (Instruction &instruction : reverse(block)) {
      if (auto it = index_.find(&instruction); it != index_.end()) {
        in.reset(it->second);
        defined.set(it->second);
      }
      if (isa<PHINode>(instruction))
        continue;
      for (Value *operand : instruction.operands())
        if (auto it = index_.find(operand); it != index_.end())
          in.set(it->second);
    }
    for (BasicBlock *next : successors(&block))
      for (PHINode &phi : next->phis())
        if (auto it = index_.find(phi.getIncomingValueForBlock(&block)); it != index_.end())
          end.set(it->second);
    in_[&block] = std::move(in);
    defined_[&block] = std::move(defined);
    end_[&block] = std::move(end);
  }

  void flow(Function &function) {
    SmallVector<BasicBlock *, 0> open;
    DenseSet<BasicBlock *> isOpen;
    for (BasicBlock &block : function) {
      open.push_back(&block);
      isOpen.insert(&block);
    }
    while (!open.empty()) {
      BasicBlock *block = open.pop_back_val();
      isOpen.erase(block);
      BitVector out = end_[block];
      for (BasicBlock *next : successors(block))
        out |= in_[next];
      out.reset(defined_[block]);
      BitVector &in = in_[block];
      if (!out.test(in))
        continue;
      in |= out;
      for (BasicBlock *before : predecessors(block))
        if (isOpen.insert(before).second)
          open.push_back(before);
    }
  }
};

SmallVector<Point, 0> pointsOf(Function &function, const Selection &selection) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && selection.suspends(*call))
      calls.push_back(call);
  SmallVector<Point, 0> points;
  for (CallBase *call : calls) {
    if (auto *plain = dyn_cast<CallInst>(call); plain && plain->isMustTailCall())
      plain->setTailCallKind(CallInst::TCK_None);
    BasicBlock *behind = SplitBlock(call->getParent(), std::next(call->getIterator()));
    points.push_back({call, behind, nullptr, nullptr, {}, 0, nullptr});
  }
  return points;
}

void layOut(Point &point, const Liveness &liveness, const DataLayout &layout) {
  uint64_t size = 2 * layout.getPointerSize();
  SmallVector<Value *> live = liveness.at(*point.behind);
  // The largest first: nothing is lost between them.
  llvm::stable_sort(live, [&](Value *one, Value *other) {
    return layout.getABITypeAlign(one->getType()) > layout.getABITypeAlign(other->getType());
  });
  for (Value *value : live) {
    if (value == point.call)
      continue;
    size = alignTo(size, std::min(layout.getABITypeAlign(value->getType()), Align(16)));
    point.live.emplace_back(value, size);
    size += layout.getTypeStoreSize(value->getType());
  }
  point.size = alignTo(size, 8);
}

/// Where a call stands, for people.
Constant *whereOf(const Point &point) {
  Function *function = point.call->getFunction();
  std::string text = function->getName().str();
  if (const DebugLoc &place = point.call->getDebugLoc())
    text += " (" + cast<DIScope>(place.getScope())->getFilename().str() + ":" + std::to_string(place.getLine()) + ")";
  return IRBuilder<>(point.call).CreateGlobalString(text, "charcoal.where");
}

void describe(Point &point, unsigned number, Function &resume, Runtime &runtime) {
  Module &module = *resume.getParent();
  auto *word = Type::getInt32Ty(module.getContext());
  uint64_t result =
      point.hasResult() ? module.getDataLayout().getTypeStoreSize(point.call->getType()).getFixedValue() : 0;
  auto *fields = ConstantStruct::get(runtime.site, {&resume, whereOf(point), ConstantInt::get(word, point.size),
                                                    ConstantInt::get(word, number), ConstantInt::get(word, result),
                                                    ConstantInt::get(word, 0)});
  point.site = new GlobalVariable(module, runtime.site, true, GlobalValue::PrivateLinkage, fields, "charcoal.site");
}

Value *placeIn(IRBuilderBase &at, Value *frame, uint64_t offset) {
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), frame, offset);
}

/// The load and the branch behind a call, and what stands behind the branch.
void check(Point &point, Runtime &runtime) {
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
    at.CreateAlignedStore(point.call, runtime.result(at), Align(1));
  CallInst *frame = at.CreateCall(runtime.unwind, {point.site}, "frame");
  frame->setCallingConv(CallingConv::PreserveMost);
  at.CreateCondBr(at.CreateIsNull(frame), point.behind, point.save, unlikely);

  at.SetInsertPoint(point.save);
  for (auto [value, offset] : point.live)
    at.CreateAlignedStore(value, placeIn(at, frame, offset), Align(1));
  if (function.getReturnType()->isVoidTy())
    at.CreateRetVoid();
  else
    at.CreateRet(PoisonValue::get(function.getReturnType()));
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
      Attribute::Memory,    Attribute::WillReturn, Attribute::NoSync,    Attribute::Speculatable, Attribute::NoFree,
      Attribute::NoRecurse, Attribute::NoCallback, Attribute::AllocKind, Attribute::AllocSize};
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

/// Copies `function` into `resume`, whose arguments come from frames.
void copy(Function &function, Function &resume, ValueToValueMapTy &map) {
  SmallVector<Instruction *> standing;
  for (Argument &argument : function.args()) {
    auto *stand = new FreezeInst(PoisonValue::get(argument.getType()), argument.getName());
    map[&argument] = stand;
    standing.push_back(stand);
  }
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(&resume, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  BasicBlock &entry = resume.getEntryBlock();
  for (Instruction *stand : standing)
    stand->insertBefore(entry.getFirstInsertionPt());
  resume.setAttributes(AttributeList().addFnAttributes(
      resume.getContext(), AttrBuilder(resume.getContext(), function.getAttributes().getFnAttrs())));
  resume.setPrefixData(nullptr);
  resume.setComdat(nullptr);
}

/// What is returned goes where the runtime takes it from; where a frame was filled, nothing is.
void hand(Function &resume, const DenseSet<BasicBlock *> &saving, Runtime &runtime) {
  for (BasicBlock &block : resume) {
    auto *end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    IRBuilder<> at(end);
    if (Value *value = end->getReturnValue(); value && !saving.contains(&block))
      at.CreateAlignedStore(value, runtime.result(at), Align(1));
    at.CreateRetVoid();
    end->eraseFromParent();
  }
}

/// The blocks that load what stands in the frame; `loaded`: what each value is then.
void dispatch(Function &resume, ArrayRef<Point> points, ValueToValueMapTy &map, Runtime &runtime,
              MapVector<Value *, SmallVector<std::pair<BasicBlock *, Value *>>> &loaded,
              SmallVectorImpl<BasicBlock *> &begins) {
  LLVMContext &context = resume.getContext();
  BasicBlock *old = &resume.getEntryBlock();
  auto *entry = BasicBlock::Create(context, "resumes", &resume, old);
  // Variables on the stack hold nothing that is needed later, but have to be there.
  for (Instruction &instruction : make_early_inc_range(*old))
    if (auto *local = dyn_cast<AllocaInst>(&instruction); local && isa<ConstantInt>(local->getArraySize()))
      local->moveBefore(*entry, entry->end());
  IRBuilder<> at(entry);
  if (DISubprogram *program = resume.getSubprogram())
    at.SetCurrentDebugLocation(DILocation::get(context, program->getLine(), 0, program));
  Value *frame = resume.getArg(0);
  Value *site = at.CreateLoad(at.getPtrTy(), placeIn(at, frame, 8));
  Value *pc = at.CreateLoad(at.getInt32Ty(), placeIn(at, site, 20));
  auto *wrong = BasicBlock::Create(context, "", &resume);
  auto *chosen = at.CreateSwitch(pc, wrong, points.size());
  at.SetInsertPoint(wrong);
  at.CreateUnreachable();
  for (auto [number, point] : enumerate(points)) {
    auto *begin = BasicBlock::Create(context, "", &resume);
    begins.push_back(begin);
    chosen->addCase(cast<ConstantInt>(at.getInt32(number)), begin);
    at.SetInsertPoint(begin);
    for (auto [value, offset] : point.live)
      loaded[value].emplace_back(begin, at.CreateAlignedLoad(value->getType(), placeIn(at, frame, offset), Align(1)));
    if (point.hasResult())
      loaded[point.call].emplace_back(begin, at.CreateAlignedLoad(point.call->getType(), runtime.result(at), Align(1)));
    at.CreateCall(runtime.frameFree, {frame});
    at.CreateBr(cast<BasicBlock>(map[point.behind]));
  }
}

/// Lets each use see what a value is on the way that leads to it.
void join(Instruction &value, ArrayRef<std::pair<BasicBlock *, Value *>> loads, ArrayRef<BasicBlock *> begins) {
  SSAUpdater updater;
  updater.Initialize(value.getType(), value.getName());
  for (BasicBlock *begin : begins)
    updater.AddAvailableValue(begin, PoisonValue::get(value.getType()));
  for (auto [begin, load] : loads)
    updater.AddAvailableValue(begin, load);
  updater.AddAvailableValue(value.getParent(), &value);
  SmallVector<Use *> uses;
  for (Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (user->getParent() != value.getParent() || isa<PHINode>(user))
      uses.push_back(&use);
  }
  for (Use *use : uses)
    updater.RewriteUse(*use);
}

} // namespace

void split(Function &function, const Selection &selection, Runtime &runtime) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false);
  auto *resume = Function::Create(type, GlobalValue::InternalLinkage, function.getAddressSpace(),
                                  function.getName() + ".resume", &module);

  SmallVector<Point, 0> points = pointsOf(function, selection);
  DenseSet<const Value *> kept;
  {
    Liveness liveness(function);
    for (Point &point : points)
      for (Value *value : liveness.at(*point.behind))
        kept.insert(value);
  }
  sinkCheap(function, kept);
  Liveness liveness(function);
  for (auto [number, point] : enumerate(points)) {
    layOut(point, liveness, module.getDataLayout());
    describe(point, number, *resume, runtime);
  }
  for (Point &point : points)
    check(point, runtime);
  forget(function, points);
  mark(function);

  ValueToValueMapTy map;
  copy(function, *resume, map);
  DenseSet<BasicBlock *> saving;
  for (Point &point : points)
    saving.insert(cast<BasicBlock>(map[point.save]));
  hand(*resume, saving, runtime);
  MapVector<Value *, SmallVector<std::pair<BasicBlock *, Value *>>> loaded;
  SmallVector<BasicBlock *> begins;
  dispatch(*resume, points, map, runtime, loaded, begins);
  for (auto &[value, loads] : loaded)
    join(*cast<Instruction>(map[value]), loads, begins);
  removeUnreachableBlocks(*resume);
  resume->addFnAttr(Attribute::OptimizeForSize);
  guardCalls(function, selection, runtime);
  guardCalls(*resume, selection, runtime);
}

} // namespace charcoal

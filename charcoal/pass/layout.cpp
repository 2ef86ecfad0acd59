// Which values a function needs behind each place at which it may be suspended, and where they stand in its frames.
#include "points.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace charcoal {

namespace {

/// From how many places on it is worth while to have code for all of them.
constexpr size_t FEWEST = 4;

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

/// Gives values places in frames from `size` on, and returns where these end: the largest first, so that nothing is
/// lost between them.
uint64_t place(SmallVector<Value *> values, uint64_t size, SmallVectorImpl<Slot> &slots, const DataLayout &layout) {
  llvm::stable_sort(values, [&](Value *one, Value *other) {
    return layout.getABITypeAlign(one->getType()) > layout.getABITypeAlign(other->getType());
  });
  for (Value *value : values) {
    size = alignTo(size, std::min(layout.getABITypeAlign(value->getType()), Align(16)));
    slots.emplace_back(value, size);
    size += layout.getTypeStoreSize(value->getType());
  }
  return size;
}

/// What the code behind a place needs, but for the result of its call, which is handed over by itself.
SmallVector<Value *> needed(const Point &point, const Liveness &liveness) {
  SmallVector<Value *> all = liveness.at(*point.behind);
  erase_if(all, [&](Value *it) { return it == point.call; });
  return all;
}

/// A function that never returns does so when it is suspended: then its caller returns, too. It needs no frame, since
/// nobody ever goes on behind such a call.
void letReturn(Function &function, const Selection &selection) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && selection.neverReturns(*call))
      calls.push_back(call);
  for (CallBase *call : calls) {
    BasicBlock *block = call->getParent();
    SplitBlock(block, std::next(call->getIterator()));
    block->getTerminator()->eraseFromParent();
    IRBuilder<> at(block);
    leave(at);
    call->removeFnAttr(Attribute::NoReturn);
    if (auto *callee = dyn_cast<Function>(call->getCalledOperand()))
      callee->removeFnAttr(Attribute::NoReturn);
  }
  if (!calls.empty())
    removeUnreachableBlocks(function);
}

void sinkCheap(Function &function, ArrayRef<Point> points) {
  Liveness liveness(function);
  DenseSet<const Value *> kept;
  for (const Point &point : points)
    for (Value *value : needed(point, liveness))
      kept.insert(value);
  charcoal::sinkCheap(function, kept);
}

} // namespace

void leave(IRBuilderBase &at) {
  Type *type = at.GetInsertBlock()->getParent()->getReturnType();
  if (type->isVoidTy())
    at.CreateRetVoid();
  else
    at.CreateRet(PoisonValue::get(type));
}

SmallVector<Point, 0> pointsOf(Function &function, const Selection &selection) {
  letReturn(function, selection);
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && selection.suspends(*call))
      calls.push_back(call);
  SmallVector<Point, 0> points(calls.size());
  // The last one first, so that no code is moved more than once.
  for (size_t i = calls.size(); i-- > 0;) {
    points[i].call = calls[i];
    points[i].behind = SplitBlock(calls[i]->getParent(), std::next(calls[i]->getIterator()));
  }
  return points;
}

SmallVector<Slot> layOut(Function &function, MutableArrayRef<Point> points) {
  sinkCheap(function, points);
  const DataLayout &layout = function.getDataLayout();
  Liveness liveness(function);
  DenseMap<Value *, size_t> count;
  for (Point &point : points)
    for (Value *value : needed(point, liveness))
      ++count[value];
  auto isShared = [&](Value *value) { return points.size() >= FEWEST && count.lookup(value) * 2 > points.size(); };
  SmallVector<Value *> shared;
  for (Argument &argument : function.args())
    if (isShared(&argument))
      shared.push_back(&argument);
  for (Instruction &instruction : instructions(function))
    if (isShared(&instruction))
      shared.push_back(&instruction);
  SmallVector<Slot> slots;
  uint64_t begin = place(shared, 2 * layout.getPointerSize(), slots, layout);
  for (Point &point : points) {
    SmallVector<Value *> own;
    for (Value *value : needed(point, liveness)) {
      if (isShared(value))
        point.shared.insert(value);
      else
        own.push_back(value);
    }
    point.size = alignTo(place(own, begin, point.live, layout), 8);
  }
  return slots;
}

} // namespace charcoal

// Values that cost next to nothing to make again are made again where they are used, rather than kept in frames.
//
// Optimised code has many: addresses of fields of one structure, conversions. Each would be written to the frame at
// every call, and read again.
#include "charcoal.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace charcoal {

namespace {

/// Whether a value is made of one other value, by one cheap instruction.
bool isCheap(const Instruction &instruction) {
  if (const auto *place = dyn_cast<GetElementPtrInst>(&instruction))
    return place->hasAllConstantIndices();
  if (isa<CastInst>(instruction))
    return !instruction.getType()->isVectorTy();
  if (const auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return isa<ConstantInt>(binary->getOperand(1)) && binary->getOpcode() != Instruction::SDiv &&
           binary->getOpcode() != Instruction::UDiv && binary->getOpcode() != Instruction::SRem &&
           binary->getOpcode() != Instruction::URem;
  if (const auto *compared = dyn_cast<ICmpInst>(&instruction))
    return isa<Constant>(compared->getOperand(1)) && !compared->getType()->isVectorTy();
  return false;
}

/// Has a value made again in each other block that uses it.
void sink(Instruction &value) {
  SmallVector<Use *> uses;
  for (Use &use : value.uses())
    uses.push_back(&use);
  // One for the uses in a block, in front of the first; one at its end for values that come from it.
  auto copyAt = [&](BasicBlock::iterator at) {
    Instruction *copy = value.clone();
    copy->setName(value.getName());
    copy->insertBefore(*at->getParent(), at);
    return copy;
  };
  DenseMap<BasicBlock *, Instruction *> atEnd;
  DenseMap<BasicBlock *, SmallVector<Use *>> byBlock;
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *block = phi ? phi->getIncomingBlock(*use) : user->getParent();
    if (block == value.getParent())
      continue;
    if (!phi) {
      byBlock[block].push_back(use);
      continue;
    }
    Instruction *&copy = atEnd[block];
    if (!copy)
      copy = copyAt(block->getTerminator()->getIterator());
    use->set(copy);
  }
  for (auto &[block, inBlock] : byBlock) {
    auto first = std::min_element(inBlock.begin(), inBlock.end(), [](Use *one, Use *other) {
      auto *a = cast<Instruction>(one->getUser()), *b = cast<Instruction>(other->getUser());
      return a != b && a->comesBefore(b);
    });
    Instruction *copy = copyAt(cast<Instruction>((*first)->getUser())->getIterator());
    for (Use *use : inBlock)
      use->set(copy);
  }
  if (value.use_empty())
    value.eraseFromParent();
}

} // namespace

void sinkCheap(Function &function, const DenseSet<const Value *> &live) {
  SmallVector<Instruction *> cheap;
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      if (live.contains(&instruction) && isCheap(instruction))
        cheap.push_back(&instruction);
  // What is made of another one comes first: then that is used where it is made.
  for (Instruction *instruction : reverse(cheap))
    sink(*instruction);
}

} // namespace charcoal

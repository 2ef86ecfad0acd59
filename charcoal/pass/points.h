// The places at which a function may be suspended, and what stands in its frames.
#pragma once

#include "charcoal.h"

namespace charcoal {

/// A value in a frame, and where it stands.
using Slot = std::pair<llvm::Value *, uint64_t>;

/// A call at which a function may be suspended.
struct Point {
  llvm::CallBase *call = nullptr;
  /// Where the code goes on.
  llvm::BasicBlock *behind = nullptr;
  /// Asks whether it is suspended, and fills the frame.
  llvm::BasicBlock *cold = nullptr, *save = nullptr;
  /// What the code behind it needs, with its place in the frame. The result of the call is handed over by itself.
  llvm::SmallVector<Slot> live;
  /// Which of the values that most frames hold it needs, too.
  llvm::DenseSet<llvm::Value *> shared;
  uint64_t size = 0;
  llvm::GlobalVariable *site = nullptr;
  /// The frame, in `save`.
  llvm::Value *frame = nullptr;

  bool hasResult() const { return !call->getType()->isVoidTy() && !call->use_empty(); }
};

/// Returns from a function that is being suspended.
void leave(llvm::IRBuilderBase &at);
/// The places of a function, each at the end of a block.
llvm::SmallVector<Point, 0> pointsOf(llvm::Function &function, const Selection &selection);
/// Lays out the frames. Returns what most of them hold, which stands at the same place in all.
llvm::SmallVector<Slot> layOut(llvm::Function &function, llvm::MutableArrayRef<Point> points);

} // namespace charcoal

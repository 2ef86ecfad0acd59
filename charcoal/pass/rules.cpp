// Rules of the language that the compiler checks: errors and warnings with the place where one is broken.
#include "charcoal.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace charcoal {

namespace {

void say(const Function &function, const DiagnosticLocation &place, const Twine &message, DiagnosticSeverity how) {
  function.getContext().diagnose(DiagnosticInfoUnsupported(function, message, place, how));
}

/// The place of a function, or that of the first code in it that has one.
DiagnosticLocation placeOf(const Function &function) {
  if (const DISubprogram *known = function.getSubprogram())
    return DiagnosticLocation(known);
  for (const Instruction &it : instructions(function))
    if (it.getDebugLoc())
      return DiagnosticLocation(it.getDebugLoc());
  return DiagnosticLocation();
}

/// What is compiled in such a way that activities cannot be suspended, though nothing in the code says so; empty if
/// nothing is. It would run, and be atomic or wrong.
StringRef unfitOption(const Function &function) {
  if (function.hasFnAttribute(Attribute::SanitizeThread))
    return "-fsanitize=thread: it takes what one activity does for calls of another";
  if (function.hasFnAttribute(Attribute::SanitizeMemory))
    return "-fsanitize=memory: it does not see what comes back from frames";
  if (function.hasFnAttribute(Attribute::SanitizeHWAddress))
    return "-fsanitize=hwaddress: its tags stay on the stack";
  if (function.hasMetadata(LLVMContext::MD_kcfi_type))
    return "-fsanitize=kcfi: it has the place in front of functions that marks them";
  if (function.getParent()->getModuleFlag("CFI Canonical Jump Tables"))
    return "-fsanitize=cfi-icall: what stands in front of functions does not stand in front of its jump tables";
  if (StringRef bytes = function.getFnAttribute("patchable-function-prefix").getValueAsString();
      !bytes.empty() && bytes != "0")
    return "-fpatchable-function-entry with room in front of functions: that is where they are marked";
  return "";
}

constexpr int UNKNOWN = -1;

/// How deep in atomic code of its own a function is at the start of each block; UNKNOWN where ways differ.
DenseMap<const BasicBlock *, int> depths(const Function &function, int atEntry,
                                         function_ref<int(const BasicBlock &, int)> through) {
  DenseMap<const BasicBlock *, int> all{{&function.getEntryBlock(), atEntry}};
  ReversePostOrderTraversal<const Function *> order(&function);
  // A second round sees what comes back in loops.
  for (int round = 0; round < 2; ++round)
    for (const BasicBlock *block : order) {
      auto known = all.find(block);
      if (known == all.end())
        continue;
      int end = through(*block, known->second);
      for (const BasicBlock *next : successors(block)) {
        auto [at, isNew] = all.try_emplace(next, end);
        if (!isNew && at->second != end)
          at->second = UNKNOWN;
      }
    }
  return all;
}

StringRef calleeName(const Instruction &it) {
  const auto *call = dyn_cast<CallBase>(&it);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : "";
}

int step(const Instruction &it, int depth) {
  StringRef name = calleeName(it);
  if (depth == UNKNOWN)
    return depth;
  return name == "charcoal_atomic_begin" ? depth + 1 : name == "charcoal_atomic_end" ? std::max(depth - 1, 0) : depth;
}

/// Why a call makes no sense in atomic code, where nobody else can have a turn; empty if it does.
StringRef whyUseless(StringRef callee) {
  return callee == "charcoal_yield"  ? "`yield()` in atomic code lets nobody run"
         : callee == "charcoal_join" ? "`charcoal_join` in atomic code fails unless the activity is done"
                                     : "";
}

void checkAtomic(Function &function) {
  bool isAtomic = isAnnotated(function, "charcoal:atomic");
  bool concerned = isAtomic || any_of(instructions(function),
                                      [](const Instruction &it) { return calleeName(it) == "charcoal_atomic_begin"; });
  if (!concerned)
    return;
  auto through = [](const BasicBlock &block, int depth) {
    for (const Instruction &it : block)
      depth = step(it, depth);
    return depth;
  };
  DenseMap<const BasicBlock *, int> begins = depths(function, isAtomic, through);
  // Code may stand there more than once.
  DenseSet<std::pair<unsigned, unsigned>> said;
  for (const BasicBlock &block : function) {
    auto begin = begins.find(&block);
    int depth = begin == begins.end() ? UNKNOWN : begin->second;
    for (const Instruction &it : block) {
      depth = step(it, depth);
      StringRef why = depth > 0 ? whyUseless(calleeName(it)) : "";
      const DebugLoc &place = it.getDebugLoc();
      // What another function does that is called there may be called elsewhere, too.
      if (place && place->getInlinedAt())
        continue;
      if (!why.empty() && (!place || said.insert({place.getLine(), place.getCol()}).second))
        say(function, place, why, DS_Warning);
    }
  }
}

} // namespace

bool checkRules(Module &module) {
  bool fits = true;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    StringRef option = unfitOption(function);
    if (!option.empty() && fits) {
      say(function, placeOf(function), "charcoal cannot be used with " + option, DS_Error);
      fits = false;
    }
    checkAtomic(function);
    if (!isAnnotated(function, "charcoal:interruptible"))
      continue;
    std::string why = whyAtomic(function);
    if (!why.empty())
      say(function, placeOf(function), "it is marked as interruptible and cannot be: " + why, DS_Error);
  }
  return fits;
}

} // namespace charcoal

// Which functions are interruptible.
//
// All that have a call that may suspend, but for those that cannot be copied out of the native stack. The greatest
// fixed point: functions that only call one another are, too, since a yield may come behind each call. In a loop, that
// is so of each call, whatever it calls (paper 5, Yield Insertion): only code without calls can keep others waiting.
#include "charcoal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace charcoal {

namespace {

/// Functions of the C library that call what they are given. All others that LLVM knows call nothing back.
bool callsBack(StringRef name) {
  // Blocks copy what they capture, which may have constructors.
  static const DenseSet<StringRef> all = {"qsort", "bsearch", "atexit", "__cxa_atexit", "on_exit", "_Block_copy",
                                          "_Block_release", "_Block_object_assign", "_Block_object_dispose",
                                          // They call the program's handler where there is no memory.
                                          "_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t",
                                          "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"};
  return all.contains(name);
}

Function *calleeOf(const CallBase &call) {
  const Value *callee = call.getCalledOperand()->stripPointerCasts();
  // A weak alias may stand for something else in the end.
  for (const auto *alias = dyn_cast<GlobalAlias>(callee); alias && isFinal(*alias);
       alias = dyn_cast<GlobalAlias>(callee))
    callee = alias->getAliasee()->stripPointerCasts();
  return const_cast<Function *>(dyn_cast<Function>(callee));
}

/// What is no place to be suspended at, whatever stands around it.
bool isOwn(const Function &function) {
  static const DenseSet<StringRef> own = {
      "charcoal_unwind",      "charcoal_locals",       "charcoal_locals_free",      "charcoal_take",
      "charcoal_array",       "charcoal_arrays_free",  "charcoal_is_interruptible", "charcoal_before_jump",
      "charcoal_behind_jump", "charcoal_atomic_begin", "charcoal_atomic_end",       "__errno_location",
      "__ctype_b_loc",        "__ctype_tolower_loc",   "__ctype_toupper_loc",       "__assert_fail",
      "__stack_chk_fail",     "__cxa_guard_acquire",   "__cxa_guard_release",       "__cxa_guard_abort",
  };
  return function.isIntrinsic() || own.contains(function.getName());
}

/// The runtime's functions that neither suspend nor call anything of the program's.
bool isQuietRuntime(StringRef name) {
  static const DenseSet<StringRef> all = {"charcoal_semaphore_post", "charcoal_current",      "charcoal_cancel",
                                          "charcoal_channel_new",    "charcoal_channel_free", "charcoal_channel_close"};
  return all.contains(name);
}

/// The runtime's functions that call what the program gives them, and never suspend.
bool isForeignRuntime(StringRef name) { return name == "charcoal_start" || name == "charcoal_thread_start"; }

/// What never suspends: the same, and the C library's own that call nothing back.
bool isQuiet(const Function &function, const TargetLibraryInfo &library) {
  return isOwn(function) || isQuietRuntime(function.getName()) ||
         (function.isDeclaration() && isLibraryQuiet(function, library));
}

/// Whether an assembly text has an instruction that calls (`syscall` does not).
bool callsSomething(StringRef assembly) {
  for (size_t at = assembly.find("call"); at != StringRef::npos; at = assembly.find("call", at + 1))
    if (at == 0 || !llvm::isAlpha(assembly[at - 1]))
      return true;
  return false;
}

/// Calls in loops.
void noteLooping(Function &function, DenseSet<const CallBase *> &all) {
  CycleInfo cycles;
  cycles.compute(function);
  for (BasicBlock &block : function)
    if (cycles.getCycle(&block))
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction); call && !call->isInlineAsm()) {
          const Function *callee = calleeOf(*call);
          if (!callee || !isOwn(*callee))
            all.insert(call);
        }
}

bool holds(Type *type, uint64_t most, const DataLayout &layout) {
  return type->isVoidTy() || (type->isSized() && !type->isScalableTy() && layout.getTypeAllocSize(type) <= most);
}

std::string whyOf(Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (returnsTwice(*call))
      return "it calls `setjmp` or the like";
    if (const auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
      if (callsSomething(text->getAsmString()))
        return "its inline assembly calls something";
    if (isa<InvokeInst>(call) || isa<CallBrInst>(call))
      return "it catches exceptions, or its inline assembly jumps";
    if (const auto *plain = dyn_cast<CallInst>(call); plain && plain->isMustTailCall())
      return "it has a call that has to take its place (`musttail`)";
  }
  if (const auto *local = dyn_cast<AllocaInst>(&instruction))
    if (local->isSwiftError() || local->isUsedWithInAlloca() || local->getAllocatedType()->isScalableTy())
      return "it has a local variable of a kind that cannot be moved";
  if (instruction.getType()->isTokenTy() && !isa<IntrinsicInst>(instruction))
    return "it has values that cannot be stored";
  if (instruction.getType()->isScalableTy())
    return "it has vectors of a length that is not known";
  return "";
}

} // namespace

bool isFinal(const GlobalValue &value) {
  return !value.isDeclarationForLinker() && value.isDefinitionExact() &&
         (value.hasLocalLinkage() || value.isDSOLocal());
}

bool isLibraryQuiet(const Function &function, const TargetLibraryInfo &library) {
  LibFunc known;
  if (!function.hasLocalLinkage() && library.getLibFunc(function, known) && !callsBack(function.getName()))
    return true;
  // By another name: an alias, or what the linker puts in its place (`--wrap`).
  auto isOne = [&](StringRef name) { return library.getLibFunc(name, known) && !callsBack(name); };
  StringRef name = function.getName();
  if (!function.isDeclaration() && name.consume_front("__wrap_") && isOne(name))
    return true;
  return any_of(function.users(), [&](const User *user) {
    const auto *alias = dyn_cast<GlobalAlias>(user);
    return alias && !alias->hasLocalLinkage() && isOne(alias->getName());
  });
}

bool returnsTwice(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::eh_sjlj_setjmp:
  case Intrinsic::eh_sjlj_longjmp:
  case Intrinsic::eh_sjlj_setup_dispatch:
    return true;
  default:
    return call.hasFnAttr(Attribute::ReturnsTwice);
  }
}

bool isAnnotated(Function &function, StringRef text) {
  const GlobalVariable *all = function.getParent()->getGlobalVariable("llvm.global.annotations");
  const auto *list = all ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
  if (!list)
    return false;
  for (const Use &entry : list->operands()) {
    const auto *fields = cast<ConstantStruct>(entry);
    const auto *words = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    if (fields->getOperand(0)->stripPointerCasts() != &function || !words)
      continue;
    const auto *data = dyn_cast<ConstantDataArray>(words->getInitializer());
    if (data && data->isCString() && data->getAsCString() == text)
      return true;
  }
  return false;
}

void mark(Function &function) {
  // The sanitizer of function types would put a mark of its own there.
  function.setMetadata(LLVMContext::MD_func_sanitize, nullptr);
  function.setPrefixData(ConstantInt::get(Type::getInt64Ty(function.getContext()), MAGIC));
}

std::string whyAtomic(Function &function) {
  if (function.isVarArg())
    return "it takes a variable number of arguments";
  if (any_of(function.users(), [](const User *user) { return isa<GlobalIFunc>(user); }))
    return "it says which function another name is, before the program has begun";
  if (function.hasPersonalityFn())
    return "it cleans up behind exceptions or catches them (`-fexceptions`)";
  if (function.hasFnAttribute(Attribute::Naked) || function.isPresplitCoroutine())
    return "it is naked or a coroutine";
  // Where results come, and what a call leaves alone, is another matter there.
  if (function.getCallingConv() != CallingConv::C && function.getCallingConv() != CallingConv::Fast)
    return "it is called in a way of its own";
  if (isAnnotated(function, "charcoal:atomic"))
    return "it is marked as atomic";
  if (!holds(function.getReturnType(), MOST_RESULT, function.getDataLayout()))
    return "what it returns is too large";
  for (Argument &argument : function.args())
    if (argument.hasInAllocaAttr() || argument.hasPreallocatedAttr() || argument.hasSwiftErrorAttr())
      return "it takes an argument of a kind that cannot be moved";
  for (Instruction &instruction : instructions(function))
    if (std::string why = whyOf(instruction); !why.empty())
      return why;
  return "";
}

Selection::Selection(Module &module, function_ref<TargetLibraryInfo &(Function &)> libraries)
    : isLibrary_(isLibrary(module)) {
  for (Function &function : module) {
    if (isQuiet(function, libraries(function)))
      quiet_.insert(&function);
    if (function.isDeclaration() || function.hasAvailableExternallyLinkage())
      continue;
    std::string why = whyAtomic(function);
    if (isLibraryQuiet(function, libraries(function))) {
      keepOthersOut(function);
      why = "others take it for the C library's of that name";
    }
    if (why.empty()) {
      suspending_.insert(&function);
      sure_.push_back(&function);
      noteLooping(function, looping_);
    } else {
      atomic_.insert(&function);
      excluded_.emplace_back(&function, why);
    }
  }
  select(module);
}

bool Selection::hasPoint(Function &function) const {
  return any_of(instructions(function), [&](Instruction &it) {
    const auto *call = dyn_cast<CallBase>(&it);
    return call && (kind(*call) != Kind::Plain || looping_.contains(call));
  });
}

void Selection::select(Module &module) {
  for (bool again = true; again;) {
    again = false;
    for (Function &function : module)
      if (suspending_.contains(&function) && !hasPoint(function)) {
        suspending_.erase(&function);
        again = true;
      }
  }
  for (Function &function : module) {
    if (!suspending_.contains(&function))
      continue;
    interruptible_.push_back(&function);
    for (Instruction &instruction : instructions(function)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (call && call->doesNotReturn() && (kind(*call) == Kind::Interruptible || kind(*call) == Kind::Unknown))
        neverReturning_.insert(call);
    }
  }
  // What calls nothing that would suspend is atomic without being told so.
  erase_if(excluded_, [&](auto &it) { return !hasPoint(*it.first); });
}

Kind Selection::kind(const CallBase &call) const {
  if (call.isInlineAsm() || call.hasFnAttr(Attribute::NoCallback))
    return Kind::Plain;
  const Function *callee = calleeOf(call);
  // Such a function is never compiled so that it could be interrupted.
  if (!holds(call.getType(), MOST_RESULT, call.getDataLayout()) && (!callee || !isFinal(*callee)))
    return Kind::Foreign;
  if (!callee)
    return Kind::Unknown;
  if (quiet_.contains(callee))
    return Kind::Plain;
  if (callsBack(callee->getName()) && callee->isDeclaration())
    return Kind::Foreign;
  if (atomic_.contains(callee) && !callee->isInterposable())
    return Kind::Foreign;
  // Nobody compiles such a function so that it could be interrupted.
  if (callee->isDeclaration() && callee->isVarArg() && !callee->arg_empty())
    return Kind::Foreign;
  if (isForeignRuntime(callee->getName()) || (isLibrary_ && isReplaced(callee->getName())))
    return Kind::Foreign;
  if (!isFinal(*callee))
    return Kind::Unknown;
  return suspending_.contains(callee) ? Kind::Interruptible : Kind::Plain;
}

bool Selection::neverReturns(const CallBase &call) const { return neverReturning_.contains(&call); }

bool Selection::suspends(const CallBase &call) const {
  Kind of = kind(call);
  return (of == Kind::Interruptible || of == Kind::Unknown || looping_.contains(&call)) && !call.doesNotReturn() &&
         !neverReturns(call);
}

} // namespace charcoal

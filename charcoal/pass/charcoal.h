// What the files of the pass share.
//
// The pass makes code interruptible by lazy hot stacking (docs/charcoal.md): interruptible code runs on the one
// native stack as plain C does; after each call that may suspend stands one load and a branch, and only behind that
// branch a frame is written to the heap. Such a function has a second way in, which goes on from a frame.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace charcoal {

/// What stands in the eight bytes in front of an interruptible function, so that who calls it through a pointer, or
/// from another translation unit, knows that it may suspend.
constexpr uint64_t MAGIC = 0x6c616f6372616863; // "charcoal"

/// What a function's name has at its end where it can be called without asking what it is.
constexpr llvm::StringLiteral SURE = ".charcoal";

/// How many bytes of a result that comes in no register the runtime hands on.
constexpr uint64_t MOST_RESULT = 160;

/// What a call may do to the activity that makes it.
enum class Kind {
  /// It never suspends, and calls nothing back that would.
  Plain,
  /// It is interruptible for certain.
  Interruptible,
  /// Whether it is is known when the program runs.
  Unknown,
  /// It is not, but may call back what is: nothing may be interrupted below it.
  Foreign,
};

/// The names and types of the runtime.
class Runtime {
public:
  explicit Runtime(llvm::Module &module);

  /// The address of a field of this thread's state.
  llvm::Value *flag(llvm::IRBuilderBase &at);
  llvm::Value *depth(llvm::IRBuilderBase &at);
  llvm::Value *result(llvm::IRBuilderBase &at);
  llvm::Value *entering(llvm::IRBuilderBase &at);
  llvm::Value *pending(llvm::IRBuilderBase &at);

  /// `frame *charcoal_unwind(const site *)`: a frame to fill, or null where the code is to go on.
  llvm::FunctionCallee unwind;
  /// `void *charcoal_locals(size)` and `void charcoal_locals_free(void *, size)`.
  llvm::FunctionCallee locals, localsFree;
  /// `void *charcoal_array(void **chain, size)`, `void charcoal_arrays_free(void **chain, void *down_to)`.
  llvm::FunctionCallee array, arraysFree;
  /// `T charcoal_take(void)`, for any type that comes in registers.
  llvm::FunctionCallee take;
  /// `bool charcoal_is_interruptible(const void *)`, for functions at the start of a page.
  llvm::FunctionCallee isInterruptible;

  /// `{ resume, where, size, pc, result }`.
  llvm::StructType *site;

private:
  llvm::GlobalVariable *thread_;
  llvm::Value *field(llvm::IRBuilderBase &at, uint64_t offset);
};

/// Which functions of a module are interruptible, and what its calls do.
class Selection {
public:
  Selection(llvm::Module &module, llvm::function_ref<llvm::TargetLibraryInfo &(llvm::Function &)> libraries);

  /// The functions that get checks, and a way in for who resumes them.
  const llvm::SmallVector<llvm::Function *, 0> &interruptible() const { return interruptible_; }
  /// The functions below which it is known what may be interrupted: these, and those that never suspend.
  const llvm::SmallVector<llvm::Function *, 0> &sure() const { return sure_; }
  /// Those that cannot be, with why: nothing is interrupted below them.
  const llvm::SmallVector<std::pair<llvm::Function *, std::string>, 0> &excluded() const { return excluded_; }
  Kind kind(const llvm::CallBase &call) const;
  /// Whether the code behind a call may go on later: then it has a check.
  bool suspends(const llvm::CallBase &call) const;
  /// Whether a call may suspend, and nothing comes behind it.
  bool neverReturns(const llvm::CallBase &call) const;

private:
  llvm::SmallVector<llvm::Function *, 0> interruptible_, sure_;
  llvm::SmallVector<std::pair<llvm::Function *, std::string>, 0> excluded_;
  llvm::DenseSet<const llvm::Function *> suspending_, atomic_, quiet_;
  llvm::DenseSet<const llvm::CallBase *> looping_, neverReturning_;
  bool isLibrary_;
  void select(llvm::Module &module);
  bool hasPoint(llvm::Function &function) const;
};

/// Whether a definition is what its name means in the end: neither the linker nor the loader may take another one,
/// which may have been compiled otherwise.
bool isFinal(const llvm::GlobalValue &value);
/// Whether a function is what others take for the C library's own, that calls nothing back.
bool isLibraryQuiet(const llvm::Function &function, const llvm::TargetLibraryInfo &library);
/// Whether a call may return a second time, when somebody jumps back to it.
bool returnsTwice(const llvm::CallBase &call);
/// Whether a function has `__attribute__((annotate("…")))`.
bool isAnnotated(llvm::Function &function, llvm::StringRef text);
/// Lets who calls a function know that it may suspend.
void mark(llvm::Function &function);
/// Why a function cannot be interrupted; empty if it can.
std::string whyAtomic(llvm::Function &function);

/// Says where rules of the language are broken. Returns whether the module can be compiled for activities at all.
bool checkRules(llvm::Module &module);
/// Whether a module is one of the runtime's that are interruptible themselves (runtime/posix.h).
bool isLibrary(const llvm::Module &module);
/// Lets calls of the C library that wait suspend the activity.
void replaceWaiting(llvm::Module &module);
/// Whether a function of the C library has a replacement, which itself calls that.
bool isReplaced(llvm::StringRef callee);
/// Gives the runtime's functions the names by which programs call them; weak, since those may have some of their own.
void nameWaiting(llvm::Module &module);
/// Keeps others out below calls that are foreign, or may be.
void guardCalls(llvm::Function &function, const Selection &selection, Runtime &runtime);
/// Gives a function of this translation unit the name under which others call it that need not ask what it is.
void nameSure(llvm::Function &function);
/// Lets the depth of atomic code, and what the runtime knows of local variables, be what it was where `longjmp` or an
/// exception arrives.
void markJumps(llvm::Function &function);

/// Lets a function count as atomic code of its own, so that nobody who calls it has to.
void keepOthersOut(llvm::Function &function);
/// Lets what gives a static variable its first value be atomic: others that come there would wait for ever for a thread
/// that is theirs, too (Itanium C++ ABI, 3.3.3).
void settleStatics(llvm::Module &module);
/// Puts what calls of `charcoal_atomic_begin` and `charcoal_atomic_end` do in their place.
void inlineAtomic(llvm::Module &module, Runtime &runtime);

/// Brings locals whose addresses others may hold to memory that stays where it is.
void settleLocals(llvm::Function &function, const Selection &selection, Runtime &runtime);

/// Has cheap ones of the values that frames would hold made again where they are used.
void sinkCheap(llvm::Function &function, const llvm::DenseSet<const llvm::Value *> &live);
/// Whether a result comes in registers that the runtime keeps, and how many bytes it keeps.
bool isInRegisters(llvm::Type *type);
constexpr uint64_t REGISTERS = 96;
/// How many values of a result come on the stack of the x87 unit.
unsigned onFloatStack(llvm::Type *type);
/// Stores a result where `takeResult` finds it.
void putResult(llvm::IRBuilderBase &at, llvm::Value *value, Runtime &runtime);
/// The result of a call that was resumed.
llvm::Value *takeResult(llvm::IRBuilderBase &at, llvm::Type *type, Runtime &runtime);

/// The instruction at the start of a function that says that it was called: `xor %r10d, %r10d`.
constexpr uint8_t CLEARS_FRAME[] = {0x45, 0x31, 0xd2};
/// In what stands in a site of how a function is entered (`struct charcoal_site` in runtime/internal.h).
constexpr uint64_t ENTERS_BY_MEMORY = 1 << 30;
/// Adds the checks to a function, and the way in that goes on from its frames.
void split(llvm::Function &function, const Selection &selection, Runtime &runtime);

} // namespace charcoal

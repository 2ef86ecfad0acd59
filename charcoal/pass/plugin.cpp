// The plugin: clang-19 -fpass-plugin=charcoal.so
#include "charcoal.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace {

constexpr StringRef DONE = "charcoal.done";

class CharcoalPass : public PassInfoMixin<CharcoalPass> {
public:
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
    auto &functions = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    auto library = [&](Function &it) -> TargetLibraryInfo & { return functions.getResult<TargetLibraryAnalysis>(it); };
    if (module.getGlobalVariable("charcoal_is_runtime", true)) {
      for (Function &function : module)
        if (charcoal::isAnnotated(function, "charcoal:suspends")) {
          charcoal::mark(function);
          charcoal::nameSure(function);
        }
      charcoal::nameWaiting(module);
      return PreservedAnalyses::none();
    }
    // What has been compiled to LLVM's own form, and is compiled further, has all that already.
    if (module.getNamedMetadata(DONE))
      return PreservedAnalyses::all();
    module.getOrInsertNamedMetadata(DONE);
    // The runtime has the `main` of the process, and runs this one as the first activity.
    if (Function *main = module.getFunction("main"); main && !main->isDeclaration())
      main->setName("charcoal_main");
    if (!charcoal::checkRules(module))
      return PreservedAnalyses::none();
    charcoal::replaceWaiting(module);
    charcoal::settleStatics(module);
    // Its functions come first: what calls there are is looked at once they are known.
    charcoal::Runtime runtime(module);
    charcoal::Selection selection(module, library);
    for (auto &[function, why] : selection.excluded())
      OptimizationRemarkEmitter(function).emit([&] {
        return OptimizationRemarkMissed("charcoal", "Atomic", function)
               << "'" << ore::NV("Function", function) << "' runs atomically: " << why;
      });
    for (Function *function : selection.interruptible())
      charcoal::settleLocals(*function, selection, runtime);
    for (Function *function : selection.interruptible())
      charcoal::split(*function, selection, runtime);
    charcoal::inlineAtomic(module, runtime);
    for (Function &function : module)
      charcoal::markJumps(function);
    for (Function *function : selection.sure())
      charcoal::nameSure(*function);
    if (charcoal::isLibrary(module))
      charcoal::nameWaiting(module);
    return PreservedAnalyses::none();
  }
};

/// Before anything is inlined.
class CharcoalEarlyPass : public PassInfoMixin<CharcoalEarlyPass> {
public:
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
    auto &functions = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (Function &function : module)
      if (!function.isDeclaration() &&
          charcoal::isLibraryQuiet(function, functions.getResult<TargetLibraryAnalysis>(function)) &&
          !function.hasFnAttribute(Attribute::AlwaysInline))
        function.addFnAttr(Attribute::NoInline);
    return PreservedAnalyses::none();
  }
};

/// A value that comes from frames as well as from where it is made is one variable in many pieces. LLVM gives up
/// joining the pieces of large ones after a while, to save time; here that costs more time than it saves, half of the
/// speed of the code, and a third of its size (measured on SQLite).
void joinLargeIntervals() {
  auto &options = cl::getRegisteredOptions();
  for (StringRef name : {"large-interval-size-threshold", "large-interval-freq-threshold"})
    if (auto found = options.find(name); found != options.end() && found->second->getNumOccurrences() == 0)
      found->second->addOccurrence(1, name, "1000000");
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "charcoal", "1", [](PassBuilder &builder) {
            joinLargeIntervals();
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(CharcoalEarlyPass()); });
            builder.registerOptimizerLastEPCallback(
                [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(CharcoalPass()); });
            builder.registerPipelineParsingCallback(
                [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
                  if (name != "charcoal")
                    return false;
                  passes.addPass(CharcoalPass());
                  return true;
                });
          }};
}

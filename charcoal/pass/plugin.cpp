// The plugin: clang-19 -fpass-plugin=charcoal.so
#include "charcoal.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;

namespace {

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
      return PreservedAnalyses::none();
    }
    // The runtime has the `main` of the process, and runs this one as the first activity.
    if (Function *main = module.getFunction("main"); main && !main->isDeclaration())
      main->setName("charcoal_main");
    charcoal::replaceWaiting(module);
    // Its functions come first: what calls there are is looked at once they are known.
    charcoal::Runtime runtime(module);
    charcoal::Selection selection(module, library);
    for (auto &[function, why] : selection.excluded())
      OptimizationRemarkEmitter(function).emit([&] {
        return OptimizationRemarkMissed("charcoal", "Atomic", function)
               << "'" << ore::NV("Function", function) << "' runs atomically: " << why;
      });
    charcoal::lowerComputedJumps(module, selection.interruptible());
    for (Function *function : selection.interruptible())
      charcoal::settleLocals(*function, selection, runtime);
    for (Function *function : selection.interruptible())
      charcoal::split(*function, selection, runtime);
    for (Function &function : module)
      charcoal::restoreDepth(function, runtime);
    for (Function *function : selection.sure())
      charcoal::nameSure(*function);
    return PreservedAnalyses::none();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "charcoal", "1", [](PassBuilder &builder) {
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

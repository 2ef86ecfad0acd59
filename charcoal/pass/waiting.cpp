// Calls of the C library that wait become calls of the runtime's (runtime/posix.c), which suspend the activity instead.
#include "charcoal.h"

using namespace llvm;

namespace charcoal {

namespace {
struct Replacement {
  const char *name, *by;
};
const Replacement REPLACEMENTS[] = {
    {"read", "charcoal_read"},           {"write", "charcoal_write"},
    {"recv", "charcoal_recv"},           {"send", "charcoal_send"},
    {"accept", "charcoal_accept"},       {"connect", "charcoal_connect"},
    {"close", "charcoal_close"},         {"getaddrinfo", "charcoal_getaddrinfo"},
    {"fsync", "charcoal_fsync"},         {"fdatasync", "charcoal_fdatasync"},
    {"waitpid", "charcoal_waitpid"},     {"fork", "charcoal_fork"},
    {"sigaction", "charcoal_sigaction"}, {"signal", "charcoal_signal"},
    {"sleep", "charcoal_sleep_seconds"}, {"usleep", "charcoal_usleep"},
    {"nanosleep", "charcoal_nanosleep"},
};
} // namespace

void replaceWaiting(Module &module) {
  if (module.getGlobalVariable("charcoal_is_library", true))
    return;
  for (auto [name, by] : REPLACEMENTS)
    if (Function *function = module.getFunction(name); function && function->isDeclaration() && !function->use_empty())
      function->replaceAllUsesWith(module.getOrInsertFunction(by, function->getFunctionType()).getCallee());
}

} // namespace charcoal

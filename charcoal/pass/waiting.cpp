// Calls of the C library that wait become calls of the runtime's (runtime/posix.h), which suspend the activity instead.
#include "charcoal.h"

using namespace llvm;

namespace charcoal {

namespace {
/// What a function takes and gives, as its declaration has it on this machine: `p` a pointer, `l` a 64-bit and `i` a
/// 32-bit number, `v` nothing; the result comes first.
struct Replacement {
  const char *name, *types, *by;
};
const Replacement REPLACEMENTS[] = {
    {"read", "lipl", "charcoal_read"},
    {"write", "lipl", "charcoal_write"},
    {"readv", "lipi", "charcoal_readv"},
    {"writev", "lipi", "charcoal_writev"},
    {"pread", "lipll", "charcoal_pread"},
    {"pread64", "lipll", "charcoal_pread"},
    {"pwrite", "lipll", "charcoal_pwrite"},
    {"pwrite64", "lipll", "charcoal_pwrite"},
    {"recv", "lipli", "charcoal_recv"},
    {"recvfrom", "liplipp", "charcoal_recvfrom"},
    {"recvmsg", "lipi", "charcoal_recvmsg"},
    {"send", "lipli", "charcoal_send"},
    {"sendto", "liplipi", "charcoal_sendto"},
    {"sendmsg", "lipi", "charcoal_sendmsg"},
    {"accept", "iipp", "charcoal_accept"},
    {"accept4", "iippi", "charcoal_accept4"},
    {"connect", "iipi", "charcoal_connect"},
    {"close", "ii", "charcoal_close"},
    {"poll", "ipli", "charcoal_poll"},
    {"ppoll", "iplpp", "charcoal_ppoll"},
    {"select", "iipppp", "charcoal_select"},
    {"epoll_wait", "iipii", "charcoal_epoll_wait"},
    {"getaddrinfo", "ipppp", "charcoal_getaddrinfo"},
    {"getnameinfo", "ipipipii", "charcoal_getnameinfo"},
    {"fsync", "ii", "charcoal_fsync"},
    {"fdatasync", "ii", "charcoal_fdatasync"},
    {"flock", "iii", "charcoal_flock"},
    {"lockf", "iiil", "charcoal_lockf"},
    {"lockf64", "iiil", "charcoal_lockf"},
    {"wait", "ip", "charcoal_wait"},
    {"waitpid", "iipi", "charcoal_waitpid"},
    {"wait3", "ipip", "charcoal_wait3"},
    {"wait4", "iipip", "charcoal_wait4"},
    {"waitid", "iiipi", "charcoal_waitid"},
    {"system", "ip", "charcoal_system"},
    {"sleep", "ii", "charcoal_sleep_seconds"},
    {"usleep", "ii", "charcoal_usleep"},
    {"nanosleep", "ipp", "charcoal_nanosleep"},
    {"clock_nanosleep", "iiipp", "charcoal_clock_nanosleep"},
    // What the library's headers make of some with `_FORTIFY_SOURCE`.
    {"__read_chk", "lipll", "charcoal_read_checked"},
    {"__pread_chk", "liplll", "charcoal_pread_checked"},
    {"__pread64_chk", "liplll", "charcoal_pread_checked"},
    {"__recv_chk", "liplli", "charcoal_recv_checked"},
    {"__recvfrom_chk", "lipllipp", "charcoal_recvfrom_checked"},
    {"__poll_chk", "iplil", "charcoal_poll_checked"},
};
/// Others of which the runtime has to know.
const Replacement OTHERS[] = {
    {"fork", "i", "charcoal_fork"},
    {"vfork", "i", "charcoal_fork"},
    {"dup2", "iii", "charcoal_dup2"},
    {"dup3", "iiii", "charcoal_dup3"},
    {"close_range", "iiii", "charcoal_close_range"},
    {"closefrom", "vi", "charcoal_closefrom"},
    {"fopencookie", "pppp", "charcoal_fopencookie"},
    {"register_printf_specifier", "iipp", "charcoal_register_printf_specifier"},
};

bool is(const Type *type, char what) {
  return what == 'v' ? type->isVoidTy() : what == 'p' ? type->isPointerTy() : type->isIntegerTy(what == 'l' ? 64 : 32);
}

/// Whether a function can be that of the library: a program may have one of its own with that name.
bool fits(const FunctionType &type, StringRef wanted) {
  if (type.isVarArg() || type.getNumParams() + 1 != wanted.size() || !is(type.getReturnType(), wanted[0]))
    return false;
  for (unsigned i = 0; i < type.getNumParams(); ++i)
    if (!is(type.getParamType(i), wanted[i + 1]))
      return false;
  return true;
}
} // namespace

bool isLibrary(const Module &module) { return module.getGlobalVariable("charcoal_is_library", true); }

bool isReplaced(StringRef callee) {
  return any_of(REPLACEMENTS, [&](const Replacement &it) { return callee == it.name; });
}

void nameWaiting(Module &module) {
  for (auto [name, types, by] : REPLACEMENTS)
    if (Function *function = module.getFunction(by); function && !function->isDeclaration())
      GlobalAlias::create(function->getValueType(), function->getAddressSpace(), GlobalValue::WeakAnyLinkage,
                          name + SURE, function, &module);
}

void replaceWaiting(Module &module) {
  if (isLibrary(module))
    return;
  auto replace = [&](StringRef name, StringRef types, const Twine &by) {
    if (Function *function = module.getFunction(name);
        function && function->isDeclaration() && !function->use_empty() && fits(*function->getFunctionType(), types))
      function->replaceAllUsesWith(
          module.getOrInsertFunction(by.str(), function->getFunctionType(), function->getAttributes()).getCallee());
  };
  // Another translation unit of the program may have a function of its own with that name, which comes first.
  for (auto [name, types, by] : REPLACEMENTS)
    replace(name, types, name + SURE);
  for (auto [name, types, by] : OTHERS)
    replace(name, types, by);
}

} // namespace charcoal

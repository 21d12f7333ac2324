#include "src/modules/pricing/side_library.hpp"

#include <dlfcn.h>

namespace gsim::pricing {

SideFunction load_side_function(const char* library, const char* function) {
  Dl_info here;
  if (::dladdr(reinterpret_cast<const void*>(&load_side_function), &here) == 0)
    return {nullptr, "the folder of libgsim is unknown"};
  std::string path = here.dli_fname;
  path.erase(path.rfind('/') + 1);
  path += library;
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, ::dlerror()};
  void* const symbol = ::dlsym(handle, function);
  if (symbol == nullptr) return {nullptr, ::dlerror()};
  return {symbol, {}};
}

}  // namespace gsim::pricing

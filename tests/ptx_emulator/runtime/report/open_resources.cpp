#include "runtime/report/open_resources.hpp"

#include <algorithm>
#include <cstdio>

#include <dlfcn.h>
#include <execinfo.h>

#include "checks/findings.hpp"
#include "runtime/settings.hpp"

namespace ptxemu {
namespace {

constexpr int max_frames = 24;    ///< of the stack that are examined
constexpr int printed_calls = 4;  ///< places of calls in a message

/// "program+0x1234", as addr2line needs it; empty for addresses in this library.
std::string place_of(void* address) {
  Dl_info here{}, info{};
  if (dladdr(reinterpret_cast<void*>(&place_of), &here) == 0 || dladdr(address, &info) == 0)
    return {};
  if (info.dli_fbase == here.dli_fbase) return {};
  std::string file = info.dli_fname;
  file.erase(0, file.rfind('/') + 1);
  char text[32];
  std::snprintf(text, sizeof text, "+0x%llx",
                static_cast<unsigned long long>(static_cast<char*>(address) -
                                                static_cast<char*>(info.dli_fbase)));
  return file + text;
}

}  // namespace

OpenResources::OpenResources() : active_(setting("PTXEMU_LEAKCHECK", std::uint64_t{0}) != 0) {}

OpenResources& OpenResources::instance() {
  static OpenResources* const resources = new OpenResources;  // used at exit after destructors
  return *resources;
}

void OpenResources::opened(const char* kind, const void* handle, std::size_t bytes) {
  if (!active_ || handle == nullptr) return;
  void* frames[max_frames];
  const int count = backtrace(frames, max_frames);
  open_[handle] = {kind, ++numbers_[kind], bytes, std::vector<void*>(frames, frames + count)};
}

void OpenResources::closed(const void* handle) {
  if (active_) open_.erase(handle);
}

void OpenResources::report_leaks() const {
  std::vector<const Resource*> leaks;
  for (const auto& [handle, resource] : open_) leaks.push_back(&resource);
  std::sort(leaks.begin(), leaks.end(), [](const Resource* a, const Resource* b) {
    const int order = std::string(a->kind).compare(b->kind);
    return order != 0 ? order < 0 : a->number < b->number;
  });
  for (const Resource* leak : leaks) {
    std::string text = "leak: " + std::string(leak->kind) + " number " +
                       std::to_string(leak->number) +
                       (leak->bytes != 0 ? ", " + std::to_string(leak->bytes) + " bytes" : "") +
                       " is not freed at exit; created at";
    int printed = 0;
    for (void* const caller : leak->callers) {
      const std::string place = place_of(caller);
      if (place.empty() || printed == printed_calls) continue;
      text += (printed++ == 0 ? " " : ", called from ") + place;
    }
    Findings::instance().add("leaks");
    Findings::print(text);
  }
}

}  // namespace ptxemu

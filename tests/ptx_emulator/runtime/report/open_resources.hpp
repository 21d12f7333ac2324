#pragma once
// The allocations, streams and events that the program has not freed, for the leak check.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ptxemu {

/// Records what the program creates through the runtime, if PTXEMU_LEAKCHECK is set.
class OpenResources {
 public:
  static OpenResources& instance();

  /// Records a new resource with the places of the calls that led to it. `kind` is what messages
  /// name it, such as "stream"; resources of a kind are numbered from 1.
  void opened(const char* kind, const void* handle, std::size_t bytes = 0);
  /// Forgets a resource that the program has freed.
  void closed(const void* handle);
  /// Reports each resource that is still open as a finding.
  void report_leaks() const;

 private:
  OpenResources();
  struct Resource {
    const char* kind;
    std::uint64_t number;
    std::size_t bytes;
    std::vector<void*> callers;  ///< return addresses, innermost first
  };
  bool active_;
  std::map<std::string, std::uint64_t> numbers_;  ///< number of resources so far, by kind
  std::map<const void*, Resource> open_;
};

}  // namespace ptxemu

#pragma once
// Failures that environment variables provoke. Calls are counted in each process, from 1.

#include <cstdint>
#include <string>

namespace ptxemu {

class Failures {
 public:
  /// The failures that the environment demands.
  static Failures& of_process();

  /// Counts an allocation of device memory; returns whether it fails (PTXEMU_FAIL_ALLOCATION=n:
  /// the n-th).
  bool next_allocation_fails();
  /// Counts a copy; returns whether it fails (PTXEMU_FAIL_COPY=n: the n-th).
  bool next_copy_fails();
  /// Counts an execution of a kernel; returns whether it fails (PTXEMU_FAIL_KERNEL=text:n: the
  /// n-th of those whose mangled names contain the text).
  bool next_launch_fails(const std::string& kernel);

 private:
  Failures();
  std::uint64_t allocation_ = 0, allocations_ = 0;  ///< number of the one that fails, and counted
  std::uint64_t copy_ = 0, copies_ = 0;
  std::string kernel_;
  std::uint64_t launch_ = 0, launches_ = 0;
};

}  // namespace ptxemu

#include "runtime/failures.hpp"

#include "runtime/settings.hpp"

namespace ptxemu {

Failures& Failures::of_process() {
  static auto* const failures = new Failures;
  return *failures;
}

Failures::Failures()
    : allocation_(setting("PTXEMU_FAIL_ALLOCATION", std::uint64_t{0})),
      copy_(setting("PTXEMU_FAIL_COPY", std::uint64_t{0})),
      kernel_(setting("PTXEMU_FAIL_KERNEL", "")),
      launch_(kernel_.empty() ? 0 : 1) {
  if (const auto colon = kernel_.rfind(':'); colon != std::string::npos) {
    launch_ = std::strtoull(kernel_.c_str() + colon + 1, nullptr, 10);
    kernel_.resize(colon);
  }
}

bool Failures::next_allocation_fails() { return ++allocations_ == allocation_; }
bool Failures::next_copy_fails() { return ++copies_ == copy_; }
bool Failures::next_launch_fails(const std::string& kernel) {
  return launch_ != 0 && kernel.find(kernel_) != std::string::npos && ++launches_ == launch_;
}

}  // namespace ptxemu

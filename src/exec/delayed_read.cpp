#include "gsim/exec/delayed_read.hpp"

#include <utility>

#include "gsim/core/error.hpp"
#include "src/exec/backend.hpp"

namespace gsim {

DelayedRead::DelayedRead(const Executor& executor, std::size_t bytes)
    : executor_(executor), buffer_(executor, bytes), copied_(executor) {}

DelayedRead::~DelayedRead() {
  try {
    wait();
  } catch (const DeviceError&) {
    // The copy has ended. Later operations of the executor throw the same error.
  }
}

void DelayedRead::start(const void* from) {
  executor_.backend().start_copy_to_host(buffer_.bytes().data(), from, buffer_.bytes().size());
  copied_.record();
  is_under_way_ = true;
}

std::span<const std::byte> DelayedRead::wait() {
  if (is_under_way_) copied_.wait();
  is_under_way_ = false;
  return std::as_const(buffer_).bytes();
}

}  // namespace gsim

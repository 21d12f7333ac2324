#include "gsim/exec/delayed_read.hpp"

#include <utility>

#include "gsim/core/error.hpp"
#include "src/exec/backend.hpp"

namespace gsim {

DelayedRead::DelayedRead(const Executor& executor, std::size_t bytes)
    : executor_(executor), buffer_(executor, bytes), event_(executor_.backend().make_event()) {}

DelayedRead::~DelayedRead() {
  try {
    wait();
  } catch (const DeviceError&) {
    // The copy has ended. Later operations of the executor throw the same error.
  }
}

void DelayedRead::start(const void* from) {
  executor_.backend().start_copy_to_host(buffer_.bytes().data(), from, buffer_.bytes().size());
  if (event_ != nullptr) event_->record();
  is_under_way_ = true;
}

std::span<const std::byte> DelayedRead::wait() {
  if (is_under_way_ && event_ != nullptr) event_->wait();
  is_under_way_ = false;
  return std::as_const(buffer_).bytes();
}

}  // namespace gsim

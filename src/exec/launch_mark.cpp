#include "gsim/exec/launch_mark.hpp"

#include "src/exec/backend.hpp"

namespace gsim {

LaunchMark::LaunchMark(const Executor& executor)
    : executor_(executor), event_(executor_.backend().make_event()) {}

LaunchMark::~LaunchMark() = default;

void LaunchMark::set() {
  if (event_ != nullptr) event_->record();
}

void LaunchMark::wait() {
  if (event_ != nullptr) event_->wait();
}

}  // namespace gsim

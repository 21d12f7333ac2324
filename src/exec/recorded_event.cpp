#include "gsim/exec/recorded_event.hpp"

#include "src/exec/backend.hpp"

namespace gsim {

RecordedEvent::RecordedEvent(const Executor& executor)
    : executor_(executor), event_(executor_.backend().make_event()) {}

RecordedEvent::~RecordedEvent() = default;

void RecordedEvent::record() {
  if (event_ != nullptr) event_->record();
}

void RecordedEvent::wait() {
  if (event_ != nullptr) event_->wait();
}

}  // namespace gsim

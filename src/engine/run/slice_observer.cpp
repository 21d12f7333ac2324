#include "slice_observer.hpp"

#include <utility>

#include "gsim/engine/slice_progress.hpp"

namespace gsim {
namespace {

/// Of this thread, since the ranks of a run may be threads of one process.
thread_local const std::function<void(double share)>* observer = nullptr;

}  // namespace

void report_share_of_slice(double share) {
  if (observer != nullptr) (*observer)(share);
}

namespace engine {

SliceObserver::SliceObserver(std::function<void(double share)> observe)
    : observe_(std::move(observe)), before_(observer) {
  observer = &observe_;
}

SliceObserver::~SliceObserver() { observer = before_; }

}  // namespace engine
}  // namespace gsim

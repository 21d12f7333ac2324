#pragma once
// Receives what modules report within Module::advance() (gsim/engine/slice_progress.hpp).

#include <functional>

namespace gsim::engine {

/// While it exists, report_share_of_slice() on this thread calls `observe`.
class SliceObserver {
 public:
  explicit SliceObserver(std::function<void(double share)> observe);
  ~SliceObserver();
  SliceObserver(const SliceObserver&) = delete;
  SliceObserver& operator=(const SliceObserver&) = delete;

 private:
  std::function<void(double share)> observe_;
  const std::function<void(double share)>* before_;
};

}  // namespace gsim::engine

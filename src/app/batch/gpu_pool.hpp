#pragma once
// The GPUs of a batch: how many tasks use each.

#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::app {

/// Free GPUs: each may be used by several tasks.
class GpuPool {
 public:
  GpuPool(Index gpus, Index tasks_per_gpu);

  bool has_gpus() const { return !users_.empty(); }
  Index size() const { return static_cast<Index>(users_.size()); }
  /// Number of GPUs that one more task may use.
  Index free() const;
  /// Takes the `count` different GPUs with the fewest users, count <= size().
  std::vector<Index> take(Index count);
  void give_back(const std::vector<Index>& gpus);

 private:
  std::vector<Index> users_;
  Index most_;
};

}  // namespace gsim::app

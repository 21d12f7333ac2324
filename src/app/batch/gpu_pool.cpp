#include "gpu_pool.hpp"

#include <algorithm>
#include <numeric>

namespace gsim::app {

GpuPool::GpuPool(Index gpus, Index tasks_per_gpu)
    : users_(static_cast<std::size_t>(gpus)), most_(tasks_per_gpu) {}

Index GpuPool::free() const {
  return std::count_if(users_.begin(), users_.end(), [&](Index users) { return users < most_; });
}

std::vector<Index> GpuPool::take(Index count) {
  std::vector<Index> gpus(users_.size());
  std::iota(gpus.begin(), gpus.end(), Index{0});
  const auto users = [&](Index gpu) -> Index& { return users_[static_cast<std::size_t>(gpu)]; };
  std::stable_sort(gpus.begin(), gpus.end(), [&](Index a, Index b) { return users(a) < users(b); });
  gpus.resize(static_cast<std::size_t>(count));
  for (const Index gpu : gpus) ++users(gpu);
  return gpus;
}

void GpuPool::give_back(const std::vector<Index>& gpus) {
  for (const Index gpu : gpus) --users_[static_cast<std::size_t>(gpu)];
}

}  // namespace gsim::app

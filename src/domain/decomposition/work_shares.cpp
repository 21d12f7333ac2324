#include "gsim/domain/work_shares.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace gsim {
namespace {

constexpr double shortest_time = 1e-3;      // seconds
constexpr double equal_within = 0.05;       // relative difference of speeds that noise explains
constexpr double smallest_relative = 0.02;  // a rank that stood still is measured again

}  // namespace

ReplicatedDecomposition WorkShares::divide(const Communicator& communicator,
                                           IndexRange items) const {
  if (speeds_.empty()) return {items, communicator.size()};
  return {items, std::span<const double>(speeds_)};
}

void WorkShares::measure(const Communicator& communicator, Index items, double seconds) {
  if (communicator.size() == 1) return;
  items_ += items;
  seconds_ += seconds;
  if (seconds_ >= shortest_time) {
    meter_.add(seconds_);
    meter_.end_interval(items_);
    items_ = 0;
    seconds_ = 0;
  }
  const double mine[] = {meter_.speed(communicator, 1.0)};
  speeds_ = communicator.allgather(std::span<const double>(mine));
  const auto [slowest, fastest] = std::minmax_element(speeds_.begin(), speeds_.end());
  if (*fastest <= (1 + equal_within) * *slowest) {
    speeds_.clear();
    return;
  }
  const double mean =
      std::accumulate(speeds_.begin(), speeds_.end(), 0.0) / static_cast<double>(speeds_.size());
  for (double& speed : speeds_) speed = std::max(speed / mean, smallest_relative);
}

}  // namespace gsim

#include "launcher_retries.hpp"

namespace gsim::app {

bool LauncherRetries::add(std::size_t task, Clock::time_point now) {
  constexpr int retries = 6;
  const int failures = failures_[task]++;
  if (failures == retries) return false;
  due_.emplace(now + std::chrono::milliseconds(500 << failures), task);
  return true;
}

std::vector<std::size_t> LauncherRetries::take_due(Clock::time_point now) {
  const auto end = due_.upper_bound(now);
  std::vector<std::size_t> tasks;
  for (auto at = due_.begin(); at != end; ++at) tasks.push_back(at->second);
  due_.erase(due_.begin(), end);
  return tasks;
}

}  // namespace gsim::app

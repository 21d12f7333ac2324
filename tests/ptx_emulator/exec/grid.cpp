#include "exec/grid.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace ptxemu {
namespace {
constexpr int instructions_per_turn = 2048;  ///< that each warp of a block executes in a round

/// The order in which blocks start; empty for the ascending order.
std::vector<std::uint32_t> order_of_blocks(const Launch& launch) {
  if (launch.seed == 0) return {};
  std::vector<std::uint32_t> order(launch.grid.count());
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937_64 engine(launch.seed);
  for (std::size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[engine() % n]);
  return order;
}
}  // namespace

Counts run_grid(const Launch& launch) {
  const std::vector<std::uint32_t> order = order_of_blocks(launch);
  const std::uint64_t count = launch.grid.count();
  std::uint64_t started = 0;
  std::unique_ptr<RaceCheck> races;
  if (launch.checks.races != Checks::Races::unchecked) races = std::make_unique<RaceCheck>(launch);
  std::vector<std::unique_ptr<Block>> resident;
  const auto start = [&] {
    resident.push_back(
        std::make_unique<Block>(launch, order.empty() ? started : order[started], races.get()));
    ++started;
  };
  Counts counts;
  int idle_rounds = 0;
  while (started < count || !resident.empty()) {
    // Start one more block if no block has ended for several rounds: running blocks may wait for
    // it.
    const auto max_idle_rounds = static_cast<int>(resident.size() / 4 + 1);
    if (started < count && (resident.empty() || idle_rounds >= max_idle_rounds)) {
      start();
      idle_rounds = 0;
    }
    for (const auto& block : resident) block->run(instructions_per_turn);
    const auto ended = std::stable_partition(resident.begin(), resident.end(),
                                             [](const auto& block) { return !block->ended(); });
    idle_rounds = ended == resident.end() ? idle_rounds + 1 : 0;
    for (auto block = ended; block != resident.end(); ++block) counts.add((*block)->counts());
    resident.erase(ended, resident.end());
  }
  return counts;
}

}  // namespace ptxemu

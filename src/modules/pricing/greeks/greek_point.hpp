#pragma once
// A market among those from which Greeks follow, in an executor's memory.

#include <algorithm>
#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {

/// One market in the executor's memory.
struct GreekPoint {
  using T = double;  // Greeks are differences, which float paths would not resolve

  PathTables<T> tables;
  bool has_paths;  ///< or only trades, on paths of others
  Array<std::int32_t> active;
  std::vector<LaunchedTrade<T>> launched;

  GreekPoint(const Executor& executor, bool are_simulated)
      : tables(executor), has_paths(are_simulated), active(executor, 0) {}

  /// The job for the trades in `list`, without blocks and memory.
  PathJob<T> job(const Executor& executor, const std::vector<std::int32_t>& list,
                 Index block_samples, Index tile_samples) {
    if (has_paths || !executor.is_cuda())  // a device reads those of batches
      active = Array<std::int32_t>(executor, std::span<const std::int32_t>(list));
    launched.clear();
    for (LaunchedTrade<T> l : tables.launched()) {
      const auto at = std::lower_bound(list.begin(), list.end(), l.position);
      if (at == list.end() || *at != l.position) continue;
      l.position = at - list.begin();
      launched.push_back(l);
    }
    PathJob<T> job{};
    job.paths = tables.paths();
    job.trade = tables.trades();
    job.models = tables.models().data();
    job.launched_models = static_cast<Index>(tables.models().size());
    job.active = active.view().data;
    job.active_trades = static_cast<Index>(list.size());
    job.launched = launched.data();
    job.launched_trades = static_cast<Index>(launched.size());
    job.block_samples = block_samples;
    job.tile_samples = tile_samples;
    return job;
  }
};

}  // namespace gsim::pricing

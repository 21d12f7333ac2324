#pragma once
// Runs a Simulation on an executor, block by block. Block b holds samples
// [b * block_samples, (b + 1) * block_samples) of the pseudo-random stream; with Sobol sampling,
// block b belongs to replicate b % replicates and holds points
// [(b / replicates) * block_samples, …) of that scrambling. What a block gives never depends on the
// range it is asked for in, nor on executor, threads or ranks.

#include <memory>
#include <span>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

class PathEngine {
 public:
  /// Copies the simulation to the executor's memory.
  PathEngine(Executor executor, const Simulation& simulation);
  ~PathEngine();

  /// Statistics of blocks [blocks.first, blocks.last) for the trades whose flag in `active` is
  /// non-zero, laid out [block][trade]; inactive trades keep count 0. The statistics of a trade of
  /// which a payoff is not finite are not finite either.
  std::vector<BlockStatistics> run(IndexRange blocks, std::span<const std::uint8_t> active);

  /// Asset path-steps simulated per block (the unit of `path-steps/s`).
  double path_steps_per_block() const;
  /// Device or host memory held, bytes; independent of the number of blocks.
  double bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim::pricing

#pragma once
// Runs a Simulation on an executor, block by block. Block b holds samples [b * block_samples, (b +
// 1) * block_samples) of the pseudo-random stream; with Sobol sampling, block b belongs to
// replicate b % replicates and holds points [(b / replicates) * block_samples, …) of that
// scrambling. The statistics of a block depend neither on the range of blocks in the call nor on
// executor, threads or ranks.

#include <memory>
#include <span>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

class PathEngine {
 public:
  virtual ~PathEngine() = default;

  /// Statistics of blocks [blocks.first, blocks.last) for the trades with a non-zero flag in
  /// `active`, in the order [block][trade]; inactive trades have count 0. If a payoff of a trade is
  /// not finite, its statistics are not finite either.
  virtual std::vector<BlockStatistics> run(IndexRange blocks,
                                           std::span<const std::uint8_t> active) = 0;
  /// Whether run() waits for a device, so that the caller's processor is free.
  virtual bool uses_device() const = 0;
  /// Asset path-steps simulated per block (the unit of `path-steps/s`).
  virtual double path_steps_per_block() const = 0;
  /// Device or host memory held, bytes; independent of the number of blocks.
  virtual double bytes() const = 0;
};

/// The engine of a nested simulation (Simulation::is_nested).
class NestedPathEngine : public PathEngine {
 public:
  /// Sets the branches: block b of run() holds the paths of branches[b].
  virtual void set_branches(std::span<const PathBranch> branches) = 0;
};

/// Creates the engine of a simulation, in its precision; the simulation is copied to the executor's
/// memory. Throws InputError if kernels cannot run it.
std::unique_ptr<PathEngine> make_path_engine(Executor executor, const Simulation& simulation);
/// The same for a nested simulation.
std::unique_ptr<NestedPathEngine> make_nested_engine(Executor executor,
                                                     const Simulation& simulation);

}  // namespace gsim::pricing

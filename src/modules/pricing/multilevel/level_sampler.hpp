#pragma once
// The samples of one level of one trade.

#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/multilevel/level_job.hpp"
#include "src/modules/pricing/multilevel/level_sums.hpp"
#include "src/modules/pricing/multilevel/multilevel_options.hpp"

namespace gsim::pricing {

class TablePacker;

/// Samples per block: pseudo-random ones, and points of one scrambling of the Sobol sequence.
inline constexpr Index level_block = 4096, level_points = 64;

/// Samples per block with these options.
Index level_block_samples(const PricingOptions& options);
/// Independent scramblings; 1 without Sobol points. Block b belongs to replicate b % replicates.
Index level_replicates(const PricingOptions& options);
/// The number of steps that a sample of a level takes: those of its paths together.
double level_cost(const MultilevelOptions& options, const PricingConfig& config,
                  const TradeConfig& trade, Index level);

/// Samples depend on the configuration, the seed, the level and their number alone. The levels are
/// independent of each other; trades have the same random numbers.
class LevelSamplerTables {
 public:
  LevelSamplerTables(const PricingConfig& config, const MultilevelOptions& options,
                     const TradeConfig& trade, Index level, const Context& context);
  LevelSamplerTables(const LevelSamplerTables&) = delete;
  LevelSamplerTables& operator=(const LevelSamplerTables&) = delete;

  /// The sums of each of the blocks.
  std::vector<LevelSums> run(IndexRange blocks);

 private:
  /// Fills `job_` but for the samples; every pointer comes from the packer.
  void pack(TablePacker& packer, const Simulation& fine, const Simulation* coarse);

  Executor executor_;
  Array<std::byte> memory_;
  LevelJob job_{};
  Index block_samples_, draws_;
};

}  // namespace gsim::pricing

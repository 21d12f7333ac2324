#include "src/modules/pricing/multilevel/level_sampler.hpp"

#include <algorithm>

#include "gsim/random/stream.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"
#include "src/modules/pricing/paths/separate_paths.hpp"

namespace gsim::pricing {
namespace {

/// Paths of the trade's asset with equal steps to the maturity.
Simulation equal_steps(const PricingConfig& config, const TradeConfig& trade, Index steps) {
  Simulation s;
  for (Index k = 1; k <= steps; ++k) {
    s.grid.times.push_back(trade.maturity * static_cast<double>(k) / static_cast<double>(steps));
    s.grid.record_of_step.push_back(-1);
  }
  s.assets = {make_dynamics(config.market, underlying_of(config, trade), s.grid)};
  s.factor = {1};
  return s;
}

LevelPayoffTerms payoff_terms(const PricingConfig& config, const TradeConfig& trade,
                              const TradeSetup& setup) {
  const double spot = underlying_of(config, trade).spot;
  const auto relative = [&](double level) { return logarithm(level / spot); };
  LevelPayoffTerms t{};
  const std::string_view name = trade.payoff->name;
  t.payoff = name == "european"   ? LevelPayoff::european
             : name == "digital"  ? LevelPayoff::digital
             : name == "asian"    ? LevelPayoff::asian
             : name == "lookback" ? LevelPayoff::lookback
                                  : LevelPayoff::barrier;
  t.spot = spot;
  t.discount = setup.discount;
  t.sign = trade.call ? 1 : -1;
  t.strike = t.payoff == LevelPayoff::digital ? relative(trade.strike) : trade.strike;
  t.cash = trade.cash;
  t.fixings = std::max<Index>(1, static_cast<Index>(trade.fixings.size()));
  t.floating = trade.floating;
  t.side = 1;
  if (t.payoff == LevelPayoff::lookback) {
    // A fixed strike: the maximum of a call, the minimum of a put; floating: the opposite.
    t.side = trade.call != trade.floating ? 1 : -1;
    if (trade.past_extreme > 0)
      t.extreme = t.side * std::max(t.side * relative(trade.past_extreme), 0.0);
  }
  if (t.payoff == LevelPayoff::barrier) {
    t.side = trade.up ? 1 : -1;
    t.barrier = t.side * relative(trade.barrier);
    t.knock_in = trade.knock_in;
  }
  return t;
}

}  // namespace

Index level_block_samples(const PricingOptions& o) {
  return o.sampling == Sampling::sobol ? level_points : level_block;
}
Index level_replicates(const PricingOptions& o) {
  return o.sampling == Sampling::sobol ? o.replicates : 1;
}

double level_cost(const MultilevelOptions& o, const PricingConfig& config, const TradeConfig& trade,
                  Index level) {
  const auto steps = static_cast<double>(steps_of(o, level));
  if (level == 0) return steps;
  const bool is_antithetic = functions_of(underlying_of(config, trade)).has_own_variance;
  return steps * (is_antithetic ? 2 : 1) + static_cast<double>(steps_of(o, level - 1));
}

LevelSamplerTables::LevelSamplerTables(const PricingConfig& config,
                                       const MultilevelOptions& options, const TradeConfig& trade,
                                       Index level, const Context& context)
    : executor_(context.executor),
      memory_(context.executor, 0),
      block_samples_(level_block_samples(config.options)) {
  const AssetConfig& asset = underlying_of(config, trade);
  Simulation fine = equal_steps(config, trade, steps_of(options, level));
  // Every level has its own random numbers.
  fine.seed = context.seed + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(level + 1);
  fine.sampling = config.options.sampling;
  fine.replicates = level_replicates(config.options);
  fine.block_samples = block_samples_;
  fine.brownian_bridge = config.options.brownian_bridge;
  Simulation coarse;
  if (level > 0) coarse = equal_steps(config, trade, steps_of(options, level - 1));
  job_.fine_steps = steps_of(options, level);
  job_.ratio = level > 0 ? options.refinement : 1;
  job_.is_antithetic = level > 0 && functions_of(asset).has_own_variance;
  job_.rho = fine.assets.front().rho;
  job_.normals = stream_key({fine.seed, Purpose::pricing_path_normals});
  job_.bridge = stream_key({fine.seed, Purpose::pricing_bridge});
  draws_ = job_.fine_steps * (1 + further_normals(fine.assets.front()));
  const PricingSetup whole =
      set_up(portfolio_of_one(config, trade), Arithmetic::strict, context.seed);
  job_.terms = payoff_terms(config, trade, whole.simulation.trades.front());
  const Simulation* next = level > 0 ? &coarse : nullptr;
  TablePacker measure(nullptr);
  pack(measure, fine, next);
  memory_.resize_discard(static_cast<Index>(measure.image().size()));
  TablePacker packer(memory_.view().data);
  pack(packer, fine, next);
  memory_.assign(packer.image());
}

void LevelSamplerTables::pack(TablePacker& packer, const Simulation& fine,
                              const Simulation* coarse) {
  job_.fine = pack_asset<double>(packer, fine, 0, AssetRows{}, -1);
  if (coarse != nullptr) job_.coarse = pack_asset<double>(packer, *coarse, 0, AssetRows{}, -1);
  if (fine.sampling == Sampling::sobol)
    job_.sobol = pack_sobol<double>(packer, fine, 1 + further_normals(fine.assets.front()));
}

std::vector<LevelSums> LevelSamplerTables::run(IndexRange blocks) {
  // Samples at once; with Sobol points their normals are stored, in 64 megabytes.
  constexpr Index most_samples = 1 << 18, most_normals = 1 << 23;
  Index at_once = most_samples / block_samples_;
  const bool has_points = job_.sobol.dimensions > 0;
  if (has_points) at_once = std::clamp(most_normals / (draws_ * block_samples_), Index{1}, at_once);
  std::vector<LevelSums> sums;
  for (Index first = blocks.first; first < blocks.last; first += at_once) {
    const Index count = std::min(at_once, blocks.last - first);
    Array<double> differences(executor_, count * block_samples_),
        values(executor_, count * block_samples_),
        stored(executor_, has_points ? count * block_samples_ * draws_ : 0);
    LevelJob job = job_;
    job.first = static_cast<std::uint64_t>(first * block_samples_);
    job.count = count * block_samples_;
    job.differences = differences.view().data;
    job.values = values.view().data;
    job.stored = stored.view().data;
    sample_level(executor_, job);
    for (Index b = 0; b < count; ++b) {
      const auto at = static_cast<std::size_t>(b * block_samples_);
      const auto size = static_cast<std::size_t>(block_samples_);
      sums.push_back(level_sums({job.differences + at, size}, {job.values + at, size}));
    }
  }
  return sums;
}

}  // namespace gsim::pricing

// The payoff of a trade if today were its maturity.

#include "kernels/pricing/payoffs/evaluate.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;

double value_today(const Simulation& simulation, const ExerciseSetup& exercise) {
  TradeSetup payoff = exercise.values.front();
  payoff.records = {0};
  // A tile of one path and one record, at which spots are today's.
  std::vector<double> spots;
  std::vector<AssetRows> rows;
  for (const AssetDynamics& asset : simulation.assets) {
    AssetRows row;
    row.spot = static_cast<std::int32_t>(spots.size());
    row.log = row.spot + 1;
    rows.push_back(row);
    spots.push_back(exponential(asset.log_spot));
    spots.push_back(0);  // the logarithm relative to S(0)
  }
  // The addresses of the tables follow once their size is known.
  TablePacker measure(nullptr);
  pack_trade<double>(measure, simulation, payoff);
  std::vector<std::byte> memory(measure.image().size());
  TablePacker packer(memory.data());
  const TradeView<double> view = pack_trade<double>(packer, simulation, payoff);
  std::copy(packer.image().begin(), packer.image().end(), memory.begin());
  const Tile<double> tile{spots.data(), 1, static_cast<Index>(spots.size()), rows.data()};
  double value = 0;
  evaluate_paths<Strict, double>(view.payoff, tile, 0, 1, &value);
  return payoff.conversion * value;
}

}  // namespace gsim::pricing

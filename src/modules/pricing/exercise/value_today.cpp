// What exercise today pays.

#include "kernels/pricing/payoffs/evaluate.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

/// Paths of the tile on which the payoff is evaluated, all of them equal: as many as launchers of
/// payoffs evaluate together.
constexpr Index equal_paths = 64;

/// A tile with one record, at which spots, and the extremes of the path so far, are today's.
struct TodaysTile {
  std::vector<double> rows;
  std::vector<AssetRows> assets;

  explicit TodaysTile(const Simulation& simulation) {
    for (const AssetDynamics& asset : simulation.assets) {
      AssetRows of_asset;
      of_asset.spot = static_cast<std::int32_t>(assets.size() * 2);
      // Logarithms relative to S(0).
      of_asset.log = of_asset.maximum = of_asset.minimum = of_asset.spot + 1;
      assets.push_back(of_asset);
      rows.insert(rows.end(), equal_paths, exponential(asset.log_spot));
      rows.insert(rows.end(), equal_paths, 0);
    }
  }

  Tile<double> tile() {
    return {rows.data(), equal_paths, static_cast<Index>(2 * assets.size()), assets.data()};
  }
};

/// What `pack` returns for a packer of tables in `memory`, in which they are then.
template <class Pack>
auto pack_into(std::vector<std::byte>& memory, const Pack& pack) {
  // The addresses of the tables follow once their size is known.
  TablePacker measure(nullptr);
  pack(measure);
  memory.resize(measure.image().size());
  TablePacker packer(memory.data());
  const auto view = pack(packer);
  std::copy(packer.image().begin(), packer.image().end(), memory.begin());
  return view;
}

/// Evaluates a payoff by its launcher on the host.
double launched_value(const TradeSetup& payoff, const Tile<double>& tile) {
  std::vector<std::byte> memory;
  PayoffJob<double> job = pack_into(memory, [&](TablePacker& p) {
                            return pack_launched<double>(p, payoff, Arithmetic::strict);
                          }).job;
  std::vector<double> values(equal_paths), samples(equal_paths);
  job.tile = tile;
  job.discount = 1;
  job.samples = equal_paths;
  job.values = values.data();
  job.sample = samples.data();
  payoff.kind->launchers.f64_strict(Executor::host(1), job);
  return samples.front();
}

}  // namespace

double value_today(const Simulation& simulation, const ExerciseSetup& exercise) {
  const TradeSetup& payoff = *exercise.today;
  TodaysTile today(simulation);
  double value = 0;
  if (payoff.payoff == PayoffFormula::launched) {
    value = launched_value(payoff, today.tile());
  } else {
    std::vector<std::byte> memory;
    const TradeView<double> view = pack_into(
        memory, [&](TablePacker& p) { return pack_trade<double>(p, simulation, payoff); });
    evaluate_paths<Strict, double>(view.payoff, today.tile(), 0, 1, &value);
  }
  return exercise.today_discount * value;
}

}  // namespace gsim::pricing

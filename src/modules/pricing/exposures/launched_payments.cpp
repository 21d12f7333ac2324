#include "src/modules/pricing/exposures/launched_payments.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gsim/exec/array.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// The simulation records the spots of some of its trade's assets at the records.
Simulation spot_recording(const Simulation& simulation, std::vector<Index> assets,
                          const std::vector<Index>& records) {
  TradeSetup forward;
  forward.name = simulation.trades.front().name;
  forward.payoff = PayoffFormula::forward;
  forward.combination = assets.size() > 1 ? Combination::weighted_sum : Combination::single;
  forward.weights.assign(assets.size(), 1.0);
  forward.assets = std::move(assets);
  auto exercise = std::make_shared<ExerciseSetup>();
  for (const Index record : records) {
    forward.records = {record};
    exercise->values.push_back(forward);
    exercise->decision_discount.push_back(1);
  }
  exercise->records = records;
  exercise->variables.spots = static_cast<Index>(forward.assets.size());
  exercise->functions = basis_functions(exercise->variables.count(), 0);
  Simulation recording = simulation;
  recording.unused.assign(recording.assets.size(), 1);
  for (const Index i : forward.assets) recording.unused[static_cast<std::size_t>(i)] = 0;
  forward.exercise = std::move(exercise);
  recording.trades = {std::move(forward)};
  return recording;
}

/// The undiscounted samples of a launched payoff on the paths of a tile, times the discount factor.
std::vector<double> samples_of(const TradeSetup& setup, Arithmetic arithmetic,
                               const Tile<double>& tile, const Executor& executor) {
  TablePacker measure(nullptr);  // determines the size of the memory
  pack_launched<double>(measure, setup, arithmetic);
  Array<std::byte> memory(executor, static_cast<Index>(measure.image().size()));
  TablePacker packer(memory.view().data);
  const LaunchedTrade<double> launched = pack_launched<double>(packer, setup, arithmetic);
  memory.assign(packer.image());
  Array<double> samples(executor, tile.stride), values(executor, tile.stride);
  PayoffJob<double> job = launched.job;
  job.tile = tile;
  job.samples = tile.stride;
  job.antithetic_offset = 0;
  job.values = values.view().data;
  job.sample = samples.view().data;
  launched.sample(executor, job);
  return samples.to_host();
}

}  // namespace

LaunchedPayments::LaunchedPayments(const TradeConfig& trade, const MarketView& view,
                                   const TradeSetup& whole, const std::vector<double>& dates)
    : assets_(static_cast<Index>(whole.assets.size())), dates_(dates.size()) {
  records_ = whole.records;
  for (const double date : dates) records_.push_back(record_at(*view.records, date));
  std::sort(records_.begin(), records_.end());
  records_.erase(std::unique(records_.begin(), records_.end()), records_.end());
  const auto position = [&](Index record) {
    return std::lower_bound(records_.begin(), records_.end(), record) - records_.begin();
  };
  TradeSetup own = whole;
  std::iota(own.assets.begin(), own.assets.end(), Index{0});
  for (Index& record : own.records) record = position(record);
  // The payoff with payments after `date` alone.
  const auto paid_after = [&](double date) {
    TradeSetup setup = own;
    if (trade.script != nullptr)
      setup.numbers = script_numbers(trade, view.paid_in(trade.currency), own.records.size(), date);
    else
      for (std::size_t k = 0; k < setup.growth.size(); ++k)
        if ((*view.records)[static_cast<std::size_t>(whole.records[k])] <= date)
          setup.growth[k] = 0;
    return setup;
  };
  add(own, &PaymentsOnPaths::total, 0);
  for (std::size_t d = 0; d < dates.size(); ++d) {
    const Index record = record_at(*view.records, dates[d]);
    const bool is_fixing =
        std::find(whole.records.begin(), whole.records.end(), record) != whole.records.end();
    const bool is_last = d + 1 == dates.size();
    // `paid` first holds the payments at the date and after it.
    if (is_fixing) add(paid_after(dates[d] - same_date), &PaymentsOnPaths::paid, d);
    if (is_last) break;
    TradeSetup later = paid_after(dates[d] + same_date);
    add(later, &PaymentsOnPaths::later, d);
    for (Index& fixing : later.records) fixing = std::min(fixing, position(record));
    add(std::move(later), &PaymentsOnPaths::state, d);
  }
}

void LaunchedPayments::add(TradeSetup setup, std::vector<double> PaymentsOnPaths::*result,
                           std::size_t date) {
  evaluations_.push_back({std::move(setup), result, date});
}

Index LaunchedPayments::rows() const {
  return evaluations_.front().setup.kind->reads_logs ? 2 * assets_ : assets_;
}

double LaunchedPayments::bytes() const {
  return 2 * sizeof(double) * static_cast<double>(records_.size()) * static_cast<double>(rows()) *
         static_cast<double>(regression_block);
}

std::vector<double> LaunchedPayments::spots(const Simulation& simulation, Index first,
                                            const Context& alone) const {
  const auto n = static_cast<std::size_t>(regression_block);
  const auto stride = static_cast<std::size_t>(rows()) * n;
  std::vector<double> tile(records_.size() * stride);
  const std::vector<Index>& assets = simulation.trades.front().assets;
  for (Index from = 0; from < assets_; from += max_variables) {
    const Index count = std::min<Index>(max_variables, assets_ - from);
    const RecordedStates states(
        spot_recording(simulation, {assets.begin() + from, assets.begin() + from + count},
                       records_),
        first, 1, regression_block, false, alone);
    const std::vector<double> recorded = states.variables_to_host();
    const std::size_t part = static_cast<std::size_t>(count) * n;
    for (std::size_t r = 0; r < records_.size(); ++r)
      std::copy_n(recorded.begin() + static_cast<Index>(r * part), part,
                  tile.begin() + static_cast<Index>(r * stride) + from * regression_block);
  }
  if (rows() == assets_) return tile;
  for (std::size_t r = 0; r < records_.size(); ++r)
    for (Index a = 0; a < assets_; ++a) {
      const Index asset = assets[static_cast<std::size_t>(a)];
      const double log_spot = simulation.assets[static_cast<std::size_t>(asset)].log_spot;
      double* const spot = tile.data() + r * stride + static_cast<std::size_t>(a) * n;
      for (std::size_t p = 0; p < n; ++p)
        spot[static_cast<std::size_t>(assets_) * n + p] = logarithm(spot[p]) - log_spot;
    }
  return tile;
}

PaymentsOnPaths LaunchedPayments::evaluate(const Simulation& simulation, Index first, Index paths,
                                           const Context& alone) const {
  PaymentsOnPaths result;
  const auto n = static_cast<std::size_t>(paths);
  result.total.assign(n, 0.0);
  for (auto* values : {&result.later, &result.paid, &result.state}) values->assign(dates_ * n, 0.0);
  std::vector<AssetRows> rows_of_assets;
  for (Index a = 0; a < assets_; ++a) {
    AssetRows rows_of_asset;
    rows_of_asset.spot = static_cast<std::int32_t>(a);
    rows_of_asset.log = static_cast<std::int32_t>(a + assets_);
    rows_of_assets.push_back(rows_of_asset);
  }
  const Executor& executor = alone.executor;
  const Array<AssetRows> asset(executor, std::span<const AssetRows>(rows_of_assets));
  for (Index start = 0; start < paths; start += regression_block) {
    const std::vector<double> tile_of_block = spots(simulation, first + start, alone);
    Array<double> memory(executor, std::span<const double>(tile_of_block));
    const Tile<double> tile{memory.view().data, regression_block, rows(), asset.view().data};
    const auto run = [&](Index e, int) {
      const Evaluation& evaluation = evaluations_[static_cast<std::size_t>(e)];
      const std::vector<double> samples =
          samples_of(evaluation.setup, simulation.arithmetic, tile, executor);
      std::copy(
          samples.begin(), samples.end(),
          (result.*evaluation.result).begin() + static_cast<Index>(evaluation.date * n) + start);
    };
    const auto count = static_cast<Index>(evaluations_.size());
    if (executor.is_cuda())
      for (Index e = 0; e < count; ++e) run(e, 0);
    else
      executor.pool().for_each(count, run);
  }
  for (const Evaluation& e : evaluations_) {
    if (e.result != &PaymentsOnPaths::paid) continue;
    for (std::size_t i = e.date * n; i < (e.date + 1) * n; ++i) result.paid[i] -= result.later[i];
  }
  return result;
}

}  // namespace gsim::pricing

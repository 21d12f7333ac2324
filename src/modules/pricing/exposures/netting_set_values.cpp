#include "src/modules/pricing/exposures/netting_set_values.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// The samples of the regressions of all units; those of exercise policies come later.
constexpr Index first_exposure_regression_sample = Index{1} << 51;

/// Returns freed memory to the system. The C library (glibc) keeps arrays below 32 MiB, whose holes
/// those of the next trades, which have other sizes, fill badly.
void release_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

Context alone(const Context& context) {
  Context copy = context;
  copy.communicator = Communicator::self();
  return copy;
}

}  // namespace

NettingSetValuation::NettingSetValuation(const PricingConfig& config,
                                         const ExposureOptions& options, std::vector<double> dates,
                                         const Context& context, double group_bytes)
    : config_(&config), options_(&options), dates_(std::move(dates)), alone_(alone(context)) {
  PricingConfig recorded = config;
  for (TradeConfig& trade : recorded.trades) trade.exercise.dates = exposure_dates(trade, dates_);
  // Also the dates after all maturities, for the Brownian motions of wrong-way risk.
  std::vector<double>& all = recorded.trades.front().exercise.dates;
  all.insert(all.end(), dates_.begin(), dates_.end());
  add_base_measures(recorded);
  setup_ = set_up_paths(recorded, context.arithmetic, context.seed);
  setup_.simulation.precision = Precision::float64;
  group_trades(group_bytes);
  std::set<Conversion> conversions;
  std::set<Index> rates;
  for (std::size_t i = 0; i < config_->trades.size(); ++i)
    if (!options_->base_measures[i].is_own()) conversions.insert(conversion_of(i));
  for (const NettingSet& set : options_->sets)
    if (set.numeraire >= 0) rates.insert(set.numeraire);
  conversions_ = conversions.size() + rates.size();
}

void NettingSetValuation::group_trades(double group_bytes) {
  const UnitSamples unit = samples(0);
  const double threads = alone_.executor.is_cuda() ? 1 : alone_.executor.threads();
  double bytes = 0, work = 0, values = 0;  // of the last group
  for (std::size_t i = 0; i < config_->trades.size(); ++i) {
    const ExposedTrade trade = exposed(i);
    closed_ += trade.is_closed() ? 1 : 0;
    incomplete_ += trade.is_incomplete() ? 1 : 0;
    const auto at = static_cast<Index>(i);
    const double of_trade = trade.bytes(unit);
    if (groups_.empty() || bytes + of_trade > group_bytes) {
      groups_.push_back({at, at});
      bytes = work = values = 0;
    }
    groups_.back().last = at + 1;
    bytes += of_trade;
    values += trade.bytes_of_values(unit);
    work = std::max(work, trade.bytes_of_work(unit));
    // What was recorded of a trade is released when its values are known.
    group_bytes_ = std::max(group_bytes_, std::max(bytes, values) + threads * work);
  }
}

NettingSetValuation::Conversion NettingSetValuation::conversion_of(std::size_t trade) const {
  const BaseMeasure& measure = options_->base_measures[trade];
  return {config_->trades[trade].currency, measure.own_numeraire, measure.numeraire};
}

void NettingSetValuation::add_base_measures(PricingConfig& recorded) const {
  for (std::size_t i = 0; i < config_->trades.size(); ++i) {
    const BaseMeasure& measure = options_->base_measures[i];
    if (measure.assets.empty()) continue;
    TradeConfig trade = recorded.trades[i];
    for (const CurrencyLeg& leg : measure.legs)
      recorded.trades.push_back(spot_position(leg.pair, trade.maturity));
    trade.assets = measure.assets;
    trade.currency = base_currency;
    recorded.trades.push_back(std::move(trade));
  }
}

ExposedTrade NettingSetValuation::exposed(std::size_t trade) const {
  const MarketView view{&config_->market, &setup_.dates};
  return {config_->trades[trade],        dates_, config_->options.exercise, view, setup_,
          options_->base_measures[trade]};
}

UnitSamples NettingSetValuation::samples(Index unit) const {
  const Index paths = options_->paths, regression_paths = options_->regression_paths;
  return {unit * paths, paths, first_exposure_regression_sample + unit * regression_paths,
          regression_paths};
}

UnitPaths NettingSetValuation::unit_paths(Index unit) const {
  return {setup_,
          {&config_->market, &setup_.dates},
          config_->options.exercise,
          dates_,
          unit * options_->paths,
          options_->paths,
          alone_};
}

std::vector<std::shared_ptr<const std::vector<double>>> NettingSetValuation::set_numeraires(
    const UnitPaths& unit) const {
  std::map<Index, std::shared_ptr<const std::vector<double>>> of_rate = {{-1, nullptr}};
  std::vector<std::shared_ptr<const std::vector<double>>> list;
  for (const NettingSet& set : options_->sets) {
    const Index rate = set.numeraire;
    if (!of_rate.contains(rate)) {
      const BaseMeasure own{{}, {}, rate, rate};
      of_rate[rate] =
          std::make_shared<const std::vector<double>>(inverse_numeraires(unit, rate, own));
    }
    list.push_back(of_rate[rate]);
  }
  return list;
}

NettingSetValues NettingSetValuation::evaluate(Index unit,
                                               const std::function<void(double)>& report) const {
  const Index paths = options_->paths;
  const auto sets = static_cast<Index>(options_->sets.size());
  const UnitPaths on_paths = unit_paths(unit);
  NettingSetValues sums{paths, static_cast<Index>(dates_.size()), {}, {}, set_numeraires(on_paths)};
  sums.before.assign(static_cast<std::size_t>(sets * sums.dates * paths), 0.0);
  sums.after = sums.before;
  sums.today.assign(options_->sets.size(), 0.0);
  // Trades in one currency, and on one rate, of a set have one conversion.
  std::map<Conversion, std::vector<double>> conversions;
  for (const IndexRange group : groups_) {
    const std::vector<TradeValues> values = values_of(group, samples(unit));
    release_freed_memory();
    for (Index t = group.first; t < group.last; ++t) {
      const auto i = static_cast<std::size_t>(t);
      const BaseMeasure& measure = options_->base_measures[i];
      const std::vector<double>* conversion = nullptr;
      if (!measure.is_own()) {
        const auto [at, is_new] = conversions.try_emplace(conversion_of(i));
        if (is_new) {
          const auto set = static_cast<std::size_t>(options_->set_of_trade[i]);
          const auto& inverse = sums.inverse_numeraire[set];
          at->second = conversion_on_paths(on_paths, measure, config_->trades[i].currency,
                                           inverse ? *inverse : std::vector<double>());
        }
        conversion = &at->second;
      }
      add_trade(i, values[static_cast<std::size_t>(t - group.first)], conversion, sums);
    }
    if (report)
      report(static_cast<double>(group.last) / static_cast<double>(config_->trades.size()));
  }
  return sums;
}

std::vector<TradeValues> NettingSetValuation::values_of(IndexRange group,
                                                        const UnitSamples& samples) const {
  std::vector<ExposedTrade> trades;
  std::vector<PathRecording> recordings;
  for (Index t = group.first; t < group.last; ++t) {
    trades.push_back(exposed(static_cast<std::size_t>(t)));
    const auto& of_trade = trades.back().recordings();
    recordings.insert(recordings.end(), of_trade.begin(), of_trade.end());
  }
  const PathRecorder recorder(setup_, {&config_->market, &setup_.dates}, alone_);
  std::vector<RecordedStates> states = recorder.record(recordings, samples);
  std::vector<std::vector<RecordedStates>> of_trades;
  auto next = states.begin();
  for (const ExposedTrade& trade : trades) {
    const auto last = next + static_cast<Index>(trade.recordings().size());
    of_trades.emplace_back(std::make_move_iterator(next), std::make_move_iterator(last));
    next = last;
  }
  std::vector<TradeValues> values(trades.size());
  const auto evaluate = [&](Index i, const Context& context) {
    const auto t = static_cast<std::size_t>(i);
    values[t] = trades[t].evaluate(std::move(of_trades[t]), samples, context);
  };
  if (alone_.executor.is_cuda()) {
    for (Index i = 0; i < group.size(); ++i) evaluate(i, alone_);
    return values;
  }
  // Each thread evaluates whole trades, since a unit may have too few paths for all of them.
  std::vector<Context> contexts(static_cast<std::size_t>(alone_.executor.threads()), alone_);
  for (Context& context : contexts) {
    context.communicator = Communicator::self();
    context.executor = Executor::host(1, alone_.executor.target());
    context.timer = nullptr;
  }
  alone_.executor.pool().for_each(group.size(), [&](Index i, int worker) {
    evaluate(i, contexts[static_cast<std::size_t>(worker)]);
  });
  return values;
}

void NettingSetValuation::add_trade(std::size_t i, const TradeValues& values,
                                    const std::vector<double>* conversion,
                                    NettingSetValues& sums) const {
  const TradeConfig& trade = config_->trades[i];
  const Index paths = sums.paths;
  sums.today[static_cast<std::size_t>(options_->set_of_trade[i])] += trade.quantity * values.today;
  const auto dates_before = static_cast<Index>(values.values.size()) / paths;
  const double paid = trade.maturity + trade.payment_lag;
  for (Index d = 0; d < sums.dates; ++d) {
    const double date = dates_[static_cast<std::size_t>(d)];
    const bool is_known = d >= dates_before;  // from the maturity on
    if (is_known && date > paid + same_date) break;
    const double* const from = is_known ? values.payment.data() : values.values.data() + d * paths;
    const double* const rest = is_known ? from : values.after.data() + d * paths;
    const Index at = (options_->set_of_trade[i] * sums.dates + d) * paths;
    for (Index p = 0; p < paths; ++p) {
      const double paid_at =
          values.paid_at.empty() ? paid : values.paid_at[static_cast<std::size_t>(p)];
      if (is_known && date > paid_at + same_date) continue;
      const double factor =
          conversion != nullptr ? (*conversion)[static_cast<std::size_t>(d * paths + p)] : 1;
      sums.before[static_cast<std::size_t>(at + p)] += trade.quantity * (from[p] * factor);
      if (!is_known || date < paid_at - same_date)
        sums.after[static_cast<std::size_t>(at + p)] += trade.quantity * (rest[p] * factor);
    }
  }
}

std::vector<double> NettingSetValuation::spot_normals(Index unit, Index asset) const {
  const MarketView view{&config_->market, &setup_.dates};
  const Index paths = options_->paths;
  const std::vector<double> spots = discounted_spots(unit_paths(unit), asset);
  std::vector<double> normals(spots.size());
  double variance_so_far = 0;
  for (std::size_t d = 0; d < dates_.size(); ++d) {
    const double total = view.variance(asset, dates_[d]), variance = total - variance_so_far;
    const double mean = view.discount(dates_[d]) * view.forward(asset, dates_[d]);
    const double mean_before =
        d == 0 ? view.spot(asset)
               : view.discount(dates_[d - 1]) * view.forward(asset, dates_[d - 1]);
    variance_so_far = total;
    if (!(variance > 0)) continue;
    for (Index p = 0; p < paths; ++p) {
      const std::size_t i = d * static_cast<std::size_t>(paths) + static_cast<std::size_t>(p);
      const double before = d == 0 ? view.spot(asset) : spots[i - static_cast<std::size_t>(paths)];
      const double change = logarithm((spots[i] / before) / (mean / mean_before));
      normals[i] = (change + 0.5 * variance) / std::sqrt(variance);
    }
  }
  return normals;
}

double NettingSetValuation::bytes() const {
  // Columns of [date][path]: the values of sets before and after payments, conversions and
  // numeraires; and of a conversion, or of the normals of wrong-way risk, the recorded paths.
  constexpr std::size_t columns_of_recording = 5;
  const double column =
      sizeof(double) * static_cast<double>(dates_.size()) * static_cast<double>(options_->paths);
  const bool has_wrong_way =
      std::any_of(options_->sets.begin(), options_->sets.end(),
                  [](const NettingSet& set) { return set.wrong_way.asset >= 0; });
  const double recording = conversions_ > 0 || has_wrong_way ? columns_of_recording * column : 0;
  return static_cast<double>(2 * options_->sets.size() + conversions_) * column +
         std::max(group_bytes_, recording);
}

}  // namespace gsim::pricing

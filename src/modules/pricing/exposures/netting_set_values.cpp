#include "src/modules/pricing/exposures/netting_set_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// The samples of the regressions of all units; those of exercise policies come later.
constexpr Index first_exposure_regression_sample = Index{1} << 51;

Context alone(const Context& context) {
  Context copy = context;
  copy.communicator = Communicator::self();
  return copy;
}

}  // namespace

NettingSetValuation::NettingSetValuation(const PricingConfig& config,
                                         const ExposureOptions& options, std::vector<double> dates,
                                         const Context& context)
    : config_(&config), options_(&options), dates_(std::move(dates)), alone_(alone(context)) {
  PricingConfig recorded = config;
  for (TradeConfig& trade : recorded.trades) trade.exercise.dates = exposure_dates(trade, dates_);
  // Also the dates after all maturities, for the Brownian motions of wrong-way risk.
  std::vector<double>& all = recorded.trades.front().exercise.dates;
  all.insert(all.end(), dates_.begin(), dates_.end());
  add_base_measures(recorded);
  setup_ = set_up_paths(recorded, context.arithmetic, context.seed);
  setup_.simulation.precision = Precision::float64;
  for (std::size_t i = 0; i < config_->trades.size(); ++i) {
    const ExposedTrade trade = exposed(i);
    closed_ += trade.is_closed() ? 1 : 0;
    incomplete_ += trade.is_incomplete() ? 1 : 0;
    trade_bytes_ = std::max(trade_bytes_, trade.bytes(samples(0)));
  }
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

NettingSetValues NettingSetValuation::evaluate(Index unit) const {
  const Index paths = options_->paths;
  const auto sets = static_cast<Index>(options_->sets.size());
  NettingSetValues sums{paths, static_cast<Index>(dates_.size()), {}, {}, {}};
  sums.are_rates.assign(options_->sets.size(), 0);
  sums.before.assign(static_cast<std::size_t>(sets * sums.dates * paths), 0.0);
  sums.after = sums.before;
  for (std::size_t i = 0; i < config_->trades.size(); ++i) {
    const TradeConfig& trade = config_->trades[i];
    const TradeValues values = exposed(i).evaluate(samples(unit), alone_);
    const auto dates_before = static_cast<Index>(values.values.size()) / paths;
    if (config_->market.assets[static_cast<std::size_t>(trade.assets.front())].is_rate())
      sums.are_rates[static_cast<std::size_t>(options_->set_of_trade[i])] = 1;
    const double paid = trade.maturity + trade.payment_lag;
    for (Index d = 0; d < sums.dates; ++d) {
      const double date = dates_[static_cast<std::size_t>(d)];
      const bool is_known = d >= dates_before;  // from the maturity on
      if (is_known && date > paid + same_date) break;
      const double* const from =
          is_known ? values.payment.data() : values.values.data() + d * paths;
      const double* const rest = is_known ? from : values.after.data() + d * paths;
      const bool is_paid = is_known && date > paid - same_date;
      const Index at = (options_->set_of_trade[i] * sums.dates + d) * paths;
      for (Index p = 0; p < paths; ++p) {
        sums.before[static_cast<std::size_t>(at + p)] += trade.quantity * from[p];
        if (!is_paid) sums.after[static_cast<std::size_t>(at + p)] += trade.quantity * rest[p];
      }
    }
  }
  return sums;
}

std::vector<double> NettingSetValuation::spot_normals(Index unit, Index asset) const {
  const MarketView view{&config_->market, &setup_.dates};
  const Index paths = options_->paths;
  const std::vector<double> spots =
      discounted_spots(spot_simulation(asset, dates_, config_->options.exercise, view, setup_),
                       unit * paths, paths, alone_);
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
  return trade_bytes_ + 2 * sizeof(double) *
                            static_cast<double>(options_->sets.size() * dates_.size()) *
                            static_cast<double>(options_->paths);
}

}  // namespace gsim::pricing

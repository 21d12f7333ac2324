#include "src/modules/pricing/exposures/netting_set_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gsim/core/error.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// The samples of the regressions of all units; those of exercise policies come later.
constexpr Index first_exposure_regression_sample = Index{1} << 51;

const PayoffKind& builtin_payoff(std::string_view name) {
  for (const PayoffKind* kind : builtin_payoffs())
    if (kind->name == name) return *kind;
  throw Error("internal error: there is no payoff " + std::string(name));
}

/// The same trade as a European option.
TradeConfig as_vanilla(TradeConfig trade) {
  trade.payoff = &builtin_payoff("european");
  trade.continuous = false;
  trade.fixings.clear();
  trade.past_fixings.clear();
  return trade;
}

/// The trade as a sum of trades whose values end at 0 where they are knocked out: an option that is
/// knocked in is the European option less the one that is knocked out.
std::vector<TradeConfig> parts_of(const TradeConfig& trade) {
  if (!trade.knock_in) return {trade};
  TradeConfig out = trade;
  out.knock_in = false;
  out.quantity = -trade.quantity;
  return {as_vanilla(trade), out};
}

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
  parts_.options = config.options;
  parts_.options.control_variates = ControlVariates::none;
  parts_.market = config.market;
  parts_.longest_step = config.longest_step;
  for (std::size_t t = 0; t < config.trades.size(); ++t)
    for (const TradeConfig& part : parts_of(config.trades[t])) {
      parts_.trades.push_back(part);
      set_.push_back(options.set_of_trade[t]);
    }
  PricingConfig recorded = parts_;
  for (TradeConfig& trade : recorded.trades) trade.exercise.dates = exposure_dates(trade, dates_);
  setup_ = set_up_paths(recorded, context.arithmetic, context.seed);
  setup_.simulation.precision = Precision::float64;
  for (std::size_t i = 0; i < parts_.trades.size(); ++i) {
    // Before the policies of early exercise are known, its trades count as those without.
    if (parts_.trades[i].exercise.is_early() && parts_.trades[i].exercise.policy == nullptr)
      continue;
    const ExposedTrade trade = exposed(i);
    closed_ += trade.is_closed() ? 1 : 0;
    incomplete_ += trade.is_incomplete() ? 1 : 0;
    trade_bytes_ = std::max(trade_bytes_, trade.bytes(samples(0)));
  }
}

ExposedTrade NettingSetValuation::exposed(std::size_t part) const {
  const MarketView view{&parts_.market, &setup_.dates};
  return {parts_.trades[part], dates_, config_->options.exercise, view, setup_};
}

UnitSamples NettingSetValuation::samples(Index unit) const {
  const Index paths = options_->paths, regression_paths = options_->regression_paths;
  return {unit * paths, paths, first_exposure_regression_sample + unit * regression_paths,
          regression_paths};
}

NettingSetValues NettingSetValuation::evaluate(Index unit) const {
  const Index paths = options_->paths;
  const auto sets = static_cast<Index>(options_->sets.size());
  NettingSetValues sums{paths, static_cast<Index>(dates_.size()), {}, {}};
  sums.today.assign(static_cast<std::size_t>(sets), 0.0);
  sums.values.assign(static_cast<std::size_t>(sets * sums.dates * paths), 0.0);
  for (std::size_t i = 0; i < parts_.trades.size(); ++i) {
    const TradeConfig& trade = parts_.trades[i];
    const TradeValues values = exposed(i).evaluate(samples(unit), alone_);
    sums.today[static_cast<std::size_t>(set_[i])] += trade.quantity * values.today;
    const auto dates_before = static_cast<Index>(values.values.size()) / paths;
    const double last = trade.maturity + trade.payment_lag + same_date;
    for (Index d = 0; d < sums.dates; ++d) {
      const bool is_known = d >= dates_before;  // from the maturity on
      if (is_known && dates_[static_cast<std::size_t>(d)] > last) break;
      const double* const from =
          is_known ? values.payment.data() : values.values.data() + d * paths;
      double* const to = sums.values.data() + (set_[i] * sums.dates + d) * paths;
      for (Index p = 0; p < paths; ++p) to[p] += trade.quantity * from[p];
    }
  }
  return sums;
}

std::vector<double> NettingSetValuation::spot_normals(Index unit, Index asset) const {
  TradeConfig forward;
  forward.payoff = &builtin_payoff("forward");
  forward.assets = {asset};
  forward.weights = {1};
  forward.maturity = dates_.back();
  for (const double date : dates_) forward.exercise.dates.push_back(date);
  const MarketView view{&parts_.market, &setup_.dates};
  const TradeSetup whole = make_trade_setup(forward, view, setup_.assets);
  std::vector<TradeSetup> values;
  for (const double date : dates_)
    values.push_back(make_trade_setup(matured_at(forward, date), view, setup_.assets));
  Simulation simulation = setup_.simulation;
  simulation.unused.assign(simulation.assets.size(), 1);
  simulation.unused[static_cast<std::size_t>(whole.assets.front())] = 0;
  simulation.trades = {whole};
  simulation.trades.front().exercise =
      make_exercise_setup(forward, config_->options.exercise, view, whole, std::move(values), true);
  const Index paths = options_->paths;
  const RecordedStates states(simulation, unit * paths, paths / regression_block, regression_block,
                              false, alone_);
  const std::vector<double> spots = states.values_to_host();  // discounted
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
  return trade_bytes_ + sizeof(double) *
                            static_cast<double>(options_->sets.size() * dates_.size()) *
                            static_cast<double>(options_->paths);
}

}  // namespace gsim::pricing

#include "src/modules/pricing/paths/time_grid.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

const AssetConfig& asset_of(const PricingConfig& config, Index i) {
  return config.market.assets[static_cast<std::size_t>(i)];
}

// Sorts the dates, merges dates closer than same_date into the earlier one, and drops time 0.
std::vector<double> join_dates(std::vector<double> dates) {
  std::sort(dates.begin(), dates.end());
  std::vector<double> joined;
  for (const double t : dates)
    if (t - (joined.empty() ? 0 : joined.back()) > same_date) joined.push_back(t);
  return joined;
}

// Trades of a portfolio share most of their dates. Duplicates are removed at this size, because for
// millions of trades they would dominate memory and the time for sorting.
constexpr std::size_t max_repeated_dates = 1 << 18;

void drop_repeated(std::vector<double>& dates) {
  std::sort(dates.begin(), dates.end());
  dates.erase(std::unique(dates.begin(), dates.end()), dates.end());
}

// A jump inside a step invalidates the Brownian bridge between its ends.
bool needs_small_steps(const AssetConfig& asset, bool extremes) {
  return asset.model->small_steps || (extremes && functions_of(asset).has_jumps);
}

struct Horizons {
  double small_steps = 0;  // until this date pricing.steps_per_year bounds the steps
  double knots = 0;        // until this date steps end at the knots of the term structures
};

Horizons horizons(const PricingConfig& config) {
  Horizons h;
  for (const TradeConfig& t : config.trades) {
    const bool extremes = required_extremes(t).any();
    // The steps of the factors of a rate are exact for any length.
    const bool are_factors = asset_of(config, t.assets.front()).is_rate();
    if (extremes || (t.assets.size() > 1 && !are_factors)) h.knots = std::max(h.knots, t.maturity);
    for (const Index i : t.assets)
      if (needs_small_steps(asset_of(config, i), extremes))
        h.small_steps = std::max(h.small_steps, t.maturity);
  }
  return h;
}

void append_until(std::vector<double>& dates, const std::vector<double>& more, double last) {
  for (const double t : more)
    if (t < last) dates.push_back(t);
}

bool has_short_intervals(const TradeConfig& t) {
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  return payoff.needs_short_intervals != nullptr && payoff.needs_short_intervals(t);
}

}  // namespace

std::vector<double> record_dates(const PricingConfig& config) {
  std::vector<double> dates;
  std::size_t limit = max_repeated_dates;
  for (const TradeConfig& t : config.trades) {
    if (dates.size() >= limit) {
      drop_repeated(dates);
      limit = 2 * dates.size() + max_repeated_dates;
    }
    dates.insert(dates.end(), t.fixings.begin(), t.fixings.end());
    dates.insert(dates.end(), t.exercise.dates.begin(), t.exercise.dates.end());
    dates.push_back(t.maturity);
    const PayoffFunctions& payoff = functions_of(*t.payoff);
    if (payoff.dates != nullptr)
      for (const double date : payoff.dates(t)) dates.push_back(date);
    if (has_short_intervals(t)) {
      const double n = std::ceil(t.maturity * config.options.steps_per_year);
      for (double i = 1; i < n; ++i) dates.push_back(t.maturity * i / n);
    }
  }
  return join_dates(std::move(dates));
}

bool is_discretised(const PricingConfig& config, const TradeConfig& t) {
  const bool extremes = required_extremes(t).any();
  return std::any_of(t.assets.begin(), t.assets.end(),
                     [&](Index i) { return needs_small_steps(asset_of(config, i), extremes); });
}

double separate_step_count(const PricingConfig& config, const TradeConfig& t) {
  const bool small = is_discretised(config, t) || has_short_intervals(t);
  const double stepped = small ? std::ceil(t.maturity * config.options.steps_per_year) : 1;
  return std::max({stepped, static_cast<double>(t.fixings.size()),
                   static_cast<double>(t.exercise.dates.size())});
}

TimeGrid make_grid(const PricingConfig& config, const std::vector<Index>& assets,
                   const std::vector<double>& records) {
  const Horizons until = horizons(config);
  std::vector<double> ends = records;
  for (const Index i : assets)
    if (asset_of(config, i).model->small_steps)
      append_until(ends, drop_dates(asset_of(config, i), until.small_steps), until.small_steps);
  if (until.knots > 0) {
    append_until(ends, config.market.rate.knots(), until.knots);
    for (const Index i : assets)
      append_until(ends, config.market.knots(asset_of(config, i)), until.knots);
  }
  ends = join_dates(std::move(ends));
  TimeGrid grid;
  grid.recorded_dates = static_cast<Index>(records.size());
  double from = 0;
  std::size_t next_record = 0;
  for (const double to : ends) {
    double parts = 1;
    if (from < until.small_steps)
      parts = std::max(1.0, std::ceil((to - from) * config.options.steps_per_year - 1e-9));
    parts = std::max(parts, std::ceil((to - from) / config.longest_step - 1e-9));
    for (double p = 1; p < parts; ++p) {
      grid.times.push_back(from + (to - from) * p / parts);
      grid.record_of_step.push_back(-1);
    }
    grid.times.push_back(to);
    const bool is_record =
        next_record < records.size() && std::fabs(records[next_record] - to) <= same_date;
    grid.record_of_step.push_back(is_record ? static_cast<Index>(next_record++) : -1);
    from = to;
  }
  GSIM_ENSURE(next_record == records.size());
  return grid;
}

}  // namespace gsim::pricing

#include "src/modules/pricing/checks/limits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/random/sobol_directions.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"

namespace gsim::pricing {
namespace {

// The trade that needs the most time steps, and their number.
struct LongestTrade {
  const TradeConfig* trade = nullptr;
  double steps = 0;
};

LongestTrade longest_trade(const PricingConfig& config) {
  LongestTrade longest;
  for (const TradeConfig& t : config.trades) {
    const double steps = separate_step_count(config, t);
    if (steps > longest.steps) longest = {&t, steps};
  }
  return longest;
}

// Whether the steps of a trade are set by steps_per_year instead of its own dates.
bool is_stepped(const TradeConfig& trade, double steps) {
  return steps > 2 * static_cast<double>(trade.fixings.size() + 2);
}

std::string lower_steps(const PricingConfig& config, double factor) {
  return fmt::format("lower pricing.steps_per_year from {:g} to {:g} or less",
                     config.options.steps_per_year,
                     std::floor(config.options.steps_per_year * factor));
}

std::string needed_by(const LongestTrade& longest) {
  if (longest.trade == nullptr) return {};
  return fmt::format("; trade `{}` ({}) needs {:.0f} of them", excerpt(longest.trade->id),
                     to_string(longest.trade->source.location()), longest.steps);
}

// Normals per step besides the first one of each asset.
Index all_further_normals(const Simulation& s) {
  Index count = 0;
  for (const AssetDynamics& a : s.assets) count += further_normals(a);
  return count;
}

bool has_launched_model(const Simulation& s) {
  return std::any_of(s.assets.begin(), s.assets.end(),
                     [](const AssetDynamics& a) { return a.scheme == StepScheme::launched; });
}

void check_sobol_dimensions(const PricingConfig& config, const Simulation& s) {
  const Index dimensions = sobol_dimensions(s);
  if (dimensions <= sobol_max_dimensions) return;
  const LongestTrade longest = longest_trade(config);
  const bool can_lower = longest.trade != nullptr && is_stepped(*longest.trade, longest.steps);
  const double factor = static_cast<double>(sobol_max_dimensions) / static_cast<double>(dimensions);
  throw ConfigError(
      config.options.sampling_at,
      fmt::format("Sobol points have {} dimensions at most, and these trades need {}: {} normals "
                  "(one per asset{}) at each of {} time steps{}",
                  sobol_max_dimensions, dimensions,
                  dimensions / static_cast<Index>(s.grid.times.size()),
                  all_further_normals(s) == 0 ? ""
                  : has_launched_model(s)     ? ", and further ones of its path model"
                                              : " and one per stochastic variance",
                  s.grid.times.size(), needed_by(longest)),
      (can_lower ? lower_steps(config, factor) + ", or " : "") +
          "set sampling = \"pseudo_random\", or price the trades in several runs");
}

void check_jumps(const PricingConfig& config, const PricingSetup& setup) {
  double longest = 0, from = 0;
  for (const double to : setup.simulation.grid.times) {
    longest = std::max(longest, to - from);
    from = to;
  }
  for (const Index i : setup.assets) {
    const AssetConfig& a = config.market.assets[static_cast<std::size_t>(i)];
    if (a.jump_intensity * longest <= max_jumps) continue;
    throw ConfigError(
        a.location,
        fmt::format("asset `{}`: jump_intensity = {:g} means, on average, {:.0f} jumps in the "
                    "longest time step of {:g} years, and at most {:g} are supported",
                    excerpt(a.name), a.jump_intensity, a.jump_intensity * longest, longest,
                    max_jumps),
        "lower jump_intensity: jumps this frequent are equivalent to a diffusion with the variance "
        "jump_intensity (jump_mean^2 + jump_sd^2) per year");
  }
}

void check_steps(const PricingConfig& config, const TradeConfig& trade, const Section& section) {
  const double steps = separate_step_count(config, trade);
  if (steps <= max_steps) return;
  throw ConfigError(section.location(),
                    fmt::format("trade `{}` needs {:.0f} time steps, and a path has {:.0f} at most",
                                excerpt(trade.id), steps, max_steps),
                    lower_steps(config, max_steps / steps));
}

// Bound on the drift of the logarithm, without the convexity terms of the model.
double absolute_drift(const MarketConfig& market, const AssetConfig& a, double date) {
  double sum = std::fabs(market.rate_of(a.growth_currency).integral(date)) +
               std::fabs(a.dividend.integral(date)) + std::fabs(a.quanto.integral(date));
  for (const DividendDrop& drop : a.drops) sum -= drop.log_factor;
  return sum;
}

// Bound on the absolute value of the logarithm of an asset's spot: eight standard deviations of
// diffusion and jumps plus the compensator of the jumps. For stochastic variance the long-run mean
// is used, for local volatility the largest value, and for plugins' models the bound that they
// provide.
double log_reach(const MarketConfig& market, const AssetConfig& a, double date) {
  const PathModelFunctions& model = functions_of(a);
  if (model.log_variance == nullptr)
    return std::fabs(logarithm(a.spot)) + absolute_drift(market, a, date) +
           (a.model->reach != nullptr ? a.model->reach(a.numbers, date) : 0);
  double variance = model.log_variance(a, date);
  double drift = absolute_drift(market, a, date);
  drift += 0.5 * variance;
  if (model.has_jumps) {
    const double jumps = a.jump_intensity * date;
    const double mean_jump = exponential(a.jump_mean + 0.5 * square(a.jump_sd)) - 1;
    drift += jumps * std::fabs(a.jump_mean - mean_jump);
    variance += jumps * (square(a.jump_mean) + square(a.jump_sd));
  }
  return std::fabs(logarithm(a.spot)) + drift + 8 * std::sqrt(variance);
}

// The bound is half the range of the exponent, because payoffs are squared.
void check_range(const PricingConfig& config, const TradeConfig& trade, const Section& section) {
  const double largest_exponent = config.options.precision == Precision::float64 ? 350 : 80;
  const double end = trade.maturity + trade.payment_lag;
  for (const Index i : trade.assets) {
    const AssetConfig& a = config.market.assets[static_cast<std::size_t>(i)];
    const double reach = log_reach(config.market, a, end);
    if (reach <= largest_exponent) continue;
    throw ConfigError(
        section.location(),
        fmt::format("in {:g} years the spot of `{}` may move by a factor of e^{:.0f}, which "
                    "exceeds the range of {} numbers",
                    end, excerpt(a.name), reach, largest_exponent == 80 ? "float" : "double"),
        fmt::format("check the maturity, and the rate, dividend and volatility of {}",
                    excerpt(a.name)));
  }
}

}  // namespace

Index sobol_dimensions(const Simulation& s) {
  return static_cast<Index>(s.grid.times.size()) *
         (static_cast<Index>(s.assets.size()) + all_further_normals(s));
}

void check_trade(const PricingConfig& config, const TradeConfig& trade, const Section& section) {
  check_steps(config, trade, section);
  check_range(config, trade, section);
}

void check_limits(const PricingConfig& config, const PricingSetup& setup) {
  if (config.options.sampling == Sampling::sobol) check_sobol_dimensions(config, setup.simulation);
  check_jumps(config, setup);
}

void check_samples(const PricingOptions& options, Index samples) {
  if (options.sampling == Sampling::sobol && samples > options.replicates * max_sobol_points)
    throw ConfigError(
        options.sampling_at,
        fmt::format("stop.samples = {} is more than the 2^32 points of each of the "
                    "pricing.replicates = {} Sobol scramblings",
                    samples, options.replicates),
        fmt::format("stop.samples = {} or less, more replicates, or sampling = \"pseudo_random\"",
                    options.replicates * max_sobol_points));
  if (samples > max_samples)
    throw InputError(
        fmt::format("stop.samples = {} is more than the 2^50 samples of a run\n  "
                    "leave stop.samples out, and set an error target or a time limit in [stop]",
                    samples));
}

}  // namespace gsim::pricing

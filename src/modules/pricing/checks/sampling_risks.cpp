#include "src/modules/pricing/checks/sampling_risks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {
namespace {

bool has_own_variance(const AssetConfig& a) { return functions_of(a).has_own_variance; }

// Checks allow a level times this factor, so that the recommended steps_per_year passes them
// although step lengths are rounded.
constexpr double rounding_margin = 1 + 1e-9;

bool has_jumps(const AssetConfig& a) { return functions_of(a).has_jumps && a.jump_intensity > 0; }

// Integral from 0 to t of the expected variance for dv = (kappa theta - speed v) dt + …
double integrated_variance(const AssetConfig& a, double speed, double t) {
  const double x = speed * t;
  // first = (1 - e^-x) / x and second = (1 - first) / x, by series near 0 because of cancellation.
  double first = 1 - x / 2 + x * x / 6, second = 0.5 - x / 6 + x * x / 24;
  if (std::fabs(x) > 1e-3) {
    first = (1 - exponential(std::fmin(-x, 700.0))) / x;  // e^700 is finite
    second = (1 - first) / x;
  }
  return a.v0 * t * first + a.kappa * a.theta * t * t * second;
}

// The last date on which a sampled value uses an asset, in years; 0: none does.
double horizon(const PricingConfig& config, Index asset, const SampledValues& values) {
  double last = 0;
  for (std::size_t i = 0; i < config.trades.size(); ++i) {
    const TradeConfig& t = config.trades[i];
    if (!values.closed.empty() && values.closed[i] != 0) continue;
    if (std::find(t.assets.begin(), t.assets.end(), asset) != t.assets.end())
      last = std::max(last, t.maturity);
  }
  return last;
}

double longest_step(const TimeGrid& grid, double until) {
  double longest = 0, from = 0;
  for (const double to : grid.times) {
    if (from >= until) break;
    longest = std::max(longest, to - from);
    from = to;
  }
  return longest;
}

std::string parameters_of(const AssetConfig& a, const MeanInformation& i) {
  if (i.jumps > i.diffusion)
    return fmt::format("jump_intensity = {:g}, jump_mean = {:g}, jump_sd = {:g}", a.jump_intensity,
                       a.jump_mean, a.jump_sd);
  if (has_own_variance(a))
    return fmt::format("kappa = {:g}, theta = {:g}, v0 = {:g}, sigma = {:g}, rho = {:g}", a.kappa,
                       a.theta, a.v0, a.sigma, a.rho);
  return "its volatility";
}

void check_mean(const AssetConfig& a, double until, const SampledValues& values,
                std::vector<std::string>& warnings) {
  const MeanInformation information = mean_information(a, until);
  // The logarithm of the number of samples that suffice (MeanInformation).
  const double log_samples = information.total() + 2 * information.spread;
  if (log_samples <= logarithm(static_cast<double>(values.samples))) return;
  const std::string check = information.jumps > information.diffusion
                                ? "check the jumps: their mean and deviation are those of the "
                                  "log-spot, so 0.1 is a jump of 10 %"
                                : "check the volatility and the maturities: a volatility of 20 % a "
                                  "year is 0.2, a variance 0.04";
  const std::string problem = fmt::format(
      "asset `{}`: the mean of its spot in {:g} years is dominated by "
      "paths too rare to be sampled ({})",
      excerpt(a.name), until, parameters_of(a, information));
  if (information.total() > logarithm(static_cast<double>(max_samples)))
    throw ConfigError(
        a.location,
        fmt::format("{}: not even the 2^50 samples of the longest run would contain them", problem),
        check);
  const bool has_remedy = log_samples <= logarithm(static_cast<double>(max_samples));
  warnings.push_back(fmt::format(
      "{}: about {:.0e} samples would contain them, and this run makes at most {}; prices "
      "that grow with the spot, and the errors of these prices, come out too low; {}{}",
      problem, exponential(log_samples), values.samples, check,
      has_remedy ? fmt::format(", or raise {}", values.key) : ""));
}

std::string remedy_for_steps(const PricingConfig& config, const AssetConfig& a) {
  if (a.kappa / reversion_warning_level > max_steps_per_year)
    return fmt::format(
        "a variance that reverts so fast equals its mean: set model = \"black_scholes\" and "
        "volatility = {:g}",
        std::sqrt(a.theta));
  const double steps = std::fmin(
      std::ceil(std::fmax(a.kappa / reversion_warning_level, a.sigma / sigma_warning_level)),
      max_steps_per_year);
  return fmt::format("raise pricing.steps_per_year from {:g} to {:g}",
                     config.options.steps_per_year, steps);
}

void check_reversion(const PricingConfig& config, const AssetConfig& a, double step,
                     std::vector<std::string>& warnings) {
  const double reversion = a.kappa * step;
  if (!has_own_variance(a) || reversion <= rounding_margin * reversion_warning_level) return;
  const std::string problem =
      fmt::format("asset `{}`: kappa = {:g} times a time step of {:.3g} years is {:.3g}",
                  excerpt(a.name), a.kappa, step, reversion);
  if (reversion > rounding_margin * reversion_error_level)
    throw ConfigError(a.location,
                      fmt::format("{}, and above {:g} prices are off by 1 % and more", problem,
                                  reversion_error_level),
                      remedy_for_steps(config, a));
  warnings.push_back(fmt::format(
      "{}: above {:g} prices are off by more than 0.1 %, which standard errors do not include; {}",
      problem, reversion_warning_level, remedy_for_steps(config, a)));
}

void check_sigma(const PricingConfig& config, const AssetConfig& a, double step,
                 std::vector<std::string>& warnings) {
  if (!has_own_variance(a) || a.sigma * step <= rounding_margin * sigma_warning_level) return;
  warnings.push_back(fmt::format(
      "asset `{}`: sigma = {:g} times a time step of {:.3g} years is above {:g}: prices may be off "
      "by more than 0.1 %, which standard errors do not include; check sigma (a volatility of the "
      "variance, "
      "seldom above 2), or {}",
      excerpt(a.name), a.sigma, step, sigma_warning_level, remedy_for_steps(config, a)));
}

}  // namespace

MeanInformation mean_information(const AssetConfig& a, double date) {
  MeanInformation i;
  if (has_own_variance(a))
    i.diffusion = 0.5 * integrated_variance(a, a.kappa - a.rho * a.sigma, date);
  else
    i.diffusion = 0.5 * a.variance.integral(date);
  double second = 2 * i.diffusion;
  if (has_jumps(a)) {
    // ln J is normal; weighting by J shifts its mean by its variance.
    const double variance = square(a.jump_sd), shifted = a.jump_mean + variance;
    const double factor = exponential(a.jump_mean + 0.5 * variance);
    i.jumps = a.jump_intensity * date * (factor * (shifted - 1) + 1);
    second += a.jump_intensity * date * factor * (square(shifted) + variance);
  }
  i.spread = std::sqrt(second);
  return i;
}

std::vector<std::string> sampling_risks(const PricingConfig& config, const PricingSetup& setup,
                                        const SampledValues& values) {
  std::vector<std::string> warnings;
  for (const Index i : setup.assets) {
    const AssetConfig& a = config.market.assets[static_cast<std::size_t>(i)];
    const double until = horizon(config, i, values);
    if (until <= 0) continue;
    check_mean(a, until, values, warnings);
    const double step = longest_step(setup.simulation.grid, until);
    check_reversion(config, a, step, warnings);
    check_sigma(config, a, step, warnings);
  }
  return warnings;
}

}  // namespace gsim::pricing

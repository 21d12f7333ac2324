#include "src/modules/pricing/risk/scenarios.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/correlation.hpp"

namespace gsim::pricing {
namespace {

using Quantity = MarketBump::Quantity;

/// `count` standard normals of a scenario.
std::vector<double> draw_normals(std::uint64_t seed, Index scenario, std::size_t count) {
  const PhiloxKey key = stream_key({seed, Purpose::pricing_risk_scenario});
  std::vector<double> z(count);
  for (std::size_t i = 0; i < count; i += normals_per_block) {
    const auto draws = normals<double, Strict>(
        philox_block(key, static_cast<std::uint64_t>(scenario), i / normals_per_block, 0));
    for (std::size_t k = 0; k < normals_per_block && i + k < count; ++k)
      z[i + k] = draws[static_cast<int>(k)];
  }
  return z;
}

/// The largest fall up to `limit` of the asset's volatilities without cut-off variances, by
/// bisection; `limit` for volatilities that have arbitrage today already.
double fall_without_cut(const AssetConfig& asset, double limit) {
  constexpr int halvings = 20;
  if (has_cut_off_variances(asset, 0) || !has_cut_off_variances(asset, -limit)) return limit;
  double low = 0, high = limit;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (has_cut_off_variances(asset, -middle) ? high : low) = middle;
  }
  return low;
}

}  // namespace

ScenarioGenerator::ScenarioGenerator(const RiskOptions& options, std::uint64_t seed)
    : options_(&options),
      seed_(seed),
      factor_(
          semidefinite_cholesky(options.correlation, static_cast<Index>(options.factors.size()))) {}

Scenario ScenarioGenerator::generate(Index index) const {
  const RiskOptions& o = *options_;
  const std::size_t n = o.factors.size();
  const auto degrees = static_cast<std::size_t>(o.degrees_of_freedom);
  const std::vector<double> z = draw_normals(seed_, index, n + degrees);
  double scale = std::sqrt(o.horizon);
  if (degrees > 0) {
    double chi_squared = 0;
    for (std::size_t k = 0; k < degrees; ++k) chi_squared += square(z[n + k]);
    scale *= std::sqrt(static_cast<double>(degrees - 2) / chi_squared);
  }
  Scenario scenario{ScenarioKind::monte_carlo, {}, std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    const RiskFactor& f = o.factors[i];
    if (f.deviation == 0) continue;
    double x = 0;
    for (std::size_t j = 0; j <= i; ++j) x += factor_[i * n + j] * z[j];
    x *= f.deviation * scale;
    const bool is_log = f.quantity == Quantity::spot && o.spot_change == SpotChange::lognormal;
    scenario.changes[i] = is_log ? exponential(x) - 1 : x;
  }
  return scenario;
}

std::vector<MarketBump> bumps_of(const MarketConfig& market, const std::vector<RiskFactor>& factors,
                                 const Scenario& scenario) {
  constexpr double smallest_spot = 1e-6;
  std::vector<MarketBump> bumps;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    double size = scenario.changes[i];
    if (size == 0) continue;
    if (factors[i].quantity == Quantity::spot) size = std::fmax(size, smallest_spot - 1);
    if (factors[i].quantity == Quantity::volatility && size < 0)
      size = -allowed_volatility_fall(market.assets[static_cast<std::size_t>(factors[i].asset)],
                                      -size);
    bumps.push_back({factors[i].quantity, factors[i].asset, -1, size});
  }
  return bumps;
}

std::vector<std::string> warnings_of_falls(const MarketConfig& market,
                                           const std::vector<RiskFactor>& factors,
                                           const std::vector<Scenario>& scenarios) {
  std::vector<std::string> warnings;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (factors[f].quantity != Quantity::volatility) continue;
    const AssetConfig& asset = market.assets[static_cast<std::size_t>(factors[f].asset)];
    double largest = 0;
    for (const Scenario& s : scenarios) largest = std::fmax(largest, -s.changes[f]);
    const auto count_beyond = [&](double fall) {
      return std::count_if(scenarios.begin(), scenarios.end(),
                           [&](const Scenario& s) { return -s.changes[f] > fall; });
    };
    const double limit = allowed_volatility_fall(asset, largest);
    if (limit < largest)
      warnings.push_back(fmt::format(
          "`{}` falls by more than {:.4g} in {} of {} scenarios, and by {:.4g} there",
          excerpt(factors[f].name), limit, count_beyond(limit), scenarios.size(), limit));
    const double fall = fall_without_cut(asset, limit);
    if (fall < limit)
      warnings.push_back(fmt::format(
          "`{}` falls by more than {:.4g} in {} of {} scenarios, where the volatilities have "
          "arbitrage, and forward or local variances are cut off",
          excerpt(factors[f].name), fall, count_beyond(fall), scenarios.size()));
  }
  return warnings;
}

std::vector<double> covariance(const RiskOptions& o) {
  const std::size_t n = o.factors.size();
  std::vector<double> matrix = o.correlation;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      matrix[i * n + j] *= o.factors[i].deviation * o.factors[j].deviation * o.horizon;
  return matrix;
}

}  // namespace gsim::pricing

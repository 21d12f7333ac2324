#include "src/modules/pricing/risk/scenarios.hpp"

#include <cmath>

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
      size = -allowed_volatility_bump(market.assets[static_cast<std::size_t>(factors[i].asset)], -1,
                                      -size);
    bumps.push_back({factors[i].quantity, factors[i].asset, -1, size});
  }
  return bumps;
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

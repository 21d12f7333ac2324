#pragma once
// Simulated scenarios, and scenarios as changes of the market.

#include <cstdint>
#include <string>
#include <vector>

#include "src/modules/pricing/risk/risk_options.hpp"

namespace gsim::pricing {

/// Simulated scenarios: the changes of all factors over the horizon are jointly normal with mean 0,
/// or multivariate t: the normals times sqrt((nu - 2) / chi^2) with chi^2 of nu degrees of freedom,
/// so that the standard deviations are those given (Glasserman 2004, section 9.3). Scenario i
/// depends on the seed and i alone.
class ScenarioGenerator {
 public:
  /// `options` must outlive the generator.
  ScenarioGenerator(const RiskOptions& options, std::uint64_t seed);
  Scenario generate(Index index) const;

 private:
  const RiskOptions* options_;
  std::uint64_t seed_;
  std::vector<double> factor_;  ///< triangular factor of the correlation
};

/// The changes of the market that make a scenario, none for changes of 0. A volatility falls by no
/// more than allowed_volatility_fall() permits, and a spot keeps at least 1e-6 of its value.
std::vector<MarketBump> bumps_of(const MarketConfig& market, const std::vector<RiskFactor>& factors,
                                 const Scenario& scenario);

/// What happens to volatilities that fall far in these scenarios, with the numbers of scenarios:
/// falls that are limited, and variances that are cut off.
std::vector<std::string> warnings_of_falls(const MarketConfig& market,
                                           const std::vector<RiskFactor>& factors,
                                           const std::vector<Scenario>& scenarios);

/// The covariance of the changes of the factors over the horizon, row-major.
std::vector<double> covariance(const RiskOptions& options);

}  // namespace gsim::pricing

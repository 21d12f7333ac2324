#pragma once
// The [risk] table: which measures of market risk a run estimates, and from which scenarios.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/greeks/market_bump.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// How the distribution of the portfolio's gain over the horizon is found:
///   monte_carlo   full revaluation of all trades in simulated scenarios
///   delta_normal  gains linear in normal factors (J.P. Morgan/Reuters, "RiskMetrics - Technical
///                 Document", 4th ed. 1996, section 6.3)
///   delta_gamma   gains quadratic in the factors, in the simulated scenarios (the same,
///   section 7.2) historical    full revaluation of all trades in the changes of a history
enum class RiskMethod { monte_carlo, delta_normal, delta_gamma, historical };
inline constexpr int risk_methods = 4;
/// The word of a method.
std::string_view name_of(RiskMethod method);

/// How a simulated change x of a spot S changes it: to S e^x, or to S (1 + x).
enum class SpotChange { lognormal, normal };

/// A quantity of the market whose changes are scenarios. Its name is that of the asset or exchange
/// rate, "NAME volatility", "rate" or, of a currency besides the base currency, "NAME rate".
struct RiskFactor {
  MarketBump::Quantity quantity = MarketBump::Quantity::spot;
  Index asset = -1;  ///< of the market; of a rate the currency, or -1 for the base currency
  std::string name;
  bool is_of_rate = false;  ///< the volatility of a short rate
  bool is_of_fx = false;    ///< of an exchange rate
  /// Standard deviation of the simulated change over a year: relative for spots, absolute for
  /// volatilities and the rate; 0: it does not change.
  double deviation = 0;
};

enum class ScenarioKind : std::uint8_t { sensitivity, stress, historical, monte_carlo };
/// The word of a kind.
std::string_view name_of(ScenarioKind kind);

/// The change of every factor at once, while no time passes: relative for spots (S becomes S (1 +
/// change)), additive for volatilities and the rate.
struct Scenario {
  ScenarioKind kind = ScenarioKind::monte_carlo;
  std::string name;
  std::vector<double> changes;
};

/// By which policy trades with early exercise are exercised in a scenario: the one of today's
/// market, or one that is found anew in the market of the scenario.
enum class ScenarioExercise { frozen, refitted };

struct RiskOptions {
  std::vector<RiskMethod> methods = {RiskMethod::monte_carlo};
  std::vector<double> levels = {0.95, 0.975, 0.99};
  double horizon = 10.0 / 252;  ///< years
  SpotChange spot_change = SpotChange::lognormal;
  Index degrees_of_freedom = 0;  ///< of Student's t; 0: normal
  Index inner_samples = 4096;    ///< of each trade without a closed form, in each scenario
  ScenarioExercise exercise = ScenarioExercise::frozen;
  Index resamples = 500;      ///< of the bootstrap
  Index history_step = 1;     ///< rows from one level to the next of a change
  std::string history_until;  ///< date of the last row that is used; empty: the last one
  Index history_changes = 0;  ///< number of the latest changes that are used; 0: all
  bool cube = false;          ///< write the gain of every trade in every scenario
  std::vector<RiskFactor> factors;
  std::vector<double> correlation;  ///< of the factors, row-major
  std::vector<Scenario> stresses, history;

  bool has(RiskMethod method) const;
  /// Whether scenarios are simulated.
  bool simulates() const;
  /// Whether the sensitivities of the trades to the factors are needed.
  bool needs_sensitivities() const;
};

/// Describes and validates [risk] of a run whose market and trades are `config`, which has been
/// described before.
void describe_risk(Section& top, const PricingConfig& config, RiskOptions& options);

}  // namespace gsim::pricing

#pragma once
// The [market] table: what the user says about rates, assets and how they move together. Everything
// is checked here; errors stand at the key that is wrong.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/market/term_structure.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Local volatility as given: rows are times, columns are spots, both rising.
struct LocalVolatilityGrid {
  std::vector<double> times;
  std::vector<double> spots;
  std::vector<std::vector<double>> volatility;
  double largest = 0;  ///< of the volatilities
};

struct AssetConfig {
  std::string name;
  SourceLocation where;
  double spot = 0;
  StepFunction dividend;
  ModelKind model = ModelKind::black_scholes;
  StepFunction variance;  ///< instantaneous variance of black_scholes, merton
  LocalVolatilityGrid local;
  double v0 = 0, kappa = 0, theta = 0, sigma = 0, rho = 0;  ///< heston, bates
  double jump_intensity = 0, jump_mean = 0, jump_sd = 0;    ///< merton, bates
  const PathModelKind* kind = nullptr;                      ///< plugged
  std::vector<double> numbers;                              ///< plugged: of its describe()
  std::string problem;  ///< why trades on it must be skipped (on_error = "skip"), or empty
};

struct MarketConfig {
  StepFunction rate;
  std::vector<AssetConfig> assets;
  /// Which assets [market.correlation] speaks about, and their matrix, row-major; no entry: none.
  std::vector<std::string> correlated;
  std::vector<double> correlation;
  std::vector<std::string> warnings;  ///< what was changed, or may be no intention

  /// Position of an asset, or -1.
  Index find(std::string_view name) const;
  std::vector<std::string> names() const;
  /// Correlation of the spots of two assets; `known` becomes false when it was not given.
  double correlation_of(Index first, Index second, bool* known) const;
};

/// PathModelKind::spot_share of an asset with a plugin's model.
double spot_share(const AssetConfig& plugged);

/// Path models that plugins bring.
using PathModelKinds = std::span<const PathModelKind* const>;

/// Most numbers that what a plugin brings may keep of a table of its keys.
inline constexpr std::size_t most_plugin_numbers = 1'000'000;

/// Describes and reads [market], whose assets may have the models `kinds` of plugins. With
/// `skip_errors`, a faulty asset is kept with its problem instead of ending the run. InputError
/// where one of `kinds` has the name of a model of pricing's own.
void describe_market(Section& market, MarketConfig& config, bool skip_errors,
                     PathModelKinds kinds = {});

}  // namespace gsim::pricing

#pragma once
// The [market] table: rates, assets and their correlations. Everything is checked here; an error
// names the key that is wrong.

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
  const PathModelKind* model = nullptr;
  StepFunction variance;  ///< instantaneous variance of black_scholes, merton
  LocalVolatilityGrid local;
  double v0 = 0, kappa = 0, theta = 0, sigma = 0, rho = 0;  ///< heston, bates
  double jump_intensity = 0, jump_mean = 0, jump_sd = 0;    ///< merton, bates
  std::vector<double> numbers;  ///< what PathModelKind::describe() returned
  std::string problem;          ///< why trades on it must be skipped (on_error = "skip"), or empty
};

struct MarketConfig {
  StepFunction rate;
  std::vector<AssetConfig> assets;
  /// The assets of [market.correlation] and their matrix, row-major; empty: none.
  std::vector<std::string> correlated;
  std::vector<double> correlation;
  std::vector<std::string> warnings;  ///< changed or suspicious values

  /// Position of an asset, or -1.
  Index find(std::string_view name) const;
  std::vector<std::string> names() const;
  /// Correlation of the spots of two assets; `known` becomes false when it was not given.
  double correlation_of(Index first, Index second, bool* known) const;
};

/// The correlation, in (0, 1], of the asset's own normal with its spot's Brownian motion.
double spot_share(const AssetConfig& asset);

/// The path models that assets may have.
using PathModelKinds = std::span<const PathModelKind* const>;

/// Most numbers that what a plugin brings may keep of a table of its keys.
inline constexpr std::size_t most_plugin_numbers = 1'000'000;

/// Describes and reads [market], whose assets may have the models `kinds` of plugins. With
/// `skip_errors`, a faulty asset is kept with its problem instead of ending the run. InputError
/// where one of `kinds` has the name of a model of pricing's own.
void describe_market(Section& market, MarketConfig& config, bool skip_errors, PathModelKinds kinds);

}  // namespace gsim::pricing

#pragma once
// The [market] table: dates, curves, rates, assets and their correlations. An error of validation
// refers to the invalid key.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/curves/credit_config.hpp"
#include "src/modules/pricing/curves/curve_config.hpp"
#include "src/modules/pricing/market/currencies.hpp"
#include "src/modules/pricing/market/dividends.hpp"
#include "src/modules/pricing/market/market_dates.hpp"
#include "src/modules/pricing/market/term_structure.hpp"
#include "src/modules/pricing/ore/ore_options.hpp"
#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/volatility/asset_surface.hpp"

namespace gsim::pricing {

/// Local volatility as in the input: rows are times, columns are spots, both increasing.
struct LocalVolatilityGrid {
  std::vector<double> times;
  std::vector<double> spots;
  std::vector<std::vector<double>> volatility;
  double largest = 0;  ///< the largest of the volatilities
};

/// The second factor y of a short rate with two (two_factors.hpp).
struct SecondFactor {
  double mean_reversion = 0, volatility = 0;  ///< b, eta
  double correlation = 0;                     ///< rho, of the Brownian motions of x and y
  Index asset = -1;                           ///< its asset
};

/// A short rate of [market.rates.NAME]: that of Hull and White (1990) or, with a second factor, of
/// G2++ (Brigo and Mercurio 2006), whose first factor x has the mean reversion a and the volatility
/// sigma.
struct ShortRate {
  double mean_reversion = 0;             ///< 1/year
  double volatility = 0;                 ///< of the short rate, 1/year per sqrt(year)
  std::optional<StepFunction> discount;  ///< instantaneous rate; none: MarketConfig::rate
  std::optional<StepFunction> forecast;  ///< of the forward rates; none: that of discounting
  double horizon = 0;  ///< end of the last trade on the rate, years: the date of the numeraire
  std::optional<SecondFactor> second;
};

/// A spot that was observed at a time before today, in years.
struct PastSpot {
  double time, spot;
};

/// How a trade on an asset of one currency is paid in another (converted_assets.hpp).
enum class Conversion { none, quanto, composite };

/// An asset that is derived from the asset `source` of another currency for trades that are paid in
/// this one's currency.
struct ConvertedAsset {
  Index source = 0;
  Conversion conversion = Conversion::quanto;
  std::vector<CurrencyLeg> legs;  ///< the price of the source's currency in the asset's one
};

struct AssetConfig {
  std::string name;
  SourceLocation location;
  double spot = 0;
  Index currency = base_currency;         ///< of the spot
  Index growth_currency = base_currency;  ///< whose rate is the drift without dividends
  StepFunction dividend;                  ///< yield
  std::vector<Dividend> dividends;        ///< in the order of their dates
  std::vector<DividendDrop> drops;        ///< what follows from `dividends`
  std::optional<ExchangeRate> exchange;   ///< of an asset of [market.fx]
  std::optional<ConvertedAsset> converted;
  /// Of a quanto: the covariance of the logarithms of the asset and of the exchange rate, by which
  /// the drift is lower.
  StepFunction quanto;
  const PathModelKind* model = nullptr;
  StepFunction variance;  ///< instantaneous variance of black_scholes and merton
  /// The pillars of `variance` as in the input, in years, and the implied volatilities at them;
  /// both empty for a constant volatility, the latter for forward volatilities, too.
  std::vector<double> volatility_times, implied_volatilities;
  LocalVolatilityGrid local;
  /// The implied volatilities from which `variance` or `local` follows, as given, and with bumps;
  /// null where the volatilities are not those of a surface.
  std::shared_ptr<const AssetSurface> given_surface;
  std::shared_ptr<const VolatilitySurface> surface;
  std::shared_ptr<const CalibrationReport> calibration;     ///< null: parameters as given
  double v0 = 0, kappa = 0, theta = 0, sigma = 0, rho = 0;  ///< heston, bates
  double jump_intensity = 0, jump_mean = 0, jump_sd = 0;    ///< merton, bates
  /// A rate instead of a spot: see short_rate_model.hpp for what is simulated in place of the spot.
  std::optional<ShortRate> short_rate;
  bool is_rate() const { return short_rate.has_value(); }
  Index first_factor = -1;  ///< of the second factor of a rate: the asset of its first one, which
                            ///< has the rate's name
  /// Whether the asset follows from others, and is not one of the input.
  bool is_derived() const { return converted.has_value() || first_factor >= 0; }
  std::vector<double> numbers;       ///< KeyValues::numbers of a model with launchers
  std::vector<PastSpot> past_spots;  ///< of market.fixings_file, in the order of their times
  std::string problem;  ///< why trades on the asset are skipped (on_error = "skip"), or empty
};

struct MarketConfig {
  MarketDates dates;
  std::vector<MarketCurve> curves;
  std::vector<MarketCredit> credit;
  std::string base_name;                   ///< of the base currency, or empty
  std::vector<MarketCurrency> currencies;  ///< all others
  /// [currency] units of the base currency per unit; NaN where no exchange rates connect them.
  std::vector<double> conversions = {1};
  std::vector<SurfaceInput> surfaces;
  StepFunction rate;               ///< of the base currency
  std::vector<double> rate_times;  ///< pillars of `rate`; empty for a constant one
  bool has_zero_rates = false;     ///< the values at the pillars are zero rates, not forward rates
  std::vector<AssetConfig> assets;
  /// The assets of [market.correlation] and their matrix, row-major; empty without the table.
  std::vector<std::string> correlated;
  std::vector<double> correlation;
  std::vector<std::string> warnings;  ///< about changed or suspicious values

  /// Index of an asset of the input, or -1.
  Index find(std::string_view name) const;
  std::vector<std::string> names() const;  ///< of the assets of the input
  const StepFunction& rate_of(Index currency) const;
  /// Integral of the drift of the asset's logarithm over (from, to], drops at discrete dividends
  /// included, without the convexity terms of its model: the logarithm of the ratio of forwards.
  double drift(const AssetConfig& asset, double from, double to) const;
  /// Times at which the drift or the variance of the asset changes.
  std::vector<double> knots(const AssetConfig& asset) const;
  /// Correlation of the spots of two assets; sets `known` to false if it is not configured.
  double correlation_of(Index first, Index second, bool* known) const;
};

/// The correlation, in (0, 1], of normal 0 of the asset's model with the Brownian motion of the
/// spot (PathModelKind::spot_normal_correlation).
double spot_normal_correlation(const AssetConfig& asset);

/// The path models available for assets.
using PathModelKinds = std::span<const PathModelKind* const>;

/// Largest number of KeyValues::numbers of a payoff or model.
inline constexpr std::size_t max_plugin_numbers = 1'000'000;

/// Describes and validates [market]; `kinds` are the available path models. With `skip_errors`, an
/// invalid asset is kept together with its error message instead of ending the run. Curves, issuers
/// and assets of the files of `ore` are added.
void describe_market(Section& market, MarketConfig& config, bool skip_errors, PathModelKinds kinds,
                     const OreOptions& ore);

}  // namespace gsim::pricing

#include "src/modules/pricing/risk/risk_factors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/correlation.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {
namespace {

using Quantity = MarketBump::Quantity;

/// The local volatility today at the spot, linear in ln S as on paths.
double local_volatility_today(const AssetConfig& a) {
  const std::vector<double>& spots = a.local.spots;
  const std::vector<double>& row = a.local.volatility.front();
  if (a.spot <= spots.front()) return row.front();
  if (a.spot >= spots.back()) return row.back();
  const auto i = static_cast<std::size_t>(std::upper_bound(spots.begin(), spots.end(), a.spot) -
                                          spots.begin());
  const double part = logarithm(a.spot / spots[i - 1]) / logarithm(spots[i] / spots[i - 1]);
  return row[i - 1] + part * (row[i] - row[i - 1]);
}

/// Volatility of the spot today, jumps included, of an asset whose model has a volatility.
double spot_volatility(const AssetConfig& a) {
  double variance = a.variance.value(0);
  if (functions_of(a).has_own_variance) variance = a.v0;
  if (!a.local.times.empty()) variance = square(local_volatility_today(a));
  return std::sqrt(variance + a.jump_intensity * (square(a.jump_mean) + square(a.jump_sd)));
}

/// All factors of the market, without deviations.
std::vector<RiskFactor> list_factors(const PricingConfig& config) {
  std::vector<RiskFactor> factors;
  const std::vector<AssetConfig>& assets = config.market.assets;
  for (const Quantity quantity : {Quantity::spot, Quantity::volatility})
    for (std::size_t i = 0; i < assets.size(); ++i) {
      const bool exists =
          quantity == Quantity::spot ? !assets[i].is_rate() : has_volatility(assets[i]);
      if (assets[i].model == nullptr || assets[i].is_derived() || !exists) continue;
      const std::string& name = assets[i].name;
      factors.push_back({quantity, static_cast<Index>(i),
                         quantity == Quantity::spot ? name : name + " volatility",
                         assets[i].is_rate(), assets[i].exchange.has_value()});
    }
  factors.push_back({Quantity::rate, -1, "rate"});
  for (std::size_t c = 0; c < config.market.currencies.size(); ++c)
    factors.push_back(
        {Quantity::rate, static_cast<Index>(c) + 1, config.market.currencies[c].name + " rate"});
  return factors;
}

/// Whether the value of a trade in the base currency depends on the spot of the asset.
bool is_used(const PricingConfig& config, Index asset) {
  return std::any_of(config.trades.begin(), config.trades.end(), [&](const TradeConfig& t) {
    const std::vector<Index> spots = spots_behind(config.market, t.assets, t.currency);
    return std::find(spots.begin(), spots.end(), asset) != spots.end();
  });
}

void set_default_deviations(const Section& s, const PricingConfig& config, RiskOptions& o) {
  for (RiskFactor& f : o.factors) {
    if (f.quantity != Quantity::spot || !is_used(config, f.asset)) continue;
    const AssetConfig& asset = config.market.assets[static_cast<std::size_t>(f.asset)];
    if (!has_volatility(asset))
      s.fail("factors",
             fmt::format("the model `{}` of asset `{}` does not tell the volatility of the spot",
                         asset.model->name, excerpt(asset.name)),
             "give the standard deviations of all factors by [[risk.factors]]");
    f.deviation = spot_volatility(asset);
  }
}

void set_deviations(const Section& s, const FactorInput& input, RiskOptions& o) {
  for (std::size_t i = 0; i < input.names.size(); ++i) {
    RiskFactor& f = o.factors[find_factor(s, "factors", o, input.names[i])];
    if (f.deviation != 0)
      s.fail("factors", fmt::format("the factor `{}` appears twice", excerpt(f.name)));
    f.deviation = input.deviations[i];
  }
}

/// The correlation of two spots in the market.
double spot_correlation(const Section& s, const PricingConfig& config, const RiskFactor& a,
                        const RiskFactor& b) {
  bool known = false;
  const double value = config.market.correlation_of(a.asset, b.asset, &known);
  if (known) return value;
  s.fail("correlation",
         fmt::format("the correlation of `{}` and `{}` is not known", excerpt(a.name),
                     excerpt(b.name)),
         "give it in [market.correlation], or in [risk.correlation]");
}

/// Sets the correlations of [risk.correlation]; returns a flag for each factor that is named there.
std::vector<std::uint8_t> set_given_correlations(const Section& s, const FactorInput& input,
                                                 RiskOptions& o) {
  const std::size_t n = o.factors.size(), m = input.correlated.size();
  const auto fail = [&](const std::string& problem) { s.fail("correlation", problem); };
  if (input.matrix.size() != m ||
      std::any_of(input.matrix.begin(), input.matrix.end(),
                  [&](const std::vector<double>& row) { return row.size() != m; }))
    fail(fmt::format("the matrix must have {} rows of {} correlations, one for each factor", m, m));
  std::vector<std::uint8_t> is_named(n);
  std::vector<std::size_t> index;
  for (const std::string& name : input.correlated) {
    index.push_back(find_factor(s, "correlation", o, name));
    if (is_named[index.back()]++ != 0)
      fail(fmt::format("the factor `{}` appears twice", excerpt(name)));
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      if (input.matrix[i][j] != input.matrix[j][i] || (i == j && input.matrix[i][i] != 1))
        fail(fmt::format("the matrix is not symmetric with a diagonal of ones at row {}, column {}",
                         i + 1, j + 1));
      o.correlation[index[i] * n + index[j]] = input.matrix[i][j];
    }
  return is_named;
}

void set_correlations(const Section& s, const PricingConfig& config, const FactorInput& input,
                      RiskOptions& o) {
  const std::size_t n = o.factors.size();
  o.correlation.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) o.correlation[i * n + i] = 1;
  const std::vector<std::uint8_t> is_named = set_given_correlations(s, input, o);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const RiskFactor &a = o.factors[i], &b = o.factors[j];
      const bool are_spots = a.quantity == Quantity::spot && b.quantity == Quantity::spot;
      const bool is_given = is_named[i] != 0 && is_named[j] != 0;
      if (!are_spots || is_given || a.deviation == 0 || b.deviation == 0) continue;
      o.correlation[i * n + j] = o.correlation[j * n + i] = spot_correlation(s, config, a, b);
    }
  CorrelationDefect defect;
  if (is_positive_semidefinite(o.correlation, static_cast<Index>(n), &defect)) return;
  s.fail("correlation",
         fmt::format("the correlations of the factors are inconsistent: the smallest eigenvalue of "
                     "their matrix is {:.3g}, to which `{}` and `{}` contribute most",
                     defect.smallest_eigenvalue,
                     excerpt(o.factors[static_cast<std::size_t>(defect.first)].name),
                     excerpt(o.factors[static_cast<std::size_t>(defect.second)].name)),
         "change their correlation, or give all correlations in [risk.correlation]");
}

}  // namespace

void describe_factors(Section& risk, FactorInput& input) {
  input = {};
  risk.tables(
      "factors",
      [&](Index n) {
        input.names.assign(static_cast<std::size_t>(n), {});
        input.deviations.assign(static_cast<std::size_t>(n), 0);
      },
      [&](Section& s, Index i) {
        s.required(
            "factor", input.names[static_cast<std::size_t>(i)],
            {.doc = "name of an asset or exchange rate (its spot), \"NAME volatility\", \"rate\" "
                    "or, of another currency, \"NAME rate\""});
        s.required("deviation", input.deviations[static_cast<std::size_t>(i)],
                   {.doc = "standard deviation of the change over a year: relative for spots, "
                           "absolute for volatilities and the rate",
                    .minimum = 0,
                    .maximum = 10,
                    .exclusive_minimum = true});
      },
      "factors that change in simulated scenarios; without this table the spots of all assets, "
      "with "
      "the volatilities of their models");
  risk.optional_table(
      "correlation",
      [&](Section& s) {
        s.required("factors", input.correlated,
                   {.doc = "names of factors, in the order of the matrix", .min_size = 1});
        s.required("matrix", input.matrix,
                   {.doc = "correlations of the changes, one row per factor",
                    .minimum = -1,
                    .maximum = 1});
      },
      "correlations of factors that are not those of [market.correlation]");
}

void validate_factors(const Section& s, const PricingConfig& config, const FactorInput& input,
                      RiskOptions& o) {
  o.factors = list_factors(config);
  if (!input.names.empty())
    set_deviations(s, input, o);
  else if (o.simulates() || o.needs_sensitivities())
    set_default_deviations(s, config, o);
  const bool has_changes = std::any_of(o.factors.begin(), o.factors.end(),
                                       [](const RiskFactor& f) { return f.deviation != 0; });
  if (!has_changes && (o.simulates() || o.needs_sensitivities()))
    s.fail("factors", "no factor changes: trades depend on rates alone",
           "give the standard deviations of `rate` and of volatilities by [[risk.factors]]");
  set_correlations(s, config, input, o);
}

std::size_t find_factor(const Section& section, std::string_view key, const RiskOptions& o,
                        const std::string& name) {
  std::vector<std::string> names;
  for (const RiskFactor& f : o.factors) names.push_back(f.name);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    section.fail(key, fmt::format("`{}` is no risk factor of this portfolio", excerpt(name)),
                 suggest_known(name, names, "factors"));
  return static_cast<std::size_t>(at - names.begin());
}

}  // namespace gsim::pricing

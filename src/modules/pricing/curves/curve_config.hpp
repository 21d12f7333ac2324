#pragma once
// The tables [market.curves.NAME].

#include <functional>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/curves/discount_curve.hpp"
#include "src/modules/pricing/market/market_dates.hpp"

namespace gsim::pricing {

/// A curve of discount factors of the market.
struct MarketCurve {
  std::string name;
  DiscountCurve curve;
  /// The quotes at the pillars, as "swap 5Y", and par rates minus quotes; empty without quotes.
  std::vector<std::string> quotes;
  std::vector<double> quote_errors;
};

/// Largest difference of a par rate from its quote that a bootstrapped curve may have.
inline constexpr double quote_tolerance = 1e-12;

/// The curve of that name, or null.
const MarketCurve* find_curve(const std::vector<MarketCurve>& curves, std::string_view name);
/// The same; without such a curve a ConfigError at `key`.
const MarketCurve& require_curve(const Section& section, std::string_view key,
                                 const std::vector<MarketCurve>& curves, const std::string& name);

/// A further source of tables: runs a describing function on them; null: there is none.
using MoreTables = std::function<void(const Section::Describe& describe)>;

/// Describes and validates the tables, and sets `curves` in the order of the file, those of `more`
/// last. Rates that may be percentages give `warnings`.
void describe_curves(Section& market, const MarketDates& dates, const MoreTables& more,
                     std::vector<MarketCurve>& curves, std::vector<std::string>& warnings);

}  // namespace gsim::pricing

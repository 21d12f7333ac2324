#pragma once
// Discrete dividends of an asset.
//
// At an ex-dividend date the spot falls by a share of itself: S(t) = S(t-) (1 - d). The share of a
// proportional dividend is given. That of a cash dividend D is D over the forward F(t-) just before
// the date, so that forwards fall by exactly D, and a path above its forward falls by more:
// F(t) = F(t-) - D. Between the dates the spot is that of the model, and the volatility is the one
// of the spot and of its forwards alike; European options are those of Black (1976) on the forward
// (Bos and Vandermark 2002, "Finessing fixed dividends", Risk 15(9), 157, on this and other
// choices). A spot never becomes negative.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::pricing {

struct AssetConfig;
struct MarketConfig;

/// By how much an ex-dividend date is after the moment at which the spot is still with the
/// dividend, years (half a minute): exercise before the date, and the extremes of a path before it,
/// are at the date less this.
inline constexpr double dividend_lead = 1e-6;

/// A dividend as in the input.
struct Dividend {
  double time = 0;          ///< ex-dividend date, years
  double cash = 0;          ///< per unit of the asset, in its currency
  double proportional = 0;  ///< share of the spot just before the date
};

/// The logarithm of 1 - d at a date.
struct DividendDrop {
  double time = 0, log_factor = 0;
};

/// The keys dividends and dividends_file of [market.assets.NAME].
struct DividendInput {
  std::vector<Dividend> list;
  std::string file;
};
void describe_dividends(Section& asset, DividendInput& input);
/// Sets AssetConfig::dividends, in the order of their dates. ConfigError for dates that are not
/// after today or twice, and for dividends that are neither cash nor proportional.
void validate_dividends(const Section& asset, const DividendInput& input, AssetConfig& config);

/// Sets AssetConfig::drops from the dividends, the spot, the rate and the yield. A dividend takes
/// at most 99 % of the spot; `excessive` is set to the time of the first one that would take more,
/// or to 0.
void set_drops(const MarketConfig& market, AssetConfig& asset, double* excessive);

/// The dates before `last` at which steps must end so that the paths between are continuous.
std::vector<double> drop_dates(const AssetConfig& asset, double last);

}  // namespace gsim::pricing

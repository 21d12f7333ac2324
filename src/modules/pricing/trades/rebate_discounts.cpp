// Time of the touch of a barrier within its interval, and the discount factor of the rebate.

#include "src/modules/pricing/trades/rebate_discounts.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {
namespace {

// Time of the touch within the interval (from, to], from 0 at its start to 1 at its end, at which
// exp(-rate tau) equals its mean over the touches in the interval. If touches are too
// rare for the difference of probabilities to be accurate, the midpoint is used; their contribution
// is negligible.
double relative_time_of_touch(FlatMarket m, const TradeConfig& t, double rate, double from,
                              double to) {
  constexpr double smallest_probability = 1e-9, midpoint = 0.5;
  const auto touch_value = [&](double date, double r) {
    m.maturity = date;
    return date > 0 ? first_touch(m, t.barrier, t.up, r) : 0.0;
  };
  const double probability = touch_value(to, 0) - touch_value(from, 0);
  if (!(probability > smallest_probability)) return midpoint;
  const double mean = (touch_value(to, rate) - touch_value(from, rate)) / probability;
  if (!(mean > 0)) return midpoint;
  return std::fmin(std::fmax((-logarithm(mean) / rate - from) / (to - from), 0.0), 1.0);
}

}  // namespace

std::vector<double> discounts_at_touch(const TradeConfig& t, const MarketView& view,
                                       const std::vector<Index>& records) {
  // At smaller rates exp(-rate tau) is nearly linear in tau, so that the mean time of the touch no
  // longer depends on the rate, and rounding errors grow.
  constexpr double smallest_rate = 1e-3;
  const AssetConfig& a = view.asset(t.assets.front());
  FlatMarket flat;
  flat.spot = a.spot;
  flat.rate = view.rate().integral(t.maturity) / t.maturity;
  flat.dividend = view.mean_yield(t.assets.front(), t.maturity);
  const PathModelFunctions& model = functions_of(a);
  if (model.mean_variance != nullptr)
    flat.volatility = std::sqrt(model.mean_variance(a, t.maturity));
  const double rate = std::fmax(std::fabs(flat.rate), smallest_rate);
  std::vector<double> discounts;
  double from = 0;
  for (const Index r : records) {
    const double to = (*view.records)[static_cast<std::size_t>(r)];
    const double relative_time =
        flat.volatility > 0 ? relative_time_of_touch(flat, t, rate, from, to) : 0.5;
    const double integral =
        (1 - relative_time) * view.rate().integral(from) + relative_time * view.rate().integral(to);
    discounts.push_back(exponential(-integral));
    from = to;
  }
  return discounts;
}

}  // namespace gsim::pricing

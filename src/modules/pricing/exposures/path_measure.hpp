#pragma once
// The measure under which the trades of a netting set are simulated together.
//
// Let N be the numeraire of the set: that of the base currency's short rate if the set has trades
// on it (market/short_rate_model.hpp), otherwise the account at the certain rates of the curve.
// What is paid at t has the measure of payments at t (the t-forward measure: Geman, El Karoui and
// Rochet 1995, "Changes of numeraire, changes of probability measure and option pricing", Journal
// of Applied Probability 32, 443), with the density 1 / (N(t) P(0, t)) in that of N. There, spots
// and exchange rates have the distributions that the module pricing gives them, with the forwards
// F(0, t) as means; and the factors x of another currency's short rate have the distribution of
// their own measure of payments at t, seen in the base currency. Let 1 / N(t) be proportional to
// e^(-sum_i H_i(t) x_i), where x_i are the one or two factors of N's short rate
// (market/short_rate_model.hpp, market/two_factors.hpp). Under the measure of N, where the
// covariances C are those of the simulated steps until t, this adds to the means at t, with the
// factors x_0i and loadings H_0i of N,
//   sum_i H_0i(t) C(ln S, x_0i)           to the logarithm of a spot or exchange rate S,
//   sum_i H_0i(t) C(x, x_0i) - sum_i H_i(t) C(x, x_i) - C(x, ln X)
//                                         to each factor x of the rate of another currency,
// whose exchange rate, the price in the base currency, is X (Brigo and Mercurio 2006, "Interest
// Rate Models - Theory and Practice", section 2.3 and chapter 12, for a deterministic volatility of
// X). Of spots with a random variance, C(ln S, x_0i) and C(x, ln X) are those given the path of it
// (random_covariance.hpp).
//
// What a trade on another currency's rate is worth at t may depend on the rate at an earlier date
// s: by its fixing, or because the trade was exercised then. Under the measure of payments at t the
// means at s of the factors x of that rate are those above with H_0i(t) and H_i(t) in place of
// H_0i(s) and H_i(s), since the change of measure is e^(sum_i H_i(t) x_i(t) - sum_i H_0i(t)
// x_0i(t)) X(t), and of what x_i(t) has of x_i(s) after its mean reversion. The difference is a
// convexity, by which EarlierRates changes the states of earlier dates.
//
// Values at t of trades on spots and exchange rates are those of the
// module pricing, with the rates of today's curve: they do not depend on the short rate at t.

#include <vector>

#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// The simulation under the measure that `measure` describes. The simulated assets are those of the
/// market in `order`. Drifts of assets that Simulation::unused leaves out are not changed.
Simulation under_measure(Simulation simulation, const BaseMeasure& measure, const MarketView& view,
                         const std::vector<Index>& order);

/// The states at earlier dates of the rate of a trade in another currency, as its values at a later
/// date depend on them.
class EarlierRates {
 public:
  /// The arguments are those of under_measure().
  EarlierRates(const Simulation& simulation, const BaseMeasure& measure, const MarketView& view,
               const std::vector<Index>& order);
  /// Whether states are changed: the trade is on the rate of another currency.
  bool are_changed() const { return !parts_.empty(); }
  /// What is added to the logarithm of a factor's "spot" of the record `earlier` for values at the
  /// record `later`.
  double change(std::size_t factor, Index earlier, Index later) const;
  /// The claims of `value` (set_claims()), with the states of their dates changed as for values at
  /// the record `later`.
  TradeSetup for_values_at(Index later, TradeSetup value) const;

 private:
  /// A factor of a numeraire, [step].
  struct Part {
    std::vector<double> weight, decay;            ///< its H, with the sign, and what a step leaves
    std::vector<std::vector<double>> covariance;  ///< [factor of the trade's rate][step]
  };
  std::vector<Part> parts_;
  std::vector<std::size_t> step_of_record_;
};

/// Index among the simulated assets in `order` of an asset of the market.
Index simulated_index(const std::vector<Index>& order, Index asset);

}  // namespace gsim::pricing
